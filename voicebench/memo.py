"""What is made of a value once and kept, where the value is compared by being the very same one."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

V = TypeVar("V")
M = TypeVar("M")


def once_each(make: Callable[[V], M], *, most: int = 4096) -> Callable[[V], M]:
    """Return a function that makes something of each value once: thousands of requests offer the same tools.

    Args:
        make: Its result depends on the value alone, which nobody changes.
        most: How many results are kept; with one more all are made anew.
    """
    kept: dict[int, tuple[V, M]] = {}

    @wraps(make)
    def made(value: V) -> M:
        known = kept.get(id(value))
        if known is None:
            if len(kept) >= most:
                kept.clear()
            # The value is kept with what was made of it: as long as it lives, no other one has its id.
            known = kept[id(value)] = (value, make(value))
        return known[1]

    return made
