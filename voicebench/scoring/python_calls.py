"""Read calls written as Python, by way of `ast` alone: literals are taken, nothing is executed."""

import ast
import keyword
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from voicebench.scoring.plain import MAX_DEPTH, Unreadable, nested_too_deeply, plain, stands_twice, writable
from voicebench.scoring.schema import parameters_of
from voicebench.types import Tool, ToolCall

# A string that never ends matches as one of the named groups.
STRING = (
    r'"""(?:[^\\]|\\.)*?(?:"""|(?P<open_1>\Z))'
    r"|'''(?:[^\\]|\\.)*?(?:'''|(?P<open_2>\Z))"
    r'|"(?:[^"\\\n]++|\\.)*+(?:"|(?P<open_3>))'
    r"|'(?:[^'\\\n]++|\\.)*+(?:'|(?P<open_4>))"
)
"""Pattern of a string literal, to be used with the flag `s`."""

_TOKEN = re.compile(rf"(?s){STRING}|(?P<opening>[(\[{{])|(?P<closing>[)\]}}])")
_PARTNER = {")": "(", "]": "[", "}": "{"}
_KEYWORD_MARK = "voicebench_keyword_"
_KEYWORD_PARAMETER = re.compile(
    rf"(?s){STRING}|(?P<word>(?<![\w.])(?:{'|'.join(keyword.kwlist)})(?=\s*=(?!=)))"
)
_WRITTEN_CONSTANTS = {"true": True, "false": False, "null": None}


class NotPython(Unreadable):
    """A text that is no Python at all."""


def calls_of(source: str, offered: Mapping[str, Tool]) -> list[ToolCall]:
    """Return the calls of a text that is nothing but calls, or one list of calls; empty for other Python.

    Args:
        source: The text. A parameter may be named like a keyword (`from="USD"`).
        offered: Tools by name; their order of parameters names positional values.

    Raises:
        NotPython: It is no Python.
        Unreadable: A call's name is not plain, or a value is no literal.
        UserError: A tool's schema is broken.
    """
    return [_call(node, offered) for node in _call_nodes(_parse(source).body)]


def holds_a_call(source: str) -> bool:
    """Tell whether a Python text calls something, anywhere.

    Raises:
        NotPython: It is no Python.
    """
    return any(isinstance(node, ast.Call) for node in ast.walk(_parse(source)))


def closing(text: str, start: int) -> int | None:
    """Return the index behind the bracket that closes the one at `start`; None where none does.

    Brackets in strings do not count, and behind a string that never ends nothing is closed.

    Raises:
        Unreadable: Brackets are nested too deeply.
    """
    opened: list[str] = []
    for token in _TOKEN.finditer(text, start):
        if token.lastgroup is None:
            continue
        if token.lastgroup == "opening":
            opened.append(token.group())
            if len(opened) > MAX_DEPTH + 1:
                raise nested_too_deeply()
        elif token.lastgroup != "closing" or opened.pop() != _PARTNER[token.group()]:
            return None
        elif not opened:
            return token.end()
    return None


def _parse(source: str) -> ast.Module:
    try:
        return _parse_as_it_is(source)
    except NotPython:
        marked = _KEYWORD_PARAMETER.sub(
            lambda match: _KEYWORD_MARK + match["word"] if match["word"] else match.group(), source
        )
        if marked == source:
            raise
    return _parse_as_it_is(marked)


def _parse_as_it_is(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            # An unknown escape in an agent's string is no matter of ours.
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (RecursionError, MemoryError):
        raise NotPython("nested too deeply to be read") from None
    except SyntaxError as error:
        raise NotPython(f"no plain call: {error.msg[:200]}") from None
    except ValueError as error:
        raise NotPython(f"no plain call: {error}") from None


def _call_nodes(body: Sequence[ast.stmt]) -> list[ast.Call]:
    calls: list[ast.Call] = []
    for statement in body:
        if not isinstance(statement, ast.Expr):
            return []
        value = statement.value
        if isinstance(value, ast.List) and len(body) > 1:
            return []
        for element in value.elts if isinstance(value, ast.List | ast.Tuple) else (value,):
            if not isinstance(element, ast.Call):
                return []
            calls.append(element)
    return calls


def _call(node: ast.Call, offered: Mapping[str, Tool]) -> ToolCall:
    name = _dotted_name(node.func)
    arguments = _positional(name, node.args, offered) if node.args else {}
    for argument in node.keywords:
        if argument.arg is None:
            raise Unreadable(f"{name[:80]} is called with **, which names no parameter")
        parameter = argument.arg.removeprefix(_KEYWORD_MARK)
        if parameter in arguments:
            raise Unreadable(f"{name[:80]} is given {parameter[:80]!r} twice")
        arguments[parameter] = _literal(argument.value)
    return ToolCall(name=name, arguments=arguments)


def _positional(name: str, values: Sequence[ast.expr], offered: Mapping[str, Tool]) -> dict[str, Any]:
    if name not in offered:
        raise Unreadable(f"{name[:80]} is not offered, so its positional values have no names")
    names = parameters_of(offered[name])
    if len(values) > len(names):
        raise Unreadable(f"{name} takes at most {len(names)} values, not {len(values)}")
    return {names[place]: _literal(value) for place, value in enumerate(values)}


def _dotted_name(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise Unreadable("what is called is no plain name")
    return ".".join((node.id, *reversed(parts)))


def _literal(node: ast.expr, depth: int = 0) -> Any:
    if isinstance(node, ast.Constant):
        return plain(node.value)
    if isinstance(node, ast.Name) and node.id in _WRITTEN_CONSTANTS:
        return _WRITTEN_CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp):
        return _signed(node)
    if depth >= MAX_DEPTH:
        raise nested_too_deeply()
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item, depth + 1) for item in node.elts]
    if isinstance(node, ast.Dict):
        return _dictionary(node, depth + 1)
    what = f"the name {node.id[:80]!r}" if isinstance(node, ast.Name) else f"a Python {type(node).__name__}"
    raise Unreadable(f"{what} is no literal value")


def _signed(node: ast.UnaryOp) -> Any:
    number = node.operand.value if isinstance(node.operand, ast.Constant) else None
    if isinstance(number, int | float) and not isinstance(number, bool):
        if isinstance(node.op, ast.USub):
            return plain(-number)
        if isinstance(node.op, ast.UAdd):
            return plain(number)
    raise Unreadable(f"a Python {type(node.op).__name__} is no literal value")


def _dictionary(node: ast.Dict, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in zip(node.keys, node.values, strict=True):
        name = key.value if isinstance(key, ast.Constant) else None
        if not isinstance(name, str):
            raise Unreadable("an object's key is no string")
        name = writable(name)
        if name in found:
            raise stands_twice(name)
        found[name] = _literal(item, depth)
    return found
