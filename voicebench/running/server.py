"""Ask an agent that waits for a server: many requests at once, each slot filled again when it is free."""

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence

from voicebench.errors import AgentFailure
from voicebench.faults import fault
from voicebench.protocols import ServerAgent
from voicebench.running.patience import Patience
from voicebench.running.wanted import Answer, Wanted
from voicebench.types import Response
from voicebench.wire import loop
from voicebench.wire.limit import Limit


class ServerAsker:
    """Hands requests to an agent one by one, as many at once as the server bears.

    A clip is read and encoded in a thread while other answers are awaited, and only when its slot is free, so
    that memory holds the clips of the requests that are under way and no others.
    """

    def __init__(self, agent: ServerAgent, *, at_once: int) -> None:
        """Take an agent.

        Args:
            agent: Answers.
            at_once: Requests under way at most.
        """
        self._agent = agent
        self._at_once = at_once
        self._patience = Patience()
        self._is_paced: bool = getattr(agent, "is_paced", False)

    @property
    def turned_away(self) -> int:
        """How many requests the server has turned away so far, where the agent counts them."""
        count: int = getattr(self._agent, "turned_away", 0)
        return count

    def answer(self, wanted: Sequence[Wanted], take: Callable[[int, Answer], None]) -> None:
        """Ask all; `take` is given (place in `wanted`, response or the failure of reading it) as they come.

        It is called on the event loop's thread, and must be quick.

        Raises:
            AgentFailure: The server has answered nothing for long (`voicebench.running.patience`); requests
                that are under way are left, and the rest is not asked.
            Exception: What `take` raised; requests that are under way are left.
        """
        # What is planned stays to the end: the collector would look through all of it again and again.
        gc.freeze()
        try:
            loop.run(self._all(wanted, take))
        finally:
            gc.unfreeze()

    async def _all(self, wanted: Sequence[Wanted], take: Callable[[int, Answer], None]) -> None:
        limit = Limit(self._at_once)
        places = iter(range(len(wanted)))
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(min(self._at_once, len(wanted))):
                    group.create_task(self._work(number, places, wanted, take, limit))
        # One worker's failure ends the others; what it was is what the caller has to know.
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None

    async def _work(
        self,
        number: int,
        places: Iterator[int],
        wanted: Sequence[Wanted],
        take: Callable[[int, Answer], None],
        limit: Limit,
    ) -> None:
        while True:
            await limit.turn(number)
            place = next(places, None)
            if place is None:
                limit.open()
                return
            self._patience.check()
            before, sent_s = self.turned_away, self._patience.now_s()
            answer = await self._one(wanted[place])
            take(place, answer)
            self._patience.note(answer, sent_s)
            # Who paces itself knows which of its servers turned a request away: the others go on.
            was_turned_away = not self._is_paced and self.turned_away > before
            if was_turned_away or _was_turned_away(answer):
                limit.turned_away()
            else:
                limit.went_well()

    async def _one(self, wanted: Wanted) -> Answer:
        try:
            request = await asyncio.to_thread(wanted.read) if wanted.audio_s else wanted.read()
        except AgentFailure as failure:
            return failure
        try:
            return await self._agent.answer(request)
        # Whatever else an agent raises is a fault of the harness's side: it becomes the row's error.
        except Exception as error:
            return request.answer(error=fault(error))
        # Here it would end the loop's thread, and the run would wait for ever.
        except SystemExit as error:
            return request.failure("crash", f"the agent wanted to end the process (exit {error.code})")


def _was_turned_away(answer: Answer) -> bool:
    error = answer.error if isinstance(answer, Response) else None
    return error is not None and error.kind in ("rate_limit", "server", "timeout")
