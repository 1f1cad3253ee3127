"""What is lost between reading and hearing: paired differences on the tasks that all conditions share."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from voicebench.report.estimates import difference, rate
from voicebench.report.shape import Gap, GapPoint, GapStep

Rights = Mapping[str, float]
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

    Args:
        rights: (agent, condition) to the scored tasks' values.
        lang_of: Task id to its language.
        agents: Agents in order.
        conditions: Conditions in order.
        langs: Languages in order.
    """
    for agent in agents:
        own = [c for c in conditions if rights.get((agent, c))]
        for chain in chains(own):
            columns = [rights[agent, condition] for condition in chain]
            shared = sorted(set(columns[0]).intersection(*columns[1:]))
            groups: defaultdict[str | None, list[str]] = defaultdict(list)
            for task_id in shared:
                groups[lang_of[task_id]].append(task_id)
            present = [lang for lang in langs if lang in groups]
            groups[None] = shared
            for lang in (None, *(present if len(langs) > 1 else ())):
                if groups[lang]:
                    yield _gap(agent, lang, chain, [[c[t] for t in groups[lang]] for c in columns])


def _gap(agent: str, lang: str | None, chain: tuple[str, ...], columns: list[list[float]]) -> Gap:
    points = []
    for condition, column in zip(chain, columns, strict=True):
        mean, low, high = rate(column)
        points.append(GapPoint(condition=condition, mean=mean, low=low, high=high))
    links = [(i, i + 1) for i in range(len(chain) - 1)]
    if len(chain) > 2:
        links.append((0, len(chain) - 1))
    steps = []
    for start, end in links:
        differences = [b - a for a, b in zip(columns[start], columns[end], strict=True)]
        mean, low, high = difference(differences)
        steps.append(GapStep(start=chain[start], end=chain[end], difference=mean, low=low, high=high))
    return Gap(agent=agent, lang=lang, n_pairs=len(columns[0]), points=tuple(points), steps=tuple(steps))
