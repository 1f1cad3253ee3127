"""Read calls by the tags that model families put around them; `FAMILIES` lists all of them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from voicebench.scoring.json_calls import arguments_in, value_at
from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import Unreadable, check_number_of_calls
from voicebench.scoring.tag_arguments import Tags, tagged_call
from voicebench.scoring.written import among_words, payload_at, whole
from voicebench.types import ToolCall

Reader = Callable[[str, int, Offered], tuple[list[ToolCall], int]]
"""(answer, index behind an opening tag, tools) → (the calls there, index behind them); no calls where the tag
is part of the prose."""


@dataclass(frozen=True)
class Family:
    """One way of marking calls.

    Attributes:
        models: Who writes so.
        opening: Pattern of the tag that begins a call, or a section of calls; it has no groups.
        read: Reads what stands behind the tag.
    """

    models: str
    opening: str
    read: Reader


_TOOL_NAME = r"[^\s<>{}()\[\]\"'`|｜]{1,200}"
_BAR = "[|｜]"

_FUNCTION_TAGS = Tags(
    opening=r"<parameter=(?P<name>[^<>\n]{1,200})>",
    closing="</parameter>",
    end="</function>",
    goes_on="<parameter=|</function>|</(?:seed:)?tool_call>",
)
_INVOKE = rf"(?:antml:|{_BAR}DSML{_BAR})?"
_INVOKE_TAGS = Tags(
    opening=rf"<{_INVOKE}parameter\s+name=\"(?P<name>[^\"<>\n]{{1,200}})\""
    r"(?:\s+string=\"(?P<string>true|false)\")?\s*>",
    closing=rf"</{_INVOKE}parameter>",
    end=rf"</{_INVOKE}invoke>",
    goes_on=rf"<{_INVOKE}parameter\s|</{_INVOKE}(?:invoke|function_calls|tool_calls?)>|</minimax:tool_call>",
)
_GLM_TAGS = Tags(
    opening=r"<arg_key>(?P<name>[^<>]{1,200})</arg_key>\s*+<arg_value>",
    closing="</arg_value>",
    end="</tool_call>",
    goes_on="<arg_key>|</tool_call>",
)
_FUNCTION_NAME = re.compile(rf"({_TOOL_NAME})>")
_INVOKE_NAME = re.compile(r"([^\"<>\n]{1,200})\"\s*+>")
_GLM_NAME = re.compile(rf"\s*+({_TOOL_NAME})")
_MISTRAL_NAME = re.compile(rf"\s*+({_TOOL_NAME})(?:\[CALL_ID\][^\[\]\s{{}}]{{1,64}})?(?:\[ARGS\])?")
_DEEPSEEK_SEPARATOR = rf"<{_BAR}tool▁sep{_BAR}>"
_DEEPSEEK_NAME = re.compile(
    rf"\s*+(?:function{_DEEPSEEK_SEPARATOR}({_TOOL_NAME})\s*+(?:```(?:json)?)?"
    rf"|({_TOOL_NAME}){_DEEPSEEK_SEPARATOR})"
)
_KIMI_NAME = re.compile(rf"\s*+({_TOOL_NAME})\s*+<\|tool_call_argument_begin\|>")
_KIMI_NUMBER = re.compile(r":\d{1,6}\Z")
_FUNCTION_STARTS = r"(?:\{|<parameter=|</function>)"
_MISTRAL_STARTS = r"(?:\[CALL_ID\]|\[ARGS\]|\s*+\{)"
_FUNCTION_END = re.compile(r"\s*+</function>")


def _function(answer: str, position: int, offered: Offered) -> tuple[list[ToolCall], int]:
    """`<function=NAME>` and a JSON object, or `<parameter=…>` tags."""
    name = _FUNCTION_NAME.match(answer, position)
    if name is None:
        return [], position
    start = _behind_spaces(answer, name.end())
    if answer.startswith("{", start):
        call, position = _named(name[1], answer, start, offered)
        end = _FUNCTION_END.match(answer, position)
        return [call], end.end() if end else position
    call, position = tagged_call(name[1], answer, name.end(), _FUNCTION_TAGS, offered)
    return [call], position


def _invoke(answer: str, position: int, offered: Offered) -> tuple[list[ToolCall], int]:
    """`<invoke name="NAME">` and `<parameter name="…">` tags, up to `</invoke>`."""
    name = _INVOKE_NAME.match(answer, position)
    if name is None:
        return [], position
    call, position = tagged_call(name[1], answer, name.end(), _INVOKE_TAGS, offered)
    return [call], position


def _glm(answer: str, position: int, offered: Offered) -> tuple[list[ToolCall], int]:
    """`<tool_call>NAME`, `<arg_key>` and `<arg_value>` tags, up to `</tool_call>`."""
    name = _GLM_NAME.match(answer, position)
    if name is None:
        return [], position
    call, position = tagged_call(name[1], answer, name.end(), _GLM_TAGS, offered)
    return [call] if call.arguments or call.name in offered else [], position


def _mistral(answer: str, position: int, offered: Offered) -> tuple[list[ToolCall], int]:
    """`[TOOL_CALLS]NAME[CALL_ID]id[ARGS]` and a JSON object."""
    return _header_and_object(_MISTRAL_NAME, answer, position, offered)


def _deepseek(answer: str, position: int, offered: Offered) -> tuple[list[ToolCall], int]:
    """`function<｜tool▁sep｜>NAME` and fenced JSON, or `NAME<｜tool▁sep｜>` and JSON."""
    return _header_and_object(_DEEPSEEK_NAME, answer, position, offered)


def _kimi(answer: str, position: int, offered: Offered) -> tuple[list[ToolCall], int]:
    """`functions.NAME:0<|tool_call_argument_begin|>` and JSON."""
    return _header_and_object(_KIMI_NAME, answer, position, offered)


def _rest(answer: str, position: int, offered: Offered) -> tuple[list[ToolCall], int]:
    """All that is left of the answer, read as if it stood alone."""
    rest = answer[position:].strip()
    return whole(rest, offered) or among_words(rest, offered), len(answer)


FAMILIES = (
    Family("Llama 3", r"<\|python_tag\|>", _rest),
    Family("GLM 4.5", rf"<tool_call>(?=\s*+{_TOOL_NAME}\s*+(?:<arg_key>|</tool_call>))", _glm),
    Family("Hermes, Qwen; Granite 3", r"<(?:tool_call|\|tool_call\|)>", payload_at),
    Family("Granite 20B; LongCat", r"<(?:function_call|longcat_tool_call)>", payload_at),
    Family("LFM 2; Llama 4; OLMo 3", r"<(?:\|(?:tool_call|python)_start\||function_calls)>", payload_at),
    Family("Phi 4; Hunyuan, Jamba", r"functools(?=\[)|<(?:\|tool_calls\||tool_calls)>", payload_at),
    Family("InternLM; Command", r"<\|action_start\|>\s*+<\|plugin\|>|<\|START_ACTION\|>", payload_at),
    Family("Mistral before v11", r"\[TOOL_CALLS\](?=\s*+[\[{])", payload_at),
    Family("Mistral", rf"\[TOOL_CALLS\](?=\s*+{_TOOL_NAME}{_MISTRAL_STARTS})", _mistral),
    Family("Llama 3.1; Qwen3-Coder, Seed", rf"<function=(?={_TOOL_NAME}>\s*+{_FUNCTION_STARTS})", _function),
    Family("Anthropic's form; MiniMax; DeepSeek 3.2", rf"<{_INVOKE}invoke\s+name=\"", _invoke),
    Family("DeepSeek", rf"<{_BAR}tool▁call▁begin{_BAR}>", _deepseek),
    Family("Kimi K2", r"<\|tool_call_begin\|>", _kimi),
)  # fmt: skip
"""Every family's way, the narrower pattern before the wider one. Harmony has a module of its own."""

