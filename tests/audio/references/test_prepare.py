from typing import Any

import numpy as np
import pytest

from tests.audio.references.helpers import speech
from voicebench.audio.loudness import loudness_lufs
from voicebench.audio.references.activity import activity
from voicebench.audio.references.prepare import Limits, Rejection, prepare, quality, stretch
from voicebench.errors import UserError
from voicebench.types import Audio


def test_a_recording_is_trimmed_levelled_and_measured() -> None:
    made = prepare(speech(-1.0, 2.0, -1.0, level=0.02, noise_db=40))
    assert made.audio.duration_s == pytest.approx(2.2, abs=0.05)
    assert loudness_lufs(made.audio) == pytest.approx(-23.0, abs=0.1)
    assert made.checks["speech_s"] == pytest.approx(2.0, abs=0.05)
    assert made.checks["snr_db"] == pytest.approx(43, abs=2)
    assert made.checks["original_rate_hz"] == 16000
    assert made.checks["clipped"] == 0


@pytest.mark.parametrize(("rate", "kept"), [(16000, 16000), (22050, 22050), (44100, 24000), (48000, 24000)])
def test_the_rate_is_kept_up_to_24_khz(rate: int, kept: int) -> None:
    made = prepare(speech(-0.3, 2.0, -0.3, rate=rate))
    assert made.audio.sample_rate_hz == kept
    assert made.checks["original_rate_hz"] == rate


def test_a_long_recording_is_cut_at_a_pause() -> None:
    made = prepare(speech(-0.5, 3.0, -1.0, 4.0, -1.0, 3.0, -0.5), Limits(max_s=9.0))
    # 4 s + pause + 3 s hold as much speech as 3 s + pause + 4 s; the first is taken.
    assert made.audio.duration_s == pytest.approx(8.2, abs=0.06)
    assert made.checks["speech_s"] == pytest.approx(7.0, abs=0.08)


def test_speech_without_a_pause_is_cut_where_it_is_quietest() -> None:
    audio = speech(20.0)
    dip = audio.samples.copy()
    dip[16000 * 8 : 16000 * 8 + 1600] *= 0.3
    start_s, end_s, speech_s = stretch(activity(Audio(dip, 16000)), 9.0)
    assert start_s == pytest.approx(0.0, abs=0.03)
    assert 7.95 <= end_s <= 8.15
    assert speech_s == end_s - start_s


@pytest.mark.parametrize(
    ("audio", "kind", "said"),
    [
        (speech(2.0, rate=8000), "rate", "8000 Hz is below 16000 Hz"),
        (speech(-1.0, 0.5, -1.0), "short", "s of speech, 1 s are needed"),
        (speech(2.0, level=0.0002), "silent", "nothing is louder than -60 dBFS"),
        (Audio(np.zeros(1, np.float32), 16000), "short", "0.00 s hold no speech"),
        (Audio(np.sign(speech(2.0).samples), 16000), "clipped", "samples are at full scale"),
        (speech(-1.0, 2.0, -1.0, noise_db=2), "noisy", "dB above the noise, 10 are needed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_reference_says_why(audio: Audio, kind: str, said: str) -> None:
    with pytest.raises(Rejection) as caught:
        prepare(audio)
    assert caught.value.kind == kind
    assert said in str(caught.value)


def test_limits_can_be_moved() -> None:
    limits = Limits(min_s=0.2, min_rate_hz=8000, min_snr_db=-5)
    assert prepare(speech(-0.5, 0.5, -0.5, rate=8000, noise_db=2), limits).audio.sample_rate_hz == 8000


def test_impossible_limits_are_a_mistake() -> None:
    with pytest.raises(UserError, match="references of 5 to 2 s cannot be"):
        Limits(min_s=5, max_s=2)


@pytest.mark.parametrize(
    ("checks", "worth"),
    [
        ({"speech_s": 4.0, "snr_db": 30.0}, 14.0),
        ({"speech_s": 40.0, "snr_db": 60.0}, 20.0),
        ({"speech_s": 1.0, "snr_db": None}, 1 + 20 / 3),
        ({}, 20 / 3),
    ],
)
def test_quality_counts_seconds_and_clearness_half_and_half(checks: dict[str, Any], worth: float) -> None:
    assert quality(checks) == pytest.approx(worth)
