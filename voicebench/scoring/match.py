"""Match the calls of an answer with those that would be right; the figures only divide what this finds."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any, Literal, NamedTuple

from voicebench.scoring.assignment import best_pairs, best_pairs_in_order
from voicebench.scoring.markers import holds_marker, references, renumber
from voicebench.scoring.schema import Parameters, compiled_parameters, tool_named
from voicebench.scoring.setting import NO_SETTING, Setting
from voicebench.scoring.values import Verdict, compare
from voicebench.types import Expect, GoldCall, Tool, ToolCall

_WORST_TO_BEST: tuple[Verdict, ...] = ("type", "wrong", "coerced", "ok")
_OK = {"ok"}
_OK_BUT_FOR_TYPES = {"ok", "coerced"}
_MOST_OF_ONE_NAME = 5
_MAX_NUMBERINGS = 120
"""Ways of numbering an answer's calls that are tried at most, to read its markers."""


class Parameter(NamedTuple):
    """What one parameter of a matched call is worth.

    Attributes:
        name: The parameter.
        verdict: "ok", "coerced", "wrong" or "type" (see `values.compare`); "missing" where a value had to be
            given; "unexpected" where none had.
        gold: The accepted values; empty where gold does not list the parameter.
        got: The value given; None where it is missing.
    """

    name: str
    verdict: Verdict | Literal["missing", "unexpected"]
    gold: tuple[Any, ...] = ()
    got: Any = None


class Pair(NamedTuple):
    """A gold call and the predicted call of the same name that stands for it.

    Attributes:
        gold: Index of the gold call.
        call: Index of the predicted call.
        parameters: Every parameter that counts; one rightly left out, or given its default, does not.
        right: Whether every parameter is right, strictly.
        right_but_for_types: Whether every parameter is right when types may be coerced.
    """

    gold: int
    call: int
    parameters: tuple[Parameter, ...]
    right: bool
    right_but_for_types: bool


