"""When requests become due."""

import pytest

from voicebench.latency.arrivals import arrivals


def test_even_gaps_are_all_alike() -> None:
    assert arrivals(4, 2.0, spacing="even") == (0.0, 0.5, 1.0, 1.5)


def test_random_gaps_come_from_the_seed_and_have_the_rate_on_average() -> None:
    due_s = arrivals(4000, 8.0, seed=1)
    assert due_s == arrivals(4000, 8.0, seed=1) != arrivals(4000, 8.0, seed=2)
    assert list(due_s) == sorted(due_s)
    assert due_s[-1] == pytest.approx(4000 / 8.0, rel=0.05)


def test_half_the_random_gaps_are_shorter_than_the_median_of_the_exponential() -> None:
    due_s = arrivals(4000, 1.0)
    gaps_s = sorted(after - before for before, after in zip((0.0, *due_s), due_s, strict=False))
    assert gaps_s[2000] == pytest.approx(0.693, abs=0.04)


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan")])
def test_a_rate_is_positive(rate: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        arrivals(1, rate)
