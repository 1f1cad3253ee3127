"""What an effect is: its name, its parameters with their limits, and the function that changes a clip."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote, unquote

import numpy as np

from voicebench.errors import UserError, did_you_mean
from voicebench.types import Audio

Value = float | str | None
Values = Mapping[str, Any]
"""The value of every parameter of an effect, by name: a float, a text, or None where it has none."""
Parameters = dict[str, Any]
"""What was done to a clip, as the manifest keeps it."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What an effect may draw from.

    Attributes:
        rng: Everything random.
        talkers: Other people's clips, for babble.
    """

    rng: np.random.Generator
    talkers: tuple[Audio, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """A parameter of an effect.

    Attributes:
        name: As it is written, `snr` in `noise:snr=10`.
        summary: What it does, in a few words.
        kind: A number, one of `choices`, or the path of a file or a folder.
        unit: Written behind a number: "dB" in `noise-10dB`. May be left out in `noise:snr=10`.
        low: The smallest number.
        high: The largest number.
        choices: What a choice may be.
        default: Its value where none is given.
        required: Whether one must be given.
    """

    name: str
    summary: str
    kind: Literal["number", "choice", "path"] = "number"
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    default: Value = None
    required: bool = False

    def read(self, text: str) -> Value:
        """Return the value that a text means.

        Raises:
            UserError: It is no value of this parameter; the message names what is.
        """
        if self.kind == "path":
            if not text:
                raise UserError(f"{self.name} needs the path of a file or a folder")
            return unquote(text)
        if self.kind == "choice":
            if text not in self.choices:
                raise UserError(f"{self.name} cannot be {text!r}.{did_you_mean(text, self.choices)}")
            return text
        try:
            value = float(text.removesuffix(self.unit))
        except ValueError:
            value = math.nan
        if not self.low <= value <= self.high:
            raise UserError(f"{self.name} cannot be {text!r}. It is a number {self.limits}")
        return value

    def write(self, value: Value) -> str:
        """Return a value as it is written in the name of a condition."""
        if isinstance(value, str):
            # Commas, colons, plus and at signs have a meaning in names.
            return quote(value, safe="/") if self.kind == "path" else value
        return f"{repr(float(value or 0)).removesuffix('.0')}{self.unit}"

    @property
    def limits(self) -> str:
        """From where to where a number may go."""
        return f"from {self.write(self.low)} to {self.write(self.high)}"

    @property
    def allowed(self) -> str:
        """What it may be, for people."""
        if self.kind == "path":
            return "a file or a folder"
        return " or ".join(self.choices) if self.kind == "choice" else self.limits


@dataclass(frozen=True)
class Effect:
    """An effect as it is declared: one file, one record.

    Attributes:
        name: Its name in conditions.
        summary: One line.
        parameters: Its parameters; the first one follows the name (`noise-10dB`) and makes its ladders.
        run: Called with (clip, values, scene); returns the changed clip, at the same rate, and what was done.
        example: A name of it that is valid.
        aliases: Other names that it is known by.
        prefix: The parameter that is written before the name: `pink-noise-10dB`.
        draws: Whether it draws from the scene's generator, so that its seed is kept.
        check: Says what is wrong with values that do not go together, or None.
        lacks: Says what these values need that is missing on this machine, or None.
        version: Raised when the same values make other clips, which are then made anew.
    """

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    run: Callable[[Audio, Values, Scene], tuple[Audio, Parameters]]
    example: str
    aliases: tuple[str, ...] = ()
    prefix: str | None = None
    draws: bool = False
    check: Callable[[Values], str | None] = lambda values: None
    lacks: Callable[[Values], str | None] = lambda values: None
    version: int = 1

    @property
    def first(self) -> Parameter:
        """The parameter that follows the name."""
        return self.parameters[0]

    def parameter(self, name: str) -> Parameter:
        """Return a parameter by name.

        Raises:
            UserError: There is none of that name; the message names the closest one.
        """
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        names = [parameter.name for parameter in self.parameters]
        raise UserError(f"{self.name} has no {name!r}.{did_you_mean(name, names)}")
