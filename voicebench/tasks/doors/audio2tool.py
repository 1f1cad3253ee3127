"""Read Audio2Tool: short English commands to a car, a home and wearables, each said by synthetic speakers.

Established by the card of `RVtech/Audio2Tool` (CC-BY-NC-4.0), by its project's loader and by others' loaders
that state the fields they found:

- `public/TIER_data/TIER.json`, an array, an item a recording: `id`, `tier`, `query_idx` (the same for all
  recordings of one command), `query`, `domain`, `category`, `tool_name`, `expected_tool_call`
  (`setFan(level=3, zone='Rear')`), `extracted_params` (the same as an object), `additional_tool_calls`,
  `functions` (what is offered), `path` (from `public/`), `duration`, `speaker_id`, `speaker_idx`,
  `speaker_source`. In `tier7_multiturn` what is said stands in `chat_history`, `{role: user|agent, content}`.
- A later layout, `TIER/metadata.jsonl`, names them `tool_call` and `audio` (from the tier's folder), and
  says in `speech_synthesis_success` where there is no recording. Objects and lists may be text in Python.
- `tools_registry.csv`: `tool_name`, `signature`, `description`, `domain`, `argument_defaults`,
  `argument_constraints`.
- In `tier1_direct` the arguments are not part of what is right, though their tools have parameters.

Assumed: `functions` holds objects with the columns of the registry (or JSON Schema in `parameters`); a
signature is a head of a Python function; further calls are texts of calls, or objects with `tool_name` and
`extracted_params`; the order of calls does not count. An item that does not fit is left out and says why.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.scoring.offered import Offered
from voicebench.tasks.doors.collect import Collector, check_categories
from voicebench.tasks.doors.contract import Clip, Imported, NoTask, Wanted
from voicebench.tasks.doors.conversation import Conversation, Said, conversation
from voicebench.tasks.doors.exact import with_values
from voicebench.tasks.doors.kinds import kind_of
from voicebench.tasks.doors.loose_calls import read_calls
from voicebench.tasks.doors.python_types import read_tool
from voicebench.tasks.doors.records import records
from voicebench.tasks.doors.signatures import literal, tool_of_signature
from voicebench.tasks.doors.source import Source
from voicebench.types import Expect, GoldCall, ModelRef, TaskRow, Tool, VoiceRef

LICENCE = "CC-BY-NC-4.0"
LANG = "en"
NAMES_ALONE = "tier1_direct"
TIERS = (
    NAMES_ALONE, "tier2_parametric", "tier3_multi_intent", "tier4_implicit", "tier5_needle",
    "tier6_correction", "tier7_multiturn", "tier8_intent_blending",
)  # fmt: skip
"""The parts of the set."""

REGISTRY = "tools_registry.csv"
ANOTHER_SPEAKER = "another speaker says the same words"

_ROLES = {"user": "user", "agent": "assistant", "assistant": "assistant"}
_USERS_FILE = re.compile(r"turn_\d+_user\b|_user_")


def read(source: Source, wanted: Wanted) -> Imported:
    """Read the wanted tiers: each command once, as the first speaker says it.

    Raises:
        UserError: There is no such file, a tier is unknown, or a file is broken.
    """
    check_categories(wanted, TIERS)
    collector = Collector()
    tiers = [tier for tier in TIERS if wanted.category(tier)]
    patterns = [pattern for tier in tiers for pattern in (f"*/{tier}.json", f"*/{tier}/metadata.jsonl")]
    files = [
        (path, tier) for path in source.files(f"*/{REGISTRY}", *patterns) if (tier := _tier(path)) in tiers
    ]
    if not files:
        raise UserError(f"{source.name}: holds no public/TIER_data/TIER.json of {', '.join(tiers)}")
    if wanted.lang(LANG):
        for path, tier in files:
            _read_file(source, path, tier, _registry(path), collector)
    return collector.imported()


def _tier(path: Path) -> str:
    """Return the tier that a file holds by its name or its folder's; "" for other files."""
    return next(
        (tier for tier in TIERS if tier in (path.stem, path.parent.name) and path.suffix != ".csv"), ""
    )


def _read_file(
    source: Source, path: Path, tier: str, registry: Sequence[Mapping[str, str]], collector: Collector
) -> None:
    seen: set[Any] = set()
    for place, item in records(path, source.where(path)):
        query = item.get("query_idx", item.get("id"))
        place = f"{place} {query}"
        if query in seen and item.get("speaker_idx", item.get("speaker_id")) is not None:
            collector.skip(ANOTHER_SPEAKER, place)
            continue
        seen.add(query)

        def build(item: Mapping[str, Any] = item, query: Any = query) -> tuple[TaskRow, tuple[Clip, ...]]:
            return _task(item, query, tier, registry, path, source)

        collector.add(place, build)
        _note_lost_recordings(item, place, collector)


