import numpy as np
import pytest

from tests.audio.effects.helpers import heard, speech


@pytest.mark.parametrize("level_db", [-40, -6, 0, 3])
def test_the_level_changes_by_so_many_db(level_db: int) -> None:
    clip = speech(level=0.1)
    changed, done = heard(f"gain:level={level_db}", clip)
    assert 20 * np.log10(np.std(changed) / np.std(clip.samples)) == pytest.approx(level_db, abs=0.001)
    assert done == {
        "name": "gain", "level_db": float(level_db), "gain": pytest.approx(10 ** (level_db / 20), abs=1e-6),
    }  # fmt: skip


def test_a_clip_never_goes_beyond_full_scale_and_the_manifest_keeps_what_was_possible() -> None:
    clip = speech()
    changed, done = heard("gain:level=40", clip)
    assert np.abs(changed).max() == pytest.approx(0.999, abs=1e-6)
    assert done["gain"] == pytest.approx(0.999 / np.abs(clip.samples).max(), rel=1e-5)
    assert done["level_db"] == 40.0