class Match(NamedTuple):
    """How an answer's calls fit the gold calls.

    Attributes:
        pairs: One for each gold call that has a predicted call, in gold order; no predicted call is in two.
        missing: Indices of the gold calls without one.
        extra: Indices of the predicted calls without a gold call.
        missing_parameters: Parameters that the missing calls had to give.
        extra_parameters: Parameters that the extra calls give.
        correct_prefix: How many gold calls, from the first one on, are wholly right in their place.
        right: Whether everything is right, strictly: all calls, nothing missing, nothing extra, in order.
        right_but_for_types: The same when types may be coerced.
        out_of_order: Whether the calls are right but for their order.
    """

    pairs: tuple[Pair, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    missing_parameters: int
    extra_parameters: int
    correct_prefix: int
    right: bool
    right_but_for_types: bool
    out_of_order: bool

    @property
    def parameter_fraction(self) -> float:
        """Right parameters ÷ (right + wrong + missing + unexpected); of none at all, 1 if all is right."""
        verdicts = [parameter.verdict for pair in self.pairs for parameter in pair.parameters]
        total = len(verdicts) + self.missing_parameters + self.extra_parameters
        return verdicts.count("ok") / total if total else float(self.right)

    @property
    def call_fraction(self) -> float:
        """Gold calls that are wholly right ÷ gold calls; where none is expected, 1 if none is made."""
        total = len(self.pairs) + len(self.missing)
        return sum(pair.right for pair in self.pairs) / total if total else float(self.right)

    @property
    def prefix_fraction(self) -> float:
        """The longest correct prefix ÷ gold calls; where none is expected, 1 if none is made."""
        total = len(self.pairs) + len(self.missing)
        return self.correct_prefix / total if total else float(self.right)


def match_calls(
    expected: Expect, calls: Sequence[ToolCall], tools: Sequence[Tool], *, setting: Setting = NO_SETTING
) -> Match:
    """Return the best match between gold and predicted calls.

    The pairing is the best of all, not a greedy one: it has the most calls wholly right, then the most right
    but for types, then the most parameters right; for `order: sequence` among those that keep the order.
    Markers in the answer count its own calls; they are read by which gold call those calls stand for.

    Args:
        expected: The gold calls, their order, and what they return.
        calls: The predicted calls, made of plain values.
        tools: Their schemas tell defaults and how values compare.
        setting: The item's language and reference date.

    Raises:
        UserError: A tool's schema is broken.
    """
    judge = _Judge(expected.calls or (), tools, expected.results, setting)
    ordered = expected.order == "sequence"
    table = judge.table(calls)
    prefix = _correct_prefix(table)
    pairs = _pair_up(table, ordered=ordered, lenient=False)
    if any(holds_marker(call.arguments) for call in calls):
        table, pairs = _with_markers_read(judge, calls, pairs, ordered)
    return _result(judge, table, calls, pairs, prefix, ordered)


Table = list[list[Pair | None]]
"""For each gold call and each predicted call, what pairing them would be worth; None where names differ."""


class _Judge:
    """Compares single calls; knows the gold, the tools and the results."""

    def __init__(
        self,
        gold: Sequence[GoldCall],
        tools: Sequence[Tool],
        results: Sequence[Any] | None,
        setting: Setting,
    ) -> None:
        self.gold = gold
        self.results = results
        self.setting = setting
        named = {call.name: tool_named(call.name, tools) for call in gold}
        self._compiled = {name: compiled_parameters(tool) for name, tool in named.items() if tool is not None}

    def table(self, calls: Sequence[ToolCall]) -> Table:
        """Return what each pairing would be worth."""
        return [
            [
                self._pair(row, gold, column, call) if gold.name == call.name else None
                for column, call in enumerate(calls)
            ]
            for row, gold in enumerate(self.gold)
        ]

    def must_be_given(self, gold: GoldCall) -> int:
        """Return how many of a gold call's parameters may not be left out."""
        known = self._known(gold)
        return sum(
            not self._may_be_left_out(name, variants, known) for name, variants in gold.arguments.items()
        )

    def _known(self, gold: GoldCall) -> Parameters | None:
        return self._compiled.get(gold.name)

    def _pair(self, row: int, gold: GoldCall, column: int, call: ToolCall) -> Pair:
        parameters = self._parameters(gold, call.arguments)
        verdicts = {parameter.verdict for parameter in parameters}
        return Pair(row, column, parameters, verdicts <= _OK, verdicts <= _OK_BUT_FOR_TYPES)

    def _parameters(self, gold: GoldCall, given: Mapping[str, Any]) -> tuple[Parameter, ...]:
        known, listed = self._known(gold), gold.arguments
        found = []
        for name, variants in listed.items():
            if name in given and not ("" in variants and given[name] in ("", None)):
                verdict = self._given(name, given[name], variants, known)
                found.append(Parameter(name, verdict, tuple(variants), given[name]))
            elif not self._may_be_left_out(name, variants, known):
                found.append(Parameter(name, "missing", tuple(variants)))
        for name, value in given.items():
            if name not in listed and (unlisted := self._unlisted(name, value, known)) != "ok":
                found.append(Parameter(name, unlisted, (), value))
        return tuple(found)

    def _given(self, name: str, value: Any, variants: Sequence[Any], known: Parameters | None) -> Verdict:
        if isinstance(value, str) and value in variants:
            return "ok"
        schema = _schema(name, known)
        best: Verdict | None = None
        for variant in variants:
            if variant != "":
                verdict = compare(value, variant, schema, results=self.results, setting=self.setting)
                if verdict == "ok":
                    return verdict
                best = max(best or verdict, verdict, key=_WORST_TO_BEST.index)
        return best or "wrong"

    def _unlisted(
        self, name: str, value: Any, known: Parameters | None
    ) -> Literal["ok", "coerced", "unexpected"]:
        if known is None or name not in known.defaults:
            return "unexpected"
        verdict = compare(value, known.defaults[name], _schema(name, known), setting=self.setting)
        return verdict if verdict == "ok" or verdict == "coerced" else "unexpected"

    def _may_be_left_out(self, name: str, variants: Sequence[Any], known: Parameters | None) -> bool:
        if "" in variants:
            return True
        if known is None or name not in known.defaults:
            return False
        return self._given(name, known.defaults[name], variants, known) == "ok"


def _schema(name: str, known: Parameters | None) -> Mapping[str, Any]:
    return known.properties.get(name, {}) if known is not None else {}


def _pair_up(table: Table, *, ordered: bool, lenient: bool) -> dict[int, int]:
    """Return the heaviest pairing, by the order of merits that `match_calls` states."""
    cells = [pair for row in table for pair in row if pair is not None]
    if len(cells) < 2:
        return {pair.gold: pair.call for pair in cells}
    # Each part of a weight, summed over all pairs, must stay below one of the part before it.
    base = 2 + sum(1 + len(pair.parameters) for pair in cells)
    weights = [[_weight(pair, base, lenient) for pair in row] for row in table]
    return best_pairs_in_order(weights) if ordered else best_pairs(weights)


def _weight(pair: Pair | None, base: int, lenient: bool) -> int:
    if pair is None:
        return 0
    wholly = (pair.right_but_for_types, pair.right) if lenient else (pair.right, pair.right_but_for_types)
    right = sum(parameter.verdict == "ok" for parameter in pair.parameters)
    paired, in_place = 1, pair.gold == pair.call
    weight = 0
    for part in (*wholly, right, paired, in_place):
        weight = weight * base + int(part)
    return weight


def _correct_prefix(table: Table) -> int:
    """Count the gold calls that are wholly right in their place, up to the first one that is not.

    There the answer's calls count as gold counts its own, so its markers need no reading.
    """
    length = 0
    for row in table:
        pair = row[length] if length < len(row) else None
        if pair is None or not pair.right:
            break
        length += 1
    return length


def _with_markers_read(
    judge: _Judge, calls: Sequence[ToolCall], pairs: dict[int, int], ordered: bool
) -> tuple[Table, dict[int, int]]:
    """Number the answer's calls as gold numbers its own, so that its markers mean the same, and pair again.

    Which gold call a predicted one stands for depends on its markers, and these on which gold calls others
    stand for. Mostly the pairing by all other values settles that; where calls of one name are
    interchangeable by them, every way of numbering these is tried, as long as there are not too many.
    """
    best = _settled(judge, calls, pairs, ordered, {})
    if ordered:
        return best
    merit = _merit(*best)
    for numbers in _numberings(judge.gold, calls):
        if merit[0] == len(judge.gold):
            break
        settled = _settled(judge, calls, {gold: call for call, gold in numbers.items()}, ordered, numbers)
        if (other := _merit(*settled)) > merit:
            best, merit = settled, other
    return best


def _settled(
    judge: _Judge, calls: Sequence[ToolCall], pairs: dict[int, int], ordered: bool, fixed: Mapping[int, int]
) -> tuple[Table, dict[int, int]]:
    """Read the markers by a pairing and pair again, until the pairing holds.

    Each round settles at least the calls that refer only to settled ones: as many rounds as calls suffice.

    Args:
        judge: Compares calls.
        calls: The predicted calls.
        pairs: The first pairing.
        ordered: Whether the order counts.
        fixed: Predicted calls that may stand for one gold call alone.

    Returns:
        What each pairing is worth, and the pairing, whose markers are read by the pairing itself.
    """
    for _ in calls:
        table = _table_read_by(judge, calls, pairs, fixed)
        before, pairs = pairs, _pair_up(table, ordered=ordered, lenient=False)
        if pairs == before:
            return table, pairs
    return _table_read_by(judge, calls, pairs, fixed), pairs


def _table_read_by(
    judge: _Judge, calls: Sequence[ToolCall], pairs: Mapping[int, int], fixed: Mapping[int, int]
) -> Table:
    numbers = {call: gold for gold, call in pairs.items()}
    table = judge.table(
        [call.model_copy(update={"arguments": renumber(call.arguments, numbers)}) for call in calls]
    )
    for call, gold in fixed.items():
        for row, cells in enumerate(table):
            if row != gold:
                cells[call] = None
    return table


def _merit(table: Table, pairs: Mapping[int, int]) -> tuple[int, int, int]:
    """Return what makes one reading of the markers better than another."""
    found = [pair for row, column in pairs.items() if (pair := table[row][column]) is not None]
    return (
        sum(pair.right for pair in found),
        sum(pair.right_but_for_types for pair in found),
        sum(parameter.verdict == "ok" for pair in found for parameter in pair.parameters),
    )


def _numberings(gold: Sequence[GoldCall], calls: Sequence[ToolCall]) -> Iterator[dict[int, int]]:
    """Yield the ways in which predicted calls that markers mean can stand for gold calls of their name."""
    meant = {reference.call for call in calls for reference in references(call.arguments)}
    choices: list[list[dict[int, int]]] = []
    for name in dict.fromkeys(call.name for call in calls):
        columns = [place for place, call in enumerate(calls) if call.name == name and place in meant]
        rows = [place for place, call in enumerate(gold) if call.name == name]
        if columns and 1 < len(rows) <= _MOST_OF_ONE_NAME and len(columns) <= len(rows):
            orders = permutations(rows, len(columns))
            choices.append([dict(zip(columns, order, strict=True)) for order in orders])
    if math.prod(map(len, choices)) <= _MAX_NUMBERINGS:
        for chosen in product(*choices):
            yield {call: row for part in chosen for call, row in part.items()}


def _result(
    judge: _Judge,
    table: Table,
    calls: Sequence[ToolCall],
    pairs: dict[int, int],
    prefix: int,
    ordered: bool,
) -> Match:
    found = [pair for row, column in sorted(pairs.items()) if (pair := table[row][column]) is not None]
    missing = [row for row in range(len(table)) if row not in pairs]
    paired = set(pairs.values())
    extra = [column for column in range(len(calls)) if column not in paired]
    right = not missing and not extra and all(pair.right for pair in found)
    return Match(
        pairs=tuple(found),
        missing=tuple(missing),
        extra=tuple(extra),
        missing_parameters=sum(judge.must_be_given(judge.gold[row]) for row in missing),
        extra_parameters=sum(len(calls[column].arguments) for column in extra),
        correct_prefix=prefix,
        right=right,
        right_but_for_types=right
        or (_holds_coerced(table) and _fits(table, len(calls), ordered=ordered, lenient=True)),
        out_of_order=ordered and not right and _fits(table, len(calls), ordered=False, lenient=False),
    )


def _holds_coerced(table: Table) -> bool:
    """Tell whether types make a difference anywhere."""
    return any(
        parameter.verdict == "coerced"
        for row in table for pair in row if pair is not None for parameter in pair.parameters
    )  # fmt: skip


def _fits(table: Table, calls: int, *, ordered: bool, lenient: bool) -> bool:
    """Tell whether some pairing leaves nothing missing, extra or wrong."""
    if len(table) != calls:
        return False
    pairs = _pair_up(table, ordered=ordered, lenient=lenient)
    chosen = [table[row][column] for row, column in pairs.items()]
    return len(pairs) == calls and all(
        pair is not None and (pair.right_but_for_types if lenient else pair.right) for pair in chosen
    )
