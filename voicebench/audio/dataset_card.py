"""Write the card of an exported data set: what is in it, made how, under which licences, with which limits.

The card states what the manifest and the tasks state, and nothing else: a licence that nobody stated is
"unknown", never the usual one.
"""

import json
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from voicebench import __version__
from voicebench.audio.dataset_columns import COLUMNS, Item
from voicebench.audio.plan import SPEECH
from voicebench.errors import UserError
from voicebench.files import sha256_bytes
from voicebench.registry import Kind, find
from voicebench.types import FailureRow, ModelRef

PROJECT = "https://github.com/voicebench/voicebench-agents"

_CREATIVE_COMMONS = [
    f"cc-by{terms}-{version}"
    for terms in ("", "-sa", "-nd", "-nc", "-nc-sa", "-nc-nd")
    for version in ("2.0", "2.5", "3.0", "4.0")
]
HUB_LICENCES = frozenset({
    *_CREATIVE_COMMONS, "cc0-1.0", "apache-2.0", "mit", "bsd-2-clause", "bsd-3-clause", "gpl-2.0", "gpl-3.0",
    "lgpl-2.1", "lgpl-3.0", "agpl-3.0", "mpl-2.0", "odbl", "pddl", "openrail", "unlicense", "isc", "wtfpl",
})  # fmt: skip
"""Licences that a card's header can name; it calls any other one "other"."""

_NOT_STATED = "not stated"
_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B")
_LAST_LINE = "<!-- written by voicebench {version}, not edited since: {digest} -->\n"
_ROLES: tuple[tuple[str, str, Kind], ...] = (
    ("synthesizer", "speaks", "tts"),
    ("converter", "changes the voice", "converter"),
    ("encoder", "chose and compared the voices", "encoder"),
)
# A hash, another one for each clip.
_NO_COUNT = frozenset({"plan"})


def card(items: Sequence[Item], failures: Sequence[FailureRow] = ()) -> str:
    """Return the card of a data set, a README.md with the header that a hub reads.

    Args:
        items: Its clips, at least one.
        failures: The clips that could not be made.
    """
    sections = [
        _title(items),
        _contents(items),
        _loading(items),
        _making(items),
        _voices(items),
        _licences(items),
        _checks(items, failures),
        _limits(items),
        _again(items),
        _citing(items),
        _columns(),
    ]
    text = f"---\n{_header(items)}---\n\n" + "\n".join(sections)
    return text + "\n" + _LAST_LINE.format(version=__version__, digest=_digest(text))


def is_untouched(text: str) -> bool:
    """Tell whether a card is as `card` wrote it."""
    above, _, last = text.rstrip("\n").rpartition("\n")
    found = re.fullmatch(r"<!-- written by voicebench \S+, not edited since: (\w+) -->", last)
    return found is not None and found[1] == _digest(above)


def hub_licences(stated: Iterable[str | None]) -> list[str]:
    """Return licences as a card's header names them: by the hub's identifiers, "other" or "unknown"."""
    return sorted({_hub_licence(licence) for licence in stated})


def _hub_licence(licence: str | None) -> str:
    if licence is None:
        return "unknown"
    return licence.lower() if licence.lower() in HUB_LICENCES else "other"


def _header(items: Sequence[Item]) -> str:
    """Return the header's YAML. Its strings are written as JSON's, which YAML reads alike."""
    langs = _languages(items)
    licences = hub_licences([*_voice_licences(items), *_text_licences(items)])
    lines = [f"pretty_name: {_quoted(_name(items))}"]
    lines += [f"license: {_quoted(licences[0])}"] if len(licences) == 1 else _list("license", licences)
    lines += _list("language", langs)
    lines += _list("task_categories", ["automatic-speech-recognition"])
    lines += _list("size_categories", [_SIZES[min(max(0, len(str(len(items))) - 3), len(_SIZES) - 1)]])
    lines += _list("tags", ["audio", "speech", "voice-agents", "tool-calling", "voicebench"])
    lines.append("configs:")
    for name, place in [("default", "*"), *((lang, lang) for lang in langs)]:
        lines += [
            f"- config_name: {_quoted(name)}",
            "  data_files:",
            "  - split: test",
            f"    path: {_quoted(f'data/{place}/test-*.parquet')}",
        ]
    return "\n".join(lines) + "\n"


def _title(items: Sequence[Item]) -> str:
    tasks = {item.row.task_id for item in items}
    kinds = sorted({item.task.task for item in items if item.task})
    of_kinds = f", of the kinds {', '.join(kinds)}" if kinds else ""
    return (
        f"# {_name(items)}\n\n"
        f"{len(items)} clips of {len(tasks)} tasks{of_kinds}: what people say to an assistant that can call "
        "tools. Each clip is one turn of a user under one condition: `speech`, or `speech/EFFECT` after "
        "noise, a room, a telephone or another effect.\n"
    )


