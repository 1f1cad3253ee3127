"""The row that SEATauBench's own rule prints of a result file, checked as a published row is."""

from collections import Counter, defaultdict
from math import comb
from statistics import fmean

from voicebench.compare.published import CheckedRow, Reading, check_records
from voicebench.tau2.trials import Results

DIGITS = 3
"""Decimals to which each mean is rounded; ρ is formed from the rounded ones."""
_SUCCESS = 1 - 1e-6


def usual_row(results: Results) -> CheckedRow | None:
    """Return what SEATauBench prints, with the verdict on it; None where no trial has a reward.

    Trials without a recorded reward are dropped, and so are, for each k, the tasks that have fewer than k
    trials left: pass^k = Σ C(c, k) / C(n, k) over the number of the tasks that are left. Where trials are
    missing this can give a pass^k above pass^1, which no outcome has.
    """
    successes: defaultdict[str, list[bool]] = defaultdict(list)
    for trial in results.trials:
        if trial.recorded is not None:
            successes[trial.task_id].append(trial.recorded >= _SUCCESS)
    if not successes:
        return None
    counted = Counter((len(won), sum(won)) for won in successes.values())
    most = max(n for n, _ in counted)
    passes = {k: round(_pass_hat(counted, k), DIGITS) for k in range(1, most + 1)}
    cells = {f"p{k}": f"{value:.{DIGITS}f}" for k, value in passes.items()}
    cells |= {"label": "usual", "n_tasks": str(len(results.task_ids)), "trials": str(results.planned)}
    if passes[1] > 0:
        cells["rho"] = f"{round(passes[most] / passes[1], DIGITS):.{DIGITS}f}"
    return check_records([(results.source, cells)], Reading())[0]


def _pass_hat(counted: Counter[tuple[int, int]], k: int) -> float:
    return fmean(comb(c, k) / comb(n, k) for n, c in counted.elements() if n >= k)
