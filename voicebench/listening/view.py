"""The results as a table for the terminal, as listening.json and as listening.md."""

import json
from collections.abc import Sequence
from pathlib import Path

from voicebench.files import write_text
from voicebench.listening.axes import AXES
from voicebench.listening.shape import Group, Listening, Mean
from voicebench.report.labels import NONE, count, interval, language_label, number
from voicebench.report.markdown_parts import escaped, table
from voicebench.types import Row

OPTIONAL = ("by", "clips")
"""Headers of the columns that a narrow terminal leaves out first."""

HEARD = "heard wrongly"
AGREEMENT_HEADERS = ("axis", "language", "clips", "grades", "alpha", "kappa", "pairs")
RATER_HEADERS = (
    "listener", "languages", "rated", "repeats", "same", "within 1", "apart", "anchors", "below original",
)  # fmt: skip
_FLAGGED = 20


def headers(found: Listening) -> list[str]:
    """Return the headers of the table of scores; what was heard wrongly has a column where it was asked."""
    heard = [HEARD] if _asked_to_write(found) else []
    return ["by", "clips of", "clips", "rated", *(axis.label.lower() for axis in AXES), "wrong words", *heard]


def rows(found: Listening) -> list[list[str | None]]:
    """Return the lines of the table of scores, in the order of `headers`."""
    return [
        [
            group.by, name_of(group), str(group.clips), f"{group.complete} of {group.asked}",
            *(_shown(group.scores[axis.key]) for axis in AXES), _shown(group.wrong_words),
            *([_shown(group.heard_wrongly)] if _asked_to_write(found) else []),
        ]
        for group in found.groups
    ]  # fmt: skip


def name_of(group: Group) -> str:
    """Return what a group's clips have in common, in words."""
    lang = language_label(group.lang) if group.lang is not None else None
    parts = (lang, group.engine, group.condition, group.voice, group.anchor)
    return ", ".join(part for part in parts if part is not None) or "all"


def agreement_rows(found: Listening) -> list[list[str | None]]:
    """Return the lines of the table of agreement, in the order of `AGREEMENT_HEADERS`."""
    labels = {axis.key: axis.label.lower() for axis in AXES}
    return [
        [
            labels[line.axis], "all" if line.lang is None else language_label(line.lang), str(line.clips),
            str(line.grades), _figure(line.alpha), _figure(line.kappa), str(line.pairs),
        ]
        for line in found.agreement
    ]  # fmt: skip


def rater_rows(found: Listening) -> list[list[str | None]]:
    """Return the lines of the table of listeners, in the order of `RATER_HEADERS`."""
    return [
        [
            line.name,
            ", ".join(f"{language_label(lang)}: {level}" for lang, level in line.languages.items()),
            f"{line.complete} of {line.asked}",
            str(line.repeats), _figure(line.repeats_same), _figure(line.repeats_near),
            _figure(line.repeats_apart), str(line.anchors), _figure(line.anchors_below),
        ]
        for line in found.raters
    ]  # fmt: skip


def write_results(found: Listening, page: Path) -> tuple[Path, Path]:
    """Write listening.json and listening.md beside the page, under the page's name; return where they are.

    Raises:
        UserError: The disk is full or the folder cannot be written.
    """
    paths = page.with_suffix(".json"), page.with_suffix(".md")
    write_text(paths[0], as_json(found))
    write_text(paths[1], markdown(found))
    return paths


def as_json(found: Listening) -> str:
    """Return the results as JSON: their keys, one row a line; what is None stays null."""
    parts = []
    for name in type(found).model_fields:
        value = getattr(found, name)
        if isinstance(value, tuple):
            lines = ",\n".join(row.model_dump_json() for row in value if isinstance(row, Row))
            parts.append(f"{json.dumps(name)}: [\n{lines}\n]" if value else f"{json.dumps(name)}: []")
        else:
            parts.append(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def markdown(found: Listening) -> str:
    """Return the results as a Markdown page."""
    n_clips = found.groups[0].clips if found.groups else 0
    parts = [
        "# What listeners say",
        f"{count(n_clips, 'clip')}, {count(len(found.raters), 'listener')}, page `{found.page}`.",
        "## Scores",
        "Mean opinion scores from 1 (bad) to 5 (excellent), with 95 % intervals over clips and listeners. "
        "Rated: ratings with all four axes, of those asked for; what is missing is not filled in."
        + _heard_meaning(found),
        table(headers(found), rows(found), text_columns=2),
        "## Agreement",
        "Krippendorff's α (ordinal), and the mean weighted κ of pairs of listeners: 1 is full agreement, 0 "
        "is what chance gives.",
        table(AGREEMENT_HEADERS, agreement_rows(found), text_columns=2),
        "## Listeners",
        "Repeats: grades of clips heard twice. Anchors: grades of clips spoilt on purpose.",
        table(RATER_HEADERS, rater_rows(found), text_columns=2),
        *_flagged(found),
    ]
    return "\n\n".join(parts) + "\n"


def _asked_to_write(found: Listening) -> bool:
    return any(group.heard_wrongly is not None for group in found.groups)


def _heard_meaning(found: Listening) -> str:
    said = (
        " Heard wrongly: the share of characters wrong in what was written down before the words were seen."
    )
    return said if _asked_to_write(found) else ""


def _flagged(found: Listening) -> Sequence[str]:
    """Return the clips to listen to again: those with wrong words or comments, most wrong first."""
    clips = [clip for clip in found.clips if clip.wrong_words or clip.comments or clip.unplayable]
    if not clips:
        return ()
    clips.sort(key=lambda clip: (-clip.wrong_words, clip.clip))
    lines = [
        [
            clip.clip, clip.task_id, clip.engine, clip.spoken_text,
            " / ".join(f"{rater}: {said}" for rater, said in clip.comments.items()),
            f"{clip.wrong_words} of {clip.raters}",
        ]
        for clip in clips[:_FLAGGED]
    ]  # fmt: skip
    headers = ("clip", "task", "engine", "spoken", "comments", "wrong words")
    rest = len(clips) - _FLAGGED
    more = [escaped(f"{count(rest, 'more clip')} in listening.json.")] if rest > 0 else []
    return ["## Clips to hear again", table(headers, lines, text_columns=5), *more]


def _shown(mean: Mean | None) -> str | None:
    if mean is None or mean.mean is None:
        return None
    ends = interval(mean.low, mean.high)
    return f"{number(mean.mean)} ({ends})" if ends else number(mean.mean)


def _figure(value: float | None) -> str:
    return NONE if value is None else number(value)
