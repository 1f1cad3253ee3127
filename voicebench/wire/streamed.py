"""What every model behind a server has: the same answers from any thread, and a check before a run."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any

from voicebench.types import Message, Part, Tool
from voicebench.wire import loop


class Streamed(ABC):
    """A model whose answers are streamed on the event loop of `voicebench.wire.loop`."""

    @abstractmethod
    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> AsyncGenerator[Part, None]:
        """Stream an answer, on the event loop; `aclose` ends the request.

        Args:
            messages: The chat so far.
            tools: Offered natively.
            schema: JSON Schema that the server is asked to hold the content to.
            max_tokens: Upper bound of what is generated.
            temperature: 0 is greedy.
            seed: For sampling.

        Raises:
            UserError: The server refuses the request.
            AgentFailure: The server or the way to it failed.
        """

    @abstractmethod
    async def checked(self) -> None:
        """Make sure, on the event loop, that the model can be used.

        Raises:
            UserError: It cannot.
        """

    def check(self) -> None:
        """Make sure, before a run, that the model can be used; in one line, if it cannot.

        Raises:
            UserError: It cannot.
        """
        loop.run(self.checked())

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
        """Stream an answer as `stream` does, from any thread; leaving early ends the request.

        Args:
            messages: The chat so far.
            tools: Offered natively.
            schema: JSON Schema that the server is asked to hold the content to.
            max_tokens: Upper bound of what is generated.
            temperature: 0 is greedy.
            seed: For sampling.

        Raises:
            UserError: The server refuses the request.
            AgentFailure: The server or the way to it failed.
        """
        yield from loop.iterate(
            lambda: self.stream(
                messages, tools=tools, schema=schema,
                max_tokens=max_tokens, temperature=temperature, seed=seed,
            )
        )  # fmt: skip
