"""Reading answers: one grammar, all or nothing, and hostile text ends soon and with a reason."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.strategies import CALLS, as_json, as_python
from voicebench.scoring.calls import (
    MAX_CALLS,
    MAX_CHARACTERS,
    Unreadable,
    check_native_calls,
    read_calls,
)
from voicebench.types import Tool, ToolCall

TOOLS = [
    Tool(
        name="cab.get_fare",
        parameters={"type": "dict", "properties": {"drop": {"type": "string"}, "seats": {"type": "integer"}}},
    ),
    Tool(name="f", parameters={"type": "dict", "properties": {"a": {"type": "integer"}}}),
]
ONE = [ToolCall(name="f", arguments={"a": 1})]
TWO = [*ONE, ToolCall(name="f", arguments={"a": 2})]
FARE = [ToolCall(name="cab.get_fare", arguments={"drop": "मैजेस्टिक"})]
JSON_ONE = '{"name": "f", "arguments": {"a": 1}}'
JSON_TWO = '{"name": "f", "arguments": {"a": 2}}'


def read(text: str) -> list[ToolCall]:
    return list(read_calls(text, TOOLS))


def refused(text: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read_calls(text, TOOLS)
    return caught.value


@pytest.mark.parametrize(
    "text", ["[f(a=1)]", "f(a=1)", "f(1)", " [ f(a = 1), ]\n", "(f(a=1))", "\ufeff[f(a=1)]", "# so\nf(a=1)"]
)
def test_a_call_alone(text: str) -> None:
    assert read(text) == ONE


@pytest.mark.parametrize(
    "text",
    [
        JSON_ONE,
        f"[{JSON_ONE}]",
        '{"name": "f", "parameters": {"a": 1}}',
        '{"name": "f", "arguments": "{\\"a\\": 1}\\""}',
        '{"type": "function", "function": {"name": "f", "arguments": "{\\"a\\": 1}"}}',
        '{"role": "assistant", "content": null, "tool_calls": [{"id": "7", "type": "function", '
        '"function": {"name": "f", "arguments": "{\\"a\\": 1}"}}]}',
        f"```json\n{JSON_ONE}\n```",
        f"```\n[{JSON_ONE}]\n```",
        f"```json {JSON_ONE}```",
        "```f(a=1)```",
        "```python\n[f(a=1)]\n```",
        "```tool_code\nresult = f(a=1)\n```",
        f"Sure!\n```json\n{JSON_ONE}",
        f"<tool_call>\n{JSON_ONE}\n</tool_call>",
        f"<tool_call>{JSON_ONE}",
        "<tool_call>[f(a=1)]</tool_call>",
        "<tool_call>f(a=1)</tool_call>",
        f"<tool_call>[{JSON_ONE}]</tool_call>",
        f"[TOOL_CALLS] [{JSON_ONE}]",
        f"[TOOL_CALLS]{JSON_ONE}</s>",
        f"<|python_tag|>{JSON_ONE}<|eom_id|>",
        "<|python_tag|>f(a=1)<|eot_id|>",
        '<function=f>{"a": 1}</function>',
        '<function=f>{"a": 1}',
    ],
)
def test_a_call_in_every_wrapping(text: str) -> None:
    assert read(text) == ONE
    assert read(f"ज़रूर, अभी करता हूँ:\n{text}") == ONE


@pytest.mark.parametrize(
    "text",
    [
        "[f(a=1), f(a=2)]",
        "f(a=1), f(a=2)",
        "f(a=1)\nf(a=2)",
        "f(a=1); f(a=2)",
        "1. f(a=1)\n2. f(a=2)",
        "- `f(a=1)`\n- `f(a=2)`",
        "First f(a=1) and then f(a=2).",
        f"[{JSON_ONE}, {JSON_TWO}]",
        f"{JSON_ONE}\n{JSON_TWO}",
        f"{JSON_ONE}; {JSON_TWO}",
        f"<tool_call>{JSON_ONE}</tool_call>\n<tool_call>{JSON_TWO}</tool_call>",
        f"<tool_call>{JSON_ONE}\n{JSON_TWO}</tool_call>",
        f"[TOOL_CALLS] [{JSON_ONE}, {JSON_TWO}]",
        f"<|python_tag|>{JSON_ONE}; {JSON_TWO}",
        '<function=f>{"a": 1}</function><function=f>{"a": 2}</function>',
        "<|python_tag|>f(a=1); f(a=2)",
    ],
)
def test_two_calls(text: str) -> None:
    assert read(text) == TWO


def test_a_sentence_before_the_list() -> None:
    text = (
        "To determine the weather …\n"
        '[get_todays_date(), get_weather(location="Dublin, Ireland", date="2025-04-14")]'
    )
    weather = {"location": "Dublin, Ireland", "date": "2025-04-14"}
    assert read(text) == [ToolCall(name="get_todays_date"), ToolCall(name="get_weather", arguments=weather)]


@pytest.mark.parametrize(
    "text",
    [
        'Sure [1], done: [cab.get_fare(drop="मैजेस्टिक")]. Anything else?',
        "It's fine; don't worry. [cab.get_fare('मैजेस्टिक')]",
        "**[cab.get_fare(drop='मैजेस्टिक')]**",
        "\"[cab.get_fare(drop='मैजेस्टिक')]\"",
        "[see the docs](https://example.org) [cab.get_fare(drop='मैजेस्टिक')]",
        "I'll use cab.get_fare(drop) for it: [cab.get_fare(drop='मैजेस्टिक')]",
        "ठीक है। cab.get_fare(drop='मैजेस्टिक') चलाता हूँ।",
        "Call: `cab.get_fare(drop='मैजेस्टिक')`",
        "ठीक है।cab.get_fare(drop='मैजेस्टिक')।",
        "好的：cab.get_fare(drop='मैजेस्टिक')。",
        "我来调用cab.get_fare(drop='मैजेस्टिक')。",
        "ฉันจะเรียกcab.get_fare(drop='मैजेस्टिक')ค่ะ",
    ],
)
def test_prose_around_a_call(text: str) -> None:
    assert read(text) == FARE


def test_a_name_with_a_hyphen_right_behind_a_word_is_not_lost() -> None:
    tools = [*TOOLS, Tool(name="get-weather")]
    text = "先调用f(a=1)再调用get-weather()。"
    assert list(read_calls(text, tools)) == [*ONE, ToolCall(name="get-weather")]


def test_names_and_parameters_in_any_script() -> None:
    assert read("[मौसम(शहर='दिल्ली')]") == [ToolCall(name="मौसम", arguments={"शहर": "दिल्ली"})]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "No.",
        "[]",
        "()",
        "{}",
        "[1, 2]",
        "I booked it (at 5).",
        "I booked it(at 5).",
        "[1] see (2)",
        "यह काम (अभी) हो गया।",
        "The x(1) is y.",
        '{"answer": 5}',
        '["f(a=1)"]',
        "42",
        '"f"',
        "f",
        "cab.get_fare",
        '{"name": "f", "description": "A tool.", "parameters": {"type": "object", "properties": {}}}',
        "<tool_call></tool_call>",
        "[TOOL_CALLS] [5]",
        "```\nnothing\n```",
        "```\n```",
        "[note: this (maybe) works]",
    ],
)
def test_text_without_a_call(text: str) -> None:
    error = refused(text)
    assert (error.reason, error.no_call) == ("no call found", True)


@pytest.mark.parametrize(
    "text",
    [
        "[f(a=1), 'x']",
        "[x, f(a=1)]",
        "[f(a=1), {}]",
        "[f(a=x)]",
        "[f(a=g(1))]",
        "[f(a=1) for x in y]",
        "Well: [f(a=1), f(a=]",
        "f(a=x)",
        "Then f(a=x) it is",
        "f(a=1).g()",
        "so f(a=1)[0]",
        "print(f(a=1))",
        "g(1)",
        "[f(a=1",
        "[f(a=1), f(a='x)]",
        "then f(a=1",
        f'[{JSON_ONE}, "x"]',
        f'[{JSON_ONE}, {{"answer": 5}}]',
        '{"name": "f", "arguments": {"a": 1}',
        '{"name": "f", "arguments": {"a": NaN}}',
        '{"name": "f", "arguments": {"a": 1, "a": 1}}',
        '{"name": "f", "arguments": {"a": १२}}',
        '{"name": "f", "arguments": "{\\"a\\": 1}{\\"a\\": 2}"}',
        f'<tool_call>{JSON_ONE}</tool_call><tool_call>{{"name": "f", "arguments": </tool_call>',
        '<tool_call>{"answer": 5}</tool_call>',
        "<function=f>{a: 1}</function>",
        "```python\nf(a=x)\n```",
    ],
)
def test_all_or_nothing(text: str) -> None:
    assert not refused(text).no_call


@pytest.mark.parametrize(
    "text",
    [
        "[f(a=1)]\n[f(a=2)]",
        "[f(a=1)] or [f(a=1)]",
        f"[{JSON_ONE}] [{JSON_TWO}]",
        f"{JSON_ONE} or {JSON_TWO}",
        f"[f(a=1)] {JSON_TWO}",
        "```\nf(a=1)\n```\nor\n```\nf(a=2)\n```",
    ],
)
def test_more_than_one_answer_is_ambiguous(text: str) -> None:
    assert "ambiguous" in refused(text).reason


def test_a_closing_tag_in_a_string_does_not_cut_the_call() -> None:
    text = '<tool_call>{"name": "f", "arguments": {"a": "x</tool_call>\\n```"}}</tool_call>'
    assert read(text) == [ToolCall(name="f", arguments={"a": "x</tool_call>\n```"})]


def test_tags_inside_a_string_of_a_whole_answer_are_text() -> None:
    text = "[f(a='<tool_call>{} ``` [TOOL_CALLS] [1] </think>')]"
    assert read(text)[0].arguments == {"a": "<tool_call>{} ``` [TOOL_CALLS] [1] </think>"}


@pytest.mark.parametrize(
    "text",
    [
        "<think>perhaps [f(a=9)]?</think>[f(a=1)]",
        "<think>\nperhaps\nf(a=9)\n</think>\n\n[f(a=1)]",
        "<thinking>f(a=9)</thinking>\nf(a=1)",
        "f(a=9) seems wrong\n</think>\nf(a=1)",
        "[THINK]f(a=9)[/THINK]f(a=1)",
        "f(a=9) [/THINK]\nf(a=1)",
        "<|START_THINKING|>f(a=9)<|END_THINKING|>f(a=1)",
        "<|channel|>analysis<|message|>f(a=9)<|end|><|start|>assistant<|channel|>final<|message|>f(a=1)<|return|>",
        "<think>a</think>\n<think>f(a=9)</think>\nf(a=1)",
    ],
)
def test_reasoning_is_left_out(text: str) -> None:
    assert read(text) == ONE


def test_reasoning_without_an_answer() -> None:
    for text in ("<think>[f(a=1)]", "[THINK][f(a=1)]", "<|START_THINKING|>[f(a=1)]"):
        assert refused(text).reason == "the reasoning never ends"
    assert refused("<think>[f(a=1)]</think>").reason == "no call found"


def test_unknown_tools_are_read_by_their_parameters_names() -> None:
    assert read("[book(at=5)]") == [ToolCall(name="book", arguments={"at": 5})]
    assert refused("[book(5)]").reason == "book is not offered, so its positional values have no names"


def test_a_call_of_an_unknown_tool_counts_on_a_line_of_its_own_alone() -> None:
    assert read("Here you are:\nbook(at=5)\nDone.") == [ToolCall(name="book", arguments={"at": 5})]
    assert refused("Here you are: book(at=5). Done.").no_call


@pytest.mark.parametrize(
    "text",
    [
        "{'name': 'f', 'arguments': {'a': 1}}",
        "[{'name': 'f', 'arguments': {'a': 1}}]",
        "Here: [{'name': 'f', 'arguments': {'a': 1}}]. Done.",
        "Here: {'name': 'f', 'parameters': {'a': 1}} it's done.",
        "```python\n[{'name': 'f', 'arguments': {'a': 1}}]\n```",
        '{"name": "f", "arguments": {"a": 1,},}',
        '{"name": "f", "arguments": "{\'a\': 1}"}',
    ],
)
def test_what_is_no_json_but_a_python_dict_is_read_as_that(text: str) -> None:
    assert read(text) == ONE


@pytest.mark.parametrize(
    "text",
    [
        "functions.f(a=1)",
        "[functions.f(a=1)]",
        '{"name": "functions.f", "arguments": {"a": 1}}',
        "So functions.f(1) it is.",
    ],
)
def test_the_namespace_of_functions_may_stand_before_a_name(text: str) -> None:
    assert read(text) == ONE


def test_a_name_that_an_api_rewrote_means_its_tool() -> None:
    assert read("[cab_get_fare('मैजेस्टिक')]") == FARE
    assert read("So I call cab_get_fare('मैजेस्टिक') now.") == FARE
    assert read('{"name": "functions.cab_get_fare", "arguments": {"drop": "मैजेस्टिक"}}') == FARE


ODD_TOOLS = [
    Tool(name=name, parameters={"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}})
    for name in ("get-weather", "2fa.send", "weather/now", "user.import", "\u0958ीमत")
]


@pytest.mark.parametrize("name", [tool.name for tool in ODD_TOOLS])
@pytest.mark.parametrize(
    "form",
    [
        "{name}('पुणे', days=2)",
        "[{name}(city='पुणे', days=2)]",
        "Sure: {name} (city='पुणे', days=2)".replace(" (", "("),
        "1. {name}('पुणे', 2)",
        "<tool_call>[{name}('पुणे', 2)]</tool_call>",
        "<tool_call>{name}('पुणे', 2)</tool_call>",
    ],
)
def test_an_offered_name_need_not_be_one_that_python_can_read(name: str, form: str) -> None:
    wanted = (ToolCall(name=name, arguments={"city": "पुणे", "days": 2}),)
    assert read_calls(form.replace("{name}", name), ODD_TOOLS) == wanted


def test_such_a_name_in_a_string_is_text() -> None:
    call = read_calls("get-weather(city='get-weather(x)')", ODD_TOOLS)[0]
    assert call.arguments == {"city": "get-weather(x)"}


def test_a_longer_name_is_not_taken_for_a_shorter_one() -> None:
    tools = [Tool(name="get-weather"), Tool(name="get-weather-now"), Tool(name="x")]
    assert [call.name for call in read_calls("[get-weather-now(), get-weather()]", tools)] == [
        "get-weather-now",
        "get-weather",
    ]
    with pytest.raises(Unreadable):
        read_calls("[x-get-weather()]", tools)


def test_a_parameter_is_named_in_the_form_of_its_schema() -> None:
    tool = Tool(name="f", parameters={"properties": {"\u0958ीमत": {"type": "integer"}}})
    for written in ("\u0958ीमत", "\u0915\u093cीमत"):
        assert read_calls(f"f({written}=5)", [tool])[0].arguments == {"\u0958ीमत": 5}


@pytest.mark.parametrize(
    "text",
    [
        "[f(a='O'Brien')]",
        "f(a='O'Brien')",
        "API-Request: [f(a='O'Brien')]",
        "[f(a='O'Brien', b='D'Arcy')]",
        "f(a='the 'best' one')",
        '[f(a="5" screen")]',
    ],
)
def test_a_quote_inside_a_string_is_said_to_need_a_backslash(text: str) -> None:
    assert not refused(text).no_call
    assert "a quote inside a string needs a backslash" in refused(text).reason


def test_half_surrogates_become_writable() -> None:
    assert read('[cab.get_fare(drop="\\ud800")]')[0].arguments == {"drop": "\ufffd"}
    assert read('{"name": "f", "arguments": {"a": "\\ud83d\\ude00"}}')[0].arguments == {"a": "😀"}
    assert read("[cab.get_fare(drop='\ud800')]")[0].arguments == {"drop": "\ufffd"}


@given(st.lists(CALLS, min_size=1, max_size=3))
def test_calls_written_as_python_are_read_back(calls: list[ToolCall]) -> None:
    assert read(as_python(calls)) == calls


@given(st.lists(CALLS, min_size=1, max_size=3))
def test_calls_written_as_json_are_read_back(calls: list[ToolCall]) -> None:
    assert read(as_json(calls)) == calls
    assert read(f"[TOOL_CALLS] {as_json(calls)}") == calls


@given(st.lists(CALLS, min_size=1, max_size=3), st.sampled_from(["It's ", "ठीक है: ", "(so) [1] ", "சரி "]))
def test_calls_among_words_are_read_back(calls: list[ToolCall], words: str) -> None:
    assert read(f"{words}{as_json(calls)} {words}") == calls


@given(st.text(alphabet="f()[]{}'\"a=1,:\\ \n<>/`|.न"))
def test_no_text_ends_in_another_error(text: str) -> None:
    try:
        assert read(text)
    except Unreadable as error:
        assert error.reason


HOSTILE = {
    "open lists": "[" * 200_000,
    "open objects": "{" * 200_000,
    "open calls": "f(" * 100_000,
    "open lists of calls": "[f(" * 66_000,
    "open JSON": '{"a":' * 40_000,
    "call-like JSON": '{"name"' * 28_000,
    "lines of open calls": "x(\n" * 66_000,
    "deep value": "[f(a=" + "[" * 5_000 + "]" * 5_000 + ")]",
    "deep JSON": '{"name": "f", "arguments": {"a": ' + "[" * 90_000 + "]" * 90_000 + "}}",
    "deep arguments text": '{"name": "f", "arguments": "' + "[" * 90_000 + '"}',
    "huge integer": "[f(a=" + "9" * 100_000 + ")]",
    "huge hexadecimal": "[f(a=0x" + "f" * 100_000 + ")]",
    "huge JSON integer": '{"name": "f", "arguments": {"a": ' + "9" * 100_000 + "}}",
    "minus": "f(a=" + "-" * 100_000 + "1)",
    "plus": "f(a=" + "1+" * 90_000 + "1)",
    "dots": "f" + ".f" * 90_000 + "()",
    "escaped quotes": "['" + "\\'" * 90_000,
    "escaped triple quotes": '["""' + '\\"""' * 45_000,
    "unclosed quotes": "x('" * 60_000,
    "many calls": "[" + "f()," * 49_000 + "]",
    "many lines of calls": "\nx()" * 50_000,
    "white space": "\t" * 199_990 + "x(",
    "one word": "a" * 200_000,
    "tags": "<tool_call> " * 16_000,
    "tags of functions": "<function=f>{" * 15_000,
    "reasoning": "<think>" * 28_000,
    "ends of reasoning": "</think>\n" * 20_000,
    "fences": "```\n" * 50_000,
    "links": "[1](x) " * 28_000,
    "end marks": "<|eom_id|>" * 20_000,
    "megabytes": "x(" * 2_000_000,
    "a million digits": "[f(a=" + "9" * 1_000_000 + ")]",
    "calls among words": "f(a=x) " * 28_000,
    "dicts among words": "{'a': 1} " * 22_000,
    "lists among words": "[(1)] " * 33_000,
    "open dicts": "{'name': " * 22_000,
    "parameters never closed": "<function=f><parameter=a>" * 8_000,
    "closing tags of parameters": "<function=f><parameter=a>" + "</parameter> x" * 14_000,
    "white space behind closing tags": "<function=f><parameter=a>" + ("</parameter>" + " " * 500) * 390 + "x",
    "invoke tags": '<invoke name="f"><parameter name="' * 5_800,
    "names of GLM": ("<tool_call>" + "a" * 199) * 950,
    "calls of Mistral": "[TOOL_CALLS]f{" * 14_000,
    "calls of DeepSeek": "<｜tool▁call▁begin｜>f<｜tool▁sep｜>{" * 5_500,
    "calls of Kimi": "<|tool_call_begin|>f<|tool_call_argument_begin|>{" * 4_000,
    "messages": "<|start|>assistant<|channel|>final<|message|>" * 4_400,
    "addressed messages": "<|start|>assistant to=f<|message|>{" * 5_700,
    "marks in a name": "f" + "\u0301\u0323" * 90_000 + "(a=x)",
    "marks in a string": "f(a='" + "\u0301" * 90_000 + "\u0323" * 90_000 + "', b)",
    "names with hyphens": "get-weather(" * 16_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_ends_soon_and_with_a_reason(text: str) -> None:
    before = time.process_time()
    with pytest.raises(Unreadable) as caught:
        read_calls(text, [*TOOLS, *ODD_TOOLS[:1]])
    assert caught.value.reason
    assert time.process_time() - before < 2


def test_the_bounds_are_said() -> None:
    assert (
        refused("x" * (MAX_CHARACTERS + 1)).reason
        == "the answer has 200,001 characters; at most 200,000 are read"
    )
    assert len(read("[" + "f()," * MAX_CALLS + "]")) == MAX_CALLS
    assert refused("[" + "f()," * 257 + "]").reason == "the answer makes more than 256 calls"


def test_native_calls_are_made_plain() -> None:
    assert check_native_calls([ToolCall(name="f", arguments={"a": ["\ud800", 1.5]})]) == (
        ToolCall(name="f", arguments={"a": ["\ufffd", 1.5]}),
    )


def test_native_calls_are_of_the_tools_that_their_names_mean() -> None:
    names = [
        call.name for call in check_native_calls([ToolCall(name="cab_get_fare"), ToolCall(name="g")], TOOLS)
    ]
    assert names == ["cab.get_fare", "g"]


def test_native_calls_out_of_bounds_are_unreadable() -> None:
    deep: list[object] = []
    for _ in range(900):
        deep = [deep]
    for value in (float("nan"), 10**400, deep):
        with pytest.raises(Unreadable):
            check_native_calls([ToolCall(name="f", arguments={"a": value})])
    with pytest.raises(Unreadable):
        check_native_calls([ToolCall(name="f")] * (MAX_CALLS + 1))
