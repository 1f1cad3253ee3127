"""A team's tools are read in each of their forms, and written as one."""

import json
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.tasks.drafting.tools import read_team_tools, write_team_tools
from voicebench.types import Tool

SCHEMA = {"type": "object", "properties": {"people": {"type": "integer"}}, "required": ["people"]}
BOOK = Tool(name="book", description="Book a table.", parameters=SCHEMA)
OPENAI = {"type": "function", "function": {**BOOK.model_dump(), "strict": True}}
MCP = {
    "name": "book", "title": "Booking", "description": "Book a table.",
    "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", **SCHEMA},
    "annotations": {"readOnlyHint": False},
}  # fmt: skip


def saved(folder: Path, value: Any) -> Path:
    path = folder / "tools.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "value",
    [
        [OPENAI],
        {"tools": [OPENAI]},
        [BOOK.model_dump()],
        [{"type": "function", **BOOK.model_dump()}],
        {"functions": [BOOK.model_dump()]},
        {"tools": [MCP]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}},
        [{"name": "book", "description": "Book a table.", "input_schema": SCHEMA}],
    ],
)
def test_each_form_gives_the_same_tool(tmp_path: Path, value: Any) -> None:
    assert read_team_tools(saved(tmp_path, value)).tools == (BOOK,)


def test_openapi_is_told_by_its_version(tmp_path: Path) -> None:
    path = tmp_path / "api.yaml"
    path.write_text(
        "openapi: 3.0.3\npaths:\n  /menu:\n    get: {operationId: menu, deprecated: no}\n", "utf-8"
    )
    assert [tool.name for tool in read_team_tools(path).tools] == ["menu"]


def test_a_server_whose_list_goes_on_is_noted(tmp_path: Path) -> None:
    found = read_team_tools(saved(tmp_path, {"tools": [MCP], "nextCursor": "2"}))
    assert found.notes == ("the server's list goes on (nextCursor): save its other pages too",)


def test_a_tool_without_parameters_takes_none(tmp_path: Path) -> None:
    [tool] = read_team_tools(saved(tmp_path, [{"name": "now", "parameters": None}])).tools
    assert tool.parameters == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"hello": 1}, "neither a list of tools"),
        ("text", "neither a list of tools"),
        ([], "holds no tools"),
        ([1], "tool 0: has no name"),
        ([{"description": "x"}], "tool 0: has no name"),
        ([BOOK.model_dump(), OPENAI], "tool 'book' is defined twice"),
        ([{"name": "a", "parameters": {"type": "object", "properties": {"x": {"type": "strin"}}}}],
         "unknown type 'strin'. Did you mean 'string'?"),
        ([{"name": "a", "parameters": [1]}], "parameters"),
        ({"openapi": "3.0.0", "paths": {"/a": {"get": {"deprecated": True}}}},
         "holds no tools (GET /a is deprecated and left out)"),
        ({"swagger": "2.0"}, "OpenAPI '2.0' is not read; convert it to 3.0 or 3.1"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line_with_the_file(tmp_path: Path, value: Any, said: str) -> None:
    path = saved(tmp_path, value)
    with pytest.raises(UserError) as raised:
        read_team_tools(path)
    assert str(raised.value).startswith(f"{path}: ") and said in str(raised.value)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    tools = (BOOK, Tool(name="menu.हिन्दी", description="மெனு"))
    write_team_tools(tmp_path / "tools.json", tools)
    text = (tmp_path / "tools.json").read_text(encoding="utf-8")
    assert json.loads(text)[0] == {"type": "function", "function": BOOK.model_dump()} and "மெனு" in text
    assert read_team_tools(tmp_path / "tools.json").tools == tools
