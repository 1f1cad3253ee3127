"""Write calls in the forms of every model family, to see whether they are read back."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from tests.scoring.strategies import as_json, as_python
from voicebench.types import ToolCall

Form = Callable[[Sequence[ToolCall]], str]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _each(write: Callable[[ToolCall], str], between: str = "\n") -> Form:
    return lambda calls: between.join(map(write, calls))


def _object(call: ToolCall, arguments: str = "arguments") -> str:
    return _json({"name": call.name, arguments: call.arguments})


def _openai(calls: Sequence[ToolCall]) -> str:
    functions = [{"name": call.name, "arguments": _json(call.arguments)} for call in calls]
    tool_calls = [{"type": "function", "function": function} for function in functions]
    return _json({"role": "assistant", "tool_calls": tool_calls})


VALUE_FORMS: dict[str, Form] = {
    "Python": lambda calls: as_python(list(calls)),
    "Python in a fence": lambda calls: f"Sure:\n```tool_code\n{as_python(list(calls))}\n```",
    "a list of dicts": lambda calls: repr([call.model_dump() for call in calls]),
    "JSON": lambda calls: as_json(list(calls)),
    "JSON in a fence": lambda calls: f"```json\n{as_json(list(calls))}\n```",
    "JSON objects": _each(_object),
    "OpenAI": _openai,
    "Gemini": _each(lambda c: _json({"functionCall": {"name": c.name, "args": c.arguments}})),
    "Anthropic's API": _each(lambda c: _json({"type": "tool_use", "name": c.name, "input": c.arguments})),
    "Hermes": _each(lambda c: f"<tool_call>\n{_object(c)}\n</tool_call>"),
    "LFM 2": lambda calls: f"<|tool_call_start|>{as_python(list(calls))}<|tool_call_end|>",
    "Granite": lambda calls: f"<|tool_call|>{as_json(list(calls))}",
    "Phi 4": lambda calls: f"functools{as_json(list(calls))}",
    "Command": lambda calls: (
        "<|START_ACTION|>"
        + _json([{"tool_name": call.name, "parameters": call.arguments} for call in calls])
        + "<|END_ACTION|>"
    ),
    "Mistral v3": lambda calls: f"[TOOL_CALLS] {as_json(list(calls))}</s>",
    "Mistral v13": _each(lambda c: f"[TOOL_CALLS]{c.name}[ARGS]{_json(c.arguments)}", ""),
    "Llama 3": lambda calls: (
        "<|python_tag|>" + "; ".join(_object(c, "parameters") for c in calls) + "<|eom_id|>"
    ),
    "Llama 3.1": _each(lambda c: f"<function={c.name}>{_json(c.arguments)}</function>"),
    "DeepSeek 3": _each(
        lambda c: (
            f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{c.name}\n```json\n{_json(c.arguments)}\n```"
            "<｜tool▁call▁end｜>"
        )
    ),
    "DeepSeek 3.1": _each(
        lambda c: f"<｜tool▁call▁begin｜>{c.name}<｜tool▁sep｜>{_json(c.arguments)}<｜tool▁call▁end｜>", ""
    ),
    "Kimi": _each(
        lambda c: (
            f"<|tool_call_begin|>functions.{c.name}:0<|tool_call_argument_begin|>{_json(c.arguments)}"
            "<|tool_call_end|>"
        )
    ),
    "gpt-oss": _each(
        lambda c: (
            f"<|start|>assistant<|channel|>commentary to=functions.{c.name} <|constrain|>json"
            f"<|message|>{_json(c.arguments)}<|call|>"
        ),
        "",
    ),
}
"""Forms that write any value of any call."""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _qwen(call: ToolCall) -> str:
    inside = "".join(f"<parameter={k}>\n{_text(v)}\n</parameter>\n" for k, v in call.arguments.items())
    return f"<tool_call>\n<function={call.name}>\n{inside}</function>\n</tool_call>"


def _invoke(call: ToolCall, prefix: str = "", state: Callable[[Any], str] = lambda value: "") -> str:
    inside = "".join(
        f'<{prefix}parameter name="{name}"{state(value)}>\n{_text(value)}\n</{prefix}parameter>\n'
        for name, value in call.arguments.items()
    )
    return f'<{prefix}invoke name="{call.name}">\n{inside}</{prefix}invoke>'


def _glm(call: ToolCall) -> str:
    inside = "".join(
        f"<arg_key>{name}</arg_key>\n<arg_value>\n{_text(value)}\n</arg_value>\n"
        for name, value in call.arguments.items()
    )
    return f"<tool_call>{call.name}\n{inside}</tool_call>"


TEXT_FORMS: dict[str, Form] = {
    "Qwen3-Coder": _each(_qwen),
    "MiniMax": lambda calls: f"<minimax:tool_call>{_each(_invoke)(calls)}</minimax:tool_call>",
    "DeepSeek 3.2": _each(
        lambda c: _invoke(c, "｜DSML｜", lambda v: f' string="{"true" if isinstance(v, str) else "false"}"')
    ),
    "GLM 4.5": _each(_glm),
}
"""Forms that write values as text; a schema gives them their types."""
