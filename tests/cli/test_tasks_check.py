"""`voicebench tasks check`: its problems, its remarks, and the reasons it has."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


def write(path: Path, **changes: Any) -> None:
    row = {
        "id": "mine",
        "task": "single",
        "lang": "hi",
        "turns": [{"role": "user", "text": "जयनगर से मैसूर तक रिक्शा बुलाओ"}],
        "tools": ["cab.book_ride", "cab.get_fare"],
        "expect": {
            "calls": [
                {
                    "name": "cab.book_ride",
                    "arguments": {"pickup": ["जयनगर"], "dropoff": ["Mysuru", "मैसूर"], "vehicle": ["auto"]},
                }
            ]
        },
        **changes,
    }
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    write(path)
    return path


def test_what_others_tasks_lack_is_remarked(run: Run, mine: Path) -> None:
    ran = run("tasks", "check", "mine.jsonl")
    assert (ran.exit_code, ran.stdout) == (0, "no problem found\n")
    assert "nobody says vehicle 'auto'" in ran.stderr
    assert ran.stderr.endswith("(a remark; --strict makes it a problem)\n")


def test_strict_makes_a_remark_a_problem(run: Run, mine: Path) -> None:
    ran = run("tasks", "check", "mine.jsonl", "--strict")
    assert ran.exit_code == 1
    assert ran.stdout.startswith("mine.jsonl:1: expect.calls[0] cab.book_ride: nobody says vehicle 'auto'.")
    assert ran.stderr == "1 problem\n"


def test_why_prints_the_reason_of_each_value(run: Run, mine: Path) -> None:
    write(mine, meta={"said": {"0.vehicle": "रिक्शा"}})
    table = run("tasks", "check", "mine.jsonl", "--why").stdout.splitlines()
    assert table[0].split() == ["task", "place", "value", "why", "turn", "words"]
    assert table[3].split() == ["mine", "0.vehicle", "auto", "said", "in", "other", "words", "0", "रिक्शा"]
    rows = json.loads(run("tasks", "check", "mine.jsonl", "--why", "--json").stdout)
    assert rows[1] == {
        "task": "mine", "place": "0.dropoff", "value": "Mysuru", "why": "said", "turn": 0, "words": "मैसूर",
    }  # fmt: skip


def test_balance_prints_every_promise(run: Run, mine: Path) -> None:
    ran = run("tasks", "check", "mine.jsonl", "--balance", "--quick", "--json")
    assert ran.exit_code == 1
    rows = json.loads(ran.stdout)
    assert {row["promise"] for row in rows} == {"kept", "not kept"}
    assert "hi: single tasks: 1, promised at least 60" in ran.stderr
