"""Which parts of gold are words that another language says otherwise, and which stay as they are."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voicebench.scoring.markers import is_marker
from voicebench.scoring.schema import compiled_parameters, tool_named
from voicebench.tasks.drafting.places import leaves, with_values
from voicebench.types import GoldCall, TaskRow, Tool

MOST_MULTIPLIED = 24
"""Accepted values that the variants of several words in one value make; beyond, each word has its first."""

_FIXED_FORMATS = frozenset({"date", "time", "date-time", "duration", "uuid", "uri", "url", "email", "ipv4"})
# Dates, times, numbers, codes such as D-318, and addresses of machines are no words.
_NO_WORDS = re.compile(
    r"[^a-zA-Z]*|\d{4}-\d{2}-\d{2}T\S*|\d{1,2}:\d{2}\s*[ap]m|(?=\S*\d)[A-Z0-9][A-Z0-9_/-]*|\S+@\S+|\w+://\S+",
    re.I,
)
_DEFINITIONS = "#/$defs/"

SCRIPTS: Mapping[str, str] = {
    "hi": "DEVANAGARI", "mr": "DEVANAGARI", "ne": "DEVANAGARI", "bn": "BENGALI", "as": "BENGALI",
    "ta": "TAMIL", "te": "TELUGU", "ml": "MALAYALAM", "kn": "KANNADA", "gu": "GUJARATI", "pa": "GURMUKHI",
    "or": "ORIYA", "th": "THAI", "zh": "CJK", "ar": "ARABIC", "ur": "ARABIC", "ru": "CYRILLIC",
}  # fmt: skip
"""The script of a language, as Unicode's names of its letters begin; Latin for any other."""


@dataclass(frozen=True)
class Word:
    """A part of gold that is words: its place, and the values accepted so far, the one that is said first."""

    place: str
    values: tuple[str, ...]


def words_of(row: TaskRow) -> list[Word]:
    """Return the parts of gold that another language says otherwise.

    Not among them: numbers, truth values, one of an enum, dates, times, ids, addresses, markers, and all that
    the schema gives such a format.
    """
    tools = [tool for tool in row.tools if isinstance(tool, Tool)]
    found = []
    for index, call in enumerate(row.expect.calls or ()):
        for parameter, accepted in call.arguments.items():
            said = [value for value in accepted if value != "" and not is_marker(value)]
            if not said:
                continue
            place = f"{index}.{parameter}"
            schema = _schema_of(call.name, parameter, tools)
            for inner, value in leaves(said[0], place):
                path = inner.removeprefix(place).lstrip(".")
                if isinstance(value, str) and _is_words(value, _inside(schema, path.split("."), schema)):
                    texts = [item for item in said if isinstance(item, str)] if not path else [value]
                    found.append(Word(inner, tuple(texts)))
    return found


def whole_values(calls: Sequence[GoldCall], words: Mapping[str, Sequence[str]]) -> dict[str, list[Any]]:
    """Return accepted values of whole parameters from those of the words in them.

    Of a list or an object the first accepted value is taken, and its words are replaced by all combinations
    of their variants, or, beyond `MOST_MULTIPLIED`, by the first of each.

    Args:
        calls: The gold calls.
        words: For each place (`0.pickup`, `0.items.1.name`) its variants.

    Raises:
        UserError: There is no such place.
    """
    whole: dict[str, list[Any]] = {}
    for index, call in enumerate(calls):
        for parameter, accepted in call.arguments.items():
            place = f"{index}.{parameter}"
            if place in words:
                whole[place] = list(words[place])
            inner = {key: list(of) for key, of in words.items() if key.startswith(f"{place}.")}
            if not inner:
                continue
            said = next(value for value in accepted if value != "" and not is_marker(value))
            alone = call.model_copy(update={"arguments": {parameter: [said]}})
            keys = {f"0.{key.partition('.')[2]}": variants for key, variants in inner.items()}
            count = 1
            for variants in keys.values():
                count *= len(variants)
            if count > MOST_MULTIPLIED:
                keys = {key: variants[:1] for key, variants in keys.items()}
            whole[place] = list(with_values([alone], keys)[0].arguments[parameter])
    return whole


def is_in_script(text: str, lang: str) -> bool:
    """Tell whether a text has a letter of its language's own script."""
    return any(_is_of(letter, lang) for letter in text)


def is_latin(text: str) -> bool:
    """Tell whether a text has a Latin letter and no letter of another script."""
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and all(unicodedata.name(letter, "").startswith("LATIN") for letter in letters)


def own_script_share(text: str, lang: str) -> float:
    """Return the share, 0 to 1, of a text's letters that are of its language's own script; 1 without any."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(_is_of(letter, lang) for letter in letters) / len(letters) if letters else 1.0


def has_own_script(lang: str) -> bool:
    """Tell whether a language is written in another script than Latin, as far as `SCRIPTS` knows."""
    return lang.partition("-")[0] in SCRIPTS


def _is_of(letter: str, lang: str) -> bool:
    script = SCRIPTS.get(lang.partition("-")[0], "LATIN")
    return letter.isalpha() and unicodedata.name(letter, "").startswith(script)


def _is_words(value: str, schemas: Sequence[Mapping[str, Any]]) -> bool:
    for schema in schemas:
        if "enum" in schema or "const" in schema or "contentMediaType" in schema:
            return False
        if schema.get("format") in _FIXED_FORMATS:
            return False
    is_ascii = value.isascii()
    return bool(value.strip()) and not (is_ascii and _NO_WORDS.fullmatch(value.strip()))


def _schema_of(tool_name: str, parameter: str, tools: Sequence[Tool]) -> Mapping[str, Any]:
    tool = tool_named(tool_name, tools)
    return compiled_parameters(tool).properties.get(parameter, {}) if tool is not None else {}


def _inside(
    schema: Mapping[str, Any], path: Sequence[str], root: Mapping[str, Any], depth: int = 0
) -> list[Mapping[str, Any]]:
    """Return the schemas that a part of a value can have: of a choice all its branches."""
    return list(_reached(schema, [key for key in path if key], root, depth))


def _reached(
    schema: Mapping[str, Any], path: Sequence[str], root: Mapping[str, Any], depth: int
) -> Iterator[Mapping[str, Any]]:
    if depth > 20:
        return
    target = schema.get("$ref")
    if isinstance(target, str):
        inner = root.get("$defs", {}).get(target.removeprefix(_DEFINITIONS))
        if isinstance(inner, Mapping):
            yield from _reached(inner, path, root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(key, ()):
            yield from _reached(branch, path, root, depth + 1)
    if not path:
        yield schema
        return
    key, *rest = path
    properties = schema.get("properties", {})
    prefix = schema.get("prefixItems", ())
    if key in properties:
        yield from _reached(properties[key], rest, root, depth + 1)
    elif key.isdecimal() and int(key) < len(prefix):
        yield from _reached(prefix[int(key)], rest, root, depth + 1)
    elif key.isdecimal() and isinstance(schema.get("items"), Mapping):
        yield from _reached(schema["items"], rest, root, depth + 1)
    elif isinstance(schema.get("additionalProperties"), Mapping):
        yield from _reached(schema["additionalProperties"], rest, root, depth + 1)
