"""An ASR, then a chat model that is shown all tools."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from voicebench import prompts
from voicebench.cascade.answer_schema import answer_schema
from voicebench.cascade.answers import collect
from voicebench.cascade.hearing import Heard, hear
from voicebench.faults import fault
from voicebench.protocols import LanguageModel, Transcriber
from voicebench.scoring.schema import normal_schema
from voicebench.types import ErrorInfo, ModelRef, Request, Response, Timeline, Tool


class Cascade:
    """What the user said is written down, then a chat model answers with calls.

    Where the model can be held to a schema, its answer is a list of calls of the offered tools or one
    sentence, which is how it refuses; otherwise the prompt alone asks for that form.

    Attributes:
        model: The agent's name and the revisions of both models.
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
            heard.turns,
            request.tools,
            reference_date=request.reference_date,
            prompting=request.prompting,
            native=self._native_tools,
        )
        held = self._llm.holds_schema and not self._native_tools
        may_refuse = request.prompting.refusal_prompt
        parts = self._llm.complete(
            messages,
            tools=[_standard(tool) for tool in request.tools] if self._native_tools else (),
            schema=answer_schema(request.tools, may_refuse=may_refuse) if held else None,
            max_tokens=self._max_tokens,
            seed=request.seed,
        )
        return collect(parts, request.tools, started_s)


def serve(
    requests: Sequence[Request],
    transcriber: Transcriber,
    model: ModelRef,
    answer: Callable[[Request, Heard, float], dict[str, Any]],
) -> list[Response]:
    """Hear the requests' clips together, then answer one by one; one bad item costs itself alone.

    Args:
        requests: What is asked.
        transcriber: Hears the clips.
        model: Goes into the responses.
        answer: Given a request, the request in words, and the time (`time.perf_counter()`) that counts as its
            start, returns the fields of its response. The start lies as far back as its own clips took to
            hear, so that a response's timeline is that of a request served alone.
    """
    responses = []
    for request, heard in zip(requests, hear(transcriber, requests), strict=True):
        if isinstance(heard, ErrorInfo):
            responses.append(request.answer(error=heard, model=model))
            continue
        try:
            fields = answer(request, heard, time.perf_counter() - heard.seconds)
        # Whatever a model or its runtime raises is no fault of the agent's: it becomes the item's error.
        except Exception as error:
            fields = {"error": fault(error)}
        responses.append(request.answer(model=model, **_with_hearing(fields, heard)))
    return responses


def _with_hearing(fields: dict[str, Any], heard: Heard) -> dict[str, Any]:
    if heard.transcript is None:
        return fields
    timeline: Timeline = fields.get("timeline") or Timeline(request_sent=0.0)
    return fields | {
        "transcript": heard.transcript,
        "timeline": timeline.model_copy(update={"transcribed": heard.seconds}),
        "usage": (fields.get("usage") or {}) | {"audio_s": round(heard.audio_s, 3)},
    }


def _standard(tool: Tool) -> Tool:
    return tool.model_copy(update={"parameters": normal_schema(tool.parameters)})
