"""Result files for tests: those that ship with them, and small ones made on the spot."""

import json
from pathlib import Path
from typing import Any

FILES = Path(__file__).parents[1] / "data" / "tau2"
SHARED = Path(__file__).parents[3] / "shared" / "data"


def write(path: Path, data: Any) -> Path:
    """Write a JSON file and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return path


def simulation(task: str | int, trial: int | None, reward: float | None, **more: Any) -> dict[str, Any]:
    """One simulation as τ²-bench stores it; `end`, `basis`, `parts` and `nl` say how it went."""
    verdict = {
        "reward": reward,
        "db_check": None,
        "nl_assertions": more.pop("nl", None),
        "reward_basis": more.pop("basis", None),
        "reward_breakdown": more.pop("parts", None),
    }
    return {
        "id": f"{task}-{trial}",
        "task_id": task,
        "trial": trial,
        "termination_reason": more.pop("end", "user_stop"),
        "reward_info": None if reward is None else verdict,
        "messages": [{"role": "user", "content": "ขอคืนสินค้า"}],
        **more,
    }


def results(simulations: list[dict[str, Any]], num_trials: int = 1, **more: Any) -> dict[str, Any]:
    """A result file with the fewest keys that one may have."""
    return {"info": {"num_trials": num_trials}, "tasks": [], "simulations": simulations, **more}
