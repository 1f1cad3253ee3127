"""GE2E: Resemblyzer's 256-d speaker embedding, its LSTM run by torch (no librosa, no VAD package).

Wan et al. 2018, "Generalized end-to-end loss for speaker verification". The front end is Resemblyzer's: mel
power spectra (no logarithm) of a 25 ms Hann window every 10 ms, read in windows of 1.6 s, 1.3 a second; the
clip's embedding is the mean of its windows' unit vectors. A clip comes at 16 kHz whatever its own rate is (at
another rate different speakers look alike), and without long silences inside: Resemblyzer cuts these out with
a VAD of its own, reference voices have had theirs trimmed.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from voicebench.errors import UserError
from voicebench.models import locate
from voicebench.types import Audio, ModelRef
from voicebench_tts._speaker_features import Floats, at_rate, content_revision, slaney_filters, unit

CHECKPOINT = "pretrained.pt"
SAMPLE_RATE_HZ = 16000
N_FFT = 400
HOP = 160
N_MELS = 40
WINDOW = 160
"""Frames of a window."""

_WINDOWS_A_SECOND = 1.3
_LEAST_COVERED = 0.75
_LEVEL_DBFS = -30.0
_BATCH = 256


class Ge2e:
    """The encoder.

    Args:
        path: A folder with Resemblyzer's `pretrained.pt`.
        offline_first: Take the package's weights before any other source.
        device: "cpu" or "cuda:N".

    Raises:
        UserError: The weights cannot be had.
    """

    def __init__(self, *, path: str | None = None, offline_first: bool = False, device: str = "cpu") -> None:
        weights = locate("ge2e", path=Path(path) if path else None, offline_first=offline_first)
        checkpoint = weights.path / CHECKPOINT
        revision = weights.revision or content_revision(checkpoint)
        self.model = ModelRef(name="ge2e", revision=revision)
        import torch

        self._torch = torch
        self._device = torch.device(device)
        self._lstm, self._linear = _network(
            torch.load(checkpoint, map_location="cpu", weights_only=True), checkpoint, self._device
        )
        self._filters = slaney_filters(SAMPLE_RATE_HZ, N_FFT, N_MELS)

    def embed(self, clips: Sequence[Audio]) -> Floats:
        """Return embeddings, shape (len(clips), d) with d = 256, float32, each row of unit length.

        A clip shorter than one window (1.6 s) is followed by silence.

        Raises:
            UserError: A clip holds no samples.
        """
        if not clips:
            return np.zeros((0, self._linear.out_features), np.float32)
        parts = [mel_windows(clip, self._filters) for clip in clips]
        windows = np.concatenate(parts)
        embedded = np.concatenate(
            [self._run(windows[start : start + _BATCH]) for start in range(0, len(windows), _BATCH)]
        )
        ends = np.cumsum([len(part) for part in parts])[:-1]
        return unit(np.stack([rows.mean(axis=0) for rows in np.split(embedded, ends)]))

    def _run(self, windows: Floats) -> Floats:
        torch = self._torch
        with torch.inference_mode():
            _, (hidden, _) = self._lstm(torch.from_numpy(windows).to(self._device))
            rows = torch.relu(self._linear(hidden[-1])).cpu().numpy()
        return unit(rows)


def mel_windows(clip: Audio, filters: Floats) -> Floats:
    """Return the windows that the network reads, shape (windows, 160, 40), float32.

    Args:
        clip: At any rate; a quiet one is raised to -30 dBFS, as Resemblyzer does.
        filters: Mel filters, shape (40, 201).

    Raises:
        UserError: The clip holds no samples.
    """
    if not len(clip.samples):
        raise UserError("ge2e: a clip without samples has no voice")
    samples = at_rate(clip, SAMPLE_RATE_HZ)
    power = float(np.mean(samples.astype(np.float64) ** 2))
    if power > 0:
        samples = samples * np.float32(max(1.0, 10 ** (_LEVEL_DBFS / 20) / math.sqrt(power)))
    starts = _starts(len(samples))
    needed = (starts[-1] + WINDOW) * HOP
    samples = np.pad(samples, (N_FFT // 2, N_FFT // 2 + max(0, needed - len(samples))))
    hann = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N_FFT) / N_FFT)).astype(np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples, N_FFT)[::HOP]
    spectra = np.abs(np.fft.rfft(frames * hann, axis=1)) ** 2
    mels = spectra.astype(np.float32) @ filters.T
    return np.stack([mels[start : start + WINDOW] for start in starts])


def _starts(samples: int) -> list[int]:
    """Return the first frame of each window; a last window that is mostly padding is left out."""
    step = round(SAMPLE_RATE_HZ / _WINDOWS_A_SECOND / HOP)
    frames = math.ceil((samples + 1) / HOP)
    starts = list(range(0, max(1, frames - WINDOW + step + 1), step))
    covered = (samples / HOP - starts[-1]) / WINDOW
    return starts[:-1] if covered < _LEAST_COVERED and len(starts) > 1 else starts


def _network(loaded: Any, where: Path, device: Any) -> tuple[Any, Any]:
    """Return the LSTM and the layer behind it, of the checkpoint's sizes and with its weights."""
    from torch import nn

    try:
        state = loaded["model_state"]
        hidden, inputs = state["lstm.weight_hh_l0"].shape[1], state["lstm.weight_ih_l0"].shape[1]
        layers = sum(name.startswith("lstm.weight_hh_l") for name in state)
        lstm = nn.LSTM(inputs, hidden, layers, batch_first=True)
        linear = nn.Linear(hidden, state["linear.weight"].shape[0])
        for part, name in ((lstm, "lstm."), (linear, "linear.")):
            part.load_state_dict({k.removeprefix(name): v for k, v in state.items() if k.startswith(name)})
    except (KeyError, TypeError, RuntimeError) as error:
        raise UserError(f"{where}: no Resemblyzer checkpoint ({str(error).splitlines()[0]})") from None
    return lstm.to(device).eval(), linear.to(device).eval()
