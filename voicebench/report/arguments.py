"""Every argument of an answer beside what was wanted, with its verdict; and the other reasons as phrases."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voicebench import SCORING_VERSION
from voicebench.errors import UserError
from voicebench.report.labels import cut, one_line, shown
from voicebench.report.shape import ArgumentLine
from voicebench.scoring.answer import read_answer
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


class TaskArguments:
    """The arguments of the answers to one task; what is wanted is put into words once for all of them."""

    def __init__(self, task: Task | None) -> None:
        """Take the task, where it is known."""
        self._task = task
        self._wanted: dict[tuple[int, str], str | None] = {}

    def lines(self, response: Response | None, score: Scores | None) -> tuple[ArgumentLine, ...]:
        """Return a line for each argument of an answer that counts, in the order of the gold calls.

        The reasons of a score name what is wrong. Where the score follows the rules that are installed here,
        the arguments that are right are found again and stand beside them.
        """
        if score is None:
            return ()
        reasons = [reason for reason in score.reasons if reason.kind == "parameter"]
        messages = {(reason.call, reason.parameter): reason.message for reason in reasons}
        lines: dict[tuple[int | None, str | None], ArgumentLine] = {}
        if score.scoring_version == SCORING_VERSION:
            for gold, call, parameter in self._found(response, score):
                lines[call, parameter.name] = ArgumentLine(
                    call=call,
                    parameter=parameter.name,
                    verdict=parameter.verdict,
                    wanted=self._wanted_words(gold, parameter),
                    got=None if parameter.verdict == "missing" else shown(parameter.got, LONGEST_VALUE),
                    message=messages.get((call, parameter.name)),
                )
        rest = (line_of(reason) for reason in reasons if (reason.call, reason.parameter) not in lines)
        return (*lines.values(), *rest)

    def _found(self, response: Response | None, score: Scores) -> list[tuple[int, int, Parameter]]:
        """Return the arguments of paired calls with the places of the gold call and of the answer's.

        Empty where nothing can be matched.
        """
        task = self._task
        if task is None or response is None or response.error is not None or not task.expect.calls:
            return []
        try:
            calls = read_answer(task, response).calls
            if not calls:
                return []
            found = _by_name(task.expect.calls, calls, score)
            if found is not None:
                return found
            setting = Setting(task.lang, task.reference_date)
            pairs = match_calls(task.expect, calls, task.tools, setting=setting).pairs
        except UserError:
            return []
        return [(pair.gold, pair.call, parameter) for pair in pairs for parameter in pair.parameters]

    def _wanted_words(self, gold: int, parameter: Parameter) -> str | None:
        place = gold, parameter.name
        if place not in self._wanted:
            self._wanted[place] = _wanted(list(parameter.gold) or None)
        return self._wanted[place]


def line_of(reason: Reason) -> ArgumentLine:
    """Return what a score's reason says of an argument."""
    return ArgumentLine(
        call=reason.call,
        parameter=reason.parameter or "",
        verdict=reason.verdict or "wrong",
        wanted=_wanted(reason.gold),
        got=None if reason.verdict == "missing" else shown(reason.got, LONGEST_VALUE),
        message=reason.message,
    )


def remarks(score: Scores | None) -> tuple[str, ...]:
    """Return the reasons that are not about one argument, one phrase each."""
    return tuple(_remark(reason) for reason in score.reasons if reason.kind != "parameter") if score else ()


def written(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as people write it: `cab.get_fare(pickup="Jayanagar")`."""
    return cut(f"{name}({', '.join(f'{key}={shown(value)}' for key, value in arguments.items())})")


def _by_name(
    gold: Sequence[GoldCall], calls: Sequence[ToolCall], score: Scores
) -> list[tuple[int, int, Parameter]] | None:
    """Return the arguments of calls whose names tell which of them are paired; None where they do not.

    The score says which calls are paired at all and which of their arguments are wrong, so that no value is
    compared again, which is what costs the time.
    """
    missing = {reason.call for reason in score.reasons if reason.kind == "missing_call"}
    extra = {reason.call for reason in score.reasons if reason.kind == "extra_call"}
    wanted = {one.name: place for place, one in enumerate(gold) if place not in missing}
    called = {one.name: place for place, one in enumerate(calls) if place not in extra}
    if wanted.keys() != called.keys():
        return None
    if len(wanted) + len(missing) < len(gold) or len(called) + len(extra) < len(calls):
        return None
    # A reason without gold is the schema's, and no verdict on the value.
    wrong: defaultdict[int | None, dict[str, Reason]] = defaultdict(dict)
    for reason in score.reasons:
        if reason.kind == "parameter" and reason.parameter is not None and reason.gold is not None:
            wrong[reason.call][reason.parameter] = reason
    return [
        (row, called[name], parameter)
        for name, row in wanted.items()
        for parameter in _parameters(gold[row], calls[called[name]], wrong[called[name]])
    ]


def _parameters(gold: GoldCall, call: ToolCall, wrong: Mapping[str, Reason]) -> Iterator[Parameter]:
    """Yield what counts of a paired call: gold's own parameters, then what was not wanted."""
    for name, variants in gold.arguments.items():
        got = call.arguments.get(name)
        if name in wrong:
            yield Parameter(name, wrong[name].verdict or "wrong", tuple(variants), got)
        elif name in call.arguments and not ("" in variants and got in ("", None)):
            yield Parameter(name, "ok", tuple(variants), got)
    for name, reason in wrong.items():
        if name not in gold.arguments:
            yield Parameter(name, reason.verdict or "unexpected", (), call.arguments.get(name))


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
