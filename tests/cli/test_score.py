"""`voicebench score`: streams, and says what changed since an older scoring."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from voicebench.files import read_rows, to_json, write_rows
from voicebench.types import Response, Scores

RIGHT = "[food.add_item(dish='वड़ा पाव', quantity=2)]"
WRONG = "[food.add_item(dish='वड़ा पाव', quantity=3)]"


@pytest.fixture
def answers(run: Run) -> Path:
    """Write answers into the test's folder, which `run` makes the current one."""
    path = Path("answers.jsonl")
    rows = [
        Response(task_id="single-hi-0002", agent="a", condition="text", trial=trial, text=text)
        for trial, text in enumerate([RIGHT, WRONG, RIGHT])
    ]
    write_rows(path, rows)
    return path


def scored(run: Run, *words: str) -> str:
    ran = run("score", "--responses", "answers.jsonl", "--out", "new", *words)
    assert ran.exit_code == 0, ran.output
    return str(ran.stdout)


def older(**changed: object) -> None:
    """Write the scores of `new` as older ones, the first of them changed."""
    rows = read_rows(Path("new/scores.jsonl"), Scores)
    first = rows[0].model_copy(update=changed)
    write_rows(
        Path("old/scores.jsonl"),
        [row.model_copy(update={"scoring_version": "0"}) for row in (first, *rows[1:])],
    )


def test_a_later_answer_takes_the_place_of_an_earlier_one(run: Run, answers: Path) -> None:
    with answers.open("a", encoding="utf-8") as file:
        row = Response(task_id="single-hi-0002", agent="a", condition="text", trial=1, text=RIGHT)
        file.write(json.dumps(to_json(row), ensure_ascii=False) + "\n")
    assert "3 scores: new/scores.jsonl" in scored(run)
    found = {row.trial: row.parameters for row in read_rows(Path("new/scores.jsonl"), Scores)}
    assert found == {0: 1, 1: 1, 2: 1}


def test_an_answer_to_an_unknown_task_leaves_the_older_scores(run: Run, answers: Path) -> None:
    scored(run)
    before = Path("new/scores.jsonl").read_bytes()
    row = Response(task_id="single-hi-002", agent="a", condition="text", trial=1, text=RIGHT)
    write_rows(answers, [*read_rows(answers, Response), row])
    ran = run("score", "--responses", "answers.jsonl", "--out", "new")
    assert (ran.exit_code, "Did you mean" in ran.output) == (2, True)
    assert Path("new/scores.jsonl").read_bytes() == before
    assert [path.name for path in Path("new").iterdir()] == ["scores.jsonl"]


@pytest.mark.usefixtures("answers")
def test_nothing_changed(run: Run) -> None:
    scored(run)
    older()
    lines = scored(run, "--diff", "old", "--fail-on-change").splitlines()
    assert lines[1].startswith("Scoring version 0 → ") and lines[1].endswith(": 0 of 3 items changed")


@pytest.mark.usefixtures("answers")
def test_an_item_that_changed_is_shown_with_its_reason(run: Run) -> None:
    scored(run)
    older(parameters=0)
    printed = scored(run, "--diff", "old/scores.jsonl")
    assert "1 of 3 items changed" in printed
    assert "single-hi-0002 a text 0: parameters 0 → 1" in printed
    (counts,) = [line.split() for line in printed.splitlines() if line.startswith("parameters ")]
    assert counts == ["parameters", "3", "2", "1", "0", "0", "0"]


@pytest.mark.usefixtures("answers")
def test_a_change_can_fail_the_command(run: Run) -> None:
    scored(run)
    older(parameters=0)
    assert (
        run(
            "score", "--responses", "answers.jsonl", "--out", "new", "--diff", "old", "--fail-on-change"
        ).exit_code
        == 1
    )


@pytest.mark.usefixtures("answers")
def test_the_difference_as_json(run: Run) -> None:
    scored(run)
    older(parameters=0)
    found = json.loads(scored(run, "--diff", "old", "--json"))
    assert (found["items"], len(found["changes"]), found["old_versions"]) == (3, 1, ["0"])
    assert found["changes"][0]["figures"] == [{"figure": "parameters", "direction": "up", "old": 0, "new": 1}]


@pytest.mark.usefixtures("answers")
def test_a_run_is_compared_with_what_it_was_before(run: Run) -> None:
    run("eval", "--model", "oracle", "--lang", "hi", "--limit", "1", "--run", "r")
    ran = run("score", "--run", "r", "--diff", "r")
    assert (ran.exit_code, ": 0 of " in ran.output) == (0, True)


@pytest.mark.usefixtures("answers")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--diff", "nowhere"),
            "--diff nowhere: no scores here. It takes a scores.jsonl or the folder of one",
        ),
        (("--fail-on-change",), "--fail-on-change goes with --diff OLD"),
        (("--json",), "--json goes with --diff OLD"),
        (("--run", "r"), "--run scores a run in place; it does not go with --tasks, --responses or --out"),
    ],
)
def test_mistakes(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run("score", "--responses", "answers.jsonl", "--out", "new", *words)
    assert (ran.exit_code, said in ran.output) == (2, True), ran.output
