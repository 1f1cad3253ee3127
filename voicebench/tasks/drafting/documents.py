"""Read a JSON or YAML file of somebody else's as plain JSON values, within bounds."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from voicebench.errors import MissingExtraError, UserError, first_line

MOST_BYTES = 32_000_000
"""Larger files are not read."""

MOST_VALUES = 1_000_000
"""Values that a file may hold, where YAML repeats a part by its alias as often as it stands there."""

_DEEPEST = 100
_JSON_TAGS = ("null", "float", "int")
"""What a YAML scalar without quotes may be beside true, false and text, as JSON has it.

YAML 1.1, which PyYAML reads, also makes truth values of `on`, `off`, `yes` and `no` (Norway), and dates.
"""


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes.

    Raises:
        UserError: There is no such file, it cannot be read, or it is larger than `MOST_BYTES`.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise UserError(f"{path}: has {size:,} bytes; at most {MOST_BYTES:,} are read")
        return path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def read_text(path: Path) -> str:
    """Return a file's text: UTF-8, or what its byte order mark says.

    Raises:
        UserError: It cannot be read, or is no text.
    """
    data = read_bytes(path)
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UserError(f"{path}:{line}: not UTF-8 ({error.reason}). Save it as UTF-8") from None


def read_document(path: Path) -> Any:
    """Return what a JSON or YAML file holds, as JSON values; keys that are no text become text.

    Args:
        path: JSON where it begins as JSON does, else YAML 1.2 as far as its scalars go.

    Raises:
        UserError: It is neither, cannot be read, or is too large or too deep.
        MissingExtraError: It is YAML, and PyYAML is not installed.
    """
    text = read_text(path)
    if text.lstrip()[:1] in ("{", "[") and path.suffix not in (".yaml", ".yml"):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}: not JSON ({first_line(error)})") from None
    else:
        value = _yaml(text, path)
    return _plain(value, path, iter(range(MOST_VALUES)))


def _yaml(text: str, path: Path) -> Any:
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("reading YAML", "tasks", "yaml") from None

    # A safe loader with fewer kinds of scalar; in C, where PyYAML was built with it.
    loader: Any = type("_Loader", (getattr(yaml, "CSafeLoader", yaml.SafeLoader),), {})
    known = yaml.SafeLoader.yaml_implicit_resolvers
    loader.yaml_implicit_resolvers = {
        first: [pair for pair in pairs if _keeps(pair[0], first)] for first, pairs in known.items()
    }
    try:
        return yaml.load(text, loader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark is not None else str(path)
        said = getattr(error, "problem", None) or first_line(error)
        raise UserError(f"{where}: not YAML ({said})") from None


def _keeps(tag: str, first: str) -> bool:
    name = tag.rpartition(":")[2]
    # `true` and `false` stay; `yes`, `no`, `on`, `off`, `y` and `n` are text.
    return name in _JSON_TAGS or name == "merge" or (name == "bool" and first in "tTfF")


def _plain(value: Any, path: Path, budget: Iterator[int], depth: int = 0) -> Any:
    if next(budget, None) is None or depth > _DEEPEST:
        many = f"more than {MOST_VALUES:,} values" if depth <= _DEEPEST else f"more than {_DEEPEST} levels"
        raise UserError(f"{path}: holds {many}; such a file is not read")
    if isinstance(value, dict):
        return {_key(key): _plain(inner, path, budget, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, path, budget, depth + 1) for inner in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise UserError(f"{path}: holds a {type(value).__name__}, which JSON has not")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    # As YAML writes them: `200:` is "200", `true:` is "true", `null:` is "null".
    return json.dumps(key) if isinstance(key, bool) or key is None else str(key)
