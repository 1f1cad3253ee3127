"""What `judge-check` prints: tables, the answers on which judge and people differ, and the same as JSON."""

from collections.abc import Sequence
from typing import Any

from voicebench.judging.check import Decision, Line, RaterPair, lines, rater_pairs
from voicebench.judging.gold_sample import GoldLine, GoldMark
from voicebench.judging.labels import WORDS, JudgedFigure
from voicebench.scoring.agreement import Agreement
from voicebench.scoring.statistics import Interval

OPTIONAL = ("low", "high", "no label", "decided", "failed")
"""Headers of the columns that a narrow terminal leaves out first."""

PAIR_HEADERS = ("rater", "and rater", "n", "agreement", "low", "high", "kappa", "macro F1")
GOLD_HEADERS = ("tasks", "sampled", "marked", "right", "share", "low", "high")


def headers(figure: JudgedFigure) -> tuple[str, ...]:
    """Return the headers of the table of agreement.

    Its four cells come first: both say yes, only the judge does, only people do, both say no.
    """
    yes, no = (word.replace("_", " ") for word in WORDS[figure])
    return (
        "items of", "items", f"both {yes}", f"judge {yes}, people not", f"people {yes}, judge not",
        f"both {no}",
        "agreement", "low", "high", "kappa", "macro F1", "unsure", "failed", "no label", "decided",
    )  # fmt: skip


def row(line: Line) -> list[Any]:
    """Return a line of that table."""
    found = line.agreement
    return [
        line.name, line.items, found.both_yes, found.only_first, found.only_second, found.both_no,
        *_figures(found), line.unsure, line.failed, line.no_label, line.no_label_decided,
    ]  # fmt: skip


def pair_row(pair: RaterPair) -> list[Any]:
    """Return a line of the table of rater pairs."""
    return [pair.first, pair.second, pair.agreement.n, *_figures(pair.agreement)]


def gold_row(line: GoldLine) -> list[Any]:
    """Return a line of the table of marks on the gold."""
    return [
        line.name, line.sampled, line.marked, line.right, _shown(line.share), *_ends(line.interval)
    ]  # fmt: skip


def difference(decision: Decision) -> str:
    """Return in one line where a judge and people differ."""
    yes, no = WORDS[decision.item.figure]
    said, label = (yes if value else no for value in (decision.verdict, decision.item.label))
    reason = f" ({decision.reason})" if decision.reason else ""
    return f"{decision.item.id}: judge {said}, label {label}: {_text(decision)}{reason}"


def failure(decision: Decision) -> str:
    """Return in one line why a judge gave no verdict."""
    return f"{decision.item.id}: {decision.reason}"


def as_object(figure: JudgedFigure, judge: dict[str, Any], decisions: Sequence[Decision]) -> dict[str, Any]:
    """Return all that was measured of one figure as a JSON object."""
    return {
        "figure": figure,
        "judge": judge,
        "lines": [
            {
                "name": line.name, "items": line.items, **_agreement(line.agreement), "unsure": line.unsure,
                "failed": line.failed, "no_label": line.no_label, "no_label_decided": line.no_label_decided,
            }
            for line in lines(decisions)
        ],
        "raters": [
            {"first": pair.first, "second": pair.second, **_agreement(pair.agreement)}
            for pair in rater_pairs(decisions, str(judge["name"]))
        ],
        "differences": [
            {
                "id": each.item.id, "lang": each.item.lang, "judge": each.verdict, "label": each.item.label,
                "reason": each.reason,
            }
            for each in decisions if each.contradicts
        ],
        "failures": [{"id": each.item.id, "reason": each.reason} for each in decisions if each.failed],
    }  # fmt: skip


def gold_object(lines_: Sequence[GoldLine], wrong: Sequence[GoldMark]) -> dict[str, Any]:
    """Return what the marks on the gold say as a JSON object."""
    return {
        "lines": [
            {
                "name": line.name, "sampled": line.sampled, "marked": line.marked, "right": line.right,
                "share": line.share, **_bounds(line.interval),
            }
            for line in lines_
        ],
        "wrong": [{"task_id": mark.task_id, "lang": mark.lang, "note": mark.note} for mark in wrong],
    }  # fmt: skip


def _agreement(found: Agreement) -> dict[str, Any]:
    return {
        "n": found.n, "both_yes": found.both_yes, "only_judge": found.only_first,
        "only_people": found.only_second, "both_no": found.both_no, "agreement": found.agreement,
        **_bounds(found.interval), "kappa": found.kappa, "macro_f1": found.macro_f1,
        "undefined": found.undefined,
    }  # fmt: skip


def _bounds(interval: Interval | None) -> dict[str, float | None]:
    return {"low": interval.low if interval else None, "high": interval.high if interval else None}


def _figures(found: Agreement) -> list[str | None]:
    return [_shown(found.agreement), *_ends(found.interval), _shown(found.kappa), _shown(found.macro_f1)]


def _ends(interval: Interval | None) -> list[str | None]:
    return [_shown(interval.low), _shown(interval.high)] if interval else [None, None]


def _shown(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _text(decision: Decision) -> str:
    answer = decision.item.answer
    if answer.said:
        return repr(answer.said[:80])
    return "; ".join(f"{call.name}({call.arguments})"[:80] for call in answer.calls)
