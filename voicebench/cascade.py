"""A transcriber and a language model make an agent: what the user said is written down, then answered."""

import json
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from voicebench import prompts
from voicebench.errors import AgentFailure, UserError
from voicebench.protocols import LanguageModel, Transcriber
from voicebench.scoring.calls import Unreadable, read_calls
from voicebench.scoring.schema import normal_schema
from voicebench.types import (
    ErrorInfo,
    ErrorKind,
    Message,
    ModelRef,
    Part,
    Request,
    Response,
    Timeline,
    Tool,
    ToolCall,
    Transcript,
    Turn,
)

log = logging.getLogger(__name__)

MOST_CALLS = 8
"""Longest list of calls that decoding is held to."""

_MARKER: dict[str, Any] = {
    "type": "object", "properties": {"$ref": {"type": "string", "pattern": r"^[0-9]{1,2}(\.\w+)+$"}},
    "required": ["$ref"], "additionalProperties": False,
}  # fmt: skip


@dataclass(frozen=True)
class Heard:
    """A request in words.

    Attributes:
        turns: The conversation, written down.
        transcript: What the ASR heard, turn after turn; None where nothing had to be heard.
        seconds: How long the ASR took for all of the request's clips.
        audio_s: How long the clips are.
    """

    turns: tuple[Turn, ...]
    transcript: str | None = None
    seconds: float = 0.0
    audio_s: float = 0.0


