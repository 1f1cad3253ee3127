"""Published tables as people have them: CSV, JSON, other column names, mistakes; and the real ones."""

from pathlib import Path

import pytest

from voicebench.compare.published import CheckedRow, Reading, check_table, explanation
from voicebench.errors import UserError

DATA = Path(__file__).parents[3] / "shared" / "data" / "seatau"
TASKS = {"airline": 50, "retail": 114, "telecom": 114}


def table(tmp_path: Path, text: str, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def check(path: Path, **reading: object) -> list[CheckedRow]:
    return list(check_table(path, Reading(**reading)).rows)  # type: ignore[arg-type]


def test_a_csv_with_its_own_columns(tmp_path: Path) -> None:
    header = "label,p1,p2,p3,n_tasks,trials,rho\n"
    text = header + "ไทย,0.977,0.953,0.930,114,3,0.952\nKimi,.997,.953,.930,114,3,.933\n"
    good, bad = check(table(tmp_path, text))
    assert (good.possible, good.label, good.place.endswith(":2")) == (True, "ไทย", True)
    assert good.printed == {"p1": "0.977", "p2": "0.953", "p3": "0.930", "rho": "0.952"}
    assert (bad.possible, bad.suspects) == (False, ("p1",))
    assert explanation(bad).endswith("; all but p1 fit together")
    assert explanation(good) == ""


def test_json_keeps_the_digits_that_are_printed(tmp_path: Path) -> None:
    lines = '{"p1": 0.540, "n_tasks": 1000, "trials": 1}\n{"p1": "0.54", "n_tasks": 50, "trials": 1}\n'
    rows = check(table(tmp_path, lines, "t.jsonl"))
    assert [row.printed["p1"] for row in rows] == ["0.540", "0.54"]
    (row,) = check(table(tmp_path, '[{"pass^1": "54.0%", "tasks": 50, "model": "மாதிரி"}]', "t.json"))
    assert (row.label, row.trials, row.n_tasks, row.possible) == ("மாதிரி", 1, 50, True)


def test_other_columns_name_the_row(tmp_path: Path) -> None:
    (row,) = check(table(tmp_path, "domain,lang,pass_hat_1,total_tasks\nairline,हिन्दी,0.5,50\n"))
    assert row.label == "airline · हिन्दी"


def test_rows_can_be_chosen_by_their_columns(tmp_path: Path) -> None:
    path = table(tmp_path, "domain,p1\nairline,0.50\nretail,0.52\n")
    (row,) = check(path, n_tasks=50, where={"domain": "airline"})
    assert row.label == "airline"
    with pytest.raises(UserError, match=r"no column 'domian'\. Did you mean 'domain'\?"):
        check(path, n_tasks=50, where={"domian": "airline"})
    with pytest.raises(UserError, match="no row to check with these --where values"):
        check(path, n_tasks=50, where={"domain": "telecom"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p1,p2\n0.5,0.25\n", "no column 'n_tasks', and no --n-tasks N."),
        ("p1,n_task\n0.5,50\n", "Did you mean 'n_task'?"),
        (
            "pss1,n_tasks\n0.5,50\n",
            "no number in a column p1, p2, … (or pass^1, pass_hat_1, …). Did you mean 'pss1'?",
        ),
        ("p1,n_tasks\nhalf,50\n", "t.csv:2: 'half' is no number"),
        ("p1,n_tasks\n54,50\n", "'54' is above 1 (write percentages with a % sign)"),
        ("p1,n_tasks\n0.5,many\n", "n_tasks must be a whole number from 1, not 'many'"),
        ("p1,p4,n_tasks,trials\n0.5,0.1,50,3\n", "p4 stands beside 3 trials"),
        ("p1,n_tasks\n0.5\n", "t.csv:2: 1 cell under 2 columns"),
        ("", "empty"),
        ("[1]", "a row must be an object of columns"),
        ("[{]", "not JSON"),
    ],
)
def test_a_mistake_says_where_and_what(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as error:
        check(table(tmp_path, text))
    assert said in str(error.value)


def test_lost_trials_explain_a_row_and_can_be_accepted(tmp_path: Path) -> None:
    (row,) = check(table(tmp_path, "p1,p2,p3,n_tasks\n0.228,0.132,0.097,114\n"))
    assert (row.possible, row.lost) == (False, 1)
    assert (row.accepted(), row.accepted(lost=1)) == (False, True)
    assert (
        "it fits with 1 lost trial, if each pass^k is over the tasks with at least k trials"
        in explanation(row)
    )


def seatau(name: str) -> Path:
    if not (DATA / name).is_file():
        pytest.skip(f"the public table {name} is not beside this checkout")
    return DATA / name


def test_the_errors_of_the_published_tables_are_found(tmp_path: Path) -> None:
    path = seatau("paper_tables_9_13.json")
    rows = [
        row
        for domain, n in TASKS.items()
        for row in check(path, n_tasks=n, trials=3, where={"domain": domain})
    ]
    assert len(rows) == 153
    found = {row.label: row for row in rows if not row.possible}
    assert {label: row.lost for label, row in found.items()} == {
        "9 · telecom · Kimi-K2.5 · EN": None,
        "10 · retail · Kimi-K2.5 · ID": None,
        "10 · retail · Kimi-K2.5 · ZH": None,
        "10 · telecom · Qwen3-235B · ZH": 1,
        "13 · retail · Kimi-K2.5 · VI": 2,
        "13 · retail · Kimi-K2.5 · ZH": 2,
    }
    assert found["9 · telecom · Kimi-K2.5 · EN"].suspects == ("p1",)
    assert not [row for row in rows if any("rho" in problem for problem in row.problems)]
    assert [(row.label, row.notes[0].split(" (")[0]) for row in rows if row.notes] == [
        ("13 · telecom · Qwen3-235B · TL", "the same numbers as 13 · telecom · Qwen3-235B · ZH")
    ]


@pytest.mark.parametrize("digits", [None, 3])
def test_the_results_that_were_published_with_the_code_are_accepted(digits: int | None) -> None:
    rows = check(seatau("experiments.csv"), digits=digits)
    assert len(rows) == 153
    # Two rows have numbers that 114 whole tasks cannot give: two trials had no reward and were left out.
    assert [row.lost for row in rows if not row.accepted()] == [2, 2]
    assert all(row.accepted(lost=2) for row in rows)


def test_the_number_of_tasks_may_be_called_n_written_large(tmp_path: Path) -> None:
    (row,) = check(table(tmp_path, "p1,N,trials\n0.50,4,2\n"))
    assert (row.n_tasks, row.trials) == (4, 2)
    with pytest.raises(UserError, match="no column 'n_tasks'"):
        check(table(tmp_path, "p1,n\n0.50,4\n"))
