"""What the re-implemented rules of other harnesses share."""

from collections.abc import Callable, Sequence

from voicebench.types import Expect, Tool, ToolCall

Rule = Callable[[Expect, Sequence[ToolCall], Sequence[Tool]], bool]
"""Tells whether calls that were read are right by a harness's rule; may raise `CannotJudge`."""


class CannotJudge(Exception):
    """The rule, as described, fails on such a schema."""


def tool_of(name: str, tools: Sequence[Tool]) -> Tool:
    """Return the offered tool of that name.

    Raises:
        CannotJudge: There is none.
    """
    for tool in tools:
        if tool.name == name:
            return tool
    raise CannotJudge(f"no schema for {name!r}")
