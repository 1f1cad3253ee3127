"""Why answers to what was heard are wrong: each beside the same agent's answer to the text, then counted."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from voicebench.report.estimates import Estimate, Estimator, Rate
from voicebench.report.items import HeardKey, heard_words
from voicebench.report.labels import cut, shown
from voicebench.report.merge import Answer, AnswerKey, Merged
from voicebench.report.observed import Groups
from voicebench.report.run_data import RunData
from voicebench.report.shape import RIGHT, Blame, BlameExample, Share
from voicebench.scoring import blame as rule
from voicebench.scoring.blame import CAUSES, Cause, Side, Words

EXAMPLES = 3
"""Examples of each cause that an agent and condition show."""

SHOWN_CAUSES: tuple[Cause, ...] = ("hearing", "planning", "writing", "undecided", "only_heard")
"""The causes that have examples."""

Blamed = Mapping[AnswerKey, rule.Blame]


def blame_of(
    merged: Merged, runs: Sequence[RunData], heard: Mapping[HeardKey, tuple[str, ...]]
) -> dict[AnswerKey, rule.Blame]:
    """Return the cause of every answer to what was heard that is scored, as is the answer to the text.

    The two are answers of the same agent to the same task in the same trial; "heard" is every condition but
    `text`, an ASR's transcript among them.

    Args:
        merged: The runs brought together.
        runs: The same one by one, for what their clips say.
        heard: What each ASR heard of each task.
    """
    answers = {answer.key: answer for answer in merged.answers if answer.right is not None}
    spoken = _spoken(runs)
    from_transcripts = _right_from_transcripts(answers.values())
    found = {}
    for key, answer in answers.items():
        read = answers.get((answer.task_id, answer.agent, "text", answer.trial))
        if read is not None and answer.condition != "text":
            words = Words(
                said=_said(answer, spoken),
                transcript=_transcript(answer, heard),
                right_from_a_transcript=from_transcripts.get((answer.task_id, answer.agent, answer.trial)),
                lang=answer.lang,
            )
            found[key] = rule.blame(_side(read), _side(answer), words)
    return found


def blames(
    blamed: Blamed,
    merged: Merged,
    groups: Groups,
    heard: Mapping[HeardKey, tuple[str, ...]],
    estimator: Estimator,
) -> Iterator[Blame]:
    """Yield the causes counted, for each agent and condition over all languages first, then for each one.

    Args:
        blamed: The cause of each answer.
        merged: The runs brought together.
        groups: Every figure of every planned answer, for what was planned.
        heard: What each ASR heard of each task.
        estimator: What draws the intervals.
    """
    pairs: defaultdict[tuple[str, str], list[tuple[Answer, rule.Blame]]] = defaultdict(list)
    for answer in merged.answers:
        if answer.key in blamed:
            pairs[answer.agent, answer.condition].append((answer, blamed[answer.key]))
    langs = (None, *(merged.langs if len(merged.langs) > 1 else ()))
    found = []
    for agent, condition, lang in product(merged.agents, merged.conditions, langs):
        own = [pair for pair in pairs[agent, condition] if lang in (None, pair[0].lang)]
        if own:
            found.append(((agent, condition, lang), own))
    shares = iter(estimator.estimates([rate for _, own in found for rate in _rates(own)]))
    planned = _planned(groups)
    for (agent, condition, lang), own in found:
        yield Blame(
            agent=agent,
            condition=condition,
            lang=lang,
            n_pairs=len(own),
            n_unpaired=max(planned[agent, condition, lang] - len(own), 0),
            n_by_ear=sum(blame.by_ear for _, blame in own),
            causes={cause: _share(cause, own, next(shares)) for cause in CAUSES},
            examples=tuple(_examples(own, heard)) if lang is None else (),
        )


def _rates(pairs: Sequence[tuple[Answer, rule.Blame]]) -> Iterator[Rate]:
    """Yield the share of each cause."""
    origins = tuple(answer.origin for answer, _ in pairs)
    voices = tuple(answer.response.voice if answer.response else None for answer, _ in pairs)
    for cause in CAUSES:
        yield Rate(tuple(float(blame.cause == cause) for _, blame in pairs), origins, voices)


def _share(cause: Cause, pairs: Sequence[tuple[Answer, rule.Blame]], found: Estimate) -> Share:
    share, low, high = found
    return Share(n=sum(blame.cause == cause for _, blame in pairs), share=share, low=low, high=high)


def _examples(
    pairs: Sequence[tuple[Answer, rule.Blame]], heard: Mapping[HeardKey, tuple[str, ...]]
) -> Iterator[BlameExample]:
    """Yield a few of each cause, of as many languages as there are; those that name a parameter first."""
    for cause in SHOWN_CAUSES:
        own = [(answer, blame) for answer, blame in pairs if blame.cause == cause]
        own.sort(key=lambda pair: pair[1].parameter is None)
        seen: defaultdict[str, int] = defaultdict(int)
        ranked = []
        for answer, blame in own:
            ranked.append((seen[answer.lang], answer, blame))
            seen[answer.lang] += 1
        ranked.sort(key=lambda row: row[0])
        for _, answer, blame in ranked[:EXAMPLES]:
            yield _example(answer, blame, _transcript(answer, heard))


def _example(answer: Answer, blame: rule.Blame, transcript: str | None) -> BlameExample:
    turns = [turn.text for turn in answer.task.turns if turn.role == "user"] if answer.task else []
    return BlameExample(
        task_id=answer.task_id,
        lang=answer.lang,
        trial=answer.trial,
        cause=blame.cause,
        why=blame.why,
        said=cut("\n".join(turns), 400),
        heard=cut(transcript, 400) if transcript is not None else None,
        parameter=blame.parameter,
        wanted=" or ".join(shown(value, 100) for value in blame.wanted[:2]) or None,
        got=shown(blame.got, 200) if blame.parameter is not None and blame.got is not None else None,
    )


def _side(answer: Answer) -> Side:
    score = answer.score
    tools = answer.values.get("tool_selection") if answer.kind != "safety" else None
    return Side(
        right=(answer.right or 0) >= 1,
        reasons=score.reasons if score else (),
        right_tools=bool(tools.value) if tools is not None and tools.value is not None else None,
    )


def _said(answer: Answer, spoken: Mapping[tuple[str, str], Sequence[str]]) -> tuple[str, ...]:
    """Return the request as it is written, and as it was spoken, user turns joined."""
    written = [turn.text for turn in answer.task.turns if turn.role == "user"] if answer.task else []
    condition = "speech" if answer.condition.startswith("transcript:") else answer.condition
    forms = (" ".join(written), " ".join(spoken.get((answer.task_id, condition), ())))
    return tuple(dict.fromkeys(form for form in forms if form))


def _transcript(answer: Answer, heard: Mapping[HeardKey, tuple[str, ...]]) -> str | None:
    words = heard_words(answer, heard)
    return " ".join(words) if words else None


def _spoken(runs: Sequence[RunData]) -> dict[tuple[str, str], list[str]]:
    """Return what the clips say, turn by turn, by (task id, condition)."""
    turns: defaultdict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for run in runs:
        for row in run.clips:
            turns[row.task_id, row.condition].setdefault(row.turn, row.spoken_text)
    return {key: [texts[turn] for turn in sorted(texts)] for key, texts in turns.items()}


def _right_from_transcripts(answers: Iterable[Answer]) -> dict[tuple[str, str, int], bool]:
    """Return whether an agent was right from what some ASR had heard, by (task id, agent, trial)."""
    found: dict[tuple[str, str, int], bool] = {}
    for answer in answers:
        if answer.condition.startswith("transcript:"):
            key = answer.task_id, answer.agent, answer.trial
            found[key] = found.get(key, False) or (answer.right or 0) >= 1
    return found


def _planned(groups: Groups) -> Counter[tuple[str, str, str | None]]:
    """Return how many answers were planned, by (agent, condition, language or all)."""
    planned: Counter[tuple[str, str, str | None]] = Counter()
    for (agent, condition, _, lang), figures in groups.items():
        for some_lang in (None, lang):
            planned[agent, condition, some_lang] += figures[RIGHT].counts.planned
    return planned
