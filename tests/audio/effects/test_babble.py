from pathlib import Path

import numpy as np
import pytest

from tests.audio.effects.helpers import heard, measured_snr_db, speech, tone
from voicebench.audio.effects import apply, parse
from voicebench.audio.io import write_wav
from voicebench.errors import UserError

TALKERS = [tone(hz, 1.3, rate=24000, level=level) for hz, level in ((500, 0.1), (900, 0.9), (1300, 0.3))]


def test_the_ratio_of_the_voice_to_the_others_is_exact() -> None:
    clean = speech()
    noisy, done = heard("babble-5dB", clean, talkers=TALKERS)
    assert measured_snr_db(clean, noisy, done["gain"]) == pytest.approx(5, abs=0.01)
    assert (done["talkers"], len(done["sha256"])) == (6, 3)


def test_all_talkers_are_heard_and_equally_loud() -> None:
    noisy = heard("babble:snr=-60,talkers=3", speech(4.0), talkers=TALKERS)[0]
    power = np.abs(np.fft.rfft(noisy)) ** 2
    hz = np.fft.rfftfreq(len(noisy), 1 / 16000)
    levels = [10 * np.log10(power[np.abs(hz - at) < 20].sum()) for at in (500, 900, 1300)]
    assert max(levels) - min(levels) < 0.5


def test_the_seed_decides_who_talks() -> None:
    heard_by_seed = {
        heard("babble:snr=0,talkers=1", speech(), seed, TALKERS)[1]["sha256"][0] for seed in range(20)
    }
    assert len(heard_by_seed) == 3


def test_talkers_may_be_files_of_ones_own(tmp_path: Path) -> None:
    for index, talker in enumerate(TALKERS):
        write_wav(tmp_path / f"{index}.wav", talker)
    clean = speech()
    noisy, done = heard(f"babble:snr=3,path={tmp_path},talkers=3", clean)
    assert measured_snr_db(clean, noisy, done["gain"]) == pytest.approx(3, abs=0.01)
    assert done["path"] == str(tmp_path)
    assert len(done["sha256"]) == 3


def test_nobody_to_talk_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(UserError, match="path=FOLDER"):
        apply("babble-5dB", speech(), np.random.default_rng(0))
    with pytest.raises(UserError, match="whole number"):
        parse("babble:snr=5,talkers=2.5")


def test_a_chain_says_whether_it_needs_other_peoples_clips() -> None:
    assert parse("babble-5dB+telephony").needs_talkers
    assert not parse("babble:snr=5,path=crowd").needs_talkers
    assert not parse("noise-5dB").needs_talkers
