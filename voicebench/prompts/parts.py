"""Pieces that several prompts are made of: a tool in one line, today's date, JSON as it is written."""

import json
from datetime import date
from typing import Any

from voicebench.types import Tool

_MOST_KEPT = 4096
_kept: dict[int, tuple[Tool, str]] = {}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def listed(tool: Tool) -> str:
    """Return a tool as a line of JSON, made once a tool: thousands of requests offer the same ones."""
    known = _kept.get(id(tool))
    if known is not None:
        return known[1]
    line = as_json({"name": tool.name, "description": tool.description, "parameters": tool.parameters})
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    # The tool is kept with its line: as long as it lives, no other one has its id.
    _kept[id(tool)] = (tool, line)
    return line


def today(reference_date: str) -> str:
    """Return the sentence that says which day it is, with its weekday where it is a date."""
    try:
        weekday = _WEEKDAYS[date.fromisoformat(reference_date[:10]).weekday()]
    except ValueError:
        return f"Today is {reference_date}."
    return f"Today is {weekday}, {reference_date}."


def as_json(value: Any) -> str:
    """Return a JSON value as it stands in prompts: letters of all scripts as they are."""
    return json.dumps(value, ensure_ascii=False)
