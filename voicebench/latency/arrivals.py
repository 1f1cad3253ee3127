"""When requests become due where they come at a rate of their own, whether an agent keeps up or not."""

from typing import Literal

import numpy as np

Spacing = Literal["poisson", "even"]


def arrivals(n: int, rate_per_s: float, *, spacing: Spacing = "poisson", seed: int = 0) -> tuple[float, ...]:
    """Return when each of n requests becomes due, in seconds from the start, in order.

    Args:
        n: How many.
        rate_per_s: How many a second on average.
        spacing: "poisson" draws the gaps from an exponential distribution, as callers who know nothing of
            each other leave them; "even" makes all gaps alike.
        seed: Fixes the gaps.

    Raises:
        ValueError: The rate is not positive.
    """
    if not rate_per_s > 0:
        raise ValueError(f"a rate is positive, not {rate_per_s}")
    if spacing == "even":
        return tuple(place / rate_per_s for place in range(n))
    gaps_s = np.random.default_rng(seed).exponential(1 / rate_per_s, n)
    return tuple(float(at_s) for at_s in np.cumsum(gaps_s))
