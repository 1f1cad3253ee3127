import numpy as np
import pytest

from tests.audio.references.helpers import speech
from voicebench.audio.references.activity import activity
from voicebench.types import Audio


@pytest.mark.parametrize("rate", [8000, 16000, 44100, 48000])
def test_speech_is_found_between_pauses_at_any_rate(rate: int) -> None:
    found = activity(speech(-0.5, 1.0, -0.6, 0.8, -0.4, rate=rate, noise_db=40))
    assert np.array(found.segments) == pytest.approx(np.array([(0.5, 1.5), (2.1, 2.9)]), abs=0.04)
    assert found.speech_s == pytest.approx(1.8, abs=0.08)


def test_a_pause_between_words_belongs_to_the_speech_and_a_click_does_not() -> None:
    found = activity(speech(-0.5, 0.05, -0.5, 0.8, -0.2, 0.8, -0.5))
    assert np.array(found.segments) == pytest.approx(np.array([(1.05, 2.85)]), abs=0.04)


@pytest.mark.parametrize("snr_db", [5.0, 15.0, 30.0])
def test_the_noise_is_measured_in_the_pauses(snr_db: float) -> None:
    measured = activity(speech(-0.8, 1.5, -0.8, 1.5, -0.8, noise_db=snr_db)).snr_db
    # The band of speech holds part of the white noise alone: 4 of 8 kHz.
    assert measured == pytest.approx(snr_db + 3, abs=1.5)


def test_speech_without_a_pause_is_speech_and_has_no_measured_noise() -> None:
    found = activity(speech(3.0))
    assert np.array(found.segments) == pytest.approx(np.array([(0.0, 3.0)]), abs=0.15)
    assert found.snr_db is None


def test_digital_silence_around_speech_is_60_db_of_distance() -> None:
    assert activity(speech(-0.5, 1.0, -0.5)).snr_db == 60.0


def test_a_quiet_recording_is_silent_and_noise_far_below_full_scale_too() -> None:
    assert activity(speech(2.0, level=0.0003)).segments == ()
    assert activity(Audio(np.zeros(32000, np.float32), 16000)).segments == ()


@pytest.mark.parametrize("samples", [0, 1, 399])
def test_less_than_a_frame_holds_no_speech(samples: int) -> None:
    found = activity(Audio(np.full(samples, 0.5, np.float32), 16000))
    assert (found.segments, found.speech_s, found.snr_db) == ((), 0.0, None)
