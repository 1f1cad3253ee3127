"""Published tables: rows that cannot be, rows that repeat others, and how languages go together."""

from pathlib import Path

import pytest

from tests.tau2.helpers import SHARED, write
from voicebench.errors import UserError
from voicebench.tau2.paper_tables import read_table
from voicebench.tau2.read import read
from voicebench.tau2.shape import Table


def table(tmp_path: Path, text: str, name: str = "t.csv") -> Table:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (found,) = read(path).tables
    return found


def test_a_domain_stands_for_its_tasks_where_nothing_else_does(tmp_path: Path) -> None:
    found = table(tmp_path, "domain,p1,n_tasks\nairline,0.54,\nRetail,0.605,\nairline,0.25,4\n")
    assert [row.n_tasks for row in found.rows] == [50, 114, 4]
    with pytest.raises(UserError, match="no column 'n_tasks'"):
        table(tmp_path, "domain,p1\ncab,0.54\n")


def test_a_csv_of_the_code_dropped_its_trailing_zeros(tmp_path: Path) -> None:
    # 70 of 114 is 0.614: what 0.61 may be to two decimals, and 0.610 is not to three.
    assert table(tmp_path, "domain,p1\nretail,0.61\n").rows[0].possible is True
    assert table(tmp_path, "domain,pass_hat_1\nretail,0.61\n").rows[0].possible is False
    assert table(tmp_path, "domain,pass_hat_1\nretail,0.614\n").rows[0].possible is True


def test_a_rho_that_is_another_quotient_is_counted(tmp_path: Path) -> None:
    header = "label,p1,p2,n_tasks,trials,rho\n"
    found = table(tmp_path, header + "जो ठीक है,0.500,0.250,50,2,0.500\nไม่ใช่,0.500,0.250,50,2,0.400\n")
    assert (found.n_rho, found.n_rho_fitting) == (2, 1)
    assert found.rho_farthest == pytest.approx(0.1)
    assert found.rho_farthest_label == "ไม่ใช่"


LANGUAGES = "domain,model,lang,p1\n" + "".join(
    f"{domain},{model},{lang},{value}\n"
    for lang, values in {
        "en": (1, 2, 3, 4),
        "th": (2, 4, 6, 8),
        "vi": (4, 3, 2, 1),
        "zh": (3, 3, 3, 3),
    }.items()
    for (domain, model), tenths in zip(
        [("airline", "a"), ("airline", "b"), ("retail", "a"), ("retail", "b")], values, strict=True
    )
    for value in [f"0.{tenths}"]
)


def test_languages_are_correlated_over_domains_and_models(tmp_path: Path) -> None:
    found = {(one.lang, one.other): one for one in table(tmp_path, LANGUAGES).correlations}
    assert found["en", "th"].r == pytest.approx(1)
    assert found["en", "vi"].r == pytest.approx(-1)
    assert found["en", "zh"].r is None
    assert {one.n for one in found.values()} == {4}


def test_scenarios_are_averaged_before_they_are_correlated(tmp_path: Path) -> None:
    more = LANGUAGES + "airline,a,th,0.0\nairline,b,th,0.4\nretail,a,th,0.6\nretail,b,th,1.0\n"
    found = {(one.lang, one.other): one.r for one in table(tmp_path, more).correlations}
    # Means .1 .4 .6 .9 beside .1 .2 .3 .4.
    assert found["en", "th"] == pytest.approx(0.13 / (0.05 * 0.34) ** 0.5)


def test_two_points_are_no_correlation(tmp_path: Path) -> None:
    rows = "domain,model,lang,p1\nairline,a,en,0.1\nairline,b,en,0.2\nairline,a,th,0.2\nairline,b,th,0.4\n"
    (found,) = table(tmp_path, rows).correlations
    assert (found.n, found.r) == (2, None)


def shared(name: str) -> Table:
    path = SHARED / "seatau" / name
    if not path.is_file():
        pytest.skip(f"the public table {name} is not beside this checkout")
    return read_table(path)


def test_the_papers_own_tables_hold_but_for_six_rows_and_a_copied_one() -> None:
    found = shared("paper_tables_9_13.json")
    assert (len(found.rows), found.n_rho, found.n_rho_fitting) == (153, 153, 153)
    assert [row.label for row in found.rows if not row.possible] == [
        "9 · telecom · Kimi-K2.5 · EN",
        "10 · retail · Kimi-K2.5 · ID",
        "10 · retail · Kimi-K2.5 · ZH",
        "10 · telecom · Qwen3-235B · ZH",
        "13 · retail · Kimi-K2.5 · VI",
        "13 · retail · Kimi-K2.5 · ZH",
    ]
    impossible = next(row for row in found.rows if not row.possible)
    assert (impossible.suspects, impossible.lost) == (("p1",), None)
    assert [(row.label, row.notes[0].split(" (")[0]) for row in found.rows if row.notes] == [
        ("13 · telecom · Qwen3-235B · TL", "the same numbers as 13 · telecom · Qwen3-235B · ZH")
    ]
    assert found.rho_farthest == pytest.approx(0.0025, abs=0.0001)


def test_the_published_experiments_give_the_papers_correlations() -> None:
    found = {
        one.other: one for one in shared("experiments.csv").correlations
        if (one.lang, one.figure) == ("english", "rho")
    }  # fmt: skip
    assert found["thai"].r == pytest.approx(0.494, abs=0.0005)
    assert found["chinese"].r == pytest.approx(0.881, abs=0.0005)
    assert {found[lang].n for lang in ("thai", "chinese", "vietnamese")} == {9}


def test_the_papers_own_numbers_give_others() -> None:
    found = {
        one.other: one.r for one in shared("paper_tables_9_13.json").correlations
        if (one.lang, one.figure) == ("EN", "rho")
    }  # fmt: skip
    assert found["TH"] == pytest.approx(0.792, abs=0.0005)
    assert found["ZH"] == pytest.approx(0.969, abs=0.0005)


@pytest.mark.parametrize("data", [[{"metric": "x"}], [1, 2], {}, [], "สวัสดี"])
def test_a_list_of_other_things_is_no_table(tmp_path: Path, data: object) -> None:
    with pytest.raises(UserError, match="no results of tau-bench or tau2-bench here"):
        read(write(tmp_path / "x.json", data))
