from pathlib import Path

import numpy as np
import pytest

from tests.audio.effects.helpers import heard, lag, measured_snr_db, silence, speech, white
from voicebench.audio.io import resample, write_wav
from voicebench.errors import UserError
from voicebench.files import sha256_file


@pytest.mark.parametrize("seconds", [0.3, 2.0, 9.0])
def test_a_noise_of_any_length_lies_under_the_clip_at_the_ratio(tmp_path: Path, seconds: float) -> None:
    path = tmp_path / "cafe.wav"
    write_wav(path, white(seconds))
    clean = speech()
    noisy, done = heard(f"noise-file:snr=7,path={path}", clean)
    assert len(noisy) == len(clean.samples)
    assert measured_snr_db(clean, noisy, done["gain"]) == pytest.approx(7, abs=0.01)
    assert (done["file"], done["sha256"], done["snr_db"]) == ("cafe.wav", sha256_file(path), 7.0)


def test_a_noise_at_another_rate_sounds_as_long(tmp_path: Path) -> None:
    path = tmp_path / "cafe.wav"
    noise = white(2.0, 16000)
    write_wav(path, resample(noise, 48000))
    noisy = heard(f"noise-file:snr=-60,path={path}", speech(2.0, 16000))[0]
    assert lag(noise.samples, noisy) == 0


def test_the_seed_decides_which_piece_and_which_file_is_heard(tmp_path: Path) -> None:
    for name in ("a.wav", "b.wav", "c.wav"):
        write_wav(tmp_path / name, white(5.0, level=0.1))
    (tmp_path / ".hidden").write_text("not heard")
    found = [heard(f"noise-file:snr=0,path={tmp_path}", speech(), seed)[1]["file"] for seed in range(20)]
    assert set(found) == {"a.wav", "b.wav", "c.wav"}
    one, same, other = (
        heard(f"noise-file:snr=0,path={tmp_path / 'a.wav'}", speech(), seed)[0] for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_what_cannot_be_mixed_in_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.wav").write_text("no sound at all")
    write_wav(tmp_path / "quiet.wav", silence())
    (tmp_path / "empty").mkdir()
    for path, says in [
        ("nowhere.wav", "nowhere.wav: no such file or folder"),
        ("text.wav", "text.wav: not readable as audio"),
        ("quiet.wav", "not silent"),
        ("empty", "empty: the folder holds no recordings"),
    ]:
        with pytest.raises(UserError, match=says):
            heard(f"noise-file:snr=0,path={tmp_path / path}", speech())
