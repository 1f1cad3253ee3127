"""Write one item's corrections into its JSON object: every key keeps its place."""

from collections.abc import Mapping
from typing import Any

from voicebench.scoring.markers import holds_marker
from voicebench.tasks.review.values import read_values


class CannotEdit(ValueError):
    """A correction that cannot be written: of a place that is not there, or that is not to be edited."""


def edit(data: dict[str, Any], corrected: Mapping[str, str], added: Mapping[str, str]) -> list[str]:
    """Write corrections into a task's object, in place.

    Args:
        data: A line of tasks.jsonl.
        corrected: New texts, or whole lists of values one a line, by the field's key (`turns.0`,
            `calls.0.pickup`, `said.0.vehicle`).
        added: More accepted values, one a line, by the field's key.

    Returns:
        The keys under which something is now different.

    Raises:
        CannotEdit: A key leads nowhere, or to what is not edited.
    """
    changed = [key for key, text in corrected.items() if text.strip() and _replace(data, key, text)]
    changed += [key for key, text in added.items() if text.strip() and _add(data, key, text)]
    return list(dict.fromkeys(changed))


def _replace(data: dict[str, Any], key: str, text: str) -> bool:
    kind, _, rest = key.partition(".")
    if kind == "turns":
        return _set(_turn(data, key, rest), "text", text.strip())
    if kind == "said":
        said = (data.get("meta") or {}).get("said")
        if not isinstance(said, dict) or rest not in said:
            raise CannotEdit(f"{key}: the item quotes no such words")
        return _set(said, rest, text.strip())
    arguments, name = _argument(data, key)
    return _set(arguments, name, _read(key, text, arguments[name]))


def _add(data: dict[str, Any], key: str, text: str) -> bool:
    arguments, name = _argument(data, key)
    before = arguments[name]
    more = [value for value in _read(key, text, before) if not any(_same(value, old) for old in before)]
    # That a parameter may be left out is said last, as elsewhere in the tasks.
    end = len(before) - 1 if before and before[-1] == "" else len(before)
    return _set(arguments, name, [*before[:end], *more, *before[end:]])


def _turn(data: dict[str, Any], key: str, index: str) -> dict[str, Any]:
    turns = data["turns"]
    if not (index.isascii() and index.isdigit() and int(index) < len(turns)):
        raise CannotEdit(f"{key}: there is no such turn")
    turn: dict[str, Any] = turns[int(index)]
    return turn


def _argument(data: dict[str, Any], key: str) -> tuple[dict[str, Any], str]:
    kind, _, rest = key.partition(".")
    index, _, name = rest.partition(".")
    calls = data["expect"].get("calls") or []
    if kind != "calls" or not (index.isascii() and index.isdigit() and int(index) < len(calls)):
        raise CannotEdit(f"{key}: nothing can be corrected there")
    arguments: dict[str, Any] = calls[int(index)].get("arguments") or {}
    if name not in arguments:
        raise CannotEdit(f"{key}: call {int(index) + 1} has no parameter {name!r}")
    if any(holds_marker(value) for value in arguments[name]):
        raise CannotEdit(f"{key}: comes from an earlier call and is not edited here")
    return arguments, name


def _read(key: str, text: str, like: list[Any]) -> list[Any]:
    try:
        return read_values(text, like)
    except ValueError as error:
        raise CannotEdit(f"{key}: {error}") from None


def _set(where: dict[str, Any], key: str, value: Any) -> bool:
    if _same(where[key], value):
        return False
    where[key] = value
    return True


def _same(one: Any, other: Any) -> bool:
    # 1, 1.0 and true are equal in Python, and different values here.
    return repr(one) == repr(other)
