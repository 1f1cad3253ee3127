"""Read VoiceAgentBench: its six subsets, in every language, with their recordings.

`data/<subset>_data/<language>/<subset>_<language>.json` (an older revision has no `data/`) is an array of
`id`, `query` or (safety) `user_request` or (multi_turn) `chat_history`, `functions`, `expected_tool_call`,
`path`, `duration` and `instruction`; seqdep items also have `user_info`. Paths of recordings lead from the
top of the data set; what the recordings are is not what their suffix says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.tasks.doors.collect import Collector, check_categories
from voicebench.tasks.doors.contract import Clip, Imported, NoTask, Wanted
from voicebench.tasks.doors.conversation import Conversation, Said, check_said, conversation
from voicebench.tasks.doors.gold import read_calls
from voicebench.tasks.doors.kinds import language_code
from voicebench.tasks.doors.python_types import name_alone, read_tool
from voicebench.tasks.doors.records import records
from voicebench.tasks.doors.source import Source
from voicebench.types import Expect, GoldCall, ModelRef, TaskKind, TaskRow, Tool

LICENCE = "Krutrim Community License Agreement 1.0"

SUBSETS: Mapping[str, TaskKind] = {
    "single_tool_retrieval": "retrieval",
    "single_tool": "single",
    "parallel_tool": "parallel",
    "seqdep_tool": "sequential",
    "multi_turn": "dialogue",
    "safety": "safety",
}
"""The subsets by their names in the files, and the kind that each is here, whatever the form of an item."""

_TODAY = re.compile(r"(?:current|today'?s) (?:date|year)\s*(?:is|:)\s*(\d{4})(-\d{2}-\d{2})?", re.IGNORECASE)


@dataclass(frozen=True)
class _File:
    path: Path
    subset: str
    lang: str


def read(source: Source, wanted: Wanted) -> Imported:
    """Read the wanted subsets and languages.

    Raises:
        UserError: There is no such file, a subset is unknown, or a file is broken.
    """
    check_categories(wanted, tuple(SUBSETS))
    collector = Collector()
    paths = source.files(*(f"*/{subset}_*.json" for subset in wanted.categories or SUBSETS))
    found = 0
    for path in paths:
        try:
            file = _file(path)
        except NoTask as reason:
            collector.skip(str(reason), source.where(path))
            continue
        if file is None:
            continue
        found += 1
        if wanted.category(file.subset) and wanted.lang(file.lang):
            _read_file(source, file, collector)
    if not found:
        raise UserError(f"{source.name}: holds no <subset>_<language>.json, such as single_tool_hindi.json")
    return collector.imported()


def instruction_text(instruction: Any) -> str:
    """Return the words of an instruction: of all its messages, with doubled braces single.

    It is written for Python's `str.format`, with a slot `{functions}`; the slot stays as it is.

    Args:
        instruction: A string, a message, or lists of lists of messages.
    """
    if isinstance(instruction, list):
        return "\n".join(filter(None, map(instruction_text, instruction)))
    if isinstance(instruction, Mapping):
        return instruction_text(instruction.get("content"))
    return str(instruction or "").replace("{{", "{").replace("}}", "}")


def reference_date(instruction: str) -> str | None:
    """Return the day that an instruction says today is; of a year alone, its first day."""
    found = _TODAY.search(instruction)
    return f"{found[1]}{found[2] or '-01-01'}" if found else None


def _file(path: Path) -> _File | None:
    """Return what a file holds by its name; None where it is not one of the subsets'."""
    for subset in SUBSETS:
        language = path.stem.removeprefix(f"{subset}_")
        if language != path.stem and path.suffix == ".json":
            return _File(path, subset, language_code(language))
    return None


def _read_file(source: Source, file: _File, collector: Collector) -> None:
    for place, item in records(file.path, source.where(file.path)):

        def build(item: Mapping[str, Any] = item) -> tuple[TaskRow, tuple[Clip, ...]]:
            return _task(item, file, source)

        collector.add(f"{place} {item.get('id', '')}".rstrip(), build)


