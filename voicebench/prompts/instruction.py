"""The instruction of an agent that picks its tools itself, in words or with native calls."""

from collections.abc import Iterator, Sequence
from functools import cache

from voicebench.files import sha256_json
from voicebench.prompts.parts import as_json, listed, today
from voicebench.prompts.texts import example_for, examples, task_text, text
from voicebench.types import Message, Prompting, Request, TaskKind, Tool, Turn


def messages(
    request: Request, turns: Sequence[Turn] | None = None, tools: Sequence[Tool] | None = None
) -> list[Message]:
    """Return the chat of a request: the instruction, then the conversation.

    Args:
        request: What is asked.
        turns: The conversation in words; None takes the request's own turns, heard ones as sound.
        tools: The tools in the order to show them; None takes the request's.
    """
    told = instruction(
        request.tools if tools is None else tools,
        kind=request.kind,
        reference_date=request.reference_date,
        prompting=request.prompting,
    )
    if turns is None:
        said = [Message(turn.role, turn.text or "", turn.audio) for turn in request.turns]
    else:
        said = [Message(turn.role, turn.text) for turn in turns]
    return [Message("system", told), *said]


def instruction(
    tools: Sequence[Tool], *, kind: TaskKind, reference_date: str | None, prompting: Prompting
) -> str:
    """Return the instruction for an agent that picks its tools itself.

    What holds for all kinds comes first, then what the kind needs, and the tools last: requests have a long
    beginning in common, which a runtime can keep.
    With native tools neither they nor a worked example stand in it: the model is given them in its own way,
    and calls them in its own way.

    Args:
        tools: What is offered.
        kind: The kind of task.
        reference_date: What "today" is, ISO 8601, or None to say nothing of it.
        prompting: How the agent is instructed.
    """
    is_native = prompting.tools == "native"
    parts = [_beginning(kind, prompting.refusal_prompt, is_native)]
    example = example_for(kind, [tool.name for tool in tools])
    if prompting.one_shot and not is_native and example is not None:
        parts.append(_shown(examples().index(example), prompting.refusal_prompt))
    if reference_date is not None:
        parts.append(today(reference_date))
    if not is_native:
        parts.append("\n".join(["Your tools:", *map(listed, tools)]))
    return "\n\n".join(parts)


@cache
def prompt_hash(kind: TaskKind, prompting: Prompting) -> str:
    """Return the SHA-256 of what a kind of task is told under a prompting, without tools and conversation."""
    told = instruction((), kind=kind, reference_date=None, prompting=prompting)
    return sha256_json([prompting.variant, told])


@cache
def _beginning(kind: TaskKind, may_refuse: bool, is_native: bool) -> str:
    rules = [text("rules.txt")]
    # Native calls too are all made in one answer, before any of them returns something.
    if not is_native or kind == "sequential":
        rules.append(text("markers.txt"))
    if may_refuse:
        rules.append(text("refusal.txt").format(form="" if is_native else ", in double quotes,"))
    form = [] if is_native else [text("form.txt")]
    return "\n\n".join([text("role.txt"), *form, "\n".join(rules), task_text(kind)])


@cache
def _shown(place: int, with_refusal: bool) -> str:
    """Return the worked example at a place of `examples()`."""
    return "\n".join(_lines(place, with_refusal))


def _lines(place: int, with_refusal: bool) -> Iterator[str]:
    example = examples()[place]
    several = len(example.tools) > 1
    yield f"An example, with {'tools' if several else 'a tool'} that you do not have:"
    yield from (f"Tool: {listed(tool)}" for tool in example.tools)
    yield from (f"{turn.role.capitalize()}: {turn.text}" for turn in example.turns)
    yield f"Answer: {as_json(list(example.calls))}"
    if with_refusal and example.refused is not None:
        asked, answered = example.refused
        yield f"User: {asked}"
        yield f"Answer: {as_json(answered)}"
