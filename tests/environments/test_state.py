from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from voicebench.environments.state import (
    Change,
    Database,
    Record,
    at,
    canonical,
    changes,
    next_id,
    patched,
    state_hash,
)
from voicebench.errors import UserError


class Item(Record):
    price: float
    label: str = ""
    tags: frozenset[str] = frozenset()
    note: str | None = None


class Shop(Database):
    items: dict[str, Item]
    total: int = 0
    free: Any = None


def shop(**items: dict[str, Any]) -> Shop:
    return Shop.model_validate({"now": "2026-11-30T10:00", "items": items})


@pytest.mark.parametrize("price", [25, 25.0, "25", "25.0"])
def test_a_number_has_one_hash_however_it_was_written(price: Any) -> None:
    assert state_hash(shop(a={"price": price})) == state_hash(shop(a={"price": 25}))


def test_a_number_in_a_text_field_stays_a_text() -> None:
    assert state_hash(shop(a={"price": 1, "label": "25"})) != state_hash(
        shop(a={"price": 1, "label": "25.0"})
    )


def test_true_is_not_one() -> None:
    one = shop().changed(free=True)
    assert state_hash(one) != state_hash(shop().changed(free="true"))
    assert canonical(True) is True


def test_the_order_of_rows_and_of_sets_does_not_matter() -> None:
    one = shop(a={"price": 1, "tags": ["x", "y"]}, b={"price": 2})
    other = shop(b={"price": 2}, a={"price": 1, "tags": ["y", "x"]})
    assert state_hash(one) == state_hash(other)


def test_none_is_the_same_as_absent() -> None:
    assert state_hash(shop(a={"price": 1, "note": None})) == state_hash(shop(a={"price": 1}))


@pytest.mark.parametrize("label", ["चाय", "தேநீர்", "ชา", "chai ☕", ""])
def test_each_text_has_its_own_hash(label: str) -> None:
    assert state_hash(shop(a={"price": 1, "label": label})) != state_hash(shop(a={"price": 1, "label": "x"}))


def test_a_row_that_moves_to_another_key_changes_the_hash() -> None:
    assert state_hash(shop(a={"price": 1})) != state_hash(shop(b={"price": 1}))


def test_a_changed_value_is_converted_and_everything_else_shared() -> None:
    before = shop(a={"price": 1})
    after = before.changed(total="25")
    assert after.total == 25
    assert after.items is before.items
    assert before.total == 0


def test_a_changed_value_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValidationError):
        shop().changed(total="many")
    with pytest.raises(ValidationError):
        shop().changed(now="today")
    with pytest.raises(KeyError):
        shop().changed(totl=1)


def test_a_record_cannot_be_written_to() -> None:
    with pytest.raises(ValidationError):
        shop().total = 3  # type: ignore[misc]


def test_changes_are_the_deepest_that_there_are() -> None:
    before = shop(a={"price": 1}, b={"price": 2})
    row = before.items["a"].changed(price=3)
    after = before.changed(items={"a": row, "c": Item(price=5)})
    assert list(changes(before, after)) == [
        Change("items.a.price", 1, 3),
        Change("items.b", {"price": 2, "label": "", "tags": []}, None),
        Change("items.c", None, {"price": 5, "label": "", "tags": []}),
    ]


def test_equal_states_have_no_changes() -> None:
    assert list(changes(shop(a={"price": "1"}), shop(a={"price": 1.0}))) == []


def test_a_patch_adds_changes_and_removes_rows() -> None:
    after = patched(
        shop(a={"price": 1}, b={"price": 2, "label": "x"}),
        {"items": {"a": None, "b": {"price": 3}, "c": {"price": 4}}, "total": 7},
        "t",
    )
    assert after == Shop(
        now="2026-11-30T10:00", total=7, items={"b": Item(price=3, label="x"), "c": Item(price=4)}
    )


@pytest.mark.parametrize("patch", [{"itms": {}}, {"total": "x"}, {"items": {"a": {"price": "dear"}}}])
def test_a_wrong_patch_names_where_it_stands(patch: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"^task-1: "):
        patched(shop(a={"price": 1}), patch, "task-1")


def test_a_part_is_found_by_its_path() -> None:
    state = shop(a={"price": 1})
    assert at(state, "items.a.price") == 1
    assert at(state, "items.z.price") is None
    assert at({"list": [1, 2]}, "list.1") == 2
    assert at({"list": [1, 2]}, "list.2") is None


def test_the_next_identifier_follows_the_highest() -> None:
    assert next_id("R-", {"R-9": 0, "R-10": 0, "X-99": 0, "R-x": 0}) == "R-11"
    assert next_id("R-", {}) == "R-1"


@given(
    st.dictionaries(st.text(max_size=4), st.integers(0, 9), max_size=5),
    st.dictionaries(st.text(max_size=4), st.integers(0, 9), max_size=5),
)
def test_two_states_have_one_hash_exactly_where_nothing_differs(
    one: dict[str, int], other: dict[str, int]
) -> None:
    left, right = (shop(**{key: {"price": price} for key, price in rows.items()}) for rows in (one, other))
    assert (state_hash(left) == state_hash(right)) == (not list(changes(left, right))) == (one == other)
