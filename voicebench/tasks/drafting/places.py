"""Places in gold: `0.pickup` is a parameter of the first call, `0.items.1.name` a part of its value."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.markers import is_marker
from voicebench.types import GoldCall

MOST_VARIANTS = 200
"""Accepted values that variants of several parts may multiply to."""


def leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield each plain value in a value, with its place; of markers, which stand for results, none.

    Args:
        value: A JSON value.
        place: Where it stands itself.
    """
    if is_marker(value):
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{place}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{place}.{index}")
    else:
        yield place, value


def with_values(calls: Sequence[GoldCall], values: Mapping[str, Sequence[Any]]) -> tuple[GoldCall, ...]:
    """Return gold calls with other accepted values at some places; "" and markers that stood there stay.

    Args:
        calls: The gold calls.
        values: For a place its accepted values. Those of a part of a value (`0.items.1.name`) make one
            accepted value of the parameter for each of them.

    Raises:
        UserError: There is no such place, it gets no value, or variants multiply beyond `MOST_VARIANTS`.
    """
    todo = {index: dict(call.arguments) for index, call in enumerate(calls)}
    for place, accepted in values.items():
        if not accepted:
            raise UserError(f"values: {place!r} has no accepted value")
        index, parameter, path = _found(place, calls)
        before = todo[index][parameter]
        if not path:
            kept = [value for value in before if value == "" or is_marker(value)]
            markers = [value for value in kept if value != ""]
            made = [*markers, *accepted, *(value for value in kept if value == "")]
        else:
            made = [
                _replaced(value, path, new)
                for value in before
                for new in (accepted if _holds(value, path) else (None,))
            ]
        todo[index][parameter] = _distinct(made)
        if len(todo[index][parameter]) > MOST_VARIANTS:
            raise UserError(f"values: {place!r} makes more than {MOST_VARIANTS} accepted values")
    return tuple(call.model_copy(update={"arguments": todo[i]}) for i, call in enumerate(calls))


def places_of(calls: Sequence[GoldCall]) -> list[str]:
    """Return the places of all parameters in gold calls, and of the plain values within them."""
    found: dict[str, None] = {}
    for index, call in enumerate(calls):
        for parameter, accepted in call.arguments.items():
            place = f"{index}.{parameter}"
            found[place] = None
            found |= dict.fromkeys(inner for value in accepted for inner, _ in leaves(value, place))
    return list(found)


def _found(place: str, calls: Sequence[GoldCall]) -> tuple[int, str, tuple[str, ...]]:
    number, _, rest = place.partition(".")
    if number.isdecimal() and int(number) < len(calls):
        arguments = calls[int(number)].arguments
        words = rest.split(".")
        # A parameter's own name may hold a dot.
        for length in range(len(words), 0, -1):
            parameter, path = ".".join(words[:length]), tuple(words[length:])
            if parameter in arguments and (
                not path or any(_holds(value, path) for value in arguments[parameter])
            ):
                return int(number), parameter, path
    raise UserError(f"values: gold has no place {place!r}.{did_you_mean(place, places_of(calls))}")


def _holds(value: Any, path: Sequence[str]) -> bool:
    for key in path:
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return False
    return True


def _replaced(value: Any, path: Sequence[str], new: Any) -> Any:
    if not path:
        return new
    if not _holds(value, path):
        return value
    key, *rest = path
    if isinstance(value, dict):
        return {name: _replaced(inner, rest, new) if name == key else inner for name, inner in value.items()}
    return [_replaced(inner, rest, new) if i == int(key) else inner for i, inner in enumerate(value)]


def _distinct(values: Sequence[Any]) -> list[Any]:
    # True equals 1, so types are compared too.
    return [
        value
        for i, value in enumerate(values)
        if not any(type(value) is type(o) and value == o for o in itertools.islice(values, i))
    ]
