"""A few tasks that between them have every form."""

from typing import Any

from voicebench.types import Expect, GoldCall, Task, Tool, Turn

BAKE = Tool(
    name="oven.bake",
    description="Bake something.",
    parameters={
        "type": "object",
        "properties": {
            "what": {"type": "string"},
            "minutes": {"type": "integer", "default": 40},
            "heat": {"type": "number"},
            "tray": {
                "type": "object",
                "properties": {"rack": {"type": "integer"}, "lined": {"type": "boolean"}},
            },
            "toppings": {"type": "array", "items": {"type": "string"}},
            "note": {},
        },
        "required": ["what"],
    },
)
STIR = Tool(name="pot.stir", parameters={"type": "object", "properties": {"pot": {"type": "string"}}})
WAKE = Tool(name="alarm.set", parameters={"type": "object", "properties": {"day": {"type": "string"}}})
EITHER = Tool(
    name="either",
    parameters={"type": "object", "properties": {"x": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}},
)


def call(name: str, **arguments: list[Any]) -> GoldCall:
    """Return a gold call."""
    return GoldCall(name=name, arguments=arguments)


def task(own: str, expect: Expect, *tools: Tool, words: tuple[str, ...] = ("Please.",), **more: Any) -> Task:
    """Return a task: its words are the user's and the assistant's by turns, and end with the user's."""
    roles = ("user", "assistant")
    fields: dict[str, Any] = {"lang": "en", "task": "single", "meta": {"licence": "CC0-1.0"}} | more
    turns = tuple(Turn(role=roles[place % 2], text=text) for place, text in enumerate(words))
    return Task(id=own, turns=turns, tools=tools, expect=expect, **fields)


SINGLE = task(
    "bread-hi",
    Expect(
        calls=(
            call(
                "oven.bake", what=["रोटी", "roti"], minutes=[40], heat=[180.5, ""],
                tray=[{"rack": 2, "lined": True}], toppings=[["till", "nimbu"]], note=["x"],
            ),
        )
    ),
    BAKE, lang="hi", words=("रोटी सेंक दो।",), origin="bread-en", reference_date="2026-11-30",
)  # fmt: skip
MULTIPLE = task("pot", Expect(calls=(call("pot.stir", pot=["red"]),)), BAKE, STIR, task="retrieval")
PARALLEL = task(
    "pots",
    Expect(calls=(call("pot.stir", pot=["red"]), call("pot.stir", pot=["blue"]))),
    STIR, task="parallel",
)  # fmt: skip
NONE = task("idle", Expect(calls=()), STIR)
DIALOGUE = task(
    "talk", Expect(calls=(call("pot.stir", pot=["red"]),)), STIR, task="dialogue",
    words=("Stir.", "Which?", "Red."),
)  # fmt: skip
SEQUENTIAL = task(
    "steps",
    Expect(
        calls=(call("pot.stir", pot=["red"]), call("oven.bake", what=[{"$ref": "0.dish.name"}], minutes=[5])),
        order="sequence",
        results=({"dish": {"name": "khichdi"}}, {"status": "done"}),
    ),
    BAKE, STIR, task="sequential",
)  # fmt: skip
HARMFUL = task("bad", Expect(refuse=True), STIR, task="safety", twin="good")
HARMLESS = task("good", Expect(refuse=False, calls=(call("pot.stir"),)), STIR, task="safety", twin="bad")
DAY = task("early", Expect(calls=(call("alarm.set", day=["2026-12-01"]),)), WAKE, reference_date="2026-11-30")
UNION = task("union", Expect(calls=(call("either", x=[1]),)), EITHER)

ALL = (SINGLE, MULTIPLE, PARALLEL, NONE, DIALOGUE, SEQUENTIAL, HARMFUL, HARMLESS, DAY, UNION)
