"""Measure the demo's two agents on all shipped tasks that ask for one call.

Prints JSON lines with their tool selection (ours against the goal of the better agent) for each agent,
read as text. `--quick` asks two tasks of each kind and language.

    python bench/agents.py
"""

import argparse
import json
import sys
import time

from voicebench.demo import PROMPTING, RETRIEVES, SHOWN_ALL
from voicebench.running.candidates import candidate
from voicebench.running.materials import Materials
from voicebench.running.plan import plan
from voicebench.scoring.score import score
from voicebench.tasks.read import first_of_each, read_tasks

ONE_CALL = ("single", "retrieval", "dialogue")
GOALS = {"en": 0.7, "hi": 0.5}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="two tasks of each kind and language")
    quick = parser.parse_args().quick
    for name in (RETRIEVES,) if quick else (RETRIEVES, SHOWN_ALL):
        chosen = candidate(name, offline_first=True)
        agent = chosen.make()
        for lang, goal in GOALS.items():
            tasks = read_tasks(langs=[lang], kinds=ONE_CALL)
            tasks = first_of_each(tasks, 2) if quick else tasks
            planned = plan(tasks, ["text"], Materials(), prompting=PROMPTING)
            start = time.perf_counter()
            answers = agent.respond([item.request(name, Materials(), with_gold=False) for item in planned])
            seconds = time.perf_counter() - start
            figures = [
                score(item.task, answer).tool_selection for item, answer in zip(planned, answers, strict=True)
            ]
            scored = [figure for figure in figures if figure is not None]
            print(f"{name} {lang}: {seconds / len(planned):.2f} s an answer", file=sys.stderr)
            which = "some" if quick else "all"
            result = {
                "bench": "agents", "case": f"tool selection {lang}, {which} tasks of one call",
                "peer": name, "ours": round(sum(scored) / len(scored), 3), "n": len(scored), "agent": name,
                **({"goal": goal} if name == RETRIEVES else {}), "same_result": None,
            }  # fmt: skip
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
