"""Controls that ship with the benchmark: what each must score is known, so they test everything around them.

`oracle` must score 1 and `random` near 0; the fakes let a whole run finish in seconds.
"""

import hashlib
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voicebench.types import (
    Audio,
    Expect,
    GoldCall,
    Message,
    ModelRef,
    Part,
    Request,
    Response,
    Timeline,
    Tool,
    ToolCall,
    Transcript,
)

REFUSAL = "I am sorry, I cannot help with that."
_WORDS = ("Majestic", "two", "dosa", "घर", "கோவை", "tomorrow", "", "स्टेशन", "card", "0000")


def clip_sha256(clip: Audio) -> str:
    """Return the SHA-256 of a clip's samples, as `FakeTranscriber` looks it up."""
    return hashlib.sha256(clip.samples.tobytes()).hexdigest()


class FakeTranscriber:
    """Hears the words that it was given for a clip, and nothing in any other."""

    def __init__(self, texts: Mapping[str, str] | None = None, *, error: Exception | None = None) -> None:
        """Set what is heard.

        Args:
            texts: For a clip (`clip_sha256`) what is heard in it.
            error: Raised instead of hearing anything.
        """
        self.model = ModelRef(name="fake", revision="1")
        self._texts = dict(texts or {})
        self._error = error

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        """Return the given words of each clip, or "".

        Raises:
            Exception: The one that was given.
        """
        if self._error is not None:
            raise self._error
        return [Transcript(self._texts.get(clip_sha256(clip), ""), lang, 0.0) for clip in clips]


class FakeLanguageModel:
    """Answers with the texts it was given, one after the other, and from the first one again.

    Attributes:
        asked: The chats it was given, for tests.
        schemas: The schemas it was given.
    """

    def __init__(
        self,
        answers: Sequence[str | Exception | Sequence[Part]] = ("[]",),
        *,
        holds_schema: bool = False,
        piece: int = 4,
    ) -> None:
        """Set what is answered.

        Args:
            answers: A text is streamed in pieces, an exception is raised, parts are yielded as they are (a
                part's time is replaced).
            holds_schema: What it claims; its answers are what they are.
            piece: Characters of a streamed piece.
        """
        self.model = ModelRef(name="fake", revision="1")
        self.holds_schema = holds_schema
        self.asked: list[tuple[Message, ...]] = []
        self.schemas: list[Mapping[str, Any] | None] = []
        self._answers = tuple(answers)
        self._piece = piece

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Iterator[Part]:
        """Stream the next answer; `usage` counts pieces.

        Raises:
            Exception: The one that stands where this answer would be.
        """
        answer = self._answers[len(self.asked) % len(self._answers)]
        self.asked.append(tuple(messages))
        self.schemas.append(schema)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            steps = range(0, len(answer), self._piece)
            answer = [Part("content", answer[at : at + self._piece], 0.0) for at in steps]
        for part in answer:
            yield Part(part.kind, part.text, time.perf_counter(), part.usage)
        asked = sum(len(message.content) for message in messages)
        yield Part("usage", "", time.perf_counter(), {"input_tokens": asked, "output_tokens": len(answer)})


class FakeAgent:
    """Calls the first tool offered, without arguments."""

    def __init__(self) -> None:
        self.model = ModelRef(name="fake", revision="1")

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request with `[tool()]`, or with "" where no tool is offered."""
        return [
            request.answer(
                text=f"[{request.tools[0].name}()]" if request.tools else "",
                timeline=_at_once(), model=self.model,
            )
            for request in requests
        ]  # fmt: skip


class Oracle:
    """Answers with the gold calls: what cannot score 1 here cannot be scored rightly.

    Attributes:
        sees_gold: True: its requests carry the right answer.
    """

    sees_gold = True

    def __init__(self) -> None:
        self.model = ModelRef(name="oracle", revision="1")

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request rightly: the first accepted value of each argument, or a refusal."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Response:
        if request.gold is None:
            return request.failure("crash", "the oracle was not shown the right answer")
        if request.gold.calls is None:
            return request.answer(text=REFUSAL, timeline=_at_once(), model=self.model)
        calls = tuple(_right_call(call) for call in request.gold.calls)
        return request.answer(calls=calls, timeline=_at_once(), model=self.model)


class RandomAgent:
    """Calls a random tool with random arguments; what it scores, chance scores."""

    def __init__(self) -> None:
        self.model = ModelRef(name="random", revision="1")

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request at random; the same seed and task give the same answer."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Response:
        draw = random.Random(f"{request.seed}/{request.task_id}")
        if not request.tools:
            return request.answer(text="", timeline=_at_once(), model=self.model)
        tool = draw.choice(request.tools)
        properties: Mapping[str, Any] = tool.parameters.get("properties") or {}
        required = tool.parameters.get("required") or ()
        arguments = {
            name: _random_value(schema, draw)
            for name, schema in properties.items()
            if name in required or draw.random() < 0.3
        }
        call = ToolCall(name=tool.name, arguments=arguments)
        return request.answer(calls=(call,), timeline=_at_once(), model=self.model)


def right_calls(expect: Expect) -> tuple[ToolCall, ...]:
    """Return calls that are right: the first accepted value of each argument that has to be there."""
    return tuple(_right_call(call) for call in expect.calls or ())


def _right_call(call: GoldCall) -> ToolCall:
    arguments = {
        name: next((value for value in accepted if value != ""), "")
        for name, accepted in call.arguments.items()
    }
    return ToolCall(
        name=call.name,
        arguments={
            name: value for name, value in arguments.items() if value != "" or "" not in call.arguments[name]
        },
    )


def _random_value(schema: Any, draw: random.Random) -> Any:
    if not isinstance(schema, Mapping):
        return draw.choice(_WORDS)
    if schema.get("enum"):
        return draw.choice(list(schema["enum"]))
    kind = schema.get("type")
    if kind in ("integer", "int"):
        return draw.randint(0, 9)
    if kind in ("number", "float"):
        return draw.randint(0, 99) / 2
    if kind in ("boolean", "bool"):
        return draw.random() < 0.5
    if kind in ("array", "list", "tuple"):
        return [_random_value(schema.get("items"), draw) for _ in range(draw.randint(0, 2))]
    if kind in ("object", "dict"):
        inner: Mapping[str, Any] = schema.get("properties") or {}
        return {name: _random_value(item, draw) for name, item in inner.items()}
    return draw.choice(_WORDS)


def _at_once() -> Timeline:
    """Return the timeline of an agent that takes no time; it streams nothing, so it has no first token."""
    return Timeline(request_sent=0.0, done=0.0)
