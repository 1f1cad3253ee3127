"""The tasks as compact JSON inside the page, so that thousands of them open at once and render on demand."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import accumulate
from math import isfinite
from typing import Any

from voicebench.report.blames import SHOWN_CAUSES
from voicebench.report.labels import CAUSE_LABELS, FIGURE_LABELS, KIND_LABELS, LANGUAGE_LABELS, MOMENT_LABELS
from voicebench.report.shape import ArgumentLine, Clip, Item, ItemResult, ItemTurn, Summary

MOST_ANSWERS = 10_000
"""Answers that a page holds, about a kilobyte each; report.json holds all."""


def shown_items(summary: Summary, most: int = MOST_ANSWERS) -> tuple[Item, ...]:
    """Return the tasks that the page holds: all, or of each kind in each language the first ones.

    As many as have no more than `most` answers together, but one of each; and the examples of what was lost,
    which the page links to.
    """
    if sum(len(item.results) for item in summary.items) <= most:
        return summary.items
    seen: Counter[tuple[str, str]] = Counter()
    ranks = []
    for item in summary.items:
        ranks.append(seen[item.task, item.lang])
        seen[item.task, item.lang] += 1
    answers: Counter[int] = Counter()
    for item, rank in zip(summary.items, ranks, strict=True):
        answers[rank] += len(item.results)
    n_first = max(1, sum(total <= most for total in accumulate(answers[rank] for rank in sorted(answers))))
    linked = {example.task_id for blame in summary.blames for example in blame.examples}
    return tuple(
        item for item, rank in zip(summary.items, ranks, strict=True) if rank < n_first or item.id in linked
    )


def page_data(summary: Summary, link: Callable[[Clip], str]) -> dict[str, Any]:
    """Return what the page's script shows; agents and conditions by number, empty things left out.

    Args:
        summary: What to show.
        link: From a clip to its link, relative to the page.
    """
    agents = {name: i for i, name in enumerate(summary.agents)}
    conditions = {name: i for i, name in enumerate(summary.conditions)}
    return {
        "agents": list(agents),
        "conditions": list(conditions),
        "kinds": {kind: KIND_LABELS[kind] for kind in summary.kinds},
        "langs": {lang: LANGUAGE_LABELS.get(lang, lang) for lang in summary.langs},
        "figures": FIGURE_LABELS,
        "causes": {cause: CAUSE_LABELS[cause] for cause in SHOWN_CAUSES} if summary.blames else {},
        "moments": MOMENT_LABELS,
        "items": [_item(item, agents, conditions, link) for item in shown_items(summary)],
    }


def script_json(data: Any) -> str:
    """Return JSON that may stand inside a script element: no text in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _item(
    item: Item, agents: Mapping[str, int], conditions: Mapping[str, int], link: Callable[[Clip], str]
) -> dict[str, Any]:
    return _filled({
        "id": item.id,
        "kind": item.task,
        "lang": item.lang,
        "turns": [_turn(turn, conditions, link) for turn in item.turns],
        "tools": item.tools,
        "calls": [
            [call.name, [[a.parameter, a.accepted, int(a.optional)] for a in call.arguments]]
            for call in item.calls
        ],
        "sequence": item.order == "sequence" and len(item.calls) > 1,
        "refuse": item.refuse is True,
        "harmless": item.refuse is False,
        "date": item.reference_date,
        "results": [_result(result, agents, conditions) for result in item.results],
    })  # fmt: skip


def _turn(turn: ItemTurn, conditions: Mapping[str, int], link: Callable[[Clip], str]) -> dict[str, Any]:
    return _filled(
        {"role": turn.role, "text": turn.text, "clips": [_clip(clip, link) for clip in turn.clips]}
    )


def _clip(clip: Clip, link: Callable[[Clip], str]) -> dict[str, Any]:
    return _filled({
        "at": link(clip),
        "condition": clip.condition,
        "s": round(clip.duration_s, 2) if isfinite(clip.duration_s) else None,
        "voice": " · ".join(part for part in (clip.voice, clip.synthesizer) if part),
        "effects": clip.effects,
        "said": clip.spoken_text,
    })  # fmt: skip


def _result(result: ItemResult, agents: Mapping[str, int], conditions: Mapping[str, int]) -> dict[str, Any]:
    return _filled({
        "a": agents[result.agent],
        "c": conditions[result.condition],
        "trial": result.trial,
        "v": result.verdict,
        "heard": result.heard,
        "called": result.called,
        "text": result.text,
        "figures": {
            k: None if v is None else round(v, 4) for k, v in result.figures.items() if k != "right"
        },
        "why": next(iter(result.unscored.values()), None),
        "args": [_argument(line) for line in result.arguments],
        "remarks": result.remarks,
        "times": {k: round(v, 3) for k, v in result.seconds.items()},
        "error": result.error,
        "cause": result.cause if result.cause in SHOWN_CAUSES else None,
        "because": result.why if result.cause in SHOWN_CAUSES else None,
    })  # fmt: skip


def _argument(line: ArgumentLine) -> list[Any]:
    return [
        line.call,
        line.parameter,
        line.verdict,
        line.wanted,
        line.got,
        *([line.message] if line.message else []),
    ]


def _filled(data: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is empty; a number 0 and an empty text that was answered stay."""
    return {
        k: v for k, v in data.items() if v is not None and v is not False and (v or v == 0 or k == "text")
    }