def _registry(path: Path) -> list[Mapping[str, str]]:
    """Return the lines of the table of tools that lies above a file; none where there is none."""
    found = next(
        (folder / REGISTRY for folder in list(path.parents)[:4] if (folder / REGISTRY).is_file()), None
    )
    if found is None:
        return []
    try:
        text = found.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{found}: cannot be read ({error})") from None
    return [row for row in csv.DictReader(io.StringIO(text)) if str(row.get("deprecated")).lower() != "true"]


def _task(
    item: Mapping[str, Any],
    query: Any,
    tier: str,
    registry: Sequence[Mapping[str, str]],
    path: Path,
    source: Source,
) -> tuple[TaskRow, tuple[Clip, ...]]:
    if query is None:
        raise NoTask("it has no id")
    tools = _tools(item, registry)
    if tier == NAMES_ALONE:
        tools = tuple(map(_without_required, tools))
    calls = tuple(_right(item, tools, names_alone=tier == NAMES_ALONE))
    talk = conversation(_said(item))
    expect = Expect(calls=calls)
    row = TaskRow(
        id=f"a2t-{tier.partition('_')[0]}-{query}",
        task=kind_of(expect, tools=len(tools), turns=len(talk.said)),
        lang=LANG,
        turns=talk.turns,
        tools=tools,
        expect=expect,
        meta={
            "source": "audio2tool", "licence": LICENCE, "review": "source", "id": str(item.get("id", query)),
            "category": tier, "domain": str(item.get("domain") or ""),
            **({"gold": "names alone"} if tier == NAMES_ALONE else {}),
            **({"revision": source.revision} if source.revision else {}),
        },
    )  # fmt: skip
    return row, tuple(_clips(row, talk, item, path, source))


def _tools(item: Mapping[str, Any], registry: Sequence[Mapping[str, str]]) -> tuple[Tool, ...]:
    """Return what is offered: the item's own tools, or else the registry's of its domain."""
    own = literal(item.get("functions"))
    raw = own if isinstance(own, list) else [own] if isinstance(own, Mapping) else []
    if not raw:
        named = {str(item.get("tool_name"))}
        domains = {row.get("domain") for row in registry if row.get("tool_name") in named} | {
            item.get("domain")
        }
        raw = [row for row in registry if row.get("domain") in domains]
    if not raw:
        raise NoTask("it offers no tools, and there is no table of tools")
    by_name = {row.get("tool_name"): row for row in registry}
    found = [_tool(one if isinstance(one, Mapping) else by_name.get(str(one))) for one in raw]
    return tuple({tool.name: tool for tool in found}.values())


def _tool(raw: Mapping[str, Any] | None) -> Tool:
    if raw is None:
        raise NoTask("a tool stands in no table of tools")
    if isinstance(raw.get("function"), Mapping) or isinstance(raw.get("parameters"), Mapping):
        return read_tool(raw)
    signature = str(raw.get("signature") or raw.get("tool_name") or raw.get("name") or "")
    said = [str(raw.get("description") or "").strip()]
    if raw.get("argument_constraints"):
        said.append(f"Constraints: {raw['argument_constraints']}")
    if "(" not in signature:
        signature += "()"
    return tool_of_signature(signature, " ".join(filter(None, said)), raw.get("argument_defaults"))


def _without_required(tool: Tool) -> Tool:
    kept = {key: value for key, value in tool.parameters.items() if key != "required"}
    return tool.model_copy(update={"parameters": kept})


def _right(item: Mapping[str, Any], tools: Sequence[Tool], *, names_alone: bool) -> Iterator[GoldCall]:
    written = list(read_calls(str(item.get("expected_tool_call") or item.get("tool_call") or "")))
    name = str(item.get("tool_name") or (written[0][0] if written else ""))
    if not name:
        raise NoTask("it has no right calls")
    if names_alone:
        yield GoldCall(name=_known(name, tools).name)
        return
    values = literal(item.get("extracted_params"))
    first = values if isinstance(values, Mapping) else written[0][1] if written else {}
    yield _call(name, first, tools)
    further = literal(item.get("additional_tool_calls"))
    if further in (None, "", {}):
        further = []
    listed = further if isinstance(further, list) else [further]
    # Several calls may also stand in one text, the first of which is the tool's own.
    for one in listed or written[1:]:
        yield _further(one, tools)


def _further(raw: Any, tools: Sequence[Tool]) -> GoldCall:
    if isinstance(raw, tuple):
        return _call(raw[0], raw[1], tools)
    if isinstance(raw, Mapping):
        values = next(
            (raw[key] for key in ("extracted_params", "arguments", "parameters", "args") if key in raw), None
        )
        name = raw.get("tool_name", raw.get("name"))
        if values is not None and isinstance(name, str):
            return _call(name, literal(values), tools)
        raw = raw.get("expected_tool_call", raw.get("tool_call", name))
    if "(" not in str(raw):
        tool = _known(str(raw), tools)
        if tool.parameters["properties"]:
            raise NoTask("of a further call only the name is known", tool.name)
        return GoldCall(name=tool.name)
    found = list(read_calls(str(raw)))
    if len(found) != 1:
        raise NoTask("a further right call is not one call", str(raw)[:80])
    return _call(found[0][0], found[0][1], tools)


