"""What an agent is given of each request: its words, written down by an ASR in batches, or its own sound."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voicebench.errors import AgentFailure
from voicebench.faults import fault
from voicebench.protocols import Transcriber
from voicebench.types import ErrorInfo, Request, Transcript, Turn


@dataclass(frozen=True)
class Heard:
    """A request as a chat model gets it.

    Attributes:
        turns: The conversation, written down; None where the model hears the request's own turns.
        transcript: What the ASR heard, a line a turn; None where nothing had to be heard.
        seconds: How long the ASR took for all of the request's clips.
        audio_s: How long the clips are.
    """

    turns: tuple[Turn, ...] | None
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


def is_heard(request: Request) -> bool:
    """Tell whether a request has a turn that comes as sound alone."""
    return any(turn.text is None for turn in request.turns)


def as_it_is(request: Request, *, longest_audio_s: float | None = None) -> Heard | ErrorInfo:
    """Return a request for a model that hears, or why it cannot be heard.

    Args:
        request: What is asked.
        longest_audio_s: The longest clip that the model hears, in seconds; None for any.
    """
    clips = [turn.audio for turn in request.turns if turn.text is None]
    heard = [clip for clip in clips if clip is not None]
    if len(heard) < len(clips):
        return ErrorInfo(kind="audio", message="a turn has neither words nor sound")
    longest_s = max((clip.duration_s for clip in heard), default=0.0)
    if longest_audio_s is not None and longest_s > longest_audio_s:
        return ErrorInfo(
            kind="audio",
            message=f"a clip of {longest_s:.1f} s; this model hears {longest_audio_s:g} s at most",
        )
    return Heard(None, audio_s=sum(clip.duration_s for clip in heard))


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
