"""The first reason why an answer is not right, as one phrase."""

from voicebench.compare.units import Trial, Unit
from voicebench.report.arguments import line_of, remarks
from voicebench.report.labels import one_line

LONGEST = 160


def why(unit: Unit) -> str | None:
    """Return the first reason of a unit's worst answer that has one; None where none is known."""
    scored = [trial for trial in unit.trials if trial.value is not None]
    said = [
        reason for trial in sorted(scored, key=lambda trial: trial.value or 0.0) if (reason := _reason(trial))
    ]
    return one_line(said[0], LONGEST) if said else None


def _reason(trial: Trial) -> str | None:
    score = trial.answer.score if trial.answer is not None else None
    if score is None:
        return None
    if not score.reasons:
        if score.task == "safety" and score.refusal is not None:
            return "refused" if score.refusal else "did not refuse"
        return None
    if score.reasons[0].kind != "parameter":
        return remarks(score)[0]
    line = line_of(score.reasons[0])
    if line.verdict == "missing":
        return f"{line.parameter} is missing, wanted {line.wanted}"
    if line.verdict == "unexpected":
        return f"{line.parameter} is unexpected: {line.got}"
    return f"{line.parameter}: {line.got}, wanted {line.wanted}"
