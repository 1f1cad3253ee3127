"""The tables as they are printed."""

from voicebench.report import RunData, summarise
from voicebench.report.paper_tables import PaperCell, PaperTable, paper_tables
from voicebench.report.shape import Summary
from voicebench.types import Prompting, Task, TaskKind

from .helpers import make_info, make_score, make_task, planned


def task(kind: TaskKind, lang: str, n: int = 1) -> Task:
    return make_task(f"{kind}-{lang}-{n}", kind, lang).model_copy(update={"origin": f"{kind}-en-{n}"})


def report(rows: list[tuple[Task, float | None]], **info: object) -> Summary:
    scores = [make_score(t, v, refusal=v) if t.task == "safety" else make_score(t, v) for t, v in rows]
    return summarise([RunData(make_info(**info), [t for t, _ in rows], scores)])


def titled(summary: Summary, title: str) -> PaperTable:
    (found,) = [table for table in paper_tables(summary) if table.title == title]
    return found


def values(table: PaperTable, row: int = 0) -> list[str | None]:
    return [cell.value if cell else None for cell in table.rows[row].cells]


FOUR: list[tuple[Task, float | None]] = [
    (task("single", "hi"), 1), (task("parallel", "hi"), 0),
    (task("single", "ta"), 1), (task("safety", "ta"), 1),
]  # fmt: skip


def test_parameter_filling_has_a_column_for_each_language_and_group() -> None:
    table = titled(report(FOUR), "Parameter filling by language")
    assert table.columns == ("Hindi", "Tamil", "Indic", "All languages")
    assert values(table) == ["0.50", "1.00", "0.50", "0.50"]
    assert table.without == (
        "",
        "without parallel",
        "only hi, ta; without parallel in ta",
        "without parallel in ta",
    )


def test_kinds_stand_beside_their_two_averages() -> None:
    table = titled(report(FOUR), "By kind of task: Hindi")
    assert table.columns == ("Single", "Parallel", "Mean of kinds", "All tasks")
    assert values(table) == ["1.00", "0.00", "0.50", "0.50"]
    assert table.rows[0].cells[0] == PaperCell("1.00", "0.21–1.00", "n 1")
    assert table.detail


def test_what_differs_from_the_head_stands_in_the_cell() -> None:
    rows = [make_score(t, v) for t, v in FOUR[:3]] + [make_score(FOUR[0][0], 1, agent="b")]
    summary = summarise([RunData(make_info(), [t for t, _ in FOUR[:3]], rows)])
    table = titled(summary, "By kind of task: All languages")
    assert table.without[0] == ""
    assert [row.cells[0].without for row in table.rows if row.cells[0]] == ["", "without ta"]


def test_refusals_say_how_the_agent_was_instructed() -> None:
    for leave, said in ((True, "with a refusal prompt"), (False, "without a refusal prompt")):
        summary = report(FOUR, prompting=Prompting(refusal_prompt=leave))
        table = titled(summary, "Refusals by language")
        assert (table.rows[0].label, table.rows[0].note) == ("Harmful refused", said)
        assert table.columns == ("Tamil", "Indic", "All languages")
    assert titled(report(FOUR), "Refusals by language").rows[0].note == "refusal prompt not known"


def test_both_ways_of_instructing_stand_one_below_the_other() -> None:
    harm = task("safety", "hi")
    runs = [
        RunData(make_info(name=name, prompting=Prompting(refusal_prompt=leave)), [harm],
                [make_score(harm, refused, refusal=refused)])
        for name, leave, refused in (("with", True, 1), ("without", False, 0))
    ]  # fmt: skip
    table = titled(summarise(runs), "Refusals by language")
    assert [(row.agent, row.note, row.cells[0].value) for row in table.rows if row.cells[0]] == [
        ("a @ with", "with a refusal prompt", "1.00"),
        ("a @ without", "without a refusal prompt", "0.00"),
    ]


def test_a_missing_answer_is_in_the_denominator() -> None:
    info = {"planned": (planned(3, lang="hi"), planned(1, kind="parallel", lang="hi"))}
    table = titled(report(FOUR[:2], **info), "By kind of task: Hindi")
    assert table.rows[0].cells[0] == PaperCell("1.00", "0.21–1.00", "1 of 3")


def test_trials_that_are_missing_make_a_range() -> None:
    one = task("single", "th")
    scores = [make_score(one, 1, trial=0)]
    info = make_info(planned=(planned(2, lang="th"),), trials=2)
    table = titled(summarise([RunData(info, [one], scores)]), "Several trials of each task")
    assert table.columns == ("pass^1", "pass^2", "pass@2", "ρ^2")
    assert values(table) == ["0.50 to 1.00", "0.00 to 1.00", "1.00", "0.00 to 1.00"]
    cell = table.rows[0].cells[0]
    assert cell is not None
    assert cell.n == "1 of 2"


def test_nothing_scored_is_a_dash_with_its_denominator() -> None:
    table = titled(
        report([(task("single", "hi"), None), (task("parallel", "hi"), 1)]), "By kind of task: Hindi"
    )
    assert table.rows[0].cells[0] == PaperCell("–", n="0 of 1")


def test_every_note_says_what_enters_and_how_it_is_averaged() -> None:
    for table in paper_tables(report(FOUR)):
        assert "count" in table.note or "averaged" in table.note
        assert len(table.without) == len(table.columns)
        assert all(len(row.cells) == len(table.columns) for row in table.rows)


def test_an_empty_report_has_no_tables() -> None:
    assert paper_tables(summarise([RunData(make_info())])) == []
