"""What the languages of northern India share: a word for each number below a hundred, then lakh and crore."""

from abc import abstractmethod
from collections.abc import Mapping

from voicebench.audio.spoken.language import INDIAN_POWERS, Language, groups


class Indic(Language):
    """A language that counts in lakh and crore, with a word of its own for each number below a hundred.

    Attributes:
        below_hundred: Words of 0 to 99.
        powers: Words of 10³, 10⁵ and 10⁷, by the power.
        month_names: From January on.
    """

    indian = True
    below_hundred: tuple[str, ...]
    powers: Mapping[int, str]
    month_names: tuple[str, ...]

    @abstractmethod
    def hundreds(self, count: int, *, exactly: bool) -> str:
        """Return "three hundred"; `exactly`, if nothing follows."""

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words, always in lakh and crore."""
        said: list[str] = []
        for count, power in groups(number, INDIAN_POWERS):
            if power == 2:
                said.append(self.hundreds(count, exactly=number % 100 == 0))
                continue
            said.append(self.below_hundred[count] if count < 100 else self.cardinal(count, indian=True))
            said.extend([self.powers[power]] if power else [])
        return " ".join(said) or self.below_hundred[0]

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: day, month, year."""
        said = f"{self.below_hundred[day]} {self.month_names[month - 1]}"
        return said if year is None else f"{said} {self.year(year)}"
