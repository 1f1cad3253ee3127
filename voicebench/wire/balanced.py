"""Several servers of one model as one: each request goes to the one with the least to do that is well."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any

from voicebench.errors import AgentFailure, UserError
from voicebench.types import Message, ModelRef, Part, Tool
from voicebench.wire.endpoints import Endpoint, Line, Tried
from voicebench.wire.refusals import Refused
from voicebench.wire.retry import LONGEST_WAIT_S
from voicebench.wire.streamed import Streamed

log = logging.getLogger(__name__)

PATIENCE_S = 30.0
"""How long a request waits for servers that are all down before it fails."""

_LOOKED_AGAIN_S = 1.0
_SHORTEST_WAIT_S = 0.01
_OF_THE_SERVER = (401, 403, 404)
_PASSING = ("server", "timeout", "rate_limit")


class Balanced(Streamed):
    """Several servers of one model; a `voicebench.protocols.ServerModel`.

    A request goes to the server with the fewest requests under way, in turn where several have as few. Each
    has slots of its own (`Limit`) and waits of its own. One that fails is left alone for half a second; from
    its second failure in a row on it gets one request at a time, each after twice the pause before, until one
    goes well. A request that fails before a part of its answer was yielded goes to another server; it fails
    for good once no server is left that might answer it. A request to a server that is silent for much longer
    than another one takes to begin an answer fails so before its deadline.

    Attributes:
        model: Its name, and all hosts in its revision.
        holds_schema: Whether all servers hold an answer to a schema.
        is_paced: True: it sends each server as many requests as that bears, so its user need not.
    """

    is_paced = True

    def __init__(
        self, model: ModelRef, endpoints: Sequence[Endpoint], *, patience_s: float = PATIENCE_S
    ) -> None:
        """Take the servers; nothing is asked yet.

        Args:
            model: As which the model is recorded.
            endpoints: The model on each server; two at least.
            patience_s: How long a request waits for servers that are all down.
        """
        self.model = model
        self.holds_schema = all(endpoint.holds_schema for endpoint in endpoints)
        self._lines = [Line(endpoint) for endpoint in endpoints]
        self._patience_s = patience_s
        self._turns = 0
        self._is_looking = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def turned_away(self) -> int:
        """How many requests the servers have turned away so far; they were sent again."""
        return sum(line.endpoint.turned_away for line in self._lines)

    async def checked(self) -> None:
        """Make sure that a server can be used; those that cannot are warned of and left out.

        Raises:
            UserError: None of the servers can be used.
        """
        found = await asyncio.gather(*(line.found_fault() for line in self._lines))
        faults = [fault for fault in found if fault is not None]
        if len(faults) == len(self._lines):
            raise UserError("; ".join(dict.fromkeys(str(fault) for fault in faults)))
        for fault in faults:
            log.warning("%s. It is left out for now: %d of %d servers are used", fault,
                        len(self._lines) - len(faults), len(self._lines))  # fmt: skip

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> AsyncGenerator[Part, None]:
        """Stream an answer of one of the servers; see `Streamed.stream`.

        Raises:
            UserError: The servers refuse the request.
            AgentFailure: All servers or the ways to them failed, or one in the middle of its answer.
        """
        began_s = time.perf_counter()
        tried = Tried()
        while True:
            line = await self._free(tried)
            sent_s = time.monotonic()
            waited_s = time.perf_counter() - began_s
            is_used = False
            try:
                await line.made_sure()
                answer = line.endpoint.stream(
                    messages, tools=tools, schema=schema,
                    max_tokens=max_tokens, temperature=temperature, seed=seed,
                )  # fmt: skip
                async with aclosing(_with_wait(answer, waited_s)) as parts:
                    first = await self._first(line, parts, sent_s)
                    if first is not None:
                        is_used = True
                        yield first
                    async for part in parts:
                        yield part
                line.went_well(sent_s)
                return
            except (AgentFailure, UserError) as error:
                if not _is_the_servers(error):
                    raise
                line.failed(error, sent_s)
                if is_used:
                    raise
                tried.note(line, error)
                if tried.is_enough(self._lines):
                    raise
                log.info("%s: the request goes to another server", error)
            finally:
                line.under_way -= 1
                # One for the slot that is free again, one for a slot that may have been added.
                self._wake(2)

    async def _first(self, line: Line, parts: AsyncGenerator[Part, None], sent_s: float) -> Part | None:
        """Return an answer's first part, None where it has none.

        Raises:
            AgentFailure: The server has been silent for much longer than others take, while they answer.
        """
        if not self._is_looking:
            self._is_looking = True
            asyncio.get_running_loop().call_later(_LOOKED_AGAIN_S, self._look_at_the_silent)
        with line.waiting(sent_s) as waiting:
            try:
                async with waiting.deadline:
                    part = await anext(parts, None)
            except TimeoutError:
                told = f"{line.endpoint.model.revision} is silent: {waiting.told}"
                raise AgentFailure("timeout", told) from None
        line.spoke(sent_s)
        return part

    def _look_at_the_silent(self) -> None:
        """Give up waiting where it has become hopeless; again a moment later while any request waits."""
        for line in self._lines:
            line.give_up_waiting([other for other in self._lines if other is not line])
        self._is_looking = any(line.is_waited_for for line in self._lines)
        if self._is_looking:
            asyncio.get_running_loop().call_later(_LOOKED_AGAIN_S, self._look_at_the_silent)

    async def _free(self, tried: Tried) -> Line:
        """Return the line whose turn it is, with a slot taken; wait while there is none.

        Raises:
            AgentFailure: All are down, and have been for as long as a request waits.
            UserError: So have they, since they cannot be used.
        """
        asked_s = time.monotonic()
        lines = [line for line in self._lines if line not in tried.refused_by]
        while True:
            waits = [line.free_in_s() for line in lines]
            free = [line for line, wait_s in zip(lines, waits, strict=True) if wait_s <= 0]
            if free:
                chosen = min(free, key=lambda line: (tried.failures[line], line.under_way, line.turn))
                self._turns += 1
                chosen.turn = self._turns
                chosen.under_way += 1
                return chosen
            if all(line.is_down for line in lines):
                is_busy = any(line.is_busy for line in lines)
                since_s = min(asked_s, tried.since_s)
                if time.monotonic() - since_s > (LONGEST_WAIT_S if is_busy else self._patience_s):
                    raise _again(lines[0].fault)
            await self._woken(min(waits))

    async def _woken(self, longest_s: float) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            # A call that went to one who has left since is made up for by looking again.
            with suppress(TimeoutError):
                async with asyncio.timeout(min(longest_s, _LOOKED_AGAIN_S)):
                    await turn
        finally:
            if turn in self._waiting:
                self._waiting.remove(turn)

    def _wake(self, most: int) -> None:
        for _ in range(min(most, len(self._waiting))):
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)


async def _with_wait(answer: AsyncGenerator[Part, None], waited_s: float) -> AsyncGenerator[Part, None]:
    """Yield an answer's parts; the time that passed before it was asked for is told in its usage."""
    if waited_s < _SHORTEST_WAIT_S:
        waited_s = 0.0
    is_told = not waited_s
    async with aclosing(answer) as parts:
        async for part in parts:
            if part.kind == "usage" and not is_told:
                is_told = True
                before_s = part.usage.get("waited_s", 0.0)
                part = replace(part, usage={**part.usage, "waited_s": round(before_s + waited_s, 3)})
            yield part
    if not is_told:
        yield Part("usage", "", time.perf_counter(), {"waited_s": round(waited_s, 3)})


def _is_the_servers(error: AgentFailure | UserError) -> bool:
    """Whether another server may fare better: it is no fault of the request's."""
    if isinstance(error, AgentFailure):
        return error.kind in _PASSING
    return not isinstance(error, Refused) or error.status in _OF_THE_SERVER


def _again(fault: AgentFailure | UserError | None) -> Exception:
    """Return a failure that was another request's as one of this."""
    if isinstance(fault, AgentFailure):
        return AgentFailure(fault.kind, f"all servers are down: {fault}")
    return UserError(f"no server can be used: {fault}")
