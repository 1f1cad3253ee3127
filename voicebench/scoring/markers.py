"""Markers: `{"$ref": "0.latitude"}` stands for a part of what an earlier call of the same answer returned."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

KEY = "$ref"
_CONTAINERS = (dict, list)


@dataclass(frozen=True)
class Reference:
    """What a marker points at.

    Attributes:
        call: Index of the earlier call, from 0.
        path: Keys and list indices into its result, as text; empty for the whole result.
    """

    call: int
    path: tuple[str, ...]


def is_marker(value: Any) -> TypeGuard[dict[str, str]]:
    """Tell whether a value is a marker: an object with the one key `$ref`, which holds a string."""
    return isinstance(value, dict) and len(value) == 1 and isinstance(value.get(KEY), str)


def holds_marker(value: Any) -> bool:
    """Tell whether a value is a marker or has one in it."""
    if isinstance(value, dict):
        if is_marker(value):
            return True
        items = list(value.values())
    elif isinstance(value, list):
        items = value
    else:
        return False
    return any(isinstance(item, _CONTAINERS) and holds_marker(item) for item in items)


def read_marker(marker: Mapping[str, str]) -> Reference | None:
    """Return what a marker points at, or None where it names no call; `0.a[1].b` is `0.a.1.b`."""
    call, *path = re.sub(r"\[(\w+)\]", r".\1", marker[KEY].strip()).split(".")
    return Reference(int(call), tuple(path)) if re.fullmatch(r"[0-9]{1,9}", call) else None


def references(value: Any) -> Iterator[Reference]:
    """Yield what each marker in a value points at."""
    if is_marker(value):
        target = read_marker(value)
        if target is not None:
            yield target
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from references(item)


def same_target(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Tell whether two markers point at the same part of the same call's result."""
    target = read_marker(one)
    return target == read_marker(other) if target else one[KEY] == other[KEY]


def resolve(marker: Mapping[str, str], results: Sequence[Any]) -> Any:
    """Return the value that a marker stands for.

    Args:
        marker: The marker.
        results: What each call returned, in the order that the marker counts.

    Raises:
        LookupError: There is no such call, or no such part in its result.
    """
    target = read_marker(marker)
    if target is None:
        raise LookupError(f"{marker[KEY]!r} names no call")
    value = results[target.call]
    for key in target.path:
        if isinstance(value, dict):
            value = value[key]
        elif isinstance(value, list) and re.fullmatch(r"[0-9]{1,9}", key):
            value = value[int(key)]
        else:
            raise LookupError(f"{marker[KEY]!r} has no {key!r}")
    return value


def renumber(value: Any, calls: Mapping[int, int]) -> Any:
    """Return a value with its markers' call indices changed; a call that is not in `calls` becomes "none"."""
    if is_marker(value):
        target = read_marker(value)
        if target is None:
            return value
        return {KEY: ".".join((str(calls.get(target.call, "none")), *target.path))}
    if isinstance(value, dict):
        return {key: renumber(item, calls) for key, item in value.items()}
    if isinstance(value, list):
        return [renumber(item, calls) for item in value]
    return value
