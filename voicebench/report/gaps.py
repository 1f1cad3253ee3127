"""What is lost between reading and hearing: paired differences on the tasks that all conditions share."""

from collections.abc import Iterator, Mapping, Sequence

from voicebench.report.estimates import Sampled, difference, rate
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
    conditions: Sequence[str], langs: Sequence[str],
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
    """
    for agent in agents:
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
                    yield _gap(agent, lang, chain, [[column[t] for t in shared] for column in columns])


def _gap(agent: str, lang: str | None, chain: tuple[str, ...], columns: list[list[Sampled]]) -> Gap:
    points = []
    for condition, column in zip(chain, columns, strict=True):
        mean, low, high = rate(*zip(*column, strict=True))
        points.append(GapPoint(condition=condition, mean=mean, low=low, high=high))
    links = [(i, i + 1) for i in range(len(chain) - 1)]
    if len(chain) > 2:
        links.append((0, len(chain) - 1))
    steps = []
    for start, end in links:
        pairs = list(zip(columns[start], columns[end], strict=True))
        mean, low, high = difference(
            [b.value - a.value for a, b in pairs],
            [a.origin for a, _ in pairs],
            # The words of a text have no voice, so that the difference has that of the clip.
            [b.voice or a.voice for a, b in pairs],
        )
        steps.append(GapStep(start=chain[start], end=chain[end], difference=mean, low=low, high=high))
    return Gap(agent=agent, lang=lang, n_pairs=len(columns[0]), points=tuple(points), steps=tuple(steps))
