"""Read the calls in an agent's answer. Nothing is ever executed; what is not plainly a call is an error.

The grammar, all of it:

    answer     = channels | [reasoning] (tagged | fenced | written), with prose anywhere around
    channels   = the harmony format; `harmony` has its grammar. Calls that have no channel of their own are
                 read from the words, as below
    reasoning  = <think> … </think> at the start of a line (also thinking, reasoning, thought, [THINK] and
                 <|START_THINKING|>); it is left out, and so is all before a lone </think> at the end or the
                 start of a line
    tagged     = a model family's own tag and what it holds, one or many; `families.FAMILIES` is the list:
                 <tool_call> payload, [TOOL_CALLS] payload and their kin
                 <|python_tag|> written
                 [TOOL_CALLS] NAME [[CALL_ID] id] [[ARGS]] object
                 <function=NAME> object [</function>]
                 <function=NAME> (<parameter=NAME> text </parameter>)* </function>
                 <invoke name="NAME"> (<parameter name="NAME"> text </parameter>)* </invoke>
                 <tool_call> NAME (<arg_key> NAME </arg_key> <arg_value> text </arg_value>)* </tool_call>
                 <｜tool▁call▁begin｜> NAME <｜tool▁sep｜> object, and its older form
                 <|tool_call_begin|> NAME:number <|tool_call_argument_begin|> object
    payload    = object+ | array | list | call+
    text       = anything; `tag_arguments` says where it ends, and how a schema gives it its type
    fenced     = ``` at the start of a line, a language or none, written, ```
    written    = list | json+ | call+
    list       = [call, call, …]
    call       = NAME(value, …, parameter=value, …)
    value      = a Python literal of strings, numbers, lists, tuples and dicts with string keys, with
                 True, False, None or true, false, null; a marker is the dict {"$ref": "0.path"}
    json       = {"name", "arguments"}, where "name" may be "tool_name" or "function", and "arguments"
                 "parameters"; also "args" or "input", if the tool is offered or a "type" says "tool_use",
                 "tool_call" or "function_call"
               | {"type": "function", "function": {"name", "arguments"}}, also "functionCall", "function_call"
               | {"tool_calls": [json, …]}
               | an array of these
                 without any of these, a call of an offered tool has nothing else in it than an id or a type
                 "arguments" is an object, its JSON text (stray quotes or closing brackets behind it are
                 ignored, anything else is not), null or ""
    object     = a JSON object; what is no JSON but a Python dict of literals is read as that
    NAME       = a tool's name; `offered` says which rewritten names mean one as well

Which reading holds:

- An answer that is `written` from its first to its last character is read as that. Otherwise the strongest
  form that is there holds and the rest is prose: first tagged, then fenced, then list and json, then call.
- A call outside a list counts where its tool is offered, or where it stands on a line of its own.
- Positional values take the parameters' names in the order of the tool's schema; for a tool that is not
  offered they are an error.
- All or nothing: one element of a list that is no plain call makes the whole answer unreadable.
- Two lists, two fences with calls, or JSON objects with words between them are ambiguous, so unreadable.
- Unreadable, too: NaN and infinities, a key or a parameter that stands twice, more than `MAX_CHARACTERS`
  characters or `plain.MAX_CALLS` calls, nesting beyond `plain.MAX_DEPTH`.
"""

import re
from collections.abc import Sequence

from voicebench.scoring.families import tagged_calls
from voicebench.scoring.harmony import calls_of_harmony, is_harmony, taken_apart
from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import MAX_CALLS, Unreadable, check_number_of_calls, plain, writable
from voicebench.scoring.written import among_words, whole
from voicebench.types import Tool, ToolCall

__all__ = [
    "MAX_CALLS",
    "MAX_CHARACTERS",
    "Unreadable",
    "check_native_calls",
    "read_calls",
    "without_reasoning",
]

MAX_CHARACTERS = 200_000
"""Longer answers are not read."""

_FENCE = re.compile(
    r"(?ms)^[ \t]*```(?:[\w.+-]*[ \t]*\n|(?:json|python|py|tool_call|tool_code)[ \t]+|)"
    r"(?P<inside>.*?)(?:\n[ \t]*```|```[ \t]*$|\Z)"
)


