"""Names: a tool's own name, and the names that templates and APIs make of it."""

import pytest

from voicebench.scoring.offered import Offered
from voicebench.types import Tool


def offered(*names: str) -> Offered:
    return Offered([Tool(name=name) for name in names])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("cab.get_fare", "cab.get_fare"),
        ("cab_get_fare", "cab.get_fare"),
        ("functions.cab.get_fare", "cab.get_fare"),
        ("functions.cab_get_fare", "cab.get_fare"),
        ("get_fare", "get_fare"),
        ("Cab.get_fare", "Cab.get_fare"),
        ("cab-get_fare", "cab-get_fare"),
        ("functions.other", "functions.other"),
        ("", ""),
    ],
)
def test_a_written_name_means_one_tool_or_stays(written: str, meant: str) -> None:
    tools = offered("cab.get_fare", "food.add")
    assert tools.name_of(written) == meant
    assert (written in tools) is (meant == "cab.get_fare")


@pytest.mark.parametrize("written", ["我调用cab.get_fare", "ฉันจะเรียกcab_get_fare"])
def test_a_name_may_stand_right_behind_a_word_of_a_script_without_spaces(written: str) -> None:
    assert Offered([Tool(name="cab.get_fare")]).name_of(written) == "cab.get_fare"
    assert Offered([Tool(name="fare")]).name_of(written) == written


def test_a_tools_own_name_comes_before_what_an_api_makes_of_another() -> None:
    assert offered("a.b", "a_b").name_of("a_b") == "a_b"
    assert offered("functions.f", "f").name_of("functions.f") == "functions.f"


def test_a_rewritten_name_that_fits_two_tools_means_neither() -> None:
    tools = offered("a.b", "a/b")
    assert tools.name_of("a_b") == "a_b"
    assert "a_b" not in tools


def test_of_two_tools_with_one_name_the_first_counts() -> None:
    first, second = Tool(name="f", description="1"), Tool(name="f", description="2")
    assert Offered([first, second]).get("f") is first


def test_names_that_python_cannot_read_are_listed_longest_first() -> None:
    tools = offered("a-b", "a-b-c", "x.y", "मौसम", "x.import", "9a", "\u0958ीमत")
    assert tools.unpythonic == ("x.import", "a-b-c", "\u0958ीमत", "a-b", "9a")
