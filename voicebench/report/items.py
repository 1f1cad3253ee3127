"""The tasks one by one: what was said, what each agent heard and called, and what was right about it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from voicebench.report.arguments import TaskArguments, remarks, written
from voicebench.report.labels import cut, one_line, shown
from voicebench.report.merge import Answer, AnswerKey, Merged
from voicebench.report.run_data import RunData
from voicebench.report.shape import (
    RIGHT,
    Clip,
    GoldArgument,
    GoldLine,
    Item,
    ItemResult,
    ItemTurn,
    Verdict,
)
from voicebench.scoring.blame import Blame
from voicebench.types import GoldCall, ManifestRow, Task

HeardKey = tuple[str, str, str]
"""(task id, ASR name, condition of the clip)."""


def items(
    runs: Sequence[RunData],
    merged: Merged,
    heard: Mapping[HeardKey, tuple[str, ...]],
    blamed: Mapping[AnswerKey, Blame],
) -> tuple[Item, ...]:
    """Return the tasks in order, each with its answers; tasks known from their answers alone come last.

    Args:
        runs: The runs, for their clips.
        merged: The same brought together.
        heard: What each ASR heard of each task.
        blamed: Why answers to what was heard are wrong.
    """
    clips = _clips(runs)
    answers: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in merged.answers:
        answers[answer.task_id].append(answer)
    found = []
    for task_id in {**merged.tasks, **answers}:
        task = merged.tasks.get(task_id)
        arguments = TaskArguments(task)
        results = tuple(
            _result(answer, heard, blamed.get(answer.key), arguments) for answer in answers[task_id]
        )
        if task is not None:
            found.append(_item(task, clips, results))
        else:
            first = answers[task_id][0]
            found.append(Item(id=task_id, task=first.kind, lang=first.lang, results=results))
    return tuple(found)


def verdict(right: float | None) -> Verdict:
    """Return an answer's verdict from its `right`; a figure of None is unscored, never wrong."""
    if right is None:
        return "unscored"
    return "right" if right >= 1 else "wrong"


def _item(task: Task, clips: Mapping[tuple[str, int], list[Clip]], results: tuple[ItemResult, ...]) -> Item:
    return Item(
        id=task.id,
        task=task.task,
        lang=task.lang,
        turns=tuple(
            ItemTurn(role=turn.role, text=cut(turn.text), clips=tuple(clips.get((task.id, i), ())))
            for i, turn in enumerate(task.turns)
        ),
        tools=tuple(tool.name for tool in task.tools),
        calls=tuple(_gold(call) for call in task.expect.calls or ()),
        order=task.expect.order,
        refuse=task.expect.refuse,
        reference_date=task.reference_date,
        results=results,
    )


def _gold(call: GoldCall) -> GoldLine:
    return GoldLine(
        name=call.name,
        arguments=tuple(
            GoldArgument(
                parameter=parameter,
                accepted=tuple(shown(value) for value in accepted if value != ""),
                optional="" in accepted,
            )
            for parameter, accepted in call.arguments.items()
        ),
    )


def heard_words(answer: Answer, heard: Mapping[HeardKey, tuple[str, ...]]) -> tuple[str, ...]:
    """Return what the agent had of a request that it did not read: one text a user turn, or one for all."""
    if answer.response and answer.response.transcript is not None:
        return (answer.response.transcript,)
    if answer.condition.startswith("transcript:"):
        return heard.get((answer.task_id, answer.condition.removeprefix("transcript:"), "speech"), ())
    return ()


def transcripts(runs: Sequence[RunData]) -> dict[HeardKey, tuple[str, ...]]:
    """Return what each ASR heard of each task, turn by turn."""
    texts: defaultdict[HeardKey, dict[int, str]] = defaultdict(dict)
    for run in runs:
        for row in run.transcripts:
            texts[row.task_id, row.asr.name, row.condition][row.turn] = row.text
    return {key: tuple(turns[i] for i in sorted(turns)) for key, turns in texts.items()}


def _result(
    answer: Answer,
    heard: Mapping[HeardKey, tuple[str, ...]],
    blame: Blame | None,
    arguments: TaskArguments,
) -> ItemResult:
    values = answer.values
    response = answer.response
    timeline = response.timeline.model_dump(exclude_none=True) if response and response.timeline else {}
    error = response.error if response else None
    return ItemResult(
        agent=answer.agent,
        condition=answer.condition,
        trial=answer.trial,
        verdict=verdict(values[RIGHT].value),
        heard=tuple(cut(text) for text in heard_words(answer, heard)),
        called=tuple(
            written(call.name, call.arguments) for call in (response.calls if response else None) or ()
        ),
        text=cut(response.text) if response and response.text is not None else None,
        figures={figure: value.value for figure, value in values.items()},
        unscored={figure: value.reason for figure, value in values.items() if value.reason is not None},
        arguments=arguments.lines(response, answer.score),
        remarks=remarks(answer.score),
        seconds={moment: at_s for moment, at_s in timeline.items() if isfinite(at_s)},
        error=cut(f"{error.kind}: {error.message}", 600) if error else None,
        voice=response.voice if response else None,
        cause=blame.cause if blame else None,
        why=blame.why if blame else None,
    )


def _clips(runs: Sequence[RunData]) -> dict[tuple[str, int], list[Clip]]:
    """Return the clips of each (task, turn); the same sound in several runs once."""
    found: dict[tuple[str, int, str, str], tuple[str, ManifestRow]] = {}
    for run in runs:
        for row in run.clips:
            found.setdefault((row.task_id, row.turn, row.condition, row.sha256), (run.info.name, row))
    clips: defaultdict[tuple[str, int], list[Clip]] = defaultdict(list)
    for name, row in found.values():
        clips[row.task_id, row.turn].append(
            Clip(
                run=name,
                condition=row.condition,
                path=row.path,
                duration_s=row.duration_s,
                spoken_text=cut(row.spoken_text),
                voice=row.voice.id if row.voice else None,
                synthesizer=row.synthesizer.name,
                effects=tuple(one_line(_effect(effect)) for effect in row.effects),
            )
        )
    return clips


def _effect(effect: Mapping[str, Any]) -> str:
    details = ", ".join(f"{key} {shown(value)}" for key, value in effect.items() if key != "name")
    return f"{effect.get('name', 'effect')} ({details})" if details else str(effect.get("name", "effect"))
