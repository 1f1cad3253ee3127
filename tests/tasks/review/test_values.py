"""Accepted values, one a line: what is shown reads back as the same list."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.tasks.review.values import LEFT_OUT, read_values, shown_values

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.lists(JSON, unique_by=repr))
def test_what_is_shown_reads_back_as_the_same_list(values: list[Any]) -> None:
    assert repr(read_values(shown_values(values), values)) == repr(values)


@given(st.lists(st.text(), unique=True))
def test_strings_alone_read_back_as_strings(values: list[str]) -> None:
    assert read_values(shown_values(values), values) == values


def test_values_stand_as_people_write_them() -> None:
    assert shown_values(["தி. நகர்", "T Nagar", ""]) == f"தி. நகர்\nT Nagar\n{LEFT_OUT}"
    assert shown_values([300, True, ["สยาม", "Siam"]]) == '300\ntrue\n["สยาม", "Siam"]'


def test_a_number_is_a_string_among_strings_and_a_number_among_numbers() -> None:
    assert read_values("7731\nR-7731", ["7731"]) == ["7731", "R-7731"]
    assert read_values("300\n350.5\nதி. நகர்", [300]) == [300, 350.5, "தி. நகர்"]


def test_a_string_that_looks_like_a_number_keeps_its_quotes_among_numbers() -> None:
    assert shown_values(["2", 2]) == '"2"\n2'


def test_empty_lines_and_repeated_values_are_left_out() -> None:
    assert read_values("\n  सेब \r\nसेब\r\n\r\nआम", ["सेब"]) == ["सेब", "आम"]


def test_joiners_at_the_end_of_a_value_are_kept() -> None:
    assert read_values("അവന്\u200d\nക്\u200c", [""]) == ["അവന്\u200d", "ക്\u200c"]


def test_a_number_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="1e999 is no number"):
        read_values("1e999", [1.5])
