"""What an answer cost: its counts times the prices of a dated table, or None where any of them is unknown."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fnmatch import fnmatchcase
from math import fsum
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from voicebench.files import read_rows
from voicebench.shipped import data_folder
from voicebench.types import Response, Row

PRICES = "prices.jsonl"
COST = "cost_usd"
"""The key of a response's usage that holds its cost in US dollars; absent where it is not known."""

_PER_TOKENS = 1_000_000
_NOT_SUMMED = (COST, "queued_s")


class Price(Row):
    """A line of prices.jsonl: what one vendor asked for one model from a day on.

    Attributes:
        models: Names at the vendor, or patterns with `*`; an exact name goes before a pattern.
        host: The server's host, such as "api.openai.com".
        as_of: The day on which the source said so.
        source: The page that says so.
        input_usd: For a million tokens of text that are read, in US dollars.
        cached_usd: The same, of tokens that the server still had from before.
        output_usd: For a million tokens that are written, reasoning among them.
        audio_input_usd: For a million tokens of sound that are heard.
        cached_audio_usd: The same, of tokens that the server still had from before.
        audio_output_usd: For a million tokens of sound that are spoken.
        audio_minute_usd: For a minute of sound; instead of all others.
        most_input_tokens: The price holds for requests of at most so many; None for any.
    """

    models: tuple[str, ...] = Field(min_length=1)
    host: str = Field(min_length=1)
    as_of: date
    source: str = Field(min_length=1)
    input_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    cached_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    output_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    audio_input_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    cached_audio_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    audio_output_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    audio_minute_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    most_input_tokens: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _is_by_token_or_by_minute(self) -> Self:
        by_token = [
            self.input_usd, self.cached_usd, self.output_usd,
            self.audio_input_usd, self.cached_audio_usd, self.audio_output_usd,
        ]  # fmt: skip
        if (self.audio_minute_usd is None) == all(price is None for price in by_token):
            raise ValueError("a price is either by token or by minute of sound")
        return self

    def names(self, model: str) -> bool:
        """Whether this is a price of a model; `is_exact` says how."""
        return any(fnmatchcase(model, pattern) for pattern in self.models)

    def is_exact(self, model: str) -> bool:
        """Whether it names a model in full."""
        return model in self.models


def load_prices(path: Path | None = None) -> tuple[Price, ...]:
    """Return the prices of a table.

    Args:
        path: A prices.jsonl of the user's; None is the shipped one.

    Raises:
        UserError: The file is missing or a row is wrong (`file:line: …`).
    """
    return tuple(read_rows(data_folder() / PRICES if path is None else path, Price))


def price_of(
    model: str, host: str | None, prices: Sequence[Price], *, on: date, input_tokens: int | None = None
) -> Price | None:
    """Return the price that held for a model on a day, as far as a table knows; None where it does not.

    An exact name goes before a pattern, then the newest `as_of` that is not after the day, then the narrowest
    `most_input_tokens` that the request keeps to, then the later row.

    Args:
        model: Its name at the vendor.
        host: The server's host; None for a model on this machine, which has no price.
        prices: The table.
        on: The day.
        input_tokens: How many tokens the request had, where it is known.
    """
    known = [
        price for price in prices if price.host == host and price.as_of <= on and price.names(model)
    ]  # fmt: skip
    known = [price for price in known if price.is_exact(model)] or known
    newest = max((price.as_of for price in known), default=None)
    fitting = [
        price for price in reversed(known)
        if price.as_of == newest
        and (price.most_input_tokens is None or (input_tokens or 0) <= price.most_input_tokens)
    ]  # fmt: skip
    return min(fitting, key=lambda price: price.most_input_tokens or float("inf"), default=None)


