"""The four tables of a run: what stands in them, and what is said of what is not there."""

import pytest

from tests.ablation.helpers import (
    AGENT,
    CASCADE,
    SECOND,
    SPEECH,
    TEXT,
    column,
    planned,
    refusals,
    run_of,
    safety,
    safety_run,
)
from tests.report.helpers import make_error, make_response, make_task
from voicebench.ablation import Subject, tables
from voicebench.ablation.shape import Line, Table
from voicebench.report import summarise
from voicebench.report.run_data import RunData
from voicebench.types import ErrorInfo, Prompting


def by_name(run: RunData, subject: Subject = CASCADE) -> dict[str, Table]:
    return {table.name: table for table in tables(run, subject).tables}


def line(table: Table, scope: str, over: str, figure: str = "parameters") -> Line:
    [found] = [one for one in table.lines if (one.scope, one.over, one.figure) == (scope, over, figure)]
    return found


def test_the_means_are_those_of_the_report() -> None:
    run = run_of({
        (AGENT, TEXT): column("single-hi", [1, 1, 0]) | column("parallel-hi", [1]),
        (AGENT, SPEECH): column("single-hi", [1, 0, 0]) | column("parallel-hi", [0]),
    })  # fmt: skip
    hearing = by_name(run)["hearing"]
    reported = {
        (one.scope, one.over, one.condition): one.measure
        for one in summarise([run]).aggregates
        if one.figure == "parameters"
    }
    for over in ("single", "parallel", "kinds"):
        gold, own, second = line(hearing, "hi", over).cells
        assert (gold, own) == (reported["hi", over, TEXT], reported["hi", over, SPEECH])
        assert second is None


def test_a_worked_example_is_held_against_none() -> None:
    run = run_of({
        (AGENT, SPEECH): column("dialogue-ta", [1, 1, 1, 0]),
        (f"{AGENT}@zero-shot", SPEECH): column("dialogue-ta", [1, 0, 0, 0]),
    })  # fmt: skip
    found = line(by_name(run)["example"], "ta", "dialogue")
    assert [one.mean for one in found.cells if one] == [0.75, 0.25]
    [change] = found.changes
    assert change is not None
    assert (change.start, change.end, change.difference) == ("one-shot", "zero-shot", -0.5)


def test_the_refusal_prompt_is_measured_on_harmful_requests_and_their_twins_apart() -> None:
    tasks = [safety(n, harmful=n % 2 == 0, hint=False) for n in range(4)]
    bare = f"{AGENT}@no-refusal"
    run = safety_run(tasks, [*refusals(tasks, [1, 1, 1, 0]), *refusals(tasks, [0, 0, 1, 0], bare)])
    table = by_name(run)["refusal"]
    harmful, harmless = (line(table, "en", "safety", f"refused_{what}") for what in ("harmful", "harmless"))
    assert [one.mean for one in harmful.cells if one] == [1.0, 0.5]
    assert [one.mean for one in harmless.cells if one] == [0.5, 0.0]
    assert [change.difference for change in harmful.changes if change] == [-0.5]


def test_what_was_never_asked_is_not_run_and_not_0() -> None:
    run = run_of({(AGENT, TEXT): column("single-hi", [1, 0])})
    found = by_name(run)
    single = line(found["hearing"], "hi", "single")
    assert [one and one.mean for one in single.cells] == [0.5, None, None]
    assert single.absent == ("", "not run", "not run")
    assert found["example"].lines == ()
    assert found["example"].notes == (
        f"one-shot: not run ({AGENT} under speech). Run: voicebench eval --ablate",
        f"zero-shot: not run ({AGENT}@zero-shot under speech). Run: voicebench eval --ablate",
    )


def test_a_column_that_is_not_there_names_the_commands_that_make_it() -> None:
    run = run_of({(AGENT, TEXT): column("single-hi", [1, 0])})
    read = Subject(AGENT, asr="whisper-base", second_asr="indic-conformer", condition=TEXT)
    assert by_name(run, read)["hearing"].notes == (
        f"whisper-base: not run ({AGENT} under speech). "
        "Run: voicebench build-audio, then: voicebench eval --ablate",
        f"indic-conformer: not run ({AGENT} under transcript:indic-conformer). "
        "Run: voicebench transcribe --asr indic-conformer, "
        "then: voicebench eval --ablate --second-asr indic-conformer",
    )


