"""Compare ways of choosing voices: how diverse their choices are, over several runs.

The comparison of VoiceAgentBench's samplers: under one budget of n voices each method chooses once a run,
every run from a seed of its own; what counts is the mean pairwise distance of the chosen, beside it the
smallest one and how far the voices that were not chosen are from those that were.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from voicebench.audio.references.embeddings import Embedded
from voicebench.audio.references.rows import VoiceRow
from voicebench.audio.references.selection import METHODS, check_request, group_labels, method_of
from voicebench.audio.speakers import Options, Run, compare
from voicebench.errors import UserError

FIGURES: Mapping[str, str] = {
    "mean_distance": "mean distance",
    "min_distance": "smallest distance",
    "coverage_mean": "to the nearest chosen, mean",
    "coverage_max": "to the nearest chosen, largest",
}
"""What is measured on a choice, and what it is called."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Runs of each method over the same candidates.

    Attributes:
        rows: The candidates.
        embedded: Their places.
        n: How many each run chooses.
        seed: Run r of every method draws from this and r.
        runs: The runs of each method, by its option's name.
    """

    rows: tuple[VoiceRow, ...]
    embedded: Embedded
    n: int
    seed: int
    runs: Mapping[str, tuple[Run, ...]]

    def spread(self, method: str, figure: str) -> tuple[float, float]:
        """Return mean and standard deviation of a figure over a method's runs."""
        values = [getattr(run, figure) for run in self.runs[method]]
        return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Return headers and a row a method: each figure's mean ± its standard deviation over the runs."""
        headers = ["method", "runs", *FIGURES.values()]
        table: list[list[object]] = []
        for method in self.runs:
            spreads = [self.spread(method, figure) for figure in FIGURES]
            table.append(
                [
                    method,
                    len(self.runs[method]),
                    *(f"{mean:.3f} ± {deviation:.3f}" for mean, deviation in spreads),
                ]
            )
        return headers, table

    def as_json(self) -> dict[str, Any]:
        """Return everything that was measured, for machines."""
        return {
            "n": self.n,
            "seed": self.seed,
            "candidates": len(self.rows),
            "encoder": self.embedded.encoder.model_dump(),
            "methods": {
                method: {
                    **{
                        figure: dict(zip(("mean", "sd"), _rounded(self.spread(method, figure)), strict=True))
                        for figure in FIGURES
                    },
                    "runs": [
                        {
                            "voices": [self.rows[index].id for index in run.chosen],
                            **{figure: round(getattr(run, figure), 4) for figure in FIGURES},
                        }
                        for run in runs
                    ],
                }
                for method, runs in self.runs.items()
            },
        }

    def as_markdown(self) -> str:
        """Return the table as a Markdown page."""
        headers, table = self.table()
        lines = [
            "# How diverse the choices are",
            "",
            f"{self.n} of {len(self.rows)} voices, encoder `{self.embedded.encoder.name}` "
            f"(`{self.embedded.encoder.revision}`); mean ± standard deviation over the runs. "
            "Distances are Euclidean between unit vectors: 0 the same, √2 unrelated, 2 opposite.",
            "",
            "| " + " | ".join(headers) + " |",
            "|---|" + "---:|" * (len(headers) - 1),
            *("| " + " | ".join(str(cell) for cell in row) + " |" for row in table),
        ]
        return "\n".join(lines) + "\n"


def compare_methods(
    rows: Sequence[VoiceRow],
    embedded: Embedded,
    n: int,
    *,
    methods: Sequence[str] = tuple(METHODS),
    runs: int = 10,
    seed: int = 0,
    balance: Sequence[str] = (),
    options: Options = Options(),  # noqa: B008 (frozen)
) -> Comparison:
    """Let each method choose n voices several times.

    Args:
        rows: The candidates.
        embedded: Their embeddings, in the same order.
        n: How many each run chooses.
        methods: Keys of `METHODS`.
        runs: How often each method chooses.
        seed: Of all draws.
        balance: As in `choose`.
        options: What single methods are told.

    Raises:
        UserError: A method is unknown, or there are too few voices or runs.
    """
    if runs < 1 or n < 2:
        raise UserError("a comparison needs one run and two voices at least. Give --runs and -n")
    check_request(rows, n, balance=balance)
    names = {method: method_of(method) for method in methods}
    done = compare(
        embedded.embeddings, n, tuple(names.values()), runs=runs, seed=seed,
        groups=group_labels(rows, balance), options=options,
    )  # fmt: skip
    of = {method: tuple(run for run in done if run.method == name) for method, name in names.items()}
    return Comparison(tuple(rows), embedded, n, seed, of)


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]
