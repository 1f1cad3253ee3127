"""What is lost between reading and hearing: paired differences on the tasks that all conditions share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from voicebench.report.estimates import Asked, Difference, Estimate, Estimator, Rate
from voicebench.report.observed import Sampled
from voicebench.report.shape import Gap, GapPoint, GapStep

Rights = Mapping[str, Sampled]
"""Task id to how often the task was answered right (mean over its trials)."""


def chains(conditions: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the chains that conditions make, each with at least two links.

    Text, each ASR's transcript and speech make one chain an ASR; speech and each effect on it make one more.
    """
    transcripts = [c for c in conditions if c.startswith("transcript:")]
    hearing = [["text", *middle, "speech"] for middle in [[t] for t in transcripts] or [[]]]
    effects = [["speech", c] for c in conditions if c.startswith("speech/")]
    found = [tuple(c for c in chain if c in conditions) for chain in (*hearing, *effects)]
    return [chain for chain in found if len(chain) > 1]


def gaps(
    rights: Mapping[tuple[str, str], Rights], lang_of: Mapping[str, str], agents: Sequence[str],
    conditions: Sequence[str], langs: Sequence[str], estimator: Estimator,
) -> Iterator[Gap]:  # fmt: skip
    """Yield each agent's chains, over all languages first, then (several languages) for each one.

    A language's chain is made of the conditions that it was asked under; over all languages, of those that
    every language was asked under.

    Args:
        rights: (agent, condition) to the scored tasks' values.
        lang_of: Task id to its language.
        agents: Agents in order.
        conditions: Conditions in order.
        langs: Languages in order.
        estimator: What draws the intervals.
    """
    found = [chain for agent in agents for chain in _chains(rights, lang_of, agent, conditions, langs)]
    drawn = iter(estimator.estimates([one for chain in found for one in chain.asked]))
    for chain in found:
        yield chain.gap([next(drawn) for _ in chain.asked])


@dataclass(frozen=True)
class _Chain:
    """Conditions and the tasks that are scored under all of them: one column a condition."""

    agent: str
    lang: str | None
    conditions: tuple[str, ...]
    columns: tuple[tuple[Sampled, ...], ...]

    @property
    def links(self) -> list[tuple[int, int]]:
        """From each condition to the next, then (three or more conditions) from the first to the last."""
        last = len(self.conditions) - 1
        return [*((place, place + 1) for place in range(last)), *([(0, last)] if last > 1 else [])]

    @property
    def asked(self) -> list[Asked]:
        """The means of the conditions, then those of the links."""
        steps = [self._step(self.columns[start], self.columns[end]) for start, end in self.links]
        return [*map(Rate.of, self.columns), *steps]

    def gap(self, drawn: Sequence[Estimate]) -> Gap:
        """Return the row, from the estimates of what is asked."""
        points, steps = drawn[: len(self.columns)], drawn[len(self.columns) :]
        return Gap(
            agent=self.agent,
            lang=self.lang,
            n_pairs=len(self.columns[0]),
            points=tuple(
                GapPoint(condition=condition, mean=mean, low=low, high=high)
                for condition, (mean, low, high) in zip(self.conditions, points, strict=True)
            ),
            steps=tuple(
                GapStep(start=self.conditions[start], end=self.conditions[end], difference=mean, low=low,
                        high=high)
                for (start, end), (mean, low, high) in zip(self.links, steps, strict=True)
            ),
        )  # fmt: skip

    @staticmethod
    def _step(start: Sequence[Sampled], end: Sequence[Sampled]) -> Difference:
        pairs = list(zip(start, end, strict=True))
        return Difference(
            tuple(b.value - a.value for a, b in pairs),
            tuple(a.origin for a, _ in pairs),
            # The words of a text have no voice, so that the difference has that of the clip.
            tuple(b.voice or a.voice for a, b in pairs),
        )


def _chains(
    rights: Mapping[tuple[str, str], Rights], lang_of: Mapping[str, str], agent: str,
    conditions: Sequence[str], langs: Sequence[str],
) -> Iterator[_Chain]:  # fmt: skip
    asked = {c: rights[agent, c] for c in conditions if rights.get((agent, c))}
    spoken = {c: {lang_of[task_id] for task_id in column} for c, column in asked.items()}
    present = [lang for lang in langs if any(lang in of for of in spoken.values())]
    for lang in (None, *(present if len(langs) > 1 else ())):
        wanted = set(present) if lang is None else {lang}
        for chain in chains([c for c in asked if wanted <= spoken[c]]):
            columns = [
                {t: v for t, v in asked[condition].items() if lang_of[t] in wanted} for condition in chain
            ]
            shared = sorted(set(columns[0]).intersection(*columns[1:]))
            if shared:
                by_task = (tuple(column[task_id] for task_id in shared) for column in columns)
                yield _Chain(agent, lang, chain, tuple(by_task))
