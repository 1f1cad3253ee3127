"""What the synthesizers behind an API share: a few requests at once, and their answers as clips."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from voicebench.audio.io import from_array, read_audio
from voicebench.errors import AgentFailure, UserError
from voicebench.types import Audio
from voicebench_tts._http import Answer, Service

AT_ONCE = 4

_RAW = {
    "", "audio/pcm", "audio/l16", "audio/raw", "audio/x-pcm", "application/octet-stream",
    "binary/octet-stream",
}  # fmt: skip
"""What servers call bare samples."""

_CONTAINERS = (b"RIFF", b"fLaC", b"OggS", b"ID3\x03", b"ID3\x04")


@dataclass(frozen=True)
class Job:
    """One text to be spoken."""

    text: str
    lang: str
    voice: str
    seed: int


class Batches:
    """Has texts spoken a few at a time, in their order.

    A batch in which one text fails comes back text by text. What was spoken in it is paid for, so it is kept
    until it is asked for again, once.

    Args:
        speak: Has one text spoken.
        at_once: Requests under way at a time.
    """

    def __init__(self, speak: Callable[[Job], Audio], at_once: int) -> None:
        self._speak = speak
        self._at_once = at_once
        self._kept: dict[Job, Audio] = {}

    def __call__(self, jobs: Sequence[Job]) -> list[Audio]:
        """Return the clips of the jobs, in their order.

        Raises:
            UserError: A job cannot be done; the first one's error, once all have ended.
            AgentFailure: The server failed, likewise.
        """
        missing = [job for job in dict.fromkeys(jobs) if job not in self._kept]
        with ThreadPoolExecutor(self._at_once, thread_name_prefix="speech") as pool:
            futures = {job: pool.submit(self._speak, job) for job in missing}
        failures = [error for future in futures.values() if (error := future.exception()) is not None]
        self._kept |= {job: future.result() for job, future in futures.items() if future.exception() is None}
        if failures:
            raise failures[0]
        made = {job: self._kept.pop(job) for job in set(jobs)}
        return [made[job] for job in jobs]


def require_words(name: str, text: str) -> None:
    """Refuse a text without a letter or a digit before anybody is paid for it.

    Raises:
        UserError: There is nothing to say in it.
    """
    if not any(map(str.isalnum, text)):
        raise UserError(f"{name} finds nothing to say in {text[:40]!r}")


def decoded(answer: Answer, service: Service, *, raw_rate_hz: int | None = None) -> Audio:
    """Return an answer as a clip; what it is, its content says: WAV, MP3, FLAC, Ogg.

    Args:
        answer: The answer.
        service: Who gave it, for messages.
        raw_rate_hz: Where the answer may be bare 16-bit samples, little-endian: their rate.

    Raises:
        AgentFailure: It is no audio, or empty ("audio").
    """
    body = answer.body
    kind = answer.content_type.partition(";")[0].strip().lower()
    try:
        if raw_rate_hz is not None and kind in _RAW and body[:4] not in _CONTAINERS and len(body) > 1:
            return from_array(np.frombuffer(body[: len(body) & ~1], "<i2"), raw_rate_hz, where=service.name)
        return read_audio(body)
    except UserError:
        said = f" ({service.quoted(body)})" if _is_text(kind) else ""
        raise AgentFailure(
            "audio",
            f"{service.name}: {service.host} answers {len(body)} bytes of "
            f"{kind or 'unknown type'}{said}, no audio",
        ) from None


def _is_text(kind: str) -> bool:
    return kind.startswith("text/") or kind.endswith("json")