def _contents(items: Sequence[Item]) -> str:
    groups: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.row.lang, item.row.condition].append(item)
    rows = [
        (
            lang, f"`{condition}`", len(group), len({item.row.task_id for item in group}),
            len({_voice_id(item) for item in group}), _minutes(group),
        )
        for (lang, condition), group in sorted(groups.items())
    ]  # fmt: skip
    headers = ("language", "condition", "clips", "tasks", "voices", "minutes")
    return "## What is in it\n\n" + _table(headers, rows)


def _loading(items: Sequence[Item]) -> str:
    lang = _languages(items)[0]
    return (
        "## Loading it\n\n"
        "```python\n"
        "from datasets import load_dataset\n\n"
        'everything = load_dataset("PATH", split="test")\n'
        f'one_language = load_dataset("PATH", "{lang}", split="test")\n'
        'clean = one_language.filter(lambda condition: condition == "speech", input_columns="condition")\n'
        "```\n\n"
        "`PATH` is this folder, or the data set's name on a hub. The clips lie within the Parquet files, "
        "as the files that they were.\n"
    )


def _making(items: Sequence[Item]) -> str:
    rows = []
    for role, does, kind in _ROLES:
        counted: Counter[tuple[str, str | None]] = Counter()
        for item in items:
            model: ModelRef | None = getattr(item.row, role)
            if model is not None:
                counted[model.name, model.revision] += 1
        for (name, revision), count in sorted(
            counted.items(), key=lambda pair: (pair[0][0], pair[0][1] or "")
        ):
            rows.append(
                (role, f"`{name}`", revision or _NOT_STATED, does, _engine_licence(kind, name), count)
            )
    headers = ("", "name", "revision", "what it does", "its licence", "clips")
    built = sum(map(_is_built, items))
    told = [
        "Clips made by voicebench's `build-audio`: "
        f"{built} of {len(items)}. There the written turn became what is said aloud (`spoken_text`), a "
        "synthesizer said it, a converter may have moved it to another voice, and the clip was levelled.",
    ]
    if built < len(items):
        told.append("The others were brought along with a manifest that says who or what spoke.")
    effects = sorted({str(effect.get("name")) for item in items for effect in item.row.effects})
    if effects:
        named = ", ".join(f"`{name}`" for name in effects)
        told.append(f"Then effects changed some: {named}, with the parameters in the column `effects`.")
    return "## How it was made\n\n" + " ".join(told) + "\n\n" + _table(headers, rows)


def _voices(items: Sequence[Item]) -> str:
    groups: dict[tuple[str, str, str], list[Item]] = defaultdict(list)
    for item in items:
        voice = item.row.voice
        stated = (voice.source, voice.licence) if voice else (None, None)
        groups[_voice_id(item), stated[0] or _NOT_STATED, stated[1] or _NOT_STATED].append(item)
    rows = [
        (f"`{voice}`", source, licence, ", ".join(_languages(group)), len(group))
        for (voice, source, licence), group in sorted(groups.items())
    ]
    return "## Voices\n\n" + _table(("voice", "source", "licence", "languages", "clips"), rows)


def _licences(items: Sequence[Item]) -> str:
    rows = [
        (what, licence or _NOT_STATED, count)
        for what, licences in (("voices", _voice_licences(items)), ("texts", _text_licences(items)))
        for licence, count in sorted(Counter(licences).items(), key=lambda pair: pair[0] or "")
    ]
    return (
        "## Licences\n\n"
        "As the sources state them; what is not stated was not guessed. A clip is bound by the licence of "
        "its voice and by that of its text, and by those of the models above as far as these bind what they "
        "make. Recordings that an effect mixed in keep their own.\n\n"
        + _table(("of", "licence", "clips"), rows)
    )


def _checks(items: Sequence[Item], failures: Sequence[FailureRow]) -> str:
    numbers: dict[str, list[float]] = defaultdict(list)
    words: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        for name, value in item.row.checks.items():
            if name in _NO_COUNT or value is None:
                continue
            if isinstance(value, int | float) and not isinstance(value, bool):
                numbers[name].append(value)
            else:
                words[name].update(str(one) for one in (value if isinstance(value, list) else [value]))
    measured = [
        (f"`{name}`", len(values), *(f"{value:.4g}" for value in (min(values), median(values), max(values))))
        for name, values in sorted(numbers.items())
    ]
    found = [
        (f"`{name}`", f"`{value}`", count)
        for name, counted in sorted(words.items())
        for value, count in sorted(counted.items())
    ]
    kinds = Counter(row.kind for row in failures)
    missing = ", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items()))
    told = f" ({missing})" if missing else ""
    parts = ["## Checks\n", f"Clips that could not be made, and are not in it: {len(failures)}{told}.\n"]
    if measured:
        parts.append(_table(("check", "clips", "smallest", "median", "largest"), measured))
    if found:
        parts.append(_table(("check", "found", "clips"), found))
    if not measured and not found:
        parts.append("Nothing was measured on the clips.\n")
    return "\n".join(parts)


