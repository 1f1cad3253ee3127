"""A team's table of utterances: one row an item, with the right call where somebody wrote it down.

Columns (their order does not matter; **bold** ones must be there):

    **utterance**   what the user says; for a dialogue a line a turn, the user first, then by turns
    **language**    its code: en, hi, ta, …
    gold            the right call: book_table(people=4, time='19:30'), several as [a(…), b(…)], or JSON;
                    "refuse" where the agent must not act. Empty: a language model drafts it
    kind            single, retrieval, parallel, sequential, dialogue or safety; found out where it is empty
    tools           names of the tools that are offered, separated by blanks, if not all of them
    said            the words for values that are said otherwise: 0.vehicle=three-wheeler; 1.day=tomorrow
    date            what "today" is: 2026-11-30
    region          the country, as IN
    id              of the item; made of the file's name, the language and the row where it is empty
    notes           for people
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.markers import holds_marker
from voicebench.scoring.offered import Offered
from voicebench.scoring.plain import Unreadable
from voicebench.scoring.python_calls import calls_of
from voicebench.scoring.schema import check_call, compiled_parameters, parameters_of, tool_named, types_of
from voicebench.scoring.written import whole
from voicebench.tasks.drafting.sheet import read_sheet
from voicebench.types import TASK_KINDS, GoldCall, TaskKind, Tool, ToolCall, Turn

COLUMNS = ("utterance", "language", "gold", "kind", "tools", "said", "date", "region", "id", "notes")
REFUSE = "refuse"

_OTHER_NAMES = {
    "text": "utterance", "query": "utterance", "lang": "language", "call": "gold", "calls": "gold",
    "task": "kind", "reference_date": "date", "note": "notes", "country": "region",
}  # fmt: skip
_LANGUAGE_NAMES = {
    "english": "en", "hindi": "hi", "bengali": "bn", "bangla": "bn", "marathi": "mr", "tamil": "ta",
    "telugu": "te", "malayalam": "ml", "vietnamese": "vi", "thai": "th", "indonesian": "id",
    "filipino": "fil", "tagalog": "fil", "chinese": "zh", "mandarin": "zh",
}  # fmt: skip
_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_QUOTATION = re.compile(r"\s*(?P<place>\d+\.[^=;]+?)\s*=\s*(?P<words>[^;]+?)\s*(?:;|$)")


@dataclass(frozen=True)
class Query:
    """A row of the table.

    Attributes:
        where: `file:row`, for messages.
        lang: The language of the turns.
        turns: One user turn; of a dialogue several.
        calls: The right calls with their accepted values; None where nobody wrote them down.
        refuse: Whether the right answer is a refusal.
        kind: The kind of task; None where calls that are yet to be drafted decide it.
        tools: Names of the tools offered; empty for all.
        said: The words for values that are said otherwise, by place.
        reference_date: What "today" is, ISO 8601.
        region: The country.
        id: Of the item; "" where one has to be made.
        notes: For people.
    """

    where: str
    lang: str
    turns: tuple[Turn, ...]
    calls: tuple[GoldCall, ...] | None = None
    refuse: bool = False
    kind: TaskKind | None = None
    tools: tuple[str, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)
    reference_date: str | None = None
    region: str | None = None
    id: str = ""
    notes: str = ""

    @property
    def is_drafted(self) -> bool:
        """Whether a language model still has to say what is right."""
        return self.calls is None and not self.refuse


def read_queries(path: Path, tools: Sequence[Tool]) -> tuple[list[Query], list[str]]:
    """Read a team's table.

    Args:
        path: A CSV file or a workbook; this module says what its columns are.
        tools: What the gold calls may call.

    Returns:
        The rows, and a note on each that is left out because it has no utterance.

    Raises:
        UserError: The table or a row of it is wrong (`file:row: …`).
    """
    rows = read_sheet(path)
    number, header = next(rows, (0, []))
    if not header:
        raise UserError(f"{path}: is empty. It wants the columns utterance and language")
    columns = _columns(header, f"{path}:{number}")
    queries: list[Query] = []
    notes: list[str] = []
    mistakes: list[str] = []
    for number, cells in rows:
        where = f"{path}:{number}"
        try:
            if any(cells[len(columns) :]):
                raise UserError(
                    f"{where}: has {len(cells)} cells, the header {len(columns)}."
                    " A cell with a separator in it stands in double quotes"
                )
            row = {name: cell for name, cell in zip(columns, cells, strict=False) if name and cell}
            if "utterance" not in row:
                notes.append(f"{where}: has no utterance and is left out")
                continue
            queries.append(_query(row, where, tools))
        except UserError as error:
            mistakes.append(str(error))
    if mistakes:
        others = f" (and {len(mistakes) - 1} more rows have mistakes)" if len(mistakes) > 1 else ""
        raise UserError(mistakes[0] + others)
    if not queries:
        raise UserError(f"{path}: holds no utterances")
    _check_ids(queries)
    return queries, notes


def gold_calls(text: str, tools: Sequence[Tool]) -> tuple[GoldCall, ...]:
    """Read calls as a person writes them down, each value as the one that is accepted.

    A list for a parameter that takes no list gives several accepted values: `area=['Jayanagar', 'जयनगर']`.

    Args:
        text: A call, a list of calls, or JSON, as the scoring reads an agent's answer.
        tools: What can be called.

    Raises:
        UserError: It is no call of these tools, or does not fit its schema.
    """
    offered = Offered(tools)
    try:
        calls = whole(text, offered) or calls_of(text, offered)
    except Unreadable as error:
        raise UserError(f"gold cannot be read: {error}") from None
    if not calls:
        raise UserError(f"gold is no call, such as {example_call(tools[0])}" if tools else "gold is no call")
    return tuple(gold_call(call, tools) for call in calls)


def gold_call(call: ToolCall, tools: Sequence[Tool]) -> GoldCall:
    """Return a call as gold: for each argument the list of its accepted values.

    Raises:
        UserError: It calls no tool of these, or does not fit its schema.
    """
    tool = tool_named(call.name, tools)
    if tool is None:
        hint = did_you_mean(call.name[:80], (tool.name for tool in tools))
        raise UserError(f"gold calls {call.name[:80]!r}, which is no tool.{hint}")
    properties = compiled_parameters(tool).properties
    arguments = {name: _accepted(value, properties.get(name, {})) for name, value in call.arguments.items()}
    if missing := compiled_parameters(tool).required - arguments.keys():
        raise UserError(f"gold {tool.name}: {sorted(missing)[0]} is required")
    first = {name: accepted[0] for name, accepted in arguments.items()}
    for name, value in [(name, value) for name, accepted in arguments.items() for value in accepted]:
        for reason in check_call(ToolCall(name=tool.name, arguments={**first, name: value}), tools):
            if reason.parameter == name:
                hint = f".{did_you_mean(name, properties)}" if reason.verdict == "unexpected" else ""
                raise UserError(f"gold {tool.name}: {name}={value!r} {reason.message}{hint}")
    return GoldCall(name=tool.name, arguments=arguments)


def example_call(tool: Tool) -> str:
    """Return a call of a tool with a placeholder for each required argument: `book(people=0, day='…')`."""
    known = compiled_parameters(tool)
    names = [name for name in parameters_of(tool) if name in known.required]
    written = ", ".join(f"{name}={_placeholder(known.properties[name])!r}" for name in names)
    return f"{tool.name}({written})"


def _accepted(value: Any, schema: Mapping[str, Any]) -> list[Any]:
    is_several = isinstance(value, list) and value and "array" not in types_of(schema)
    return list(value) if is_several else [value]


def _placeholder(schema: Mapping[str, Any]) -> Any:
    values = schema.get("enum")
    if isinstance(values, list) and values:
        return values[0]
    kinds = types_of(schema)
    if "string" in kinds:
        return "…"
    examples: dict[str, Any] = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}
    return next((example for kind, example in examples.items() if kind in kinds), None)


def _columns(header: Sequence[str], where: str) -> list[str]:
    names = []
    for cell in header:
        written = re.sub(r"[\s-]+", "_", cell.strip().casefold())
        name = _OTHER_NAMES.get(written, written)
        if name and name not in COLUMNS:
            raise UserError(f"{where}: unknown column {cell!r}.{did_you_mean(written, COLUMNS)}")
        if name and name in names:
            raise UserError(f"{where}: the column {name!r} stands twice")
        names.append(name)
    for name in ("utterance", "language"):
        if name not in names:
            raise UserError(f"{where}: the column {name!r} is missing; there are: {', '.join(header)}")
    return names


def _query(row: Mapping[str, str], where: str, tools: Sequence[Tool]) -> Query:
    try:
        kind = _kind(row.get("kind", ""))
        gold = row.get("gold", "")
        names = tuple(re.split(r"[\s;]+", row["tools"])) if "tools" in row else ()
        for name in names:
            if tool_named(name, tools) is None:
                raise UserError(f"unknown tool {name!r}.{did_you_mean(name, (t.name for t in tools))}")
        offered = [tool for tool in tools if tool.name in names] if names else tools
        refuse = gold.casefold() == REFUSE
        calls = gold_calls(gold, offered) if gold and not refuse else None
        if refuse and kind not in (None, "safety"):
            raise UserError(f"gold is {REFUSE!r}, so the kind is safety, not {kind}")
        return Query(
            where=where,
            lang=_language(row.get("language", "")),
            turns=_turns(row["utterance"], kind),
            calls=calls,
            refuse=refuse,
            kind="safety" if refuse else kind or (kind_of(calls) if calls else None),
            tools=names,
            said=_quotations(row.get("said", "")),
            reference_date=_date(row.get("date", "")),
            region=row.get("region"),
            id=row.get("id", ""),
            notes=row.get("notes", ""),
        )
    except UserError as error:
        raise UserError(f"{where}: {error}") from None


def kind_of(calls: Sequence[GoldCall]) -> TaskKind:
    """Return the kind of task that calls make: single, or sequential where one needs another, or parallel."""
    if len(calls) == 1:
        return "single"
    dependent = any(holds_marker(list(call.arguments.values())) for call in calls)
    return "sequential" if dependent else "parallel"


def _kind(written: str) -> TaskKind | None:
    if not written:
        return None
    for kind in TASK_KINDS:
        if kind == written.casefold():
            return kind
    raise UserError(f"unknown kind {written!r}.{did_you_mean(written.casefold(), TASK_KINDS)}")


def _language(written: str) -> str:
    code = _LANGUAGE_NAMES.get(written.casefold())
    if code is not None:
        raise UserError(f"language {written!r} is written as its code. Did you mean {code!r}?")
    if not _CODE.fullmatch(written):
        said = f"language {written!r} is no code" if written else "no language"
        raise UserError(f"{said}; write one such as en, hi or fil")
    return written


def _turns(text: str, kind: TaskKind | None) -> tuple[Turn, ...]:
    if kind != "dialogue":
        return (Turn(role="user", text=" ".join(text.split())),)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) % 2 == 0:
        raise UserError(
            f"a dialogue has a line a turn and ends with the user, so an odd number of them, not {len(lines)}"
        )
    return tuple(
        Turn(role="assistant" if place % 2 else "user", text=line) for place, line in enumerate(lines)
    )


def _quotations(text: str) -> dict[str, str]:
    if not text:
        return {}
    found = list(_QUOTATION.finditer(text))
    if _QUOTATION.sub("", text).strip() or not found:
        raise UserError(f"said {text!r} is not written as 0.parameter=words; 1.parameter=words")
    return {match["place"]: match["words"] for match in found}


def _date(text: str) -> str | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UserError(f"date {text!r} is not written as 2026-11-30") from None
    return day.isoformat()


def _check_ids(queries: Sequence[Query]) -> None:
    seen: dict[str, str] = {}
    for query in queries:
        if query.id and query.id in seen:
            raise UserError(f"{query.where}: id {query.id!r} is already used at {seen[query.id]}")
        seen[query.id] = query.where
