"""Write tasks in the shape of the Berkeley Function-Calling Leaderboard: its types, its right answers.

    BFCL_v3_<category>.json                   a line a question: id, question, function
    possible_answer/BFCL_v3_<category>.json   a line an answer: id, ground_truth

A single call is `simple` or, with several tools, `multiple`; several are `parallel` or `parallel_multiple`;
where nothing is to be called it is `irrelevance`, which has no answers. Beside its own keys a question has
`source_id` and `lang`.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.files import write_lines
from voicebench.scoring.dates import is_iso
from voicebench.scoring.dialects import normal_schema
from voicebench.scoring.markers import holds_marker
from voicebench.scoring.schema import compiled_parameters
from voicebench.tasks.exports import DoesNotFit, Written, sorted_out
from voicebench.types import GoldCall, Task, Tool

CATEGORIES = ("simple", "multiple", "parallel", "parallel_multiple", "irrelevance")
LEFT_OUT = ""
"""Among accepted values: the parameter may be left out, there as here."""

_ANSWERS = "possible_answer"
_TYPES = {"object": "dict", "number": "float"}
_UNSAYABLE = ("anyOf", "oneOf", "allOf", "$ref", "$defs", "prefixItems", "patternProperties")
_MAPS = ("properties",)


def export_bfcl(tasks: Sequence[Task], out: Path) -> Written:
    """Write the tasks that fit.

    Left out are tasks of several turns, dependent calls, refusals and their twins, right values that are days
    (BFCL says no day of reference), and schemas with what BFCL's types cannot say.

    Args:
        tasks: The tasks.
        out: The folder; files of the same names are replaced.

    Raises:
        UserError: No task fits, or the folder cannot be written.
    """
    made, left_out = sorted_out(tasks, lambda task: (category_of(task), _question(task), _answer(task)))
    if not made:
        reasons = "; ".join(sorted({one.reason for one in left_out})) or "there are none"
        raise UserError(f"no task fits BFCL's shape: {reasons}")
    questions: defaultdict[str, list[bytes]] = defaultdict(list)
    answers: defaultdict[str, list[bytes]] = defaultdict(list)
    for category, question, answer in made:
        own = f"{category}_{len(questions[category])}"
        questions[category].append(_line({"id": own, **question}))
        answers[category].append(_line({"id": own, "ground_truth": answer}))
    files = []
    for category in CATEGORIES:
        name = f"BFCL_v3_{category}.json"
        if questions[category]:
            write_lines(out / name, questions[category])
            files.append(out / name)
        if questions[category] and category != "irrelevance":
            write_lines(out / _ANSWERS / name, answers[category])
            files.append(out / _ANSWERS / name)
    return Written(out, tuple(files), len(made), tuple(left_out))


def category_of(task: Task) -> str:
    """Return the category that a task is of by its form.

    Raises:
        DoesNotFit: It is of none.
    """
    calls = task.expect.calls
    if task.task == "safety" or calls is None:
        raise DoesNotFit("BFCL has no refusals")
    if len(task.turns) > 1:
        raise DoesNotFit("it has several turns, which BFCL judges by the state after them")
    if task.expect.order == "sequence" and len(calls) > 1:
        raise DoesNotFit("the order of its calls counts, which BFCL does not look at")
    if any(holds_marker(accepted) for call in calls for accepted in call.arguments.values()):
        raise DoesNotFit("a value comes from an earlier call, which BFCL cannot say")
    if any(_holds_a_day(accepted) for call in calls for accepted in call.arguments.values()):
        raise DoesNotFit("a right value is a day, and BFCL says no day of reference")
    if not calls:
        return "irrelevance"
    if len(calls) > 1:
        return "parallel_multiple" if len(task.tools) > 1 else "parallel"
    return "multiple" if len(task.tools) > 1 else "simple"


def _question(task: Task) -> dict[str, Any]:
    return {
        "question": [[{"role": "user", "content": task.turns[0].text}]],
        "function": [_function(tool) for tool in task.tools],
        "source_id": task.id,
        "lang": task.lang,
    }


def _function(tool: Tool) -> dict[str, Any]:
    try:
        schema = normal_schema(tool.parameters)
    except UserError as error:
        raise DoesNotFit(f"a tool's schema is broken: {error}") from None
    parameters = _in_their_types(schema)
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": {**parameters, "required": schema.get("required", [])},
    }


def _in_their_types(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema with Python's names of types, `any` where there is no type."""
    if any(key in schema for key in _UNSAYABLE) or isinstance(schema.get("type"), list):
        raise DoesNotFit("a tool's schema has alternatives, which BFCL's types cannot say")
    stated = schema.get("type", "any")
    found = {**schema, "type": _TYPES.get(stated, stated)}
    for key in _MAPS:
        if key in schema:
            found[key] = {name: _in_their_types(inner) for name, inner in schema[key].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            found[key] = _in_their_types(schema[key])
    return found


def _answer(task: Task) -> list[dict[str, Any]]:
    by_name = {tool.name: tool for tool in task.tools}
    return [{call.name: dict(_arguments(call, by_name[call.name]))} for call in task.expect.calls or ()]


def _arguments(call: GoldCall, tool: Tool) -> Iterator[tuple[str, list[Any]]]:
    """Yield the accepted values of each parameter, and of those that may be given though gold has none.

    What our scoring grants a parameter with a default, that its value may be given or left out, stands in
    the answer, for BFCL's checker does not grant it by itself.
    """
    known = compiled_parameters(tool)
    for name, accepted in call.arguments.items():
        values = [_in_lists(value) for value in accepted if value != LEFT_OUT]
        optional = LEFT_OUT in accepted or (
            name not in known.required and name in known.defaults and known.defaults[name] in accepted
        )
        yield name, values + ([LEFT_OUT] if optional else [])
    for name, default in known.defaults.items():
        if name not in call.arguments and default != LEFT_OUT:
            yield name, [_in_lists(default), LEFT_OUT]


def _in_lists(value: Any) -> Any:
    """Return a value as BFCL writes it: each member of an object is a list of accepted values."""
    if isinstance(value, Mapping):
        if LEFT_OUT in value.values():
            raise DoesNotFit("an object has an empty text in it, which means left out in BFCL")
        return {name: [_in_lists(inner)] for name, inner in value.items()}
    if isinstance(value, list):
        return [_in_lists(inner) for inner in value]
    return value


def _holds_a_day(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_a_day, value.values()))
    if isinstance(value, list):
        return any(map(_holds_a_day, value))
    return isinstance(value, str) and is_iso(value) and value[2:3] != ":"


def _line(item: Mapping[str, Any]) -> bytes:
    return json.dumps(item, ensure_ascii=False).encode("utf-8", "backslashreplace")
