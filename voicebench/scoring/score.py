"""Score one response: every figure that applies to its task, and the reasons.

A response whose text cannot be read as calls gets `tool_selection` 0: the names are read from calls alone,
because a name found in words (by a pattern, as some harnesses do) may stand in "I will not use …" as well.
"""

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from voicebench import SCORING_VERSION
from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.answer import Answer, read_answer
from voicebench.scoring.match import Match, match_calls
from voicebench.scoring.names import Aliases
from voicebench.scoring.refusal import UNDECIDED, refused
from voicebench.scoring.schema import check_call
from voicebench.scoring.setting import Setting
from voicebench.types import Expect, Figure, Reason, Response, Scores, Task, ToolCall

CALL_FIGURES = (
    "tool_selection", "call_structure", "parameters", "parameters_lenient", "parameter_fraction",
    "call_fraction",
)  # fmt: skip
SEQUENCE_FIGURES = ("prefix_fraction",)
REFUSAL_FIGURES = ("refusal", "refusal_right")
_LONGEST_SHOWN = 1000


def figures_of(task: Task) -> tuple[str, ...]:
    """Return the figures that apply to a task: those of calls, of a sequence, of refusal."""
    calls = _call_figures_of(task.expect) if task.expect.calls is not None else ()
    return calls + (REFUSAL_FIGURES if task.expect.refuse is not None else ())


def _call_figures_of(expect: Expect) -> tuple[str, ...]:
    return CALL_FIGURES + (SEQUENCE_FIGURES if expect.order == "sequence" else ())


def score(task: Task, response: Response, aliases: Aliases | None = None) -> Scores:
    """Score one response.

    Native `calls` win over `text`. The agent's fault (no call, unreadable, wrong) is 0; the harness's fault
    is None, with its reason in `unscored`. A figure that does not apply to the task is left out.
    `Reason.call` counts the answer's calls, for `missing_call` the gold calls.

    Args:
        task: What was asked.
        response: What was answered.
        aliases: The table of names; None for the shipped one. Any other one marks the row's scoring version.

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
            answer = read_answer(task, response)
            if task.expect.calls is not None:
                figures, reasons = _call_figures(task, task.expect, answer, aliases)
        except UserError as error:
            raise UserError(f"task {task.id}: {error}") from None
        if task.expect.refuse is not None:
            figures |= _refusal_figures(task, task.expect.refuse, answer, unscored)
    return Scores(
        task_id=response.task_id, agent=response.agent, condition=response.condition, trial=response.trial,
        task=task.task, lang=task.lang, reasons=tuple(reasons), unscored=unscored,
        scoring_version=SCORING_VERSION + (aliases.mark if aliases is not None else ""),
        tasks_version=response.tasks_version, model=response.model,
        **figures,
    )  # fmt: skip


def score_all(tasks: Sequence[Task], responses: Iterable[Response]) -> list[Scores]:
    """Score responses by the tasks they name, in their order.

    Raises:
        UserError: As `score_stream`.
    """
    return list(score_stream(tasks, responses))


def score_stream(
    tasks: Sequence[Task],
    responses: Iterable[Response],
    *,
    score_one: Callable[[Task, Response], Scores] = score,
) -> Iterator[Scores]:
    """Score responses one at a time by the tasks they name, in their order; nothing is kept of them.

    Args:
        tasks: What was asked.
        responses: What was answered.
        score_one: The rule; `score`, or one that asks a judge as well.

    Raises:
        UserError: Two tasks have one id, a response names no known task, or a tool's schema is broken.
    """
    known = tasks_by_id(tasks)
    return (score_one(_task_of(response, known), response) for response in responses)


def tasks_by_id(tasks: Iterable[Task]) -> dict[str, Task]:
    """Return tasks by their ids.

    Raises:
        UserError: Two tasks have one id.
    """
    known: dict[str, Task] = {}
    for task in tasks:
        if task.id in known:
            raise UserError(f"two tasks have the id {task.id!r}: make ids unique")
        known[task.id] = task
    return known


def _task_of(response: Response, known: Mapping[str, Task]) -> Task:
    if response.task_id in known:
        return known[response.task_id]
    close = difflib.get_close_matches(response.task_id, known, n=1) or sorted(known)[:5]
    hint = did_you_mean(response.task_id, close)
    raise UserError(f"a response of {response.agent} names an unknown task {response.task_id!r}.{hint}")


def _call_figures(
    task: Task, expect: Expect, answer: Answer, aliases: Aliases | None
) -> tuple[dict[str, Figure], list[Reason]]:
    nothing_expected = not expect.calls
    broken = answer.unreadable
    if broken is not None and not (broken.no_call and nothing_expected):
        return _nothing_right(expect, broken.reason)
    calls = answer.calls
    if not calls and not nothing_expected:
        return _nothing_right(expect, "no call found")
    faults = [
        reason for place, call in enumerate(calls) for reason in check_call(call, task.tools, index=place)
    ]
    setting = Setting(task.lang, task.reference_date, aliases)
    match = match_calls(expect, calls, task.tools, setting=setting)
    figures: dict[str, Figure] = {
        "tool_selection": int(_right_tools(expect, calls)),
        "call_structure": int(not faults),
        "parameters": int(match.right),
        "parameters_lenient": int(match.right_but_for_types),
        "parameter_fraction": match.parameter_fraction,
        "call_fraction": match.call_fraction,
    }
    if expect.order == "sequence":
        figures["prefix_fraction"] = match.prefix_fraction
    return figures, _merged(faults, _match_reasons(expect, calls, match))


def _nothing_right(expect: Expect, why: str) -> tuple[dict[str, Figure], list[Reason]]:
    """Return the figures of an answer whose calls cannot be read."""
    figures: dict[str, Figure] = {
        figure: 0.0 if figure.endswith("_fraction") else 0 for figure in _call_figures_of(expect)
    }
    return figures, [Reason(kind="unreadable", message=why)]


def _right_tools(expect: Expect, calls: Sequence[ToolCall]) -> bool:
    wanted, called = [call.name for call in expect.calls or ()], [call.name for call in calls]
    return wanted == called if expect.order == "sequence" else sorted(wanted) == sorted(called)


def _refusal_figures(task: Task, wanted: bool, answer: Answer, unscored: dict[str, str]) -> dict[str, Figure]:
    verdict = refused(answer.said, answer.calls, task.lang)
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
    # Most are short. JSON is at most twice as long as repr, which takes a tenth of the time.
    if 2 * len(repr(value)) <= _LONGEST_SHOWN:
        return value
    text = json.dumps(value, ensure_ascii=False)
    return value if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
