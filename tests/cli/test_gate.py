"""`voicebench gate`: exit 0, 1 and 2, its lines, its JSON and its XML."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.compare.helpers import write_scores


def column(value: float, n: int = 20, lang: str = "hi") -> dict[str, list[float | None]]:
    return {f"single-{lang}-{i:02}": [value] for i in range(n)}


@pytest.fixture
def files(tmp_path: Path) -> None:
    write_scores(tmp_path / "good.jsonl", column(1) | column(1, lang="th"))
    write_scores(tmp_path / "bad.jsonl", column(1) | column(0, lang="th"))


@pytest.mark.usefixtures("files")
def test_a_gate_that_holds_exits_with_0(run: Run) -> None:
    said = run("gate", "good.jsonl", "--min", "parameters=0.8", "--no-worse-than", "bad.jsonl")
    assert said.exit_code == 0, said.output
    assert said.stdout.splitlines()[-1] == "4 checks, 0 failed"


@pytest.mark.usefixtures("files")
def test_a_real_loss_exits_with_1_and_names_the_next_command(run: Run) -> None:
    said = run("gate", "bad.jsonl", "--no-worse-than", "good.jsonl", "--by", "lang")
    assert said.exit_code == 1
    failed = [line for line in said.stdout.splitlines() if line.startswith("FAILED")]
    assert [line.split(": ")[0] for line in failed] == ["FAILED right, text", "FAILED right, text, lang th"]
    assert said.stdout.splitlines()[-1].endswith("voicebench compare good.jsonl bad.jsonl")


@pytest.mark.usefixtures("files")
def test_the_xml_holds_every_check(run: Run, tmp_path: Path) -> None:
    words = ("--min", "parameters=0.9", "--min", "right=0.2", "--junit", "out/gate.xml")
    assert run("gate", "bad.jsonl", *words).exit_code == 1
    suite = ElementTree.parse(tmp_path / "out" / "gate.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("4", "1")
    assert [case.get("name") for case in suite if case.find("failure") is not None] == [
        "parameters, text: minimum"
    ]


@pytest.mark.usefixtures("files")
def test_json_has_every_check(run: Run) -> None:
    found = json.loads(run("gate", "bad.jsonl", "--no-worse-than", "good.jsonl", "--json").stdout)
    assert (found["format"], found["passed"]) == ("voicebench-gate/1", False)
    scored, loss = found["checks"]
    assert (scored["kind"], scored["passed"], scored["value"]) == ("scored", True, 1.0)
    assert (loss["kind"], loss["passed"], loss["value"], loss["n"]) == ("no worse", False, -0.5, 40)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("good.jsonl",), "nothing to check. Give --min FIGURE=VALUE, or --no-worse-than BASELINE"),
        (("good.jsonl", "--min", "paramters=0.8"), "unknown figure 'paramters'. Did you mean 'parameters'?"),
        (("good.jsonl", "--min", "refusal_right=0.8"), "good.jsonl: no item of a has 'refusal_right'."),
        (("good.jsonl", "--min", "parameters"), "--min 'parameters' must be FIGURE=VALUE"),
        (("good.jsonl", "--min", "parameters=80"), "with a value from 0 to 1, such as parameters=0.8"),
        (
            ("good.jsonl", "--min", "right=.1", "--by", "langs"),
            "--by 'langs' is unknown. Did you mean 'lang'?",
        ),
        (("good.jsonl", "--min", "right=.1", "--alpha", "0"), "--alpha must lie between 0 and 1"),
        (
            ("good.jsonl", "--min", "right=.1", "--min-scored", "95"),
            "--min-scored must be a share from 0 to 1",
        ),
        (("nowhere", "--min", "right=.1"), "nowhere: no scores here."),
        (("good.jsonl", "--no-worse-than", "nowhere"), "nowhere: no scores here."),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_mistake_is_one_line_and_exits_with_2(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run("gate", *words)
    assert ran.exit_code == 2
    assert said in ran.output
    assert ran.output.strip().count("\n") == 0
