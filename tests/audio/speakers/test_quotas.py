import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.audio.speakers import quotas
from voicebench.errors import UserError


def labels(**counts: int) -> list[str]:
    return [label for label, count in counts.items() for _ in range(count)]


def test_shares_are_equal_where_there_are_voices_enough() -> None:
    assert quotas(labels(f=10, m=50), 8) == {"f": 4, "m": 4}


def test_what_a_short_group_lacks_the_others_give() -> None:
    assert quotas(labels(hi=2, ta=50, te=50), 12) == {"hi": 2, "ta": 5, "te": 5}


def test_a_rest_goes_to_the_group_with_more_voices_and_then_to_the_first_label() -> None:
    assert quotas(labels(f=10, m=50), 5) == {"f": 2, "m": 3}
    assert quotas(labels(m=9, f=9), 5) == {"f": 3, "m": 2}


def test_shares_in_proportion_are_rounded_by_largest_remainder() -> None:
    assert quotas(labels(a=50, b=30, c=20), 7, balance="proportional") == {"a": 4, "b": 2, "c": 1}


def test_seeds_count_towards_their_group() -> None:
    assert quotas(labels(f=5, m=5), 4, seeds=[0, 1, 2]) == {"f": 3, "m": 1}


def test_numbers_are_taken_as_they_are() -> None:
    assert quotas(labels(f=5, m=5, x=1), 5, balance={"f": 4, "m": 1}) == {"f": 4, "m": 1, "x": 0}


def test_a_group_that_is_short_is_named() -> None:
    with pytest.raises(UserError, match="cannot choose 6 of the 5 voices of group 'f'"):
        quotas(labels(f=5, m=5), 6, balance={"f": 6})
    with pytest.raises(UserError, match="cannot choose 2 of the 0 voices of group 'female'"):
        quotas(labels(f=5), 2, balance={"female": 2})


def test_numbers_that_do_not_add_up_are_the_users_mistake() -> None:
    with pytest.raises(UserError, match="add up to 3, but 4 voices are asked for"):
        quotas(labels(f=5), 4, balance={"f": 3})


def test_seeds_beyond_the_numbers_are_the_users_mistake() -> None:
    with pytest.raises(UserError, match="2 of the given voices are of group 'f', which is to give 1"):
        quotas(labels(f=5, m=5), 3, balance={"f": 1, "m": 2}, seeds=[0, 1])


def test_too_few_voices_are_told_group_by_group() -> None:
    with pytest.raises(UserError, match=r"cannot choose 9 of 8 voices \('f' 5, 'm' 3\)"):
        quotas(labels(m=3, f=5), 9)


def test_an_unknown_balance_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="unknown balance 'even'"):
        quotas(labels(f=1), 1, balance="even")  # type: ignore[arg-type]


def test_no_voices_of_no_groups_are_none() -> None:
    assert quotas([], 0) == {}


@given(
    counts=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    balance=st.sampled_from(["equal", "proportional"]),
    data=st.data(),
)
def test_quotas_add_up_and_no_group_gives_more_than_it_has_or_less_than_its_seeds(
    counts: list[int], balance: str, data: st.DataObject
) -> None:
    given_labels = [f"g{group}" for group, count in enumerate(counts) for _ in range(count)]
    n = data.draw(st.integers(0, len(given_labels)))
    seeds = data.draw(st.lists(st.integers(0, len(given_labels) - 1), unique=True, max_size=n))
    result = quotas(given_labels, n, balance=balance, seeds=seeds)  # type: ignore[arg-type]
    assert sum(result.values()) == n
    for group, count in enumerate(counts):
        fixed = sum(given_labels[seed] == f"g{group}" for seed in seeds)
        assert fixed <= result[f"g{group}"] <= count
    if balance == "equal" and not seeds:
        shorter = [value for label, value in result.items() if value < counts[int(label[1:])]]
        assert not shorter or max(result.values()) - min(shorter) <= 1
