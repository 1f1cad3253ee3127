"""Which agent and which conditions of two sources are held against each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicebench.compare.source import Source
from voicebench.errors import UserError, did_you_mean
from voicebench.report.labels import condition_order, listed
from voicebench.report.shape import RIGHT
from voicebench.types import FIGURES


@dataclass(frozen=True)
class Asked:
    """What the user chose; None or empty where the files leave no choice.

    Attributes:
        agents: The agent of either side.
        conditions: The one condition of either side, which may differ; None: see `among`.
        among: Conditions to keep, the same on both sides; empty: all.
        langs: Languages to keep; empty: all.
        kinds: Kinds of task to keep; empty: all.
        flags: The options that choose the agents, for messages.
    """

    agents: tuple[str | None, str | None] = (None, None)
    conditions: tuple[str | None, str | None] = (None, None)
    among: tuple[str, ...] = ()
    langs: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    flags: tuple[str, str] = ("--agent-a", "--agent-b")

    def keeps(self, kind: str, lang: str) -> bool:
        """Whether items of a kind and language are asked for."""
        return (not self.kinds or kind in self.kinds) and (not self.langs or lang in self.langs)


@dataclass(frozen=True)
class Chosen:
    """Two agents, and the pairs of conditions under which they are compared."""

    agents: tuple[str, str]
    conditions: tuple[tuple[str, str], ...]


def check_figure(figure: str) -> str:
    """Return the name of a figure that can be compared.

    Raises:
        UserError: There is none of that name.
    """
    known = (RIGHT, *FIGURES)
    if figure not in known:
        raise UserError(f"unknown figure {figure!r}.{did_you_mean(figure, known)}")
    return figure


def choose(sources: tuple[Source, Source], asked: Asked) -> Chosen:
    """Return the agents and conditions to compare.

    A side with several agents takes the one that the other side has to take, if it has it.

    Raises:
        UserError: Something asked for is not there, or several agents or conditions leave a choice open.
    """
    first, second = sources
    sole = [_sole(source, name) for source, name in zip(sources, asked.agents, strict=True)]
    agents = (
        sole[0] or _same(first, sole[1], asked.flags[0]),
        sole[1] or _same(second, sole[0], asked.flags[1]),
    )
    conditions = tuple(_conditions(sources, agents, asked))
    return Chosen(agents, conditions)


def agents_of(source: Source) -> tuple[str, ...]:
    """Return the agents that have rows or were planned."""
    present = {answer.agent for answer in source.merged.answers} | {cell[0] for cell in source.merged.planned}
    return tuple(agent for agent in source.merged.agents if agent in present)


def conditions_of(source: Source, agent: str) -> list[str]:
    """Return the conditions under which an agent has rows or was planned, in the usual order."""
    present = {answer.condition for answer in source.merged.answers if answer.agent == agent}
    present |= {cell[1] for cell in source.merged.planned if cell[0] == agent}
    return sorted(present, key=condition_order)


def _sole(source: Source, asked: str | None) -> str | None:
    known = agents_of(source)
    if asked is None:
        return known[0] if len(known) == 1 else None
    if asked not in known:
        raise UserError(f"{source.path}: no agent {asked!r}.{did_you_mean(asked, known)}")
    return asked


def _same(source: Source, other: str | None, flag: str) -> str:
    known = agents_of(source)
    if other is not None and other in known:
        return other
    raise UserError(f"{source.path}: {len(known)} agents ({listed(known)}). Choose one with {flag} NAME")


def _conditions(
    sources: tuple[Source, Source], agents: tuple[str, str], asked: Asked
) -> list[tuple[str, str]]:
    present = [conditions_of(source, agent) for source, agent in zip(sources, agents, strict=True)]
    if any(asked.conditions):
        a, b = (
            _one_condition(source, here, name, side)
            for source, here, name, side in zip(sources, present, asked.conditions, "ab", strict=True)
        )
        return [(a, b)]
    for name in asked.among:
        if name not in present[0] and name not in present[1]:
            known = {*present[0], *present[1]}
            raise UserError(f"no answers under the condition {name!r}.{did_you_mean(name, known)}")
    kept = [[name for name in here if not asked.among or name in asked.among] for here in present]
    if not set(kept[0]) & set(kept[1]):
        raise UserError(
            f"nothing to pair: {agents[0]} in {sources[0].path} answered under {_or_none(kept[0])}, "
            f"{agents[1]} in {sources[1].path} under {_or_none(kept[1])}. "
            "To compare different conditions: --condition-a X --condition-b Y"
        )
    return [(name, name) for name in sorted({*kept[0], *kept[1]}, key=condition_order)]


def _one_condition(source: Source, present: Sequence[str], asked: str | None, side: str) -> str:
    if asked is not None:
        if asked not in present:
            raise UserError(f"{source.path}: no condition {asked!r}.{did_you_mean(asked, present)}")
        return asked
    if len(present) == 1:
        return present[0]
    said = f"{source.path}: {len(present)} conditions ({listed(present)})"
    raise UserError(f"{said}. Choose one with --condition-{side} NAME")


def _or_none(names: Sequence[str]) -> str:
    return listed(names) or "none of them"
