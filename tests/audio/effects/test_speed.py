import numpy as np
import pytest

from tests.audio.effects.helpers import heard, tone


@pytest.mark.parametrize("rate", [8000, 16000, 44100])
@pytest.mark.parametrize("factor", [0.5, 0.9, 1.1, 2.0])
def test_length_and_pitch_change_together(factor: float, rate: int) -> None:
    changed, done = heard(f"speed:factor={factor}", tone(500, 2.0, rate))
    assert len(changed) == pytest.approx(2.0 * rate / factor, abs=2)
    loudest = np.fft.rfftfreq(len(changed), 1 / rate)[np.abs(np.fft.rfft(changed)).argmax()]
    assert loudest == pytest.approx(500 * factor, abs=1.5)
    assert done["factor"] == factor


def test_a_factor_of_one_changes_nothing() -> None:
    clip = tone(500)
    assert np.array_equal(heard("speed-1x", clip)[0], clip.samples)
