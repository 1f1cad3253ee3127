"""Measure reading, checking and matching one call, against pydantic models built per item and jsonschema.

Prints JSON lines. `call`: seconds a call, ours with matching included, the peers without (they have none);
`same_result` says whether both found the same calls to fit their schema. `call, reading to matching`: the
same time against its limit. `stream 1e5` (not with --quick): from a file of 100,000 responses to a file of
their scores, seconds a response; the peer only parses and validates, 5,000 of them and from memory. `stream
1e5, memory`: how far the process's peak memory grows meanwhile.

    python bench/scoring.py
    python bench/scoring.py --quick
"""

import argparse
import ast
import importlib.util
import json
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from voicebench.files import iterate_last_of_each, iterate_rows, write_rows
from voicebench.scoring.calls import read_calls
from voicebench.scoring.match import match_calls
from voicebench.scoring.schema import check_call
from voicebench.scoring.score import score_stream
from voicebench.types import Expect, GoldCall, Response, Scores, Task, Tool, Turn

LIMIT_US = 100.0
LIMIT_MB = 32.0
PEER_RESPONSES = 5_000
POINT = {
    "type": "object",
    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
    "required": ["latitude", "longitude"],
    "additionalProperties": False,
}
PLACES = ("Jayanagar", "मैजेस्टिक", "Whitefield", "அண்ணா நகர்", "MG Road")


@dataclass(frozen=True)
class Item:
    """A tool, an answer in words, and the right call."""

    tool: Tool
    text: str
    expect: Expect


