"""Read tools in OpenAI's form, and JSON Lines of what is said and which calls are right.

`tools.json` (or `tools` in each line): an array of `{"type": "function", "function": {name, description,
parameters}}`, or of the inner objects alone; a line may also name tools of the file. A line of `*.jsonl` has

- `messages`, as in OpenAI's chats and its format for fine-tuning, or the words alone as `prompt`, `text`,
  `query`, `question`, `utterance` or `input`;
- the right calls as `tool_calls`, `expected`, `expected_tool_calls`, `expected_calls` or `calls` (none is
  right: `[]`), or else as what the assistant calls in `messages` after the user's words. Arguments are an
  object or its JSON text; BFCL's `{function: {parameter: [accepted, …]}}` is read too;
- if it has them, `id`, `lang`, `reference_date`. A file that is called like a language (`hi.jsonl`) is in it.

Each turn of the user that calls follow is a task of its own. Calls in one message of the assistant are
parallel; where results stand between, they are sequential, the results are kept, and a value that stands in
one of them and in no words becomes a `$ref`. A system message is not said, so it is no turn; where it names
a day as today's, that is the reference date.
"""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.tasks.doors.chats import SYSTEM, expect_of, returned_by, said_until, segments_of, text_of
from voicebench.tasks.doors.collect import Collector, check_categories
from voicebench.tasks.doors.contract import UNKNOWN_LICENCE, Clip, Imported, NoTask, Wanted
from voicebench.tasks.doors.conversation import Said, check_said, conversation
from voicebench.tasks.doors.exact import exact_call
from voicebench.tasks.doors.gold import read_calls
from voicebench.tasks.doors.kinds import LANGUAGE_CODES, kind_of, language_code, language_of_script
from voicebench.tasks.doors.python_types import read_tool
from voicebench.tasks.doors.records import records
from voicebench.tasks.doors.source import Source
from voicebench.tasks.doors.vab import reference_date
from voicebench.types import Expect, GoldCall, TaskRow, Tool

TOOLS = "tools.json"
WORDS = ("prompt", "text", "query", "question", "utterance", "input")
RIGHT = ("tool_calls", "expected", "expected_tool_calls", "expected_calls", "calls")


@dataclass(frozen=True)
class _Example:
    """A task to be: what is said, and which calls are right."""

    said: tuple[Said, ...]
    expect: Expect
    known_results: str


def read(source: Source, wanted: Wanted) -> Imported:
    """Read every line of every file.

    Raises:
        UserError: There is no such file, or a file is broken.
    """
    check_categories(wanted, ())
    collector = Collector()
    files = source.files("*.jsonl", f"*{TOOLS}")
    lines = [path for path in files if path.name != TOOLS]
    if not lines:
        raise UserError(f"{source.name}: holds no *.jsonl. Beside it may lie a {TOOLS}")
    for path in lines:
        tools = _tools_beside(path, source)
        for place, item in records(path, source.where(path)):
            _read_line(place, item, tools, path, source, wanted, collector)
    return collector.imported()


def _tools_beside(path: Path, source: Source) -> dict[str, Tool]:
    found = next((one / TOOLS for one in (path.parent, path.parent.parent) if (one / TOOLS).is_file()), None)
    if found is None:
        return {}
    where = source.where(found)
    try:
        tools = [read_tool(raw) for _, raw in records(found, where, inside="tools")]
    except NoTask as reason:
        raise UserError(f"{where}: {reason}{f' ({reason.detail})' if reason.detail else ''}") from None
    return {tool.name: tool for tool in tools}


def _read_line(
    place: str,
    item: Mapping[str, Any],
    shared: Mapping[str, Tool],
    path: Path,
    source: Source,
    wanted: Wanted,
    collector: Collector,
) -> None:
    line = place.rpartition(":")[2] if ":" in place else place.rpartition("#")[2]
    own = str(item.get("id") or f"{path.stem}-{line}")
    try:
        tools = _tools(item, shared)
        examples = list(_examples(item, tools))
    except NoTask as reason:
        collector.skip(str(reason), f"{place} {own}" + (f" ({reason.detail})" if reason.detail else ""))
        return
    for number, example in enumerate(examples, start=1):
        name = own if len(examples) == 1 else f"{own}-{number}"

        def build(example: _Example = example, name: str = name) -> tuple[TaskRow, tuple[Clip, ...]]:
            return _task(item, name, example, tools, path, source, wanted), ()

        collector.add(f"{place} {name}", build)


