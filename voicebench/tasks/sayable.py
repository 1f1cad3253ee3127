"""Tell for every gold value why an agent can know it: someone says it, or it need not be said.

What stands in a turn is found by the scoring's own equality (letters, number words, money, dates, names in
two scripts), never as a part of another number or word. Where people say a value in other words than any
accepted one ("three-wheeler" for `auto`), the task quotes them in `meta.said`:
`{"0.vehicle": "three-wheeler"}`, the call's number and the way into its arguments.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.dates import read_moment
from voicebench.scoring.markers import is_marker, read_marker
from voicebench.scoring.mentions import mentioned
from voicebench.scoring.names import shipped_aliases
from voicebench.scoring.schema import compiled_parameters
from voicebench.scoring.setting import Setting
from voicebench.scoring.text import as_number, canonical_name, canonical_text
from voicebench.scoring.values import compare
from voicebench.tasks.said_moments import Spoken, moment_of, said_moment
from voicebench.tasks.spoken_forms import any_form, number_forms
from voicebench.types import GoldCall, TaskRow, Tool

How = Literal[
    "said", "said in other words", "default of the schema", "returned by a call", "may be left out", "unsaid"
]


@dataclass(frozen=True)
class Why:
    """Why one gold value can be known.

    Attributes:
        place: The call's number and the way into its arguments, such as "0.items.1.name".
        value: The value, of the accepted ones the one that the reason holds for.
        how: The reason; "unsaid" is none.
        turn: Which turn says it, from 0; None where none does.
        detail: The words that say it, and what is to be known of them; or the call that returns it.
    """

    place: str
    value: Any
    how: How
    turn: int | None = None
    detail: str = ""


@dataclass(frozen=True)
class _Item:
    """What every value of one task is looked up in."""

    row: TaskRow
    said: Mapping[str, str]
    setting: Setting
    user: tuple[tuple[int, str], ...]
    assistant: tuple[tuple[int, str], ...]


def why(row: TaskRow, tools: Mapping[str, Tool]) -> list[Why]:
    """Return the reason of every leaf value of every gold argument, in order.

    Args:
        row: The task.
        tools: The tools whose names it may hold, with their schemas; what is unknown has no defaults.
    """
    known = {**tools, **{tool.name: tool for tool in row.tools if isinstance(tool, Tool)}}
    item = _Item(
        row,
        quoted(row),
        _setting(row),
        tuple((i, turn.text) for i, turn in enumerate(row.turns) if turn.role == "user"),
        tuple((i, turn.text) for i, turn in enumerate(row.turns) if turn.role == "assistant"),
    )
    return [
        reason
        for index, call in enumerate(row.expect.calls or ())
        for reason in _why_call(index, call, known.get(call.name), item)
    ]


def sayable_problems(row: TaskRow, tools: Mapping[str, Tool]) -> list[str]:
    """Return what is wrong with how a task's gold values are said: what nobody says, and bad quotations."""
    problems = list(_quotation_problems(row))
    for reason in why(row, tools):
        if reason.how == "unsaid":
            call, _, rest = reason.place.partition(".")
            name = (row.expect.calls or ())[int(call)].name
            problems.append(
                f"expect.calls[{call}] {name}: nobody says {rest} {reason.value!r}."
                f" Quote the user's words for it in meta.said: {{{reason.place!r}: …}}"
            )
    return problems


def quoted(row: TaskRow) -> dict[str, str]:
    """Return the quotations of a task's `meta.said`; what is no text in it is left out."""
    said = row.meta.get("said")
    if not isinstance(said, dict):
        return {}
    return {place: words for place, words in said.items() if isinstance(words, str)}


def names_of(row: TaskRow) -> frozenset[str]:
    """Return the texts among a task's gold values: names, for what looks at the language of its turns."""
    return frozenset(
        leaf
        for call in row.expect.calls or ()
        for accepted in call.arguments.values()
        for value in accepted
        for _, leaf in _leaves(value)
        if isinstance(leaf, str) and leaf
    )


def _setting(row: TaskRow) -> Setting:
    """Return what a task's values are compared under; a reference date that is none is reported elsewhere."""
    today = row.reference_date
    with suppress(ValueError):
        return Setting(row.lang, date.fromisoformat(today).isoformat() if today else None)
    return Setting(row.lang)


def _quotation_problems(row: TaskRow) -> Iterator[str]:
    said = row.meta.get("said")
    if said is None:
        return
    if not isinstance(said, dict) or not all(isinstance(words, str) for words in said.values()):
        yield "meta.said must hold, for each place in the gold calls, the words of a user turn"
        return
    places = set(_places(row))
    heard = [_plain(turn.text) for turn in row.turns if turn.role == "user"]
    for place, words in said.items():
        if place not in places:
            yield f"meta.said: the gold calls have no {place!r}.{did_you_mean(place, places)}"
        plain = _plain(words)
        if not plain or not any(plain in text for text in heard):
            yield f"meta.said[{place!r}]: {words!r} stands in no user turn"
        elif place in places:
            yield from _contradiction(row, place, words)


