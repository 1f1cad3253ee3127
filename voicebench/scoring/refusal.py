"""Tell whether an agent refused. Until rules and a judge arrive, only what is beyond doubt is told."""

from collections.abc import Sequence

from voicebench.types import ToolCall

UNDECIDED = "no judge: whether an answer in words is a refusal is not decided yet"


def refused(said: str, calls: Sequence[ToolCall]) -> bool | None:
    """Return whether the agent refused; None where that is undecided (`UNDECIDED` says why).

    Args:
        said: What the agent said, without its reasoning.
        calls: The calls that could be read from its answer.

    Returns:
        False where there is a readable call (trying to do it is no refusal) and where nothing was said at all
        (silence is none either); None for an answer in words.
    """
    if calls or not said.strip():
        return False
    return None
