"""The same sheet as one HTML page that opens offline: its style, its script and the items are inside."""

import html
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from voicebench.files import sha256_json
from voicebench.tasks.review.sheet import Field, Sheet
from voicebench.tasks.review.submission import FORMAT, MEANINGS

_SLOT = re.compile(r"\{\{(\w+)\}\}")
_PAGE_DIGITS = 16


def page(sheets: Sequence[Sheet], language: str) -> str:
    """Return the whole of the page.

    Args:
        sheets: The items, all of one language.
        language: The language's name, for people.
    """
    slots = {
        "title": html.escape(f"Review: {language}"),
        "language": html.escape(language),
        "count": html.escape(f"{len(sheets)} item{'' if len(sheets) == 1 else 's'}"),
        "style": _asset("review.css"),
        "script": _asset("review.js"),
        "data": _script_json(_data(sheets, language)),
    }
    return _SLOT.sub(lambda match: slots[match[1]], _asset("review.html"))


def _asset(name: str) -> str:
    return (files("voicebench.tasks.review") / "page" / name).read_text(encoding="utf-8")


def _script_json(data: Any) -> str:
    """Return JSON that may stand inside a script element: no text in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _data(sheets: Sequence[Sheet], language: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "page": sha256_json([[sheet.id, sheet.seen] for sheet in sheets])[:_PAGE_DIGITS],
        "lang": sheets[0].lang if sheets else "",
        "language": language,
        "verdicts": dict(MEANINGS),
        "items": [_item(sheet) for sheet in sheets],
    }


def _item(sheet: Sheet) -> dict[str, Any]:
    return {**asdict(sheet), "fields": [_field(field) for field in sheet.fields]}


def _field(field: Field) -> dict[str, Any]:
    said: dict[str, Any] = {"key": field.key, "kind": field.kind, "label": field.label, "text": field.text}
    if field.call is not None:
        said["call"] = field.call
    if field.fixed:
        said["fixed"] = True
    return said | {name: text for name in ("help", "source") if (text := getattr(field, name))}
