"""A delay as the sum of its parts: the stretches between the moments of one answer, in their order."""

from collections.abc import Mapping

from voicebench.types import Response, Timeline

QUEUED = "queued"
QUEUED_S = "queued_s"
"""The key of a response's usage that holds how long it waited before it was served, in seconds."""

PARTS: Mapping[str, str] = {
    QUEUED: "waiting to be served",
    "request_sent": "sending the request",
    "transcribed": "hearing (the ASR)",
    "first_token": "waiting for the first token",
    "first_reasoning": "until it reasons",
    "first_content": "until it writes",
    "first_call_token": "until the calls begin",
    "calls_done": "writing the calls",
    "done": "the rest",
}
"""What each part is, by the moment that ends it."""

MOMENTS: tuple[str, ...] = tuple(Timeline.model_fields)


def moments(response: Response) -> dict[str, float]:
    """Return the moments of an answer that happened, in seconds, in the order of `MOMENTS`."""
    timeline = response.timeline
    found = {name: getattr(timeline, name) for name in MOMENTS} if timeline is not None else {}
    return {name: at_s for name, at_s in found.items() if at_s is not None}


def queued_s(response: Response) -> float | None:
    """Return how long a request waited to be served, in seconds; None where nothing could hold it up."""
    waited = (response.usage or {}).get(QUEUED_S)
    return float(waited) if isinstance(waited, int | float) else None


def breakdown(response: Response) -> dict[str, float] | None:
    """Return the parts of the time from the end of the user's speech until an answer is done, in seconds.

    Each part is named by the moment that ends it and begins with the one before it, by the clock; the parts
    add up to `done`. Only the first one can be negative: what came before the user stopped speaking.

    Returns:
        None for an answer with an error, and for one without the moment `done`.
    """
    found = moments(response)
    if response.error is not None or "done" not in found:
        return None
    before_s = queued_s(response)
    parts = {} if before_s is None else {QUEUED: before_s}
    reached_s = before_s or 0.0
    done_s = found.pop("done")
    for name, at_s in (*sorted(found.items(), key=lambda item: item[1]), ("done", done_s)):
        parts[name] = at_s - reached_s
        reached_s = at_s
    return parts
