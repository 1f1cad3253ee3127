"""Run the benchmarks, keep their results, and write docs/performance.md from all that is kept.

    python bench/run.py                 # all scripts in full
    python bench/run.py --quick         # each script's quick cases
    python bench/run.py --only scoring  # one script
    python bench/run.py --page          # only write the page again

Results are JSON lines in bench/results/<device>.jsonl; a case measured again replaces its old line. Machines
are shared, so the page quotes ratios within one run and no bare seconds, except where a limit is in seconds.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
PAGE = ROOT / "docs" / "performance.md"
SCRIPTS = (
    "engine",
    "ray_nodes",
    "faults",
    "scoring",
    "statistics",
    "report",
    "sampling",
    "embedding",
    "effects",
    "agents",
    "clock",
    "demo",
)
Result = dict[str, Any]
LIMITS = {"limit_s": "≤ {} s", "limit_mb": "≤ {} MB", "limit_us": "≤ {} µs", "goal": "≥ {}"}


def device() -> str:
    """Return a file name for this machine's kind."""
    return f"cpu-{platform.machine()}-{len(os.sched_getaffinity(0))}-cores"


def run(script: str, *, quick: bool) -> list[Result]:
    """Run one script and return its results; its messages go to standard error."""
    command = [sys.executable, str(ROOT / "bench" / f"{script}.py"), *(["--quick"] if quick else [])]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    today = datetime.now(UTC).date().isoformat()
    lines = [line for line in ran.stdout.splitlines() if line.startswith("{")]
    return [{**json.loads(line), "date": today} for line in lines]


def key(result: Result) -> tuple[str, str, str]:
    """Return what makes a result the same measurement."""
    return (result["bench"], result["case"], str(result.get("peer") or ""))


def keep(results: Iterable[Result]) -> None:
    """Put results into this device's file, over older ones of the same key."""
    path = RESULTS / f"{device()}.jsonl"
    kept = {key(result): result for result in read(path)}
    kept |= {key(result): result for result in results}
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(kept[name], ensure_ascii=False) for name in sorted(kept)]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def read(path: Path) -> list[Result]:
    """Read a results file; empty where there is none."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def page() -> str:
    """Return docs/performance.md from all kept results."""
    lines = [
        "# Performance",
        "",
        "Made by `make bench` from the results kept in `bench/results/`; do not edit. A ratio above 1 means",
        "that ours is faster than the peer **in the same run**; machines are shared, so bare seconds are",
        "left out except where a limit is set in seconds. `same`: whether both gave the same result.",
    ]
    for path in sorted(RESULTS.glob("*.jsonl")):
        results = read(path)
        lines += ["", f"## {path.stem}"]
        races = [result for result in results if result.get("ratio") is not None]
        limits = [result for result in results if result.get("ratio") is None]
        if races:
            lines += ["", "| bench | case | peer | ratio | same | date |", "|---|---|---|---:|---|---|"]
            lines += [
                f"| {r['bench']} | {r['case']} | {r['peer']} | {r['ratio']:.2f} | {_same(r)} | {r['date']} |"
                for r in races
            ]
        if limits:
            lines += ["", "| bench | case | measured | limit or goal | date |", "|---|---|---|---|---|"]
            lines += [
                f"| {r['bench']} | {r['case']} | {_measured(r)} | {_limit(r)} | {r['date']} |" for r in limits
            ]
    return "\n".join(lines) + "\n"


def _same(result: Result) -> str:
    return {True: "yes", False: "**no**", None: "–"}[result.get("same_result")]


def _measured(result: Result) -> str:
    units = {"ours_s": " s", "ours_mb": " MB", "ours_us": " µs", "ours_per_s": " /s", "ours": ""}
    for name, unit in units.items():
        if result.get(name) is not None:
            extra = f" (n = {result['n']}, {result['agent']})" if "agent" in result else ""
            return f"{result[name]}{unit}{extra}"
    return "–"


def _limit(result: Result) -> str:
    for name, text in LIMITS.items():
        if result.get(name) is not None:
            return text.format(f"{result[name]:g}")
    return "–"


def main() -> None:
    """Run what was asked for and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=SCRIPTS)
    parser.add_argument("--page", action="store_true", help="only write docs/performance.md")
    chosen = parser.parse_args()
    if not chosen.page:
        for script in [chosen.only] if chosen.only else SCRIPTS:
            keep(run(script, quick=chosen.quick))
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
