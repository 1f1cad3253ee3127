"""Python-style calls: literals are taken, everything else is an error, nothing is executed."""

import warnings
from typing import Any

import pytest

from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import Unreadable
from voicebench.scoring.python_calls import NotPython, calls_of, closing, holds_a_call
from voicebench.types import Tool

TOOLS = Offered(
    [Tool(name="f", parameters={"type": "dict", "properties": {"b": {"type": "int"}, "a": {"type": "str"}}})]
)


def arguments(text: str) -> dict[str, Any]:
    (call,) = calls_of(text, TOOLS)
    assert call.name == "f"
    return call.arguments


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f()", {}),
        ("f(1, 'x')", {"b": 1, "a": "x"}),
        ("f(1, a='x')", {"b": 1, "a": "x"}),
        ("f(a=-1, b=+2.5)", {"a": -1, "b": 2.5}),
        ("f(a=True, b=False, c=None)", {"a": True, "b": False, "c": None}),
        ("f(a=true, b=false, c=null)", {"a": True, "b": False, "c": None}),
        ("f(a=[1, (2, 3)], b={'k': [None]})", {"a": [1, [2, 3]], "b": {"k": [None]}}),
        ("f(a='दिल्ली', b=\"it's\")", {"a": "दिल्ली", "b": "it's"}),
        ("f(a='one ' 'two')", {"a": "one two"}),
        ("f(a='\\u0926\\n')", {"a": "द\n"}),
        ("f(a=0x10, b=1_000, c=1e3)", {"a": 16, "b": 1000, "c": 1000.0}),
        ('f(a={"$ref": "0.latitude"})', {"a": {"$ref": "0.latitude"}}),
        ('f(from="USD", to="INR", class=3)', {"from": "USD", "to": "INR", "class": 3}),
        ("f(in='x, from=y', a=1)", {"in": "x, from=y", "a": 1}),
        ("f(शहर='x')", {"शहर": "x"}),
        ("f(\n  a=1,  # one\n)", {"a": 1}),
    ],
)
def test_a_call_with_literal_arguments(text: str, expected: dict[str, Any]) -> None:
    assert arguments(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("f(a=x)", "the name 'x' is no literal value"),
        ("f(a=NaN)", "the name 'NaN' is no literal value"),
        ("f(a=g(1))", "a Python Call is no literal value"),
        ("f(a=1+1)", "a Python BinOp is no literal value"),
        ("f(a=not True)", "a Python Not is no literal value"),
        ("f(a=-True)", "a Python USub is no literal value"),
        ("f(a=- -1)", "a Python USub is no literal value"),
        ("f(a=f'x')", "a Python JoinedStr is no literal value"),
        ("f(a=b'x')", "a bytes is no JSON value"),
        ("f(a=1j)", "a complex is no JSON value"),
        ("f(a=...)", "a ellipsis is no JSON value"),
        ("f(a={1, 2})", "a Python Set is no literal value"),
        ("f(a={1: 2})", "an object's key is no string"),
        ("f(a={**b})", "an object's key is no string"),
        ("f(a={'k': 1, 'k': 2})", "the key 'k' stands twice in one object"),
        ("f(a=1e999)", "a number is not finite"),
        ("f(a=0x" + "f" * 1000 + ")", "a number is too large"),
        ("f(a=1, a=2)", "f is given 'a' twice"),
        ("f(1, b=2)", "f is given 'b' twice"),
        ("f(*[1])", "a Python Starred is no literal value"),
        ("f(**{'a': 1})", "f is called with **, which names no parameter"),
        ("f(1, 2, 3)", "f takes at most 2 values, not 3"),
        ("g(1)", "g is not offered, so its positional values have no names"),
        ("f(a=1)(2)", "what is called is no plain name"),
        ("f[0](a=1)", "what is called is no plain name"),
        ("f(a=" + "[" * 70 + "]" * 70 + ")", "nested deeper than 64 levels"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_no_literal_has_a_reason(text: str, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        calls_of(text, TOOLS)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "text",
    [
        "f(a=",
        "f(a=१२)",
        "f(a=\u201cx\u201d)",
        "f(a='x\ny')",
        "hello there",
        "f(\x00)",
        "f(a=" + "9" * 5000 + ")",
        "f(a=" + "-" * 100_000 + "1)",
        "f(a=" + "1+" * 50_000 + "1)",
        "f" + ".f" * 50_000 + "()",
        "f(a=08)",
    ],
    ids=lambda text: text[:12],
)
def test_what_is_no_python(text: str) -> None:
    with pytest.raises(NotPython):
        calls_of(text, TOOLS)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[f(), pkg.sub.g()]", ["f", "pkg.sub.g"]),
        ("f(); g()", ["f", "g"]),
        ("f()\ng()\n", ["f", "g"]),
        ("f(), g()", ["f", "g"]),
        ("(f(), g())", ["f", "g"]),
        ("[f(),]", ["f"]),
        ("[]", []),
        ("", []),
        ("[f(), 'x']", []),
        ("[f()] + [g()]", []),
        ("[f() for x in y]", []),
        ("[f()]\n[g()]", []),
        ("[[f()]]", []),
        ("x = f()", []),
        ("f", []),
        ("'f()'", []),
    ],
)
def test_what_is_nothing_but_calls(text: str, names: list[str]) -> None:
    assert [call.name for call in calls_of(text, TOOLS)] == names


def test_whether_a_text_calls_anything() -> None:
    assert holds_a_call("[x, {'a': f()}]", TOOLS)
    assert not holds_a_call("[x, 'f()']", TOOLS)


def test_an_unknown_escape_warns_nobody() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert arguments(r"f(a='\d\w', b=1)") == {"a": "\\d\\w", "b": 1}
    assert caught == []


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("[a]", 0, 3),
        ("x [a (b) {c}] y", 2, 13),
        ("[']']", 0, 5),
        ('["\\"]"]', 0, 7),
        ('["""]"""]', 0, 9),
        ("['''\n]''']", 0, 10),
        ("[a", 0, None),
        ("[a)", 0, None),
        ("['a]", 0, None),
        ("['a\n']", 0, None),
        ('["""a]', 0, None),
    ],
)
def test_the_bracket_that_closes_one(text: str, start: int, end: int | None) -> None:
    assert closing(text, start) == end
