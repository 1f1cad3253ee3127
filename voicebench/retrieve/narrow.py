"""Narrow a tool's schema to what a request could mean, so that a small model has little left to choose.

A model of a hundred million parameters invents values and fills in whatever it may. Under a narrowed schema
it cannot: text is copied from what the user said, numbers are those of the conversation, and an optional
parameter is only there if the conversation speaks of it. That is a reading of the request and of the schema
alone. What it cannot do is say something in other words ("the office" for "work", "tomorrow" as a date).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from voicebench.retrieve.phrases import listed, names, numbers, phrases, words
from voicebench.scoring.schema import normal_schema
from voicebench.types import Tool, Turn

MOST_ITEMS = 3
"""Longest list that is filled."""

_QUOTED = re.compile(r"'([^']{1,40})'")
_EMPTY_WORDS = frozenset(
    listed("""
        name kind kinds number user which what this that with from where such only without after before other
        their them they when into than then have being said says gives names part
    """)
)
"""Words of descriptions that say nothing about what a parameter is."""


class Conversation:
    """What a conversation offers to fill in.

    Attributes:
        text: All turns.
        phrases: What the user said, in phrases.
        numbers: The numbers of all turns, those of the user's last turn first.
    """

    def __init__(self, turns: Sequence[Turn], terms: Sequence[str]) -> None:
        """Read turns, the last one the user's; `terms` are values that are no free text."""
        users = [turn.text for turn in turns if turn.role == "user"]
        self.text = "\n".join(turn.text for turn in turns)
        apart = {term.casefold() for term in terms if self.names(term)}
        found = (phrase for text in users for phrase in phrases(text, apart))
        self.phrases = list(dict.fromkeys(found))
        self.numbers = list(dict.fromkeys([*numbers(users[-1]), *numbers(self.text)]))

    def names(self, term: str) -> bool:
        """Tell whether some turn names a term."""
        return names(self.text, term)


def narrow(tool: Tool, turns: Sequence[Turn]) -> dict[str, Any]:
    """Return a JSON Schema for a tool's arguments that holds only what a conversation speaks of.

    Args:
        tool: The tool; its parameters may be in any dialect that scoring reads.
        turns: The conversation, the last turn the user's.

    Raises:
        UserError: The tool's schema is broken.
    """
    schema = normal_schema(tool.parameters)
    narrowed = _object(schema, Conversation(turns, _enum_texts(schema)))
    return narrowed | ({"$defs": schema["$defs"]} if "$defs" in schema else {})


def _object(schema: Mapping[str, Any], said: Conversation) -> dict[str, Any]:
    required = schema.get("required", ())
    properties = {}
    for name, inner in schema.get("properties", {}).items():
        held = _needed(inner, said) if name in required else _wanted(name, inner, said)
        if held is not None:
            properties[name] = held
    return {
        "type": "object", "properties": properties, "required": list(properties),
        "additionalProperties": False,
    }  # fmt: skip


def _needed(schema: Mapping[str, Any], said: Conversation) -> dict[str, Any]:
    """Return the schema of a value that must be there."""
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        named = [value for value in values if isinstance(value, str) and said.names(value)]
        return {"enum": named or list(values)}
    match schema.get("type"):
        case "string" if "format" in schema:
            return {"type": "string", "format": schema["format"]}
        case "string":
            fitting = _fitting(schema, said) or said.phrases
            return _one_of(
                [*fitting, *_QUOTED.findall(schema.get("description", ""))],
                {"type": "string", "maxLength": 80},
            )
        case "integer" | "number" as kind:
            return _number(kind, schema, said)
        case "array":
            item = _needed(schema.get("items", {}), said)
            return {"type": "array", "items": item, "minItems": 1, "maxItems": MOST_ITEMS}
        case "object" if "properties" in schema:
            return _object(schema, said)
        case _:
            return dict(schema)


def _wanted(name: str, schema: Mapping[str, Any], said: Conversation) -> dict[str, Any] | None:
    """Return the schema of an optional value, or None where the conversation does not speak of it."""
    if "enum" in schema:
        named = [
            value for value in schema["enum"]
            if isinstance(value, str) and value != schema.get("default") and said.names(value)
        ]  # fmt: skip
        return {"enum": named} if named else None
    match schema.get("type"):
        case "integer" | "number" as kind:
            return _number(kind, schema, said) if said.numbers else None
        case "boolean":
            return {"enum": [True]} if said.names(name) else None
        case "object":
            held = _object(schema, said)
            return held if held["properties"] else None
        case "string" | "array" if _speaks_of(name, schema, said):
            return _needed(schema, said) if _fitting(schema, said) else None
        case _:
            return None


def _number(kind: str, schema: Mapping[str, Any], said: Conversation) -> dict[str, Any]:
    low, high = schema.get("minimum", 0), schema.get("maximum", 1_000_000)
    fitting = [n for n in said.numbers if (kind == "number" or isinstance(n, int)) and low <= n <= high]
    return _one_of(fitting, {"type": kind, "minimum": low, "maximum": high})


def _fitting(schema: Mapping[str, Any], said: Conversation) -> list[str]:
    """Return the phrases that a string parameter can copy: of digits alone where it asks for digits."""
    if re.search(r"\bdigits\b", schema.get("description", "")):
        return [phrase for phrase in said.phrases if all(map(_has_digit, phrase.split()))]
    return said.phrases


def _has_digit(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _speaks_of(name: str, schema: Mapping[str, Any], said: Conversation) -> bool:
    telling = [
        word for word in (*words(name), *words(schema.get("description", "")))
        if len(word) > 3 and word not in _EMPTY_WORDS
    ]  # fmt: skip
    return not name.endswith("_id") and any(said.names(word) for word in telling)


def _one_of(values: Sequence[Any], otherwise: dict[str, Any]) -> dict[str, Any]:
    return {"enum": list(dict.fromkeys(values))} if values else otherwise


def _enum_texts(schema: Mapping[str, Any]) -> list[str]:
    found = [value for value in schema.get("enum", ()) if isinstance(value, str)]
    for inner in schema.get("properties", {}).values():
        found += _enum_texts(inner)
    return found
