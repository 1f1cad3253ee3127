"""`voicebench tau2 read`: its lines, its JSON, its file and its exit codes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from tests.tau2.helpers import FILES, results, simulation, write
from voicebench.cli import tau2
from voicebench.cli.main import Commands

Read = Callable[..., Result]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Run `voicebench tau2 read WORDS`, from the test's folder."""
    monkeypatch.chdir(tmp_path)
    app = typer.Typer(cls=Commands, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.callback()(lambda: None)
    app.command("read")(tau2.read)
    return lambda *words: CliRunner().invoke(app, ["read", *words])


def test_missing_trials_are_a_range_and_the_rule_that_drops_them_is_shown(read: Read, tmp_path: Path) -> None:
    rows = [simulation("A", n, 1.0) for n in range(3)] + [simulation("B", n, 0.0) for n in range(2)]
    write(tmp_path / "r.json", results(rows, num_trials=3))
    said = read("r.json")
    assert (said.exit_code, said.stderr) == (0, "")
    lines = said.stdout.splitlines()
    assert lines[:3] == [
        "r.json (tau2)",
        "2 tasks × 3 trials: scored 5 of 6",
        "1 failed, not the agent: 1 not run",
    ]
    assert lines[3].split() == ["k", "pass^k", "95", "%", "pass@k", "rho^k", "95", "%"]
    assert lines[6].split("  ")[:2] == ["3", "0.5000"]
    assert "0.7500 to 1.0000" in lines[6]
    assert lines[-1].startswith(
        "By SEATauBench's rule, which drops what is missing: p1 0.500 p2 0.500 p3 1.000 rho 2.000: impossible"
    )


def test_a_file_that_contradicts_itself_exits_with_1(read: Read, tmp_path: Path) -> None:
    write(tmp_path / "r.json", results([simulation("0", 0, 1.0, basis=["DB"], parts={"DB": 0.0})]))
    said = read("r.json")
    assert said.exit_code == 1
    assert said.stdout.splitlines()[-1] == (
        "impossible: task '0', trial 0: a reward of 1, but its parts are DB 0"
    )


def test_an_impossible_row_exits_with_1_unless_lost_trials_are_accepted(read: Read, tmp_path: Path) -> None:
    head = "domain,model,lang,p1,p2,p3\n"
    (tmp_path / "t.csv").write_text(head + "telecom,Qwen,ZH,0.228,0.132,0.097\n", encoding="utf-8")
    said = read("t.csv")
    assert said.exit_code == 1
    assert said.stdout.splitlines()[0].startswith(
        "t.csv:2: telecom · Qwen · ZH: impossible: no count gives p3"
    )
    assert said.stdout.splitlines()[1] == "t.csv: 1 row: 0 possible, 1 impossible"
    assert read("t.csv", "--lost", "1").exit_code == 0


def test_correlations_stand_beside_english_where_it_is_there(read: Read, tmp_path: Path) -> None:
    rows = "".join(
        f"{domain},m,{lang},10,{value}\n"
        for lang, values in {"th": ".1 .2 .3", "English": ".2 .4 .6", "vi": ".3 .2 .1"}.items()
        for domain, value in zip(("a", "b", "c"), values.split(), strict=True)
    )
    (tmp_path / "t.csv").write_text("domain,model,lang,n_tasks,p1\n" + rows, encoding="utf-8")
    lines = read("t.csv").stdout.splitlines()
    assert lines[-3:] == ["languages     n  p1", "th – English  3  1.000", "English – vi  3  −1.000"]


def test_json_holds_everything(read: Read) -> None:
    said = read(str(FILES), "--json")
    data = json.loads(said.stdout)
    assert data["format"] == "voicebench-tau2/1"
    assert [one["layout"] for one in data["results"]] == ["tau-bench", "tau2", "tau2-dir"]
    assert data["results"][1]["by_k"][1]["rho"] == {"estimate": None, "low": 0.4, "high": 1.0}


def test_trials_are_written_as_lines_of_json(read: Read, tmp_path: Path) -> None:
    said = read(str(FILES / "old.json"), "--out", "trials.jsonl")
    assert said.stdout.splitlines()[-1] == "8 trials: trials.jsonl"
    rows = [json.loads(line) for line in (tmp_path / "trials.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == {
        "task_id": "0", "trial": 0, "reward": 1.0, "recorded": 1.0, "breakdown": {"state": 1.0},
        "source": str(FILES / "old.json"),
    }  # fmt: skip
    assert (rows[-1]["unscored"], rows[-1]["harness_failed"]) == ("error of the harness", True)
    assert "reward" not in rows[-1]


def test_a_mistake_is_one_line_and_exits_with_2(read: Read) -> None:
    said = read("nowhere")
    assert (said.exit_code, said.stderr) == (2, "voicebench: nowhere: no such file or folder\n")
