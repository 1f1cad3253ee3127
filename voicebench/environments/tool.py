"""Tools as typed functions over a domain's data: signature and docstring give the schema.

A reading tool returns its result. A writing tool returns an `Effect`: the new data, and its result. Since
data are frozen, a reading tool cannot write.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import to_json

from voicebench.environments.state import Database
from voicebench.errors import UserError, VoicebenchError
from voicebench.scoring.schema import check_call
from voicebench.types import Tool, ToolCall

D = TypeVar("D", bound=Database)

_SECTIONS = ("Args:", "Returns:", "Raises:", "Yields:", "Note:", "Example:", "Examples:", "Attributes:")


class ToolError(VoicebenchError):
    """A tool could not do what was asked; the message says what the agent can do about it."""


class Effect(NamedTuple, Generic[D]):
    """What a writing tool gives back.

    Attributes:
        data: The domain's data after the call.
        result: What the caller is told: a record, or JSON values.
    """

    data: D
    result: Any


@dataclass(frozen=True)
class ToolFunction:
    """A function that agents or users can call.

    Attributes:
        function: Takes the data first, and then the call's arguments by name.
        writes: Whether it may change the data; it then returns an `Effect`.
    """

    function: Callable[..., Any]
    writes: bool

    @property
    def name(self) -> str:
        """The function's name, which stands after the domain's in the tool's name."""
        return self.function.__name__

    def __call__(self, data: Database, **arguments: Any) -> Any:
        """Call the function as it is, with arguments of the right types."""
        return self.function(data, **arguments)

    @cached_property
    def description(self) -> str:
        """The first paragraph of the docstring, on one line."""
        text = inspect.getdoc(self.function) or ""
        return " ".join(text.partition("\n\n")[0].split())

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model of its arguments.

        Raises:
            UserError: A parameter has no type, or is not told in the docstring.
        """
        hints = get_type_hints(self.function, include_extras=True)
        told = _told(inspect.getdoc(self.function) or "")
        fields: dict[str, Any] = {}
        for parameter in list(inspect.signature(self.function).parameters.values())[1:]:
            if parameter.name not in hints or parameter.name not in told:
                raise UserError(
                    f"tool {self.name}: parameter {parameter.name!r} needs a type, "
                    "and a line in the docstring's Args"
                )
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[parameter.name] = (hints[parameter.name], default)
        return create_model(self.name, __config__=ConfigDict(extra="forbid", frozen=True), **fields)

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The JSON Schema of its arguments, without references and titles."""
        raw = self.arguments.model_json_schema()
        told = _told(inspect.getdoc(self.function) or "")
        definitions = raw.pop("$defs", {})
        properties = {
            name: _plain_schema(schema, definitions) | {"description": told[name]}
            for name, schema in raw.get("properties", {}).items()
        }
        return {"type": "object", "properties": properties, "required": raw.get("required", [])}


def reads(function: Callable[..., Any]) -> ToolFunction:
    """Mark a function as a tool that only looks: it takes the data and arguments, and returns its result."""
    return ToolFunction(function, writes=False)


def writes(function: Callable[..., Effect[Any]]) -> ToolFunction:
    """Mark a function as a tool that acts: it returns an `Effect`."""
    return ToolFunction(function, writes=True)


class BoundTool:
    """A tool under the name that agents call it by.

    Attributes:
        schema: What is offered to the agent.
        function: What runs.
    """

    def __init__(self, function: ToolFunction, prefix: str) -> None:
        self.function = function
        self.schema = Tool(
            name=f"{prefix}.{function.name}", description=function.description, parameters=function.parameters
        )

    def run(self, data: D, arguments: Mapping[str, Any]) -> Effect[D]:
        """Check arguments by the schema and call the function.

        Args:
            data: The domain's data.
            arguments: JSON values.

        Returns:
            The data after the call, and the result as JSON text, letters as they are.

        Raises:
            ToolError: An argument does not fit, or the tool refuses.
        """
        values = self.checked(arguments)
        if self.function.writes:
            data, result = self.function.function(data, **values)
        else:
            result = self.function.function(data, **values)
        return Effect(data, to_json(result, exclude_none=True).decode("utf-8", "replace"))

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments as the function's types, defaults filled in.

        As in scoring, an integral float is an integer, and a numeric string is no number.

        Raises:
            ToolError: An argument is missing, unknown or of a wrong type.
        """
        call = ToolCall.model_construct(name=self.schema.name, arguments=dict(arguments))
        faults = check_call(call, (self.schema,))
        if faults:
            raise ToolError("; ".join(f"{fault.parameter}: {fault.message}" for fault in faults[:3]))
        try:
            # A missing optional argument is the function's default, which no caller can name.
            return dict(self.function.arguments.model_validate(arguments))
        except ValidationError as error:
            raise ToolError("; ".join(_mistakes(error))) from None


def bind(functions: Sequence[ToolFunction], prefix: str) -> dict[str, BoundTool]:
    """Return tools by the names that they are called by, in the order given.

    Raises:
        UserError: Two have the same name.
    """
    bound = [BoundTool(function, prefix) for function in functions]
    named = {tool.schema.name: tool for tool in bound}
    if len(named) < len(bound):
        raise UserError(f"{prefix}: two tools have the same name")
    return named


def _mistakes(error: ValidationError) -> list[str]:
    items = error.errors(include_url=False)[:3]
    return [f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in items]


def _told(doc: str) -> dict[str, str]:
    """Return what a Google-style docstring tells of each parameter, on one line each."""
    told: dict[str, list[str]] = {}
    inside, margin, name = False, 0, ""
    for line in doc.splitlines():
        words = line.strip()
        if words in _SECTIONS:
            inside, margin = words == "Args:", 0
        elif inside and words:
            indent = len(line) - len(line.lstrip())
            margin = margin or indent
            if indent == margin:
                name, _, words = words.partition(":")
            told.setdefault(name.strip(), []).append(words.strip())
    return {name: " ".join(parts) for name, parts in told.items()}


def _plain_schema(schema: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema of pydantic's as tools write theirs.

    References are put in place, titles and `additionalProperties: false` left out. A parameter that may be
    left out (`T | None = None`) has the schema of T and no default.
    """
    if "$ref" in schema:
        inside = dict(definitions[schema["$ref"].rpartition("/")[2]])
        inside.pop("description", None)
        schema = inside | {key: value for key, value in schema.items() if key != "$ref"}
    if "anyOf" in schema:
        choices = [choice for choice in schema["anyOf"] if choice != {"type": "null"}]
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        if rest.get("default", ...) is None:
            del rest["default"]
        merged = choices[0] | rest if len(choices) == 1 else {"anyOf": choices} | rest
        if merged != schema:
            return _plain_schema(merged, definitions)
    plain = {key: value for key, value in schema.items() if key not in ("title", "additionalProperties")}
    if isinstance(schema.get("additionalProperties"), dict):
        plain["additionalProperties"] = _plain_schema(schema["additionalProperties"], definitions)
    if "properties" in plain:
        plain["properties"] = {
            name: _plain_schema(item, definitions) for name, item in plain["properties"].items()
        }
    if isinstance(plain.get("items"), dict):
        plain["items"] = _plain_schema(plain["items"], definitions)
    if "const" in plain:
        plain["enum"] = [plain.pop("const")]
    if isinstance(plain.get("default"), tuple):
        plain["default"] = list(plain["default"])
    return plain
