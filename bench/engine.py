"""Measure the engine: requests a second against a server that costs nothing, memory, resuming, and crashes.

Prints JSON lines. The server (`engine_peers/server.py`) runs in a process of its own and answers at once;
`server_per_s` is what it gives to bare sockets, so that it can be seen that it holds nobody up.

- `requests 2000 at 64`: ours is the whole of it: plan, prompts, requests, streams read and parsed, rows
  synced to disk, scores computed and written. Peers send the same chats: inspect_ai with its log and a scorer
  of its own; OpenAI's package in a plain loop that keeps nothing (the same streamed requests, and unstreamed
  ones); lm-eval with its start.
- `cached rerun 6000`: `voicebench eval` again, in a fresh process, when all is answered.
- `memory 50000`: the asking and scoring process, at its peak; after 10,000 and 50,000 answers.
- `help`: `voicebench --help`, over what Python itself takes to start.
- `kill 100`: the command, killed with SIGKILL at 100 random moments; then once to its end. Counted are rows
  that were on disk and are lost, rows that stand twice, and requests for what was on disk already, as the
  server saw them.

    python bench/engine.py
    python bench/engine.py --quick
    python bench/engine.py --only kill
"""

import argparse
import asyncio
import importlib.util
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

AT_ONCE = 64
TASKS = 6_000
FLAT_FROM, MEMORY_TRIALS = 10_000, 25
KILLS, LONGEST_LIFE_S, WAIT_MS = 100, 2.5, 300
# Of the seeds that it makes, one a task, no two are the same: each stands for its task.
SEED = 1
PEERS = {"inspect": "inspect_ai", "openai": "openai", "openai unstreamed": "openai", "lm-eval": "lm_eval"}
QUICK_PEERS = ("inspect", "openai")
GOALS = {"inspect": 20, "openai": 3}
FOLDER = Path(__file__).resolve().parent / "engine_peers"


def emit(case: str, **figures: object) -> None:
    """Print one result."""
    print(json.dumps({"bench": "engine", "case": case, **figures}), flush=True)


