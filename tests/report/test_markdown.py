"""report.md reads well and lets nothing through."""

from voicebench.report import summarise
from voicebench.report.markdown import markdown
from voicebench.report.markdown_parts import table, width

from .helpers import full_run, scored_run


def test_columns_line_up_and_missing_cells_are_dashes() -> None:
    made = table(["agent", "right"], [["a", "0.50"], ["longer name", None]], text_columns=1)
    assert made == (
        "| agent       | right |\n"
        "| ----------- | ----: |\n"
        "| a           |  0.50 |\n"
        "| longer name |     – |"
    )  # fmt: skip


def test_a_cell_cannot_leave_its_table() -> None:
    made = table(["x"], [["a|b\n`c` <b> \x1b[31m"]], text_columns=1)
    assert "| a\\|b \\`c\\` \\<b> \\[31m |" in made


def test_marks_that_combine_take_no_column_and_wide_letters_two() -> None:
    assert (width("ab"), width("कि"), width("日本"), width("กี่")) == (2, 2, 4, 1)


def test_the_figures_and_their_denominators_are_there() -> None:
    made = markdown(summarise([scored_run({"text": [1, 0, None], "speech": [0, 0, 0]})]))
    assert "| a     | text      |  0.50 | 0.09–0.91 |    0.50 |       0.50 | 2 of 3 |" in made
    assert "| a     | all  | text → speech |      −0.50 |" in made


def test_an_empty_run_is_a_report_too() -> None:
    made = markdown(summarise([scored_run({})]))
    assert "There is nothing to show yet" in made
    assert "## What made this" in made


def test_an_agents_name_brings_no_markup() -> None:
    made = markdown(summarise([full_run()]))
    assert made.count("<b>evil") == made.count("\\<b>evil") > 0
    assert "voicebench eval --tasks '<x>' && echo" in made


def test_scripts_are_kept_and_the_page_is_the_same_each_time() -> None:
    assert markdown(summarise([full_run()])) == markdown(summarise([full_run()]))


def test_losses_counts_and_averages_are_there() -> None:
    run = scored_run({"text": [1, 1, 0, None], "speech": [0, 1, 0, 1]})
    made = markdown(summarise([run]))
    assert "## Where answers were lost" in made
    assert "| 1 · 0.33 (0.06–0.79) |" in made
    assert "## What became of the answers" in made
    assert (
        "| a     | text      | right      | 1 no judge |       4 |   4 |      0 |          1 |      3 |"
        in made
    )
    assert "## Tables as papers print them" in made


def test_a_run_without_losses_says_nothing_of_them() -> None:
    made = markdown(summarise([scored_run({"text": [1, 0]})]))
    assert "lost" not in made
    assert "What became of" not in made
