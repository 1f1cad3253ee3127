"""A transcriber that reads the tones of `tone`; see `voicebench.protocols.Transcriber`."""

import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError
from voicebench.types import Audio, ModelRef, Transcript
from voicebench_example.tone import LETTER_S, LETTERS, LOWEST_HZ, STEP_HZ


class ToneReader:
    """Takes the strongest frequency of each piece for a letter."""

    def __init__(self) -> None:
        self.model = ModelRef(name="tone-reader", revision="1.0")

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        """Return what was heard in each clip; silence is ""."""
        if lang not in (None, "en"):
            raise UserError(f"tone-reader hears English only, not {lang!r}")
        return [self._hear(clip) for clip in clips]

    def _hear(self, clip: Audio) -> Transcript:
        started_s = time.perf_counter()
        size = int(clip.sample_rate_hz * LETTER_S)
        pieces = [clip.samples[at : at + size] for at in range(0, len(clip.samples) - size + 1, size)]
        text = "".join(self._letter(piece, clip.sample_rate_hz) for piece in pieces)
        return Transcript(" ".join(text.split()), "en", time.perf_counter() - started_s)

    def _letter(self, piece: npt.NDArray[np.float32], rate_hz: int) -> str:
        spectrum = np.abs(np.fft.rfft(piece))
        if not spectrum.any():
            return " "
        loudest_hz = float(spectrum.argmax()) * rate_hz / len(piece)
        place = round((loudest_hz - LOWEST_HZ) / STEP_HZ)
        return LETTERS[place] if 0 <= place < len(LETTERS) else " "
