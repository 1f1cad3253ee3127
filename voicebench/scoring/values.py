"""Compare a value with the one that would be right, strictly by type and content."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from voicebench.scoring.assignment import best_pairs
from voicebench.scoring.dates import is_iso, read_moment, states_a_format
from voicebench.scoring.markers import is_marker, resolve, same_target
from voicebench.scoring.names import shipped_aliases
from voicebench.scoring.plain import Unreadable, decode_json
from voicebench.scoring.setting import NO_SETTING, Setting
from voicebench.scoring.text import as_number, canonical_text, same_text

Verdict = Literal["ok", "coerced", "wrong", "type"]
RELATIVE_TOLERANCE = 1e-6
"""How far two numbers may lie apart where at least one has a fraction; whole numbers must be the same."""

_DEEPEST_UNION = 8
_SEVERITY: dict[Verdict, int] = {"ok": 0, "coerced": 1, "type": 2, "wrong": 3}


@dataclass(frozen=True)
class _Known:
    """What holds for a whole comparison: the schema's `$defs`, what the calls returned, and the setting."""

    definitions: Mapping[str, Any]
    results: Sequence[Any] | None
    setting: Setting


def compare(
    got: Any,
    gold: Any,
    schema: Mapping[str, Any],
    *,
    results: Sequence[Any] | None = None,
    setting: Setting = NO_SETTING,
) -> Verdict:
    """Return what a value is worth against one accepted value.

    - Strings: `voicebench.scoring.text` says which are the same. Where the schema states a date or time
      format, or the gold is ISO 8601, two moments are compared; a missing year is wrong. Where the schema has
      `contentMediaType: application/json`, both are compared as JSON.
    - Numbers: an int and an integral float are equal, fractions within `RELATIVE_TOLERANCE`. A bool is no
      number.
    - Lists in order, unless the schema says `uniqueItems`; objects key by key. Nothing inside a value is a
      variant.
    - Markers: the same call and path; with `results`, the value that the gold's marker stands for as well.

    Args:
        got: The value, made of JSON's types.
        gold: The accepted value.
        schema: The parameter's schema; `{}` where there is none. A `$ref` in it is looked up in its own
            `$defs`.
        results: What each gold call returned.
        setting: The item's language and reference date.

    Returns:
        "ok", "coerced" (the same but for its type: "500" for 500, "true" for true), "type" (of another type)
        or "wrong".
    """
    if isinstance(gold, str | int | None) and type(got) is type(gold) and got == gold:
        return "ok"
    return _compare(got, gold, schema, _Known(schema.get("$defs", {}), results, setting))


def is_right(verdict: str, *, lenient: bool = False) -> bool:
    """Tell whether a verdict counts as right; "coerced" does only leniently."""
    return verdict == "ok" or (lenient and verdict == "coerced")


def _compare(got: Any, gold: Any, schema: Mapping[str, Any], known: _Known) -> Verdict:
    if is_marker(gold):
        return _compare_marker(got, gold, schema, known)
    if is_marker(got):
        return "wrong"
    schema = _branch_for(gold, schema, known)
    if schema.get("contentMediaType") == "application/json":
        return _compare_json(got, gold, schema, known)
    if isinstance(gold, list) and isinstance(got, list):
        return _compare_lists(got, gold, schema, known)
    if isinstance(gold, dict) and isinstance(got, dict):
        return _compare_objects(got, gold, schema, known)
    return _compare_scalars(got, gold, schema, known.setting)


def _compare_marker(got: Any, gold: dict[str, str], schema: Mapping[str, Any], known: _Known) -> Verdict:
    if is_marker(got):
        return "ok" if same_target(got, gold) else "wrong"
    if known.results is None:
        return "wrong"
    try:
        value = resolve(gold, known.results)
    except LookupError:
        return "wrong"
    return "wrong" if is_marker(value) else _compare(got, value, schema, known)


def _compare_scalars(got: Any, gold: Any, schema: Mapping[str, Any], setting: Setting) -> Verdict:
    if isinstance(gold, str) and isinstance(got, str):
        return "ok" if _same_string(got, gold, schema, setting) else "wrong"
    if _is_number(gold) and _is_number(got):
        return "ok" if _same_number(got, gold) else "wrong"
    if isinstance(gold, bool) and isinstance(got, bool):
        return "ok" if got == gold else "wrong"
    if gold is None and got is None:
        return "ok"
    lang = setting.lang
    return "coerced" if _same_but_for_type(got, gold, lang) or _same_but_for_type(gold, got, lang) else "type"


