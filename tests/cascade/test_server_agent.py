"""A chat model behind a server as an agent: many requests at once, each with its own clock."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from tests.agent_requests import request, tone
from voicebench.cascade import ServerChatAgent
from voicebench.errors import AgentFailure
from voicebench.fakes import FakeLanguageModel, FakeTranscriber, clip_sha256
from voicebench.types import Audio, Message, Part, Transcript
from voicebench.wire import loop

CALL = '[{"name": "food.clear_basket", "arguments": {}}]'
CLIP = tone(330)


class Server(FakeLanguageModel):
    """Waits a moment before it answers, and counts how many wait at once."""

    def __init__(self, *, fails: str = "", wait_s: float = 0.02) -> None:
        super().__init__()
        self.waiting = self.most = 0
        self._fails, self._wait_s = fails, wait_s

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncIterator[Part]:
        self.asked.append(tuple(messages))
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        await asyncio.sleep(self._wait_s)
        self.waiting -= 1
        if self._fails and messages[-1].content == self._fails:
            raise AgentFailure("rate_limit", "slow down")
        yield Part("content", CALL, time.perf_counter())


def test_all_requests_of_a_batch_wait_at_once_and_keep_their_order() -> None:
    server = Server()
    requests = [request("x", task_id=f"t{n}") for n in range(40)]
    responses = ServerChatAgent(server, name="s").respond(requests)
    assert [response.task_id for response in responses] == [f"t{n}" for n in range(40)]
    assert server.most == 40


def test_one_bad_answer_costs_itself_alone() -> None:
    agent = ServerChatAgent(Server(fails="बुरा"), name="s")
    first, bad, last = agent.respond([request("a"), request("बुरा"), request("c")])
    assert (first.text, last.text) == (CALL, CALL)
    assert bad.error is not None and (bad.error.kind, bad.error.message) == ("rate_limit", "slow down")
    assert bad.model == agent.model


def test_one_request_is_answered_on_the_loop() -> None:
    agent = ServerChatAgent(Server(), name="s")
    response = loop.run(agent.answer(request("x")))
    assert response.text == CALL
    assert response.timeline is not None and response.timeline.first_token is not None
    assert 0.02 <= response.timeline.first_token < 1.0


def test_a_local_asr_hears_before_the_server_is_asked_one_request_at_a_time() -> None:
    class Ears(FakeTranscriber):
        hearing = most = 0

        def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
            self.hearing += 1
            self.most = max(self.most, self.hearing)
            time.sleep(0.005)
            self.hearing -= 1
            return super().transcribe(clips, lang=lang)

    ears, server = Ears({clip_sha256(CLIP): "बास्केट खाली करो"}), Server()
    agent = ServerChatAgent(server, transcriber=ears, name="s")

    async def all_at_once() -> list[Any]:
        return list(await asyncio.gather(*(agent.answer(request(CLIP)) for _ in range(5))))

    responses = loop.run(all_at_once())
    assert ears.most == 1
    assert {response.transcript for response in responses} == {"बास्केट खाली करो"}
    assert {chat[-1].content for chat in server.asked} == {"बास्केट खाली करो"}


def test_what_cannot_be_heard_is_no_request() -> None:
    server = Server()
    agent = ServerChatAgent(server, name="s", longest_audio_s=0.1)
    response = loop.run(agent.answer(request(CLIP)))
    assert response.error is not None and response.error.kind == "audio"
    assert server.asked == []
