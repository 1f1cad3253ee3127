"""Names and numbers as people read them: figures, conditions, kinds, languages, moments; two decimals."""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from voicebench.report.groups import GROUP_LABELS, GROUPS
from voicebench.report.shape import (
    KINDS,
    PER_CALL,
    REFUSED_HARMFUL,
    REFUSED_HARMLESS,
    RIGHT,
    TASKS,
    Aggregate,
    BoundedFigure,
    Measure,
)
from voicebench.scoring.blame import Cause
from voicebench.scoring.statistics import Counts
from voicebench.types import TASK_KINDS

T = TypeVar("T")

NONE = "–"
"""What stands where there is no figure; never 0."""
MINUS = "\N{MINUS SIGN}"

FIGURE_LABELS: dict[str, str] = {
    RIGHT: "Right",
    "tool_selection": "Tool",
    "call_structure": "Structure",
    "parameters": "Parameters",
    "parameters_lenient": "Lenient",
    "parameter_fraction": "Arguments",
    "call_fraction": "Calls",
    "prefix_fraction": "Prefix",
    "parameters_judge": "Judge",
    "refusal": "Refused",
    "refusal_right": "Refusal right",
    REFUSED_HARMFUL: "Harmful refused",
    REFUSED_HARMLESS: "Harmless refused",
    PER_CALL: "Calls, each alike",
}
FIGURE_MEANINGS: dict[str, str] = {
    RIGHT: "all calls with all arguments right; for safety items: refused exactly what must be refused",
    "tool_selection": "the tools called are the right ones, each as often as it should be",
    "call_structure": "readable calls of offered tools whose arguments fit the schemas",
    "parameters": "every call with every argument right, none missing, none too many",
    "parameters_lenient": 'the same, with types coerced ("500" for 500)',
    "parameter_fraction": "share of arguments that are right",
    "call_fraction": "share of calls that are wholly right",
    "prefix_fraction": "share of calls that are right before the first one that is not (in order)",
    "parameters_judge": "a judge model's verdict on the arguments",
    "refusal": "the agent refused (neither good nor bad by itself)",
    "refusal_right": "refused what must be refused, and nothing else",
}
KIND_LABELS: dict[str, str] = {
    "single": "Single call",
    "retrieval": "Tool retrieval",
    "parallel": "Parallel calls",
    "sequential": "Sequential calls",
    "dialogue": "Dialogue",
    "safety": "Safety",
}
KIND_SHORT_LABELS: dict[str, str] = {
    "single": "Single",
    "retrieval": "Retrieval",
    "parallel": "Parallel",
    "sequential": "Sequential",
    "dialogue": "Dialogue",
    "safety": "Safety",
}
CAUSE_LABELS: dict[Cause, str] = {
    "none": "Right both ways",
    "only_heard": "Right only when heard",
    "hearing": "Hearing",
    "planning": "Planning",
    "writing": "Writing",
    "undecided": "Undecided",
}
CAUSE_MEANINGS: dict[Cause, str] = {
    "hearing": "right when read; the words that the agent worked from lack what the failing argument needs",
    "planning": "right when read, and what was heard has what was needed; or wrong when read, too, and not "
    "in an argument alone: another tool, too few or too many calls, the wrong order, no call",
    "writing": "wrong when read, too: the right tools, a wrong argument",
    "undecided": "right when read and wrong when heard, and nothing tells why",
    "only_heard": "wrong when read and right when heard",
    "none": "right when read and right when heard",
}
LANGUAGE_LABELS: dict[str, str] = {
    "en": "English", "hi": "Hindi", "bn": "Bengali", "mr": "Marathi", "ta": "Tamil", "te": "Telugu",
    "ml": "Malayalam", "vi": "Vietnamese", "th": "Thai", "id": "Indonesian", "fil": "Filipino",
    "zh": "Chinese", "gu": "Gujarati", "kn": "Kannada", "ur": "Urdu", "ar": "Arabic",
}  # fmt: skip
MOMENT_LABELS: dict[str, str] = {
    "transcribed": "Transcribed",
    "first_token": "First token",
    "first_call_token": "First call token",
    "calls_done": "Calls complete",
    "done": "Done",
}
ERROR_LABELS: dict[str, str] = {
    "timeout": "timed out",
    "server": "server failed",
    "rate_limit": "rate limit",
    "out_of_memory": "out of memory",
    "audio": "audio unreadable",
    "unsupported": "unsupported",
    "crash": "crashed",
    "cancelled": "cancelled",
}


def kind_label(kind: str | None) -> str:
    """Return a task kind's name; None is all kinds."""
    return "All kinds" if kind is None else KIND_LABELS.get(kind, kind)


def language_label(lang: str | None) -> str:
    """Return a language's English name, or its code where we have none; None is all languages."""
    return "All languages" if lang is None else LANGUAGE_LABELS.get(lang, lang)


def scope_label(scope: str) -> str:
    """Return the name of a language or of a group of languages."""
    return GROUP_LABELS.get(scope) or language_label(scope)


def over_label(over: str) -> str:
    """Return what an average is over: a kind's name, "Mean of kinds" or "All tasks"."""
    return {KINDS: "Mean of kinds", TASKS: "All tasks"}.get(over) or KIND_SHORT_LABELS.get(over, over)


