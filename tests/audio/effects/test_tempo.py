import numpy as np
import pytest

from tests.audio.effects.helpers import heard, speech, tone, white


@pytest.mark.parametrize("rate", [8000, 16000, 44100])
@pytest.mark.parametrize("factor", [0.5, 0.8, 1.25, 2.0])
def test_the_length_changes_and_the_pitch_does_not(factor: float, rate: int) -> None:
    clip = tone(210, 2.0, rate)
    changed, done = heard(f"tempo:factor={factor}", clip)
    assert len(changed) == round(2.0 * rate / factor)
    spectrum = np.abs(np.fft.rfft(changed * np.hanning(len(changed))))
    hz = np.fft.rfftfreq(len(changed), 1 / rate)
    assert hz[spectrum.argmax()] == pytest.approx(210, abs=3)
    assert (spectrum[np.abs(hz - 210) < 12] ** 2).sum() > 0.98 * (spectrum**2).sum()
    assert np.std(changed) == pytest.approx(np.std(clip.samples), rel=0.05)
    assert done["factor"] == factor


def test_a_factor_of_one_gives_the_clip_back() -> None:
    clip = speech()
    assert np.allclose(heard("tempo-1x", clip)[0], clip.samples, atol=1e-5)


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_what_happens_when_stays_in_order(factor: float) -> None:
    clip = white(2.0)
    clip.samples[: len(clip.samples) // 2] *= np.float32(0.01)
    changed = heard(f"tempo:factor={factor}", clip)[0]
    middle = len(changed) // 2
    edge = round(0.05 * 16000)
    assert np.abs(changed[: middle - edge]).max() < 0.02
    assert np.std(changed[middle + edge :]) > 0.05
