"""How many requests are under way at once, as a server bears them."""

from voicebench.wire.limit import Limit


def test_slots_double_until_the_first_refusal_then_grow_by_one_a_round() -> None:
    limit = Limit(100, first=4)
    for _ in range(4):
        limit.went_well()
    assert limit.slots == 8
    limit.turned_away()
    assert limit.slots == 4
    for _ in range(4):
        limit.went_well()
    assert limit.slots == 4
    limit.went_well()
    assert limit.slots == 5


def test_refusals_of_one_round_count_once() -> None:
    limit = Limit(64, first=64)
    for _ in range(10):
        limit.turned_away()
    assert limit.slots == 32


def test_a_limit_never_falls_below_one_nor_rises_above_its_cap() -> None:
    limit = Limit(3, first=8)
    for _ in range(50):
        limit.went_well()
    assert limit.slots == 3
    for _ in range(50):
        limit.turned_away()
        for _ in range(3):
            limit.went_well()
    assert 1 <= limit.slots <= 3


def test_answers_while_slots_are_free_add_none() -> None:
    limit = Limit(64, first=4)
    for _ in range(10):
        limit.went_well(is_full=False)
    assert limit.slots == 4
