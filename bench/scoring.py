"""Measure reading, checking and matching one call, against pydantic models built per item and jsonschema.

Prints JSON lines. `call`: seconds a call, ours with matching included, the peers without (they have none);
`same_result` says whether both found the same calls to fit their schema. `call, reading to matching`: the
same time against its limit. `stream 1e5` (not with --quick): all figures of 100,000 responses; the peer only
parses and validates.

    python bench/scoring.py
    python bench/scoring.py --quick
"""

import argparse
import ast
import importlib.util
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from voicebench.scoring.calls import read_calls
from voicebench.scoring.match import match_calls
from voicebench.scoring.schema import check_call
from voicebench.scoring.score import score_all
from voicebench.types import Expect, GoldCall, Response, Task, Tool, Turn

LIMIT_US = 100.0
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


def timed(work: Callable[[Item], bool], rounds: int, given: Sequence[Item]) -> tuple[float, list[bool]]:
    """Return the best round's seconds an item, and the verdicts."""
    verdicts = [work(item) for item in given]
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for item in given:
            work(item)
        best = min(best, time.perf_counter() - start)
    return best / len(given), verdicts


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
    """Race one call against each peer that is installed; ours is measured anew beside each."""
    given = items()
    peers: dict[str, Callable[[Item], bool]] = {"pydantic per item": pydantic_per_item}
    if importlib.util.find_spec("jsonschema"):
        peers["jsonschema"] = jsonschema_validate
    best = float("inf")
    for name, peer in peers.items():
        ours_s, verdicts = timed(ours, 5 if quick else 20, given)
        peer_s, peer_verdicts = timed(peer, 1 if quick else 3, given)
        race("call", name, ours_s, peer_s, verdicts == peer_verdicts)
        best = min(best, ours_s)
    emit(
        "call, reading to matching",
        peer=None,
        ours_us=round(best * 1e6, 1),
        limit_us=LIMIT_US,
        same_result=None,
    )


def stream_case(n: int) -> None:
    """Score many responses at once."""
    given = items()
    tasks = [
        Task(
            id=str(number), task="single", lang="en", turns=(Turn(role="user", text="?"),),
            tools=(item.tool,), expect=item.expect,
        )
        for number, item in enumerate(given)
    ]  # fmt: skip
    answers = [given[number % len(given)] for number in range(n)]
    responses = [
        Response(task_id=str(number % len(given)), agent="a", condition="text", trial=number, text=item.text)
        for number, item in enumerate(answers)
    ]
    start = time.perf_counter()
    scores = score_all(tasks, responses)
    ours_s = time.perf_counter() - start
    start = time.perf_counter()
    verdicts = [pydantic_per_item(item) for item in answers]
    peer_s = time.perf_counter() - start
    same = [bool(one.call_structure) for one in scores] == verdicts
    race("stream 1e5", "pydantic per item", ours_s, peer_s, same)


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