class Cascade:
    """An ASR, then a chat model that is shown all tools.

    Where the model can be held to a schema, its answer is either a list of calls of the offered tools or one
    sentence (which is how it refuses); otherwise the prompt alone asks for that form.

    Attributes:
        model: The names and revisions of both.
    """

    def __init__(
        self,
        transcriber: Transcriber,
        llm: LanguageModel,
        *,
        name: str,
        native_tools: bool = False,
        max_tokens: int = 512,
    ) -> None:
        """Put the two together.

        Args:
            transcriber: Hears the user; not asked where a request comes in words.
            llm: Answers.
            name: The agent's name.
            native_tools: Hand the tools to the model in its own way instead of in the prompt.
            max_tokens: Upper bound of an answer.
        """
        self.model = ModelRef(name=name, revision=f"{transcriber.model.revision}+{llm.model.revision}")
        self._transcriber = transcriber
        self._llm = llm
        self._native_tools = native_tools
        self._max_tokens = max_tokens

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request; same length and order. A fault of the machine becomes `Response.error`."""
        return serve(requests, self._transcriber, self.model, self._answer)

    def _answer(self, request: Request, heard: Heard, started_s: float) -> dict[str, Any]:
        messages = prompts.chat(
            heard.turns, request.tools, reference_date=request.reference_date,
            prompting=request.prompting, native=self._native_tools,
        )  # fmt: skip
        tools: Sequence[Tool] = ()
        schema = None
        if self._native_tools:
            tools = [_in_standard_schema(tool) for tool in request.tools]
        elif self._llm.holds_schema:
            schema = answer_schema(request.tools)
        parts = self._llm.complete(
            messages, tools=tools, schema=schema, max_tokens=self._max_tokens, seed=request.seed
        )
        return collect(parts, request.tools, started_s)


def serve(
    requests: Sequence[Request],
    transcriber: Transcriber,
    model: ModelRef,
    answer: Callable[[Request, Heard, float], dict[str, Any]],
) -> list[Response]:
    """Answer requests one by one after their clips have been heard together.

    Args:
        requests: What is asked.
        transcriber: Hears the clips.
        model: Goes into the responses.
        answer: Given a request, what was heard and the time (`time.perf_counter()`) that counts as its start,
            returns the fields of its response. The start lies as far back as its clips took to hear, so that
            a response's timeline is that of a request served alone.
    """
    responses = []
    for request, heard in zip(requests, hear(transcriber, requests), strict=True):
        if isinstance(heard, ErrorInfo):
            responses.append(request.answer(error=heard, model=model))
            continue
        started_s = time.perf_counter() - heard.seconds
        try:
            fields = answer(request, heard, started_s)
        # One bad item must not take the batch down, whatever the model or its runtime raises.
        except Exception as error:
            fields = {"error": fault(error)}
        else:
            fields = _with_hearing(fields, heard)
        responses.append(request.answer(transcript=heard.transcript, model=model, **fields))
    return responses


def hear(transcriber: Transcriber, requests: Sequence[Request]) -> list[Heard | ErrorInfo]:
    """Write down what the user says in each request, all clips of a language together.

    If a batch fails, its requests are heard one by one, so that a bad clip costs its own request alone.
    """
    batches: dict[str, list[int]] = defaultdict(list)
    for place, request in enumerate(requests):
        batches[request.lang].append(place)
    heard: dict[int, Heard | ErrorInfo] = {}
    for lang, places in batches.items():
        batch = [requests[place] for place in places]
        try:
            results: list[Heard | ErrorInfo] = [*_hear_batch(transcriber, batch, lang)]
        except Exception:
            results = [_hear_alone(transcriber, request) for request in batch]
        heard |= dict(zip(places, results, strict=True))
    return [heard[place] for place in range(len(requests))]


def collect(parts: Iterable[Part], tools: Sequence[Tool], started_s: float) -> dict[str, Any]:
    """Return the fields of a response from a streamed answer.

    Args:
        parts: The answer as it arrives.
        tools: What was offered, to tell calls from other text.
        started_s: `time.perf_counter()` when the request began to be served.

    Raises:
        AgentFailure: The model's or its machine's fault.
    """
    answer = _Answer()
    for part in parts:
        answer.add(part)
    moments = answer.moments(tools) | {"done": time.perf_counter()}
    timeline = {name: at_s - started_s for name, at_s in moments.items() if at_s is not None}
    return {
        "text": _unquoted(answer.text) if answer.text or not answer.calls else None,
        "calls": tuple(answer.calls) or None,
        "timeline": Timeline(request_sent=0.0, **timeline),
        "usage": answer.usage,
    }


def fault(error: Exception) -> ErrorInfo:
    """Return what a response says about an exception: the harness's or the machine's fault, and which."""
    text = (str(error).strip().splitlines() or [""])[0][:500]
    log.debug("an agent's part raised", exc_info=error)
    if isinstance(error, AgentFailure):
        known: tuple[ErrorKind, ...] = get_args(ErrorKind)
        return ErrorInfo(kind=next((k for k in known if k == error.kind), "crash"), message=text)
    if isinstance(error, UserError):
        return ErrorInfo(kind="unsupported", message=text)
    named = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, MemoryError) or "out of memory" in text.lower():
        return ErrorInfo(kind="out_of_memory", message=named)
    return ErrorInfo(kind="timeout" if isinstance(error, TimeoutError) else "crash", message=named)


def answer_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """Return the JSON Schema of an answer: calls of the offered tools, or one sentence.

    A value may be a marker (`{"$ref": "0.amount"}`) wherever the tool's own schema wants another value.

    Raises:
        UserError: A tool's schema is broken.
    """
    definitions: dict[str, Any] = {}
    calls = []
    for place, tool in enumerate(tools):
        schema = normal_schema(tool.parameters)
        inner = {name: f"{place}.{name}" for name in schema.pop("$defs", {})}
        for name, full in inner.items():
            definitions[full] = _open_to_markers(normal_schema(tool.parameters)["$defs"][name], inner)
        calls.append({
            "type": "object",
            "properties": {"name": {"const": tool.name}, "arguments": _marked(schema, inner)},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        })  # fmt: skip
    sentence = {"type": "string", "minLength": 1, "maxLength": 300}
    if not calls:
        return sentence
    listed = {"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": MOST_CALLS}
    return {"anyOf": [listed, sentence]} | ({"$defs": definitions} if definitions else {})


@dataclass
class _Answer:
    """A streamed answer while it comes in."""

    contents: list[Part] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    usage: dict[str, Any] | None = None
    firsts: dict[str, float] = field(default_factory=dict)
    last_call_s: float | None = None

    def add(self, part: Part) -> None:
        if part.kind == "usage":
            self.usage = dict(part.usage)
            return
        if not part.text and part.kind != "call":
            return
        self.firsts.setdefault("first_token", part.at_s)
        match part.kind:
            case "reasoning":
                self.firsts.setdefault("first_reasoning", part.at_s)
            case "content":
                self.firsts.setdefault("first_content", part.at_s)
                self.contents.append(part)
            case "call":
                self.firsts.setdefault("first_call_token", part.at_s)
                if part.text:
                    self.calls.append(ToolCall.model_validate_json(part.text))
                    self.last_call_s = part.at_s

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.contents)

    def moments(self, tools: Sequence[Tool]) -> dict[str, float | None]:
        found: dict[str, float | None] = {**self.firsts, "calls_done": self.last_call_s}
        if not self.calls:
            began, ended = _written_calls(self.text, tools)
            found["first_call_token"] = self._arrival(began)
            found["calls_done"] = self._arrival(ended)
        return found

    def _arrival(self, place: int | None) -> float | None:
        """Return when the character at a place of the text arrived."""
        if place is None:
            return None
        end = 0
        for part in self.contents:
            end += len(part.text)
            if place < end:
                return part.at_s
        return None


def _written_calls(text: str, tools: Sequence[Tool]) -> tuple[int | None, int | None]:
    """Return where calls written in a text begin and end; None, None where there are none."""
    try:
        read_calls(text, tools)
    except (Unreadable, UserError):
        return None, None
    opened = [place for bracket in "[{(" if (place := text.find(bracket)) >= 0]
    return min(opened, default=0), max((text.rfind(bracket) for bracket in "]})"), default=len(text) - 1)


def _unquoted(text: str) -> str:
    """Return a sentence that a schema made the model write as a JSON string without its quotes."""
    if text.startswith('"') and text.endswith('"'):
        try:
            value = json.loads(text)
        except ValueError:
            return text
        return value if isinstance(value, str) else text
    return text


def _with_hearing(fields: dict[str, Any], heard: Heard) -> dict[str, Any]:
    if heard.transcript is None:
        return fields
    timeline: Timeline = fields.get("timeline") or Timeline(request_sent=0.0)
    return {
        **fields,
        "timeline": timeline.model_copy(update={"transcribed": heard.seconds}),
        "usage": {**(fields.get("usage") or {}), "audio_s": round(heard.audio_s, 3)},
    }


def _hear_batch(transcriber: Transcriber, requests: Sequence[Request], lang: str) -> list[Heard]:
    clips = [
        turn.audio for request in requests for turn in request.turns
        if turn.text is None and turn.audio is not None
    ]  # fmt: skip
    transcripts = iter(transcriber.transcribe(clips, lang=lang) if clips else [])
    return [_written(request, transcripts) for request in requests]


def _written(request: Request, transcripts: Iterable[Transcript]) -> Heard:
    coming = iter(transcripts)
    turns, heard = [], []
    for turn in request.turns:
        text = turn.text
        if text is None:
            if turn.audio is None:
                raise AgentFailure("audio", f"{request.task_id}: a turn has neither words nor sound")
            heard.append(next(coming))
            text = heard[-1].text
        turns.append(Turn(role=turn.role, text=text))
    audio_s = sum(turn.audio.duration_s for turn in request.turns if turn.text is None and turn.audio)
    if not heard:
        return Heard(tuple(turns))
    return Heard(
        tuple(turns), "\n".join(item.text for item in heard), sum(item.seconds for item in heard), audio_s
    )


def _hear_alone(transcriber: Transcriber, request: Request) -> Heard | ErrorInfo:
    try:
        return _hear_batch(transcriber, [request], request.lang)[0]
    except Exception as error:
        return fault(error)


def _in_standard_schema(tool: Tool) -> Tool:
    return tool.model_copy(update={"parameters": normal_schema(tool.parameters)})


def _marked(schema: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """Close an object and open its values to markers, all the way down; `renamed` maps names of `$defs`."""
    marked = dict(schema)
    if "$ref" in marked:
        name = str(marked["$ref"]).removeprefix("#/$defs/")
        return {"$ref": f"#/$defs/{renamed.get(name, name)}"}
    if "properties" in marked:
        marked["properties"] = {
            name: _open_to_markers(inner, renamed) for name, inner in marked["properties"].items()
        }
        marked.setdefault("additionalProperties", False)
    for key in ("items", "additionalProperties"):
        if isinstance(marked.get(key), Mapping):
            marked[key] = _open_to_markers(marked[key], renamed)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        if key in marked:
            marked[key] = [_marked(inner, renamed) for inner in marked[key]]
    return marked


def _open_to_markers(schema: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    return {"anyOf": [_marked(schema, renamed), _MARKER]}


__all__ = ["Cascade", "Heard", "Message", "answer_schema", "collect", "fault", "hear", "serve"]
