"""Let everything fail that a run leans on, in a long form, and count what is lost or asked for nothing.

Prints a JSON line a fault: what was done, what the user sees last, and whether all came out right. The short
forms of these are tests (`tests/running/test_faults_*`, `test_workers`, `test_ray_engine`).

- `limited, told` / `limited, untold`: the server answers 429 for a minute, with and without saying how long
  to wait, then well. Counted is how often it was asked in vain.
- `drops`, `stalls`, `truncates`, `babbles`: one request in ten goes wrong so; then the command again. Counted
  are rows that failed first, and requests for rows that had not.
- `hangs`: the only server takes requests and answers none, from one on. `one of two hangs`: the other one is
  well.
- `clock backwards`: the clock of the process jumps back an hour each time that it is read.
- `disk full`: a file system of memory that is too small, made larger in steps; `read only`: one of that kind.
- `worker killed`: SIGKILL for a worker process at random moments. `worker leaks`: one that dies whenever
  it has taken too much memory.
- `node vanishes`: a node of a Ray cluster is gone, three times (where Ray is installed).

    python bench/faults.py
    python bench/faults.py --quick           # a tenth of the minute, fewer requests
    python bench/faults.py --only "limited, told"
"""

import argparse
import importlib.util
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from voicebench.fakes_server import Behaviour, FakeServer, Schedule
from voicebench.types import InputTurn, ModelRef, Request, Response

ROOT = Path(__file__).resolve().parent.parent
MINUTE_S, TASKS, KILLS, SEED = 60.0, 600, 20, 1
LEAK_BYTES, ROOM_BYTES = 4 << 20, 100 << 20
BACKWARDS = """
import itertools, sys, time
hours = itertools.count()
began_s = time.time()
time.time = lambda: began_s - 3600.0 * next(hours)
sys.argv[0] = "voicebench"
from voicebench.cli.main import run
run()
"""


def emit(case: str, *, is_right: bool, seen: str, **figures: object) -> None:
    """Print one result."""
    told = [f"{name.replace('_', ' ')} {figure}" for name, figure in figures.items()]
    ours = ", ".join(["nothing lost" if is_right else "WRONG", *told])
    line = {"bench": "faults", "case": case, "peer": None, "same_result": is_right, "ours": ours, **figures}
    print(json.dumps({**line, "seen": seen}, ensure_ascii=False), flush=True)


class Failing(FakeServer):
    """A server whose model "m" behaves as a rule says, given how many requests it had and since when."""

    def __init__(self, choose: Callable[[int, float], str], **options: Any) -> None:
        """Take the rule."""
        untold = Behaviour("limits the rate", 429)
        told = Behaviour("limits the rate and says for how long", 429, {"Retry-After": "2"})
        more = {"m": Behaviour("as it is told"), "untold": untold, "told": told}
        super().__init__(behaviours=more, **options)
        self._choose = choose
        self.counted: Counter[str] = Counter()
        self._first_s: float | None = None

    def _now(self, model: str) -> Behaviour | None:
        if model != "m":
            return super()._now(model)
        self._first_s = self._first_s or time.monotonic()
        name = self._choose(self.counted.total(), time.monotonic() - self._first_s)
        self.counted[name] += 1
        return self._behaviours[name]


def command(run: Path, model: str, n: int, *more: str) -> list[str]:
    """Return the arguments that ask n tasks; each task's seed is its own."""
    return [
        "eval", f"--model={model}", "--lang=en", "--task=single", "--limit=20", "--condition=text",
        f"--trials={max(1, n // 20)}", f"--run={run}", f"--seed={SEED}", "--no-score", *more,
    ]  # fmt: skip


