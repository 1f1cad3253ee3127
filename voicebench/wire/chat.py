"""Chat completions as every server speaks them: what is asked, and what the pieces of an answer mean."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from voicebench.errors import AgentFailure
from voicebench.types import Audio, Message, Part, Tool
from voicebench.wire.refusals import complaint_of

SoundForm = Literal["input_audio", "audio_url"]
"""How a clip is sent: bare base64 with its format (OpenAI), or a data URL (vLLM)."""

_SEEDS = 2**31
"""Seeds are taken by every server up to here."""

_LONGEST_NAME = 64
_SHORTEST_WAIT_S = 0.01


class ToolNames:
    """Tools' names as servers take them (letters, digits, "_" and "-", 64 at most), and back."""

    def __init__(self, tools: Sequence[Tool] = ()) -> None:
        """Give each tool a name that servers take; different tools get different ones.

        Args:
            tools: In the order in which they are offered.
        """
        self._wire: dict[str, str] = {}
        self._own: dict[str, str] = {}
        for tool in tools:
            name = _plain(tool.name)
            if name in self._own:
                name = f"{name[: _LONGEST_NAME - 9]}_{hashlib.sha256(tool.name.encode()).hexdigest()[:8]}"
            self._wire[tool.name] = name
            self._own[name] = tool.name

    def sent(self, name: str) -> str:
        """Return a tool's name as it is sent."""
        return self._wire.get(name, name)

    def meant(self, name: str) -> str:
        """Return the tool that a name in an answer means; a name that was not sent stays as it is."""
        return self._own.get(name, name)


def chat_body(
    model: str | None,
    messages: Sequence[Message],
    *,
    tools: Sequence[Tool] = (),
    names: ToolNames | None = None,
    schema: Mapping[str, Any] | None = None,
    max_tokens: int = 512,
    temperature: float = 0.0,
    seed: int = 0,
    audio: SoundForm = "input_audio",
    wav: Callable[[Audio], bytes] | None = None,
) -> dict[str, Any]:
    """Return the body of a request for a streamed chat completion.

    Args:
        model: The model's name on the server; None where there is but one.
        messages: The chat so far.
        tools: Offered natively.
        names: How the tools' names are sent; None sends them as they are.
        schema: JSON Schema that the content must satisfy.
        max_tokens: Upper bound of what is generated.
        temperature: 0 is greedy.
        seed: For sampling.
        audio: How clips are sent.
        wav: Returns a clip as a WAV file; needed where a message has sound.

    Raises:
        AgentFailure: A message has sound, and no `wav` is given ("unsupported").
    """
    body: dict[str, Any] = {
        "messages": [{"role": m.role, "content": _content(m, audio, wav)} for m in messages],
        "max_tokens": max_tokens,
        "temperature": temperature,
        "seed": seed % _SEEDS,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if model is not None:
        body["model"] = model
    if tools:
        names = names or ToolNames()
        functions = [{**tool.model_dump(), "name": names.sent(tool.name)} for tool in tools]
        body["tools"] = [{"type": "function", "function": function} for function in functions]
        body["parallel_tool_calls"] = True
    if schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": dict(schema)},
        }
    return body


