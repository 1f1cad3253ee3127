"""Read API-Bank, level 1: a dialogue, and the one call that is due at its end.

`json_test_data/level-1-api.json` is an array of `file`, `id` (of the dialogue's line), `instruction` (with
the tools, a JSON object a line), `input` (lines `User: …` and `AI: …`, and earlier calls as
`API-Request: […]->result`) and `expected_output` (`API-Request: [Name(key='value', …)]`). All values are
written as strings, whatever the tool's types; some hold quotes of the same kind, so that they are no Python.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voicebench.errors import UserError
from voicebench.scoring.schema import compiled_parameters, types_of
from voicebench.tasks.doors.collect import Collector
from voicebench.tasks.doors.contract import Clip, Imported, NoTask, Wanted
from voicebench.tasks.doors.conversation import Said, check_said, conversation
from voicebench.tasks.doors.kinds import kind_of
from voicebench.tasks.doors.python_types import read_tool
from voicebench.tasks.doors.records import records
from voicebench.tasks.doors.source import Source
from voicebench.types import Expect, GoldCall, TaskRow, Tool

LICENCE = "MIT"
LANG = "en"
FILE = "level-1-api.json"

_TOOLS = "API descriptions:"
_CALL = re.compile(r"API-Request:\s*\[\s*(?P<name>[\w.]+)\s*\((?P<arguments>.*)\)\s*\]?\s*$", re.DOTALL)
_SPEAKER = re.compile(r"^(User|AI|API-Request|Generate API Request):", re.MULTILINE)
_YEAR = re.compile(r"current year is (\d{4})", re.IGNORECASE)
_BAD_CALL = "its right call cannot be read"
_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,),
    "object": (dict,), "null": (),
}  # fmt: skip


def read(source: Source, wanted: Wanted) -> Imported:
    """Read the test items of level 1.

    Raises:
        UserError: There is no such file, or it is broken.
    """
    collector = Collector()
    paths = source.files(f"*/{FILE}")
    if not paths:
        raise UserError(f"{source.name}: holds no {FILE}")
    for path in paths:
        for place, item in records(path, source.where(path)):

            def build(item: Mapping[str, Any] = item) -> tuple[TaskRow, tuple[Clip, ...]]:
                return _task(item, source), ()

            if wanted.lang(LANG):
                collector.add(f"{place} {item.get('file', '')} {item.get('id', '')}".rstrip(), build)
    return collector.imported()


def _task(item: Mapping[str, Any], source: Source) -> TaskRow:
    for key in ("file", "instruction", "input", "expected_output"):
        if not isinstance(item.get(key), str):
            raise NoTask(f"it has no {key}")
    tools = tuple(read_tools(item["instruction"]))
    call = read_call(item["expected_output"], tools)
    talk = conversation(_said(item["input"]))
    check_said([call], talk)
    expect = Expect(calls=(call,))
    dialogue = item["file"].removesuffix(".jsonl")
    return TaskRow(
        id=f"api-bank-{dialogue}-{item.get('id', 0)}",
        task=kind_of(expect, tools=len(tools), turns=len(talk.said)),
        lang=LANG,
        turns=talk.turns,
        tools=tools,
        expect=expect,
        reference_date=reference_date(item["instruction"]),
        meta={
            "source": "api-bank", "licence": LICENCE, "review": "source",
            "id": f"{item['file']}#{item.get('id', 0)}", "category": "level-1",
            **({"revision": source.revision} if source.revision else {}),
        },
    )  # fmt: skip


def reference_date(instruction: str) -> str | None:
    """Return the first day of the year that an instruction names, the only thing it says of today."""
    found = _YEAR.search(instruction)
    return f"{found[1]}-01-01" if found else None


def read_tools(instruction: str) -> Iterator[Tool]:
    """Yield the tools that an instruction describes, a JSON object a line.

    Raises:
        NoTask: There are none, or one is broken.
    """
    _, found, rest = instruction.partition(_TOOLS)
    lines = [line for line in rest.splitlines() if line.strip()]
    if not found or not lines:
        raise NoTask("its instruction describes no tools")
    for line in lines:
        try:
            raw = json.loads(line)
        except ValueError as error:
            raise NoTask("a tool is not JSON", str(error)) from None
        yield read_tool(raw)


def read_call(text: str, tools: Sequence[Tool]) -> GoldCall:
    """Return the call of `API-Request: [Name(key='value', …)]`, its values as the tool's types want them.

    Raises:
        NoTask: It is no such call, names an unknown tool or parameter, or a value does not fit its type.
    """
    found = _CALL.search(text)
    if found is None:
        raise NoTask(_BAD_CALL)
    tool = next((tool for tool in tools if tool.name == found["name"]), None)
    if tool is None:
        raise NoTask("a right call names a tool that is not offered", found["name"])
    known = compiled_parameters(tool).properties
    values = {
        name: [_typed(value, types_of(known[name]), f"{tool.name}.{name}")]
        for name, value in _arguments(found["arguments"], list(known)).items()
    }
    return GoldCall(name=tool.name, arguments=values)


def _arguments(text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the arguments as written, without their quotes; the names of parameters part them.

    The quotes inside a value may be those around it, so no parser of Python can tell where it ends.
    """
    if not text.strip():
        return {}
    if not names:
        raise NoTask(_BAD_CALL)
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    starts = list(re.finditer(rf"(?:^|,)\s*({either})\s*=\s*(?=['\"])", text))
    if not starts or text[: starts[0].start()].strip():
        raise NoTask(_BAD_CALL, text[:80])
    ends = [start.start() for start in starts[1:]] + [len(text)]
    found = {}
    for start, end in zip(starts, ends, strict=True):
        value = text[start.end() : end].strip()
        if len(value) < 2 or value[0] != value[-1] or value[0] not in "'\"" or start[1] in found:
            raise NoTask(_BAD_CALL, text[:80])
        found[start[1]] = value[1:-1]
    return found


def _typed(text: str, types: frozenset[str], where: str) -> Any:
    """Return a value written as a string as what a parameter takes."""
    if "string" in types:
        # An escaped quote is the quote; other escapes are taken as they are written.
        return text.replace("\\'", "'").replace('\\"', '"')
    try:
        value = json.loads(text)
    except ValueError:
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = text
    if "array" in types and isinstance(value, str | tuple):
        # One name where a list is asked for, and several in a row, are a list.
        value = [part.strip() for part in value.split(",")] if isinstance(value, str) else list(value)
    if not any(isinstance(value, kind) for name in types for kind in _KINDS[name]) or (
        isinstance(value, bool) and "boolean" not in types
    ):
        raise NoTask("a right value does not fit the type of its parameter", where)
    return value


def _said(text: str) -> Iterator[Said]:
    """Yield who says what; a call between two lines belongs to the turn before it."""
    starts = list(_SPEAKER.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    for start, end in zip(starts, ends, strict=True):
        words = text[start.end() : end].strip()
        if start[1] == "API-Request":
            yield Said("assistant", f"API-Request: {words}")
        elif start[1] in ("User", "AI"):
            yield Said("user" if start[1] == "User" else "assistant", words)
