"""A team's tools, as they have them: OpenAI's form, an MCP server's list, or an OpenAPI description.

The forms:

    OpenAI    [{"type": "function", "function": {"name", "description", "parameters"}}, …], or flat
    ours      [{"name", "description", "parameters"}, …], as in data/tools
    MCP       {"tools": [{"name", "description", "inputSchema"}, …]}, also as a JSON-RPC result
    OpenAPI   {"openapi": "3.…", "paths": {…}} in JSON or YAML; `openapi` says what becomes of it
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from voicebench.errors import UserError
from voicebench.files import describe, write_text
from voicebench.scoring.schema import compiled_parameters
from voicebench.tasks.drafting.documents import read_document
from voicebench.tasks.drafting.openapi import openapi_tools
from voicebench.types import Tool

_SCHEMA_KEYS = ("parameters", "inputSchema", "input_schema")
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


@dataclass(frozen=True)
class ToolsFound:
    """The tools of a file, and what is to be said of it: what was left out, and why."""

    tools: tuple[Tool, ...]
    notes: tuple[str, ...] = ()


def read_team_tools(path: Path) -> ToolsFound:
    """Read the tools of a file in any of the forms of this module.

    Raises:
        UserError: It is none of these forms, holds no tool, or one of its tools is broken.
        MissingExtraError: It is YAML, and PyYAML is not installed.
    """
    document = read_document(path)
    try:
        if isinstance(document, Mapping) and ("openapi" in document or "swagger" in document):
            found, notes = openapi_tools(document)
        else:
            found, notes = _listed(document)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    kept: dict[str, Tool] = {}
    for tool in found:
        if tool.name in kept:
            raise UserError(f"{path}: tool {tool.name!r} is defined twice")
        try:
            compiled_parameters(tool)
        except UserError as error:
            raise UserError(f"{path}: {error}") from None
        kept[tool.name] = tool
    if not kept:
        said = f" ({notes[0]})" if notes else ""
        raise UserError(f"{path}: holds no tools{said}")
    return ToolsFound(tuple(kept.values()), tuple(notes))


def write_team_tools(path: Path, tools: Sequence[Tool]) -> None:
    """Write tools as a tools.json in OpenAI's form.

    Raises:
        UserError: The file cannot be written.
    """
    entries = [{"type": "function", "function": tool.model_dump(mode="json")} for tool in tools]
    write_text(path, json.dumps(entries, ensure_ascii=False, indent=2) + "\n")


def _listed(document: Any) -> tuple[list[Tool], list[str]]:
    notes = []
    if isinstance(document, Mapping) and isinstance(document.get("result"), Mapping):
        document = document["result"]
    if isinstance(document, Mapping):
        if document.get("nextCursor"):
            notes.append("the server's list goes on (nextCursor): save its other pages too")
        document = next((document[key] for key in ("tools", "functions") if key in document), None)
    if not isinstance(document, list):
        raise UserError(
            "neither a list of tools, nor an MCP server's tools/list, nor an OpenAPI 3 description"
        )
    return [_tool(entry, f"tool {number}") for number, entry in enumerate(document)], notes


def _tool(entry: Any, where: str) -> Tool:
    inner = entry.get("function") if isinstance(entry, Mapping) else None
    entry = inner if isinstance(inner, Mapping) else entry
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str) or not entry["name"].strip():
        raise UserError(f"{where}: has no name")
    schema = next((entry[key] for key in _SCHEMA_KEYS if entry.get(key) is not None), _NOTHING)
    if isinstance(schema, Mapping):
        schema = {key: value for key, value in schema.items() if key not in ("$schema", "title")}
    words = entry.get("description") or entry.get("title") or ""
    try:
        return Tool.model_validate({"name": entry["name"], "description": words, "parameters": schema})
    except ValidationError as error:
        raise UserError(f"{where} {entry['name']!r}: {describe(error, Tool)}") from None
