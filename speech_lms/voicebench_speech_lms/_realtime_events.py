"""OpenAI's Realtime protocol: the events that ask, and what the events of an answer mean as parts."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from voicebench.audio.io import resample
from voicebench.errors import AgentFailure, UserError
from voicebench.types import Audio, ErrorKind, Message, Part, Tool
from voicebench.wire.chat import ToolNames, call_text, error_kind
from voicebench.wire.refusals import Peer, complaint_of
from voicebench_speech_lms._heard import require_numbers

RATE_HZ = 24_000
"""The protocol's only rate of plain samples."""

_LEAST_S = 0.1
"""A shorter turn is refused, so silence follows it up to here."""

_MOST_TOKENS = 4096
_WORDS = {
    "response.output_text.delta",
    "response.text.delta",
    # Of a server that speaks though it was asked for words.
    "response.output_audio_transcript.delta",
    "response.audio_transcript.delta",
}
_DETECTION = {"type": "server_vad", "create_response": True, "interrupt_response": True}
_KINDS: dict[str, ErrorKind] = {"input_audio_buffer": "audio", "session_expired": "server"}
"""What is wrong, by a word of the error's code, where its type alone would say that the request is."""

_TEXT = {"user": "input_text", "system": "input_text", "assistant": "output_text"}


@dataclass(frozen=True)
class Question:
    """A request as the events that go out, each as JSON.

    Attributes:
        setup: Instruction, tools and the form of the answer.
        earlier: The conversation up to the last user turn.
        chunks: The last user turn's sound in the order of its being spoken; empty where it is words.
        chunk_s: How much sound a chunk is, in seconds; the last one may be shorter.
        audio_s: How much sound all chunks are, in seconds.
        last: What ends the turn and asks for the answer; nothing where the server is to find the end itself.
        silence: A chunk of it, for a server that is to find the end; None for any other.
    """

    setup: str
    earlier: tuple[str, ...]
    chunks: tuple[str, ...]
    chunk_s: float
    audio_s: float
    last: tuple[str, ...]
    silence: str | None = None


def question(
    messages: Sequence[Message],
    tools: Sequence[Tool],
    names: ToolNames,
    *,
    max_tokens: int,
    chunk_s: float,
    detects_turns: bool = False,
) -> Question:
    """Return a chat as the events that ask it.

    The instruction and the tools are the session's, and the answer is in words. Earlier user turns go out as
    they were heard, the assistant's as given.

    Args:
        messages: The chat so far.
        tools: Offered natively.
        names: How the tools' names are sent.
        max_tokens: Upper bound of what is generated; the protocol takes 4096 at most.
        chunk_s: How much sound goes out in one event, in seconds.
        detects_turns: Whether the server is to find out when the user has stopped; else it is told.

    Raises:
        AgentFailure: A clip holds no numbers ("audio"), or a message is a tool's result, which the protocol
            ties to a call ("unsupported").
    """
    told = [message.content for message in messages if message.role == "system"]
    turns = [message for message in messages if message.role != "system"]
    session: dict[str, Any] = {
        "type": "realtime",
        "output_modalities": ["text"],
        "instructions": "\n\n".join(told),
        "audio": {
            "input": {
                "format": {"type": "audio/pcm", "rate": RATE_HZ},
                "turn_detection": _DETECTION if detects_turns else None,
            }
        },
        "max_output_tokens": min(max_tokens, _MOST_TOKENS),
    }
    if tools:
        session["tools"] = [{"type": "function", **_tool(tool, names)} for tool in tools]
        session["tool_choice"] = "auto"
    clip = turns[-1].audio if turns else None
    if clip is not None:
        # Words beside the sound come before it, as a message of their own.
        turns = turns[:-1] + [Message(m.role, m.content) for m in turns[-1:] if m.content]
    size = round(chunk_s * RATE_HZ) * 2
    pieces = [] if clip is None else _pieces(_pcm(clip), size)
    is_found = detects_turns and clip is not None
    last = [] if is_found else [_event("response.create")]
    if clip is not None and not is_found:
        last.insert(0, _event("input_audio_buffer.commit"))
    return Question(
        setup=_event("session.update", session=session),
        earlier=tuple(_event("conversation.item.create", item=_item(turn)) for turn in turns),
        chunks=tuple(map(_sound, pieces)),
        chunk_s=chunk_s,
        audio_s=0.0 if clip is None else clip.duration_s,
        last=tuple(last),
        silence=_sound(bytes(size)) if is_found else None,
    )