def _same_string(got: str, gold: str, schema: Mapping[str, Any], setting: Setting) -> bool:
    if is_iso(gold) or states_a_format(schema):
        moment = read_moment(gold, schema, setting)
        if moment is not None:
            return moment == read_moment(got, schema, setting)
    if same_text(got, gold, setting.lang):
        return True
    aliases = shipped_aliases() if setting.aliases is None else setting.aliases
    return aliases.same(got, gold, setting.lang)


def _same_but_for_type(text: Any, other: Any, lang: str | None) -> bool:
    """Tell whether a string writes a number or a truth value."""
    if not isinstance(text, str):
        return False
    if isinstance(other, bool):
        return canonical_text(text) == ("true" if other else "false")
    if _is_number(other):
        number = as_number(text, lang)
        return number is not None and _same_number(number, other)
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same_number(got: int | float, gold: int | float) -> bool:
    if got == gold:
        return True
    if _is_whole(got) and _is_whole(gold):
        return False
    try:
        return math.isclose(got, gold, rel_tol=RELATIVE_TOLERANCE, abs_tol=0.0)
    except OverflowError:
        return False


def _is_whole(number: int | float) -> bool:
    return isinstance(number, int) or number.is_integer()


def _compare_lists(got: list[Any], gold: list[Any], schema: Mapping[str, Any], known: _Known) -> Verdict:
    if len(got) != len(gold):
        return "wrong"
    if schema.get("uniqueItems") is not True:
        return _worst(
            _compare(item, right, _item_schema(schema, place), known)
            for place, (item, right) in enumerate(zip(got, gold, strict=True))
        )
    verdicts = [[_compare(item, right, _item_schema(schema, 0), known) for item in got] for right in gold]
    for accepted in (("ok",), ("ok", "coerced")):
        pairs = best_pairs([[int(verdict in accepted) for verdict in row] for row in verdicts])
        if len(pairs) == len(gold):
            return "ok" if accepted == ("ok",) else "coerced"
    return "wrong"


def _compare_objects(
    got: dict[str, Any], gold: dict[str, Any], schema: Mapping[str, Any], known: _Known
) -> Verdict:
    if got.keys() != gold.keys():
        return "wrong"
    properties = schema.get("properties") or {}
    return _worst(_compare(got[key], gold[key], properties.get(key) or {}, known) for key in gold)


def _compare_json(got: Any, gold: Any, schema: Mapping[str, Any], known: _Known) -> Verdict:
    right, found = _as_json(gold), _as_json(got)
    if right is None:
        return _compare_scalars(got, gold, schema, known.setting)
    if found is None:
        return "wrong"
    verdict = _compare(found[0], right[0], {}, known)
    if verdict == "ok" and isinstance(gold, str) and not isinstance(got, str):
        return "coerced"
    return verdict


def _as_json(value: Any) -> tuple[Any] | None:
    if not isinstance(value, str):
        return (value,)
    try:
        found, end = decode_json(value, len(value) - len(value.lstrip()))
    except Unreadable:
        return None
    return None if value[end:].strip() else (found,)


def _worst(verdicts: Any) -> Verdict:
    worst: Verdict = max(verdicts, key=_SEVERITY.__getitem__, default="ok")
    return worst


def _item_schema(schema: Mapping[str, Any], place: int) -> Mapping[str, Any]:
    first = schema.get("prefixItems") or ()
    found = first[place] if place < len(first) else schema.get("items")
    return found if isinstance(found, Mapping) else {}


def _branch_for(
    gold: Any, schema: Mapping[str, Any], known: _Known, depth: int = _DEEPEST_UNION
) -> Mapping[str, Any]:
    """Return the part of a schema that speaks of values of the gold's type: `$ref` and unions resolved."""
    if depth == 0:
        return {}
    for _ in range(len(known.definitions) + 1):
        target = schema.get("$ref")
        if not isinstance(target, str):
            break
        schema = known.definitions.get(target.rpartition("/")[2]) or {}
    for key in ("anyOf", "oneOf", "allOf"):
        branches = [
            _branch_for(gold, item, known, depth - 1)
            for item in schema.get(key) or ()
            if isinstance(item, Mapping)
        ]
        fitting = next((branch for branch in branches if _speaks_of(gold, branch)), None)
        if fitting is not None:
            return {**fitting, **{name: value for name, value in schema.items() if name != key}}
    return schema


def _speaks_of(gold: Any, schema: Mapping[str, Any]) -> bool:
    if isinstance(gold, list):
        return "items" in schema or "prefixItems" in schema or schema.get("type") == "array"
    if isinstance(gold, dict):
        return "properties" in schema or schema.get("type") == "object"
    return isinstance(gold, str) and schema.get("type") == "string"
