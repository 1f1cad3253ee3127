"""Read Audio Arena: conversations of 25 to 75 turns that people recorded, and the calls that are due in them.

Established by the cards of `arcada-labs/{conversation,appointment,assistant,event,grocery,product}-bench`
(MIT) and by the harness's repository:

- `metadata.jsonl`, a line a recorded turn: `file_name` (`real_audio/person1/turn_000.wav`, from the top),
  `turn_id` (from 0), `speaker`, `input_text` (what is said), `golden_text` (what a right agent answers),
  `required_function_call`, `function_call_response` (JSON as text, or null), `categories` (a list as text).
- `benchmark/turns.json`, an array of the same turns with synthetic speech: `input`, `golden_text`,
  `required_function_call` ({name, args}, a list of such, or null), `function_call_response`, `categories`,
  `audio_file` (`audio/turn_000.wav`).
- A turn may ask for several calls; there may be another number of responses than of calls.

Assumed, for no card says it: the tools' schemas lie in `benchmark/tool_schemas.json` (an array; in OpenAI's
form, bare, or with `properties` and `required` beside the name), and the order of several calls does not
count. Without that file the door says so and stops.

What is due in a turn is one task: the conversation up to it, with the right answers of the assistant between.
The system prompt and the knowledge base of a bench are not read, for prompts here are our own.
"""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.tasks.doors.collect import TWICE, Collector, check_categories
from voicebench.tasks.doors.contract import Clip, Imported, NoTask, Wanted
from voicebench.tasks.doors.conversation import Conversation, Said, check_said, conversation
from voicebench.tasks.doors.exact import exact_call
from voicebench.tasks.doors.kinds import kind_of
from voicebench.tasks.doors.python_types import read_tool
from voicebench.tasks.doors.records import records
from voicebench.tasks.doors.source import Source
from voicebench.types import Expect, ModelRef, TaskRow, Tool, VoiceRef

LICENCE = "MIT"
LANG = "en"
METADATA, TURNS, TOOLS = "metadata.jsonl", "turns.json", "tool_schemas.json"
SYNTHETIC = "synthetic"
"""What the speaker of synthetic speech is called."""

_RECORDED = "real_audio"
_INSIDE = "benchmark"
_BROKEN_TURN = "its turn_id or its words are missing"


@dataclass(frozen=True)
class _Turn:
    """What the source says of one turn of the user and of the right answer to it."""

    number: int
    text: str
    answer: str
    calls: tuple[Any, ...]
    responses: tuple[Any, ...]
    labels: tuple[str, ...]
    sound: str | None
    place: str


@dataclass(frozen=True)
class _Bench:
    """The conversation of one bench, as one speaker says it."""

    name: str
    speaker: str
    tools: tuple[Tool, ...]
    turns: Mapping[int, _Turn]
    file: Path


def read(source: Source, wanted: Wanted) -> Imported:
    """Read every turn of every bench that is there, of the wanted speakers or of the first one.

    Raises:
        UserError: There is no such file, a file is broken, the tools are missing, or a speaker is unknown.
    """
    collector = Collector()
    files = source.files(f"*/{METADATA}", f"*/{TURNS}", f"*/{TOOLS}")
    benches: dict[Path, Path] = {}
    for path in files:
        if path.name != TOOLS and (path.name == METADATA or _top(path) not in benches):
            benches[_top(path)] = path
    if not benches:
        raise UserError(f"{source.name}: holds no {METADATA} and no {_INSIDE}/{TURNS}")
    spoken = [bench for path in benches.values() for bench in _benches(source, path, collector)]
    check_categories(wanted, sorted({bench.speaker for bench in spoken}))
    taken: set[str] = set()
    for bench in spoken:
        if not wanted.lang(LANG) or not wanted.category(bench.speaker):
            continue
        if wanted.categories is None and bench.name in taken:
            for turn in bench.turns.values():
                collector.skip("another speaker says the same; --category SPEAKER reads it", turn.place)
            continue
        taken.add(bench.name)
        for turn in bench.turns.values():

            def build(bench: _Bench = bench, turn: _Turn = turn) -> tuple[TaskRow, tuple[Clip, ...]]:
                return _task(bench, turn, source)

            collector.add(turn.place, build)
    return collector.imported()


def _top(path: Path) -> Path:
    """Return the top of the bench that a file is of."""
    return path.parent.parent if path.parent.name == _INSIDE else path.parent


def _benches(source: Source, path: Path, collector: Collector) -> Iterator[_Bench]:
    """Yield the conversation of a file once for each speaker, in their order."""
    spoken: dict[str, dict[int, _Turn]] = {}
    for line, (place, item) in enumerate(records(path, source.where(path))):
        speaker = str(item.get("speaker") or SYNTHETIC)
        try:
            turn = _turn(item, line, f"{place} {speaker}")
        except NoTask as reason:
            collector.skip(str(reason), place)
            continue
        turns = spoken.setdefault(speaker, {})
        if turn.number in turns:
            collector.skip(TWICE, f"{place} (turn {turn.number} of {speaker})")
        else:
            turns[turn.number] = turn
    tools = _tools(source, path)
    name = _bench_name(source, path)
    for speaker, turns in spoken.items():
        yield _Bench(name, speaker, tools, turns, path)


