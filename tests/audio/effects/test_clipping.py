import numpy as np
import pytest

from tests.audio.effects.helpers import heard, silence, speech
from voicebench.audio.effects import parse
from voicebench.errors import UserError
from voicebench.types import Audio


@pytest.mark.parametrize("share", [0.5, 1.0, 10.0, 50.0])
def test_so_many_samples_are_cut_off_at_one_level(share: float) -> None:
    clip = speech()
    flat, done = heard(f"clipping:share={share}", clip)
    peak = np.abs(flat).max()
    assert np.mean(np.abs(flat) >= peak) * 100 == pytest.approx(share, abs=0.05)
    assert done["share_percent"] == pytest.approx(share, abs=0.05)
    assert done["threshold"] == pytest.approx(peak, abs=1e-6)
    below = np.abs(clip.samples) < peak
    assert np.array_equal(flat[below], clip.samples[below])


def test_it_is_cut_off_so_far_below_the_peak() -> None:
    clip = speech()
    flat, _ = heard("clipping:depth=6", clip)
    assert 20 * np.log10(np.abs(clip.samples).max() / np.abs(flat).max()) == pytest.approx(6, abs=0.001)


def test_a_clip_that_is_mostly_silence_does_not_vanish() -> None:
    sparse = np.zeros(1000, np.float32)
    sparse[:10] = 0.5
    assert np.array_equal(heard("clipping-50%", Audio(sparse, 16000))[0], sparse)
    assert heard("clipping-50%", silence())[1] == {"name": "clipping", "threshold": 0.0, "share_percent": 0.0}


@pytest.mark.parametrize("name", ["clipping", "clipping:share=1,depth=6"])
def test_one_of_share_and_depth_is_needed(name: str) -> None:
    with pytest.raises(UserError, match="either share or depth, such as clipping-1%"):
        parse(name)
