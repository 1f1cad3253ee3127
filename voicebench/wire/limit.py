"""How many requests are under way at once: more while the server keeps up, fewer when it turns one away."""

import asyncio

FIRST = 8


class Limit:
    """A number of slots that follows what the server bears, up to a cap.

    It doubles with each round of answers until the server first turns a request away (429, 5xx, a broken
    connection), halves then, and grows by one a round from there on: additive increase, multiplicative
    decrease, as TCP does it (V. Jacobson, "Congestion Avoidance and Control", 1988).
    """

    def __init__(self, cap: int, *, first: int = FIRST) -> None:
        """Begin with a few slots.

        Args:
            cap: The most slots.
            first: How many there are at first.
        """
        self._cap = max(1, cap)
        self._slots = float(min(first, self._cap))
        self._is_starting = True
        self._since_cut = 0
        self._is_open = False
        self._grown = asyncio.Event()

    @property
    def slots(self) -> int:
        """How many requests may be under way now."""
        return int(self._slots)

    def went_well(self, *, is_full: bool = True) -> None:
        """Take note of an answer.

        Args:
            is_full: Whether all slots were taken; else it does not show that the server bears more.
        """
        self._since_cut += 1
        if not is_full:
            return
        before = self.slots
        self._slots = min(self._cap, self._slots + (1.0 if self._is_starting else 1.0 / self._slots))
        if self.slots > before:
            self._grown.set()

    def turned_away(self) -> None:
        """Take note of a request that was turned away; those of one round count once."""
        if not self._is_starting and self._since_cut < self.slots:
            return
        self._is_starting = False
        self._since_cut = 0
        self._slots = max(1.0, self._slots / 2)

    async def turn(self, number: int) -> None:
        """Wait until a worker has a slot.

        Args:
            number: The worker's, from 0; those below `slots` work.
        """
        while number >= self.slots and not self._is_open:
            self._grown.clear()
            await self._grown.wait()

    def open(self) -> None:
        """Let all workers go on: there is nothing left to do for them."""
        self._is_open = True
        self._grown.set()
