"""A retriever picks the tool, a language model fills its arguments: an agent for small models."""

import json
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from voicebench import prompts
from voicebench.cascade.answers import collect
from voicebench.cascade.hearing import Heard, hear
from voicebench.cascade.serve import serve
from voicebench.errors import AgentFailure
from voicebench.protocols import LanguageModel, SentenceEncoder, Transcriber
from voicebench.retrieve.narrow import narrow
from voicebench.retrieve.rank import ToolRanker
from voicebench.types import ModelRef, Part, Request, Response, Tool, Turn


class RetrieveThenFill:
    """Makes exactly one call: of the tool whose description is nearest in meaning to the conversation.

    The model sees that tool alone and writes only its arguments, held to a schema that `narrow` has cut down
    to what the conversation speaks of. It never refuses and never makes two calls, so parallel, sequential
    and unsafe requests are beyond it by construction.

    Attributes:
        model: The agent's name, and the revisions of all three models and the retriever's name.
    """

    def __init__(
        self,
        transcriber: Transcriber,
        retriever: SentenceEncoder,
        llm: LanguageModel,
        *,
        name: str,
        max_tokens: int = 160,
    ) -> None:
        """Put the three together.

        Args:
            transcriber: Hears the user; not asked where a request comes in words.
            retriever: Ranks the tools.
            llm: Fills the arguments.
            name: The agent's name.
            max_tokens: Upper bound of the arguments.
        """
        ranked_by = f"{retriever.model.name}:{retriever.model.revision}"
        revision = f"{transcriber.model.revision}+{ranked_by}+{llm.model.revision}"
        self.model = ModelRef(name=name, revision=revision)
        self._transcriber = transcriber
        self._ranker = ToolRanker(retriever)
        self._llm = llm
        self._max_tokens = max_tokens

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request; same length and order. A fault of the machine becomes `Response.error`."""
        return serve(requests, partial(hear, self._transcriber), self.model, self._answer)

    def _answer(self, request: Request, heard: Heard, started_s: float) -> dict[str, Any]:
        if not request.tools:
            raise AgentFailure("unsupported", "no tool is offered, and this agent always calls one")
        # The whole conversation ranks better than the last turn: that is often a bare "By card, please."
        turns = heard.turns or ()
        tool = self._ranker.rank(" ".join(turn.text for turn in turns), request.tools)[0]
        return collect(self._call(tool, request, turns), request.tools, started_s)

    def _call(self, tool: Tool, request: Request, turns: Sequence[Turn]) -> Iterator[Part]:
        """Stream a call of the tool as text: the name as the retriever gives it, then the arguments."""
        name = f'[{{"name": {json.dumps(tool.name, ensure_ascii=False)}, "arguments": '
        schema = narrow(tool, turns)
        if not schema["properties"]:
            yield Part("content", name + "{}}]", time.perf_counter())
            return
        messages = prompts.fill_chat(
            turns,
            tool,
            schema["properties"],
            reference_date=request.reference_date,
            prompting=request.prompting,
        )
        parts = self._llm.complete(
            messages,
            schema=schema if self._llm.holds_schema else None,
            max_tokens=self._max_tokens,
            seed=request.seed,
        )
        last_s = None
        for part in parts:
            if part.kind == "content":
                if last_s is None:
                    yield Part("content", name, part.at_s)
                last_s = part.at_s
            yield part
        if last_s is not None:
            yield Part("content", "}]", last_s)