class AnswerReader:
    """Reads the events of an answer as parts; those that it does not know say nothing.

    Attributes:
        is_done: Whether the answer has ended.
        was_cut_off: Whether it ended because the user went on speaking.
    """

    def __init__(self, peer: Peer, names: ToolNames, *, may_be_cut_off: bool = False) -> None:
        """Begin an answer.

        Args:
            peer: Who answers, for messages.
            names: How the tools' names were sent.
            may_be_cut_off: Whether an answer that ends because the user went on speaking is no failure.
        """
        self.is_done = False
        self.was_cut_off = False
        self._may_be_cut_off = may_be_cut_off
        self._usage: Part | None = None
        self._peer = peer
        self._names = names
        self._has_words = False
        self._calls: dict[str, _Call] = {}

    def feed(self, at_s: float, event: Mapping[str, Any]) -> list[Part]:
        """Return the parts of an event.

        Args:
            at_s: `time.perf_counter()` when it arrived.
            event: The event, as parsed.

        Raises:
            UserError: The server refuses the key.
            AgentFailure: It tells of an error, or is not as the protocol has it.
        """
        try:
            return self._parts(at_s, event)
        except (AttributeError, TypeError, KeyError):
            said = self._peer.quoted(json.dumps(event, ensure_ascii=False))
            raise AgentFailure("server", f"{self._peer}: not an event of the protocol: {said}") from None

    def finish(self) -> list[Part]:
        """Return the answer's tokens, where they are told."""
        return [self._usage] if self._usage else []

    def _parts(self, at_s: float, event: Mapping[str, Any]) -> list[Part]:
        kind = event.get("type")
        if kind == "error":
            raise failure(self._peer, event["error"])
        if kind in _WORDS and event["delta"]:
            self._has_words = True
            return [Part("content", event["delta"], at_s)]
        if kind in ("response.output_item.added", "response.output_item.done"):
            return self._item(at_s, event["item"], is_whole=kind.endswith("done"))
        if kind == "response.function_call_arguments.delta":
            return self._call(at_s, event["item_id"], event, is_whole=False)
        if kind == "response.function_call_arguments.done":
            return self._call(at_s, event["item_id"], event, is_whole=True)
        return self._ended(at_s, event["response"]) if kind == "response.done" else []

    def _item(self, at_s: float, item: Mapping[str, Any], *, is_whole: bool) -> list[Part]:
        is_call = item.get("type") == "function_call"
        return self._call(at_s, item["id"], item, is_whole=is_whole) if is_call else []

    def _call(self, at_s: float, own: str, told: Mapping[str, Any], *, is_whole: bool) -> list[Part]:
        """Take what is told of a call; return an empty part as it begins, and the call when it is whole."""
        begun = [] if own in self._calls else [Part("call", "", at_s)]
        call = self._calls.setdefault(own, _Call())
        call.add(at_s, told)
        return begun + (self._whole(call) if is_whole and call.name else [])

    def _whole(self, call: "_Call") -> list[Part]:
        if call.is_told:
            return []
        call.is_told = True
        return [Part("call", call_text(self._names.meant(call.name), call.arguments), call.last_s)]

    def _ended(self, at_s: float, response: Mapping[str, Any]) -> list[Part]:
        self.is_done = True
        status = response.get("status")
        details = response.get("status_details") or {}
        if usage := _usage(response.get("usage")):
            self._usage = Part("usage", "", at_s, usage)
        if status == "failed":
            raise failure(self._peer, details.get("error") or details)
        # Some servers call this an incomplete answer, not a cancelled one.
        if self._may_be_cut_off and details.get("reason") == "turn_detected":
            self.was_cut_off = True
            return []
        if status == "cancelled":
            reason = self._peer.quoted(str(details.get("reason") or "no reason is told"))
            raise AgentFailure("cancelled", f"{self._peer} cancelled its answer ({reason})")
        output: Sequence[Mapping[str, Any]] = response.get("output") or ()
        parts: list[Part] = []
        if output and not self._has_words and not self._calls:
            # Also without words: it says that no piece of this answer came before the others.
            parts.append(Part("answer", "".join(map(_text, output)), at_s))
        for item in output:
            parts += [part for part in self._item(at_s, item, is_whole=True) if part.text]
        # One whose arguments were cut off at the bound of tokens.
        for call in self._calls.values():
            parts += self._whole(call)
        return parts


