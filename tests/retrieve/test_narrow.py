"""A tool's schema cut down to what a conversation speaks of."""

from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.retrieve.narrow import narrow
from voicebench.tasks.read import read_tools
from voicebench.types import Tool, Turn

TOOLS = read_tools()


def said(*texts: str) -> list[Turn]:
    return [Turn(role="assistant" if place % 2 else "user", text=text) for place, text in enumerate(texts)]


def held(name: str, *texts: str) -> dict[str, Any]:
    properties: dict[str, Any] = narrow(TOOLS[name], said(*texts))["properties"]
    return properties


def one(schema: dict[str, Any], *texts: str) -> dict[str, Any]:
    """What a tool with the one required parameter `x` is cut down to."""
    tool = Tool(name="t", parameters={"type": "object", "properties": {"x": schema}, "required": ["x"]})
    narrowed: dict[str, Any] = narrow(tool, said(*texts))["properties"]["x"]
    return narrowed


def test_required_texts_are_copied_from_what_the_user_said() -> None:
    assert held("cab.book_ride", "Get me a ride from Jayanagar to Majestic.") == {
        "pickup": {"enum": ["ride", "Jayanagar", "Majestic"]},
        "dropoff": {"enum": ["ride", "Jayanagar", "Majestic"]},
    }


def test_what_the_assistant_says_is_not_copied() -> None:
    properties = held("food.remove_item", "What is there?", "Flat whites and a croissant.", "Croissant")
    assert properties["dish"] == {"enum": ["Croissant"]}


def test_an_optional_choice_is_there_if_one_of_its_values_is_named() -> None:
    properties = held("cab.book_ride", "An auto from Andheri to Bandra")
    assert properties["vehicle"] == {"enum": ["auto"]}
    assert properties["pickup"] == {"enum": ["Andheri", "Bandra"]}, "a named choice is no place"


def test_a_required_choice_keeps_all_values_unless_one_is_named() -> None:
    assert held("payment.list_providers", "बिजली कंपनियाँ")["category"] == {
        "enum": ["electricity", "water", "gas", "phone", "internet", "tv"],
    }  # fmt: skip
    assert held("payment.list_providers", "gas in Pune")["category"] == {"enum": ["gas"]}


def test_numbers_are_those_of_the_conversation_the_last_turn_first() -> None:
    properties = held("payment.pay_bill", "Pay Tata Power", "You owe 2,340 rupees.", "Yes, and 99 more")
    assert properties["amount"] == {"enum": [99, 2340]}


def test_a_number_out_of_bounds_or_of_the_wrong_kind_is_left_out() -> None:
    assert one({"type": "integer", "minimum": 1, "maximum": 5}, "0 or 2.5 or 3 or 9") == {"enum": [3]}
    assert one({"type": "integer", "minimum": 1, "maximum": 5}, "none") == {
        "type": "integer", "minimum": 1, "maximum": 5,
    }  # fmt: skip


def test_an_optional_number_needs_a_number_in_the_conversation() -> None:
    assert "quantity" not in held("food.add_item", "Add idlis")
    assert held("food.add_item", "Add two idlis")["quantity"] == {"enum": [2]}


def test_an_optional_text_needs_a_word_of_its_description() -> None:
    assert "otp" not in held("payment.pay_bill", "Pay 100 to Jio")
    asked = held("payment.pay_bill", "Pay the Jio bill", "The one-time password?", "4582")
    assert asked["otp"] == {"enum": ["4582"]}


def test_an_id_is_never_made_up() -> None:
    assert "offer_id" not in held("cab.book_ride", "Book the offer from Andheri to Bandra")


def test_a_flag_is_set_if_its_name_is_said() -> None:
    assert held("food.search_dishes", "vegetarian biryani")["vegetarian"] == {"enum": [True]}
    assert "vegetarian" not in held("food.search_dishes", "biryani")


def test_an_object_without_anything_inside_is_left_out() -> None:
    assert "customisation" not in held("food.add_item", "a dosa")
    assert held("food.add_item", "a large dosa")["customisation"]["properties"] == {
        "size": {"enum": ["large"]}
    }


def test_what_is_left_in_is_required_so_that_the_model_cannot_wander() -> None:
    schema = narrow(TOOLS["cab.book_ride"], said("An auto from Andheri to Bandra for two"))
    assert schema["required"] == list(schema["properties"]) == ["pickup", "dropoff", "vehicle", "passengers"]
    assert schema["additionalProperties"] is False


def test_a_text_that_offers_nothing_to_copy_leaves_the_text_free() -> None:
    assert one({"type": "string"}, "ขอแท็กซี่ไปสนามบิน") == {"type": "string", "maxLength": 80}


def test_values_quoted_in_a_description_can_be_chosen() -> None:
    assert one({"type": "string", "description": "'home', 'work', or an address."}, "to Elm Road") == {
        "enum": ["Elm", "Elm Road", "Road", "home", "work"],
    }  # fmt: skip


def test_digits_are_asked_for_and_only_digits_offered() -> None:
    assert one({"type": "string", "description": "Account in digits."}, "BESCOM, it is 4582 9013") == {
        "enum": ["4582", "4582 9013", "9013"],
    }  # fmt: skip


def test_dialects_of_schema_are_read() -> None:
    assert one({"type": "dict", "properties": {"n": {"type": "float"}}, "required": ["n"]}, "2.5 km") == {
        "type": "object", "properties": {"n": {"enum": [2.5]}}, "required": ["n"],
        "additionalProperties": False,
    }  # fmt: skip


def test_a_tool_without_parameters_leaves_nothing_to_fill() -> None:
    assert held("food.view_basket", "Show my basket") == {}


def test_a_broken_tool_is_the_users_error() -> None:
    with pytest.raises(UserError):
        narrow(Tool(name="t", parameters={"properties": {"x": {"type": "strung"}}}), said("hello"))


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("text", ["", "दो समोसे हटाओ", "Two large dosas at 6:30, 45 rupees, water, digits"])
def test_every_shipped_tool_can_be_narrowed_to_any_text(name: str, text: str) -> None:
    schema = narrow(TOOLS[name], said(text))
    assert set(TOOLS[name].parameters.get("required", ())) <= set(schema["properties"])
    assert not [s for s in schema["properties"].values() if s.get("enum") == []]