def items() -> list[Item]:
    """Return different tools with right and wrong answers, the same ones in every run."""
    found = []
    for number in range(40):
        tool = Tool(
            name=f"cab.get_fare_{number}",
            description="Tells what a ride costs.",
            parameters={
                "type": "object",
                "properties": {
                    "pickup": {"type": "string", "description": "Where the ride starts"},
                    "drop": {"type": "string", "description": "Where it ends"},
                    "seats": {"type": "integer", "description": f"1 to {number + 1}"},
                    "vehicle": {"type": "string", "enum": ["auto", "mini", "sedan"]},
                    "at": POINT,
                    "stops": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["pickup", "drop"],
                "additionalProperties": False,
            },
        )
        pickup, drop = PLACES[number % 5], PLACES[(number + 1) % 5]
        right = f'pickup="{pickup}", drop="{drop}", seats=2'
        answers = (
            f'{right}, vehicle="auto"',
            f'{right}, at={{"latitude": 12.9, "longitude": 77}}',
            f'{right}, stops=["{PLACES[number % 3]}"]',
            f'pickup="{pickup}", drop="{drop}", seats="two"',
            f'pickup="{pickup}", seats=2',
            f'{right}, vehicle="bus"',
            f"{right}, tip=5",
        )
        gold = {"pickup": [pickup], "drop": [drop], "seats": [2, ""], "vehicle": ["auto", ""]}
        expect = Expect(calls=(GoldCall(name=tool.name, arguments=gold),))
        found += [Item(tool, f"[{tool.name}({answer})]", expect) for answer in answers]
    return found


def ours(item: Item) -> bool:
    """Read, check and match; tell whether the call fits its schema."""
    tools = (item.tool,)
    calls = read_calls(item.text, tools)
    faults = [fault for call in calls for fault in check_call(call, tools)]
    match_calls(item.expect, calls, tools)
    return not faults


def literals(text: str) -> dict[str, Any]:
    """Return the arguments of the one call in a list."""
    call = ast.parse(text, mode="eval").body.elts[0]  # type: ignore[attr-defined]
    return {argument.arg: ast.literal_eval(argument.value) for argument in call.keywords}


def pydantic_per_item(item: Item) -> bool:
    """Parse, and validate with a model that is built for this one item."""
    model = model_of(item.tool.name, item.tool.parameters)
    try:
        model.model_validate(literals(item.text), strict=True)
    except ValidationError:
        return False
    return True


def model_of(name: str, schema: dict[str, Any]) -> type[BaseModel]:
    """Build a pydantic model of an object's schema."""
    fields: dict[str, Any] = {
        key: (annotation(key, inner), ...) if key in schema["required"] else (annotation(key, inner), None)
        for key, inner in schema["properties"].items()
    }
    return create_model(name.replace(".", "_"), __config__=ConfigDict(extra="forbid"), **fields)


def annotation(name: str, schema: dict[str, Any]) -> Any:
    """Return the Python type of a property."""
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if schema["type"] == "object":
        return model_of(name, schema)
    if schema["type"] == "array":
        return list[annotation(name, schema["items"])]  # type: ignore[misc]
    return {"string": str, "integer": int, "number": float}[schema["type"]]


def jsonschema_validate(item: Item) -> bool:
    """Parse, and validate with jsonschema."""
    import jsonschema

    try:
        jsonschema.validate(literals(item.text), item.tool.parameters)
    except jsonschema.ValidationError:
        return False
    return True


def raced(
    one: Callable[[Item], bool], other: Callable[[Item], bool], rounds: int, given: Sequence[Item]
) -> tuple[float, float, bool]:
    """Return the best round of each, in seconds an item, and whether their verdicts are the same.

    The rounds take turns, so that what else the machine does hits both alike.
    """
    same = [one(item) for item in given] == [other(item) for item in given]
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for place, work in enumerate((one, other)):
            start = time.perf_counter()
            for item in given:
                work(item)
            best[place] = min(best[place], time.perf_counter() - start)
    return best[0] / len(given), best[1] / len(given), same


def emit(case: str, **figures: Any) -> None:
    """Print one result."""
    print(json.dumps({"bench": "scoring", "case": case, **figures}), flush=True)


def race(case: str, peer: str, ours_s: float, peer_s: float, same: bool | None) -> None:
    """Print one comparison; a ratio above 1 means that ours is faster."""
    emit(
        case,
        ours_s=float(f"{ours_s:.4g}"),
        peer=peer,
        peer_s=float(f"{peer_s:.4g}"),
        ratio=round(peer_s / ours_s, 2),
        same_result=same,
    )


def call_cases(*, quick: bool) -> None:
    """Race one call against each peer that is installed."""
    given = items()
    peers: dict[str, Callable[[Item], bool]] = {"pydantic per item": pydantic_per_item}
    if importlib.util.find_spec("jsonschema"):
        peers["jsonschema"] = jsonschema_validate
    best = float("inf")
    for name, peer in peers.items():
        ours_s, peer_s, same = raced(ours, peer, 4 if quick else 12, given)
        race("call", name, ours_s, peer_s, same)
        best = min(best, ours_s)
    emit(
        "call, reading to matching",
        peer=None,
        ours_us=round(best * 1e6, 1),
        limit_us=LIMIT_US,
        same_result=None,
    )


def stream_case(n: int) -> None:
    """Score a file of many responses, one at a time."""
    given = items()
    tasks = [
        Task(
            id=str(number), task="single", lang="en", turns=(Turn(role="user", text="?"),),
            tools=(item.tool,), expect=item.expect,
        )
        for number, item in enumerate(given)
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        responses, scores = Path(folder, "responses.jsonl"), Path(folder, "scores.jsonl")
        rows = (
            Response(
                task_id=str(number % len(given)), agent="a", condition="text", trial=number,
                text=given[number % len(given)].text,
            )
            for number in range(n)
        )  # fmt: skip
        write_rows(responses, rows)
        before_mb = peak_mb()
        start = time.perf_counter()
        answers = iterate_last_of_each(responses, Response, lambda row: (row.task_id, row.trial))
        write_rows(scores, score_stream(tasks, answers))
        ours_s = time.perf_counter() - start
        grown_mb = peak_mb() - before_mb
        found = [bool(row.call_structure) for row in islice(iterate_rows(scores, Scores), PEER_RESPONSES)]
    start = time.perf_counter()
    verdicts = [pydantic_per_item(given[number % len(given)]) for number in range(PEER_RESPONSES)]
    peer_s = time.perf_counter() - start
    race("stream 1e5", "pydantic per item", ours_s / n, peer_s / PEER_RESPONSES, found == verdicts)
    emit("stream 1e5, memory", peer=None, ours_mb=round(grown_mb, 1), limit_mb=LIMIT_MB, same_result=None)


def peak_mb() -> float:
    """Return the most memory that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def main() -> None:
    """Run the cases."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="only the case `call`, fewer rounds")
    quick: bool = parser.parse_args().quick
    call_cases(quick=quick)
    if not quick:
        stream_case(100_000)


if __name__ == "__main__":
    main()
