"""Pairing is the best there is: compared with every pairing there could be."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.assignment import best_pairs, best_pairs_in_order

MATRICES = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 9), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


def total(weights: list[list[int]], pairs: dict[int, int]) -> int:
    return sum(weights[row][column] for row, column in pairs.items())


def every_pairing(weights: list[list[int]]) -> list[dict[int, int]]:
    rows, columns = len(weights), len(weights[0])
    return [
        {row: column for row, column in enumerate(chosen) if column < columns}
        for chosen in permutations(range(columns + rows), rows)
    ]


def is_one_to_one(pairs: dict[int, int]) -> bool:
    return len(set(pairs.values())) == len(pairs)


@given(MATRICES)
def test_no_pairing_is_heavier(weights: list[list[int]]) -> None:
    pairs = best_pairs(weights)
    assert is_one_to_one(pairs)
    assert total(weights, pairs) == max(total(weights, other) for other in every_pairing(weights))


@given(MATRICES)
def test_no_pairing_that_keeps_the_order_is_heavier(weights: list[list[int]]) -> None:
    pairs = best_pairs_in_order(weights)
    columns = [pairs[row] for row in sorted(pairs)]
    assert columns == sorted(set(columns))
    in_order = [other for other in every_pairing(weights) if list(other.values()) == sorted(other.values())]
    assert total(weights, pairs) == max(total(weights, other) for other in in_order)


@given(MATRICES)
def test_a_pair_of_no_weight_is_left_out(weights: list[list[int]]) -> None:
    for pairs in (best_pairs(weights), best_pairs_in_order(weights)):
        assert all(weights[row][column] > 0 for row, column in pairs.items())


def test_a_greedy_choice_would_fail_here() -> None:
    assert best_pairs([[1, 1], [1, 0]]) == {0: 1, 1: 0}


def test_nothing_pairs_with_nothing() -> None:
    assert best_pairs([]) == {}
    assert best_pairs([[], []]) == {}
    assert best_pairs_in_order([]) == {}


def test_weights_beyond_floats_are_exact() -> None:
    huge = 10**40
    assert best_pairs([[huge + 1, huge], [huge + 1, huge + 1]]) == {0: 0, 1: 1}
