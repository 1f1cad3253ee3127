"""Does one language tell how another comes out: Pearson's r over domains and models."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import StatisticsError, correlation, fmean

from voicebench.compare.published import CheckedRow, Record
from voicebench.scoring.table_check import printed_ratio
from voicebench.tau2.shape import Correlation

LANGUAGE_COLUMNS = ("language_senario", "language_scenario", "language", "lang")
MODEL_COLUMNS = ("normalized_agent_llm", "model", "agent_llm", "agent")
DOMAIN_COLUMN = "domain"

_FEWEST = 3

_Point = tuple[str, str]
"""Domain and model."""


def figures_of(row: CheckedRow) -> dict[str, float]:
    """Return a row's numbers by column (p1, p2, …, rho)."""
    return {name: float(printed_ratio(text).value) for name, text in row.printed.items()}


def correlations(records: Sequence[Record], rows: Sequence[CheckedRow]) -> tuple[Correlation, ...]:
    """Return Pearson's r of each pair of languages, for each figure.

    As in SEATauBench's figure 8: a language's figure for a domain and a model is the mean over its scenarios,
    and r is over the pairs of domain and model that both languages have.

    Args:
        records: The cells of each row; they need a language, a domain and a model, else there is nothing.
        rows: The same rows, checked.
    """
    values: defaultdict[str, defaultdict[str, defaultdict[_Point, list[float]]]]
    values = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for record, row in zip(records, rows, strict=True):
        lang, model = _first(record, LANGUAGE_COLUMNS), _first(record, MODEL_COLUMNS)
        domain = record.get(DOMAIN_COLUMN, "").strip()
        if lang and model and domain:
            for figure, value in figures_of(row).items():
                values[figure][lang][domain, model].append(value)
    return tuple(found for figure, by_lang in values.items() for found in _pairs(figure, by_lang))


def _first(record: Record, columns: Iterable[str]) -> str:
    return next((record[name].strip() for name in columns if record.get(name, "").strip()), "")


def _pairs(figure: str, by_lang: Mapping[str, Mapping[_Point, Sequence[float]]]) -> Iterable[Correlation]:
    means = {
        lang: {point: fmean(values) for point, values in points.items()} for lang, points in by_lang.items()
    }
    for one, other in combinations(means, 2):
        common = [point for point in means[one] if point in means[other]]
        r = _pearson([means[one][point] for point in common], [means[other][point] for point in common])
        yield Correlation(figure=figure, lang=one, other=other, n=len(common), r=r)


def _pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    if len(first) < _FEWEST:
        return None
    try:
        return correlation(first, second)
    except StatisticsError:
        return None
