"""`voicebench runs` and `voicebench merge`: what they print, and what they leave alone."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.running.run_folders import TASK_LIST, failed, make_run, row
from voicebench.files import read_rows
from voicebench.running.run_info import RunInfo
from voicebench.running.runs import opened
from voicebench.types import Scores

A, B, *_ = TASK_LIST


@pytest.fixture
def runs(run: Run) -> Path:
    """Make runs in the test's folder, which `run` makes the current one."""
    make_run(Path("runs/a"), [A], [row(A)], shard="1/2")
    make_run(Path("runs/b"), [B], [failed(B)], planned=[row(B), row(B, trial=1)])
    return Path("runs")


@pytest.mark.usefixtures("runs")
def test_runs_are_listed_with_how_far_they_came(run: Run) -> None:
    header, *lines = run("runs", "list").stdout.splitlines()
    assert header.split() == [
        "name", "created", "shard", "agents", "languages", "conditions", "answers", "planned", "errors",
        "size_mb",
    ]  # fmt: skip
    told = [line.split() for line in lines]
    agents = "stub,व्हिस्पर+qwen"
    start = "2026-11-30T10:00:00+00:00"
    assert [words[:9] for words in told] == [
        ["a", start, "1/2", agents, "en", "speech,text", "1", "1", "0"],
        ["b", start, "–", agents, "en", "speech,text", "1", "2", "1"],
    ]


@pytest.mark.usefixtures("runs")
def test_runs_are_listed_as_json(run: Run) -> None:
    found = json.loads(run("runs", "list", "--json").stdout)
    assert [(entry["name"], entry["agents"], entry["planned"]) for entry in found] == [
        ("a", ["stub", "व्हिस्पर+qwen"], 1),
        ("b", ["stub", "व्हिस्पर+qwen"], 2),
    ]


def test_a_broken_run_does_not_hide_the_others(run: Run, runs: Path) -> None:
    (runs / "a" / "run.json").write_text("{", encoding="utf-8")
    ran = run("runs", "list")
    assert (ran.exit_code, len(ran.stdout.splitlines())) == (0, 3)
    assert ran.stderr.startswith("warning: runs/a/run.json: cannot be read")


def test_no_runs(run: Run) -> None:
    Path("runs").mkdir()
    assert run("runs", "list").stdout == "runs: no runs\n"
    assert run("runs", "list", "--json").stdout == "[]\n"
    ran = run("runs", "list", "--runs", "elsewhere")
    assert (ran.exit_code, "elsewhere: no such folder" in ran.stderr) == (2, True)


@pytest.mark.usefixtures("runs")
def test_every_fact_of_a_run_is_shown(run: Run) -> None:
    said = run("runs", "show", "runs/b").stdout
    shown = [line.partition(":")[0] for line in said.splitlines() if line[:1].strip()]
    assert shown[: len(RunInfo.model_fields)] == list(RunInfo.model_fields)
    assert "planned:\n  - agent stub, task single, lang en, condition text, n 2\n" in said
    assert "  - name: stub\n    models:\n      - name stub, revision 1\n" in said
    assert said.endswith("\n1 of 2 planned answers, 1 with an error\n")
    assert json.loads(run("runs", "show", "runs/b", "--json").stdout)["name"] == "b"


def test_a_run_that_is_not_there_cannot_be_shown(run: Run) -> None:
    ran = run("runs", "show", "nowhere")
    assert (ran.exit_code, ran.stderr) == (2, "voicebench: nowhere: no run here. See: voicebench runs list\n")


def test_pruning_lists_first_and_removes_with_yes(run: Run, runs: Path) -> None:
    listed = run("runs", "prune", "a")
    assert listed.exit_code == 0
    assert listed.stdout.splitlines()[-1].endswith(
        "nothing is removed. To remove: the same command with --yes"
    )
    assert (runs / "a").is_dir()
    assert run("runs", "prune", "a", "--yes").stdout.splitlines()[-1].endswith(" MB: removed")
    assert [path.name for path in runs.iterdir()] == ["b"]
    assert run("runs", "prune", "--empty", "--older-than", "30d").stdout == "no run is like that\n"


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say which runs: names, --empty or --older-than 30d"),
        (("aa",), "runs: no run 'aa' here. Did you mean 'a'?"),
        (("--older-than", "soon"), "--older-than 'soon' is no age"),
    ],
)
def test_mistakes_in_pruning(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run("runs", "prune", "--yes", *words)
    assert (ran.exit_code, said in ran.stderr) == (2, True), ran.output


def test_the_parts_of_a_run_are_merged_scored_and_reported(run: Run) -> None:
    words = ("eval", "--model", "oracle", "--limit", "2")
    for lang in ("en", "hi"):
        assert run(*words, "--lang", lang, "--run", f"runs/{lang}").exit_code == 0
    ran = run("merge", "runs/hi", "runs/en", "--out", "runs/all")
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines()[0] == "24 answers of 2 runs: runs/all"
    assert ran.stdout.splitlines()[-1] == "written: runs/all/report.json"
    assert len(read_rows(Path("runs/all/scores.jsonl"), Scores)) == 24


def test_a_merge_is_refused_with_a_list(run: Run, runs: Path) -> None:
    with opened(runs / "b"):
        ran = run("merge", "runs/a", "runs/b", "--out", "runs/all")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.splitlines()[:2] == [
        "voicebench: 3 things are in the way; nothing was merged",
        "  unreadable: runs/b: another process is writing this run. Wait for it",
    ]
    assert not (runs / "all").exists()


def test_a_merge_with_gaps_says_how_to_go_on(run: Run, runs: Path) -> None:
    ran = run("merge", "runs/b", "--out", "runs/all")
    assert (ran.exit_code, ran.stderr.splitlines()) == (
        2,
        [
            "voicebench: 1 thing is in the way; nothing was merged",
            "  gap: runs/b: 1 of 2 planned answers of stub under text are not there",
            "Run what is missing, or merge what is there with --allow-gaps",
        ],
    )
    ran = run("merge", "runs/b", "--out", "runs/all", "--allow-gaps", "--no-score")
    assert ran.stderr.splitlines() == [
        "warning: runs/b: 1 of 2 planned answers of stub under text are not there"
    ]
    assert ran.stdout.splitlines() == [
        "1 answer of 1 run: runs/all", "Next: voicebench score --run runs/all",
    ]  # fmt: skip