def ran(words: Sequence[str], code: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    how = ["-m", "voicebench"] if code is None else ["-c", code]
    return subprocess.run([sys.executable, *how, *words], capture_output=True, text=True, check=False)


def last_line(process: subprocess.CompletedProcess[str]) -> str:
    """Return what the user sees last, without what differs each time."""
    said = process.stderr if process.returncode else process.stdout
    lines = [line for line in said.strip().splitlines() if not line.startswith("Next:")]
    return re.sub(r"127\.0\.0\.1:\d+", "HOST", re.sub(r"/tmp/[^ :]*/", "", lines[-1] if lines else ""))


def rows(run: Path) -> dict[int, dict[str, Any]]:
    """Return a run's rows by their seed; the last of each counts."""
    path = run / "responses.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.is_file() else []
    found = [json.loads(line) for line in lines]
    return {row["seed"]: row for row in found}


def well(run: Path) -> set[int]:
    """Return the seeds of the rows without an error."""
    return {seed for seed, row in rows(run).items() if not row.get("error")}


def asked(server: FakeServer) -> list[int]:
    """Return the seeds of the requests so far."""
    return [one.body["seed"] for one in server.asked if "seed" in one.body]


# ---- Servers ----


def limited(case: str, where: Path, n: int, minute_s: float) -> None:
    """Limit the rate for a minute."""
    kind = "told" if case == "limited, told" else "untold"
    with Failing(lambda count, since_s: kind if since_s < minute_s else "fake") as server:
        began_s = time.monotonic()
        process = ran(command(where / "r", f"fake+{server.url}#m", n))
        took_s = time.monotonic() - began_s
        counted = server.counted
    is_right = process.returncode == 0 and len(well(where / "r")) == n == counted["fake"]
    emit(
        case, is_right=is_right, seen=last_line(process), in_vain=counted[kind], took_s=round(took_s, 1),
        minute_s=minute_s,
    )  # fmt: skip


FAULTS = {
    "drops": ("drops", "hangs-up"),
    "stalls": ("stalls", "silent"),
    "truncates": ("truncated", "no-finish"),
    "babbles": ("garbage", "no-http", "error-in-stream", "endless"),
}


def sometimes(case: str, where: Path, n: int, minute_s: float) -> None:
    """Let one request in ten go wrong, and then none."""
    kinds, draw, is_ill = FAULTS[case], random.Random(SEED), [True]

    def choose(count: int, since_s: float) -> str:
        return draw.choice(kinds) if is_ill[0] and draw.random() < 0.1 else "fake"

    with Failing(choose) as server:
        words = command(where / "r", f"fake+{server.url}#m&timeout_s=1", n)
        first = ran(words)
        finished = well(where / "r")
        failed = len(rows(where / "r")) - len(finished)
        is_ill[0] = False
        server.forget()
        second = ran(words)
        again = len(finished & set(asked(server)))
    is_right = first.returncode == second.returncode == 0 and not again and len(well(where / "r")) == n
    emit(case, is_right=is_right, seen=last_line(first), failed_first=failed, asked_again_in_vain=again)


def hangs(case: str, where: Path, n: int, minute_s: float) -> None:
    """Let the only server hang from the hundredth request on; then let it be well."""
    is_ill = [True]
    with Failing(lambda count, since_s: "silent" if is_ill[0] and count >= 100 else "fake") as server:
        words = command(where / "r", f"fake+{server.url}#m&timeout_s=5", n)
        began_s = time.monotonic()
        first = ran(words)
        took_s = time.monotonic() - began_s
        finished, held = well(where / "r"), len(rows(where / "r"))
        is_ill[0] = False
        server.forget()
        second = ran(words)
        again = len(finished & set(asked(server)))
    is_right = (first.returncode, second.returncode, again) == (1, 0, 0) and len(finished) >= 90
    emit(
        case, is_right=is_right and held < n and len(well(where / "r")) == n, seen=last_line(first),
        took_s=round(took_s, 1), failed=held - len(finished), asked_again_in_vain=again,
    )  # fmt: skip


def one_hangs(case: str, where: Path, n: int, minute_s: float) -> None:
    """Let one of two servers hang from its fiftieth request on."""
    with (
        FakeServer(behaviours={"m": Behaviour("is well")}, schedule=Schedule(first_s=0.05)) as other,
        Failing(lambda count, since_s: "silent" if count >= 50 else "fake") as ill,
    ):
        began_s = time.monotonic()
        process = ran(command(where / "r", f"fake+{ill.url},{other.url}#m&timeout_s=60", n))
        took_s = time.monotonic() - began_s
        in_vain = ill.counted["silent"]
    is_right = process.returncode == 0 and len(well(where / "r")) == n
    emit(case, is_right=is_right, seen=last_line(process), in_vain=in_vain, took_s=round(took_s, 1))


# ---- This machine ----


def clock(case: str, where: Path, n: int, minute_s: float) -> None:
    """Let the clock run backwards, with a server that limits the rate now and then."""
    with Failing(lambda count, since_s: "told" if count in (50, 100) else "fake") as server:
        words = command(where / "r", f"fake+{server.url}#m", n)
        first, second = (ran(words, BACKWARDS) for _ in range(2))
        times = len(server.asked)
    is_right = first.returncode == second.returncode == 0 and len(well(where / "r")) == n == times - 2
    emit(case, is_right=is_right, seen=last_line(second))


@contextmanager
def mounted(path: Path, options: str) -> Iterator[bool]:
    """Mount a file system of memory; yield whether that could be done."""
    path.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)]
    is_done = subprocess.run(words, capture_output=True, check=False).returncode == 0
    try:
        yield is_done
    finally:
        if is_done:
            subprocess.run(["umount", str(path)], check=False)


