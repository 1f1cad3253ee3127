"""Match the calls of an answer with those that would be right; the figures only divide what this finds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from voicebench.scoring.assignment import best_pairs, best_pairs_in_order
from voicebench.scoring.markers import holds_marker, renumber
from voicebench.scoring.schema import compiled_parameters, tool_named
from voicebench.scoring.values import Verdict, compare
from voicebench.types import Expect, GoldCall, Tool, ToolCall

_WORST_TO_BEST: tuple[Verdict, ...] = ("type", "wrong", "coerced", "ok")


@dataclass(frozen=True)
class Parameter:
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


@dataclass(frozen=True)
class Pair:
    """A gold call and the predicted call of the same name that stands for it.

    Attributes:
        gold: Index of the gold call.
        call: Index of the predicted call.
        parameters: Every parameter that counts; one rightly left out, or given its default, does not.
    """

    gold: int
    call: int
    parameters: tuple[Parameter, ...]

    @property
    def right(self) -> bool:
        """Whether every parameter is right, strictly."""
        return all(parameter.verdict == "ok" for parameter in self.parameters)

    @property
    def right_but_for_types(self) -> bool:
        """Whether every parameter is right when types may be coerced."""
        return all(parameter.verdict in ("ok", "coerced") for parameter in self.parameters)


@dataclass(frozen=True)
class Match:
    """How an answer's calls fit the gold calls.

    Attributes:
        pairs: One for each gold call that has a predicted call, in gold order; no predicted call is in two.
        missing: Indices of the gold calls without one.
        extra: Indices of the predicted calls without a gold call.
        missing_parameters: Parameters that the missing calls had to give.
        extra_parameters: Parameters that the extra calls give.
        right: Whether everything is right, strictly: all calls, nothing missing, nothing extra, in order.
        right_but_for_types: The same when types may be coerced.
        out_of_order: Whether the calls are right but for their order.
    """

    pairs: tuple[Pair, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    missing_parameters: int
    extra_parameters: int
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


def match_calls(expected: Expect, calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Match:
    """Return the best match between gold and predicted calls.

    The pairing is the best of all, not a greedy one: it has the most calls wholly right, then the most right
    but for types, then the most parameters right; for `order: sequence` among those that keep the order.
    Markers in the answer count its own calls; they are read by which gold call those calls stand for.

    Args:
        expected: The gold calls, their order, and what they return.
        calls: The predicted calls, made of plain values.
        tools: Their schemas tell defaults and how values compare.

    Raises:
        UserError: A tool's schema is broken.
    """
    gold = expected.calls or ()
    judge = _Judge(gold, tools, expected.results)
    ordered = expected.order == "sequence"
    table = judge.table(calls)
    pairs = _pair_up(table, ordered=ordered, lenient=False)
    if any(holds_marker(call.arguments) for call in calls):
        table, pairs = _with_markers_read(judge, calls, pairs, ordered)
    return _result(judge, table, calls, pairs, ordered)


Table = list[list[Pair | None]]
"""For each gold call and each predicted call, what pairing them would be worth; None where names differ."""


class _Judge:
    """Compares single calls; knows the gold, the tools and the results."""

    def __init__(
        self, gold: Sequence[GoldCall], tools: Sequence[Tool], results: Sequence[Any] | None
    ) -> None:
        self.gold = gold
        self.results = results
        named = {call.name: tool_named(call.name, tools) for call in gold}
        self._compiled = {name: compiled_parameters(tool) for name, tool in named.items() if tool is not None}

    def table(self, calls: Sequence[ToolCall]) -> Table:
        """Return what each pairing would be worth."""
        return [
            [
                Pair(row, column, tuple(self._parameters(gold, call))) if gold.name == call.name else None
                for column, call in enumerate(calls)
            ]
            for row, gold in enumerate(self.gold)
        ]

    def must_be_given(self, gold: GoldCall) -> int:
        """Return how many of a gold call's parameters may not be left out."""
        return sum(not self._may_be_left_out(gold, name) for name in gold.arguments)

    def _parameters(self, gold: GoldCall, call: ToolCall) -> Iterator[Parameter]:
        given = call.arguments
        for name, variants in gold.arguments.items():
            omitted = name not in given or ("" in variants and given[name] in ("", None))
            if not omitted:
                yield self._given(gold, name, given[name])
            elif not self._may_be_left_out(gold, name):
                yield Parameter(name, "missing", tuple(variants))
        for name, value in given.items():
            if name not in gold.arguments:
                verdict = self._unlisted(gold, name, value)
                if verdict != "ok":
                    yield Parameter(name, verdict, (), value)

    def _given(self, gold: GoldCall, name: str, value: Any) -> Parameter:
        variants, schema = gold.arguments[name], self._schema(gold, name)
        best: Verdict | None = None
        for variant in variants:
            if variant != "":
                verdict = compare(value, variant, schema, results=self.results)
                best = max(best or verdict, verdict, key=_WORST_TO_BEST.index)
                if best == "ok":
                    break
        return Parameter(name, best or "wrong", tuple(variants), value)

    def _unlisted(self, gold: GoldCall, name: str, value: Any) -> Literal["ok", "coerced", "unexpected"]:
        defaults = self._defaults(gold)
        verdict = compare(value, defaults[name], self._schema(gold, name)) if name in defaults else "wrong"
        return verdict if verdict == "ok" or verdict == "coerced" else "unexpected"

    def _may_be_left_out(self, gold: GoldCall, name: str) -> bool:
        variants, defaults = gold.arguments[name], self._defaults(gold)
        return "" in variants or (
            name in defaults
            and any(
                compare(defaults[name], variant, self._schema(gold, name)) == "ok" for variant in variants
            )
        )

    def _schema(self, gold: GoldCall, name: str) -> Mapping[str, Any]:
        compiled = self._compiled.get(gold.name)
        return compiled.properties.get(name, {}) if compiled else {}

    def _defaults(self, gold: GoldCall) -> Mapping[str, Any]:
        compiled = self._compiled.get(gold.name)
        return compiled.defaults if compiled else {}


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


