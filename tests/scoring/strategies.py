"""What the property tests draw: JSON values, tools, and calls of them."""

import json
import keyword
from typing import Any

from hypothesis import strategies as st

from voicebench.types import Tool, ToolCall

TEXTS = st.text() | st.text(alphabet="कखिी्தமழ்ไม่ \"'\\\n,[](){}<>/=:.-09०९")
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
JSON_VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
NAMES = st.from_regex(r"[a-z][a-z_0-9]{0,8}(\.[a-z][a-z_0-9]{0,8})?", fullmatch=True).filter(
    lambda name: not any(keyword.iskeyword(part) for part in name.split("."))
)
# A parameter may be named like a keyword: from, class, in, …
PARAMETERS = st.from_regex(r"[a-z][a-z_0-9]{0,8}", fullmatch=True) | st.sampled_from(["from", "to", "class"])
CALLS = st.builds(ToolCall, name=NAMES, arguments=st.dictionaries(PARAMETERS, JSON_VALUES, max_size=4))

_VALUES = {
    "string": TEXTS.filter(lambda text: text.strip() != ""),
    "integer": st.integers(-(10**9), 10**9),
    "boolean": st.booleans(),
    "array": st.lists(st.integers(-99, 99), min_size=1, max_size=3),
}


@st.composite
def typed_calls(draw: st.DrawFn) -> tuple[Tool, ToolCall]:
    """Return a tool of typed, required parameters, and a call that gives each a value of its type."""
    types = draw(st.dictionaries(PARAMETERS, st.sampled_from(sorted(_VALUES)), min_size=1, max_size=4))
    arguments = {name: draw(_VALUES[kind]) for name, kind in types.items()}
    properties = {name: {"type": kind} for name, kind in types.items()}
    parameters = {"type": "object", "properties": properties, "required": list(types)}
    name = draw(NAMES)
    return Tool(name=name, parameters=parameters), ToolCall(name=name, arguments=arguments)


def as_python(calls: list[ToolCall]) -> str:
    """Return calls as the list that agents are asked for."""
    return "[" + ", ".join(_as_python(call) for call in calls) + "]"


def as_json(calls: list[ToolCall]) -> str:
    """Return calls as an array of objects."""
    return json.dumps([call.model_dump() for call in calls], ensure_ascii=False)


def _as_python(call: ToolCall) -> str:
    return f"{call.name}({', '.join(f'{name}={value!r}' for name, value in call.arguments.items())})"


def mutated(value: Any) -> Any:
    """Return a value that is wrong wherever the given one is right, of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value} ग़लत"
    return [*value, 7]
