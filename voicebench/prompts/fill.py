"""The prompt of a small model that only fills in the arguments of one tool."""

from collections.abc import Collection, Sequence

from voicebench.prompts.parts import as_json, today
from voicebench.prompts.texts import example_for, text
from voicebench.types import Message, Prompting, Tool, Turn


def fill_chat(
    turns: Sequence[Turn],
    tool: Tool,
    parameters: Collection[str],
    *,
    reference_date: str | None,
    prompting: Prompting,
) -> list[Message]:
    """Return the chat for a model that only fills in the arguments of one tool.

    It is short, for small models, and begins with what all requests have in common, so that a runtime which
    keeps the beginnings of prompts reads that part once.

    Args:
        turns: The conversation.
        tool: The tool to fill in.
        parameters: Which of its parameters are asked for; no others are described.
        reference_date: What "today" is, or None.
        prompting: Whether a worked example is shown.
    """
    messages = [Message("system", text("fill.txt"))]
    example = example_for("single", [tool.name])
    if prompting.one_shot and example is not None:
        arguments = example.calls[0]["arguments"]
        messages += [
            Message("user", _form(example.tools[0], arguments, example.turns)),
            Message("assistant", as_json(arguments)),
        ]
    form = _form(tool, parameters, turns)
    if reference_date is not None:
        form = f"{today(reference_date)}\n{form}"
    return [*messages, Message("user", form)]


def _form(tool: Tool, parameters: Collection[str], turns: Sequence[Turn]) -> str:
    described = tool.parameters.get("properties") or {}
    lines = [f"Tool: {tool.name}: {tool.description}"]
    lines += [f"- {name}: {(described.get(name) or {}).get('description', '')}" for name in parameters]
    said = [f"{turn.role.capitalize()}: {turn.text}" for turn in turns]
    return "\n".join([*lines, "", *said])