@dataclass
class _Call:
    """A native call while it comes in."""

    name: str = ""
    arguments: str = ""
    last_s: float = 0.0
    is_told: bool = False

    def add(self, at_s: float, told: Mapping[str, Any]) -> None:
        self.name = told.get("name") or self.name
        if piece := told.get("delta"):
            self.arguments += piece
            self.last_s = at_s
        elif not self.arguments:
            self.arguments = told.get("arguments") or ""
            self.last_s = at_s


def failure(peer: Peer, error: object) -> Exception:
    """Return what an error that the server tells of means.

    Args:
        peer: The server.
        error: Its "error" object.
    """
    told = error if isinstance(error, Mapping) else {}
    said = peer.quoted(complaint_of({"error": error}, json.dumps(error, ensure_ascii=False)).text)
    code = f"{told.get('type') or ''} {told.get('code') or ''}"
    if "api_key" in code or "authentication" in code:
        what = f"Check the key in {peer.key.variable}" if peer.key else "Name its variable: &key=VARIABLE"
        return UserError(f"{peer} refuses the key ({said}). {what}")
    kind = next((kind for word, kind in _KINDS.items() if word in code), error_kind(code))
    return AgentFailure(kind, f"{peer}: {said}")


def _event(kind: str, **fields: Any) -> str:
    text = json.dumps({"type": kind, **fields}, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8")


def _tool(tool: Tool, names: ToolNames) -> dict[str, Any]:
    return {**tool.model_dump(), "name": names.sent(tool.name)}


def _item(message: Message) -> dict[str, Any]:
    if message.role not in _TEXT:
        raise AgentFailure("unsupported", "the Realtime protocol takes a tool's result beside its call alone")
    content: list[dict[str, Any]] = []
    if message.content or message.audio is None:
        content.append({"type": _TEXT[message.role], "text": message.content})
    if message.audio is not None:
        content.append({"type": "input_audio", "audio": _base64(_pcm(message.audio))})
    return {"type": "message", "role": message.role, "content": content}


def _sound(pcm: bytes) -> str:
    return _event("input_audio_buffer.append", audio=_base64(pcm))


def _pcm(clip: Audio) -> bytes:
    """Return a clip as 16-bit samples at 24 kHz, little-endian."""
    require_numbers(clip)
    samples = resample(clip, RATE_HZ).samples
    padded = np.pad(samples, (0, max(0, round(_LEAST_S * RATE_HZ) - len(samples))))
    return np.round(np.clip(padded, -1.0, 1.0) * 32767).astype("<i2").tobytes()


def _pieces(pcm: bytes, size: int) -> list[bytes]:
    return [pcm[start : start + size] for start in range(0, len(pcm), size)]


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _text(item: Mapping[str, Any]) -> str:
    parts: Sequence[Mapping[str, Any]] = item.get("content") or ()
    return "".join(part.get("text") or part.get("transcript") or "" for part in parts)


def _usage(counts: Any) -> dict[str, Any]:
    """Return the token counts that the server tells; what it does not tell is absent."""
    if not isinstance(counts, Mapping):
        return {}
    asked = counts.get("input_token_details") or {}
    answered = counts.get("output_token_details") or {}
    told = {
        "input_tokens": counts.get("input_tokens"),
        "output_tokens": counts.get("output_tokens"),
        "reasoning_tokens": answered.get("reasoning_tokens"),
        "cached_tokens": asked.get("cached_tokens"),
        "audio_input_tokens": asked.get("audio_tokens"),
        "audio_output_tokens": answered.get("audio_tokens"),
    }
    return {name: count for name, count in told.items() if count is not None}
