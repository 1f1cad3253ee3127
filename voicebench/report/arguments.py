"""Every argument of an answer beside what was wanted, with its verdict; and the other reasons as phrases."""

from collections.abc import Mapping, Sequence
from typing import Any

from voicebench import SCORING_VERSION
from voicebench.errors import UserError
from voicebench.report.labels import cut, one_line, shown
from voicebench.report.shape import ArgumentLine
from voicebench.scoring.calls import Unreadable, check_native_calls, read_calls
from voicebench.scoring.match import Parameter, match_calls
from voicebench.scoring.setting import Setting
from voicebench.types import GoldCall, Reason, Response, Scores, Task, ToolCall

LONGEST_VALUE = 300
"""Characters of a value that are shown."""

MOST_VALUES = 2
"""Accepted values that stand beside an argument; the task's own gold shows all."""

PHRASES: dict[str, str] = {
    "unreadable": "cannot be read as calls",
    "tool": "no such tool",
    "missing_call": "a call is missing",
    "extra_call": "a call too many",
    "order": "the calls are in the wrong order",
}


def argument_lines(
    task: Task | None, response: Response | None, score: Scores | None
) -> tuple[ArgumentLine, ...]:
    """Return a line for each argument that counts, in the order of the gold calls.

    The reasons of a score name what is wrong. Where the score follows the rules that are installed here, the
    arguments that are right are found again by the same matching and stand beside them.
    """
    reasons = [reason for reason in score.reasons if reason.kind == "parameter"] if score else []
    messages = {(reason.call, reason.parameter): reason.message for reason in reasons}
    right = _matched(task, response, score) if score and score.scoring_version == SCORING_VERSION else []
    if not right:
        return tuple(_from_reason(reason) for reason in reasons)
    named = {(line.call, line.parameter) for line in right}
    rest = [_from_reason(reason) for reason in reasons if (reason.call, reason.parameter) not in named]
    lines = [line.model_copy(update={"message": messages.get((line.call, line.parameter))}) for line in right]
    return (*lines, *rest)


def remarks(score: Scores | None) -> tuple[str, ...]:
    """Return the reasons that are not about one argument, one phrase each."""
    return tuple(_remark(reason) for reason in score.reasons if reason.kind != "parameter") if score else ()


def written(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as people write it: `cab.get_fare(pickup="Jayanagar")`."""
    return cut(f"{name}({', '.join(f'{key}={shown(value)}' for key, value in arguments.items())})")


def _matched(task: Task | None, response: Response | None, score: Scores) -> list[ArgumentLine]:
    """Return the arguments of matched calls by the installed rules; empty where nothing can be matched."""
    if task is None or response is None or response.error is not None or not task.expect.calls:
        return []
    try:
        if response.calls or response.text is None:
            calls = check_native_calls(response.calls or (), task.tools)
        else:
            calls = read_calls(response.text, task.tools)
        found = _by_name(task.expect.calls, calls) if score.parameters == 1 else None
        if found is None:
            setting = Setting(task.lang, task.reference_date)
            match = match_calls(task.expect, calls, task.tools, setting=setting)
            found = [(pair.call, parameter) for pair in match.pairs for parameter in pair.parameters]
    except (Unreadable, UserError):
        return []
    return [
        ArgumentLine(
            call=call,
            parameter=parameter.name,
            verdict=parameter.verdict,
            wanted=_wanted(list(parameter.gold) or None),
            got=None if parameter.verdict == "missing" else shown(parameter.got, LONGEST_VALUE),
        )
        for call, parameter in found
    ]


def _by_name(gold: Sequence[GoldCall], calls: Sequence[ToolCall]) -> list[tuple[int, Parameter]] | None:
    """Return the arguments of an answer that is right as a whole; None where names do not pair its calls.

    Nothing needs to be compared for it, which is what costs the time.
    """
    called = {call.name: place for place, call in enumerate(calls)}
    if len(called) < len(calls) or len(gold) != len(calls) or {one.name for one in gold} != set(called):
        return None
    return [
        (called[one.name], Parameter(name, "ok", tuple(variants), given[name]))
        for one in gold
        for given in (calls[called[one.name]].arguments,)
        for name, variants in one.arguments.items()
        if name in given and not ("" in variants and given[name] in ("", None))
    ]


def _from_reason(reason: Reason) -> ArgumentLine:
    return ArgumentLine(
        call=reason.call,
        parameter=reason.parameter or "",
        verdict=reason.verdict or "wrong",
        wanted=_wanted(reason.gold),
        got=None if reason.verdict == "missing" else shown(reason.got, LONGEST_VALUE),
        message=reason.message,
    )


def _wanted(gold: Any) -> str | None:
    """Return the first accepted values as "a or b or 3 more"; None where nothing was wanted."""
    if gold is None or gold == []:
        return None
    if not isinstance(gold, list):
        return shown(gold, LONGEST_VALUE)
    values = [value for value in gold if value != ""]
    words = [shown(value, LONGEST_VALUE) for value in values[:MOST_VALUES]]
    if len(values) > MOST_VALUES:
        words.append(f"{len(values) - MOST_VALUES:,} more")
    return " or ".join([*words, "left out"] if "" in gold else words)


def _remark(reason: Reason) -> str:
    phrase = PHRASES[reason.kind]
    if reason.kind == "order":
        return phrase
    value = reason.got if reason.kind in ("extra_call", "tool") else reason.gold
    said = [_named(value) if value is not None else None, reason.message]
    return one_line(": ".join([phrase, *(text for text in said if text)]), 400)


def _named(value: Any) -> str:
    """Return a call or a name as people write it; of a gold call each argument's first accepted value."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and isinstance(value.get("arguments"), dict) and "name" in value:
        arguments = {
            key: next((v for v in accepted if v != ""), "") if isinstance(accepted, list) else accepted
            for key, accepted in value["arguments"].items()
        }
        return written(str(value["name"]), arguments)
    return shown(value, LONGEST_VALUE)
