"""Hold a run against bounds and against a baseline, and fail it only for what is real.

Three kinds of check, for each figure under each condition, over all items and (if asked) by language or kind:

- *scored*: enough of what was planned has the figure; a gate must not pass on missing data.
- *minimum*: the figure is not below its bound. It is below when the upper end of its interval is, and when
  as many throws of a coin that shows 1 with the minimum's chance would so rarely give so few (no figure from
  0 to 1 with that mean varies more; the interval alone errs too often on a handful of items). With m such
  checks each has the risk alpha / m (Bonferroni): m = 1 and alpha 0.05 is the plain 95 % interval.
- *no worse*: the paired difference to the baseline is no real loss. It is one when the difference is below
  minus the margin and its p, adjusted by Holm's method over all such checks, is below alpha.
"""

from dataclasses import replace

from voicebench.compare.checks import GateResult, Limits
from voicebench.compare.choice import Asked, agents_of, choose, conditions_of
from voicebench.compare.losses import losses
from voicebench.compare.minima import minima
from voicebench.compare.proper import check_scoring
from voicebench.compare.source import Source
from voicebench.errors import UserError, did_you_mean
from voicebench.report.labels import listed


def gate(
    run: Source, baseline: Source | None, asked: Asked, limits: Limits, *, force: bool = False
) -> GateResult:
    """Check a run.

    Args:
        run: What is checked.
        baseline: What it may be no worse than; None where only minima are asked for.
        asked: `agents` are the baseline's and the run's; languages, kinds and conditions to keep.
        limits: What must hold.
        force: Hold rows of different scoring rules against each other all the same.

    Raises:
        UserError: A figure that a side does not have, a choice left open, or different scoring rules.
    """
    if not limits.minima and baseline is None:
        raise UserError("nothing to check. Give --min FIGURE=VALUE, or --no-worse-than BASELINE, or both")
    agent = _agent(run, asked)
    conditions = _conditions(run, agent, asked)
    checks = list(minima(run, agent, conditions, asked, limits))
    notes: list[str] = []
    if baseline is not None:
        chosen = choose((baseline, run), replace(asked, agents=(asked.agents[0], agent)))
        notes += check_scoring((baseline, run), chosen, force=force)
        found = losses((baseline, run), chosen, asked, limits)
        checks += found.checks
        notes += found.notes
    return GateResult(
        run=str(run.path),
        agent=agent,
        baseline=str(baseline.path) if baseline is not None else None,
        passed=all(check.passed for check in checks),
        checks=tuple(checks),
        notes=tuple(notes),
    )


def _agent(run: Source, asked: Asked) -> str:
    known, name = agents_of(run), asked.agents[1]
    if name is None and len(known) == 1:
        return known[0]
    if name is None:
        raise UserError(
            f"{run.path}: {len(known)} agents ({listed(known)}). Choose one with {asked.flags[1]} NAME"
        )
    if name not in known:
        raise UserError(f"{run.path}: no agent {name!r}.{did_you_mean(name, known)}")
    return name


def _conditions(run: Source, agent: str, asked: Asked) -> list[str]:
    present = conditions_of(run, agent)
    for name in asked.among:
        if name not in present:
            raise UserError(f"{run.path}: no condition {name!r}.{did_you_mean(name, present)}")
    return [name for name in present if not asked.among or name in asked.among]
