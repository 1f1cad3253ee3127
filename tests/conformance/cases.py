"""Make conformance cases for tests."""

from typing import Any

from voicebench.types import ConformanceRow

CITY = {
    "name": "weather.get",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
}
GOLD = {"calls": [{"name": "weather.get", "arguments": {"city": ["चेन्नई", "Chennai"]}}]}


def case(name: str = "x", **fields: Any) -> ConformanceRow:
    """Return a case; what is not given is a right answer in Hindi."""
    row = {
        "id": name, "kind": "kind", "lang": "hi", "tools": [CITY], "expect": GOLD,
        "answer": {"text": '[weather.get(city="चेन्नई")]'}, "want": {"parameters": 1}, "why": "because",
    }  # fmt: skip
    return ConformanceRow.model_validate(row | fields)


def calls_case(gold: list[Any], calls: list[Any], tools: list[Any], **expect: Any) -> ConformanceRow:
    """Return a case of gold calls and native calls, each (name, arguments)."""
    return case(
        tools=tools,
        expect={"calls": [{"name": name, "arguments": values} for name, values in gold], **expect},
        answer={"calls": [{"name": name, "arguments": values} for name, values in calls]},
    )


def tool(name: str, required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    """Return a tool; a property is a type's name or a schema, and all are required unless said."""
    schemas = {key: {"type": value} if isinstance(value, str) else value for key, value in properties.items()}
    needed = list(properties) if required is None else required
    return {"name": name, "parameters": {"type": "object", "properties": schemas, "required": needed}}