def _with_markers_read(
    judge: _Judge, calls: Sequence[ToolCall], pairs: dict[int, int], ordered: bool
) -> tuple[Table, dict[int, int]]:
    """Number the answer's markers as gold numbers its calls, and pair again until the pairing holds.

    Each round settles at least the calls that refer only to settled ones: as many rounds as calls suffice.
    """
    table: Table = []
    for _ in calls:
        numbers = {call: gold for gold, call in pairs.items()}
        table = judge.table(
            [call.model_copy(update={"arguments": renumber(call.arguments, numbers)}) for call in calls]
        )
        before, pairs = pairs, _pair_up(table, ordered=ordered, lenient=False)
        if pairs == before:
            break
    return table, pairs


def _result(
    judge: _Judge, table: Table, calls: Sequence[ToolCall], pairs: dict[int, int], ordered: bool
) -> Match:
    found = tuple(pair for row, column in sorted(pairs.items()) if (pair := table[row][column]) is not None)
    missing = tuple(row for row in range(len(table)) if row not in pairs)
    extra = tuple(column for column in range(len(calls)) if column not in pairs.values())
    complete = not missing and not extra
    right = complete and all(pair.right for pair in found)
    # Without a coerced value anywhere, types make no difference.
    coerced = any(
        parameter.verdict == "coerced"
        for row in table for pair in row if pair for parameter in pair.parameters
    )  # fmt: skip
    return Match(
        pairs=found,
        missing=missing,
        extra=extra,
        missing_parameters=sum(judge.must_be_given(judge.gold[row]) for row in missing),
        extra_parameters=sum(len(calls[column].arguments) for column in extra),
        right=right,
        right_but_for_types=right or (coerced and _fits(table, len(calls), ordered=ordered, lenient=True)),
        out_of_order=ordered and not right and _fits(table, len(calls), ordered=False, lenient=False),
    )


def _fits(table: Table, calls: int, *, ordered: bool, lenient: bool) -> bool:
    """Tell whether some pairing leaves nothing missing, extra or wrong."""
    if len(table) != calls:
        return False
    pairs = _pair_up(table, ordered=ordered, lenient=lenient)
    chosen = [table[row][column] for row, column in pairs.items()]
    return len(pairs) == calls and all(
        pair is not None and (pair.right_but_for_types if lenient else pair.right) for pair in chosen
    )
