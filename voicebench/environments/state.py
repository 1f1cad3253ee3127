"""The state of an environment: frozen, validated records; a hash without types or order; what has changed.

A change makes a new record and shares everything else with the old one. So a snapshot is a reference, going
back is free, and the differences between two states are found by identity.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Generic, NamedTuple, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from voicebench.errors import UserError

M = TypeVar("M", bound="Record")
V = TypeVar("V")

_ABSENT: Any = object()


class Record(BaseModel):
    """One row of a data base: frozen, its types are checked, an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def changed(self, **fields: Any) -> Self:
        """Return this record with other values in some fields, each checked and converted by its type.

        The other fields are shared with this record.

        Raises:
            pydantic.ValidationError: A value does not fit its field.
            KeyError: There is no such field.
        """
        checked = {name: _field_of(type(self), name).validate_python(value) for name, value in fields.items()}
        return self.model_copy(update=checked)


class Database(Record):
    """Base of every domain's data: the clock, and whether the conversation went to a person.

    What belongs to the user's own device, where there is one, stands in a field `device`.

    Attributes:
        now: The local date and time of the conversation, YYYY-MM-DDTHH:MM. It stands still unless a tool
            moves it, so that a state does not depend on how many steps led to it.
        handed_over: Whether the agent gave the conversation to a person.
    """

    now: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d$")
    handed_over: bool = False


class Identity(Generic[V]):
    """A frozen value as a cache's key: equal to itself alone, and kept, so that no other takes its place."""

    def __init__(self, value: V) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class Change(NamedTuple):
    """One difference between two states; `None` stands for what is not there."""

    path: str
    before: Any
    after: Any


def next_id(prefix: str, known: Mapping[str, Any]) -> str:
    """Return the identifier after the highest numbered one, such as "R-5013" after "R-5012".

    Args:
        prefix: What stands before the number.
        known: The table, by identifier; others than `prefix` and digits are passed over.
    """
    numbers = (key.removeprefix(prefix) for key in known if key.startswith(prefix))
    return f"{prefix}{max((int(number) for number in numbers if number.isdecimal()), default=0) + 1}"


def canonical(value: Any) -> Any:
    """Return a state, or a part of it, as JSON values in the one form that is hashed and compared.

    An integral float is an integer, a field that holds None is absent, and a set is sorted. A number in a
    text (`"25"`) is a number wherever the record says so, since records check and convert what they hold.
    """
    if isinstance(value, BaseModel):
        return {name: canonical(item) for name, item in value if item is not None}
    if isinstance(value, Mapping):
        return {str(key): canonical(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((canonical(item) for item in value), key=_as_text)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def state_hash(state: Any) -> str:
    """Return the SHA-256 of a state's canonical form, 64 hex digits.

    It does not depend on the order of keys or sets, nor on whether a number was read from 25, 25.0 or "25"
    into a field that is a number.
    """
    return hashlib.sha256(_digest(state)).hexdigest()


def changes(before: Any, after: Any, path: str = "") -> Iterator[Change]:
    """Yield the differences between two states in canonical form, the deepest that there are.

    Args:
        before: A state, or a part of one.
        after: Another one; what both share by identity is not looked at.
        path: What the paths start with, such as "rides.R-5012".
    """
    if before is after:
        return
    one, other = _items(before), _items(after)
    if one is None or other is None:
        left, right = canonical(before), canonical(after)
        if left != right:
            yield Change(path, left, right)
        return
    for key in (*one, *(key for key in other if key not in one)):
        where = f"{path}.{key}" if path else key
        left, right = one.get(key, _ABSENT), other.get(key, _ABSENT)
        if left is _ABSENT or right is _ABSENT:
            yield Change(where, *(None if side is _ABSENT else canonical(side) for side in (left, right)))
        else:
            yield from changes(left, right, where)


def patched(state: M, patch: Mapping[str, Any], where: str) -> M:
    """Return a state with a JSON merge patch (RFC 7396) laid over it.

    Args:
        state: The state.
        patch: The new values, nested as the state is; null takes a row out of a table.
        where: What the error starts with.

    Raises:
        UserError: The patch names an unknown field or holds a value that does not fit.
    """
    try:
        merged: M = _merged(state, patch)
    except KeyError as error:
        raise UserError(f"{where}: there is no field {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise UserError(f"{where}: {key}: {first['msg']}") from None
    return merged


def at(state: Any, path: str) -> Any:
    """Return the part of a state at a path such as "rides.R-5012.status"; None where there is none."""
    value = state
    for key in path.split("."):
        items = _items(value)
        if items is not None:
            value = items.get(key)
        elif isinstance(value, Sequence) and not isinstance(value, str) and key.isdecimal():
            value = value[int(key)] if int(key) < len(value) else None
        else:
            return None
    return value


def _items(value: Any) -> dict[str, Any] | None:
    if isinstance(value, BaseModel):
        return dict(value)
    return {str(key): item for key, item in value.items()} if isinstance(value, Mapping) else None


def _merged(value: Any, patch: Any) -> Any:
    if not isinstance(patch, Mapping):
        return patch
    if isinstance(value, Record):
        return value.changed(**{key: _merged(getattr(value, key, None), item) for key, item in patch.items()})
    items = _items(value) or {}
    merged = {**items, **{key: _merged(items.get(key), item) for key, item in patch.items()}}
    return {key: item for key, item in merged.items() if patch.get(key, item) is not None}


def _digest(value: Any) -> bytes:
    """Return the hash of a state: of each table, the hashes of its rows, since most rows never change."""
    parts = []
    for name, item in sorted((_items(value) or {"": value}).items()):
        rows = _items(item)
        if rows is None:
            text = _as_text(canonical(item)) if item is not None else None
        else:
            text = _as_text({key: _row_digest(Identity(row)) for key, row in rows.items()})
        if text is not None:
            parts.append(f"{json.dumps(name)}:{text}")
    return "\n".join(parts).encode("utf-8", "surrogatepass")


@lru_cache(maxsize=1024)
def _field_of(model: type[BaseModel], name: str) -> TypeAdapter[Any]:
    field = model.model_fields[name]
    declared: Any = Annotated[(field.annotation, *field.metadata, None)]
    return TypeAdapter(declared)


@lru_cache(maxsize=65536)
def _row_digest(row: Identity[Any]) -> str:
    text = _as_text(canonical(row.value)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
