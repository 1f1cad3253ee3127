"""The tags of model families: each form of its own, several calls in one, and what is broken in one."""

import pytest

from voicebench.scoring.calls import read_calls
from voicebench.scoring.families import FAMILIES
from voicebench.scoring.plain import Unreadable
from voicebench.types import Tool, ToolCall

TOOLS = [
    Tool(
        name="cab.get_fare",
        parameters={
            "type": "object",
            "properties": {
                "drop": {"type": "string"},
                "seats": {"type": "integer"},
                "at": {"type": "object"},
                "pool": {"type": "boolean"},
                "note": {"type": ["string", "null"]},
                "code": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            },
        },
    ),
    Tool(name="now"),
]
FARE = ToolCall(name="cab.get_fare", arguments={"drop": "மாம்பலம்", "seats": 2})
PUNE = ToolCall(name="cab.get_fare", arguments={"drop": "पुणे"})
OBJECT, PUNE_OBJECT = '{"drop": "மாம்பலம்", "seats": 2}', '{"drop": "पुणे"}'
JSON, PUNE_JSON = (f'{{"name": "cab.get_fare", "arguments": {object}}}' for object in (OBJECT, PUNE_OBJECT))
PYTHON, PUNE_PYTHON = "cab.get_fare(drop='மாம்பலம்', seats=2)", "cab.get_fare('पुणे')"


def read(text: str) -> list[ToolCall]:
    return list(read_calls(text, TOOLS))