def _tools(item: Mapping[str, Any], shared: Mapping[str, Tool]) -> tuple[Tool, ...]:
    raw = item.get("tools", item.get("functions"))
    if isinstance(raw, str):
        raw = _json(raw, "its tools are not JSON")
    if raw is None:
        raw = list(shared)
    if not isinstance(raw, list) or not raw:
        raise NoTask(f"it offers no tools, and there is no {TOOLS}")
    found = []
    for one in raw:
        if isinstance(one, str) and one not in shared:
            raise NoTask("it offers a tool that is not known", one)
        found.append(shared[one] if isinstance(one, str) else read_tool(one))
    return tuple({tool.name: tool for tool in found}.values())


def _json(text: str, reason: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise NoTask(reason, str(error)) from None


def _examples(item: Mapping[str, Any], tools: Sequence[Tool]) -> Iterator[_Example]:
    messages = _messages(item)
    stated = [item[key] for key in RIGHT if item.get(key) is not None]
    segments = segments_of(messages)
    if stated:
        calls = _stated(stated[0], tools)
        last = segments[-1].before
        yield _Example(said_until(messages, last), Expect(calls=calls), returned_by(segments[:-1]))
        return
    with_calls = [segment for segment in segments if segment.messages]
    for segment in with_calls or [segment for segment in segments[-1:] if segment.answered]:
        earlier = returned_by([one for one in segments if one.before < segment.before])
        said = said_until(messages, segment.before)
        yield _Example(said, expect_of(segment, tools, said), earlier)
    if not with_calls and not segments[-1].answered:
        raise NoTask("it does not say which calls are right")


def _messages(item: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    raw = item.get("messages")
    if isinstance(raw, str):
        raw = _json(raw, "its messages are not JSON")
    if raw is None:
        words = next((item[key] for key in WORDS if isinstance(item.get(key), str)), "")
        raw = [{"role": "user", "content": words}] if words else []
    if not isinstance(raw, list) or not all(isinstance(one, Mapping) for one in raw):
        raise NoTask("its messages are in a form that is not known")
    if not any(one.get("role") == "user" for one in raw):
        raise NoTask("the user says nothing")
    return raw


def _stated(raw: Any, tools: Sequence[Tool]) -> tuple[GoldCall, ...]:
    if isinstance(raw, str):
        raw = _json(raw, "its right calls are not JSON")
    listed = raw if isinstance(raw, list) else [raw]
    if listed and all(isinstance(one, Mapping) and not _is_plain_call(one) for one in listed):
        return read_calls(listed, tools)
    return tuple(exact_call(one, tools) for one in listed)


def _is_plain_call(call: Mapping[str, Any]) -> bool:
    return isinstance(call.get("function"), Mapping) or isinstance(call.get("name"), str)


def _task(
    item: Mapping[str, Any],
    own: str,
    example: _Example,
    tools: Sequence[Tool],
    path: Path,
    source: Source,
    wanted: Wanted,
) -> TaskRow:
    talk = dataclasses.replace(conversation(example.said), results=example.known_results)
    check_said(example.expect.calls or (), talk)
    lang = _language(item, path, [one.text for one in talk.said], wanted)
    if not wanted.lang(lang):
        raise NoTask("it is in another language than asked for", lang)
    return TaskRow(
        id=f"openai-{own}",
        task=kind_of(example.expect, tools=len(tools), turns=len(talk.said)),
        lang=lang,
        turns=talk.turns,
        tools=tuple(tools),
        expect=example.expect,
        reference_date=_today(item),
        meta={
            "source": "openai", "licence": str(item.get("licence") or item.get("license") or UNKNOWN_LICENCE),
            "review": "source", "id": own, "category": path.stem,
            **({"revision": source.revision} if source.revision else {}),
        },
    )  # fmt: skip


def _language(item: Mapping[str, Any], path: Path, texts: Sequence[str], wanted: Wanted) -> str:
    """Return the language: as the line says it, as the file is called, or by script and what is asked for."""
    stated = item.get("lang", item.get("language"))
    if isinstance(stated, str) and stated.strip():
        return language_code(stated)
    if path.stem in LANGUAGE_CODES.values():
        return path.stem
    return language_of_script(texts, wanted.langs[0] if wanted.langs and len(wanted.langs) == 1 else "en")


def _today(item: Mapping[str, Any]) -> str | None:
    stated = item.get("reference_date")
    if isinstance(stated, str) and stated:
        return stated
    messages = item.get("messages")
    listed = messages if isinstance(messages, list) else []
    system = [one for one in listed if isinstance(one, Mapping) and one.get("role") in SYSTEM]
    return next((day for one in system if (day := reference_date(text_of(one)))), None)