def read_calls(text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
    """Return the calls that an answer makes, at least one, in its order.

    Args:
        text: The answer; this module's docstring gives the grammar.
        tools: What was offered: their order of parameters names positional values.

    Raises:
        Unreadable: There is no call, a broken one, or more than one reading.
        UserError: A tool's schema is broken.
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"the answer has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read")
    offered = Offered(tools)
    answer = writable(text)
    calls: list[ToolCall] = []
    if is_harmony(answer) and not (calls := whole(answer.strip(), offered)):
        harmony = taken_apart(answer)
        calls, answer = calls_of_harmony(harmony, offered), harmony.words
    if not calls:
        answer = without_reasoning(answer)
        calls = whole(answer, offered) or tagged_calls(answer, offered) or _in_prose(answer, offered)
    if not calls:
        raise Unreadable("no call found", no_call=True)
    check_number_of_calls(len(calls))
    return tuple(calls)


def check_native_calls(calls: Sequence[ToolCall], tools: Sequence[Tool] = ()) -> tuple[ToolCall, ...]:
    """Return native calls with their values made plain, and with the names of the tools that they mean.

    Args:
        calls: The calls as the agent's API gave them.
        tools: What was offered.

    Raises:
        Unreadable: There are more than `MAX_CALLS`, or a value is nested too deeply or is no finite number.
    """
    check_number_of_calls(len(calls))
    offered = Offered(tools)
    return tuple(
        ToolCall(name=offered.name_of(writable(call.name)), arguments=plain(call.arguments)) for call in calls
    )


def _in_prose(answer: str, offered: Offered) -> list[ToolCall]:
    """Read calls that stand in a fence, or else anywhere among words."""
    fences = [block["inside"].strip() for block in _FENCE.finditer(answer)] if "```" in answer else []
    found = [calls for inside in fences if (calls := whole(inside, offered) or among_words(inside, offered))]
    if len(found) > 1:
        raise Unreadable(f"{len(found)} fenced blocks hold calls, and which is the answer is ambiguous")
    return found[0] if found else among_words(answer, offered)


# ---- Reasoning, and the marks that chat templates leave at the end ----

_REASONING_NAME = "think|thinking|reasoning|thought"
_REASONING = re.compile(
    rf"(?ms)^[ \t]*(?:<(?P<tag>{_REASONING_NAME})>.*?(?:</(?P=tag)>|(?P<open_1>\Z))"
    r"|\[THINK\].*?(?:\[/THINK\]|(?P<open_2>\Z))"
    r"|<\|START_THINKING\|>.*?(?:<\|END_THINKING\|>|(?P<open_3>\Z)))"
)
_REASONING_END = re.compile(
    rf"(?m)(?:</(?:{_REASONING_NAME})>|\[/THINK\]|<\|END_THINKING\|>)[ \t]*$"
    rf"|^[ \t]*(?:</(?:{_REASONING_NAME})>|\[/THINK\]|<\|END_THINKING\|>)"
)
_END_MARK = re.compile(
    r"(?:<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|end|return|call|END_OF_TURN_TOKEN)\|>"
    r"|</s>|<end_of_turn>|<｜end▁of▁sentence｜>)\Z"
)
_LONGEST_END_MARK = 24


def without_reasoning(text: str) -> str:
    """Return what an agent says once it has reasoned, without the marks that end a turn.

    Raises:
        Unreadable: The reasoning never ends.
    """
    text = text.removeprefix("\ufeff").strip()
    if is_harmony(text):
        text = taken_apart(text).words
    if "<" not in text and "THINK]" not in text:
        return text
    for block in _REASONING.finditer(text):
        if (block.lastgroup or "").startswith("open"):
            raise Unreadable("the reasoning never ends")
    text = _REASONING.sub("", text)
    ends = [match.end() for match in _REASONING_END.finditer(text)]
    text = text[ends[-1] :].strip() if ends else text.strip()
    while end_mark := _END_MARK.search(text, max(0, len(text) - _LONGEST_END_MARK)):
        text = text[: end_mark.start()].rstrip()
    return text
