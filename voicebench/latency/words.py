"""What a measurement says in lines and tables."""

from collections.abc import Iterator

from voicebench.latency.breakdown import PARTS, QUEUED
from voicebench.latency.shape import Delay, LatencySummary, Quantile

MOMENT_HEADERS = ("moment", "n", "p50 [95 %]", "p90 [95 %]", "p99 [95 %]", "mean")
PART_HEADERS = ("part", "n", "mean", "share")


def headlines(summary: LatencySummary) -> Iterator[str]:
    """Yield what was measured and how, a line each."""
    yield f"{summary.agent}, {summary.condition}, {' '.join(summary.languages)}: {_counts(summary)}"
    where = summary.machine.gpu or f"{summary.machine.cpus} CPUs, {summary.machine.platform}"
    yield f"{summary.device} ({where}); {_load(summary)}"
    warm_up = f"warmed up in {_s(summary.warm_up_s)} ({summary.warm_up} requests)"
    yield f"loaded in {_s(summary.load_s)}, {warm_up}; neither counts"
    audio = summary.audio
    if audio is None:
        yield "no sound: moments count from when the request was due"
    else:
        yield (
            f"sound of a request: mean {_s(audio.mean_s)}, p50 {_s(audio.p50_s)}, p90 {_s(audio.p90_s)}, "
            f"total {audio.total_s:.1f} s"
        )


def moment_rows(summary: LatencySummary) -> list[tuple[str, ...]]:
    """Return the cells of the table, in seconds: queueing and service where they are apart, the moments."""
    apart = {QUEUED: summary.queued, "served": summary.served}
    found = {name: each for name, each in apart.items() if each is not None}
    return [_moment(name, each) for name, each in (found | summary.moments).items()]


def part_rows(summary: LatencySummary) -> list[tuple[str, ...]]:
    """Return the cells of the table of parts; their means add up to the last row's, the mean of `done`."""
    done_s = sum(part.mean_s for part in summary.parts)
    rows = [
        (PARTS[part.name], str(part.n), f"{part.mean_s:.3f}", _share(part.mean_s, done_s))
        for part in summary.parts
    ]
    n = max((part.n for part in summary.parts if part.name == "done"), default=0)
    return [*rows, ("together", str(n), f"{done_s:.3f}", _share(done_s, done_s))] if rows else []


def _counts(summary: LatencySummary) -> str:
    said = f"{summary.answered} of {summary.asked} answered"
    if summary.errors:
        kinds = ", ".join(f"{n} {kind}" for kind, n in summary.errors.items())
        said += f"; with an error, and in no figure: {kinds}"
    return said + (f"; stopped, {summary.planned} were planned" if summary.interrupted else "")


def _load(summary: LatencySummary) -> str:
    at_once = f"{summary.concurrency} at a time"
    if summary.rate_per_s is None:
        return f"closed loop, {at_once}"
    return f"{summary.rate_per_s:g} due a second ({summary.arrivals}), {at_once}"


def _moment(name: str, found: Delay) -> tuple[str, ...]:
    return (name, str(found.n), *map(_quantile, (found.p50, found.p90, found.p99)), f"{found.mean_s:.3f}")


def _quantile(found: Quantile) -> str:
    low, high = ("–" if end is None else f"{end:.3f}" for end in (found.low_s, found.high_s))
    return f"{found.value_s:.3f} [{low}, {high}]"


def _share(part_s: float, whole_s: float) -> str:
    return f"{part_s / whole_s:.0%}" if whole_s else "–"


def _s(seconds: float) -> str:
    return f"{seconds:.2f} s"