@contextmanager
def serving(*, wait_ms: float = 0.0) -> Iterator[str]:
    """Serve from a process of its own; give the base URL."""
    command = [sys.executable, str(FOLDER / "server.py"), f"--wait-ms={wait_ms}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def write_tasks(path: Path, n: int) -> None:
    """Write n tasks: the shipped English ones, over and over, each time with other ids."""
    from voicebench.shipped import data_folder

    lines = (data_folder() / "tasks" / "en.jsonl").read_text(encoding="utf-8").splitlines()
    shipped = [json.loads(line) for line in lines]
    rounds = -(-n // len(shipped))
    more = [
        json.dumps({**task, "id": f"{task['id']}-{number}", "twin": None}, ensure_ascii=False)
        for number in range(rounds)
        for task in shipped
    ]
    path.write_text("\n".join(more[:n]), encoding="utf-8")


# ---- Requests a second ----


def write_chats(path: Path, tasks: Path, n: int) -> None:
    """Write the chats that ours sends for the first tasks, for the peers to send."""
    from voicebench import prompts
    from voicebench.running.materials import Materials
    from voicebench.running.plan import plan
    from voicebench.tasks.read import read_tasks

    lines = []
    for item in plan(read_tasks(tasks)[:n], ["text"], Materials()):
        said = prompts.messages(item.request("peer", Materials(), with_gold=False))
        messages = [{"role": message.role, "content": message.content} for message in said]
        gold = item.task.expect.calls
        lines.append(json.dumps({"messages": messages, "target": gold[0].name if gold else "no"}))
    path.write_text("\n".join(lines), encoding="utf-8")


def ours(url: str, tasks: Path, n: int, trials: int) -> dict[str, Any]:
    """Ask and score in this process; return what it took."""
    import aiohttp  # noqa: F401 - the peers' packages, too, are imported before their time is taken

    from voicebench.running.candidates import candidate
    from voicebench.running.evaluate import Options, evaluate, score_run
    from voicebench.running.runs import opened
    from voicebench.running.watch import Snapshot, Watch
    from voicebench.tasks.read import read_tasks

    asked = read_tasks(tasks)[:n]
    chosen = candidate(f"fake+{url}#dummy")
    marks: dict[int, float] = {}

    def look(now: Snapshot) -> None:
        if now.done in (FLAT_FROM, now.total):
            marks[now.done] = _now_mb()

    with tempfile.TemporaryDirectory() as where:
        started_s = time.perf_counter()
        with opened(Path(where) / "run") as folder:
            options = Options(("text",), trials=trials, at_once=AT_ONCE)
            [outcome] = evaluate(folder, [chosen], asked, options, watch=Watch(look))
            asked_s = time.perf_counter() - started_s
            scored = score_run(folder)
            took_s = time.perf_counter() - started_s
    if outcome.asked != n * trials or outcome.errors or scored != n * trials:
        raise SystemExit(f"not all was answered: {outcome}, {scored} scored")
    return {"seconds": took_s, "asked_s": asked_s, "peak_mb": _peak_mb(), "marks": marks}


def requests(n: int, peers: tuple[str, ...]) -> None:
    """Race against the peers, each in a fresh process, against a fresh server."""
    case = f"requests {n} at {AT_ONCE}"
    with tempfile.TemporaryDirectory() as where:
        tasks, chats = Path(where) / "tasks.jsonl", Path(where) / "chats.jsonl"
        write_tasks(tasks, n)
        write_chats(chats, tasks, n)
        with serving() as url:
            bare = asyncio.run(bare_per_s(url, chats, max(n, 2000)))
        found = _ours(tasks, n)
        rate = n / found["seconds"]
        emit(
            case, peer=None, ours_per_s=round(rate), goal=1000, same_result=None,
            asking_per_s=round(n / found["asked_s"]), server_per_s=round(bare),
        )  # fmt: skip
        for peer in peers:
            if importlib.util.find_spec(PEERS[peer]) is None:
                print(f"{peer} is not installed", file=sys.stderr)
                continue
            with serving() as url:
                told = _json_of(
                    str(FOLDER / "clients.py"),
                    peer,
                    f"--url={url}",
                    f"--chats={chats}",
                    f"--at-once={AT_ONCE}",
                )
            if told["answers"] != n:
                raise SystemExit(f"{peer}: {told['answers']} answers of {n}")
            theirs = n / told["seconds"]
            emit(
                case, peer=peer, ours_per_s=round(rate), peer_per_s=round(theirs, 1),
                ratio=round(rate / theirs, 2), same_result=None,
                **({"goal": GOALS[peer]} if peer in GOALS else {}),
            )  # fmt: skip


async def bare_per_s(url: str, chats: Path, n: int) -> float:
    """Return the requests a second that the server answers to bare sockets, streams read to their end."""
    place = urlsplit(url)
    chat = json.loads(chats.read_text(encoding="utf-8").splitlines()[0])
    body = json.dumps({"messages": chat["messages"], "seed": 1, "stream": True}).encode()
    head = f"POST {place.path}/chat/completions HTTP/1.1\r\nHost: {place.netloc}\r\n"
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    async def one(times: int) -> None:
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        for _ in range(times):
            writer.write(request)
            await reader.readuntil(b"\r\n0\r\n\r\n")
        writer.close()

    started_s = time.perf_counter()
    await asyncio.gather(*(one(n // AT_ONCE) for _ in range(AT_ONCE)))
    return n // AT_ONCE * AT_ONCE / (time.perf_counter() - started_s)


# ---- Memory, resuming, starting ----


def memory(n: int = 2_000, trials: int = MEMORY_TRIALS) -> None:
    """Ask 50,000 requests and look at the process's memory."""
    with tempfile.TemporaryDirectory() as where:
        tasks = Path(where) / "tasks.jsonl"
        write_tasks(tasks, n)
        found = _ours(tasks, n, trials)
    marks = {int(done): round(mb, 1) for done, mb in found["marks"].items()}
    emit(
        f"memory {n * trials}", peer=None, ours_mb=round(found["peak_mb"], 1), limit_mb=150, same_result=None,
        at_10000_mb=marks[FLAT_FROM], at_end_mb=marks[n * trials],
        ours_per_s=round(n * trials / found["seconds"]),
    )  # fmt: skip


def cached(n: int = TASKS) -> None:
    """Answer all once, then time the same command again: the best of three."""
    with tempfile.TemporaryDirectory() as where, serving() as url:
        tasks = Path(where) / "tasks.jsonl"
        write_tasks(tasks, n)
        command = eval_command(url, tasks, Path(where) / "run")
        subprocess.run(command, check=True, capture_output=True)
        seconds = []
        for _ in range(3):
            started_s = time.perf_counter()
            ran = subprocess.run(command, check=True, capture_output=True, text=True)
            seconds.append(time.perf_counter() - started_s)
    if f"0 asked, {n} kept" not in ran.stdout:
        raise SystemExit(f"not all was kept: {ran.stdout}")
    emit(f"cached rerun {n}", peer=None, ours_s=round(min(seconds), 2), limit_s=2, same_result=None)


def help_() -> None:
    """Time `voicebench --help` over bare Python: the best of nine each."""
    shown = min(_seconds_of("-m", "voicebench", "--help") for _ in range(9))
    bare = min(_seconds_of("-c", "pass") for _ in range(9))
    emit("help", peer=None, ours_s=round(shown - bare, 3), limit_s=0.3, same_result=None)


# ---- Crashes ----


def kill(times: int = KILLS, n: int = TASKS, seed: int = 6) -> None:
    """Kill the command again and again; then let it end, and count what is wrong."""
    moments = random.Random(seed)
    lost = again = killed = 0
    with tempfile.TemporaryDirectory() as where, serving(wait_ms=WAIT_MS) as url:
        tasks, run = Path(where) / "tasks.jsonl", Path(where) / "run"
        write_tasks(tasks, n)
        command = eval_command(url, tasks, run)
        finished: dict[int, str] = {}
        seen = 0
        for life in range(times + 1):
            with subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            ) as process:
                try:
                    process.wait(moments.uniform(0, LONGEST_LIFE_S) if life < times else None)
                except subprocess.TimeoutExpired:
                    process.kill()
                    killed += 1
            # What the killed process had sent may still be on its way.
            time.sleep(0.05)
            sent = seeds(url, seen)
            seen += len(sent)
            again += sum(seed in finished for seed in sent)
            now = rows(run / "responses.jsonl")
            lost += sum(now.get(seed) != line for seed, line in finished.items())
            finished = now
            if process.returncode not in (0, -9):
                raise SystemExit(f"the command ended with {process.returncode}")
        lines = (run / "responses.jsonl").read_text(encoding="utf-8").splitlines()
        keys = Counter(json.loads(line)["task_id"] for line in lines)
        scored = (run / "scores.jsonl").read_bytes().count(b"\n")
    if len(keys) != n or scored != n:
        raise SystemExit(f"the run did not end: {len(keys)} answers, {scored} scores")
    emit(
        f"kill {times}", peer=None, same_result=lost == again == 0 and len(lines) == n,
        ours=f"{killed} killed, {lost} lost, {len(lines) - n} twice, {again} sent again",
        lost=lost, twice=len(lines) - n, sent_again=again, killed=killed, requests=seen,
    )  # fmt: skip


def rows(path: Path) -> dict[int, str]:
    """Return the whole lines of a responses file by the seed that their request carried."""
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    found = {json.loads(line)["seed"]: line for line in lines}
    if len(found) != len(lines):
        raise SystemExit(f"{path}: a row stands twice, or two tasks have one seed")
    return found


def seeds(url: str, start: int) -> list[int]:
    """Return the seeds of the requests that the server got, from one on."""
    with urllib.request.urlopen(f"{url}/seeds?from={start}") as answer:
        found: list[int] = json.load(answer)
    return found


def eval_command(url: str, tasks: Path, run: Path) -> list[str]:
    """Return the command that asks all tasks."""
    return [
        sys.executable, "-m", "voicebench", "eval", f"--model=fake+{url}#dummy", f"--tasks={tasks}",
        "--condition=text", f"--concurrency={AT_ONCE}", f"--run={run}", f"--seed={SEED}",
    ]  # fmt: skip


# ---- Processes ----


def _ours(tasks: Path, n: int, trials: int = 1) -> dict[str, Any]:
    with serving() as url:
        return _json_of(__file__, f"--ours={url}", f"--tasks={tasks}", f"--n={n}", f"--trials={trials}")


def _json_of(*words: str) -> Any:
    ran = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(ran.stdout.splitlines()[-1])


def _seconds_of(*words: str) -> float:
    started_s = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started_s


def _now_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


CASES = ("requests", "cached", "memory", "help", "kill")


def main() -> None:
    """Run the cases, or (for its own fresh processes) ours alone."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="requests and the cached rerun, fewer of them")
    parser.add_argument("--only", choices=CASES)
    parser.add_argument("--kills", type=int, default=KILLS, help="of the case kill")
    parser.add_argument("--ours", metavar="URL", help=argparse.SUPPRESS)
    parser.add_argument("--tasks", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--n", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--trials", type=int, default=1, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ours:
        print(json.dumps(ours(given.ours, given.tasks, given.n, given.trials)))
        return
    wanted = [given.only] if given.only else ["requests", "cached"] if given.quick else list(CASES)
    for case in wanted:
        if case == "requests":
            requests(300 if given.quick else 2_000, QUICK_PEERS if given.quick else tuple(PEERS))
        elif case == "cached":
            cached()
        elif case == "memory":
            memory()
        elif case == "help":
            help_()
        else:
            kill(given.kills)


if __name__ == "__main__":
    main()
