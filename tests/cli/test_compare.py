"""`voicebench compare`: what it prints, writes, and how it exits."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.compare.helpers import IDS, score_rows, write_scores, wrong
from voicebench.files import write_rows

HI, TA, TH, EN = IDS


@pytest.fixture
def sides(tmp_path: Path) -> None:
    write_rows(tmp_path / "a" / "scores.jsonl", score_rows({HI: [1], TA: [1], TH: [0], EN: [1]}))
    lost = score_rows({HI: [0], TA: [0]}, reasons=(wrong(),))
    write_rows(tmp_path / "b" / "scores.jsonl", [*lost, *score_rows({TH: [1], EN: [1]})])


@pytest.mark.usefixtures("sides")
def test_it_prints_the_difference_the_groups_and_the_items_that_changed(run: Run) -> None:
    said = run("compare", "a", "b/scores.jsonl")
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert lines[0] == "A: a: a under text, 0.750, scored 4 of 4"
    assert lines[2].startswith("B − A, right: −0.250, 95 % interval −1.000 to +0.500, p = 1.0000 (McNemar's")
    assert lines[3] == "4 items scored on both sides, 0 only in A, 0 only in B, 0 unscored"
    assert "p (Holm) is adjusted over 4 tests: 4 languages." in lines
    assert "2 items worse, 1 better" in lines
    flip = next(line for line in lines if line.startswith(HI))
    assert flip.split()[1:6] == ["text", "single", "hi", "1.00", "0.00"]
    assert flip.endswith('pickup: "मैजेस्टिक", wanted "जयनगर"')


@pytest.mark.usefixtures("sides")
def test_json_has_every_part(run: Run) -> None:
    found = json.loads(run("compare", "a", "b", "--json").stdout)
    assert found["format"] == "voicebench-comparison/1"
    assert set(found) == {
        "format", "figure", "cluster", "a", "b", "pairing", "overall", "groups", "family", "bounds", "flips",
        "reliability", "notes",
    }  # fmt: skip
    assert (found["overall"]["n"], found["overall"]["difference"], found["overall"]["p"]) == (4, -0.25, 1.0)
    assert [flip["task_id"] for flip in found["flips"]] == [HI, TA, TH]
    assert found["pairing"]["shared"] == 4


@pytest.mark.usefixtures("sides")
def test_markdown_is_written_whole(run: Run, tmp_path: Path) -> None:
    said = run("compare", "a", "b", "--out", "c.md", "--show", "0")
    assert said.stdout.splitlines()[-1] == "written: c.md"
    assert HI not in said.stdout
    text = (tmp_path / "c.md").read_text(encoding="utf-8")
    assert text.startswith("# a against a: right\n")
    assert "### Worse" in text and "### Better" in text and HI in text


@pytest.mark.usefixtures("sides")
def test_long_lists_say_how_many_are_left_out(run: Run) -> None:
    said = run("compare", "a", "b", "--show", "1").stdout
    assert "… and 1 more (--show N, --out FILE.md or --json)" in said


def test_trials_show_pass_k_and_rho(run: Run, tmp_path: Path) -> None:
    write_scores(tmp_path / "a.jsonl", {HI: [1, 1, 1], TA: [0, 0]})
    write_scores(tmp_path / "b.jsonl", {HI: [1, 1, 1], TA: [1, 0, 0]})
    lines = run("compare", "a.jsonl", "b.jsonl").stdout.splitlines()
    rows = [line.split() for line in lines if line.startswith(("A  ", "B  "))]
    assert " ".join(rows[2]) == "A text 3 0.500 0.500 to 1.000 0.750 to 1.000 5 of 6"
    assert " ".join(rows[5]) == "B text 3 0.500 1.000 0.750 6 of 6"


def test_what_was_to_be_scored_can_be_named(run: Run, tmp_path: Path) -> None:
    asked = ("eval", "--model", "oracle", "--lang", "hi", "--task", "single", "--limit", "4", "--run", "r")
    assert run(*asked).exit_code == 0
    rows = (tmp_path / "r" / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "some.jsonl").write_text(rows[0] + "\n", encoding="utf-8")
    found = json.loads(run("compare", "r", "some.jsonl", "--tasks", "r/tasks.jsonl", "--json").stdout)
    assert (found["pairing"]["shared"], found["pairing"]["unscored_b"]) == (1, {"not run": 3})
    assert (found["b"]["planned"], found["bounds"]["low"], found["bounds"]["high"]) == (4, -0.75, 0.0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere", "a"), "nowhere: no scores here. Make them with: voicebench eval --run nowhere"),
        (("a", "b", "--figure", "paramters"), "unknown figure 'paramters'. Did you mean 'parameters'?"),
        (("a", "b", "--cluster", "items"), "--cluster 'items' is unknown. Did you mean 'item'?"),
        (("a", "b", "--condition", "txt"), "no answers under the condition 'txt'. Did you mean 'text'?"),
        (("a", "b", "--agent", "c"), "a: no agent 'c'."),
        (("a", "b", "--condition", "text", "--condition-a", "text"), "--condition is for both sides"),
        (("a", "b", "--lang", "te"), "no item has the figure 'right' in a and b as asked for"),
        (("a", "empty.jsonl"), "empty.jsonl: empty."),
    ],
)
@pytest.mark.usefixtures("sides")
def test_a_mistake_is_one_line_and_exits_with_2(
    run: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "empty.jsonl").touch()
    ran = run("compare", *words)
    assert ran.exit_code == 2
    assert said in ran.output
    assert ran.output.strip().count("\n") == 0


def test_different_scoring_rules_exit_with_2_unless_forced(run: Run, tmp_path: Path) -> None:
    write_scores(tmp_path / "a.jsonl", {HI: [1]}, scoring_version="1")
    write_scores(tmp_path / "b.jsonl", {HI: [1]}, scoring_version="2")
    assert run("compare", "a.jsonl", "b.jsonl").exit_code == 2
    forced = run("compare", "a.jsonl", "b.jsonl", "--force")
    assert forced.exit_code == 0
    assert "! Improper: a.jsonl was scored by rules 1, b.jsonl by rules 2." in forced.stdout
