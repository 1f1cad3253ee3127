"""The samplers side by side: how different and how representative the voices are that each chooses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from voicebench.audio.speakers.distances import coverage, mean_pairwise_distance, min_pairwise_distance
from voicebench.audio.speakers.points import Embeddings
from voicebench.audio.speakers.quotas import Balance
from voicebench.audio.speakers.selection import DEFAULTS, METHODS, Method, Options, select
from voicebench.errors import UserError


@dataclass(frozen=True)
class Run:
    """One choice of one method.

    Attributes:
        method: Who chose.
        run: Which run, from 0; it seeds the draws together with the seed of the comparison.
        mean_distance: Mean distance over all pairs of chosen voices, None for fewer than two.
        min_distance: That of the two most alike, None for fewer than two.
        coverage_mean: Mean distance of a candidate to the nearest chosen voice, None where none is chosen.
        coverage_max: That of the candidate worst served (the k-center radius), None where none is chosen.
        chosen: Indices in the order of choice.
    """

    method: Method
    run: int
    mean_distance: float | None
    min_distance: float | None
    coverage_mean: float | None
    coverage_max: float | None
    chosen: tuple[int, ...]


def compare(
    embeddings: Embeddings,
    n: int,
    methods: Sequence[Method] = METHODS,
    *,
    runs: int = 10,
    seed: int = 0,
    groups: Sequence[str] | None = None,
    balance: Balance = "equal",
    options: Options = DEFAULTS,
) -> list[Run]:
    """Let each method choose n voices several times, as VoiceAgentBench compares samplers under a budget.

    Run r of every method draws from the generator seeded with (seed, r), so that farthest_point and dpp begin
    at the same voice there.

    Args:
        embeddings: Shape (voices, d).
        n: How many voices a run chooses.
        methods: Who chooses.
        runs: How many times each.
        seed: Seeds all draws.
        groups: A label for each voice, or None.
        balance: The groups' shares, see `select`.
        options: What the methods are told.

    Returns:
        One row a method and run, methods in the order given.

    Raises:
        UserError: No run is asked for, or as `select`.
    """
    if runs < 1:
        raise UserError(f"cannot compare {runs} runs. Ask for at least one")
    rows = []
    for method in methods:
        for run in range(runs):
            chosen = select(
                embeddings, n, method=method, rng=np.random.default_rng([seed, run]), groups=groups,
                balance=balance, options=options,
            )  # fmt: skip
            covered = coverage(embeddings, chosen)
            rows.append(
                Run(
                    method=method,
                    run=run,
                    mean_distance=mean_pairwise_distance(embeddings[chosen]),
                    min_distance=min_pairwise_distance(embeddings[chosen]),
                    coverage_mean=covered.mean_distance if covered else None,
                    coverage_max=covered.max_distance if covered else None,
                    chosen=tuple(chosen),
                )
            )
    return rows
