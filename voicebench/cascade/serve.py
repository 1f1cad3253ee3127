"""From requests to responses: hear them together, answer each, and let a bad one cost itself alone."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from voicebench.cascade.bill import Bill
from voicebench.cascade.hearing import Heard
from voicebench.faults import fault
from voicebench.types import ErrorInfo, ModelRef, Request, Response, Timeline

Fields = dict[str, Any]
"""The fields of a response that an answer gives: text, calls, timeline, usage, error."""


def serve(
    requests: Sequence[Request],
    hear: Callable[[Sequence[Request]], Sequence[Heard | ErrorInfo]],
    model: ModelRef,
    answer: Callable[[Request, Heard, float], Fields],
    bill: Bill | None = None,
) -> list[Response]:
    """Hear the requests' clips together, then answer one by one.

    Args:
        requests: What is asked.
        hear: Gives each request as the answering model gets it.
        model: Goes into the responses.
        answer: Given a request, the request as it was heard, and the time (`time.perf_counter()`) that counts
            as its start, returns the fields of its response.
        bill: Adds what each answer cost.
    """
    responses = []
    for request, heard in zip(requests, hear(requests), strict=True):
        if isinstance(heard, ErrorInfo):
            responses.append(request.answer(error=heard, model=model))
            continue
        try:
            fields = answer(request, heard, start_of(heard))
        # Whatever a model or its runtime raises is no fault of the agent's: it becomes the item's error.
        except Exception as error:
            fields = {"error": fault(error)}
        responses.append(response(request, heard, model, fields, bill))
    return responses


def start_of(heard: Heard) -> float:
    """Return the time that counts as a request's start, called when its words are there.

    It lies as far back as its own clips took to hear, so that a response's timeline is that of a request
    served alone.
    """
    return time.perf_counter() - heard.seconds


def response(
    request: Request, heard: Heard, model: ModelRef, fields: Mapping[str, Any], bill: Bill | None = None
) -> Response:
    """Return a response that says what was heard, and what it cost, beside what was answered."""
    timeline: Timeline | None = fields.get("timeline")
    usage = fields.get("usage")
    if heard.transcript is not None:
        timeline = (timeline or Timeline(request_sent=0.0)).model_copy(update={"transcribed": heard.seconds})
    if heard.audio_s:
        usage = (usage or {}) | {"audio_s": round(heard.audio_s, 3)}
    if bill is not None:
        usage = bill.added(usage, heard.audio_s)
    return request.answer(
        model=model, transcript=heard.transcript, **{**fields, "timeline": timeline, "usage": usage}
    )