def _known(name: str, tools: Sequence[Tool]) -> Tool:
    tool = Offered(tools).get(name)
    if tool is None:
        raise NoTask("a right call names a tool that is not offered", name)
    return tool


def _call(name: str, values: Any, tools: Sequence[Tool]) -> GoldCall:
    if not isinstance(values, Mapping):
        raise NoTask("its right call cannot be read", name)
    tool = _known(name, tools)
    properties = tool.parameters["properties"]
    return with_values(tool, {key: _typed(value, properties.get(key, {})) for key, value in values.items()})


def _typed(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value as its parameter's type wants it: a number may be written as text, and back."""
    wanted = schema.get("type")
    if wanted in ("integer", "number", "boolean", "array", "object") and isinstance(value, str):
        return literal(value.lower() if wanted == "boolean" else value)
    if wanted == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


def _said(item: Mapping[str, Any]) -> Iterator[Said]:
    history = literal(item.get("chat_history"))
    if not isinstance(history, list) or not history:
        paths = _paths(item)
        sound = paths[0] if len(paths) == 1 else None
        yield Said("user", str(item.get("query") or ""), sound, _seconds(item))
        return
    for message, own in zip(history, _sounds_of_turns(item, history), strict=True):
        role = _ROLES.get(str(message.get("role"))) if isinstance(message, Mapping) else None
        if role is None:
            raise NoTask("its chat history is in a form that is not known")
        words = str(message.get("content") or message.get("text") or "")
        yield Said("user", words, own) if role == "user" else Said("assistant", words)


def _paths(item: Mapping[str, Any]) -> list[str]:
    if item.get("speech_synthesis_success") is False:
        return []
    raw = literal(item.get("path") or item.get("audio"))
    return [raw] if isinstance(raw, str) else [str(one) for one in raw] if isinstance(raw, list) else []


def _sounds_of_turns(item: Mapping[str, Any], history: Sequence[Any]) -> list[str | None]:
    """Return the recording of each message, None where there is none or it is not clear which it is."""
    own = [one.get("path") or one.get("audio") if isinstance(one, Mapping) else None for one in history]
    if any(own):
        return [str(one) if one else None for one in own]
    paths = _paths(item)
    users = [at for at, one in enumerate(history) if isinstance(one, Mapping) and one.get("role") == "user"]
    marked = [path for path in paths if _USERS_FILE.search(path)]
    if len(paths) == len(history) and not marked:
        return list(paths)
    chosen = marked or paths
    found: list[str | None] = [None] * len(history)
    if len(chosen) == len(users):
        for at, path in zip(users, chosen, strict=True):
            found[at] = path
    return found


def _note_lost_recordings(item: Mapping[str, Any], place: str, collector: Collector) -> None:
    """Note that the recordings of a dialogue cannot be laid to its turns; its text is a task all the same."""
    history = literal(item.get("chat_history"))
    if isinstance(history, list) and _paths(item) and not any(_sounds_of_turns(item, history)):
        collector.skip("its recordings cannot be told apart by turn, so it is read without them", place)


def _seconds(item: Mapping[str, Any]) -> float | None:
    seconds = item.get("duration")
    return float(seconds) if isinstance(seconds, int | float) and not isinstance(seconds, bool) else None


def _clips(
    row: TaskRow, talk: Conversation, item: Mapping[str, Any], path: Path, source: Source
) -> Iterator[Clip]:
    speaker = str(item.get("speaker_id") or "")
    voice = VoiceRef(id=speaker, source=str(item.get("speaker_source") or "") or None) if speaker else None
    for turn, said in enumerate(talk.said):
        if said.sound is None or said.role != "user":
            continue

        def sound(inside: str = said.sound) -> Path:
            return _recording(source, inside, path)

        yield Clip(
            task_id=row.id, turn=turn, lang=LANG, spoken_text=said.text, sound=sound,
            synthesizer=ModelRef(name="Audio2Tool", revision=source.revision), voice=voice,
            checks={} if said.duration_s is None else {"stated_duration_s": said.duration_s},
        )  # fmt: skip


def _recording(source: Source, inside: str, path: Path) -> Path:
    """Return a recording; its path leads from `public/`, or from the folder of the tier."""
    if not source.name.startswith("hf:"):
        return source.file(inside, near=path)
    folder = f"public/{path.parent.name}" if path.name == "metadata.jsonl" else "public"
    return source.file(f"{folder}/{inside}")
