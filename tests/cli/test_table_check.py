"""`voicebench table-check`: its lines, its JSON and its exit codes."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOOD = "ไทย,0.977,0.953,0.930,114,3,0.952\n"
BAD = "मॉडल,0.997,0.953,0.930,114,3,0.933\n"
HEAD = "label,p1,p2,p3,n_tasks,trials,rho\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(HEAD + GOOD + BAD, encoding="utf-8")
    return path


def test_an_impossible_row_is_named_and_exits_with_1(run: Run, table: Path) -> None:
    said = run("table-check", "t.csv")
    assert said.exit_code == 1
    assert said.stdout.splitlines() == [
        "t.csv:3: मॉडल: impossible: no outcome of 114 tasks gives p1 0.997, p2 0.953, p3 0.930 together: "
        "the tasks by number of successes would be 106 with 3, 8 with 2, 7 with 1, -7 with 0; "
        "all but p1 fit together",
        "2 rows: 1 possible, 1 impossible",
    ]


def test_a_table_that_can_be_true_exits_with_0(run: Run, table: Path) -> None:
    table.write_text(HEAD + GOOD, encoding="utf-8")
    said = run("table-check", "t.csv")
    assert (said.exit_code, said.stdout) == (0, "1 row: 1 possible, 0 impossible\n")


def test_lost_trials_can_be_accepted(run: Run, table: Path) -> None:
    table.write_text("p1,p2,p3\n0.228,0.132,0.097\n", encoding="utf-8")
    assert run("table-check", "t.csv", "--n-tasks", "114").exit_code == 1
    said = run("table-check", "t.csv", "--n-tasks", "114", "--lost", "1")
    assert said.exit_code == 0
    assert "possible: no count gives p3 0.097" in said.stdout


def test_json_has_a_row_each(run: Run, table: Path) -> None:
    found = json.loads(run("table-check", "t.csv", "--json").stdout)
    assert found["format"] == "voicebench-table-check/1"
    good, bad = found["rows"]
    assert (good["possible"], good["label"], sum(good["counts"])) == (True, "ไทย", 114)
    assert (bad["possible"], bad["suspects"], bad["lost"]) == (False, ["p1"], None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere.csv",), "nowhere.csv: no such file"),
        (("t.csv", "--where", "domain"), "--where 'domain' must be COLUMN=VALUE"),
        (("t.csv", "--digits", "2"), "t.csv:2: '0.977' has more than 2 decimals"),
    ],
)
@pytest.mark.usefixtures("table")
def test_a_mistake_is_one_line_and_exits_with_2(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run("table-check", *words)
    assert ran.exit_code == 2
    assert said in ran.output
    assert ran.output.strip().count("\n") == 0
