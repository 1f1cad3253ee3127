"""Bring two sides together item by item, and say which items belong together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from voicebench.compare.choice import Asked, Chosen
from voicebench.compare.source import Source
from voicebench.compare.units import Unit, units_of
from voicebench.errors import UserError
from voicebench.report.labels import count
from voicebench.report.merge import origin_of
from voicebench.types import TaskKind

Cluster = Literal["item", "speaker", "none"]
CLUSTERS: tuple[Cluster, ...] = ("item", "speaker", "none")


@dataclass(frozen=True)
class Pair:
    """One task on both sides, under the condition (or the two conditions) compared; a side may lack it."""

    first: Unit | None
    second: Unit | None

    @property
    def any(self) -> Unit:
        """Either side's unit, for what they have in common."""
        unit = self.first or self.second
        assert unit is not None, "a pair has a side"
        return unit

    @property
    def task_id(self) -> str:
        """The task."""
        return self.any.task_id

    @property
    def condition(self) -> str:
        """The condition; "text → speech" where the sides' differ."""
        names = dict.fromkeys(unit.condition for unit in (self.first, self.second) if unit is not None)
        return " → ".join(names)

    @property
    def kind(self) -> TaskKind:
        """The kind of task."""
        return self.any.kind

    @property
    def lang(self) -> str:
        """The task's language."""
        return self.any.lang

    @cached_property
    def values(self) -> tuple[float, float] | None:
        """Both sides' figures, each the mean over its trials; None unless both have one."""
        if self.first is None or self.second is None:
            return None
        a, b = self.first.value, self.second.value
        return None if a is None or b is None else (a, b)

    @property
    def complete(self) -> bool:
        """Whether both sides have it with every planned trial scored."""
        return all(unit is not None and unit.reason is None for unit in (self.first, self.second))


def pairs_of(sources: tuple[Source, Source], chosen: Chosen, asked: Asked, figure: str) -> list[Pair]:
    """Return every item of either side, in the order of the first side's tasks."""
    found = []
    for conditions in chosen.conditions:
        first, second = (
            {
                unit.task_id: unit for unit in units_of(source, agent, condition, figure)
                if asked.keeps(unit.kind, unit.lang)
            }
            for source, agent, condition in zip(sources, chosen.agents, conditions, strict=True)
        )  # fmt: skip
        found += [Pair(first.get(task_id), second.get(task_id)) for task_id in {**first, **second}]
    return found


def cluster_labels(
    pairs: Sequence[Pair], by: Cluster, sources: tuple[Source, Source]
) -> tuple[list[str] | None, list[str]]:
    """Return each pair's cluster (None: each is its own), and what a reader must know about them.

    An item is a task with its translations (`origin`) under all conditions. A speaker is the voice that the
    agent heard.

    Raises:
        UserError: A speaker is asked for and one is not known.
    """
    if by == "none" or not pairs:
        return None, []
    if by == "item":
        known = {**sources[1].merged.tasks, **sources[0].merged.tasks}
        origins = {task_id: origin_of(task) for task_id, task in known.items()}
        return [origins.get(pair.task_id, pair.task_id) for pair in pairs], []
    clip_voices = (_clip_voices(sources[0]), _clip_voices(sources[1]))
    voices = [tuple(_voices(pair, clip_voices)) for pair in pairs]
    silent = sum(not found for found in voices)
    if silent:
        raise UserError(
            f"--cluster speaker: {count(silent, 'item has', 'items have')} no known voice "
            f"(the first is {pairs[voices.index(())].task_id}). Compare speech alone, or use --cluster item"
        )
    differing = sum(len(set(found)) > 1 for found in voices)
    said = f"{count(differing, 'item')} with another voice on either side: clustered by A's."
    return [found[0] for found in voices], [said] if differing else []


def _clip_voices(source: Source) -> dict[tuple[str, str], str]:
    """Return the voice of the last user turn by (task, condition)."""
    return {
        (task_id, condition): row.voice.id
        for (task_id, _, condition), row in sorted(source.clips.items())
        if row.voice is not None
    }


def _voices(pair: Pair, clip_voices: Sequence[dict[tuple[str, str], str]]) -> Iterator[str]:
    """Yield the voice of each side that has one: what its answers say, else its clip's."""
    for unit, known in zip((pair.first, pair.second), clip_voices, strict=True):
        if unit is None:
            continue
        responses = [trial.answer.response for trial in unit.trials if trial.answer is not None]
        said = [response.voice for response in responses if response is not None and response.voice]
        voice = said[0] if said else known.get((unit.task_id, unit.condition))
        if voice is not None:
            yield voice
