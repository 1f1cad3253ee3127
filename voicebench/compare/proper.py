"""What makes a comparison improper: other scoring rules, other tasks, other models under one name."""

from collections.abc import Iterator, Sequence

from voicebench.compare.choice import Chosen
from voicebench.compare.pairs import Pair
from voicebench.compare.source import Source
from voicebench.compare.units import Unit
from voicebench.errors import UserError
from voicebench.report.labels import count, listed
from voicebench.types import ModelRef, Response, Scores


def scoring_versions(source: Source, agent: str) -> tuple[str, ...]:
    """Return the versions of the scoring rules that an agent's rows were made with."""
    return tuple(sorted({row.scoring_version for row in _rows(source, agent)}))


def tasks_versions(source: Source, agent: str) -> tuple[str, ...]:
    """Return the versions of the task set that an agent's rows name."""
    return tuple(sorted({row.tasks_version for row in _rows(source, agent) if row.tasks_version}))


def models_of(source: Source, agent: str) -> tuple[ModelRef, ...]:
    """Return the models behind an agent, as its rows or its run name them."""
    named = dict.fromkeys(row.model for row in _rows(source, agent) if row.model is not None)
    described = [model for one in source.info.agents if one.name == agent for model in one.models]
    return tuple(dict.fromkeys([*named, *described]))


def check_scoring(sources: tuple[Source, Source], chosen: Chosen, *, force: bool) -> list[str]:
    """Return a note where two sides were scored by different rules.

    Raises:
        UserError: They were, and `force` is not given.
    """
    first, second = (scoring_versions(source, a) for source, a in zip(sources, chosen.agents, strict=True))
    if first == second and len(first) < 2:
        return []
    said = (
        f"{sources[0].path} was scored by rules {listed(first) or 'unknown'}, "
        f"{sources[1].path} by rules {listed(second) or 'unknown'}"
    )
    if not force:
        raise UserError(f"{said}: these do not compare. Score both again with: voicebench score --run DIR")
    return [f"Improper: {said}."]


def warnings(
    sources: tuple[Source, Source], chosen: Chosen, pairs: Sequence[Pair], figure: str
) -> Iterator[str]:
    """Yield what a reader must know before believing a difference, a sentence each."""
    first, second = sources
    a, b = chosen.agents
    if first.path.resolve() == second.path.resolve() and a == b and all(x == y for x, y in chosen.conditions):
        yield "Both sides are the same answers: name two agents or two conditions to compare within a run."
    for side in {id(source): source for source in sources}.values():
        yield from (f"{side.path}: {note}" for note in side.merged.notes if note not in side.info.notes)
    sets = tasks_versions(first, a), tasks_versions(second, b)
    if all(sets) and sets[0] != sets[1]:
        yield f"Improper: the task sets differ ({listed(sets[0])} and {listed(sets[1])})."
    shared = {pair.task_id for pair in pairs if pair.first is not None and pair.second is not None}
    other = [
        task_id for task_id in sorted(shared & {*first.merged.tasks} & {*second.merged.tasks})
        if first.merged.tasks[task_id] != second.merged.tasks[task_id]
    ]  # fmt: skip
    if other:
        said = count(len(other), "task has", "tasks have")
        yield f"Improper: {said} the same id but other content on either side (the first is {other[0]})."
    models = models_of(first, a), models_of(second, b)
    if a == b and all(models) and set(models[0]) != set(models[1]):
        yield f"{a} is not the same model on both sides: {_named(models[0])} and {_named(models[1])}."
    judges = _judges(first, a, figure), _judges(second, b, figure)
    if judges[0] != judges[1]:
        yield f"Improper: the judges of {figure} differ."
    prompts = first.info.prompts_version, second.info.prompts_version
    if all(prompts) and prompts[0] != prompts[1]:
        yield f"The instruction texts differ (versions {prompts[0]} and {prompts[1]})."
    n_clips = sum(_other_sound(pair) for pair in pairs)
    if n_clips:
        yield f"{count(n_clips, 'item was', 'items were')} heard from another clip on either side."


def _rows(source: Source, agent: str) -> list[Scores]:
    return [row for row in source.scores if row.agent == agent]


def _named(models: Sequence[ModelRef]) -> str:
    return listed([f"{model.name} at {model.revision}" if model.revision else model.name for model in models])


def _judges(source: Source, agent: str, figure: str) -> set[tuple[str, str | None, str]]:
    return {
        (row.judge.name, row.judge.revision, row.judge.prompts[figure])
        for row in _rows(source, agent)
        if row.judge is not None and figure in row.judge.prompts
    }


def _other_sound(pair: Pair) -> bool:
    if pair.first is None or pair.second is None or pair.first.condition != pair.second.condition:
        return False
    sounds = [
        {response.audio_sha256 for response in _responses(unit) if response.audio_sha256}
        for unit in (pair.first, pair.second)
    ]
    return all(sounds) and not sounds[0] & sounds[1]


def _responses(unit: Unit) -> list[Response]:
    found = [trial.answer.response for trial in unit.trials if trial.answer is not None]
    return [response for response in found if response is not None]
