"""Read answers in the harmony format of gpt-oss, where reasoning, words and calls have channels of their own.

    answer    = message+
    message   = [<|start|> role] [to] [<|channel|> channel [to] [type]] <|message|> content [stop]
    to        = to=functions.NAME
    type      = [<|constrain|>] json
    stop      = <|end|> | <|call|> | <|return|>

A message of the assistant's that is addressed to somebody is a call, in whatever channel, and its content the
call's arguments. Without an address, the channel `analysis` is reasoning and every other one is words. What
other roles say, which the agent has then made up, is left out.
"""

import re
from dataclasses import dataclass

from voicebench.scoring.json_calls import arguments_in, value_at
from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import Unreadable, check_number_of_calls
from voicebench.types import ToolCall

_START, _CHANNEL, _MESSAGE = "<|start|>", "<|channel|>", "<|message|>"
_STOP = re.compile(r"<\|(?:end|call|return)\|>|(?=<\|start\|>|<\|channel\|>)|\Z")
_RECIPIENT = re.compile(r"\bto=([^\s<]{1,200})")
_WORD = re.compile(r"\s*+([^\s<]*)")


@dataclass(frozen=True)
class Harmony:
    """An answer taken apart.

    Attributes:
        calls: Each call's addressee and the text of its arguments.
        words: What is said to the user, without reasoning.
    """

    calls: tuple[tuple[str, str], ...]
    words: str


def is_harmony(answer: str) -> bool:
    """Tell whether an answer is written in channels."""
    return _MESSAGE in answer and (_CHANNEL in answer or _START in answer)


def taken_apart(answer: str) -> Harmony:
    """Return the calls of an answer as they are written, and its words.

    Raises:
        Unreadable: It makes too many calls.
    """
    calls: list[tuple[str, str]] = []
    words: list[str] = []
    position = 0
    while (mark := answer.find(_MESSAGE, position)) >= 0:
        start = mark + len(_MESSAGE)
        role, channel, recipient = _header(answer[position:mark])
        stop = _STOP.search(answer, start if recipient is None else _behind_value(answer, start))
        end, position = (stop.start(), stop.end()) if stop else (len(answer), len(answer))
        content = answer[start:end].strip()
        if role != "assistant":
            continue
        if recipient is not None:
            calls.append((recipient, content))
            check_number_of_calls(len(calls))
        elif channel != "analysis" and content:
            words.append(content)
    return Harmony(tuple(calls), "\n".join(words))


def calls_of_harmony(harmony: Harmony, offered: Offered) -> list[ToolCall]:
    """Return the calls of an answer that was taken apart.

    Raises:
        Unreadable: A call's arguments are no object, or go on behind it.
    """
    calls = []
    for name, content in harmony.calls:
        value, end = value_at(content, 0)
        if content[end:].strip():
            raise Unreadable(f"the call of {name[:80]} goes on behind its arguments")
        calls.append(ToolCall(name=offered.name_of(name), arguments=arguments_in(value)))
    return calls


def _header(text: str) -> tuple[str, str, str | None]:
    """Return a message's role, its channel ("" where there is none) and whom it is addressed to, or None."""
    _, started, header = text.rpartition(_START)
    before, _, behind = header.partition(_CHANNEL)
    recipient = _RECIPIENT.search(header)
    # The first start stands in the prompt, which is why the first message may lack its role.
    role = _first_word(before) if started else "assistant"
    return role, _first_word(behind), recipient[1] if recipient else None


def _first_word(text: str) -> str:
    word = _WORD.match(text)
    return word[1] if word else ""


def _behind_value(answer: str, start: int) -> int:
    """Return the index behind the JSON at `start`, whose strings may hold what looks like a stop."""
    while start < len(answer) and answer[start].isspace():
        start += 1
    try:
        return value_at(answer, start)[1]
    except Unreadable:
        return start
