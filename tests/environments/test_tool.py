from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from voicebench.environments.state import Database, Record
from voicebench.environments.tool import BoundTool, Effect, ToolError, bind, reads, writes
from voicebench.errors import UserError

DATA = Database(now="2026-11-30T10:00")


class Spot(BaseModel):
    """Never shown."""

    x: float
    y: float = 0.0


@reads
def look(
    data: Database,
    word: str,
    spot: Spot | None = None,
    many: Annotated[int, Field(ge=1)] = 1,
    kind: Literal["a", "b"] = "a",
    list_of: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Look at
    something.

    This is not part of the description.

    Args:
        data: The state.
        word: A word, which
            goes on.
        spot: Where: a point.
        many: How many.
        kind: Which kind.
        list_of: More.
    """
    return {"word": word, "many": many}


def test_signature_and_docstring_give_the_schema() -> None:
    tool = BoundTool(look, "eye").schema
    assert tool.name == "eye.look"
    assert tool.description == "Look at something."
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "word": {"type": "string", "description": "A word, which goes on."},
            "spot": {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number", "default": 0.0}},
                "required": ["x"],
                "description": "Where: a point.",
            },
            "many": {"type": "integer", "minimum": 1, "default": 1, "description": "How many."},
            "kind": {"type": "string", "enum": ["a", "b"], "default": "a", "description": "Which kind."},
            "list_of": {"type": "array", "items": {"type": "string"}, "default": [], "description": "More."},
        },
        "required": ["word"],
    }


def test_a_result_is_json_with_letters_as_they_are() -> None:
    assert BoundTool(look, "eye").run(DATA, {"word": "नमस्ते"}) == (DATA, '{"word":"नमस्ते","many":1}')


def test_a_record_as_a_result_leaves_out_what_it_does_not_hold() -> None:
    class Found(Record):
        name: str
        note: str | None = None

    @reads
    def find(data: Database) -> Found:
        """Find something."""
        return Found(name="ราคา")

    assert BoundTool(find, "eye").run(DATA, {}).result == '{"name":"ราคา"}'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "word: is required"),
        ({"word": 3}, "word"),
        ({"word": "x", "many": "2"}, "many"),
        ({"word": "x", "many": True}, "many"),
        ({"word": "x", "many": 1.5}, "many"),
        ({"word": "x", "many": 0}, "many"),
        ({"word": "x", "kind": "c"}, "kind"),
        ({"word": "x", "extra": 1}, "extra"),
        ({"word": "x", "spot": {"y": 1}}, "spot"),
        ({"word": {"$ref": "0.word"}}, "word"),
    ],
)
def test_an_argument_that_does_not_fit_is_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ToolError, match=message):
        BoundTool(look, "eye").run(DATA, arguments)


def test_an_integral_float_is_an_integer() -> None:
    assert BoundTool(look, "eye").checked({"word": "x", "many": 2.0})["many"] == 2


def test_a_parameter_without_a_line_in_the_docstring_is_refused() -> None:
    @reads
    def bare(data: Database, word: str) -> None:
        """Do nothing."""

    with pytest.raises(UserError, match="'word' needs a type"):
        BoundTool(bare, "eye")


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(UserError, match="same name"):
        bind((look, look), "eye")


def test_a_writing_tool_gives_new_data() -> None:
    @writes
    def wait(data: Database) -> Effect[Database]:
        """Let a minute pass."""
        return Effect(data.changed(now="2026-11-30T10:01"), "done")

    after, result = BoundTool(wait, "clock").run(DATA, {})
    assert (after.now, DATA.now, result) == ("2026-11-30T10:01", "2026-11-30T10:00", '"done"')