def _bench_name(source: Source, path: Path) -> str:
    """Return what a bench is called: its folder, or the name of the data set on the hub."""
    inside = Path(source.where(path))
    return _top(inside if inside.parent.name else path.resolve()).name.removesuffix("-bench")


def _turn(item: Mapping[str, Any], line: int, place: str) -> _Turn:
    number = item.get("turn_id", line if "input" in item else None)
    text = item.get("input_text", item.get("input"))
    if not isinstance(number, int) or not isinstance(text, str) or not text.strip():
        raise NoTask(_BROKEN_TURN)
    sound = item.get("file_name", item.get("audio_file"))
    return _Turn(
        number=number,
        text=text,
        answer=str(item.get("golden_text") or ""),
        calls=_several(item.get("required_function_call")),
        responses=_several(item.get("function_call_response")),
        labels=_labels(item.get("categories")),
        sound=sound if isinstance(sound, str) and sound else None,
        place=place,
    )


def _several(raw: Any) -> tuple[Any, ...]:
    """Return an object, a list of them, either as JSON text, or nothing, as a tuple."""
    if isinstance(raw, str):
        try:
            raw = json.loads(raw) if raw.strip() else None
        except ValueError as error:
            raise NoTask("a call or a response is not JSON", str(error)) from None
    return () if raw is None else tuple(raw) if isinstance(raw, list) else (raw,)


def _labels(raw: Any) -> tuple[str, ...]:
    names = raw.split(",") if isinstance(raw, str) else raw if isinstance(raw, list) else []
    return tuple(name for one in names if (name := str(one).strip()))


def _tools(source: Source, path: Path) -> tuple[Tool, ...]:
    top = _top(path)
    found = next((one for one in (top / _INSIDE / TOOLS, top / TOOLS) if one.is_file()), None)
    if found is None:
        raise UserError(
            f"{source.where(path)}: there is no {_INSIDE}/{TOOLS} beside it, so no tools to offer. "
            "Write one in OpenAI's form; the harness of Audio Arena has them in benchmarks/NAME/tools.py"
        )
    where = source.where(found)
    try:
        return tuple(_tool(raw) for _, raw in records(found, where, inside="tools"))
    except NoTask as reason:
        raise UserError(f"{where}: {reason}{f' ({reason.detail})' if reason.detail else ''}") from None


def _tool(raw: Mapping[str, Any]) -> Tool:
    inner = raw["function"] if isinstance(raw.get("function"), Mapping) else raw
    if "parameters" not in inner and isinstance(inner.get("properties"), Mapping):
        inner = {
            **inner,
            "parameters": {
                "type": "object",
                "properties": inner["properties"],
                "required": inner.get("required") or [],
            },
        }
    return read_tool(inner)


def _task(bench: _Bench, turn: _Turn, source: Source) -> tuple[TaskRow, tuple[Clip, ...]]:
    before = [bench.turns.get(number) for number in range(turn.number)]
    if None in before:
        raise NoTask("an earlier turn of its conversation is missing")
    earlier = [one for one in before if one is not None]
    calls = tuple(exact_call(raw, bench.tools) for raw in turn.calls)
    talk = _conversation(earlier, turn)
    check_said(calls, talk)
    # A lone call that is answered twice, which happens, has no known result.
    results = turn.responses if calls and len(turn.responses) == len(calls) else None
    expect = Expect(calls=calls, results=results)
    row = TaskRow(
        id=f"arena-{bench.name}-{bench.speaker}-{turn.number:03d}",
        task=kind_of(expect, tools=len(bench.tools), turns=len(talk.said)),
        lang=LANG,
        turns=talk.turns,
        tools=bench.tools,
        expect=expect,
        meta={
            "source": "audio-arena", "licence": LICENCE, "review": "source",
            "id": f"{bench.name}#{turn.number}", "category": bench.speaker, "labels": list(turn.labels),
            **({"revision": source.revision} if source.revision else {}),
        },
    )  # fmt: skip
    return row, tuple(_clips(row, talk, bench, source))


def _conversation(earlier: Sequence[_Turn], turn: _Turn) -> Conversation:
    parts: list[Said] = []
    for one in earlier:
        parts += [Said("user", one.text, one.sound), Said("assistant", one.answer)]
    talk = conversation([*parts, Said("user", turn.text, turn.sound)])
    # What earlier calls returned is not said, so no right value may stand there alone.
    returned = "\n".join(json.dumps(item, ensure_ascii=False) for one in earlier for item in one.responses)
    return dataclasses.replace(talk, results=returned)


def _clips(row: TaskRow, talk: Conversation, bench: _Bench, source: Source) -> Iterator[Clip]:
    for index, said in enumerate(talk.said):
        if said.sound is None:
            continue

        def sound(inside: str = said.sound) -> Path:
            return source.file(inside, near=bench.file)

        recorded = _RECORDED in Path(said.sound).parts
        yield Clip(
            task_id=row.id, turn=index, lang=LANG, spoken_text=said.text, sound=sound,
            synthesizer=ModelRef(name="human" if recorded else "Audio Arena", revision=source.revision),
            voice=VoiceRef(id=f"{bench.name}/{bench.speaker}", source="Audio Arena", licence=LICENCE),
        )  # fmt: skip
