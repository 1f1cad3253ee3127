"""A chat model behind a server as an agent: many requests wait for it at once, on one event loop."""

import asyncio
import time
from collections.abc import Sequence

from voicebench.cascade.answers import Collector
from voicebench.cascade.chat_agent import ChatAgent
from voicebench.cascade.hearing import Heard, is_heard
from voicebench.cascade.serve import Fields, response, start_of
from voicebench.faults import fault
from voicebench.protocols import ServerModel
from voicebench.types import ErrorInfo, Request, Response
from voicebench.wire import loop


class ServerChatAgent(ChatAgent):
    """Answers requests as `ChatAgent` does, and waits for all of them at once.

    An ASR on this machine hears one request after the other, in a thread, so that it holds up no answer that
    is being streamed.
    """

    _llm: ServerModel

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer all requests at once; same length and order. A fault becomes `Response.error`."""
        heard = self._hear(requests)
        return loop.run(self._all(requests, heard))

    @property
    def turned_away(self) -> int:
        """How many requests the model's server has turned away so far; they were sent again."""
        count: int = getattr(self._llm, "turned_away", 0)
        return count

    @property
    def is_paced(self) -> bool:
        """Whether the model itself sends its servers no more than they bear."""
        paced: bool = getattr(self._llm, "is_paced", False)
        return paced

    async def answer(self, request: Request) -> Response:
        """Answer one request. A fault of the machine becomes `Response.error`."""
        if self._transcriber is not None and is_heard(request):
            [heard] = await asyncio.to_thread(self._hear, [request])
        else:
            [heard] = self._hear([request])
        return await self._answered(request, heard)

    async def _all(self, requests: Sequence[Request], heard: Sequence[Heard | ErrorInfo]) -> list[Response]:
        waiting = [self._answered(*pair) for pair in zip(requests, heard, strict=True)]
        return list(await asyncio.gather(*waiting))

    async def _answered(self, request: Request, heard: Heard | ErrorInfo) -> Response:
        if isinstance(heard, ErrorInfo):
            return request.answer(error=heard, model=self.model)
        try:
            fields = await self._streamed(request, heard)
        # Whatever a server or the way to it raises is no fault of the agent's: it becomes the item's error.
        except Exception as error:
            fields = {"error": fault(error)}
        return response(request, heard, self.model, fields, self._bill)

    async def _streamed(self, request: Request, heard: Heard) -> Fields:
        question = self._question(request, heard)
        answer = Collector(request.tools, start_of(heard))
        async for part in self._llm.stream(**question):
            answer.add(part)
        return answer.fields(time.perf_counter())
