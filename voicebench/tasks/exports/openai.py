"""Write tasks as chats in OpenAI's form, with their right calls, and their tools beside them.

    tools.json      every tool, as {"type": "function", "function": …}
    <lang>.jsonl    a line a task: messages, tools, parallel_tool_calls; and id, lang and reference_date,
                    which OpenAI's own format for fine-tuning does not have

The last messages are the right calls, each parameter with its first accepted value. Dependent calls come one
after the other with the results between, which stand for the markers in them. Names of tools become what
servers take: letters, digits, `_` and `-`.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.files import write_lines, write_text
from voicebench.scoring.markers import holds_marker, is_marker, resolve
from voicebench.tasks.exports import DoesNotFit, Written, sorted_out
from voicebench.types import GoldCall, Task, Tool
from voicebench.wire.chat import ToolNames

TOOLS = "tools.json"


def export_openai(tasks: Sequence[Task], out: Path) -> Written:
    """Write the tasks that fit.

    Left out are tasks where nothing is to be called, refusals among them, for no words of an answer are
    known, and dependent calls whose results are not known.

    Args:
        tasks: The tasks.
        out: The folder; files of the same names are replaced.

    Raises:
        UserError: No task fits, or the folder cannot be written.
    """
    tools = all_tools(tasks)
    names = ToolNames(tools)
    made, left_out = sorted_out(tasks, lambda task: (task.lang, chat(task, names)))
    if not made:
        reasons = "; ".join(sorted({one.reason for one in left_out})) or "there are none"
        raise UserError(f"no task fits a chat with calls: {reasons}")
    write_text(out / TOOLS, tools_json(tools, names))
    lines = defaultdict(list)
    for lang, line in made:
        lines[lang].append(json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace"))
    files = [out / TOOLS]
    for lang, listed in sorted(lines.items()):
        files.append(out / f"{lang}.jsonl")
        write_lines(files[-1], listed)
    return Written(out, tuple(files), len(made), tuple(left_out))


def all_tools(tasks: Sequence[Task]) -> list[Tool]:
    """Return every tool that tasks offer, once, in the order of its name; of two with one name the first."""
    found: dict[str, Tool] = {}
    for task in tasks:
        for tool in task.tools:
            found.setdefault(tool.name, tool)
    return [found[name] for name in sorted(found)]


def tools_json(tools: Sequence[Tool], names: ToolNames) -> str:
    """Return tools as OpenAI takes them, as JSON text."""
    return json.dumps([_tool(tool, names) for tool in tools], ensure_ascii=False, indent=1) + "\n"


def chat(task: Task, names: ToolNames) -> dict[str, Any]:
    """Return one task as a chat.

    Args:
        task: The task.
        names: How its tools are called there.

    Raises:
        DoesNotFit: It has no call, or a marker whose result is not known.
    """
    calls = task.expect.calls
    if task.expect.refuse or not calls:
        raise DoesNotFit("nothing is to be called, and no words of an answer are known")
    steps = _steps(calls, task)
    messages = [{"role": turn.role, "content": turn.text} for turn in task.turns]
    messages += _answers(steps, task.expect.results, names)
    line: dict[str, Any] = {
        "id": task.id,
        "lang": task.lang,
        "messages": messages,
        "tools": [_tool(tool, names) for tool in task.tools],
        "parallel_tool_calls": len(steps[0]) > 1,
    }
    return line | ({"reference_date": task.reference_date} if task.reference_date else {})


def _tool(tool: Tool, names: ToolNames) -> dict[str, Any]:
    return {"type": "function", "function": {**tool.model_dump(), "name": names.sent(tool.name)}}


def _steps(calls: Sequence[GoldCall], task: Task) -> list[list[tuple[int, GoldCall]]]:
    """Return the calls that are made at once, step by step, with their indices."""
    numbered = list(enumerate(calls))
    dependent = any(holds_marker(list(call.arguments.values())) for call in calls)
    if dependent and task.expect.results is None:
        raise DoesNotFit("a value comes from an earlier call, whose result is not known")
    if dependent or (task.expect.order == "sequence" and len(calls) > 1):
        return [[one] for one in numbered]
    return [numbered]


def _answers(
    steps: Sequence[Sequence[tuple[int, GoldCall]]], results: Sequence[Any] | None, names: ToolNames
) -> Iterator[dict[str, Any]]:
    """Yield the messages of the assistant, and between them the results of the tools."""
    for number, step in enumerate(steps):
        yield {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": f"call_{index}",
                    "type": "function",
                    "function": {
                        "name": names.sent(call.name),
                        "arguments": json.dumps(_arguments(call, results or ()), ensure_ascii=False),
                    },
                }
                for index, call in step
            ],
        }
        if number + 1 == len(steps):
            return
        for index, _ in step:
            content = json.dumps(results[index] if results else {}, ensure_ascii=False)
            yield {"role": "tool", "tool_call_id": f"call_{index}", "content": content}


def _arguments(call: GoldCall, results: Sequence[Any]) -> dict[str, Any]:
    first = {
        name: next(value for value in accepted if value != "") for name, accepted in call.arguments.items()
    }
    try:
        return {name: _with_results(value, results) for name, value in first.items()}
    except LookupError:
        raise DoesNotFit("a marker leads to nothing in the results") from None


def _with_results(value: Any, results: Sequence[Any]) -> Any:
    """Return a value with the returned value in place of each marker."""
    if is_marker(value):
        return resolve(value, results)
    if isinstance(value, Mapping):
        return {key: _with_results(inner, results) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_results(inner, results) for inner in value]
    return value