def _limits(items: Sequence[Item]) -> str:
    without_text = sum(item.text is None for item in items)
    said = ["What the checks above did not measure was not checked. Nobody need have listened to every clip."]
    if any(map(_is_built, items)):
        said.insert(
            0,
            "The speech is what the engines above made of a text: it shows how agents do on such speech, "
            "and is no substitute for recordings of people.",
        )
    if without_text:
        said.append(
            f"The written text of {without_text} clips is null: their tasks were not at hand at the export."
        )
    if any(item.row.effects for item in items):
        said.append("Effects imitate noise, rooms and lines, but for what their parameters name as a file.")
    return "## Limits\n\n" + "".join(f"- {line}\n" for line in said)


def _again(items: Sequence[Item]) -> str:
    commands = rebuild_commands(items)
    if not commands:
        return "## Making it again\n\nIts clips were brought along, and no command makes them.\n"
    return (
        "## Making it again\n\n"
        f"With voicebench {__version__}, the tasks that `task_id` names, and the voices above:\n\n"
        "```sh\n" + "\n".join([*commands, "voicebench audio export audio"]) + "\n```\n\n"
        "The same models on the same kind of device give the same bytes, where they promise that; the column "
        "`sha256` tells.\n"
    )


def rebuild_commands(items: Sequence[Item]) -> list[str]:
    """Return the commands that make clips like these: one for each synthesizer, encoder and seed.

    What was brought along (a clip without a build's plan among its checks) is left out.
    """
    groups: dict[tuple[str, str, int], list[Item]] = defaultdict(list)
    for item in filter(_is_built, items):
        encoder = item.row.encoder.name if item.row.encoder else "none"
        groups[item.row.synthesizer.name, encoder, item.row.seed].append(item)
    commands = []
    for (synthesizer, encoder, seed), group in sorted(groups.items()):
        converters = sorted({item.row.converter.name for item in group if item.row.converter})
        effects = dict.fromkeys(
            item.row.condition.removeprefix(f"{SPEECH}/") for item in group if item.row.condition != SPEECH
        )
        words = ["voicebench", "build-audio", "--lang", ",".join(_languages(group))]
        words += ["--synthesizer", synthesizer, "--converter", converters[0] if converters else "none"]
        words += ["--encoder", encoder]
        words += ["--effect", ",".join(effects)] if effects else []
        words += ["--seed", str(seed), "--out", "audio"]
        commands.append(shlex.join(words))
    return commands


def _citing(items: Sequence[Item]) -> str:
    listed = "".join(f"{item.id}\t{item.row.sha256}\n" for item in items)
    return (
        "## Citing it\n\n"
        f"Name voicebench {__version__} ({PROJECT}), the sources of the voices and of the tasks, and which "
        f"clips these are: `{_digest(listed)}`. That is the begin of the SHA-256 over the lines "
        "`id<TAB>sha256<LF>` of all clips in the order of language, task, turn and condition.\n"
    )


def _columns() -> str:
    rows = [(f"`{name}`", kind, meaning) for name, (kind, meaning) in COLUMNS.items()]
    return "## Columns\n\n" + _table(("column", "type", "meaning"), rows)


def _is_built(item: Item) -> bool:
    return "plan" in item.row.checks


def _engine_licence(kind: Kind, name: str) -> str:
    try:
        return find(kind, name).licence
    except UserError:
        return _NOT_STATED


def _name(items: Sequence[Item]) -> str:
    return f"Spoken requests to tool-using assistants ({', '.join(_languages(items))})"


def _languages(items: Iterable[Item]) -> list[str]:
    return sorted({item.row.lang for item in items})


def _voice_id(item: Item) -> str:
    return item.row.voice.id if item.row.voice else _NOT_STATED


def _voice_licences(items: Sequence[Item]) -> list[str | None]:
    return [item.row.voice.licence if item.row.voice else None for item in items]


def _text_licences(items: Sequence[Item]) -> list[str | None]:
    stated = [item.task.meta.get("licence") if item.task else None for item in items]
    return [str(licence) if licence else None for licence in stated]


def _minutes(items: Sequence[Item]) -> str:
    return f"{sum(item.row.duration_s for item in items) / 60:.1f}"


def _list(key: str, values: Sequence[str]) -> list[str]:
    return [f"{key}:", *(f"- {_quoted(value)}" for value in values)]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _table(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [headers, ["---"] * len(headers), *rows]
    return "".join("| " + " | ".join(_cell(cell) for cell in line) + " |\n" for line in lines)


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")


def _digest(text: str) -> str:
    return sha256_bytes(text.encode("utf-8", "replace"))[:16]
