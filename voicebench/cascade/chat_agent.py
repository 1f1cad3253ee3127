"""A chat model as an agent: behind an ASR (a cascade), or hearing the user itself (a speech LM)."""

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from voicebench import prompts
from voicebench.cascade.answer_schema import answer_schema
from voicebench.cascade.answers import collect
from voicebench.cascade.bill import Bill, server_of
from voicebench.cascade.hearing import Heard, as_it_is, hear, is_heard
from voicebench.cascade.serve import Fields, serve
from voicebench.costs import Price
from voicebench.errors import AgentFailure
from voicebench.protocols import LanguageModel, Transcriber
from voicebench.scoring.schema import normal_schema
from voicebench.types import ErrorInfo, ModelRef, Request, Response, Tool

MAX_TOKENS = 512

Rank = Callable[[str, Sequence[Tool]], Sequence[Tool]]
"""Puts tools into order, the one nearest to a text first."""


class ChatAgent:
    """Answers each request with what one chat model says.

    With an ASR the model reads what that wrote down; without one it hears the request's clips itself. Where
    the model can be held to a schema, its answer is a list of calls of the offered tools or one sentence,
    which is how it refuses; otherwise the prompt alone asks for that form, or the tools are native.

    Attributes:
        model: The agent's name and the revisions of its models.
    """

    def __init__(
        self,
        llm: LanguageModel,
        *,
        name: str,
        transcriber: Transcriber | None = None,
        rank: Rank | None = None,
        longest_audio_s: float | None = None,
        prices: Sequence[Price] = (),
        max_tokens: int = MAX_TOKENS,
    ) -> None:
        """Put an agent together.

        Args:
            llm: Answers.
            name: The agent's name.
            transcriber: Hears the user; None where `llm` hears. Not asked where a request comes in words.
            rank: Orders the tools of retrieval tasks, where a request's prompting names a retriever.
            longest_audio_s: The longest clip that `llm` hears, in seconds; None for any.
            prices: What servers ask, for the cost of each answer.
            max_tokens: Upper bound of an answer.
        """
        revisions = [part.model.revision for part in (transcriber, llm) if part is not None]
        self.model = ModelRef(name=name, revision="+".join(map(str, revisions)))
        self._llm = llm
        self._transcriber = transcriber
        # A model on this machine hears one batch at a time, whichever thread asks.
        self._ear = threading.Lock()
        self._rank = rank
        self._longest_audio_s = longest_audio_s
        self._max_tokens = max_tokens
        self._bill = Bill(
            server_of(transcriber.model) if transcriber else None, server_of(llm.model),
            transcriber is None, prices, date.today(),
        )  # fmt: skip

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request; same length and order. A fault of the machine becomes `Response.error`."""
        return serve(requests, self._hear, self.model, self._answer, self._bill)

    def _hear(self, requests: Sequence[Request]) -> list[Heard | ErrorInfo]:
        if self._transcriber is None:
            return [as_it_is(request, longest_audio_s=self._longest_audio_s) for request in requests]
        if not any(map(is_heard, requests)):
            return hear(self._transcriber, requests)
        with self._ear:
            return hear(self._transcriber, requests)

    def _answer(self, request: Request, heard: Heard, started_s: float) -> Fields:
        return collect(self._llm.complete(**self._question(request, heard)), request.tools, started_s)

    def _question(self, request: Request, heard: Heard) -> dict[str, Any]:
        """Return what the model is asked, as `complete` takes it."""
        tools = self._ranked(request, heard)
        native = request.prompting.tools == "native"
        schema: Mapping[str, Any] | None = None
        if self._llm.holds_schema and not native:
            schema = answer_schema(tools, may_refuse=request.prompting.refusal_prompt)
        return {
            "messages": prompts.messages(request, heard.turns, tools),
            "tools": [_standard(tool) for tool in tools] if native else (),
            "schema": schema,
            "max_tokens": self._max_tokens,
            "seed": request.seed,
        }

    def _ranked(self, request: Request, heard: Heard) -> Sequence[Tool]:
        if self._rank is None or request.prompting.retriever is None or request.kind != "retrieval":
            return request.tools
        words = [turn.text for turn in (request.turns if heard.turns is None else heard.turns)]
        if None in words:
            raise AgentFailure("unsupported", "tools are ranked by words, and this agent hears no words")
        return self._rank(" ".join(filter(None, words)), request.tools)


def _standard(tool: Tool) -> Tool:
    return tool.model_copy(update={"parameters": normal_schema(tool.parameters)})
