"""Read a run of number words and figures by the grammar that all our languages share.

A number is a descending sum. Each value leaves some room for what may follow it; a multiplier takes every
smaller part before it as its coefficient, and the product must again fit the room before. A run is read as
one number after another, and only as a whole: where any part of it is invalid, or could be meant in two ways,
the whole run stays as it was.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeGuard

from voicebench.scoring.number_words.terms import (
    Figure,
    Half,
    Link,
    Minus,
    Multiplier,
    Point,
    Quarters,
    Repeat,
    Teen,
    Term,
    Value,
)

_SHORTEST_ROW = 3
_LONGEST_RUN = 64


class Piece(NamedTuple):
    """One word of a run, and what it contributes."""

    text: str
    terms: tuple[Term, ...]


class _Ambiguous(Exception):
    """The run is no sequence of numbers, or could be several."""


class _Part(NamedTuple):
    """A summand of the number being read.

    Attributes:
        number: What it adds.
        room: What follows it is less than this.
        pending: It is right only in the coefficient of a multiplier that must still come.
        apart: It is right only as the first part of its coefficient.
        figure: It is written in digits.
        wants_link: A lone digit after it is pending.
    """

    number: int | Fraction
    room: int = 1
    pending: bool = False
    apart: bool = False
    figure: bool = False
    wants_link: bool = False


def read_run(pieces: Sequence[Piece], *, whole_text: bool = False, counted: bool = False) -> list[str] | None:
    """Return the numbers of a run in digits and the words between them, or None where it stays as it is.

    Args:
        pieces: Consecutive words of a text, each with at least one term; too many are left alone.
        whole_text: The text holds nothing else.
        counted: What follows is counted ("người"), so that a shy number word before it is a number.
    """
    if len(pieces) > _LONGEST_RUN:
        return None
    try:
        return _Run(pieces, whole_text, counted).read()
    except _Ambiguous:
        return None


def exact_digits(number: int | Fraction) -> str:
    """Return a number of at least 0 with a finite decimal expansion in digits."""
    places = 0
    while number.denominator > 1:
        number *= 10
        places += 1
    digits = str(number.numerator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


class _Run:
    """A run while it is read: `at` is the next of its terms."""

    def __init__(self, pieces: Sequence[Piece], whole_text: bool, counted: bool) -> None:
        self.terms = [term for piece in pieces for term in piece.terms]
        self.texts: dict[int, str] = {}
        index = 0
        for piece in pieces:
            self.texts[index] = piece.text
            index += len(piece.terms)
        self.whole_text = whole_text
        self.counted = counted
        self.at = 0
        self.parts: list[_Part] = []
        self.spelled: str | None = None

    def read(self) -> list[str]:
        """Return the numbers of the run and, as they were, the words between them."""
        written: list[str] = []
        after_a_number = False
        while self.at < len(self.terms):
            start = self.at
            number = self._signed(may_have_sign=not after_a_number)
            after_a_number = number is not None
            if number is None:
                self.at = start + 1
            if start not in self.texts or (self.at not in self.texts and self.at < len(self.terms)):
                raise _Ambiguous
            written.append(self.texts[start] if number is None else number)
        return written

    def _next(self, ahead: int = 0) -> Term | None:
        index = self.at + ahead
        return self.terms[index] if index < len(self.terms) else None

    def _signed(self, *, may_have_sign: bool) -> str | None:
        minus = may_have_sign and isinstance(self._next(), Minus)
        self.at += minus
        number = self._row_of_digits() or self._number()
        if number is None or not minus:
            return number
        if number[0] in "+-":
            raise _Ambiguous
        return f"-{number}"

    def _row_of_digits(self) -> str | None:
        """Read three digit words or more, one after the other, as a string of digits."""
        digits, times, at = "", 1, self.at
        for term in self.terms[self.at :]:
            if isinstance(term, Repeat) and times == 1:
                times = term.times
            elif _is_digit(term):
                digits += str(term.number) * times
                times = 1
            else:
                break
            at += 1
        if len(digits) < _SHORTEST_ROW:
            return None
        last = self.terms[at - 1]
        if (
            len(digits) == _SHORTEST_ROW
            and isinstance(last, Value)
            and last.alone != "read"
            and not self.counted
        ):
            raise _Ambiguous  # "hai ba năm" may be two or three years
        around = self.terms[max(self.at - 1, 0) : self.at] + self.terms[at : at + 1]
        if times > 1 or not all(isinstance(term, Link | Minus) for term in around):
            raise _Ambiguous
        self.at = at
        return digits

    def _number(self) -> str | None:
        """Read one number; None where what comes next is not to be read as one."""
        start, first = self.at, self._next()
        sign = first.text[0] if isinstance(first, Figure) and first.text[0] in "+-" else ""
        self.parts, self.spelled = [], None
        while self._extend():
            pass
        if not self.parts or (self.at == start + 1 and not self._may_be_alone(first)):
            self.at = start
            return None
        if any(part.pending for part in self.parts):
            raise _Ambiguous
        if self.at == start + 1 and isinstance(first, Figure):
            return self.texts[start]
        return sign + (self.spelled or exact_digits(_total(self.parts)))

    def _may_be_alone(self, term: Term | None) -> bool:
        if not isinstance(term, Value) or term.alone == "read":
            return True
        others = self.terms[: self.at - 1] + self.terms[self.at :]
        whole_text = self.whole_text and all(isinstance(other, Minus) for other in others)
        return (term.alone == "if it is the whole text" and whole_text) or (
            self.counted and self.at == len(self.terms) and not term.only_multiplied
        )

    def _extend(self) -> bool:
        """Take what comes next into the number; False where the number ends before it."""
        match self._next():
            case Value() as term:
                taken = self._value(term, linked=False)
            case Figure() as term:
                taken = self._figure(term)
            case Multiplier() as term:
                taken = self._multiply(term)
            case Quarters() as term:
                taken = self._quarters(term)
            case Link() as term:
                taken = self._link(term)
            case Half() as term:
                taken = self._half(term)
            case Teen():
                taken = self._teen()
            case Point():
                taken = self._decimals()
            case _:
                taken = False
        self.at += taken
        return taken

    def _value(self, term: Value, *, linked: bool) -> bool:
        before = self.parts[-1] if self.parts else None
        if before and term.before_hundred and self._keeps_the_hundreds(before):
            return True
        if term.only_in_a_row or (before and not (0 < term.number < before.room >= term.least_room)):
            return False
        if self.spelled:
            raise _Ambiguous
        lone_digit = before is not None and before.wants_link and term.number < 10 and not linked
        apart = lone_digit or (before is not None and term.number.denominator > 1)
        completes_tens = term.after_tens and before is not None and before.room == 10
        pending = apart or (term.only_multiplied and not completes_tens)
        self.parts.append(_Part(term.number, term.room, pending=pending, apart=apart))
        return True

    def _keeps_the_hundreds(self, before: _Part) -> bool:
        after = self._next(1)
        if before.room < 1000 or not isinstance(after, Multiplier) or after.number != 100:
            return False
        self.parts.append(_Part(0, room=100, wants_link=before.wants_link))
        self.at += 1
        return True

    def _figure(self, term: Figure) -> bool:
        number = Fraction(term.text.lstrip("+-"))
        if not self.parts:
            self.parts.append(_Part(number, figure=True))
            return True
        if self.spelled:
            raise _Ambiguous
        if not term.text.isdecimal() or not 0 < number < self.parts[-1].room:
            return False
        self.parts.append(_Part(number, pending=True, apart=True, figure=True))
        return True

    def _multiply(self, term: Multiplier) -> bool:
        taken: list[_Part] = []
        # What keeps the place of hundreds adds none, and is none of the tens behind it.
        while self.parts and (self.parts[-1].number or 100) < term.number:
            taken.insert(0, self.parts.pop())
        coefficient = _total(taken) if taken else int(term.bare)
        in_words = not any(part.figure for part in taken)
        if (
            coefficient == 0
            or any(part.apart for part in taken[1:])
            or (self.spelled and term.number < 1000)
            or (in_words and coefficient > term.most)
            or (term.words_only and not in_words)
            or (in_words and term.number == 100 and coefficient >= 10 and coefficient % 10 == 0)
        ):
            raise _Ambiguous
        product = coefficient * term.number
        if self.parts and product >= self.parts[-1].room:
            raise _Ambiguous
        room = term.number if coefficient.denominator == 1 else _trailing_power(product)
        self.parts.append(_Part(product, room, wants_link=term.wants_link))
        self.spelled = None
        return True

    def _quarters(self, term: Quarters) -> bool:
        after = self._next(1)
        number: int | Fraction
        if isinstance(after, Value) and after.number.denominator == 1 and after.number > 0:
            number = after.number
        elif isinstance(after, Figure) and after.text.isdecimal():
            number = int(after.text)
        elif isinstance(after, Multiplier) and term.multiplies:
            return self._value(Value(1 + Fraction(term.quarters, 4)), linked=False)
        else:
            return False
        if not self._value(Value(number + Fraction(term.quarters, 4)), linked=False):
            return False
        self.at += 1
        return True

    def _link(self, term: Link) -> bool:
        after = self._next(1)
        if not self.parts or self.spelled:
            return False
        if term.before_multiplier:
            if not isinstance(after, Multiplier):
                return False
            self.at += 1
            return self._multiply(after)
        if not isinstance(after, Value) or after.number >= 100:
            return False
        if after.only_multiplied and not isinstance(self._next(2), Multiplier):
            return False
        if self.parts[-1].room < term.least_room or not self._value(after, linked=True):
            return False
        self.at += 1
        return True

    def _half(self, term: Half) -> bool:
        before = self.parts[-1] if self.parts else None
        if before is None or before.number.denominator > 1 or (before.figure and before.number >= 100):
            return False
        if self.spelled:
            raise _Ambiguous
        if before.room >= 100:
            self.parts.append(_Part(before.room * term.quarters // 4))
        else:
            apart = before.apart or len(self.parts) > 1
            more = before.number + Fraction(term.quarters, 4)
            self.parts[-1] = _Part(more, pending=apart, apart=apart, figure=before.figure)
        return True

    def _teen(self) -> bool:
        before = self.parts[-1] if self.parts else None
        if before is None or not 2 <= before.number <= 9:
            return False
        self.parts[-1] = before._replace(number=before.number + 10, pending=False, apart=False)
        return True

    def _decimals(self) -> bool:
        """Read a point and its decimals: digit words, one figure, or one number below 100."""
        if not self.parts:
            return False
        digits, at = "", self.at + 1
        while at < len(self.terms) and _is_digit(term := self.terms[at]):
            digits += str(term.number)
            at += 1
        first = self._next(1)
        if isinstance(first, Figure) and first.text.isdecimal():
            digits, at = first.text, at + 1
        elif isinstance(first, Value) and 10 <= first.number < 100 and first.number.denominator == 1:
            digits, at = str(first.number), at + 1
            unit = self._next(2)
            if first.room > 1 and isinstance(unit, Value) and 0 < unit.number < first.room:
                digits, at = str(first.number + unit.number), at + 1
        if not digits:
            return False
        total = _total(self.parts)
        after = self.terms[at] if at < len(self.terms) else None
        if (
            self.spelled
            or total.denominator > 1
            or any(part.pending for part in self.parts)
            or isinstance(after, Value | Figure | Point | Quarters)
        ):
            raise _Ambiguous
        self.spelled = f"{total}.{digits}"
        self.parts = [_Part(Fraction(self.spelled), figure=True)]
        self.at = at - 1
        return True


def _is_digit(term: Term) -> TypeGuard[Value]:
    return (
        isinstance(term, Value)
        and term.number < 10
        and term.number.denominator == 1
        and not term.only_multiplied
    )


def _total(parts: Iterable[_Part]) -> int | Fraction:
    return sum((part.number for part in parts), 0)


def _trailing_power(number: int | Fraction) -> int:
    """Return the largest power of ten that divides a number; 1 for a fraction."""
    power = 1
    while number % (power * 10) == 0:
        power *= 10
    return power