class ChatReader:
    """Reads a chat completion's chunks as parts.

    A chunk that only tells the role, has no text or tells the usage is no token and marks no moment. A native
    call is announced by an empty part when it begins, and whole at the end, with the time of its last piece.
    A whole answer in one chunk (from a server that does not stream) is of kind "answer".

    Attributes:
        finish_reason: Why the answer ended, as the server says it; None until then.
    """

    def __init__(
        self, name: str, *, names: ToolNames | None = None, quoted: Callable[[str], str] = str
    ) -> None:
        """Begin an answer.

        Args:
            name: Who answers, for messages.
            names: How the tools' names were sent.
            quoted: Makes a server's words safe to show.
        """
        self.finish_reason: str | None = None
        self._name = name
        self._names = names or ToolNames()
        self._quoted = quoted
        self._calls: list[_Call] = []
        self._usage: Part | None = None
        self._has_deltas = False
        self._is_at_once = False
        self._last_s = 0.0

    def feed(self, at_s: float, chunk: Mapping[str, Any]) -> list[Part]:
        """Return the parts of a chunk.

        Args:
            at_s: `time.perf_counter()` when it arrived.
            chunk: The chunk, as parsed.

        Raises:
            AgentFailure: It tells of an error, or is no chunk of a chat completion.
        """
        if error := chunk.get("error") or (chunk.get("object") == "error" and chunk):
            raise self._failure(error)
        self._last_s = at_s
        try:
            return self._parts(at_s, chunk)
        except (AttributeError, TypeError, KeyError):
            said = self._quoted(json.dumps(chunk, ensure_ascii=False, default=str))
            raise AgentFailure("server", f"{self._name}: not a piece of a chat completion: {said}") from None

    @property
    def is_complete(self) -> bool:
        """Whether the server said that the answer has ended, or gave it at once."""
        return self.finish_reason is not None or self._is_at_once

    def finish(self, *, waited_s: float = 0.0) -> list[Part]:
        """Return the parts that are only whole at the end: the calls, then the usage.

        Args:
            waited_s: How long the request waited because the server could not take it, in seconds; told in
                the usage, so that it is not taken for the model's own time.
        """
        parts = [Part("call", call.text(self._names), call.last_s) for call in self._calls]
        usage = dict(self._usage.usage) if self._usage else {}
        if waited_s >= _SHORTEST_WAIT_S:
            usage["waited_s"] = round(waited_s, 3)
        if usage:
            parts.append(Part("usage", "", self._usage.at_s if self._usage else self._last_s, usage))
        return parts

    def _parts(self, at_s: float, chunk: Mapping[str, Any]) -> list[Part]:
        if usage := _usage(chunk.get("usage")):
            self._usage = Part("usage", "", at_s, usage)
        parts: list[Part] = []
        for choice in chunk.get("choices") or ():
            if choice.get("index", 0) != 0:
                continue
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
            if delta := choice.get("delta"):
                self._has_deltas = True
                parts += self._streamed(at_s, delta)
            elif (message := choice.get("message")) and not self._has_deltas:
                self._is_at_once = True
                parts += self._at_once(at_s, message)
        return parts

    def _streamed(self, at_s: float, delta: Mapping[str, Any]) -> list[Part]:
        reasoning, content = _texts(delta)
        parts = [Part("reasoning", reasoning, at_s)] if reasoning else []
        parts += [Part("content", content, at_s)] if content else []
        return parts + self._calls_of(at_s, delta)

    def _at_once(self, at_s: float, message: Mapping[str, Any]) -> list[Part]:
        _, content = _texts(message)
        self._calls_of(at_s, message)
        # Also without words: it says that no piece of this answer came before the others.
        return [Part("answer", content, at_s)]

    def _calls_of(self, at_s: float, message: Mapping[str, Any]) -> list[Part]:
        """Take the pieces of native calls; return an empty part for each that begins."""
        pieces = [(piece, piece.get("function") or piece) for piece in message.get("tool_calls") or ()]
        if legacy := message.get("function_call"):
            pieces.append(({"index": "function_call"}, legacy))
        begun = []
        for piece, function in pieces:
            call = self._call_of(piece, function)
            if call is None:
                call = _Call(piece.get("index"), piece.get("id"))
                self._calls.append(call)
                begun.append(Part("call", "", at_s))
            call.add(at_s, function)
        return begun

    def _call_of(self, piece: Mapping[str, Any], function: Mapping[str, Any]) -> "_Call | None":
        """Return the call that a piece goes on with; None where it begins one.

        Some servers give every call the index 0, or none, and tell them apart by their ids alone.
        """
        own = [call for call in self._calls if call.index == piece.get("index")]
        if not own:
            return None
        is_other = piece.get("id") and own[-1].id and piece["id"] != own[-1].id
        return None if is_other and function.get("name") else own[-1]

    def _failure(self, error: object) -> AgentFailure:
        complaint = complaint_of({"error": error}, json.dumps(error, ensure_ascii=False, default=str))
        kind = error_kind(complaint.code)
        return AgentFailure(kind, f"{self._name}: {self._quoted(complaint.text)}")


