"""What a response says: its calls, or why there are none, and its words."""

from dataclasses import dataclass

from voicebench.scoring.calls import Unreadable, check_native_calls, read_calls, without_reasoning
from voicebench.types import Response, Task, ToolCall


@dataclass(frozen=True)
class Answer:
    """A response, read.

    Attributes:
        calls: The calls that it makes; empty where there are none or they cannot be read.
        said: Its words without reasoning; "" where the reasoning never ends.
        unreadable: Why there are no calls.
    """

    calls: tuple[ToolCall, ...]
    said: str
    unreadable: Unreadable | None = None


def read_answer(task: Task, response: Response) -> Answer:
    """Read a response without an error; native `calls` win over `text`, unless they are empty.

    Raises:
        UserError: A tool's schema is broken.
    """
    try:
        said = without_reasoning(response.text or "")
    except Unreadable:
        said = ""
    try:
        # An empty list of native calls wins over nothing: the agent may still have written its calls.
        if response.calls or response.text is None:
            return Answer(check_native_calls(response.calls or (), task.tools), said)
        return Answer(read_calls(response.text, task.tools), said)
    except Unreadable as error:
        return Answer((), said, error)
