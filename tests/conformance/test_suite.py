"""Reading cases: what is kept, and what is wrong with a line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.cases import case
from voicebench.conformance.suite import read_cases, response_of, shipped_files, task_of
from voicebench.errors import UserError
from voicebench.files import to_json, write_rows


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def row(name: str = "x", **fields: Any) -> dict[str, Any]:
    return to_json(case(name)) | fields


def test_the_shipped_files_are_read_when_none_is_named() -> None:
    assert [path.suffix for path in shipped_files()] == [".jsonl"] * len(shipped_files())
    assert {one.id for one in read_cases()} == {one.id for one in read_cases(shipped_files())}


def test_cases_come_in_the_order_of_the_files(tmp_path: Path) -> None:
    first, second = tmp_path / "z.jsonl", tmp_path / "a.jsonl"
    write_rows(first, [case("1"), case("2")])
    write_rows(second, [case("3")])
    assert [one.id for one in read_cases([first, second])] == ["1", "2", "3"]


def test_kinds_and_languages_choose(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_rows(path, [case("1"), case("2", lang="th"), case("3", kind="other", lang="th")])
    assert [one.id for one in read_cases([path], langs=["th"])] == ["2", "3"]
    assert [one.id for one in read_cases([path], kinds=["kind"], langs=["th"])] == ["2"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (row(answer={"text": "a", "calls": []}), "a.jsonl:2: answer: must hold either 'text' or 'calls'"),
        (row(answer={}), "a.jsonl:2: answer: must hold either 'text' or 'calls'"),
        (row(answer={"calls": [{"arguments": {}}]}), "a.jsonl:2: answer: key 'calls.0.name' is missing"),
        (row(answer={"text": 5}), "a.jsonl:2: answer: text: Input should be a valid string"),
        (row(want={}), "a.jsonl:2: want: names no figure"),
        (
            row(want={"parameter": 1}),
            "a.jsonl:2: want: unknown figure 'parameter'. Did you mean 'parameters'?",
        ),
        (row(whi="x"), "a.jsonl:2: unknown key 'whi'. Did you mean 'why'?"),
    ],
)
def test_a_wrong_line_is_said_with_file_and_line(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    path = write(tmp_path / "a.jsonl", row("ok"), wrong)
    with pytest.raises(UserError) as raised:
        read_cases([path])
    assert str(raised.value).endswith(said)


def test_an_id_stands_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", row("x"), row("x"))
    with pytest.raises(UserError, match=r"a\.jsonl:2: id 'x' is already used at .*a\.jsonl:1"):
        read_cases([path])


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"kinds": ["kin"]}, "no case of the kind 'kin'. Did you mean 'kind'?"),
        ({"langs": ["xx"]}, "no case of the language 'xx'. Known: hi, th."),
        (
            {"kinds": ["other"], "langs": ["hi"]},
            "no case of these kinds in these languages",
        ),
    ],
)
def test_a_choice_that_holds_nothing_is_a_mistake(
    tmp_path: Path, chosen: dict[str, list[str]], said: str
) -> None:
    path = write(tmp_path / "a.jsonl", row("1"), row("2", lang="th", kind="other"))
    with pytest.raises(UserError) as raised:
        read_cases([path], kinds=chosen.get("kinds"), langs=chosen.get("langs"))
    assert str(raised.value) == said


def test_an_empty_file_holds_no_case(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(UserError, match="the files hold no case"):
        read_cases([path])


def test_a_case_becomes_a_task_of_the_fitting_kind() -> None:
    two = {"calls": [{"name": "weather.get"}, {"name": "weather.get"}]}
    kinds = [
        task_of(case(expect=expect)).task
        for expect in ({"refuse": True}, {"calls": [{"name": "f"}]}, two, {**two, "order": "sequence"})
    ]
    assert kinds == ["safety", "single", "parallel", "sequential"]


def test_a_task_keeps_language_date_and_tools() -> None:
    one = task_of(case(lang="ml", reference_date="2026-11-30"))
    assert (one.lang, one.reference_date, one.tools) == ("ml", "2026-11-30", case().tools)


def test_an_answer_becomes_a_response() -> None:
    assert response_of(case("7")).task_id == "7"
    assert response_of(case(answer={"calls": []})).calls == ()