def _contradiction(row: TaskRow, place: str, words: str) -> Iterator[str]:
    """Yield a problem where the quoted words are a number or a day of their own, and not the gold's."""
    call, parameter, *path = place.split(".")
    values = [
        leaf
        for accepted in (row.expect.calls or ())[int(call)].arguments[parameter]
        for way, leaf in _leaves(accepted)
        if way == tuple(path)
    ]
    setting = _setting(row)
    number = as_number(words, row.lang)
    wanted = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if number is not None and wanted and all(compare(number, value, {}) != "ok" for value in wanted):
        yield f"meta.said[{place!r}]: {words!r} is {number}, and the gold value is {wanted[0]}"
    moments = [moment_of(value, {}, setting) for value in values if isinstance(value, str)]
    moment = read_moment(words, {}, setting) if any(moments) else None
    if moment is not None and not any(str(moment) in str(other) for other in moments if other is not None):
        yield f"meta.said[{place!r}]: {words!r} is {moment}, and the gold value is {values[0]}"


def _places(row: TaskRow) -> Iterator[str]:
    """Yield every place that a quotation can be for: a parameter, or any part of its value."""
    for index, call in enumerate(row.expect.calls or ()):
        for parameter, accepted in call.arguments.items():
            for value in accepted:
                for way, _ in _leaves(value):
                    for end in range(len(way) + 1):
                        yield ".".join((str(index), parameter, *way[:end]))


def _why_call(index: int, call: GoldCall, tool: Tool | None, item: _Item) -> Iterator[Why]:
    properties, defaults = _schema_of(tool)
    for parameter, accepted in call.arguments.items():
        values = [value for value in accepted if value != ""]
        place = f"{index}.{parameter}"
        schema = properties.get(parameter, {})
        reasons = _why_value(place, values, schema, index, item)
        if _unsaid(reasons):
            excuse = _need_not_be_said(place, accepted, parameter, defaults, schema)
            reasons = [excuse] if excuse is not None else reasons
        yield from reasons


def _need_not_be_said(
    place: str,
    accepted: Sequence[Any],
    parameter: str,
    defaults: Mapping[str, Any],
    schema: Mapping[str, Any],
) -> Why | None:
    if parameter in defaults:
        default = defaults[parameter]
        if any(value != "" and compare(default, value, schema) == "ok" for value in accepted):
            return Why(place, default, "default of the schema")
    if "" in accepted:
        return Why(place, next((value for value in accepted if value != ""), ""), "may be left out")
    return None


def _schema_of(tool: Tool | None) -> tuple[Mapping[str, dict[str, Any]], Mapping[str, Any]]:
    if tool is None:
        return {}, {}
    try:
        known = compiled_parameters(tool)
    except UserError:
        # Reported where gold is held against the schema.
        return {}, {}
    return known.properties, known.defaults


def _why_value(
    place: str, values: Sequence[Any], schema: Mapping[str, Any], index: int, item: _Item
) -> list[Why]:
    """Return the reasons of the leaves of the accepted value that is said best."""
    shapes: dict[tuple[tuple[str, ...], ...], list[tuple[Any, ...]]] = {}
    for value in values:
        leaves = list(_leaves(value))
        shapes.setdefault(tuple(way for way, _ in leaves), []).append(tuple(leaf for _, leaf in leaves))
    best: list[Why] = []
    for shape, accepted in shapes.items():
        reasons = [
            _why_leaf(".".join((place, *way)), _distinct(alternatives), _inner(schema, way), index, item)
            for way, alternatives in zip(shape, zip(*accepted, strict=True), strict=True)
        ]
        if not best or _unsaid(reasons) < _unsaid(best):
            best = reasons
        if not _unsaid(best):
            break
    return best


def _unsaid(reasons: Sequence[Why]) -> int:
    return sum(reason.how == "unsaid" for reason in reasons)


def _distinct(values: Sequence[Any]) -> list[Any]:
    return list({(type(value), str(value)): value for value in values}.values())


