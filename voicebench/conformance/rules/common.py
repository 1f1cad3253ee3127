"""What the re-implemented rules of other harnesses share."""

from collections.abc import Callable, Sequence

from voicebench.types import Expect, GoldCall, Tool, ToolCall

Rule = Callable[[Expect, Sequence[ToolCall], Sequence[Tool]], bool]
"""Tells whether calls that were read are right by a harness's rule; may raise `CannotJudge`."""


class CannotJudge(Exception):
    """The rule, as described, fails on such a schema."""


def each_takes_the_first(
    expected: Expect, calls: Sequence[ToolCall], is_right: Callable[[GoldCall, ToolCall], bool]
) -> bool:
    """Tell whether each gold call finds a call of its own, as many as there are, taking the first that fits.

    Greedy, as these harnesses do it: a call that two gold calls could take goes to the earlier one.
    """
    free = list(calls)
    if len(free) != len(expected.calls or ()):
        return False
    for gold in expected.calls or ():
        fitting = next((call for call in free if is_right(gold, call)), None)
        if fitting is None:
            return False
        free.remove(fitting)
    return True


def tool_of(name: str, tools: Sequence[Tool]) -> Tool:
    """Return the offered tool of that name.

    Raises:
        CannotJudge: There is none.
    """
    for tool in tools:
        if tool.name == name:
            return tool
    raise CannotJudge(f"no schema for {name!r}")
