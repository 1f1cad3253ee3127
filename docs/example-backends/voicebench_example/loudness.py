"""An agent that hears the clip itself; see `voicebench.protocols.Agent`."""

import time
from collections.abc import Sequence

import numpy as np

from voicebench.types import ModelRef, Request, Response, Timeline, ToolCall


class Loudness:
    """Calls the first tool offered for a loud clip, the last one for a quiet clip or for words."""

    def __init__(self) -> None:
        self.model = ModelRef(name="loudness", revision="1.0")

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request; same length and order."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Response:
        started_s = time.perf_counter()
        if not request.tools:
            return request.answer(text="I have no tools.", model=self.model, timeline=self._done(started_s))
        clip = request.turns[-1].audio
        is_loud = clip is not None and float(np.abs(clip.samples).max(initial=0.0)) > 0.05
        tool = request.tools[0 if is_loud else -1]
        calls = (ToolCall(name=tool.name),)
        return request.answer(calls=calls, model=self.model, timeline=self._done(started_s))

    def _done(self, started_s: float) -> Timeline:
        return Timeline(request_sent=0.0, done=time.perf_counter() - started_s)
