"""Tell which items changed their verdict between two scorings of the same answers, and why."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from voicebench.types import FIGURES, Figure, Reason, Row, Scores

Key = tuple[str, str, str, int]
Direction = Literal["up", "down", "newly scored", "newly unscored"]
_LONGEST_SHOWN = 80


class FigureChange(Row):
    """One figure of one item that changed; None where it was, or is, unscored."""

    figure: str
    direction: Direction
    old: Figure
    new: Figure


class Change(Row):
    """One item that changed.

    Attributes:
        figures: Every figure that did.
        why: The first reason for it: of what is wrong now, or else of what was wrong before.
    """

    task_id: str
    agent: str
    condition: str
    trial: int
    figures: tuple[FigureChange, ...]
    why: str


class FigureCounts(Row):
    """How many items have a figure in both scorings, and how it moved."""

    figure: str
    items: int
    same: int
    up: int
    down: int
    newly_scored: int
    newly_unscored: int


class Diff(Row):
    """What two scorings of the same answers have in common and what not.

    Attributes:
        old_versions: The scoring versions of the older rows.
        new_versions: Those of the newer ones.
        items: Items that both have.
        only_old: Items that the older one alone has.
        only_new: Items that the newer one alone has.
        figures: One for each figure that both know.
        figures_only_old: Figures that the older version alone knows; they count as no change.
        figures_only_new: Figures that the newer version alone knows; likewise.
        changes: The items that changed, in the newer one's order.
    """

    old_versions: tuple[str, ...]
    new_versions: tuple[str, ...]
    items: int
    only_old: int
    only_new: int
    figures: tuple[FigureCounts, ...]
    figures_only_old: tuple[str, ...]
    figures_only_new: tuple[str, ...]
    changes: tuple[Change, ...]


class Remembered(NamedTuple):
    """What is kept of an older row: its figures (None where unscored), its version, and its first reason."""

    figures: Mapping[str, Figure]
    version: str
    why: str


def remember(rows: Iterable[Scores]) -> dict[Key, Remembered]:
    """Return what `difference` needs of the older rows, about half a kilobyte each."""
    return {_key(row): Remembered(_figures(row), row.scoring_version, _first_reason(row)) for row in rows}


def difference(before: Mapping[Key, Remembered], rows: Iterable[Scores]) -> Diff:
    """Compare newer rows with older ones, item by item.

    Args:
        before: The older rows, remembered.
        rows: The newer rows, read once.
    """
    versions: dict[str, None] = {}
    found: list[tuple[Key, Mapping[str, Figure], str]] = []
    same: Counter[str] = Counter()
    known: dict[str, None] = {}
    n_items = n_new = 0
    for row in rows:
        versions[row.scoring_version] = None
        figures = _figures(row)
        known |= dict.fromkeys(figures)
        old = before.get(_key(row))
        if old is None:
            n_new += 1
            continue
        n_items += 1
        moved = {name for name in FIGURES if _direction(old.figures.get(name), figures.get(name)) is not None}
        same.update(figures.keys() - moved)
        if moved:
            found.append((_key(row), figures, _first_reason(row)))
    known_before = dict.fromkeys(name for old in before.values() for name in old.figures)
    common = [figure for figure in FIGURES if figure in known and figure in known_before]
    changes = [
        change
        for key, figures, why in found
        if (change := _change(key, before[key], figures, why, common)) is not None
    ]
    return Diff(
        old_versions=tuple(dict.fromkeys(old.version for old in before.values())),
        new_versions=tuple(versions),
        items=n_items,
        only_old=len(before) - n_items,
        only_new=n_new,
        figures=tuple(_counted(figure, changes, same[figure]) for figure in common),
        figures_only_old=tuple(figure for figure in known_before if figure not in known),
        figures_only_new=tuple(figure for figure in known if figure not in known_before),
        changes=tuple(changes),
    )


def said(reason: Reason) -> str:
    """Return a reason in one line."""
    place = f"call {reason.call}: " if reason.call is not None else ""
    if reason.kind == "parameter":
        given = f": {_shown(reason.got)}" if reason.verdict != "missing" else ""
        wanted = f", right would be {_shown(reason.gold)}" if reason.gold else ""
        return f"{place}{reason.parameter} is {reason.verdict}{given}{wanted}"
    return f"{place}{reason.kind.replace('_', ' ')}{f': {reason.message}' if reason.message else ''}"


def _key(row: Scores) -> Key:
    return (row.task_id, row.agent, row.condition, row.trial)


def _figures(row: Scores) -> dict[str, Figure]:
    """Return the figures that apply to a row, None where one is unscored."""
    return {
        name: value for name in FIGURES if (value := getattr(row, name)) is not None or name in row.unscored
    }


def _first_reason(row: Scores) -> str:
    if row.reasons:
        return said(row.reasons[0])
    return next(iter(row.unscored.values()), "")


def _direction(old: Figure, new: Figure) -> Direction | None:
    if old is None or new is None:
        return None if old == new else "newly scored" if old is None else "newly unscored"
    if math.isclose(old, new, rel_tol=1e-9, abs_tol=1e-12):
        return None
    return "up" if new > old else "down"


def _change(
    key: Key, old: Remembered, figures: Mapping[str, Figure], why: str, common: Iterable[str]
) -> Change | None:
    moved = tuple(
        FigureChange(figure=name, direction=direction, old=old.figures.get(name), new=figures.get(name))
        for name in common
        if (direction := _direction(old.figures.get(name), figures.get(name))) is not None
    )
    if not moved:
        return None
    task_id, agent, condition, trial = key
    why = why or (f"before: {old.why}" if old.why else "")
    return Change(task_id=task_id, agent=agent, condition=condition, trial=trial, figures=moved, why=why)


def _counted(figure: str, changes: Iterable[Change], same: int) -> FigureCounts:
    moved = Counter(part.direction for change in changes for part in change.figures if part.figure == figure)
    return FigureCounts(
        figure=figure, items=same + moved.total(), same=same, up=moved["up"], down=moved["down"],
        newly_scored=moved["newly scored"], newly_unscored=moved["newly unscored"],
    )  # fmt: skip


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