_OPENING = re.compile("|".join(f"({family.opening})" for family in FAMILIES))
_MAY_OPEN = ("<", "[TOOL_CALLS]", "functools[")


def tagged_calls(answer: str, offered: Offered) -> list[ToolCall]:
    """Read all calls behind tags, in their order; empty where there are none.

    Raises:
        Unreadable: A call is broken.
        UserError: A tool's schema is broken.
    """
    calls: list[ToolCall] = []
    if not any(mark in answer for mark in _MAY_OPEN):
        return calls
    position = 0
    while opening := _OPENING.search(answer, position):
        position = opening.end()
        if opening.lastindex is not None:
            found, position = FAMILIES[opening.lastindex - 1].read(answer, position, offered)
            calls += found
            check_number_of_calls(len(calls))
    return calls


def _header_and_object(
    header: re.Pattern[str], answer: str, position: int, offered: Offered
) -> tuple[list[ToolCall], int]:
    named = header.match(answer, position)
    if named is None:
        return [], position
    start = _behind_spaces(answer, named.end())
    if not answer.startswith("{", start):
        raise Unreadable("behind a tag for calls stands a name without an object of arguments")
    name = next(group for group in named.groups() if group is not None)
    call, position = _named(_KIMI_NUMBER.sub("", name), answer, start, offered)
    return [call], position


def _named(name: str, answer: str, start: int, offered: Offered) -> tuple[ToolCall, int]:
    value, end = value_at(answer, start)
    arguments: dict[str, Any] = arguments_in(value)
    return ToolCall(name=offered.name_of(name), arguments=arguments), end


def _behind_spaces(answer: str, position: int) -> int:
    while position < len(answer) and answer[position].isspace():
        position += 1
    return position