@dataclass
class _Call:
    """A native call while it comes in."""

    index: object
    id: str | None
    name: str = ""
    arguments: Any = ""
    last_s: float = 0.0

    def add(self, at_s: float, function: Mapping[str, Any]) -> None:
        name = function.get("name") or ""
        # Some servers tell the whole name with every piece.
        if name != self.name:
            self.name += name
        arguments = function.get("arguments")
        if isinstance(arguments, str) and isinstance(self.arguments, str):
            self.arguments += arguments
        elif arguments is not None:
            self.arguments = arguments
        self.last_s = at_s

    def text(self, names: ToolNames) -> str:
        return call_text(names.meant(self.name), self.arguments)


def call_text(name: str, arguments: Any) -> str:
    """Return a call as the text of a "call" part.

    Args:
        name: Of the tool.
        arguments: As the server gave them: an object, or its JSON; what is no JSON stays a text.
    """
    return json.dumps({"name": name, "arguments": _arguments(arguments)}, ensure_ascii=False)


def input_audio(wav: bytes) -> dict[str, Any]:
    """Return a WAV file as OpenAI takes it: bare base64, and its format."""
    return {"type": "input_audio", "input_audio": {"data": base64.b64encode(wav).decode(), "format": "wav"}}


def audio_url(wav: bytes) -> dict[str, Any]:
    """Return a WAV file as vLLM takes it: a data URL."""
    url = f"data:audio/wav;base64,{base64.b64encode(wav).decode()}"
    return {"type": "audio_url", "audio_url": {"url": url}}


def _content(
    message: Message, form: SoundForm, wav: Callable[[Audio], bytes] | None
) -> str | list[dict[str, Any]]:
    text = message.content.encode("utf-8", "replace").decode("utf-8")
    if message.audio is None:
        return text
    if wav is None:
        raise AgentFailure("unsupported", "this model reads, and a message has sound alone")
    sound = (input_audio if form == "input_audio" else audio_url)(wav(message.audio))
    return [{"type": "text", "text": text}, sound] if text else [sound]


def _plain(name: str) -> str:
    plain = re.sub("[^A-Za-z0-9_-]", "_", name)[:_LONGEST_NAME]
    # Gemini's endpoint wants a letter or "_" first.
    return plain if re.match("[A-Za-z_]", plain) else f"_{plain}"[:_LONGEST_NAME]


def _texts(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return what a message or a piece of one thinks, and what it says."""
    reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
    content = message.get("content") or message.get("refusal") or ""
    if isinstance(content, str):
        return (reasoning if isinstance(reasoning, str) else ""), content
    # Mistral's thinking models send a list of blocks.
    thought = "".join(_block(block) for block in content if block.get("type") == "thinking")
    return thought, "".join(_block(block) for block in content if block.get("type") == "text")


def _block(block: Mapping[str, Any]) -> str:
    inner = block.get(block["type"]) or ""
    return inner if isinstance(inner, str) else "".join(_block(part) for part in inner)


def _arguments(arguments: Any) -> Any:
    """Return a call's arguments, also where a server encoded them twice; what is no JSON stays a text."""
    for _ in range(2):
        if not isinstance(arguments, str):
            break
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except ValueError:
            break
    return {} if arguments is None else arguments


def _usage(counts: Any) -> dict[str, Any]:
    """Return the token counts that a server tells; what it does not tell is absent."""
    if not isinstance(counts, Mapping):
        return {}
    asked = counts.get("prompt_tokens_details") or {}
    answered = counts.get("completion_tokens_details") or {}
    told = {
        "input_tokens": counts.get("prompt_tokens"),
        "output_tokens": counts.get("completion_tokens"),
        "reasoning_tokens": answered.get("reasoning_tokens"),
        "cached_tokens": asked.get("cached_tokens"),
        "audio_input_tokens": asked.get("audio_tokens"),
        "audio_output_tokens": answered.get("audio_tokens"),
    }
    return {name: count for name, count in told.items() if count is not None}


def error_kind(code: str) -> str:
    """Return the kind of failure that an error's code or type means."""
    if code == "429" or "rate_limit" in code:
        return "rate_limit"
    if code in ("408", "504") or "timeout" in code:
        return "timeout"
    is_ours = re.fullmatch("4[0-9][0-9]", code) or "invalid_request" in code or "context_length" in code
    return "unsupported" if is_ours else "server"