def refused(text: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read(text)
    return caught.value


def invoke(prefix: str, *arguments: tuple[str, str, str]) -> str:
    """Return a call by invoke tags; each argument is (name, further attributes, text)."""
    inside = "".join(
        f'<{prefix}parameter name="{name}"{more}>{text}</{prefix}parameter>\n'
        for name, more, text in arguments
    )
    return f'<{prefix}invoke name="cab.get_fare">\n{inside}</{prefix}invoke>'


FARE_TEXTS = (("drop", "", "மாம்பலம்"), ("seats", "", "2"))
SEP, BEGIN, END = "<｜tool▁sep｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"

FORMS = {
    "Hermes, Qwen": f"<tool_call>\n{JSON}\n</tool_call>",
    "Qwen's tag around Python": f"<tool_call>{PYTHON}</tool_call>",
    "Granite 3": f"<|tool_call|>[{JSON}]<|end_of_text|>",
    "Granite 20B": f"<function_call> {JSON}",
    "LongCat": f"<longcat_tool_call>\n{JSON}\n</longcat_tool_call>",
    "LFM 2": f"<|tool_call_start|>[{PYTHON}]<|tool_call_end|>",
    "Llama 4": f"<|python_start|>[{PYTHON}]<|python_end|>",
    "OLMo 3": f"<function_calls>\n{PYTHON}\n</function_calls>",
    "Phi 4": f"<|tool_calls|>[{JSON}]<|/tool_calls|>",
    "Phi 4, functools": f"functools[{JSON}]",
    "Hunyuan, Jamba": f"<tool_calls>[{JSON}]</tool_calls>",
    "InternLM": f"<|action_start|><|plugin|>\n{JSON.replace('arguments', 'parameters')}<|action_end|>",
    "Command": "<|START_THINKING|>cab.get_fare('?')<|END_THINKING|><|START_ACTION|>["
    f'\n {{"tool_call_id": "0", "tool_name": "cab.get_fare", "parameters": {OBJECT}}}\n]<|END_ACTION|>'
    "<|END_OF_TURN_TOKEN|>",
    "Mistral v3": f"[TOOL_CALLS] [{JSON}]</s>",
    "Mistral v11": f"[TOOL_CALLS]cab.get_fare{OBJECT}",
    "Mistral v13": f"[TOOL_CALLS]cab.get_fare[ARGS]{OBJECT}</s>",
    "Mistral with ids": f"[TOOL_CALLS]cab.get_fare[CALL_ID]a1B2c3D4e[ARGS] {OBJECT}",
    "Magistral": f"[THINK]cab.get_fare('?')[/THINK][TOOL_CALLS]cab.get_fare[ARGS]{OBJECT}",
    "Llama 3": f"<|python_tag|>{JSON.replace('arguments', 'parameters')}<|eom_id|>",
    "Llama 3 with a type": f'{{"type": "function", "name": "cab.get_fare", "parameters": {OBJECT}}}',
    "Llama 3 functions": f"<function=cab.get_fare>{OBJECT}</function>",
    "Qwen3-Coder": "<tool_call>\n<function=cab.get_fare>\n<parameter=drop>\nமாம்பலம்\n</parameter>\n"
    "<parameter=seats>\n2\n</parameter>\n</function>\n</tool_call>",
    "Seed": "<seed:tool_call><function=cab.get_fare><parameter=drop>மாம்பலம்</parameter><parameter=seats>2"
    "</parameter></function></seed:tool_call>",
    "Anthropic's form": f"<function_calls>\n{invoke('', *FARE_TEXTS)}\n</function_calls>",
    "Anthropic's form with a prefix": invoke("antml:", *FARE_TEXTS),
    "MiniMax": f"<minimax:tool_call>\n{invoke('', *FARE_TEXTS)}\n</minimax:tool_call>",
    "DeepSeek 3.2": "<｜DSML｜function_calls>\n"
    + invoke("｜DSML｜", ("drop", ' string="true"', "மாம்பலம்"), ("seats", ' string="false"', "2"))
    + "\n</｜DSML｜function_calls>",
    "DeepSeek 3": f"<｜tool▁calls▁begin｜>{BEGIN}function{SEP}cab.get_fare\n```json\n{OBJECT}\n```{END}"
    "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
    "DeepSeek 3.1": f"<｜tool▁calls▁begin｜>{BEGIN}cab.get_fare{SEP}{OBJECT}{END}<｜tool▁calls▁end｜>",
    "Kimi K2": "<|tool_calls_section_begin|><|tool_call_begin|>functions.cab.get_fare:0"
    f"<|tool_call_argument_begin|>{OBJECT}<|tool_call_end|><|tool_calls_section_end|>",
    "GLM 4.5": "<tool_call>cab.get_fare\n<arg_key>drop</arg_key>\n<arg_value>மாம்பலம்</arg_value>\n"
    "<arg_key>seats</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
    "GLM 4.7": "<tool_call>cab.get_fare<arg_key>drop</arg_key><arg_value>மாம்பலம்</arg_value>"
    "<arg_key>seats</arg_key><arg_value>2</arg_value></tool_call>",
    "gpt-oss": "<|channel|>analysis<|message|>Perhaps now()?<|end|><|start|>assistant<|channel|>commentary "
    f"to=functions.cab.get_fare <|constrain|>json<|message|>{OBJECT}<|call|>",
    "gpt-oss, addressed by its role": "<|start|>assistant to=functions.cab.get_fare<|channel|>commentary "
    f"json<|message|>{OBJECT}<|call|>",
    "Gemma": f"```tool_code\n{PYTHON}\n```",
    "Gemini": f'{{"functionCall": {{"name": "cab.get_fare", "args": {OBJECT}}}}}',
    "Anthropic's API": f'{{"type": "tool_use", "id": "1", "name": "cab.get_fare", "input": {OBJECT}}}',
    "OpenAI's responses": '{"type": "function_call", "call_id": "1", "name": "cab.get_fare", '
    f'"arguments": {OBJECT}}}',
    "single quotes": "[{'name': 'cab.get_fare', 'arguments': {'drop': 'மாம்பலம்', 'seats': 2}}]",
    "Qwen's tag with single quotes": "<tool_call>{'name': 'cab.get_fare', 'arguments': {'drop': 'மாம்பலம்', "
    "'seats': 2}}</tool_call>",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_a_call_in_every_familys_form(text: str) -> None:
    assert read(text) == [FARE]


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_an_api_may_have_renamed_the_tool(text: str) -> None:
    assert read(text.replace("cab.get_fare", "cab_get_fare")) == [FARE]


@pytest.mark.parametrize(
    "text", [text for name, text in FORMS.items() if name not in ("Magistral", "Command")], ids=str
)
def test_words_before_a_form_are_prose(text: str) -> None:
    assert read(f"ठीक है, देखता हूँ (एक मिनट):\n{text}") == [FARE]


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>{JSON}</tool_call>\n<tool_call>{PUNE_JSON}</tool_call>",
        f"<tool_call>{JSON}\n{PUNE_JSON}</tool_call>",
        f"<|tool_call|>[{JSON}, {PUNE_JSON}]",
        f"<|tool_call_start|>[{PYTHON}, {PUNE_PYTHON}]<|tool_call_end|>",
        f"<function_calls>\n{PYTHON}\n{PUNE_PYTHON}\n</function_calls>",
        f"functools[{JSON}, {PUNE_JSON}]",
        f"[TOOL_CALLS]cab.get_fare[ARGS]{OBJECT}[TOOL_CALLS]cab.get_fare[ARGS]{PUNE_OBJECT}",
        f"<function=cab.get_fare>{OBJECT}</function>\n<function=cab.get_fare>{PUNE_OBJECT}</function>",
        "<tool_call>\n<function=cab.get_fare><parameter=drop>மாம்பலம்</parameter><parameter=seats>2</parameter>"
        "</function>\n</tool_call>\n<tool_call>\n<function=cab.get_fare><parameter=drop>पुणे</parameter></function>"
        "\n</tool_call>",
        f"<function_calls>{invoke('', *FARE_TEXTS)}{invoke('', ('drop', '', 'पुणे'))}</function_calls>",
        f"{BEGIN}function{SEP}cab.get_fare\n```json\n{OBJECT}\n```{END}\n{BEGIN}function{SEP}cab.get_fare\n"
        f"```json\n{PUNE_OBJECT}\n```{END}",
        f"{BEGIN}cab.get_fare{SEP}{OBJECT}{END}{BEGIN}cab.get_fare{SEP}{PUNE_OBJECT}{END}",
        f"<|tool_call_begin|>functions.cab.get_fare:0<|tool_call_argument_begin|>{OBJECT}<|tool_call_end|>"
        f"<|tool_call_begin|>functions.cab.get_fare:1<|tool_call_argument_begin|>{PUNE_OBJECT}<|tool_call_end|>",
        "<tool_call>cab.get_fare<arg_key>drop</arg_key><arg_value>மாம்பலம்</arg_value><arg_key>seats</arg_key>"
        "<arg_value>2</arg_value></tool_call><tool_call>cab.get_fare<arg_key>drop</arg_key><arg_value>पुणे"
        "</arg_value></tool_call>",
        f"<|channel|>commentary to=functions.cab.get_fare<|message|>{OBJECT}<|call|><|start|>assistant"
        f"<|channel|>commentary to=functions.cab.get_fare<|message|>{PUNE_OBJECT}<|call|>",
    ],
)
def test_two_calls_of_a_family(text: str) -> None:
    assert read(text) == [FARE, PUNE]


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>now</tool_call>",
        "<function=now></function>",
        "<function=now>{}</function>",
        '<invoke name="now"></invoke>',
        "[TOOL_CALLS]now[ARGS]{}",
        f"{BEGIN}now{SEP}{{}}{END}",
        "<|tool_call_begin|>now:12<|tool_call_argument_begin|>{}<|tool_call_end|>",
        "<|channel|>commentary to=functions.now<|message|>{}<|call|>",
    ],
)
def test_a_call_without_arguments(text: str) -> None:
    assert read(text) == [ToolCall(name="now")]


