"""Write down what the user says in each request, with one ASR, in batches."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voicebench.errors import AgentFailure
from voicebench.faults import fault
from voicebench.protocols import Transcriber
from voicebench.types import ErrorInfo, Request, Transcript, Turn


@dataclass(frozen=True)
class Heard:
    """A request in words.

    Attributes:
        turns: The conversation, written down.
        transcript: What the ASR heard, a line a turn; None where nothing had to be heard.
        seconds: How long the ASR took for all of the request's clips.
        audio_s: How long the clips are.
    """

    turns: tuple[Turn, ...]
    transcript: str | None = None
    seconds: float = 0.0
    audio_s: float = 0.0


def hear(transcriber: Transcriber, requests: Sequence[Request]) -> list[Heard | ErrorInfo]:
    """Return each request in words; the clips of a language are transcribed together.

    If a batch fails, its requests are heard one by one, so that a bad clip costs its own request alone.

    Args:
        transcriber: Hears; not asked where all turns come in words.
        requests: What is asked; same length and order as the result.
    """
    batches: dict[str, list[int]] = defaultdict(list)
    for place, request in enumerate(requests):
        batches[request.lang].append(place)
    heard: dict[int, Heard | ErrorInfo] = {}
    for places in batches.values():
        batch = [requests[place] for place in places]
        heard |= dict(zip(places, _hear_safely(transcriber, batch), strict=True))
    return [heard[place] for place in range(len(requests))]


def _hear_safely(transcriber: Transcriber, batch: Sequence[Request]) -> Sequence[Heard | ErrorInfo]:
    try:
        return _hear(transcriber, batch)
    # Whatever an ASR or its runtime raises becomes the error of the requests that it concerns.
    except Exception as error:
        if len(batch) == 1:
            return [fault(error)]
    return [result for request in batch for result in _hear_safely(transcriber, [request])]


def _hear(transcriber: Transcriber, batch: Sequence[Request]) -> list[Heard]:
    clips = [
        turn.audio for request in batch for turn in request.turns
        if turn.text is None and turn.audio is not None
    ]  # fmt: skip
    transcripts = iter(transcriber.transcribe(clips, lang=batch[0].lang) if clips else [])
    return [_in_words(request, transcripts) for request in batch]


def _in_words(request: Request, transcripts: Iterator[Transcript]) -> Heard:
    turns = []
    heard = []
    audio_s = 0.0
    for turn in request.turns:
        text = turn.text
        if text is None:
            if turn.audio is None:
                raise AgentFailure("audio", "a turn has neither words nor sound")
            heard.append(next(transcripts))
            audio_s += turn.audio.duration_s
            text = heard[-1].text
        turns.append(Turn(role=turn.role, text=text))
    if not heard:
        return Heard(tuple(turns))
    transcript = "\n".join(item.text for item in heard)
    return Heard(tuple(turns), transcript, sum(item.seconds for item in heard), audio_s)
