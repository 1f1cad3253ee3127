"""A gate fails for what is real and for missing data, and for nothing else."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.compare.helpers import score_rows, task_of, write_run, write_scores
from voicebench.compare.checks import Check, GateResult, Limits
from voicebench.compare.choice import Asked
from voicebench.compare.gate import gate
from voicebench.compare.junit import junit
from voicebench.compare.source import read_source
from voicebench.errors import UserError
from voicebench.files import write_rows

Values = Sequence[float | None]


def rows(values: Values, lang: str = "en", kind: str = "single") -> dict[str, list[float | None]]:
    return {f"{kind}-{lang}-{i:03}": [value] for i, value in enumerate(values)}


def minimum(tmp_path: Path, values: Values, limit: float, **limits: Any) -> dict[str, Check]:
    run = read_source(write_scores(tmp_path / "run.jsonl", rows(values)))
    result = gate(run, None, Asked(), Limits({"parameters": limit}, **limits))
    return {check.kind: check for check in result.checks}


def against(tmp_path: Path, before: Values, after: Values, **limits: Any) -> dict[str, Check]:
    baseline = read_source(write_scores(tmp_path / "base.jsonl", rows(before)))
    run = read_source(write_scores(tmp_path / "run.jsonl", rows(after)))
    result = gate(run, baseline, Asked(), Limits({}, figures=("parameters",), **limits))
    return {check.kind: check for check in result.checks}


def test_a_figure_whose_whole_interval_is_below_its_minimum_fails(tmp_path: Path) -> None:
    check = minimum(tmp_path, [1] * 4 + [0] * 6, 0.8)["minimum"]
    # Wilson's interval of 4 of 10 ends at 0.687.
    assert (check.passed, check.value, check.n) == (False, 0.4, 10)
    assert check.high == pytest.approx(0.687, abs=5e-4)
    assert check.message == "0.400, 95 % interval 0.17–0.69, 10 items: below 0.8"


def test_a_figure_below_its_minimum_by_chance_passes(tmp_path: Path) -> None:
    check = minimum(tmp_path, [1] * 7 + [0] * 3, 0.8)["minimum"]
    assert check.passed
    assert check.message.endswith("10 items: by no more than chance allows below 0.8")


def test_a_handful_of_items_cannot_fail_a_minimum_that_they_may_well_meet(tmp_path: Path) -> None:
    # Wilson's interval of 2 of 5 ends at 0.77, but 5 such items give 2 or fewer in 6 % of all cases.
    check = minimum(tmp_path, [1, 1, 0, 0, 0], 0.8)["minimum"]
    assert check.high is not None and check.high < 0.8
    assert check.passed


def test_a_strict_minimum_holds_the_figure_itself(tmp_path: Path) -> None:
    assert not minimum(tmp_path, [1] * 7 + [0] * 3, 0.8, strict_minimum=True)["minimum"].passed
    assert minimum(tmp_path, [1] * 8 + [0] * 2, 0.8, strict_minimum=True)["minimum"].passed


def test_missing_data_fail_however_good_the_rest(tmp_path: Path) -> None:
    tasks = [task_of(f"single-en-{i}") for i in range(100)]
    scores = score_rows({task.id: [1] for task in tasks[:3]})
    run = read_source(write_run(tmp_path / "r", scores, tasks, 100))
    result = gate(run, None, Asked(), Limits({"parameters": 0.8}))
    scored, least = result.checks
    assert (scored.kind, scored.passed, scored.value) == ("scored", False, 0.03)
    assert scored.message == "3 of 100 planned answers scored (97 not run): less than 95%"
    assert least.passed and not result.passed


def test_nothing_scored_fails(tmp_path: Path) -> None:
    checks = minimum(tmp_path, [None, None], 0.1, min_scored=0.0)
    assert checks["scored"].passed
    assert (checks["minimum"].passed, checks["minimum"].message) == (False, "nothing is scored")


def test_many_minima_share_one_risk(tmp_path: Path) -> None:
    values = rows([1] * 11 + [0] * 9) | rows([1] * 19 + [0], "ta")
    run = read_source(write_scores(tmp_path / "run.jsonl", values))
    result = gate(run, None, Asked(langs=("en",)), Limits({"parameters": 0.8}))
    assert not result.passed
    by_lang = gate(run, None, Asked(), Limits({"parameters": 0.8}, by=("lang",)))
    english = next(c for c in by_lang.checks if (c.kind, c.group) == ("minimum", "lang en"))
    assert "98.33 % interval" in english.message
    assert english.passed


def test_a_real_loss_fails(tmp_path: Path) -> None:
    check = against(tmp_path, [1] * 20, [1] * 10 + [0] * 10)["no worse"]
    assert (check.passed, check.value, check.p) == (False, -0.5, pytest.approx(2 / 2**10))
    assert check.message.endswith("20 items, 10 worse, 0 better: a real loss")


def test_a_loss_that_chance_explains_passes(tmp_path: Path) -> None:
    # 4 against 1: p = 0.375.
    before, after = [1] * 4 + [0] + [1] * 15, [0] * 4 + [1] + [1] * 15
    check = against(tmp_path, before, after)["no worse"]
    assert (check.passed, check.p) == (True, 0.375)


def test_all_ties_and_gains_pass(tmp_path: Path) -> None:
    assert against(tmp_path, [1, 0] * 10, [1, 0] * 10)["no worse"].passed
    assert against(tmp_path, [0] * 20, [1] * 20)["no worse"].passed


def test_a_margin_tolerates_a_real_but_small_loss(tmp_path: Path) -> None:
    before, after = [1] * 100, [1] * 90 + [0] * 10
    assert not against(tmp_path, before, after)["no worse"].passed
    assert against(tmp_path, before, after, margin=0.1)["no worse"].passed
    message = against(tmp_path, before, after, margin=0.05)["no worse"].message
    assert message.endswith("a real loss of more than 0.05")


def test_a_loss_must_be_ruled_out_where_asked(tmp_path: Path) -> None:
    few = against(tmp_path, [1] * 10, [1] * 10, margin=0.05, rule_out=True)["no worse"]
    # No difference among 10: Wilson's interval of 0 of 10 goes to 0.28.
    assert (few.passed, few.message.endswith("a loss of more than 0.05 is not ruled out")) == (False, True)
    many = against(tmp_path, [1] * 100, [1] * 100, margin=0.05, rule_out=True)["no worse"]
    assert many.passed


def test_scores_that_the_run_lacks_fail_the_comparison(tmp_path: Path) -> None:
    checks = against(tmp_path, [1] * 20, [1] * 18 + [None] * 2)
    assert (checks["scored"].passed, checks["scored"].group) == (False, "shared")
    assert checks["scored"].message == "18 of the baseline's 20 items scored on both sides: less than 95%"
    assert against(tmp_path, [1] * 20, [1] * 19)["scored"].passed


def test_items_that_only_the_run_has_do_not_matter(tmp_path: Path) -> None:
    checks = against(tmp_path, [1] * 20, [1] * 20 + [0] * 20)
    assert (checks["scored"].n, checks["no worse"].value) == (20, 0)


def test_a_condition_that_vanished_fails(tmp_path: Path) -> None:
    values = rows([1] * 10)
    both = [*score_rows(values), *score_rows(values, condition="speech")]
    write_rows(tmp_path / "base.jsonl", both)
    baseline = read_source(tmp_path / "base.jsonl")
    run = read_source(write_scores(tmp_path / "run.jsonl", values))
    result = gate(run, baseline, Asked(), Limits({}, figures=("right",)))
    assert {check.condition for check in result.checks if not check.passed} == {"speech"}
    assert gate(run, baseline, Asked(among=("text",)), Limits({}, figures=("right",))).passed


def test_a_run_is_no_worse_than_itself(tmp_path: Path) -> None:
    run = read_source(write_scores(tmp_path / "run.jsonl", rows([1, 0] * 10)))
    assert gate(run, run, Asked(), Limits({}, figures=("right",))).passed


def test_a_missing_figure_is_a_mistake(tmp_path: Path) -> None:
    run = read_source(write_scores(tmp_path / "run.jsonl", rows([1])))
    with pytest.raises(UserError, match="no item of a has 'refusal_right'"):
        gate(run, None, Asked(), Limits({"refusal_right": 0.5}))
    with pytest.raises(UserError, match="no item of a has 'refusal_right'"):
        gate(run, run, Asked(), Limits({}, figures=("refusal_right",)))
    with pytest.raises(UserError, match="nothing to check"):
        gate(run, None, Asked(), Limits({}))


def result_of(tmp_path: Path, agent: str = "एजेंट <&\x07>") -> GateResult:
    values = rows([1] * 4 + [0] * 6)
    run = read_source(write_scores(tmp_path / "run.jsonl", values, agent=agent))
    return gate(run, None, Asked(), Limits({"parameters": 0.8}))


def test_junit_counts_what_it_holds_and_says_why(tmp_path: Path) -> None:
    suites = ElementTree.fromstring(junit(result_of(tmp_path)))
    (suite,) = suites.findall("testsuite")
    assert suites.tag == "testsuites"
    for counted in (suites, suite):
        assert (counted.get("tests"), counted.get("failures"), counted.get("errors")) == ("2", "1", "0")
    first, second = suite.findall("testcase")
    assert (first.get("classname"), first.get("name")) == (
        "voicebench.gate.parameters",
        "parameters, text: scored",
    )
    assert first.find("failure") is None
    failure = second.find("failure")
    assert failure is not None
    assert failure.get("message") == "0.400, 95 % interval 0.17–0.69, 10 items: below 0.8"
    assert failure.get("type") == "minimum"
    assert "limit: 0.8" in (failure.text or "")


def test_junit_survives_any_agents_name(tmp_path: Path) -> None:
    text = junit(result_of(tmp_path))
    suite = ElementTree.fromstring(text).find("testsuite")
    assert suite is not None and (suite.get("name") or "").startswith("एजेंट <&\ufffd> in ")
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
