"""Pieces that several prompts are made of: a tool in one line, today's date, JSON as it is written."""

import json
from datetime import date
from typing import Any

from voicebench.memo import once_each
from voicebench.types import Tool

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@once_each
def listed(tool: Tool) -> str:
    """Return a tool as a line of JSON."""
    return as_json({"name": tool.name, "description": tool.description, "parameters": tool.parameters})


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
