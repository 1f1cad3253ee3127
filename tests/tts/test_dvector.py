import numpy as np
import pytest

from voicebench.types import Audio
from voicebench_tts.dvector import FrontEnd, mel_filters, mel_windows

FRONT_END = FrontEnd(
    sample_rate_hz=16000, n_fft=512, win_length=400, hop_length=160, n_mels=40, log_mel_floor=1e-6,
    window=80, stride=40,
)  # fmt: skip


def tone(hz: float, seconds: float, level: float = 0.1, rate: int = 16000) -> Audio:
    time_s = np.arange(round(seconds * rate)) / rate
    return Audio((level * np.sin(2 * np.pi * hz * time_s)).astype(np.float32), rate)


def test_the_mel_filters_are_slaneys() -> None:
    filters = mel_filters(FRONT_END)
    assert filters.shape == (40, 257)
    hz = np.linspace(0, 8000, 257)
    peaks = hz[filters.argmax(axis=1)]
    # Even steps below 1 kHz, even ratios above.
    assert np.diff(peaks[:12]) == pytest.approx(73.6, abs=32)
    assert peaks[-1] == pytest.approx(7416, abs=16)
    assert filters[20:].sum(axis=1) * hz[1] == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize(("seconds", "windows"), [(0.05, 1), (0.8, 1), (1.3, 2), (3.0, 6)])
def test_windows_overlap_by_half_and_a_short_clip_fills_one(seconds: float, windows: int) -> None:
    got = mel_windows(tone(440, seconds), FRONT_END, mel_filters(FRONT_END))
    assert got.shape == (windows, 80, 40)
    assert got.dtype == np.float32


def test_a_tone_lies_in_its_band_at_any_level() -> None:
    filters = mel_filters(FRONT_END)
    loud, quiet = (mel_windows(tone(1000, 1.0, level), FRONT_END, filters) for level in (0.5, 0.001))
    assert loud.mean(axis=(0, 1)).argmax() == filters[:, 32].argmax()
    assert np.allclose(loud, quiet, atol=1e-3)


def test_another_rate_is_resampled() -> None:
    filters = mel_filters(FRONT_END)
    same = mel_windows(tone(440, 1.0), FRONT_END, filters)
    other = mel_windows(tone(440, 1.0, rate=48000), FRONT_END, filters)
    assert same.shape == other.shape
    assert np.abs(same[0, 20:60, :20] - other[0, 20:60, :20]).max() < 0.2
