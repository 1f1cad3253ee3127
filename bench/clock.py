"""Measure how wrong the client's clock is: what it takes for a piece's arrival, less the time it was sent.

A server in a process of its own streams answers on a known schedule and writes into each piece the time at
which it sends it (one clock for all processes). Each client runs in a fresh process, answers one request
apart for warming up, and stamps each piece as it is used to: ours where the bytes arrive, the peers in their
streaming loops. Prints JSON lines: `alone` (one stream at a time) and `64 streams` (all at once), the 99th
percentile over all pieces in seconds, ours against its limit and in a race with each peer that is installed.

    python bench/clock.py
    python bench/clock.py --quick
"""

import argparse
import asyncio
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

FIRST_MS, EVERY_MS, PIECES = 200, 20, 40
Stamps = list[tuple[float, str]]
"""When a piece was taken to arrive, and its text: when it was sent."""


@dataclass(frozen=True)
class Case:
    """So many streams at once, so often."""

    name: str
    streams: int
    rounds: int
    limit_s: float


@dataclass(frozen=True)
class Errors:
    """The client's error over all pieces, and over first pieces alone, in seconds."""

    p50_s: float
    p99_s: float
    first_p99_s: float
    pieces: int


CASES = (Case("alone", 1, 10, 0.005), Case("64 streams", 64, 5, 0.05))
BODY = {"model": "clock", "messages": [{"role": "user", "content": "What time is it?"}], "stream": True}


def ours(url: str, case: Case) -> list[Stamps]:
    """Ask as an agent does."""
    from voicebench.llms.openai_chat import OpenAIChat
    from voicebench.types import Message
    from voicebench.wire import loop

    model = OpenAIChat(argument=f"{url}#clock")

    async def one() -> Stamps:
        stream = model.stream([Message("user", "What time is it?")])
        return [(part.at_s, part.text) async for part in stream if part.kind == "content"]

    return loop.run(all_rounds(one, case))


def openai(url: str, case: Case) -> list[Stamps]:
    """Ask through OpenAI's own package."""
    from openai import AsyncOpenAI

    async def rounds() -> list[Stamps]:
        async with AsyncOpenAI(base_url=url, api_key="none") as client:

            async def one() -> Stamps:
                stamps = []
                async for chunk in await client.chat.completions.create(**BODY):
                    at_s = time.perf_counter()
                    if chunk.choices and (text := chunk.choices[0].delta.content):
                        stamps.append((at_s, text))
                return stamps

            return await all_rounds(one, case)

    return asyncio.run(rounds())


def httpx(url: str, case: Case) -> list[Stamps]:
    """Ask through httpx, line by line."""
    from httpx import AsyncClient

    async def rounds() -> list[Stamps]:
        async with AsyncClient(timeout=60) as client:

            async def one() -> Stamps:
                stamps = []
                async with client.stream("POST", f"{url}/chat/completions", json=BODY) as response:
                    async for line in response.aiter_lines():
                        at_s = time.perf_counter()
                        if not line.startswith("data: {"):
                            continue
                        choices = json.loads(line[6:])["choices"]
                        if choices and (text := choices[0]["delta"].get("content")):
                            stamps.append((at_s, text))
                return stamps

            return await all_rounds(one, case)

    return asyncio.run(rounds())


CLIENTS: dict[str, Callable[[str, Case], list[Stamps]]] = {"ours": ours, "openai": openai, "httpx": httpx}


async def all_rounds(one: Callable[[], Awaitable[Stamps]], case: Case) -> list[Stamps]:
    """Return the stamps of all streams, without those of the first one, which warms up."""
    await one()
    return [
        stamps
        for _ in range(case.rounds)
        for stamps in await asyncio.gather(*(one() for _ in range(case.streams)))
    ]


def errors(streams: list[Stamps]) -> Errors:
    """Return how far the stamps are from the truth."""
    found = [[abs(at_s - float(text)) for at_s, text in stamps] for stamps in streams]
    if any(len(stamps) != PIECES for stamps in found):
        raise SystemExit(f"pieces got lost: {sorted({len(stamps) for stamps in found})} of {PIECES}")
    every = np.concatenate(found)
    first = [stamps[0] for stamps in found]
    return Errors(
        float(np.percentile(every, 50)), float(np.percentile(every, 99)), float(np.percentile(first, 99)),
        len(every),
    )  # fmt: skip


@contextmanager
def serving() -> Iterator[str]:
    """Serve the schedule from a process of its own; give its URL."""
    command = [
        sys.executable, "-m", "voicebench.fakes_server",
        f"--first-ms={FIRST_MS}", f"--every-ms={EVERY_MS}", f"--pieces={PIECES}",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def measured(client: str, case: Case) -> Errors:
    """Measure one client in a fresh process, against a fresh server."""
    with serving() as url:
        command = [sys.executable, __file__, f"--client={client}", f"--case={case.name}", f"--url={url}"]
        ran = subprocess.run(
            [*command, f"--rounds={case.rounds}"], stdout=subprocess.PIPE, text=True, check=True
        )
    return Errors(**json.loads(ran.stdout))


def emit(case: Case, **figures: object) -> None:
    """Print one result."""
    print(json.dumps({"bench": "clock", "case": case.name, **figures}), flush=True)


def compare(case: Case) -> None:
    """Measure ours, then each peer, and print what came out."""
    found = measured("ours", case)
    emit(
        case, peer=None, ours_s=_short(found.p99_s), limit_s=case.limit_s, same_result=None,
        ours_p50_s=_short(found.p50_s), ours_first_p99_s=_short(found.first_p99_s), pieces=found.pieces,
    )  # fmt: skip
    for peer in ("openai", "httpx"):
        if importlib.util.find_spec(peer) is None:
            print(f"{peer} is not installed", file=sys.stderr)
            continue
        theirs = measured(peer, case)
        emit(
            case, peer=peer, ours_s=_short(found.p99_s), peer_s=_short(theirs.p99_s),
            ratio=round(theirs.p99_s / found.p99_s, 2), same_result=None,
            peer_p50_s=_short(theirs.p50_s), peer_first_p99_s=_short(theirs.first_p99_s),
        )  # fmt: skip


def _short(seconds: float) -> float:
    return float(f"{seconds:.3g}")


def main() -> None:
    """Run the cases, or (for its own fresh processes) one client."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--client", choices=CLIENTS, help=argparse.SUPPRESS)
    parser.add_argument("--case", help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.client:
        [case] = (case for case in CASES if case.name == chosen.case)
        asked = Case(case.name, case.streams, chosen.rounds, case.limit_s)
        print(json.dumps(vars(errors(CLIENTS[chosen.client](chosen.url, asked)))))
        return
    for case in CASES:
        rounds = max(1, case.rounds // 3) if chosen.quick else case.rounds
        compare(Case(case.name, case.streams, rounds, case.limit_s))


if __name__ == "__main__":
    main()
