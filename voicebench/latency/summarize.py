"""From answers to delays: quantiles with intervals, parts that add up, the sound there was, what was used."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import fsum

from voicebench.costs import spend
from voicebench.latency.breakdown import MOMENTS, PARTS, breakdown, moments, queued_s
from voicebench.latency.quantiles import quantile, quantile_interval
from voicebench.latency.shape import AudioLengths, Delay, Part, Quantile, Usage
from voicebench.types import Request, Response


def delays(responses: Iterable[Response]) -> dict[str, Delay]:
    """Return when each moment came, over the answers in which it did; answers with an error have none."""
    found: dict[str, list[float]] = defaultdict(list)
    for response in responses:
        if response.error is None:
            for name, at_s in moments(response).items():
                found[name].append(at_s)
    return {name: delay(found[name]) for name in MOMENTS if name in found}


def queue(responses: Iterable[Response]) -> Delay | None:
    """Return how long requests waited before they were served; None where nothing could hold them up."""
    waited = [queued_s(response) for response in responses if response.error is None]
    known = [seconds for seconds in waited if seconds is not None]
    return delay(known) if known else None


def service(responses: Iterable[Response]) -> Delay | None:
    """Return how long requests took once they were served; None where nothing could hold them up before."""
    served = [
        moments(response)["done"] - waited_s
        for response in responses
        if response.error is None
        and (waited_s := queued_s(response)) is not None
        and "done" in moments(response)
    ]
    return delay(served) if served else None


def delay(values_s: Sequence[float]) -> Delay:
    """Return the mean and the quantiles of delays.

    Raises:
        ValueError: There are none.
    """
    p50, p90, p99 = (_quantile(values_s, q) for q in (0.5, 0.9, 0.99))
    return Delay(n=len(values_s), mean_s=fsum(values_s) / len(values_s), p50=p50, p90=p90, p99=p99)


def mean_parts(responses: Iterable[Response]) -> tuple[Part, ...]:
    """Return the parts of the time until `done`; their means add up to the mean of `done`."""
    broken = [parts for response in responses if (parts := breakdown(response)) is not None]
    return tuple(
        Part(
            name=name,
            n=sum(name in parts for parts in broken),
            mean_s=fsum(parts.get(name, 0.0) for parts in broken) / len(broken),
        )
        for name in PARTS
        if any(name in parts for parts in broken)
    )


def audio_lengths(requests: Iterable[Request]) -> AudioLengths | None:
    """Return how much sound requests had; None where they had none."""
    lengths_s = [seconds for request in requests if (seconds := request.audio_s) > 0]
    if not lengths_s:
        return None
    total_s = fsum(lengths_s)
    return AudioLengths(
        n=len(lengths_s), mean_s=total_s / len(lengths_s), total_s=total_s,
        p50_s=quantile(lengths_s, 0.5), p90_s=quantile(lengths_s, 0.9),
    )  # fmt: skip


def errors(responses: Iterable[Response]) -> dict[str, int]:
    """Return how many answers have an error, by its kind, the most frequent first."""
    kinds = Counter(response.error.kind for response in responses if response.error is not None)
    return dict(kinds.most_common())


def usage(responses: Iterable[Response]) -> tuple[dict[str, Usage], int, float | None]:
    """Return the sums of what was counted, how many answers have a known cost, and what these cost in USD."""
    spent = spend(responses)
    sums = {key: Usage(total=counted.total, n=counted.n) for key, counted in spent.usage.items()}
    return sums, spent.priced, spent.usd


def _quantile(values_s: Sequence[float], q: float) -> Quantile:
    interval = quantile_interval(values_s, q)
    return Quantile(value_s=quantile(values_s, q), low_s=interval.low, high_s=interval.high)
