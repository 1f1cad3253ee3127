"""The tables as Markdown, as lines, as JSON."""

import json

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
from voicebench.ablation import Ablation, as_json, as_lines, as_markdown, tables
from voicebench.ablation.view import grids


def heard() -> Ablation:
    values = {TEXT: [1] * 6, SPEECH: [0] * 6, SECOND: [1, 1, 1, 0, 0, 0]}
    return tables(
        run_of({(AGENT, condition): column("single-ta", of) for condition, of in values.items()}), CASCADE
    )


def test_a_row_has_its_columns_its_changes_and_what_is_recovered() -> None:
    hearing, *_ = heard().tables
    [grid] = grids(hearing)
    assert grid.title == "Tamil"
    assert grid.heads == (
        "kind", "figure", "gold text", "whisper-base", "indic-conformer", "whisper-base − gold text",
        "indic-conformer − gold text", "indic-conformer − whisper-base", "recovered share",
    )  # fmt: skip
    assert grid.rows == ((
        "Single", "Parameters", "1.00 (0.61–1.00; n 6)", "0.00 (0.00–0.39; n 6)", "0.50 (0.19–0.81; n 6)",
        "−1.00 (p = 0.0312; n 6)", "−0.50 (−0.83 to −0.17; p = 0.2500; n 6)",
        "+0.50 (+0.17 to +0.83; p = 0.2500; n 6)", "0.50 (0.17–0.83; n 6)",
    ),)  # fmt: skip


def test_no_loss_to_recover_is_said() -> None:
    run = run_of({(AGENT, c): column("single-hi", [1, 1]) for c in (TEXT, SPEECH, SECOND)})
    [grid] = grids(tables(run, CASCADE).tables[0])
    assert grid.rows[0][-1] == "no loss to recover (n 2)"


def test_cells_say_what_was_not_run_or_is_not_scored() -> None:
    run = run_of(
        {(AGENT, TEXT): column("single-en", [1, 1]), (AGENT, SPEECH): column("single-en", [None])},
        planned=(planned(2, AGENT), planned(2, AGENT, condition=SPEECH)),
    )
    [grid] = grids(tables(run, CASCADE).tables[0])
    assert grid.rows[0][3:6] == ("0 of 2; 1 failed: not run; 1 no verdict: no judge", "not run", "–")


def test_a_terminal_shows_the_figure_that_decides_and_markdown_all() -> None:
    run = run_of({(AGENT, TEXT): column("single-hi", [1])})
    both = [row.model_copy(update={"tool_selection": 1}) for row in run.scores]
    found = tables(type(run)(run.info, run.tasks, both), CASCADE)
    assert "Tool" not in "\n".join(as_lines(found))
    assert "| Single | Tool " in as_markdown(found)


def test_the_lines_of_a_table_align() -> None:
    lines = list(as_lines(heard()))
    head = next(place for place, line in enumerate(lines) if "figure" in line)
    assert lines[head].index("gold text") == lines[head + 1].index("1.00 (")


def test_markdown_tells_whose_answers_are_in_a_column() -> None:
    text = as_markdown(heard())
    assert text.startswith(f"# Ablations of {AGENT}\n")
    assert f"- *zero-shot*: {AGENT}@zero-shot under speech" in text
    assert "## What naming the tool in the request does" in text


def test_a_set_without_hints_is_a_row_that_says_so() -> None:
    tasks = [safety(n, harmful=True, hint=False, lang="hi") for n in range(2)]
    *_, hints = tables(safety_run(tasks, refusals(tasks, [1, 0])), CASCADE).tables
    [grid] = grids(hints)
    assert grid.rows == (("Safety", "Harmful refused", "0.50 (0.09–0.91; n 2)", "none in the set", "–"),)


def test_json_can_be_read_back() -> None:
    found = heard()
    assert Ablation.model_validate_json(as_json(found)) == found
    assert json.loads(as_json(found))["format"] == "voicebench-ablation/1"