def disk(case: str, where: Path, n: int, minute_s: float) -> None:
    """Run on a disk that is too small, made larger until all fits."""
    run, again, seen, ends = where / "r", 0, "", []
    with mounted(run, "size=64k") as is_there, Failing(lambda count, since_s: "fake") as server:
        if not is_there:
            print("file systems cannot be mounted here", file=sys.stderr)
            return
        for size in ("64k", "128k", "256k", "64m"):
            subprocess.run(["mount", "-o", f"remount,size={size}", str(run)], check=True)
            finished = well(run)
            server.forget()
            process = ran(command(run, f"fake+{server.url}#m", n))
            again += len(finished & set(asked(server)))
            ends.append(process.returncode)
            seen = seen or last_line(process)
        is_right = ends[0] == 2 and ends[-1] == 0 and not again and len(well(run)) == n
    emit(case, is_right=is_right, seen=seen, asked_again_in_vain=again, ends=ends)


def read_only(case: str, where: Path, n: int, minute_s: float) -> None:
    """Run where nothing can be written."""
    with mounted(where / "r", "size=1m,ro") as is_there, Failing(lambda count, since_s: "fake") as server:
        if not is_there:
            print("file systems cannot be mounted here", file=sys.stderr)
            return
        process = ran(command(where / "r", f"fake+{server.url}#m", n))
        emit(case, is_right=process.returncode == 2 and not asked(server), seen=last_line(process))


