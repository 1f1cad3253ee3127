"""Two sides item by item: differences, p, bounds, flips; nothing is dropped in silence."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.compare.helpers import IDS, score_rows, task_of, write_run, write_scores, wrong
from voicebench.compare.choice import Asked
from voicebench.compare.comparison import compare
from voicebench.compare.shape import Comparison
from voicebench.compare.source import read_source
from voicebench.errors import UserError
from voicebench.files import Appender, write_rows
from voicebench.types import JudgeRef, ModelRef, Response, Scores

Column = Mapping[str, Sequence[float | None]]
ALL = Asked()


def run(
    tmp_path: Path, a: Column, b: Column, asked: Asked = ALL, figure: str = "right", **options: Any
) -> Comparison:
    first = read_source(write_scores(tmp_path / "a.jsonl", a))
    second = read_source(write_scores(tmp_path / "b.jsonl", b))
    return compare((first, second), asked, figure, **options)


def numbered(values: Sequence[float | None], lang: str = "en") -> dict[str, list[float | None]]:
    return {f"single-{lang}-{i:02}": [value] for i, value in enumerate(values)}


def test_the_difference_is_b_minus_a_with_mcnemars_exact_p(tmp_path: Path) -> None:
    found = run(tmp_path, numbered([1] * 6 + [0] * 4), numbered([0] * 6 + [1] + [0] * 3)).overall
    assert found is not None
    assert (found.a, found.b, found.n, found.test) == (0.6, 0.1, 10, "mcnemar")
    assert found.difference == pytest.approx(-0.5)
    # 6 against 1: 2 * (C(7,0) + C(7,1)) / 2^7.
    assert found.p == pytest.approx(2 * 8 / 128)
    assert (found.n_worse, found.n_better) == (6, 1)
    assert found.low is not None and found.high is not None
    assert -1 <= found.low < -0.5 < found.high <= 1


def test_all_ties_have_p_1_and_no_interval(tmp_path: Path) -> None:
    result = run(tmp_path, numbered([1, 0, 1]), numbered([1, 0, 1]))
    assert result.overall is not None
    assert (result.overall.difference, result.overall.p) == (0, 1)
    assert (result.overall.low, result.overall.high) == (None, None)
    assert result.flips == ()
    assert result.notes == ("Only 3 clusters: the interval and p say little.",)


def test_items_are_counted_wherever_they_are(tmp_path: Path) -> None:
    hi, ta, th, en = IDS
    result = run(tmp_path, {hi: [1], ta: [None], th: [1]}, {hi: [0], ta: [1], en: [1]})
    pairing = result.pairing
    assert (pairing.shared, pairing.only_a, pairing.only_b, pairing.unscored) == (1, 1, 1, 1)
    assert (pairing.unscored_a, pairing.unscored_b) == ({"no judge": 1}, {})
    assert (result.a.planned, result.a.scored, result.a.judge_failed) == (3, 2, 1)
    assert result.a.unscored == {"no judge": 1}


def test_unscored_answers_are_bounded_and_do_not_win(tmp_path: Path) -> None:
    # B has no score where A was right: over what both have it looks no worse.
    result = run(tmp_path, numbered([1, 1, 0, 0]), numbered([None, None, 0, 0]))
    assert result.overall is not None and result.overall.difference == 0
    assert result.bounds is not None
    assert (result.bounds.n, result.bounds.n_incomplete) == (4, 2)
    assert (result.bounds.low, result.bounds.high) == (-0.5, 0.0)


def test_an_item_without_a_row_counts_in_the_bounds_where_no_plan_explains_it(tmp_path: Path) -> None:
    result = run(tmp_path, numbered([1, 0]), numbered([1]))
    assert result.pairing.only_a == 1
    assert result.bounds is not None
    assert (result.bounds.n, result.bounds.low, result.bounds.high) == (2, 0.0, 0.5)


def test_an_item_that_a_run_did_not_plan_is_not_in_the_bounds(tmp_path: Path) -> None:
    tasks = [task_of(f"single-en-{i}") for i in range(2)]
    a = write_run(tmp_path / "a", score_rows({task.id: [1] for task in tasks}), tasks, 2)
    b = write_run(tmp_path / "b", score_rows({tasks[0].id: [1]}), tasks[:1], 1)
    result = compare((read_source(a), read_source(b)), Asked(), "right")
    assert (result.pairing.only_a, result.bounds) == (1, None)


def test_what_a_run_planned_and_never_ran_is_unscored(tmp_path: Path) -> None:
    tasks = [task_of(f"single-en-{i}") for i in range(4)]
    full = score_rows({task.id: [1] for task in tasks})
    a = write_run(tmp_path / "a", full, tasks, 4)
    b = write_run(tmp_path / "b", full[:1], tasks, 4)
    result = compare((read_source(a), read_source(b)), Asked(), "right")
    assert (result.pairing.shared, result.pairing.unscored) == (1, 3)
    assert result.pairing.unscored_b == {"not run": 3}
    assert (result.b.planned, result.b.scored, result.b.failed) == (4, 1, 3)
    assert result.bounds is not None and result.bounds.low == -0.75


def test_trials_are_averaged_by_item_first(tmp_path: Path) -> None:
    hi, ta, *_ = IDS
    found = run(tmp_path, {hi: [1, 1, 1, 0], ta: [0, 0, 0, 0]}, {hi: [1, 0, 0, 0], ta: [0, 0, 0, 0]})
    assert found.overall is not None
    assert (found.overall.n, found.overall.difference, found.overall.test) == (2, -0.25, "sign-flip")
    (flip,) = found.flips
    assert (flip.task_id, flip.a, flip.b, flip.change) == (hi, 0.75, 0.25, "worse")


def test_lost_trials_bound_the_reliability_and_rho_stays_within_1(tmp_path: Path) -> None:
    hi, ta, *_ = IDS
    result = run(tmp_path, {hi: [1, 1, 1], ta: [0, 0]}, {hi: [1, 1, 1], ta: [0, 0, 0]})
    lost, whole = result.reliability
    assert (lost.side, lost.trials, lost.n_present) == ("a", 3, 5)
    third = lost.by_k[2]
    assert (third.pass_hat.estimate, third.pass_hat.low, third.pass_hat.high) == (None, 0.5, 0.5)
    assert lost.by_k[0].pass_hat.high == pytest.approx(2 / 3)
    assert third.rho is not None and third.rho.high <= 1
    assert whole.by_k[2].pass_hat.estimate == 0.5
    assert result.a.unscored == {"not run": 1}


def test_fractions_have_no_reliability(tmp_path: Path) -> None:
    result = run(tmp_path, {IDS[0]: [0.5, 1]}, {IDS[0]: [1, 1]})
    assert [side.side for side in result.reliability] == ["b"]


def test_groups_are_by_kind_and_language_and_adjusted_as_one_family(tmp_path: Path) -> None:
    a = {
        f"{kind}-{lang}-{i}": [1]
        for kind in ("single", "dialogue")
        for lang in ("hi", "th")
        for i in range(8)
    }
    b = {key: [0 if key.startswith("single") else 1] for key in a}
    result = run(tmp_path, a, b)
    assert [(group.by, group.name, group.n) for group in result.groups] == [
        ("task", "single", 16),
        ("task", "dialogue", 16),
        ("lang", "hi", 16),
        ("lang", "th", 16),
    ]
    assert result.family == "4 tests: 2 kinds of task and 2 languages"
    single = result.groups[0]
    assert single.p == pytest.approx(2 / 2**16)
    assert single.p_adjusted == pytest.approx(4 * 2 / 2**16)
    hi = result.groups[2]
    assert (hi.p, hi.p_adjusted) == (pytest.approx(2 / 2**8), pytest.approx(3 * 2 / 2**8))


def test_one_language_alone_is_all_and_not_tested_twice(tmp_path: Path) -> None:
    result = run(tmp_path, numbered([1, 0]), numbered([0, 0]))
    assert (result.groups, result.family) == ((), "")


def test_flips_carry_the_first_reason_of_the_worse_side(tmp_path: Path) -> None:
    hi, ta, *_ = IDS
    a = [*score_rows({hi: [1]}), *score_rows({ta: [0]}, reasons=(wrong("डिश", "वड़ा पाव", "चाय"),))]
    b = [*score_rows({hi: [0]}, reasons=(wrong(),)), *score_rows({ta: [1]})]
    for name, rows in (("a", a), ("b", b)):
        write_rows(tmp_path / f"{name}.jsonl", rows)
    sides = read_source(tmp_path / "a.jsonl"), read_source(tmp_path / "b.jsonl")
    worse, better = compare(sides, Asked(), "right").flips
    assert (worse.task_id, worse.lang, worse.change) == (hi, "hi", "worse")
    assert worse.why == 'pickup: "मैजेस्टिक", wanted "जयनगर"'
    assert (better.task_id, better.change) == (ta, "better")
    assert better.why == 'डिश: "चाय", wanted "वड़ा पाव"'


def test_translations_of_an_item_are_one_cluster(tmp_path: Path) -> None:
    tasks = [task_of("single-en-1"), task_of("single-hi-1", origin="single-en-1"), task_of("single-en-2")]
    folders = []
    for name, value in (("a", 1), ("b", 0)):
        rows = score_rows({task.id: [value] for task in tasks})
        folders.append(write_run(tmp_path / name, rows, tasks, 2))
    sides = read_source(folders[0]), read_source(folders[1])
    found = compare(sides, Asked(), "right").overall
    assert found is not None and (found.n, found.n_clusters, found.test) == (3, 2, "sign-flip")
    alone = compare(sides, Asked(), "right", cluster="none").overall
    assert alone is not None and (alone.n_clusters, alone.test) == (3, "mcnemar")


def heard(rows: Sequence[Scores], voices: Sequence[str | None]) -> list[Response]:
    return [
        Response(
            task_id=row.task_id, agent=row.agent, condition=row.condition, trial=0, text="x", voice=voice
        )
        for row, voice in zip(rows, voices, strict=True)
    ]


def test_speakers_are_clusters_where_they_are_known(tmp_path: Path) -> None:
    for name, value in (("a", 1.0), ("b", 0.0)):
        rows = score_rows({task_id: [value] for task_id in IDS}, condition="speech")
        write_rows(tmp_path / name / "scores.jsonl", rows)
        write_rows(tmp_path / name / "responses.jsonl", heard(rows, ["v1", "v1", "v2", "v2"]))
    sides = read_source(tmp_path / "a"), read_source(tmp_path / "b")
    found = compare(sides, Asked(), "right", cluster="speaker").overall
    assert found is not None and (found.n, found.n_clusters) == (4, 2)
    # Two speakers, both with all of theirs lost: 2 of 4 sign choices are as extreme.
    assert found.p == 0.5


def test_an_unknown_speaker_is_a_mistake_that_names_the_first_item(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"--cluster speaker: 2 items have no known voice .*single-en-00"):
        run(tmp_path, numbered([1, 0]), numbered([0, 0]), cluster="speaker")


def test_two_conditions_of_one_run_are_compared_by_task(tmp_path: Path) -> None:
    rows = [*score_rows(numbered([1, 1, 0])), *score_rows(numbered([0, 1, 0]), condition="speech")]
    write_rows(tmp_path / "scores.jsonl", rows)
    source = read_source(tmp_path)
    result = compare((source, source), Asked(conditions=("text", "speech")), "right")
    assert result.overall is not None and result.overall.difference == pytest.approx(-1 / 3)
    assert result.flips[0].condition == "text → speech"


def test_two_agents_of_one_run_are_compared(tmp_path: Path) -> None:
    rows = [*score_rows(numbered([1, 1])), *score_rows(numbered([0, 1]), agent="b")]
    write_rows(tmp_path / "scores.jsonl", rows)
    source = read_source(tmp_path)
    result = compare((source, source), Asked(agents=("a", "b")), "right")
    assert result.overall is not None and result.overall.difference == -0.5
    with pytest.raises(UserError, match=r"2 agents \(a and b\). Choose one with --agent-a NAME"):
        compare((source, source), Asked(), "right")
    with pytest.raises(UserError, match=r"no agent 'bb'\. Did you mean 'b'\?"):
        compare((source, source), Asked(agents=("a", "bb")), "right")


def test_several_conditions_are_groups_and_what_one_side_lacks_is_counted(tmp_path: Path) -> None:
    for name, conditions in (("a", ("text", "speech")), ("b", ("text",))):
        rows = [row for c in conditions for row in score_rows(numbered([1, 0]), condition=c)]
        write_rows(tmp_path / name / "scores.jsonl", rows)
    sides = read_source(tmp_path / "a"), read_source(tmp_path / "b")
    result = compare(sides, Asked(), "right")
    assert (result.pairing.shared, result.pairing.only_a) == (2, 2)
    with pytest.raises(UserError, match="To compare different conditions: --condition-a X --condition-b Y"):
        compare(sides, Asked(among=("speech",)), "right")


def test_both_sides_being_the_same_answers_is_said(tmp_path: Path) -> None:
    source = read_source(write_scores(tmp_path / "a.jsonl", numbered([1, 0])))
    result = compare((source, source), Asked(), "right")
    assert result.notes[0].startswith("Both sides are the same answers")


def test_different_scoring_rules_are_refused_unless_forced(tmp_path: Path) -> None:
    first = read_source(write_scores(tmp_path / "a.jsonl", numbered([1, 0]), scoring_version="1"))
    second = read_source(write_scores(tmp_path / "b.jsonl", numbered([0, 0]), scoring_version="2"))
    with pytest.raises(UserError, match="these do not compare"):
        compare((first, second), Asked(), "right")
    forced = compare((first, second), Asked(), "right", force=True)
    assert forced.notes[0].startswith("Improper: ")
    assert (forced.a.scoring_versions, forced.b.scoring_versions) == (("1",), ("2",))


def test_other_tasks_models_and_judges_are_warned_of(tmp_path: Path) -> None:
    def side(name: str, version: str, judge: str) -> Path:
        judged = JudgeRef(name=judge, prompts={"parameters_judge": "f" * 64})
        return write_scores(
            tmp_path / name, numbered([1, 0]), tasks_version=version, parameters_judge=1, judge=judged,
            model=ModelRef(name="m", revision=version),
        )  # fmt: skip

    sides = read_source(side("a.jsonl", "1", "j1")), read_source(side("b.jsonl", "2", "j2"))
    notes = compare(sides, Asked(), "parameters_judge").notes
    assert notes[0] == "Improper: the task sets differ (1 and 2)."
    assert notes[1] == "a is not the same model on both sides: m at 1 and m at 2."
    assert notes[2] == "Improper: the judges of parameters_judge differ."
    assert "judges" not in " ".join(compare(sides, Asked(), "right").notes)


def test_languages_and_kinds_can_be_chosen(tmp_path: Path) -> None:
    a = {task_id: [1.0] for task_id in IDS} | {"dialogue-hi-1": [1.0]}
    b = {task_id: [0.0] for task_id in a}
    assert run(tmp_path, a, b, Asked(langs=("hi",))).pairing.shared == 2
    assert run(tmp_path, a, b, Asked(langs=("hi",), kinds=("dialogue",))).pairing.shared == 1


def test_a_figure_that_no_item_has_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no item has the figure 'refusal'"):
        run(tmp_path, numbered([1]), numbered([0]), figure="refusal")


def test_answers_to_unknown_tasks_are_said_to_be_left_out(tmp_path: Path) -> None:
    tasks = [task_of("single-en-1")]
    folder = write_run(tmp_path / "a", score_rows({"single-en-1": [1]}), tasks, 1)
    stray = Response(task_id="single-en-9", agent="a", condition="text", trial=0, text="x")
    with Appender(folder / "responses.jsonl") as file:
        file.add(stray)
    source = read_source(folder)
    notes = compare((source, source), Asked(), "right").notes
    assert f"{folder}: 1 answer to tasks that are not known here: left out." in notes
