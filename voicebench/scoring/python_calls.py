"""Read calls written as Python, by way of `ast` alone: literals are taken, nothing is executed."""

import ast
import keyword
import re
import unicodedata
import warnings
from collections.abc import Sequence
from typing import Any

from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import (
    MAX_DEPTH,
    Unreadable,
    check_number_of_calls,
    nested_too_deeply,
    plain,
    stands_twice,
    writable,
)
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
_NAME_MARK = "voicebench_name_"
_KEYWORD_MARK = "voicebench_keyword_"
_KEYWORD_PARAMETER = re.compile(
    rf"(?s){STRING}|(?P<word>(?<![\w.])(?:{'|'.join(keyword.kwlist)})(?=\s*=(?!=)))"
)
_SEQUENCES = (ast.List, ast.Tuple)
_WRITTEN_CONSTANTS = {"true": True, "false": False, "null": None}
# Python warns of unknown escapes, and of numbers that run into a word.
_MAY_WARN = re.compile(r"\\|[0-9][A-Za-z_]")
_QUOTE_AMONG_WORDS = re.compile(r"\w['\"] ?\w|\w ['\"]\w")


QUOTE_HINT = " (a quote inside a string needs a backslash before it)"
"""Added to a reason where a quote stands among words, as in 'O'Brien'."""


class NotPython(Unreadable):
    """A text that is no Python at all."""


def calls_of(source: str, offered: Offered) -> list[ToolCall]:
    """Return the calls of a text that is nothing but calls, or one list of calls; empty for other Python.

    Args:
        source: The text. A parameter may be named like a keyword (`from="USD"`), and an offered tool in a
            way that Python does not allow (`get-weather`).
        offered: The tools; their order of parameters names positional values.

    Raises:
        NotPython: It is no Python.
        Unreadable: A call's name is not plain, or a value is no literal.
        UserError: A tool's schema is broken.
    """
    return [_call(node, offered) for node in _call_nodes(_parse(source, offered))]


def holds_a_call(source: str, offered: Offered) -> bool:
    """Tell whether a Python text calls something, anywhere.

    Raises:
        NotPython: It is no Python.
    """
    return any(isinstance(node, ast.Call) for part in _parse(source, offered) for node in ast.walk(part))


def literal_of(source: str) -> Any:
    """Return the value of a text that is one literal: `{'a': [1, True, None]}`.

    Raises:
        NotPython: It is no Python.
        Unreadable: It is Python, but no literal.
    """
    parts = _parse_as_it_is(source)
    if len(parts) != 1 or not isinstance(parts[0], ast.expr):
        raise Unreadable("no single value")
    return _literal(parts[0])


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


def _parse(source: str, offered: Offered) -> list[ast.AST]:
    names = offered.unpythonic
    if names:
        source = _names_marked(source, names)
    try:
        return _parse_as_it_is(source)
    except NotPython:
        marked = _KEYWORD_PARAMETER.sub(
            lambda match: _KEYWORD_MARK + match["word"] if match["word"] else match.group(), source
        )
        if marked == source:
            raise
    return _parse_as_it_is(marked)


def _names_marked(source: str, names: Sequence[str]) -> str:
    """Replace the names that Python cannot read, where they are called, by marks that it can."""
    called = "|".join(map(re.escape, names))
    return re.sub(
        rf"(?s){STRING}|(?<![\w.-])(?P<name>{called})(?=\s*\()",
        lambda match: f"{_NAME_MARK}{names.index(match['name'])}" if match["name"] else match.group(),
        source,
    )


def _parse_as_it_is(source: str) -> list[ast.AST]:
    """Return the expressions and other statements of a text."""
    try:
        if not _MAY_WARN.search(source):
            return _statements(source)
        with warnings.catch_warnings():
            # An unknown escape in an agent's string is no matter of ours.
            warnings.simplefilter("ignore")
            return _statements(source)
    except (RecursionError, MemoryError):
        raise NotPython("nested too deeply to be read") from None
    except SyntaxError as error:
        hint = QUOTE_HINT if _QUOTE_AMONG_WORDS.search(source) else ""
        raise NotPython(f"no plain call: {error.msg[:200]}{hint}") from None
    except ValueError as error:
        raise NotPython(f"no plain call: {error}") from None


def _statements(source: str) -> list[ast.AST]:
    # Most answers are one expression, which is read faster as such.
    try:
        return [ast.parse(source, mode="eval").body]
    except SyntaxError:
        body = ast.parse(source).body
    return [part.value if isinstance(part, ast.Expr) else part for part in body]


def _call_nodes(parts: Sequence[ast.AST]) -> list[ast.Call]:
    calls: list[ast.Call] = []
    for part in parts:
        if isinstance(part, ast.List) and len(parts) > 1:
            return []
        for element in part.elts if isinstance(part, _SEQUENCES) else (part,):
            if not isinstance(element, ast.Call):
                return []
            calls.append(element)
    check_number_of_calls(len(calls))
    return calls


def _call(node: ast.Call, offered: Offered) -> ToolCall:
    name = _dotted_name(node.func)
    if name.startswith(_NAME_MARK):
        name = offered.unpythonic[int(name.removeprefix(_NAME_MARK))]
    name = offered.name_of(name)
    tool = offered.tools.get(name)
    arguments = _positional(name, node.args, tool) if node.args else {}
    for argument in node.keywords:
        if argument.arg is None:
            raise Unreadable(f"{name[:80]} is called with **, which names no parameter")
        parameter = argument.arg.removeprefix(_KEYWORD_MARK)
        if not parameter.isascii():
            parameter = _as_in_schema(parameter, tool)
        if parameter in arguments:
            raise Unreadable(f"{name[:80]} is given {parameter[:80]!r} twice")
        arguments[parameter] = _literal(argument.value)
    return ToolCall(name=name, arguments=arguments)


def _positional(name: str, values: Sequence[ast.expr], tool: Tool | None) -> dict[str, Any]:
    if tool is None:
        raise Unreadable(f"{name[:80]} is not offered, so its positional values have no names")
    names = parameters_of(tool)
    if len(values) > len(names):
        raise Unreadable(f"{name} takes at most {len(names)} values, not {len(values)}")
    return {names[place]: _literal(value) for place, value in enumerate(values)}


def _as_in_schema(parameter: str, tool: Tool | None) -> str:
    """Return a parameter's name in the schema's form; Python has read it in NFKC."""
    names = parameters_of(tool) if tool is not None else ()
    if parameter in names:
        return parameter
    return next((name for name in names if unicodedata.normalize("NFKC", name) == parameter), parameter)


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
        value = node.value
        return value if isinstance(value, str) and value.isascii() else plain(value)
    if isinstance(node, ast.Name) and node.id in _WRITTEN_CONSTANTS:
        return _WRITTEN_CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp):
        return _signed(node)
    if depth >= MAX_DEPTH:
        raise nested_too_deeply()
    if isinstance(node, _SEQUENCES):
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
