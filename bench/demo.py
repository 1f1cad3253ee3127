"""Measure `make demo` as a new user meets it: a fresh clone, an empty cache, then a second run.

Prints JSON lines: `first run` and `second run` (ours_s against the limit), `disk` (ours_mb against the limit)
and `tool selection en|hi` (ours against the goal; text condition, the items that ask for one call).

    python bench/demo.py            # clones HEAD, about ten minutes
    python bench/demo.py --quick    # reads the demo that lies in ./voicebench-demo
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DEMO = "voicebench-demo"
ONE_CALL = {"single", "retrieval", "dialogue"}
LIMIT_S, LIMIT_MB, GOALS = 600.0, 1500.0, {"en": 0.7, "hi": 0.5}


def emit(case: str, **figures: Any) -> None:
    """Print one result."""
    print(json.dumps({"bench": "demo", "case": case, **figures, "same_result": None}), flush=True)


def size_mb(*folders: Path) -> float:
    """Return what folders take on disk in MB (10^6 bytes), hard links counted once."""
    seen: dict[tuple[int, int], int] = {}
    for folder in folders:
        for path in folder.rglob("*"):
            status = path.lstat()
            seen[(status.st_dev, status.st_ino)] = status.st_blocks * 512
    return sum(seen.values()) / 1e6


def timed(command: list[str], where: Path, environment: dict[str, str]) -> float:
    """Run a command and return its wall time in seconds; its output goes to standard error."""
    start = time.perf_counter()
    subprocess.run(command, cwd=where, env=environment, stdout=sys.stderr, check=True)
    return time.perf_counter() - start


def tool_selection(demo: Path) -> dict[str, tuple[float, int, str]]:
    """Return the best agent's mean tool selection by language: (mean, n, agent)."""
    tasks = {row["id"]: row for row in read_lines(demo / "tasks.jsonl")}
    sums: dict[tuple[str, str], list[int]] = {}
    for row in read_lines(demo / "scores.jsonl"):
        asked = tasks[row["task_id"]]
        scored = row.get("tool_selection") is not None
        if row["condition"] == "text" and asked["task"] in ONE_CALL and scored:
            sums.setdefault((row["lang"], row["agent"]), []).append(row["tool_selection"])
    best: dict[str, tuple[float, int, str]] = {}
    for (lang, agent), values in sums.items():
        best[lang] = max(best.get(lang, (-1.0, 0, "")), (sum(values) / len(values), len(values), agent))
    return best


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def emit_goals(demo: Path) -> None:
    """Print tool selection against its goals."""
    for lang, (mean, n, agent) in sorted(tool_selection(demo).items()):
        emit(f"tool selection {lang}", ours=round(mean, 3), goal=GOALS[lang], n=n, agent=agent)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="read ./voicebench-demo instead of making it")
    if parser.parse_args().quick:
        if (ROOT / DEMO / "scores.jsonl").is_file():
            emit_goals(ROOT / DEMO)
        return
    with tempfile.TemporaryDirectory(prefix="voicebench-demo-") as folder:
        clone, cache, home = (Path(folder) / name for name in ("clone", "cache", "home"))
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        environment = {**os.environ, "VOICEBENCH_CACHE": str(cache), "HOME": str(home)}
        before = size_mb(clone)
        install_s = timed(["make", ".venv/installed"], clone, environment)
        emit("install", ours_s=round(install_s, 1))
        fetch_s = timed([".venv/bin/voicebench", "models", "fetch", "offline"], clone, environment)
        emit("fetch weights", ours_s=round(fetch_s, 1))
        first_s = timed(["make", "demo"], clone, environment)
        emit("first run", ours_s=round(first_s, 1), limit_s=LIMIT_S)
        emit("second run", ours_s=round(timed(["make", "demo"], clone, environment), 1))
        emit("disk", ours_mb=round(size_mb(clone, cache, home) - before), limit_mb=LIMIT_MB)
        emit_goals(clone / DEMO)
        shutil.rmtree(ROOT / DEMO, ignore_errors=True)
        shutil.copytree(clone / DEMO, ROOT / DEMO)


if __name__ == "__main__":
    main()