@pytest.mark.parametrize(
    "value",
    [
        "a</parameter>b",
        "<b>&amp;</b>",
        "x\n<parameter>\ny",
        "</tool_call> (so)",
        "{'a': 1}",
        "12",
        "null",
        "",
    ],
)
def test_a_text_of_a_string_parameter_is_taken_as_it_is(value: str) -> None:
    qwen = f"<function=cab.get_fare>\n<parameter=drop>\n{value}\n</parameter>\n</function>"
    assert read(qwen)[0].arguments == {"drop": value}
    assert read(invoke("", ("drop", "", value)))[0].arguments == {"drop": value}


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        ("seats", "2", 2),
        ("seats", " -2.5 ", -2.5),
        ("seats", "two", "two"),
        ("seats", "२", "२"),
        ("seats", '"2"', "2"),
        ("seats", "2 seats", "2 seats"),
        ("seats", "null", None),
        ("pool", "true", True),
        ("pool", "False", False),
        ("pool", "yes", "yes"),
        ("at", '{"lat": 12.9}', {"lat": 12.9}),
        ("at", "{'lat': [1, None]}", {"lat": [1, None]}),
        ("at", '{"$ref": "0.offer"}', {"$ref": "0.offer"}),
        ("at", "{lat: 1}", "{lat: 1}"),
        ("note", "null", None),
        ("note", "5", "5"),
        ("code", "5", 5),
        ("code", "None", None),
        ("unknown", "5", "5"),
    ],
)
def test_a_text_gets_the_type_that_its_schema_gives_it(parameter: str, text: str, value: object) -> None:
    read_back = [
        read(f"<function=cab.get_fare><parameter={parameter}>{text}</parameter></function>"),
        read(invoke("", (parameter, "", text))),
        read(
            f"<tool_call>cab.get_fare<arg_key>{parameter}</arg_key><arg_value>{text}</arg_value></tool_call>"
        ),
    ]
    assert read_back == [[ToolCall(name="cab.get_fare", arguments={parameter: value})]] * 3