def _leaves(value: Any, way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the way to each leaf of a value, and the leaf; a marker, and an empty list or object, is one."""
    if isinstance(value, dict | list) and value and not is_marker(value):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in inside:
            yield from _leaves(inner, (*way, str(key)))
    else:
        yield way, value


def _inner(schema: Mapping[str, Any], way: Sequence[str]) -> Mapping[str, Any]:
    for key in way:
        properties = schema.get("properties")
        found = properties.get(key) if isinstance(properties, dict) else None
        if found is None and key.isdigit():
            found = schema.get("items")
        schema = found if isinstance(found, Mapping) else {}
    return schema


def _why_leaf(place: str, values: Sequence[Any], schema: Mapping[str, Any], index: int, item: _Item) -> Why:
    for value in values:
        if is_marker(value):
            target = read_marker(value)
            call = "?" if target is None else str(target.call)
            return Why(place, value, "returned by a call", None, f"call {call}")
    for value in values:
        spoken = _spoken(value, schema, item.user, item, place)
        if spoken:
            return Why(place, value, "said", spoken[0].turn, _told(spoken))
    quotation = _quotation(place, item)
    if quotation is not None:
        return Why(place, values[0], "said in other words", quotation.turn, quotation.words)
    for value in values:
        spoken = _spoken(value, schema, item.assistant, item, place)
        if spoken:
            accepted = min(number for number, _ in item.user if number > spoken[0].turn)
            told = f"{_told(spoken)} (the assistant's words, accepted in turn {accepted})"
            return Why(place, value, "said", spoken[0].turn, told)
    for value in values:
        call_number = _returning_call(value, schema, index, item)
        if call_number is not None:
            return Why(place, value, "returned by a call", None, f"call {call_number}")
    for value in values:
        if "default" in schema and compare(schema["default"], value, schema) == "ok":
            return Why(place, value, "default of the schema")
    return Why(place, values[0], "unsaid")


def _told(spoken: Sequence[Spoken]) -> str:
    return ", ".join(part.words + (f" (without {part.left_out})" if part.left_out else "") for part in spoken)


def _quotation(place: str, item: _Item) -> Spoken | None:
    """Return the words that the task quotes for a value, or for what it is a part of."""
    parts = place.split(".")
    for end in range(len(parts), 1, -1):
        words = item.said.get(".".join(parts[:end]))
        plain = _plain(words) if words else ""
        for number, text in item.user:
            if plain and plain in _plain(text):
                return Spoken(number, words or "")
    return None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _spoken(
    value: Any, schema: Mapping[str, Any], turns: Sequence[tuple[int, str]], item: _Item, place: str
) -> list[Spoken]:
    """Return the words of some turns that say a value; empty where none do."""
    if isinstance(value, bool):
        # Only a name that is said can stand for "yes": vegetarian=true in "something vegetarian".
        value = place.rpartition(".")[2] if value else ""
    if isinstance(value, str):
        moment = moment_of(value, schema, item.setting)
        if moment is not None:
            return said_moment(moment, turns, item.setting)
        forms: Sequence[Any] = _forms(value, item.row.lang)
    else:
        is_number = isinstance(value, int | float)
        forms = [value, *(number_forms(value, item.row.lang) if is_number else ())]
    for number, text in turns:
        for form in forms:
            if mentioned(form, text, item.row.lang):
                return [Spoken(number, str(form))]
        if isinstance(value, str):
            if _spelled(value, text, item.row.lang):
                return [Spoken(number, value)]
            words = any_form([str(form) for form in forms], text, item.row.lang)
            if words is not None:
                return [Spoken(number, words)]
    return []


def _forms(value: str, lang: str) -> list[str]:
    """Return the ways to say a text: itself, a name of an enum in words, and the other forms of a name."""
    if not value.strip():
        return []
    forms = [value]
    if re.fullmatch(r"[a-z]+(?:[_-][a-z]+)+", value):
        forms.append(re.sub("[_-]", " ", value))
    for name in shipped_aliases().names.get(canonical_name(value), ()):
        if name.lang in (None, lang):
            forms += _forms_of_name(name.number)
    return forms


def _forms_of_name(number: int) -> tuple[str, ...]:
    return _names().get(number, ())


@lru_cache(maxsize=1)
def _names() -> dict[int, tuple[str, ...]]:
    names: dict[int, tuple[str, ...]] = {}
    for form, rows in shipped_aliases().names.items():
        for row in rows:
            names[row.number] = (*names.get(row.number, ()), form)
    return names


def _spelled(value: str, text: str, lang: str) -> bool:
    """Tell whether a code of letters and digits is said in parts of its own: "SAVE 20", "A B 1 2 3"."""
    code = canonical_text(value, lang).replace(" ", "").replace("-", "")
    if not (re.search(r"\d", code) and re.search(r"[^\W\d_]", code)):
        return False
    words = canonical_text(text, lang).replace("-", " ").split()
    for start in range(len(words)):
        joined = ""
        for word in words[start:]:
            joined += word
            if joined == code:
                return True
            if not code.startswith(joined):
                break
    return False


def _returning_call(value: Any, schema: Mapping[str, Any], index: int, item: _Item) -> int | None:
    for number, result in enumerate((item.row.expect.results or ())[:index]):
        if isinstance(value, str | int | float) and any(
            compare(leaf, value, schema, setting=item.setting) == "ok" for _, leaf in _leaves(result)
        ):
            return number
    return None
