"""Split a run among machines that know nothing of each other: `--shard 2/8` is the second of eight parts.

Which part a task is in follows from its id alone (SHA-256), so every machine finds the same answer without
asking the others, in whatever order the tasks come and whichever of them are planned. All questions about a
task (agents, conditions, trials) lie in one shard: what is compared in pairs (text with speech, one agent
with another, trial with trial) can then be compared within each shard, and a shard that is lost costs whole
tasks instead of halves of pairs. Kinds, languages and lengths of audio come out even because a hash knows
none of them: of N tasks of a kind a shard of n holds N/n, give or take the square root of that.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from voicebench.errors import UserError
from voicebench.types import Task

_DIGEST_BITS = 64


@dataclass(frozen=True)
class Shard:
    """One of several parts of a run.

    Attributes:
        index: Which one, from 1.
        count: How many there are.
    """

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise ValueError(f"there is no shard {self.index} of {self.count}")

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the shard that is written as `i/n`, such as 2/8.

        Raises:
            UserError: It is not written so, or i is not one of 1 to n.
        """
        written = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text.strip())
        if written is None:
            raise UserError(f"--shard {text!r} is no shard. Write i/n, such as 2/8: the second of eight")
        index, count = int(written[1]), int(written[2])
        if not 1 <= index <= count:
            counted = f"they are counted from 1/{count} to {count}/{count}" if count else "there must be one"
            raise UserError(f"--shard {text!r}: there is no such shard; {counted}")
        return cls(index, count)

    def holds(self, task_id: str) -> bool:
        """Whether a task is in this shard."""
        digest = hashlib.sha256(task_id.encode("utf-8", "surrogatepass")).digest()
        # The hash as a fraction of its range, times the number of shards.
        return (int.from_bytes(digest[: _DIGEST_BITS // 8]) * self.count >> _DIGEST_BITS) == self.index - 1


def of_shard(tasks: Iterable[Task], shard: Shard) -> list[Task]:
    """Return the tasks of a shard, in the order given; every task is in exactly one shard."""
    return [task for task in tasks if shard.holds(task.id)]


def require_same(folder: Path, before: str | None, now: Shard | None) -> None:
    """Refuse to go on with a run as another shard than it was begun as.

    Args:
        folder: The run's folder, for the message.
        before: The shard that the run's `run.json` names; None for a run that is whole.
        now: The shard that is asked for; None for all.

    Raises:
        UserError: They differ.
    """
    wanted = None if now is None else str(now)
    if before != wanted:
        held = "all of a run" if before is None else f"shard {before}"
        asked = "all of it" if wanted is None else f"shard {wanted}"
        raise UserError(
            f"{folder}: holds {held}, not {asked}. Name another folder with --run, or start anew with --fresh"
        )
