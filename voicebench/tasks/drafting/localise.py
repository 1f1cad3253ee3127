"""An item in another language: the words are new, and everything that makes it the same item stays."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from voicebench.errors import UserError
from voicebench.tasks.drafting.places import with_values
from voicebench.types import TaskRow


def localised(
    origin: TaskRow,
    *,
    lang: str,
    turns: Sequence[str],
    values: Mapping[str, Sequence[Any]],
    said: Mapping[str, str] | None = None,
    results: Sequence[Any] | None = None,
    code_mixed: bool = False,
    region: str | None = None,
) -> TaskRow:
    """Return an item as it is in another language.

    Calls, their order and parameters, tools, kind and reference date are the origin's. Its id, its twin's and
    that of `meta.pair` are mapped by `localised_id`, `origin` is set, and of `meta` everything stays but what
    is given here and `review`, which becomes "machine". Accepted values that get no new ones stay, and so do
    "" (may be left out) and markers beside those that do.

    Args:
        origin: The item that is localised.
        lang: The new language.
        turns: The words of each turn.
        values: For a place in gold its accepted values, the one that is said first: `{"0.pickup": […]}`; a
            part of a value is `0.items.1.name`.
        said: The words that express a value which does not stand in the turns itself, by place.
        results: What each call returns here; None keeps the origin's.
        code_mixed: Whether the turns mix languages.
        region: The country, as in `meta.region`; None keeps the origin's.

    Raises:
        UserError: The number of turns is another one, a place does not exist, there is no call to localise,
            or the language is the origin's own.
    """
    where = f"{origin.id} in {lang!r}"
    if lang == origin.lang:
        raise UserError(f"{where}: is the language that it has already")
    if len(turns) != len(origin.turns):
        raise UserError(f"{where}: has {len(turns)} turns, its origin {len(origin.turns)}")
    try:
        calls = with_values(origin.expect.calls or (), values)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
    if results is not None and origin.expect.results is None:
        raise UserError(f"{where}: has results, its origin none")
    expect = origin.expect.model_copy(
        update={
            "calls": calls if origin.expect.calls is not None else None,
            "results": origin.expect.results if results is None else tuple(results),
        }
    )
    meta = {key: value for key, value in origin.meta.items() if key != "said"}
    meta |= {"review": "machine", "code_mixed": code_mixed}
    if isinstance(pair := meta.get("pair"), str):
        meta["pair"] = localised_id(pair, origin.lang, lang)
    meta |= {"region": region} if region is not None else {}
    meta |= {"said": dict(said)} if said else {}
    return TaskRow(
        id=localised_id(origin.id, origin.lang, lang),
        task=origin.task,
        lang=lang,
        turns=tuple(
            turn.model_copy(update={"text": text}) for turn, text in zip(origin.turns, turns, strict=True)
        ),
        tools=origin.tools,
        expect=expect.model_validate(expect.model_dump()),
        reference_date=origin.reference_date,
        origin=origin.id,
        twin=None if origin.twin is None else localised_id(origin.twin, origin.lang, lang),
        meta=meta,
    )


def localised_id(task_id: str, old: str, new: str) -> str:
    """Return an item's id in another language: `parallel-en-0007` is `parallel-hi-0007`, `lunch` `lunch-hi`.

    Args:
        task_id: The id.
        old: The language that it may name between hyphens, or at an end.
        new: The other language.
    """
    renamed, count = re.subn(rf"(?<![^-]){re.escape(old)}(?![^-])", new, task_id, count=1)
    return renamed if count else f"{task_id}-{new}"
