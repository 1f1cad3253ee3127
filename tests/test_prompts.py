"""The instruction texts: what stands in them, and that they do not change without a new version."""

import json

import pytest

from tests.agent_requests import BASKET, RIDE, request
from voicebench import PROMPTS_VERSION, prompts
from voicebench.cascade.answer_schema import answer_schema
from voicebench.files import sha256_json
from voicebench.retrieve.narrow import narrow
from voicebench.types import Prompting, Tool, Turn

ASK = Turn(role="user", text="जयनगर से मैजेस्टिक तक ऑटो बुक करो")
FULL = Prompting()
BARE = Prompting(one_shot=False, refusal_prompt=False)
RENDERED = {"1": "e31bf76912c75578491579bfeb5f43b5c595326337dea515bdd729bf8fe672b7"}
"""SHA-256 of all that `renderings` returns, for each version of the prompts."""
SPOKEN = (
    ASK,
    Turn(role="assistant", text="Which size, and how many?"),
    Turn(role="user", text="Two large ones from Luigi's"),
)
DISH = Tool(
    name="food.add_item",
    parameters={
        "type": "object",
        "properties": {
            "dish": {"type": "string", "description": "Name, or 'usual'."},
            "quantity": {"type": "integer", "minimum": 1, "default": 1},
            "size": {"type": "object", "properties": {"of": {"enum": ["small", "large"]}}},
            "extras": {
                "type": "array",
                "items": {"type": "string"},
                "description": "What the large one has.",
            },
        },
        "required": ["dish"],
    },
)


def told(
    prompting: Prompting = FULL, *, native: bool = False, tools: tuple[Tool, ...] = (RIDE, BASKET)
) -> str:
    return prompts.instruction(tools, reference_date="2026-11-30", prompting=prompting, native=native)


def renderings() -> list[object]:
    """Everything that the texts can say, each option on and off, and what decoding is held to beside them."""
    calendar = prompts.EXAMPLES[0].tool
    found: list[object] = []
    for prompting in (FULL, BARE):
        for tools in ((RIDE, BASKET), (RIDE, calendar)):
            for native in (False, True):
                found += [told(prompting, native=native, tools=tools)]
        for date in ("2026-11-30", None):
            for tool in (RIDE, calendar):
                chat = prompts.fill_chat(
                    [ASK], tool, ["pickup", "title"], reference_date=date, prompting=prompting
                )
                found.append([[message.role, message.content] for message in chat])
    tools = (RIDE, BASKET, DISH)
    return [*found, answer_schema(tools), *(narrow(tool, SPOKEN) for tool in tools)]


def test_no_text_changes_without_a_new_version() -> None:
    assert sha256_json(renderings()) == RENDERED[PROMPTS_VERSION], (
        "the prompts have changed: bump voicebench.PROMPTS_VERSION and add the new hash to RENDERED"
    )


def test_each_tool_stands_in_the_instruction_as_a_line_of_json() -> None:
    lines = [line for line in told(BARE).splitlines() if line.startswith('{"name"')]
    assert [json.loads(line) for line in lines] == [RIDE.model_dump(), BASKET.model_dump()]


def test_letters_of_other_scripts_are_not_escaped() -> None:
    assert "டாக்சி" in told(tools=(Tool(name="x", description="டாக்சி"),))


def test_the_example_is_shown_only_with_one_shot() -> None:
    assert "calendar.add_event" in told(FULL)
    assert "calendar.add_event" not in told(Prompting(one_shot=False))


def test_the_example_is_never_of_an_offered_tool() -> None:
    first, second = (example.tool for example in prompts.EXAMPLES)
    assert "An example" in told(tools=(first,)) and "parcel.send" in told(tools=(first,))
    assert "An example" not in told(tools=(first, second))


def test_the_example_is_right_under_its_own_schema() -> None:
    for example in prompts.EXAMPLES:
        assert set(example.tool.parameters["required"]) <= set(example.arguments)
        assert set(example.arguments) <= set(example.tool.parameters["properties"])


def test_refusing_is_spoken_of_only_with_the_refusal_prompt() -> None:
    assert "I will not" in told(FULL)
    assert "I will not" not in told(Prompting(refusal_prompt=False))


def test_today_is_named_with_its_weekday() -> None:
    assert "Today is Monday, 2026-11-30." in told()
    assert "Today" not in prompts.instruction([RIDE], reference_date=None, prompting=FULL)


def test_a_date_that_is_no_date_is_told_as_it_is() -> None:
    assert "Today is soon." in prompts.instruction([RIDE], reference_date="soon", prompting=FULL)


def test_native_tools_are_in_neither_form_nor_list() -> None:
    text = told(native=True)
    assert "JSON" not in text
    assert RIDE.name not in text


def test_the_conversation_follows_the_instruction_turn_by_turn() -> None:
    turns = [ASK, Turn(role="assistant", text="When?"), Turn(role="user", text="अभी")]
    chat = prompts.chat(turns, [RIDE], reference_date=None, prompting=FULL)
    assert [(message.role, message.content) for message in chat[1:]] == [
        ("user", ASK.text), ("assistant", "When?"), ("user", "अभी"),
    ]  # fmt: skip
    assert chat[0].role == "system"


def test_what_all_requests_have_in_common_comes_first() -> None:
    one, other = told(tools=(RIDE,)), told(tools=(BASKET,))
    common = next(i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    assert one[:common].endswith('Your tools:\n{"name": "')


def test_a_form_describes_only_the_parameters_that_are_asked_for() -> None:
    [*_, last] = prompts.fill_chat([ASK], RIDE, ["dropoff"], reference_date=None, prompting=BARE)
    assert last.content == (
        "Tool: cab.book_ride: Book a cab from one place to another. Returns ride_id.\n"
        f"- dropoff: Where the ride ends.\n\nUser: {ASK.text}"
    )


@pytest.mark.parametrize(
    ("prompting", "roles"), [(FULL, ["system", "user", "assistant", "user"]), (BARE, ["system", "user"])]
)
def test_a_form_has_its_example_as_an_earlier_turn(prompting: Prompting, roles: list[str]) -> None:
    chat = prompts.fill_chat([ASK], RIDE, ["pickup"], reference_date=None, prompting=prompting)
    assert [message.role for message in chat] == roles


def test_what_a_speech_model_is_told_is_the_same_instruction() -> None:
    asked = request("x", reference_date="2026-11-30")
    assert prompts.for_speech(asked) == told()
