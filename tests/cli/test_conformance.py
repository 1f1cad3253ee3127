"""`voicebench conformance`: what it prints, and how it exits."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conformance.cases import case
from voicebench.files import write_rows


@pytest.fixture
def cases(tmp_path: Path) -> str:
    rows = [
        case("one"),
        case("two", kind="digits", lang="ta", answer={"text": "நல்லது"}, want={"parameters": 0}),
        case(
            "three", kind="digits", lang="th", want={"parameters": 0, "tool_selection": 1}, why="It is wrong."
        ),
    ]
    path = tmp_path / "cases.jsonl"
    write_rows(path, rows)
    return str(path)


def test_disagreements_are_shown_with_their_reason_and_exit_with_1(run: Run, cases: str) -> None:
    ran = run("conformance", cases)
    assert ran.exit_code == 1
    assert ran.output.splitlines() == [
        "kind    cases  passed  failed  not judged  errors",
        "kind    1      1       0       0           0",
        "digits  2      1       1       0           0",
        "all     3      2       1       0           0",
        "three [digits, th]: parameters should be 0, is 1 (It is wrong.)",
        "2 of 3 cases passed",
    ]


def test_kinds_and_languages_choose_and_all_right_exits_with_0(run: Run, cases: str) -> None:
    ran = run("conformance", cases, "--kind", "digits", "--lang", "ta")
    assert ran.exit_code == 0
    assert ran.output.splitlines()[-1] == "1 of 1 cases passed"


def test_json_holds_counts_and_disagreements(run: Run, cases: str) -> None:
    said = json.loads(run("conformance", cases, "--json").output)
    assert said["total"] == {
        "kind": "all", "cases": 3, "passed": 2, "failed": 1, "not_judged": 0, "errors": 0,
    }  # fmt: skip
    assert (said["errors"], said["faults"]) == ([], [])
    assert said["disagreements"] == [
        {"id": "three", "kind": "digits", "lang": "th", "figure": "parameters", "want": 0, "got": 1,
         "why": "It is wrong."}
    ]  # fmt: skip
    assert [tally["kind"] for tally in said["kinds"]] == ["kind", "digits"]


def test_a_rule_judges_what_it_can(run: Run, cases: str) -> None:
    ran = run("conformance", cases, "--rule", "bfcl")
    assert ran.exit_code == 1
    assert ran.output.splitlines()[-1] == "2 of 3 cases passed"


def test_a_crashing_scorer_is_shown_and_exits_with_1(run: Run, cases: str) -> None:
    ran = run("conformance", cases, "--scorer", "false")
    assert ran.exit_code == 1
    lines = ran.output.splitlines()
    assert "one [kind, hi]: error: no answer (the scorer ended with exit code 1)" in lines
    assert "fault: the scorer ended with exit code 1" in lines
    assert lines[-1] == "0 of 3 cases passed"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rule", "bfc"), "unknown rule 'bfc'. Did you mean 'bfcl'?"),
        (("--kind", "digit"), "no case of the kind 'digit'. Did you mean 'digits'?"),
        (("--rule", "bfcl", "--scorer", "x"), "--scorer and --rule name two scorers; give one"),
        (("--scorer", "nowhere-to-be-found"), "--scorer: nowhere-to-be-found: cannot be run"),
    ],
)
def test_a_mistake_is_one_line_and_exits_with_2(
    run: Run, cases: str, words: tuple[str, ...], said: str
) -> None:
    ran = run("conformance", cases, *words)
    assert ran.exit_code == 2
    assert said in ran.output
    assert ran.output.strip().count("\n") == 0


def test_the_shipped_cases_are_run_when_no_file_is_named(run: Run) -> None:
    ran = run("conformance", "--kind", "invented argument")
    assert (ran.exit_code, ran.output.splitlines()[0].split()[0]) == (0, "kind")