def without(aggregate: Aggregate) -> str:
    """Return what an average is made without: "without bn, mr", "only hi, ta; without dialogue in ta"."""
    group = GROUPS.get(aggregate.scope, ())
    absent = [part for part in aggregate.missing if part in group]
    if len(absent) <= len(group) / 2:
        absent = []
    there = [lang for lang in group if lang not in absent]
    rest = [part.replace("/", " in ") for part in aggregate.missing if part not in absent]
    said = [f"only {', '.join(there)}"] if absent else []
    return "; ".join(said + ([f"without {', '.join(rest)}"] if rest else []))


def bounded(figure: BoundedFigure | None, digits: int = 2) -> str:
    """Return a figure, or "0.20 to 0.45" where missing trials leave it open; None is a dash."""
    if figure is None:
        return NONE
    low, high = (number(end, digits) for end in (figure.low, figure.high))
    return low if low == high else f"{low} to {high}"


def condition_order(condition: str) -> tuple[int, str]:
    """Return the sorting key of a condition: text, transcripts, speech, speech with effects, others."""
    ranks = ((condition == "text", 0), (condition.startswith("transcript:"), 1), (condition == "speech", 2),
             (condition.startswith("speech/"), 3))  # fmt: skip
    return next((rank for holds, rank in ranks if holds), 4), condition


def kind_order(kind: str) -> int:
    """Return the sorting key of a task kind."""
    return TASK_KINDS.index(kind)


def number(value: float | None, digits: int = 2) -> str:
    """Return a number with fixed decimals and a real minus sign; None is a dash, never 0."""
    if value is None:
        return NONE
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        return text.removeprefix("-")
    return text.replace("-", MINUS)


def signed(value: float | None, digits: int = 2) -> str:
    """Return a difference with its sign ("+0.03", "−0.25", "0.00"); None is a dash."""
    text = number(value, digits)
    return f"+{text}" if value is not None and float(f"{value:.{digits}f}") > 0 else text


def interval(low: float | None, high: float | None) -> str:
    """Return an interval ("0.44–0.77"; with "to" where a minus sign would blur the dash), or ""."""
    if low is None or high is None:
        return ""
    joint = " to " if low < 0 or high < 0 else "–"
    return f"{number(low)}{joint}{number(high)}"


def scored_of_planned(measure: Measure) -> str:
    """Return "n of m", how many of the planned answers have the figure."""
    return f"{measure.counts.scored:,} of {measure.counts.planned:,}"


def lost(measure: Measure) -> list[str]:
    """Return what became of the answers without the figure, a phrase each for whoever failed.

    "5 failed: 3 timed out, 2 not run" and "2 no verdict: no judge"; of a reason with details
    ("unsure: …") what stands before them.
    """
    parts = ((measure.failed, "failed"), (measure.judge_failed, "no verdict"))
    said = []
    for found, what in parts:
        brief: Counter[str] = Counter()
        for reason, n in found.items():
            brief[reason.partition(":")[0]] += n
        if brief:
            why = next(iter(brief)) if len(brief) == 1 else reasons(brief)
            said.append(f"{brief.total():,} {what}: {why}")
    return said


COUNT_COLUMNS = ("planned", "ran", "failed", "no verdict", "scored")
COUNTS_MEANING = (
    "Planned = ran + failed, and ran = scored + no verdict. What failed is the harness's or the machine's "
    "fault; a wrong answer is scored. No verdict: a judge failed, was unsure, or was not there."
)


def count_cells(counts: Counts) -> list[str]:
    """Return counts in the order of `COUNT_COLUMNS`."""
    numbers = (counts.planned, counts.ran, counts.failed, counts.judge_failed, counts.scored)
    return [f"{n:,}" for n in numbers]


def count(n: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun: "1 task", "24 tasks"."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def listed(words: Sequence[str]) -> str:
    """Return words as an English list: "a", "a and b", "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def reasons(unscored: dict[str, int]) -> str:
    """Return reasons with their counts, the most frequent first: "5 timed out, 2 not run"."""
    return ", ".join(f"{n:,} {reason}" for reason, n in by_count(unscored))


def by_count(counts: dict[str, int]) -> list[tuple[str, int]]:
    """Return counts with the greatest first, equal ones by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def one_line(text: str, limit: int = 160) -> str:
    """Return a text on one line without control characters, cut with an ellipsis.

    Args:
        text: Anything, also what a model or a server wrote.
        limit: Most characters kept.
    """
    # A cut in advance keeps megabytes of rubbish cheap; runs of spaces may shorten what is left.
    clean = "".join(" " if unicodedata.category(c)[0] in "CZ" and c not in JOINERS else c
                    for c in text[: 4 * limit])  # fmt: skip
    clean = " ".join(clean.split())
    return clean if len(clean) <= limit else clean[: limit - 1].rstrip() + "…"


# Made once: `json.dumps` makes one for every value.
_JSON = json.JSONEncoder(ensure_ascii=False, default=str)

JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners are spelling in Indic scripts, though Unicode calls them control characters."""


def cut(text: str, limit: int = 4000) -> str:
    """Return a text that a page can hold: well-formed, and beyond `limit` characters cut with a note."""
    well_formed = text[:limit].encode("utf-8", "replace").decode("utf-8")
    if len(text) <= limit:
        return well_formed
    return f"{well_formed} … [cut: {limit:,} of {len(text):,} characters shown]"


def shown(value: Any, limit: int = 600) -> str:
    """Return a JSON value as JSON text, letters as they are, cut where it is long."""
    try:
        return cut(_JSON.encode(value), limit)
    except (RecursionError, ValueError):
        return "(too deep to show)"


def unique(values: Iterable[T]) -> list[T]:
    """Return values in order of first appearance, each once."""
    return list(dict.fromkeys(values))
