"""Plain rows for the terminal."""

from voicebench.report import rows, summarise

from .helpers import full_run, scored_run


def test_one_language_has_no_language_column() -> None:
    headers, found = rows(summarise([scored_run({"text": [1, 0, None]})]))
    assert headers == ["agent", "condition", "right", "95 %", "parameters", "scored"]
    assert found == [["a", "text", "0.50", "0.09–0.91", "0.50", "2 of 3"]]


def test_nothing_scored_is_none() -> None:
    _, found = rows(summarise([scored_run({"text": [None]})]))
    assert found == [["a", "text", None, None, None, "0 of 1"]]


def test_several_languages_come_after_all_of_them() -> None:
    headers, found = rows(summarise([full_run()]))
    assert headers[2] == "lang"
    assert list(dict.fromkeys(row[2] for row in found)) == ["all", "en", "hi", "th", "ta"]


def test_no_answers_are_no_rows() -> None:
    assert rows(summarise([scored_run({})]))[1] == []
