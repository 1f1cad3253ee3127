"""Items made of a table's rows and of a language model's answers, and what is wrong with them."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from voicebench.errors import UserError
from voicebench.files import sha256_json
from voicebench.memo import once_each
from voicebench.scoring.calls import read_calls
from voicebench.scoring.markers import is_marker
from voicebench.scoring.plain import Unreadable
from voicebench.tasks.drafting.asking import NoObjectError, object_in
from voicebench.tasks.drafting.localise import localised
from voicebench.tasks.drafting.places import leaves
from voicebench.tasks.drafting.table import Query, gold_call, kind_of
from voicebench.tasks.drafting.words import (
    Word,
    has_own_script,
    is_in_script,
    is_latin,
    own_script_share,
    whole_values,
    words_of,
)
from voicebench.tasks.sayable import sayable_problems, why
from voicebench.tasks.structure import row_problems
from voicebench.types import Expect, GoldCall, TaskRow, Tool, ToolCall

MOST_OFFERED = 20
"""Tools that an item offers, where its row names none: its own and others."""

MADE_FROM = "drafted_from"
"""The key in `meta` that says of what an item was made, so that it is not made again."""

_FEWEST_OWN_LETTERS = 0.25
_MIXED_BELOW = 0.8
_LATIN_LETTERS = 0.9


def item_of(query: Query, calls: Sequence[GoldCall] | None, tools: Sequence[Tool], task_id: str) -> TaskRow:
    """Return the item of a row of the table.

    Args:
        query: The row.
        calls: The right calls; None where it is right to refuse.
        tools: All tools of the team.
        task_id: The item's id.
    """
    kind = query.kind or kind_of(calls or ())
    refuse = None if kind != "safety" else calls is None
    meta: dict[str, Any] = {"source": "own", "steps": len(calls or ())}
    meta |= {"region": query.region} if query.region else {}
    meta |= {"said": dict(query.said)} if query.said else {}
    meta |= {"notes": query.notes} if query.notes else {}
    meta[MADE_FROM] = made_from(query, tools)
    return TaskRow(
        id=task_id,
        task=kind,
        lang=query.lang,
        turns=query.turns,
        tools=tuple(offered_tools(query, calls or (), tools)),
        expect=Expect(
            calls=tuple(calls) if calls is not None else None,
            order="sequence" if kind == "sequential" else "any",
            refuse=refuse,
        ),
        reference_date=query.reference_date,
        meta=meta,
    )


def offered_tools(query: Query, calls: Sequence[GoldCall], tools: Sequence[Tool]) -> list[Tool]:
    """Return the tools that an item offers: those that its row names, or its calls' and some others.

    The others are drawn by the SHA-256 of the utterance and their names, and stand in the order of `tools`.
    """
    if query.tools:
        return [tool for tool in tools if tool.name in query.tools]
    needed = {call.name for call in calls}
    spare = sorted(
        (tool.name for tool in tools if tool.name not in needed),
        key=lambda name: hashlib.sha256(f"{query.turns[-1].text}\n{name}".encode()).digest(),
    )
    kept = needed | set(spare[: max(0, MOST_OFFERED - len(needed))])
    return [tool for tool in tools if tool.name in kept]


def made_from(query: Query, tools: Sequence[Tool]) -> str:
    """Return the hash of what the item of a row is made of: all of the row but its place and its notes."""
    calls = [call.model_dump(mode="json") for call in query.calls or ()] if query.calls is not None else None
    turns = [turn.model_dump(mode="json") for turn in query.turns]
    named = [_tool_sha256(tool) for tool in tools if not query.tools or tool.name in query.tools]
    return sha256_json(
        [turns, query.lang, query.kind, calls, query.refuse, query.tools, dict(query.said),
         query.reference_date, query.region, query.id, named]
    )[:16]  # fmt: skip


@once_each
def _tool_sha256(tool: Tool) -> str:
    return sha256_json(tool.model_dump(mode="json"))


def localised_from(origin: TaskRow, lang: str, region: str | None) -> str:
    """Return the hash of what a localised item is made of: what its origin says and expects."""
    turns = [turn.model_dump(mode="json") for turn in origin.turns]
    said = origin.meta.get("said")
    return sha256_json([turns, origin.expect.model_dump(mode="json"), said, lang, region])[:16]


def problems_of(row: TaskRow) -> list[str]:
    """Return what `voicebench tasks check` would say of an item by itself."""
    found = [*row_problems(row, {}), *sayable_problems(row, {})]
    return list(dict.fromkeys(found))


def calls_in_answer(answer: str, tools: Sequence[Tool]) -> tuple[list[GoldCall], dict[str, str]]:
    """Return the calls that a model drafted, and the words that it quotes for them.

    Raises:
        UserError: They cannot be read, or do not fit the tools.
    """
    try:
        found = object_in(answer, "calls")
        listed = found["calls"]
        if not isinstance(listed, list) or not listed:
            raise UserError("'calls' is no list of calls")
        calls = [_call(entry) for entry in listed]
        said = _texts(found.get("said"))
    except NoObjectError as error:
        try:
            calls, said = list(read_calls(answer, tools)), {}
        except Unreadable:
            raise UserError(str(error)) from None
    return [gold_call(call, tools) for call in calls], said


def _call(entry: Any) -> ToolCall:
    name = entry.get("name") if isinstance(entry, Mapping) else None
    arguments = entry.get("arguments", {}) if isinstance(entry, Mapping) else None
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise UserError('each of \'calls\' is {"name": "…", "arguments": {…}}')
    return ToolCall(name=name, arguments=arguments)


def with_needed_words(row: TaskRow, said: Mapping[str, str]) -> TaskRow:
    """Return an item with those quotations alone that a value needs, since nobody says it otherwise."""
    bare = row.model_copy(update={"meta": {key: value for key, value in row.meta.items() if key != "said"}})
    needed = {reason.place for reason in why(bare, {}) if reason.how == "unsaid"}
    kept = {place: words for place, words in said.items() if place in needed}
    return bare.model_copy(update={"meta": {**bare.meta, "said": kept}}) if kept else bare


def fixed_of(row: TaskRow, words: Sequence[Word]) -> dict[str, Any]:
    """Return the plain values of gold that do not change, by place."""
    places = {word.place for word in words}
    found: dict[str, Any] = {}
    for index, call in enumerate(row.expect.calls or ()):
        for parameter, accepted in call.arguments.items():
            said = [value for value in accepted if value != "" and not is_marker(value)]
            found |= dict(leaves(said[0], f"{index}.{parameter}")) if said else {}
    return {place: value for place, value in found.items() if place not in places}


def localised_answer(
    answer: str, origin: TaskRow, *, lang: str, region: str | None
) -> tuple[TaskRow | None, list[str]]:
    """Return the item that a model made in another language, and what is wrong with it.

    Args:
        answer: All that the model wrote.
        origin: The item that was localised.
        lang: The new language.
        region: The country, or None for the origin's.

    Returns:
        The item, None where none can be made, and the problems; without any it can be kept.
    """
    try:
        found = object_in(answer, "turns")
    except NoObjectError as error:
        return None, [str(error)]
    turns, values = found["turns"], found.get("values", {})
    if not isinstance(turns, list) or not all(isinstance(text, str) for text in turns):
        return None, ["'turns' is no list of texts"]
    turns = [" ".join(text.split()) for text in turns]
    words = words_of(origin)
    problems = [*_turn_problems(turns, origin, lang), *_value_problems(values, words, lang)]
    if len(turns) != len(origin.turns):
        return None, problems
    known = {
        word.place: list(dict.fromkeys(text.strip() for text in variants if text.strip()))
        for word in words
        if isinstance(values, dict) and _are_texts(variants := values.get(word.place))
    }
    try:
        row = localised(
            origin, lang=lang, turns=turns, values=whole_values(origin.expect.calls or (), known),
            code_mixed=any(_is_mixed(text, lang) for text in turns), region=region,
        )  # fmt: skip
    except UserError as error:
        return None, [*problems, str(error)]
    row = with_needed_words(row, _texts(found.get("said")))
    row = row.model_copy(update={"meta": row.meta | {MADE_FROM: localised_from(origin, lang, region)}})
    return row, [*problems, *problems_of(row)]


def _turn_problems(turns: Sequence[str], origin: TaskRow, lang: str) -> Iterator[str]:
    if len(turns) != len(origin.turns):
        yield f"there are {len(turns)} turns; the item has {len(origin.turns)}"
        return
    for number, (text, before) in enumerate(zip(turns, origin.turns, strict=True)):
        if not text:
            yield f"turn {number} is empty"
        elif text == before.text:
            yield f"turn {number} is still in the language that it was in"
        elif has_own_script(lang) and own_script_share(text, lang) < _FEWEST_OWN_LETTERS:
            yield f"turn {number} is not written in the language's own script"
        elif not has_own_script(lang) and own_script_share(text, lang) < _LATIN_LETTERS:
            yield f"turn {number} is not written in Latin letters"


def _value_problems(values: Any, words: Sequence[Word], lang: str) -> Iterator[str]:
    if not isinstance(values, dict):
        yield "'values' is no object"
        return
    known = {word.place: word for word in words}
    for place in values.keys() - known.keys():
        yield f"values: {str(place)[:80]!r} is none of the places under 'words'"
    for place, word in known.items():
        variants = values.get(place)
        if not _are_texts(variants) or not any(text.strip() for text in variants):
            yield f"values: {place!r} has no list of accepted texts"
            continue
        numbers = _digits(word.values[0])
        yield from (
            f"values: {text!r} of {place!r} has other numbers than {word.values[0]!r}"
            for text in variants
            if _digits(text) != numbers
        )
        if has_own_script(lang):
            if not any(is_in_script(text, lang) for text in variants):
                yield f"values: {place!r} has no spelling in the language's own script"
            if not any(is_latin(text) for text in variants):
                yield f"values: {place!r} has no spelling in Latin letters"


def _are_texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


def _texts(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {key: text for key, text in pairs if isinstance(key, str) and isinstance(text, str)}


def _digits(text: str) -> list[str]:
    numbers = re.findall(r"\d+", unicodedata.normalize("NFKC", text))
    return sorted(str(int(number)) for number in numbers)


def _is_mixed(text: str, lang: str) -> bool:
    return has_own_script(lang) and own_script_share(text, lang) < _MIXED_BELOW
