"""A clock that jumps over every wait, and agents whose moments are known to the last bit on it."""

import asyncio
import selectors
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from voicebench.latency.measure import Clock
from voicebench.types import ModelRef, Request, Response, Timeline

MODEL = ModelRef(name="server", revision="1")


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in which a second passes as soon as everybody waits for it."""

    def __init__(self) -> None:
        self.now_s = 0.0
        super().__init__(_Jump(self))

    def time(self) -> float:
        return self.now_s


class _Jump(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everybody waits, and nothing will happen"
        self._loop.now_s += timeout
        return super().select(0)


@contextmanager
def virtual_clock() -> Iterator[Clock]:
    loop = VirtualLoop()

    def sleep(seconds: float) -> None:
        loop.now_s += seconds

    try:
        yield Clock(loop.time, sleep, loop.run_until_complete)
    finally:
        loop.close()


class Server:
    """Answers each request after its own time, and tells when; the first token comes half way."""

    model = MODEL

    def __init__(self, clock: Clock, took_s: Sequence[float], *, fails: Sequence[str] = ()) -> None:
        self.most = self.under_way = 0
        self.asked: list[Request] = []
        self._clock = clock
        self._took_s = took_s
        self._fails = fails

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        raise AssertionError("a server agent is asked by `answer`")

    async def answer(self, request: Request) -> Response:
        took_s = self._took_s[len(self.asked) % len(self._took_s)]
        self.asked.append(request)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(took_s)
        self.under_way -= 1
        if request.task_id in self._fails:
            return request.failure("rate_limit", "धीरे")
        timeline = Timeline(request_sent=0.0, first_token=took_s / 2, done=took_s)
        return request.answer(text="[]", timeline=timeline, model=self.model)


class Local:
    """Answers on this machine, one request after the other, each in the same time."""

    model = MODEL

    def __init__(self, clock: Clock, took_s: float, timeline: Timeline | None = None) -> None:
        self._clock = clock
        self._took_s = took_s
        self._timeline = timeline or Timeline(request_sent=0.0, done=took_s)

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        assert len(requests) == 1
        self._clock.sleep(self._took_s)
        return [request.answer(text="[]", timeline=self._timeline) for request in requests]
