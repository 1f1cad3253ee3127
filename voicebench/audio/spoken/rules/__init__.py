"""What is written, by kind (an address, an amount, a date, an identifier, …), each as a rule that says it.

A module holds rules of one kind. A rule is made once for a language, so that its patterns are compiled once,
and rewrites a text: what it knows becomes words, the rest stays for the rules behind it.
"""

import re
from collections.abc import Callable
from functools import cache

from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import Language
from voicebench.audio.spoken.rules.addresses import addresses
from voicebench.audio.spoken.rules.dates import dates
from voicebench.audio.spoken.rules.forms import forms
from voicebench.audio.spoken.rules.identifiers import codes, long_figures, named_figures, telephone
from voicebench.audio.spoken.rules.money import money
from voicebench.audio.spoken.rules.numbers import (
    fractions,
    measures,
    numbers,
    ordinals,
    percentages,
    ranges,
    years,
)
from voicebench.audio.spoken.rules.symbols import abbreviations, initialisms, symbols
from voicebench.audio.spoken.rules.times import times

Rule = Callable[[str, Context], str]

_DIGIT = re.compile(r"\d")
_FIGURES: tuple[Callable[[Language], Rule], ...] = (
    dates, times, telephone, fractions, ranges, measures, percentages, named_figures, codes, long_figures,
    ordinals, years, numbers,
)  # fmt: skip


@cache
def _rules(language: Language) -> tuple[tuple[Rule, bool], ...]:
    """Return the rules from the most specific to the least, and whether each needs a digit to do anything."""
    made: dict[Callable[[Language], Rule], Rule] = {}

    def rule(make: Callable[[Language], Rule]) -> Rule:
        return made.setdefault(make, make(language))

    return (
        (rule(addresses), False),
        (rule(money), True),
        (rule(abbreviations), False),
        (rule(forms), False),
        *((rule(make), True) for make in _FIGURES),
        (rule(symbols), False),
        (rule(initialisms), False),
    )


def apply(text: str, context: Context) -> str:
    """Return a text after every rule has gone over it once."""
    figures = _DIGIT.search(text) is not None
    for rule, of_figures in _rules(context.language):
        if not of_figures:
            text = rule(text, context)
        elif figures:
            text = rule(text, context)
            figures = _DIGIT.search(text) is not None
    return text
