"""Write the card of an exported task set: what is in it, who looked at it, its licences, how to load it.

The card states what the tasks state, and nothing else: a licence that nobody stated is "unknown", and what
nobody reviewed is called machine-made.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from voicebench import __version__
from voicebench.audio.dataset_card import PROJECT, hub_licences
from voicebench.files import sha256_bytes
from voicebench.types import TASK_KINDS, ManifestRow, Task

_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M")
_MARK = "<!-- written by voicebench {version}, not edited since: {digest} -->\n"
_NOT_STATED = "not stated"


def card(tasks: Sequence[Task], clips: Sequence[ManifestRow], columns: Mapping[str, tuple[str, str]]) -> str:
    """Return the card, a README.md with the header that a hub reads.

    Args:
        tasks: The tasks, at least one.
        clips: The clips that lie beside them.
        columns: Name of each column, its type and its meaning.
    """
    sections = [
        _title(tasks), _contents(tasks), _loading(tasks, clips), _gold(), _makers(tasks), _licences(tasks),
        _columns(columns), _measuring(),
    ]  # fmt: skip
    text = _header(tasks, clips) + "\n" + "\n".join(sections)
    return text + "\n" + _MARK.format(version=__version__, digest=_digest(text))


def is_ours(text: str) -> bool:
    """Tell whether a card is as `card` wrote it."""
    above, _, last = text.rstrip("\n").rpartition("\n")
    found = re.fullmatch(r"<!-- written by voicebench \S+, not edited since: (\w+) -->", last)
    return found is not None and found[1] == _digest(above)


def _header(tasks: Sequence[Task], clips: Sequence[ManifestRow]) -> str:
    """Return the header's YAML. Its strings are written as JSON's, which YAML reads alike."""
    langs = _languages(tasks)
    licences = hub_licences(licence_of(task) for task in tasks)
    lines = ["---", f"pretty_name: {_quoted(_name(tasks))}"]
    lines += [f"license: {_quoted(licences[0])}"] if len(licences) == 1 else _list("license", licences)
    lines += _list("language", langs)
    lines += _list("task_categories", ["text-generation"])
    lines += _list("size_categories", [_SIZES[min(max(0, len(str(len(tasks))) - 3), len(_SIZES) - 1)]])
    lines += _list("tags", ["tool-calling", "function-calling", "agents", "voice-agents", "voicebench"])
    lines.append("configs:")
    configs = [("default", "data/*"), *((lang, f"data/{lang}") for lang in langs)]
    if clips:
        spoken = sorted({clip.lang for clip in clips})
        configs += [("audio", "audio/data/*"), *((f"audio-{lang}", f"audio/data/{lang}") for lang in spoken)]
    for name, place in configs:
        lines += [
            f"- config_name: {_quoted(name)}",
            "  data_files:",
            "  - split: test",
            f"    path: {_quoted(f'{place}/test-*.parquet')}",
        ]
    return "\n".join([*lines, "---"]) + "\n"


def _title(tasks: Sequence[Task]) -> str:
    return (
        f"# {_name(tasks)}\n\n"
        f"{len(tasks)} tasks: what somebody says to an assistant that can call tools, the tools that it is "
        "offered, and the calls that are right.\n"
    )


def _contents(tasks: Sequence[Task]) -> str:
    counts = Counter((task.lang, task.task) for task in tasks)
    kinds = [kind for kind in TASK_KINDS if any(task.task == kind for task in tasks)]
    rows = [
        (lang, *(counts[lang, kind] for kind in kinds), sum(counts[lang, kind] for kind in kinds))
        for lang in _languages(tasks)
    ]
    return "## What is in it\n\n" + _table(("language", *kinds, "all"), rows)


def _loading(tasks: Sequence[Task], clips: Sequence[ManifestRow]) -> str:
    lang = _languages(tasks)[0]
    heard = '\nclips = load_dataset("PATH", "audio", split="test")' if clips else ""
    told = (
        " A clip belongs to the task `task_id` and its turn `turn`; what it is made of, audio/README.md says."
        if clips
        else ""
    )
    return (
        "## Loading it\n\n"
        "```python\n"
        "import json\n\nfrom datasets import load_dataset\n\n"
        f'tasks = load_dataset("PATH", "{lang}", split="test")\n'
        'right = json.loads(tasks[0]["expect"])'
        f"{heard}\n```\n\n"
        f"`PATH` is this folder, or the data set's name on a hub.{told}\n"
    )


def _gold() -> str:
    return (
        "## What is right\n\n"
        'For each parameter `expect.calls` lists the accepted values; `""` among them means that it may be '
        "left out. A parameter that is not listed must not be given, unless as its schema's default. "
        '`{"$ref": "0.amount"}` is what the first call returned as `amount`; `expect.results` holds what '
        'each call returns. `"order": "sequence"` means that the order counts. `"refuse": true` asks for a '
        "refusal.\n"
    )


def _makers(tasks: Sequence[Task]) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for task in tasks:
        counts[task.lang][str(task.meta.get("review") or _NOT_STATED)] += 1
    stated = sorted({review for counted in counts.values() for review in counted})
    rows = [(lang, *(counts[lang][review] for review in stated)) for lang in sorted(counts)]
    return (
        "## Who looked at it\n\n"
        "`machine`: made and checked by machine alone; `native`: reviewed by a native speaker; `source`: "
        "whatever the authors of the set did that it was read from.\n\n" + _table(("language", *stated), rows)
    )


def _licences(tasks: Sequence[Task]) -> str:
    counts = Counter(
        (str(task.meta.get("source") or _NOT_STATED), licence_of(task) or _NOT_STATED) for task in tasks
    )
    rows = [(source, licence, count) for (source, licence), count in sorted(counts.items())]
    return "## Licences\n\nAs the sources state them; what is not stated was not guessed.\n\n" + _table(
        ("source", "licence", "tasks"), rows
    )


def _columns(columns: Mapping[str, tuple[str, str]]) -> str:
    rows = [(f"`{name}`", kind, meaning) for name, (kind, meaning) in columns.items()]
    return "## Columns\n\n" + _table(("column", "type", "meaning"), rows)


def _measuring() -> str:
    return (
        "## Measuring agents with it\n\n"
        f"[voicebench]({PROJECT}) {__version__} wrote it, and measures agents on it, read and heard.\n"
    )


def licence_of(task: Task) -> str | None:
    """Return the licence that a task states."""
    stated = task.meta.get("licence")
    return str(stated) if stated else None


def _name(tasks: Sequence[Task]) -> str:
    return f"Requests to tool-using assistants ({', '.join(_languages(tasks))})"


def _languages(tasks: Sequence[Task]) -> list[str]:
    return sorted({task.lang for task in tasks})


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