def cost_usd(
    model: str,
    host: str | None,
    usage: Mapping[str, Any],
    audio_s: float | None,
    prices: Sequence[Price],
    *,
    on: date,
) -> float | None:
    """Return what one request to one model cost in US dollars; None where that is not known.

    Never a part of it: a count that is missing, or one whose price is, makes the whole unknown, and so does a
    model on this machine. `input_tokens` holds all that was read, `output_tokens` all that was written;
    cached tokens and tokens of sound are among them. Without `cached_tokens` nothing is taken to have been
    cached, which can only overstate. An agent of several models costs the sum of theirs, if all are known.

    Args:
        model: Its name at the vendor.
        host: The server's host; None for a model on this machine.
        usage: Counts of tokens, by the names that a response's `usage` has, and `cached_audio_tokens`.
        audio_s: Seconds of sound that this model heard; None or 0 for none.
        prices: The table (`load_prices`).
        on: The day of the request.
    """
    entered = _count(usage, "input_tokens")
    price = price_of(model, host, prices, on=on, input_tokens=entered)
    if price is None:
        return None
    if price.audio_minute_usd is not None:
        return None if audio_s is None else audio_s * price.audio_minute_usd / 60
    given = _count(usage, "output_tokens")
    if entered is None or given is None:
        return None
    return _by_token(price, usage, entered, given, heard=bool(audio_s))


def _by_token(
    price: Price, usage: Mapping[str, Any], entered: int, given: int, *, heard: bool
) -> float | None:
    sound = _count(usage, "audio_input_tokens")
    if sound is None and heard and price.audio_input_usd != price.input_usd:
        return None
    sound, spoken = sound or 0, _count(usage, "audio_output_tokens") or 0
    cached = _count(usage, "cached_tokens") or 0
    cached_sound = _count(usage, "cached_audio_tokens") if sound and cached else 0
    if cached_sound is None:
        return None
    amounts = (
        (entered - sound - (cached - cached_sound), price.input_usd),
        (sound - cached_sound, price.audio_input_usd),
        (cached - cached_sound, price.cached_usd),
        (cached_sound, price.cached_audio_usd),
        (given - spoken, price.output_usd),
        (spoken, price.audio_output_usd),
    )
    if any(tokens < 0 or (tokens > 0 and each is None) for tokens, each in amounts):
        return None
    return fsum(tokens * (each or 0.0) for tokens, each in amounts) / _PER_TOKENS


@dataclass(frozen=True)
class Counted:
    """A sum over answers, and how many of them had the count."""

    total: float
    n: int


@dataclass(frozen=True)
class Spend:
    """What a run used and spent.

    Attributes:
        answers: How many answers there are.
        priced: How many of them have a known cost.
        usd: What these cost together, in US dollars; None where no cost is known.
        usage: Sums by the key of `usage` (tokens, seconds of sound).
    """

    answers: int
    priced: int
    usd: float | None
    usage: Mapping[str, Counted] = field(default_factory=dict)

    def describe(self) -> str:
        """Return the spend in words: `spend known for 120 of 200 answers: 1.2345 USD`."""
        if self.usd is None:
            return f"spend not known for any of {self.answers} answers"
        return f"spend known for {self.priced} of {self.answers} answers: {self.usd:.4f} USD"

    def describe_usage(self) -> str:
        """Return the sums in words, with how many answers were counted where not all were."""
        return ", ".join(
            f"{key} {counted.total:,.10g}"
            + (f" ({counted.n} of {self.answers})" * (counted.n < self.answers))
            for key, counted in self.usage.items()
        )


def spend(responses: Iterable[Response]) -> Spend:
    """Return what a run's answers used and spent together, those with an error among them."""
    sums: dict[str, list[float]] = defaultdict(list)
    answers = 0
    for response in responses:
        answers += 1
        for key, value in (response.usage or {}).items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                sums[key].append(value)
    costs = sums.get(COST, [])
    usage = {
        key: Counted(fsum(values), len(values)) for key, values in sums.items() if key not in _NOT_SUMMED
    }
    return Spend(answers, len(costs), fsum(costs) if costs else None, usage)


def _count(usage: Mapping[str, Any], key: str) -> int | None:
    value = usage.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
