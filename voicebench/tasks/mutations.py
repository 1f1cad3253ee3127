"""Try that gold can be told from what is wrong: every accepted answer scores 1, and no answer beside it does.

The real scoring decides. An answer beside the gold differs from it in one thing: a required argument less,
another function, one value changed (a number by one, a text to another task's, an enum to another member, a
truth value turned around, a list by an element, a date by a day, a time by an hour, a marker to another
place), a call less or more, a sequence the other way round. One that scores 1 all the same shows that the
accepted values are too wide.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from voicebench.scoring.dates import is_iso
from voicebench.scoring.markers import is_marker, renumber
from voicebench.scoring.schema import compiled_parameters, tool_named
from voicebench.scoring.score import score
from voicebench.scoring.setting import Setting
from voicebench.scoring.values import compare
from voicebench.types import GoldCall, Response, Task, ToolCall

_MOST_OTHERS_TRIED = 20
_NO_OTHER = "something else 7391"

OtherTexts = Mapping[tuple[str, str, str], Sequence[str]]
"""What tasks hold as texts, by language, tool and way into its arguments."""


@dataclass(frozen=True)
class Mutation:
    """A wrong answer: what it does to the gold, and its calls."""

    what: str
    calls: tuple[ToolCall, ...]


def other_texts(tasks: Iterable[Task]) -> OtherTexts:
    """Return the texts that stand for each argument in a task set, for `mutations` to borrow from."""
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for task in tasks:
        for call in task.expect.calls or ():
            for parameter, value in _first_arguments(call).items():
                for way, leaf in _parts(value, (parameter,)):
                    if isinstance(leaf, str):
                        found.setdefault((task.lang, call.name, _kind_of_place(way)), {})[leaf] = None
    return {key: tuple(texts) for key, texts in found.items()}


def mutation_problems(task: Task, others: OtherTexts) -> list[str]:
    """Return which accepted answers of a task do not score 1, and which wrong ones do.

    Args:
        task: A task whose gold fits its tools' schemas.
        others: What the task's set holds.

    Raises:
        UserError: A tool's schema is broken.
    """
    if not task.expect.calls:
        return []
    problems = []
    for what, calls in _accepted_answers(task.expect.calls):
        if not _scores(task, calls):
            problems.append(f"the accepted answer with {what} does not score 1")
    problems += [
        f"accepted values are too wide: {mutation.what} still scores 1"
        for mutation in mutations(task, others)
        if _scores(task, mutation.calls)
    ]
    return problems


def mutations(task: Task, others: OtherTexts) -> Iterator[Mutation]:
    """Yield answers to a task that are wrong by one thing each.

    Raises:
        UserError: A tool's schema is broken.
    """
    gold = [ToolCall(name=call.name, arguments=_first_arguments(call)) for call in task.expect.calls or ()]
    for index, call in enumerate(task.expect.calls or ()):
        where = f"calls[{index}] {call.name}"
        for what, changed in _changed_calls(task, call, gold[index], others):
            yield Mutation(f"{where} {what}", (*gold[:index], changed, *gold[index + 1 :]))
        yield Mutation(f"the answer without {where}", (*gold[:index], *gold[index + 1 :]))
    yield Mutation("the answer with its last call made twice", (*gold, gold[-1]))
    if task.expect.order == "sequence" and len(gold) > 1:
        yield Mutation("the sequence the other way round", _reversed(gold))


def _scores(task: Task, calls: Sequence[ToolCall]) -> bool:
    response = Response(task_id=task.id, agent="gold", condition="text", trial=0, calls=tuple(calls))
    figures = score(task, response)
    return figures.parameters == 1 and figures.tool_selection == 1


def _accepted_answers(gold: Sequence[GoldCall]) -> Iterator[tuple[str, list[ToolCall]]]:
    """Yield answers in which every accepted value of every argument stands once, and which value that is."""
    longest = max((len(accepted) for call in gold for accepted in call.arguments.values()), default=1)
    for place in range(longest):
        calls = []
        shown = []
        for call in gold:
            values = {
                name: accepted[min(place, len(accepted) - 1)] for name, accepted in call.arguments.items()
            }
            calls.append(
                ToolCall(
                    name=call.name, arguments={name: value for name, value in values.items() if value != ""}
                )
            )
            shown += [
                f"{name} {values[name]!r}"
                for name, accepted in call.arguments.items()
                if place < len(accepted)
            ]
        yield ", ".join(shown) or "no arguments", calls


def _first_arguments(call: GoldCall) -> dict[str, Any]:
    """Return each argument's first accepted value that is one; an argument without is left out."""
    return {
        name: next(value for value in accepted if value != "")
        for name, accepted in call.arguments.items()
        if any(value != "" for value in accepted)
    }


