"""How far two raters agree on a yes-or-no question: the 2×2 table, and the figures that divide it."""

from collections.abc import Iterable
from dataclasses import dataclass

from voicebench.scoring.statistics import Interval, wilson

ONE_CLASS = "both gave one answer to everything"
"""Why κ and macro-F1 can be undefined."""

NO_ITEMS = "no item was judged by both"


@dataclass(frozen=True)
class Agreement:
    """How often two raters said what.

    Attributes:
        both_yes: Items to which both said yes.
        only_first: Items to which the first alone said yes.
        only_second: Items to which the second alone said yes.
        both_no: Items to which both said no.
    """

    both_yes: int = 0
    only_first: int = 0
    only_second: int = 0
    both_no: int = 0

    @property
    def n(self) -> int:
        """How many items both rated."""
        return self.both_yes + self.only_first + self.only_second + self.both_no

    @property
    def agreed(self) -> int:
        """How many items both rated alike."""
        return self.both_yes + self.both_no

    @property
    def agreement(self) -> float | None:
        """The share of items rated alike; None for no items."""
        return self.agreed / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval of that share; None for no items."""
        return wilson(self.agreed, self.n)

    @property
    def kappa(self) -> float | None:
        """Cohen's κ = (pₒ − pₑ) / (1 − pₑ), pₑ being the agreement of two raters who answer by chance alone.

        None where it is undefined (`undefined` says why). J. Cohen, "A Coefficient of Agreement for Nominal
        Scales", Educational and Psychological Measurement 20 (1960).
        """
        if self.undefined is not None:
            return None
        first, second = self.both_yes + self.only_first, self.both_yes + self.only_second
        # In whole numbers, n² times each share, so that nothing is lost before the division.
        by_chance = first * second + (self.n - first) * (self.n - second)
        return (self.agreed * self.n - by_chance) / (self.n**2 - by_chance)

    @property
    def macro_f1(self) -> float | None:
        """The mean of the F1 of yes and of no, F1 being 2 × both ÷ (what one said + what the other said).

        It is the same whichever rater is taken as right; None where it is undefined (`undefined` says why).
        """
        if self.undefined is not None:
            return None
        differ = self.only_first + self.only_second
        return (
            2 * self.both_yes / (2 * self.both_yes + differ) + 2 * self.both_no / (2 * self.both_no + differ)
        ) / 2

    @property
    def undefined(self) -> str | None:
        """Why κ and macro-F1 are undefined; None where they are not."""
        if not self.n:
            return NO_ITEMS
        return ONE_CLASS if self.n in (self.both_yes, self.both_no) else None


def agreement_of(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """Count what two raters said of each item."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for pair in pairs:
        counts[pair] += 1
    return Agreement(counts[True, True], counts[True, False], counts[False, True], counts[False, False])
