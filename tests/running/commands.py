"""`voicebench eval` as a process of its own, and what it leaves behind, for the tests of faults."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from voicebench.fakes_server import Behaviour, FakeServer
from voicebench.files import read_rows
from voicebench.types import Response

TASKS = 10
"""The tasks that `command` asks."""


class Unsteady(FakeServer):
    """A server whose model "unsteady" behaves now like one model, now like another."""

    def __init__(
        self,
        choose: Callable[[int], str],
        *,
        behaviours: Mapping[str, Behaviour] | None = None,
        **options: Any,
    ) -> None:
        """Take a rule.

        Args:
            choose: Given how many requests there were for "unsteady", the name of the model to behave like.
            behaviours: Models besides.
            options: More of the server.
        """
        known = {"unsteady": Behaviour("now so, now so"), **(behaviours or {})}
        super().__init__(behaviours=known, **options)
        self._choose = choose
        self.times = 0

    def _now(self, model: str) -> Behaviour | None:
        if model != "unsteady":
            return super()._now(model)
        self.times += 1
        return self._behaviours[self._choose(self.times - 1)]


def command(model: str, *more: str) -> list[str]:
    """Return the command that asks ten tasks in words; the run's folder is "r"."""
    return [
        sys.executable, "-m", "voicebench", "eval", f"--model={model}", "--lang=en", "--task=single",
        "--condition=text", "--run=r", f"--limit={TASKS}", *more,
    ]  # fmt: skip


def evaluated(
    where: Path, model: str, *more: str, env: Mapping[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    return subprocess.run(
        command(model, *more), cwd=where, capture_output=True, text=True, check=False,
        env={**os.environ, **(env or {})}, timeout=120, **options,
    )  # fmt: skip


def responses(run: Path) -> list[Response]:
    """Return the whole rows of a run; none where nothing was answered yet."""
    path = run / "responses.jsonl"
    return read_rows(path, Response, tolerate_torn_end=True) if path.is_file() else []


def seeds_asked(server: FakeServer) -> list[int]:
    """Return the seeds of the requests so far: each stands for its question."""
    return [asked.body["seed"] for asked in list(server.asked) if "seed" in asked.body]