def test_requests_without_a_transcript_are_said_with_what_makes_it() -> None:
    run = run_of({(AGENT, TEXT): column("single-hi", [1, 1]), (AGENT, SECOND): column("single-hi", [1])})
    unheard = ErrorInfo(kind="audio", message="single-hi-1 turn 0: it has no transcript by indic-conformer")
    failed = make_response(make_task("single-hi-1", lang="hi"), SECOND, agent=AGENT, error=unheard)
    hearing = by_name(RunData(run.info, run.tasks, run.scores, [failed]))["hearing"]
    assert hearing.notes[-1] == (
        "indic-conformer: 1 of 2 answers have no sound or transcript (single-hi-1 turn 0: it has no "
        "transcript by indic-conformer). Run: voicebench transcribe --asr indic-conformer"
    )
    second = line(hearing, "hi", "single").cells[2]
    assert second is not None and (second.mean, second.counts.planned) == (1.0, 2)


def test_an_answer_that_failed_is_counted_and_in_no_mean() -> None:
    run = run_of(
        {(AGENT, TEXT): column("single-en", [1, 1]), (AGENT, SPEECH): column("single-en", [1])},
        planned=(planned(2, AGENT), planned(2, AGENT, condition=SPEECH)),
    )
    failed = make_error(make_task("single-en-1"), SPEECH, agent=AGENT)
    found = by_name(RunData(run.info, run.tasks, run.scores, [failed]))
    heard = line(found["hearing"], "en", "single").cells[1]
    assert heard is not None
    assert (heard.mean, heard.counts.scored, heard.counts.planned) == (1.0, 1, 2)
    assert heard.failed == {"timed out": 1}


def test_a_set_without_hints_says_so() -> None:
    tasks = [safety(n, harmful=True, hint=False) for n in range(2)]
    table = by_name(safety_run(tasks, refusals(tasks, [1, 0])))["hints"]
    assert line(table, "en", "safety", "refused_harmful").absent == ("", "none in the set")
    assert table.notes[-1] == "hint: none in the set"


def test_requests_that_do_not_say_whether_they_hint_are_in_neither_column() -> None:
    tasks = [safety(0, harmful=True, hint=True), safety(1, harmful=True, hint=None)]
    table = by_name(safety_run(tasks, refusals(tasks, [1, 1])))["hints"]
    found = line(table, "en", "safety", "refused_harmful")
    assert [one and one.counts.planned for one in found.cells] == [None, 1]


def test_hints_that_were_not_asked_are_not_run() -> None:
    tasks = [safety(0, harmful=True, hint=True), safety(1, harmful=True, hint=False)]
    table = by_name(safety_run(tasks, refusals(tasks[:1], [1])))["hints"]
    assert line(table, "en", "safety", "refused_harmful").absent == ("not run", "")


def test_a_judges_figure_has_its_own_lines() -> None:
    run = run_of({(AGENT, TEXT): column("single-th", [0])})
    judged = [row.model_copy(update={"parameters_judge": 1}) for row in run.scores]
    hearing = by_name(RunData(run.info, run.tasks, judged))["hearing"]
    gold, *_ = line(hearing, "th", "single", "parameters_judge").cells
    assert gold is not None and gold.mean == 1.0


def test_native_tools_have_an_empty_table_with_the_reason() -> None:
    run = run_of({("a", SPEECH): column("single-hi", [1])})
    example = by_name(run, Subject("a", Prompting(tools="native")))["example"]
    assert (example.columns, example.lines) == ((), ())
    assert example.notes == ("With native tools no worked example is shown: there is nothing to leave out.",)


def test_other_agents_of_the_run_change_nothing() -> None:
    own = {(AGENT, TEXT): column("single-hi", [1]), (AGENT, SPEECH): column("single-hi", [0])}
    alone = tables(run_of(own), CASCADE)
    among = tables(run_of({**own, ("other", SPEECH): column("single-hi", [1])}), CASCADE)
    assert alone == among


@pytest.mark.parametrize("condition", [TEXT, SECOND])
def test_a_run_without_any_answer_of_the_agent_has_empty_tables(condition: str) -> None:
    found = tables(run_of({("other", condition): column("single-hi", [1])}), CASCADE)
    assert [table.lines for table in found.tables] == [(), (), (), ()]
