"""The same figures as CSV."""

import csv
import io

from voicebench.report import RunData, summarise
from voicebench.report.csv_tables import csv_tables

from .helpers import full_run, make_info, make_score, make_task, planned, scored_run


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_figure_a_line_with_its_counts_and_unrounded() -> None:
    tasks = [make_task(f"single-ta-{i}", lang="ta") for i in range(3)]
    info = make_info(planned=(planned(4, lang="ta"),))
    run = RunData(info, tasks, [make_score(t, v) for t, v in zip(tasks, (1, 0, 0), strict=True)])
    found = lines(csv_tables(summarise([run]))["aggregates.csv"])
    assert [row["over"] for row in found] == ["single", "kinds", "tasks"]
    first = found[0]
    assert (first["scope"], first["agent"], first["condition"], first["figure"]) == (
        "ta",
        "a",
        "text",
        "parameters",
    )
    assert float(first["mean"]) == 1 / 3
    assert [first[key] for key in ("n_tasks", "planned", "ran", "failed", "judge_failed", "scored")] == [
        "3", "4", "3", "1", "0", "3",
    ]  # fmt: skip


def test_what_is_not_known_is_empty_and_never_0() -> None:
    (row, *_) = lines(csv_tables(summarise([scored_run({"text": [None]})]))["aggregates.csv"])
    assert (row["mean"], row["low"], row["refusal_prompt"]) == ("", "", "")


def test_a_table_without_a_line_is_no_file() -> None:
    assert csv_tables(summarise([scored_run({})])) == {
        "aggregates.csv": "",
        "trials.csv": "",
        "causes.csv": "",
    }


def test_causes_and_trials_have_every_row() -> None:
    rows: dict[str, list[float | None]] = {"text": [1, 0], "speech": [0, 0]}
    run = scored_run(rows)
    again = [score.model_copy(update={"trial": 1}) for score in run.scores]
    tables = csv_tables(summarise([RunData(run.info, run.tasks, [*run.scores, *again])]))
    causes = {(row["condition"], row["cause"]): row["n"] for row in lines(tables["causes.csv"])}
    assert causes["speech", "undecided"] == "2"
    assert causes["speech", "planning"] == "2"
    assert [(row["condition"], row["k"], row["pass_hat"]) for row in lines(tables["trials.csv"])] == [
        ("text", "1", "0.5"), ("text", "2", "0.5"), ("speech", "1", "0.0"), ("speech", "2", "0.0"),
    ]  # fmt: skip


def test_names_with_commas_and_quotes_stay_in_their_field() -> None:
    text = csv_tables(summarise([full_run()]))["aggregates.csv"]
    assert {row["agent"] for row in lines(text)} == {"whisper+llm", "<b>evil</b>"}
