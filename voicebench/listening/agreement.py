"""How far several raters agree on an ordinal scale, with answers missing: Krippendorff's α, weighted κ."""

from collections import Counter
from collections.abc import Sequence


def krippendorff_alpha(units: Sequence[Sequence[int]]) -> float | None:
    """Return Krippendorff's α for ordinal data; any number of raters, any answers missing.

    α = 1 − Dₒ/Dₑ. With the coincidences o(c, k) = Σᵤ (pairs of c and k by different raters in u) ÷ (mᵤ − 1),
    their margins n(c) and n = Σ n(c): Dₒ = Σ o(c, k) δ²(c, k) / n and Dₑ = Σ n(c) n(k) δ²(c, k) / n(n − 1),
    where δ(c, k) = Σ_{g=c…k} n(g) − (n(c) + n(k)) / 2. K. Krippendorff, "Computing Krippendorff's
    Alpha-Reliability" (2011), University of Pennsylvania.

    Args:
        units: For each unit (clip) the grades it got, in any order; units with fewer than two say nothing.

    Returns:
        1 for full agreement, 0 for what chance gives, below 0 for less. None where no unit has two grades, or
        all grades are one and the same, so that chance agrees as well.
    """
    pairable = [Counter(unit) for unit in units if len(unit) > 1]
    margins = sum(pairable, Counter[int]())
    values = sorted(margins)
    if len(values) < 2:
        return None
    n = margins.total()
    observed = expected = 0.0
    for i, low in enumerate(values):
        for high in values[i + 1 :]:
            between = sum(margins[value] for value in values if low <= value <= high)
            distance = (between - (margins[low] + margins[high]) / 2) ** 2
            observed += distance * sum(unit[low] * unit[high] / (unit.total() - 1) for unit in pairable)
            expected += distance * margins[low] * margins[high]
    return 1 - (n - 1) * observed / expected


def weighted_kappa(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Return Cohen's κ of two raters with quadratic weights.

    κ = 1 − Σ (a − b)² over the pairs ÷ Σ (a − b)² expected of independent raters with the same margins.
    J. Cohen, "Weighted Kappa", Psychological Bulletin 70 (1968).

    Args:
        pairs: What the first and the second rater said of each item that both rated.

    Returns:
        None for no pairs, and where both gave one and the same answer to everything.
    """
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(first[a] * second[b] * (a - b) ** 2 for a in first for b in second)
    if not expected:
        return None
    return 1 - n * sum((a - b) ** 2 for a, b in pairs) / expected