def _changed_calls(
    task: Task, gold: GoldCall, call: ToolCall, others: OtherTexts
) -> Iterator[tuple[str, ToolCall]]:
    tool = tool_named(call.name, task.tools)
    other = next((offered.name for offered in task.tools if offered.name != call.name), None)
    if other is not None:
        yield f"made as {other}", call.model_copy(update={"name": other})
    if tool is None:
        return
    known = compiled_parameters(tool)
    setting = Setting(task.lang, task.reference_date)
    for name, value in call.arguments.items():
        schema = known.properties.get(name, {})
        accepted = gold.arguments[name]
        default = known.defaults.get(name, _NO_OTHER)
        may_be_missing = any(compare(default, right, schema, setting=setting) == "ok" for right in accepted)
        if name in known.required and not may_be_missing:
            rest = {key: kept for key, kept in call.arguments.items() if key != name}
            yield f"without {name}", call.model_copy(update={"arguments": rest})
        for way, leaf in _parts(value, (name,)):
            inner = _inner(schema, way[1:])
            texts = others.get((task.lang, call.name, _kind_of_place(way)), ())
            right = [part for kept in accepted for found, part in _parts(kept, (name,)) if found == way]
            for changed in _changed(leaf, inner, right, texts, setting):
                replaced = _replaced(call.arguments, way, changed)
                yield (
                    f"with {'.'.join(way)} {changed!r} for {leaf!r}",
                    call.model_copy(update={"arguments": replaced}),
                )


def _changed(
    value: Any, schema: Mapping[str, Any], right: Sequence[Any], texts: Sequence[str], setting: Setting
) -> Iterator[Any]:
    """Yield other values in the place of a value.

    Args:
        value: The value.
        schema: Its own schema.
        right: All accepted values of its place; a text is not replaced by one that means the same.
        texts: What other tasks hold in its place.
        setting: Of the task.
    """
    if is_marker(value):
        yield {"$ref": f"{value['$ref']}.elsewhere"}
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
        yield value - 1
    elif isinstance(value, list):
        yield value[:-1] if value else [_NO_OTHER]
        if value:
            yield [*value, value[0]]
    elif isinstance(value, str) and "enum" in schema:
        members = [member for member in schema["enum"] if member != value]
        wrong = [member for member in members if member not in right]
        yield from (wrong or members)[:1]
    elif isinstance(value, str):
        yield _later(value) if is_iso(value) else _other_text(value, schema, right, texts, setting)


def _later(value: str) -> str:
    """Return an ISO date or date and time a day later, a time of day an hour later."""
    if value[2:3] == ":":
        return (datetime.combine(date.min, time.fromisoformat(value)) + timedelta(hours=1)).time().isoformat()
    day = date.fromisoformat(value[:10]) + timedelta(days=1)
    return day.isoformat() + value[10:]


def _other_text(
    value: str, schema: Mapping[str, Any], right: Sequence[Any], texts: Sequence[str], setting: Setting
) -> str:
    start = texts.index(value) + 1 if value in texts else 0
    for text in (*texts[start:], *texts[:start])[:_MOST_OTHERS_TRIED]:
        if all(compare(text, one, schema, setting=setting) != "ok" for one in right):
            return text
    return _NO_OTHER


def _parts(value: Any, way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each leaf of a value, and each list, with the way to it."""
    if isinstance(value, dict) and not is_marker(value):
        for key, inner in value.items():
            yield from _parts(inner, (*way, key))
    else:
        yield way, value
        if isinstance(value, list):
            for place, inner in enumerate(value):
                yield from _parts(inner, (*way, str(place)))


def _kind_of_place(way: Sequence[str]) -> str:
    return ".".join("*" if part.isdigit() else part for part in way)


def _inner(schema: Mapping[str, Any], way: Sequence[str]) -> Mapping[str, Any]:
    for key in way:
        found = (schema.get("properties") or {}).get(key, schema.get("items"))
        schema = found if isinstance(found, Mapping) else {}
    return schema


def _replaced(value: Any, way: Sequence[str], changed: Any) -> Any:
    if not way:
        return changed
    if isinstance(value, list):
        place = int(way[0])
        return [*value[:place], _replaced(value[place], way[1:], changed), *value[place + 1 :]]
    return {**value, way[0]: _replaced(value[way[0]], way[1:], changed)}


def _reversed(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return calls the other way round, with markers that point to the same calls as before."""
    last = len(calls) - 1
    places = {place: last - place for place in range(len(calls))}
    return tuple(
        call.model_copy(update={"arguments": renumber(call.arguments, places)}) for call in reversed(calls)
    )
