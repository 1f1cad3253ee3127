"""Read arguments that are written as text between tags: `<parameter=city>Pune</parameter>` and its kin.

Such a value carries no type, so the parameter's schema decides what its text means:

1. `null` or `None` is null where the schema allows null.
2. Where the schema allows a string, or the parameter is not known, the value is the text.
3. Otherwise it is the JSON value or the Python literal that the text writes (`12`, `[1, 2]`, `true`, `True`).
   Where it writes none, the value is the text, which then does not fit its type.

A text ends at the first closing tag behind which the call goes on or ends, so any other closing tag is part
of the text. One line break at each end of a text belongs to the tags. No entity is decoded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from voicebench.scoring.json_calls import value_at
from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import Unreadable, plain, stands_twice
from voicebench.scoring.python_calls import literal_of
from voicebench.scoring.schema import compiled_parameters, types_of
from voicebench.types import Tool, ToolCall

_NULLS = ("null", "None")


@dataclass(frozen=True)
class Tags:
    """How a family writes the arguments of a call. All are patterns.

    Attributes:
        opening: Begins an argument. Its group `name` is the parameter; a group `string`, where there is one,
            says whether the value is text ("true") or JSON ("false").
        closing: Ends an argument.
        end: Ends the call.
        goes_on: What may stand behind an argument.
    """

    opening: str
    closing: str
    end: str
    goes_on: str

    @cached_property
    def openings(self) -> re.Pattern[str]:
        """Matches an argument's opening tag, and the white space before it."""
        return re.compile(rf"\s*+(?:{self.opening})")

    @cached_property
    def closings(self) -> re.Pattern[str]:
        """Matches a closing tag that does end an argument."""
        return re.compile(rf"(?:{self.closing})(?=\s*+(?:{self.goes_on}|\Z))")

    @cached_property
    def ends(self) -> re.Pattern[str]:
        """Matches the end of the call."""
        return re.compile(rf"\s*+(?:{self.end})")


def tagged_call(name: str, answer: str, start: int, tags: Tags, offered: Offered) -> tuple[ToolCall, int]:
    """Read a call whose arguments begin at `start`.

    Returns:
        The call, and the index behind it.

    Raises:
        Unreadable: A value never ends, or a parameter stands twice.
        UserError: The tool's schema is broken.
    """
    tool = offered.get(name)
    arguments: dict[str, Any] = {}
    position = start
    for opening, text, behind in _texts(answer, start, tags):
        position = behind
        parameter = opening["name"].strip()
        if parameter in arguments:
            raise stands_twice(parameter)
        stated = opening.groupdict().get("string")
        arguments[parameter] = plain(_typed(text, _allowed(parameter, tool, stated)))
    end = tags.ends.match(answer, position)
    return ToolCall(name=offered.name_of(name), arguments=arguments), end.end() if end else position


def _texts(answer: str, position: int, tags: Tags) -> Iterator[tuple[re.Match[str], str, int]]:
    """Yield each argument's opening tag, its text, and the index behind it."""
    while opening := tags.openings.match(answer, position):
        closing = tags.closings.search(answer, opening.end())
        if closing is None:
            raise Unreadable(f"the value of {opening['name'][:80]!r} never ends")
        text = answer[opening.end() : closing.start()]
        position = closing.end()
        yield opening, text.removeprefix("\n").removesuffix("\n"), position


def _allowed(parameter: str, tool: Tool | None, stated: str | None) -> frozenset[str]:
    """Return the types that a value may have, as far as its tag or its schema tells."""
    if stated is not None:
        return frozenset(("string",) if stated == "true" else ())
    schema = compiled_parameters(tool).properties.get(parameter) if tool is not None else None
    return frozenset(("string",)) if schema is None else types_of(schema)


def _typed(text: str, allowed: frozenset[str]) -> Any:
    written = text.strip()
    if "null" in allowed and written in _NULLS:
        return None
    if "string" in allowed:
        return text
    try:
        value, end = value_at(written, 0)
        if end == len(written):
            return value
    except Unreadable:
        pass
    try:
        return literal_of(written)
    except Unreadable:
        return text