def killed(case: str, where: Path, n: int, minute_s: float) -> None:
    """Kill worker processes at random moments; compare with a run without workers."""
    n, moments, times = n * 100, random.Random(SEED), 0
    words = [
        sys.executable,
        "-m",
        "voicebench",
        *command(where / "r", "random", n),
        "--workers=2",
        "--device=cpu",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while process.poll() is None and times < KILLS:
            time.sleep(moments.uniform(0.5, 3.0))
            if there := _workers_of(process.pid):
                os.kill(moments.choice(there), signal.SIGKILL)
                times += 1
        said, _ = process.communicate()
    ran(command(where / "alone", "random", n))
    is_right = process.returncode == 0 and _same(where / "r", where / "alone")
    emit(case, is_right=is_right, seen=said.strip().splitlines()[0] if said else "", killed=times)


def _same(one: Path, other: Path) -> bool:
    lines = [sorted((run / "responses.jsonl").read_bytes().splitlines()) for run in (one, other)]
    return lines[0] == lines[1]


def _workers_of(pid: int) -> list[int]:
    children = [path.read_text(encoding="ascii") for path in Path(f"/proc/{pid}/task").glob("*/children")]
    numbers = [int(number) for line in children for number in line.split()]
    return [number for number in numbers if b"spawn_main" in Path(f"/proc/{number}/cmdline").read_bytes()]


class Leaks:
    """An agent that keeps memory with each answer, and is killed once that is too much."""

    model = ModelRef(name="leaks", revision="1")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._kept: list[bytes] = []

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer with the seed."""
        self._kept += [bytes(LEAK_BYTES) for _ in requests]
        if len(self._kept) * LEAK_BYTES > ROOM_BYTES:
            os.kill(os.getpid(), signal.SIGKILL)
        return [request.answer(text=str(request.seed)) for request in requests]


class Steady(Leaks):
    """The same, and takes its time instead."""

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer with the seed."""
        time.sleep(0.05)
        return [request.answer(text=str(request.seed)) for request in requests]


def _wanted(n: int) -> list[Any]:
    from voicebench.running.wanted import Wanted

    turns = (InputTurn("user", "काम"),)
    made = [Request(f"t{place:05}", "x", "text", 0, "hi", turns, (), seed=place) for place in range(n)]
    return [Wanted(0.0, partial(_itself, request)) for request in made]


def _itself(request: Request) -> Request:
    return request


def leaks(case: str, where: Path, n: int, minute_s: float) -> None:
    """Ask an agent that leaks, in two processes."""
    from voicebench.running.wanted import Answer
    from voicebench.running.workers import Seat, WorkersAsker

    found: dict[int, Answer] = {}
    WorkersAsker([Seat("cpu", Leaks)] * 2).answer(_wanted(n), found.__setitem__)
    seen = "a worker on cpu died (killed by SIGKILL, as when memory runs out); another one takes over"
    emit(case, is_right=_all_there(found, n), seen=seen, deaths_about=n * LEAK_BYTES // ROOM_BYTES)


def _all_there(found: dict[int, Any], n: int) -> bool:
    texts = [getattr(found.get(place), "text", None) for place in range(n)]
    return texts == [str(place) for place in range(n)]


def vanishes(case: str, where: Path, n: int, minute_s: float) -> None:
    """Take nodes away from a Ray cluster while they work."""
    if importlib.util.find_spec("ray") is None:
        print("ray is not installed", file=sys.stderr)
        return
    import ray
    from ray.cluster_utils import Cluster as Nodes

    from voicebench.clusters import Cluster
    from voicebench.running.ray_engine import RayAsker
    from voicebench.running.wanted import Answer

    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    found: dict[int, Answer] = {}
    try:
        extra = [nodes.add_node(num_cpus=1) for _ in range(2)]
        ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
        ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])

        def take(place: int, answer: Answer) -> None:
            found[place] = answer
            if len(found) in (n // 4, n // 2, 3 * n // 4):
                nodes.remove_node(extra.pop(0), allow_graceful=False)
                extra.append(nodes.add_node(num_cpus=1))

        RayAsker(Steady, Cluster(actors=3)).answer(_wanted(n), take)
    finally:
        ray.shutdown()
        nodes.shutdown()
    seen = "a worker died (The actor died …); another one takes over"
    emit(case, is_right=_all_there(found, n), seen=seen, nodes_lost=3)


CASES: dict[str, Callable[[str, Path, int, float], None]] = {
    "limited, told": limited,
    "limited, untold": limited,
    **dict.fromkeys(FAULTS, sometimes),
    "hangs": hangs,
    "one of two hangs": one_hangs,
    "clock backwards": clock,
    "disk full": disk,
    "read only": read_only,
    "worker killed": killed,
    "worker leaks": leaks,
    "node vanishes": vanishes,
}


def main() -> None:
    """Run the cases."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the minute, fewer requests")
    parser.add_argument("--only", choices=CASES)
    given = parser.parse_args()
    n, minute_s = (200, MINUTE_S / 10) if given.quick else (TASKS, MINUTE_S)
    for case in [given.only] if given.only else CASES:
        with tempfile.TemporaryDirectory() as where:
            CASES[case](case, Path(where), n, minute_s)


if __name__ == "__main__":
    main()
