"""Read a tool that is written as the head of a Python function: `name(zone: str, level: int = 3)`."""

import ast
import json
import keyword
import re
from collections.abc import Mapping
from typing import Any

from voicebench.tasks.doors.contract import NoTask
from voicebench.tasks.doors.python_types import read_tool
from voicebench.types import Tool

_TYPES = {
    "str": "string", "string": "string", "text": "string", "int": "integer", "integer": "integer",
    "float": "number", "double": "number", "number": "number", "bool": "boolean", "boolean": "boolean",
    "list": "array", "array": "array", "dict": "object", "object": "object",
}  # fmt: skip
_NAME = re.compile(r"\s*([A-Za-z_][\w.]*)\s*\(")
_RETURNS = re.compile(r"\)\s*->.*$", re.DOTALL)
_KEYWORD = re.compile(rf"\b({'|'.join(word for word in keyword.kwlist if word.islower())})(?=\s*[:=,)])")
_UNREADABLE = "a tool's signature cannot be read"


def tool_of_signature(signature: str, description: str = "", defaults: Any = None) -> Tool:
    """Return the tool of a signature.

    Types are Python's (`str`, `list[int]`, `Optional[float]`, `Literal['a', 'b']`, `"a" | "b"`); a type of
    another name says nothing. Which parameters must be given is not taken from a signature.

    Args:
        signature: The head of a function; what it returns is ignored.
        description: What the tool does.
        defaults: Defaults by parameter: an object, or its text as JSON or Python; another text is ignored.

    Raises:
        NoTask: It is no such head.
    """
    name = _NAME.match(signature)
    if name is None:
        raise NoTask(_UNREADABLE, signature[:80])
    arguments = _parsed(signature[name.end() - 1 :], signature)
    stated = _defaults(defaults)
    positional = [*arguments.posonlyargs, *arguments.args]
    values = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = [
        *zip(positional, values, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    properties = {}
    for argument, value in pairs:
        own = argument.arg.removesuffix("_") if keyword.iskeyword(argument.arg.rstrip("_")) else argument.arg
        schema = _schema(argument.annotation)
        default = _constant(value)
        if own in stated:
            schema["default"] = stated[own]
        elif default is not None:
            schema["default"] = default
        properties[own] = schema
    return read_tool(
        {
            "name": name[1],
            "description": description,
            "parameters": {"type": "object", "properties": properties},
        }
    )


def _parsed(parameters: str, signature: str) -> ast.arguments:
    head = _RETURNS.sub(")", parameters.strip().rstrip(":"))
    # A parameter may be called like a keyword of Python, such as `from`.
    head = _KEYWORD.sub(r"\1_", head)
    try:
        (function,) = ast.parse(f"def f{head}: ...").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoTask(_UNREADABLE, signature[:80]) from None
    if not isinstance(function, ast.FunctionDef):
        raise NoTask(_UNREADABLE, signature[:80])
    return function.args


def _schema(annotation: ast.expr | None) -> dict[str, Any]:
    """Return the schema of a type; {} where it says nothing."""
    if isinstance(annotation, ast.Name):
        return {"type": _TYPES[annotation.id.lower()]} if annotation.id.lower() in _TYPES else {}
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.value, ast.Name | ast.Attribute):
        outer = annotation.value.id if isinstance(annotation.value, ast.Name) else annotation.value.attr
        return _generic(outer.lower(), annotation.slice)
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        options = _either(annotation)
        constants = [_constant(option) for option in options]
        if all(isinstance(value, str) for value in constants):
            return {"type": "string", "enum": constants}
        if len(options) == 2 and isinstance(options[1], ast.Constant) and options[1].value is None:
            return _schema(options[0])
    return {}


def _generic(outer: str, inner: ast.expr) -> dict[str, Any]:
    if outer == "optional":
        return _schema(inner)
    if outer in ("literal", "enum"):
        items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        values = [item.id if isinstance(item, ast.Name) else _constant(item) for item in items]
        return {"enum": values} if all(value is not None for value in values) else {}
    if outer in ("list", "array", "sequence", "set"):
        items_schema = _schema(inner)
        return {"type": "array", "items": items_schema} if items_schema else {"type": "array"}
    return {"type": "object"} if outer in ("dict", "mapping") else {}


def _either(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_either(node.left), node.right]
    return [node]


def _constant(node: ast.expr | None) -> Any:
    try:
        return None if node is None else ast.literal_eval(node)
    except ValueError:
        return None


def _defaults(raw: Any) -> Mapping[str, Any]:
    found = literal(raw)
    return found if isinstance(found, Mapping) else {}


def literal(raw: Any) -> Any:
    """Return a value that is written as text, as JSON or as Python, or else what is given."""
    if not isinstance(raw, str):
        return raw
    try:
        return json.loads(raw)
    except ValueError:
        try:
            return ast.literal_eval(raw.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return raw
