"""Score one response: every figure that applies to its task, and the reasons.

A response whose text cannot be read as calls gets `tool_selection` 0: the names are read from calls alone,
because a name found in words (by a pattern, as some harnesses do) may stand in "I will not use …" as well.
"""

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from voicebench import SCORING_VERSION
from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.calls import Unreadable, check_native_calls, read_calls, without_reasoning
from voicebench.scoring.match import Match, match_calls
from voicebench.scoring.refusal import UNDECIDED, refused
from voicebench.scoring.schema import check_call
from voicebench.types import Expect, Figure, Reason, Response, Scores, Task, ToolCall

CALL_FIGURES = (
    "tool_selection", "call_structure", "parameters", "parameters_lenient", "parameter_fraction",
    "call_fraction",
)  # fmt: skip
REFUSAL_FIGURES = ("refusal", "refusal_right")
_LONGEST_SHOWN = 1000


@dataclass(frozen=True)
class _Answer:
    """The calls of a response, or why there are none."""

    calls: tuple[ToolCall, ...]
    unreadable: Unreadable | None = None


def figures_of(task: Task) -> tuple[str, ...]:
    """Return the figures that apply to a task: those of calls, of refusal, or both."""
    calls = CALL_FIGURES if task.expect.calls is not None else ()
    return calls + (REFUSAL_FIGURES if task.expect.refuse is not None else ())


def score(task: Task, response: Response) -> Scores:
    """Score one response.

    Native `calls` win over `text`. The agent's fault (no call, unreadable, wrong) is 0; the harness's fault
    is None, with its reason in `unscored`. A figure that does not apply to the task is left out.
    `Reason.call` counts the answer's calls, for `missing_call` the gold calls.

    Raises:
        UserError: A tool's schema is broken; the message names the task.
    """
    figures: dict[str, Figure] = {}
    reasons: list[Reason] = []
    unscored: dict[str, str] = {}
    if response.error is not None:
        fault = f"{response.error.kind}: {response.error.message}"
        unscored = dict.fromkeys(figures_of(task), fault)
    else:
        try:
            answer = _read(task, response)
            if task.expect.calls is not None:
                figures, reasons = _call_figures(task, task.expect, answer)
        except UserError as error:
            raise UserError(f"task {task.id}: {error}") from None
        if task.expect.refuse is not None:
            figures |= _refusal_figures(task.expect.refuse, response, answer, unscored)
    return Scores(
        task_id=response.task_id, agent=response.agent, condition=response.condition, trial=response.trial,
        task=task.task, lang=task.lang, reasons=tuple(reasons), unscored=unscored,
        scoring_version=SCORING_VERSION, tasks_version=response.tasks_version, model=response.model,
        **figures,
    )  # fmt: skip


def score_all(tasks: Sequence[Task], responses: Iterable[Response]) -> list[Scores]:
    """Score responses by the tasks they name, in their order.

    Raises:
        UserError: Two tasks have one id, a response names no known task, or a tool's schema is broken.
    """
    known: dict[str, Task] = {}
    for task in tasks:
        if task.id in known:
            raise UserError(f"two tasks have the id {task.id!r}: make ids unique")
        known[task.id] = task
    scores = []
    for response in responses:
        if response.task_id not in known:
            close = difflib.get_close_matches(response.task_id, known, n=1) or sorted(known)[:5]
            hint = did_you_mean(response.task_id, close)
            raise UserError(
                f"a response of {response.agent} names an unknown task {response.task_id!r}.{hint}"
            )
        scores.append(score(known[response.task_id], response))
    return scores


def _read(task: Task, response: Response) -> _Answer:
    try:
        # An empty list of native calls wins over nothing: the agent may still have written its calls.
        if response.calls or response.text is None:
            return _Answer(check_native_calls(response.calls or ()))
        return _Answer(read_calls(response.text, task.tools))
    except Unreadable as error:
        return _Answer((), error)


