"""Count a task set in detail, by kind and language: turns, calls, tools, words, seconds, reviews."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from voicebench.audio.spoken import spoken
from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.types import TASK_KINDS, ManifestRow, Task

NATIVE = "native"
"""What `meta.review` says of an item that a native speaker has reviewed."""

CHARACTERS_A_SECOND: Mapping[str, float] = {
    "en": 14.3, "hi": 12.2, "bn": 11.5, "mr": 11.6, "ta": 14.5, "te": 11.5, "ml": 14.6, "vi": 14.6,
    "th": 9.2, "id": 13.2, "fil": 13.0, "zh": 4.4,
}  # fmt: skip
"""How many characters, spaces not counted, are spoken in a second.

Measured, not taken from people: eSpeak NG 1.52 (espeakng-loader 0.2.4) at its own speed, 175 words a
minute, pauses included, on the answers of `data/judge/refusals.jsonl` (21 to 45 a language, 57 to 143 s).
eSpeak has no Filipino and read it as Indonesian. It tells roughly how long a set is; clips can be measured.
"""

UNSPACED = frozenset({"th", "zh"})
"""Languages that write no space between words, so that words are not counted."""

HEADERS = (
    "task", "lang", "items", "turns", "calls", "tools called", "tools offered", "words", "characters",
    "seconds", "code-mixed", "regions", "native",
)  # fmt: skip
OPTIONAL = ("tools called", "regions", "characters", "code-mixed")
"""Columns that matter least."""


@dataclass(frozen=True)
class Detail:
    """The table, and what is to be known of its column of seconds.

    Attributes:
        headers: The column names. Turns, calls, tools offered, words, characters and seconds are means an
            item; words, characters and seconds are of what the user says. Tools called are different ones.
        rows: One a kind and language, then one a language over all kinds. None is what is not known.
        note: Where the seconds come from.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    note: str


def counts(tasks: Sequence[Task]) -> tuple[list[str], list[list[str | int]]]:
    """Count tasks by kind and language.

    Returns:
        The column names (kind, each language, total) and the rows: one a kind, then the totals.
    """
    langs = sorted({task.lang for task in tasks})
    rows: list[list[str | int]] = []
    for kind in TASK_KINDS:
        found = [sum(task.task == kind and task.lang == lang for task in tasks) for lang in langs]
        rows.append([kind, *found, sum(found)])
    totals = [sum(task.lang == lang for task in tasks) for lang in langs]
    return ["task", *langs, "total"], [*rows, ["total", *totals, len(tasks)]]


def detail(tasks: Sequence[Task], audio: Path | None = None) -> Detail:
    """Count tasks by kind and language.

    Args:
        tasks: The tasks.
        audio: A folder that build-audio wrote: seconds are those of its undisturbed clips, over the items
            whose user turns are all there. None estimates them from the words as they are spoken.

    Raises:
        UserError: The folder holds no manifest, or one that is wrong.
    """
    seconds = _estimated(tasks) if audio is None else _measured(tasks, audio)
    rows = []
    for kind in (*TASK_KINDS, None):
        for lang in dict.fromkeys(task.lang for task in tasks):
            own = [task for task in tasks if task.lang == lang and kind in (task.task, None)]
            if own:
                rows.append(_row(kind or "all", lang, own, seconds))
    return Detail(HEADERS, tuple(rows), _note(tasks, seconds, audio))


def duration_s(text: str, lang: str, region: str | None = None) -> float | None:
    """Estimate how long a text takes to say, in seconds; None for a language without a rate."""
    rate = CHARACTERS_A_SECOND.get(lang)
    return None if rate is None else _characters(spoken(text, lang, region=region)) / rate


def _row(
    kind: str, lang: str, tasks: Sequence[Task], seconds: Mapping[str, float]
) -> tuple[str | int | float | None, ...]:
    calls = [task.expect.calls or () for task in tasks]
    timed = [seconds[task.id] for task in tasks if task.id in seconds]
    mixed = sum(task.meta.get("code_mixed") is True for task in tasks)
    reviewed = sum(task.meta.get("review") == NATIVE for task in tasks)
    return (
        kind,
        lang,
        len(tasks),
        _mean(len(task.turns) for task in tasks),
        _mean(map(len, calls)),
        len({call.name for own in calls for call in own}),
        _mean(len(task.tools) for task in tasks),
        None if lang in UNSPACED else _mean(len(_said(task).split()) for task in tasks),
        _mean(_characters(_said(task)) for task in tasks),
        _mean(timed) if timed else None,
        f"{100 * mixed / len(tasks):.0f} %",
        _regions(tasks),
        f"{reviewed} of {len(tasks)}",
    )


def _said(task: Task) -> str:
    return " ".join(task.turns[i].text for i in task.user_turns)


def _characters(text: str) -> int:
    return sum(not character.isspace() for character in text)


def _mean(values: Iterable[float]) -> float:
    return round(fmean(values), 1)


def _regions(tasks: Sequence[Task]) -> str:
    """Return the countries that items are set in, the most frequent first: "IN 20, US 8"."""
    found = [str(region) for task in tasks if (region := task.meta.get("region"))]
    counts = sorted({region: found.count(region) for region in found}.items(), key=lambda x: (-x[1], x[0]))
    return ", ".join(f"{region} {n}" for region, n in counts)


def _estimated(tasks: Iterable[Task]) -> dict[str, float]:
    found = {}
    for task in tasks:
        region = task.meta.get("region")
        turns = [
            duration_s(task.turns[i].text, task.lang, region if isinstance(region, str) else None)
            for i in task.user_turns
        ]
        known = [turn for turn in turns if turn is not None]
        if len(known) == len(turns):
            found[task.id] = sum(known)
    return found


def _measured(tasks: Iterable[Task], folder: Path) -> dict[str, float]:
    from voicebench.audio.build import MANIFEST

    if not (folder / MANIFEST).is_file():
        raise UserError(f"{folder}: no {MANIFEST} here. Run: voicebench build-audio --out {folder}")
    clips = {
        (row.task_id, row.turn): row.duration_s
        for row in read_rows(folder / MANIFEST, ManifestRow, tolerate_torn_end=True)
        if row.condition == "speech"
    }
    found = {}
    for task in tasks:
        turns = [clips[task.id, i] for i in task.user_turns if (task.id, i) in clips]
        if len(turns) == len(task.user_turns):
            found[task.id] = sum(turns)
    return found


def _note(tasks: Sequence[Task], seconds: Mapping[str, float], audio: Path | None) -> str:
    if audio is not None:
        return f"seconds: measured, of {len(seconds)} of {len(tasks)} items whose clips are in {audio}"
    unknown = sorted({task.lang for task in tasks} - CHARACTERS_A_SECOND.keys())
    without = f"; none for {', '.join(unknown)}" if unknown else ""
    return (
        "seconds: estimated from the characters as spoken, at the speed of eSpeak NG in each language"
        f"{without}. --audio DIR measures clips"
    )