def test_a_tag_that_states_the_type_of_its_text_is_believed() -> None:
    text = invoke("｜DSML｜", ("seats", ' string="true"', "2"), ("drop", ' string="false"', "2"))
    assert read(text)[0].arguments == {"seats": "2", "drop": 2}


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>{JSON",
        "<tool_call>f(x y)</tool_call>",
        "<tool_call>[cab.get_fare('पुणे'), 5]</tool_call>",
        '<tool_call>[{"answer": 5}]</tool_call>',
        "<tool_call>cab.get_fare('पुणे'",
        "<function=cab.get_fare><parameter=drop>पुणे</function>",
        "<function=cab.get_fare><parameter=drop>पुणे",
        "<function=cab.get_fare><parameter=drop>1</parameter><parameter=drop>2</parameter></function>",
        '<function=cab.get_fare><parameter=at>{"a": 1, "a": 2}</parameter>trailing</function>',
        '<invoke name="cab.get_fare"><parameter name="drop">पुणे</invoke>',
        "<tool_call>cab.get_fare<arg_key>drop</arg_key><arg_value>पुणे</tool_call>",
        "[TOOL_CALLS]cab.get_fare[ARGS]पुणे",
        "[TOOL_CALLS]cab.get_fare[ARGS][1]",
        f"{BEGIN}cab.get_fare{SEP}पुणे{END}",
        "<|tool_call_begin|>functions.cab.get_fare:0<|tool_call_argument_begin|>drop<|tool_call_end|>",
        "<|channel|>commentary to=functions.cab.get_fare<|message|>पुणे<|call|>",
        f"<|channel|>commentary to=functions.cab.get_fare<|message|>{OBJECT} and<|call|>",
        f"<|channel|>commentary to=functions.cab.get_fare<|message|>{OBJECT}{OBJECT}<|call|>",
    ],
)
def test_a_broken_call_of_a_family_is_unreadable(text: str) -> None:
    assert not refused(text).no_call


@pytest.mark.parametrize(
    "text",
    [
        "I would write <tool_call> and then my call.",
        "The tag <function=name> begins one.",
        'Use <invoke name="x" later.',
        "<tool_call>nothing</tool_call>",
        "<|tool_call_begin|>",
        "[TOOL_CALLS] none",
        BEGIN,
        "functools[0]",
    ],
)
def test_a_tag_without_a_call_is_prose(text: str) -> None:
    assert refused(text).no_call


def test_a_tool_that_is_not_offered_keeps_its_name() -> None:
    for text in ("<function=book>{}</function>", "[TOOL_CALLS]book[ARGS]{}", '<invoke name="book"></invoke>'):
        assert read(text) == [ToolCall(name="book")]


def test_every_family_has_openings_that_are_no_groups() -> None:
    assert all("(?P<" not in family.opening for family in FAMILIES)
    assert len({family.opening for family in FAMILIES}) == len(FAMILIES)