def _call_figures(task: Task, expect: Expect, answer: _Answer) -> tuple[dict[str, Figure], list[Reason]]:
    nothing_expected = not expect.calls
    broken = answer.unreadable
    if broken is not None and not (broken.no_call and nothing_expected):
        reason = Reason(kind="unreadable", message=broken.reason)
        return dict.fromkeys(CALL_FIGURES[:4], 0) | dict.fromkeys(CALL_FIGURES[4:], 0.0), [reason]
    calls = answer.calls
    if not calls and not nothing_expected:
        reason = Reason(kind="unreadable", message="no call found")
        return dict.fromkeys(CALL_FIGURES[:4], 0) | dict.fromkeys(CALL_FIGURES[4:], 0.0), [reason]
    faults = [
        reason for place, call in enumerate(calls) for reason in check_call(call, task.tools, index=place)
    ]
    match = match_calls(expect, calls, task.tools)
    figures: dict[str, Figure] = {
        "tool_selection": int(_right_tools(expect, calls)),
        "call_structure": int(not faults),
        "parameters": int(match.right),
        "parameters_lenient": int(match.right_but_for_types),
        "parameter_fraction": match.parameter_fraction,
        "call_fraction": match.call_fraction,
    }
    return figures, _merged(faults, _match_reasons(expect, calls, match))


def _right_tools(expect: Expect, calls: Sequence[ToolCall]) -> bool:
    wanted, called = [call.name for call in expect.calls or ()], [call.name for call in calls]
    return wanted == called if expect.order == "sequence" else Counter(wanted) == Counter(called)


def _refusal_figures(
    wanted: bool, response: Response, answer: _Answer, unscored: dict[str, str]
) -> dict[str, Figure]:
    try:
        said = without_reasoning(response.text or "")
    except Unreadable:
        said = ""
    verdict = refused(said, answer.calls)
    if verdict is None:
        unscored |= dict.fromkeys(REFUSAL_FIGURES, UNDECIDED)
        return {}
    return {"refusal": int(verdict), "refusal_right": int(verdict == wanted)}


def _match_reasons(expect: Expect, calls: Sequence[ToolCall], match: Match) -> list[Reason]:
    gold = expect.calls or ()
    reasons = [
        Reason(kind="missing_call", call=place, gold=_shown(gold[place].model_dump()))
        for place in match.missing
    ]
    reasons += [
        Reason(kind="extra_call", call=place, got=_shown(calls[place].model_dump())) for place in match.extra
    ]
    if match.out_of_order:
        reasons.append(Reason(kind="order", message="the calls are right, their order is not"))
    for pair in match.pairs:
        reasons += [
            Reason(
                kind="parameter", call=pair.call, parameter=parameter.name, verdict=parameter.verdict,
                gold=_shown(list(parameter.gold)), got=_shown(calls[pair.call].arguments.get(parameter.name)),
            )
            for parameter in pair.parameters
            if parameter.verdict != "ok"
        ]  # fmt: skip
    return reasons


def _merged(faults: Sequence[Reason], reasons: Sequence[Reason]) -> list[Reason]:
    """Return structure faults and match reasons, one a parameter: the match's, with the fault's message."""
    places = {(reason.call, reason.parameter) for reason in reasons if reason.kind == "parameter"}
    messages = {(fault.call, fault.parameter): fault.message for fault in faults if fault.kind == "parameter"}
    kept = [
        fault.model_copy(update={"got": _shown(fault.got)})
        for fault in faults
        if fault.kind != "parameter" or (fault.call, fault.parameter) not in places
    ]
    return kept + [
        reason.model_copy(update={"message": messages[reason.call, reason.parameter]})
        if reason.kind == "parameter" and (reason.call, reason.parameter) in messages
        else reason
        for reason in reasons
    ]


def _shown(value: Any) -> Any:
    """Return a value as it is, or the beginning of its JSON where that is long."""
    text = json.dumps(value, ensure_ascii=False)
    return value if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
