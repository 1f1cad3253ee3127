"""Calls that are written without quotes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.tasks.doors.contract import NoTask
from voicebench.tasks.doors.loose_calls import read_calls


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("", []),
        ("f()", [("f", {})]),
        ("f(zone=Rear Left, level=3)", [("f", {"zone": "Rear Left", "level": 3})]),
        ("f(a=1) g(b='x, y=2')", [("f", {"a": 1}), ("g", {"b": "x, y=2"})]),
        ("[f(a=1), g()]", [("f", {"a": 1}), ("g", {})]),
        ("f(on=true, off=None, t=07:30)", [("f", {"on": True, "off": None, "t": "07:30"})]),
        ("f(a=[1, 2], b={'c': (3, 4)})", [("f", {"a": [1, 2], "b": {"c": (3, 4)}})]),
        ("f(who=Joe's, what=tea)", [("f", {"who": "Joe's", "what": "tea"})]),
        ("f(स्थान=पुणे)", [("f", {"स्थान": "पुणे"})]),
    ],
)
def test_calls_are_read(text: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
    assert list(read_calls(text)) == calls


@pytest.mark.parametrize("text", ["f", "f(", "f(3)", "f(a=1) and so on", "f(a=1, a=2)", "Call f()"])
def test_what_is_no_call_is_no_task(text: str) -> None:
    with pytest.raises(NoTask, match="cannot be read"):
        list(read_calls(text))


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.text(max_size=20) | st.integers(), max_size=4
    )
)
def test_what_python_writes_is_read_back(arguments: dict[str, Any]) -> None:
    written = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    assert list(read_calls(f"f({written})")) == [("f", arguments)]


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        list(read_calls(text))
    except NoTask:
        return