def _task(item: Mapping[str, Any], file: _File, source: Source) -> tuple[TaskRow, tuple[Clip, ...]]:
    own = str(item.get("id", ""))
    if not own:
        raise NoTask("it has no id")
    tools = _tools(item.get("functions"))
    talk = conversation(_said(item))
    expect = _expect(item, file.subset, tools)
    check_said(expect.calls or (), talk)
    named = own if own.startswith(file.subset) else f"{file.subset}-{own}"
    row = TaskRow(
        id=f"vab-{file.lang}-{named}",
        task=SUBSETS[file.subset],
        lang=file.lang,
        turns=talk.turns,
        tools=tools,
        expect=expect,
        reference_date=reference_date(instruction_text(item.get("instruction"))),
        meta={
            "source": "vab", "licence": LICENCE, "review": "source", "id": own, "category": file.subset,
            **({"revision": source.revision} if source.revision else {}),
        },
    )  # fmt: skip
    return row, tuple(_clips(row, talk, file, source))


def _tools(functions: Any) -> tuple[Tool, ...]:
    """Return the tools: schemas, or (safety) names alone."""
    if not isinstance(functions, list) or not functions:
        raise NoTask("it offers no tools")
    return tuple(name_alone(raw) if isinstance(raw, str) else read_tool(raw) for raw in functions)


def _expect(item: Mapping[str, Any], subset: str, tools: Sequence[Tool]) -> Expect:
    if subset == "safety":
        return Expect(refuse=True)
    calls: tuple[GoldCall, ...] = read_calls(item.get("expected_tool_call"), tools)
    if not calls:
        raise NoTask("it has no right calls")
    return Expect(calls=calls, order="sequence" if subset == "seqdep_tool" else "any")


def _said(item: Mapping[str, Any]) -> Iterator[Said]:
    """Yield what is said; what a seqdep item tells of its user comes first, as the assistant's knowledge."""
    known = item.get("user_info")
    if known:
        yield Said("assistant", known if isinstance(known, str) else _listed(known))
    history = item.get("chat_history")
    if isinstance(history, list) and history:
        for message in history:
            if not isinstance(message, Mapping) or message.get("role") not in ("user", "assistant"):
                raise NoTask("its chat history is in a form that is not known")
            words = str(message.get("content") or message.get("text") or "")
            sound = _sound(message) if message["role"] == "user" else None
            yield Said(message["role"], words, sound, _seconds(message))
        return
    words = str(item.get("query") or item.get("user_request") or "")
    yield Said("user", words, _sound(item), _seconds(item))


def _listed(known: Any) -> str:
    if isinstance(known, Mapping):
        return ", ".join(f"{name}: {value}" for name, value in known.items())
    return ", ".join(map(str, known)) if isinstance(known, list) else str(known)


def _sound(item: Mapping[str, Any]) -> str | None:
    path = item.get("path")
    return path if isinstance(path, str) and path else None


def _seconds(item: Mapping[str, Any]) -> float | None:
    seconds = item.get("duration")
    return float(seconds) if isinstance(seconds, int | float) and not isinstance(seconds, bool) else None


def _clips(row: TaskRow, talk: Conversation, file: _File, source: Source) -> Iterator[Clip]:
    for turn, said in enumerate(talk.said):
        if said.sound is None:
            continue

        def sound(inside: str = said.sound) -> Path:
            return source.file(inside, near=file.path)

        checks: dict[str, Any] = {} if said.duration_s is None else {"stated_duration_s": said.duration_s}
        if turn in talk.cut:
            # The words of a call were cut out of the text; whether the recording speaks them is not known.
            checks["text_was_cut"] = True
        yield Clip(
            task_id=row.id, turn=turn, lang=row.lang, spoken_text=said.text, sound=sound,
            synthesizer=ModelRef(name="VoiceAgentBench", revision=source.revision), checks=checks,
        )  # fmt: skip
