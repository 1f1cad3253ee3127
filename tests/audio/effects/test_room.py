from pathlib import Path

import numpy as np
import pytest

from tests.audio.effects.helpers import heard, lag, rng, speech, white
from voicebench.audio.effects import parse
from voicebench.audio.effects.room import draw_place, simulate
from voicebench.audio.io import write_wav
from voicebench.errors import UserError
from voicebench.types import Audio


def schroeder_rt60_s(response: np.ndarray, rate: int) -> float:
    """T20 by backward integration: the slope from -5 to -25 dB, to 60 dB."""
    left = np.cumsum((response.astype(np.float64) ** 2)[::-1])[::-1]
    level_db = 10 * np.log10(left / left[0])
    range_ = np.flatnonzero((level_db <= -5) & (level_db >= -25))
    slope = np.polyfit(range_ / rate, level_db[range_], 1)[0]
    return float(-60 / slope)


@pytest.mark.parametrize("rate", [8000, 16000])
@pytest.mark.parametrize("rt60_s", [0.2, 0.4, 0.8, 1.5])
def test_the_sound_falls_by_60_db_in_the_time_that_is_asked_for(rt60_s: float, rate: int) -> None:
    found = []
    for seed in range(5):
        response, _ = simulate(rate, rt60_s, 2.0, None, rng(seed))
        found.append(schroeder_rt60_s(response[1:], rate))
    assert np.mean(found) == pytest.approx(rt60_s, rel=0.1)
    assert found == pytest.approx([rt60_s] * 5, rel=0.2)


@pytest.mark.parametrize("drr_db", [-5.0, 0.0, 10.0])
def test_direct_and_reverberant_energy_are_as_far_apart_as_asked_for(drr_db: float) -> None:
    response, properties = simulate(16000, 0.5, 1.0, drr_db, rng())
    assert response[0] == 1
    assert 10 * np.log10(1 / np.sum(response[1:].astype(float) ** 2)) == pytest.approx(drr_db, abs=0.01)
    assert properties["drr_db"] == drr_db


def test_farther_away_more_of_the_sound_is_the_rooms() -> None:
    drr_db = [simulate(16000, 0.5, distance, None, rng(3))[1]["drr_db"] for distance in (0.5, 1.0, 2.0)]
    assert drr_db[0] - drr_db[1] == pytest.approx(6.02, abs=0.01)
    assert drr_db[1] - drr_db[2] == pytest.approx(6.02, abs=0.01)


@pytest.mark.parametrize("distance_m", [0.1, 1.0, 5.0, 20.0])
def test_both_stand_in_the_room_at_their_distance(distance_m: float) -> None:
    for seed in range(50):
        place = draw_place(distance_m, rng(seed))
        assert np.linalg.norm(place.speaker_m - place.microphone_m) == pytest.approx(distance_m)
        for where in (place.speaker_m, place.microphone_m):
            assert (where > 0.1 * place.size_m).all() and (where < 0.9 * place.size_m).all()


def test_early_reflections_come_before_the_tail() -> None:
    response, _ = simulate(16000, 0.5, 1.0, None, rng(1))
    early = response[1 : round(0.006 * 16000)]
    assert 0 < np.count_nonzero(early) < 40
    assert np.count_nonzero(response[round(0.02 * 16000) :]) > 0.99 * len(response[round(0.02 * 16000) :])


def test_the_direct_sound_stays_at_its_time_and_the_clip_at_its_level_and_length() -> None:
    clip = white()
    wet, done = heard("room:rt60=0.6,distance=0.5", clip)
    assert lag(clip.samples, wet) == 0
    assert len(wet) == len(clip.samples)
    assert np.sum(wet.astype(float) ** 2) == pytest.approx(np.sum(clip.samples.astype(float) ** 2), rel=1e-3)
    assert done["gain"] < 1
    click = np.zeros(8000, np.float32)
    click[100] = 0.5
    rung = heard("room:rt60=0.3,drr=0", Audio(click, 16000))[0]
    assert np.abs(rung).argmax() == 100
    assert np.abs(rung[:100]).max() < 1e-6


def test_every_clip_is_heard_in_a_room_of_its_own() -> None:
    volumes = {heard("room", speech(), seed)[1]["volume_m3"] for seed in range(10)}
    assert len(volumes) == 10
    assert heard("room", speech(), 3)[1]["seed"] == heard("room", speech(), 3)[1]["seed"]


def test_a_recorded_response_sounds_from_its_direct_sound_on(tmp_path: Path) -> None:
    path = tmp_path / "hall.wav"
    response = np.zeros(4000, np.float32)
    response[[700, 1500]] = [-0.5, 0.25]  # 700 samples until the sound arrives, turned over; one echo
    write_wav(path, Audio(response, 16000))
    clip = white()
    wet, done = heard(f"room:path={path}", clip)
    want = clip.samples.astype(np.float64)
    want[800:] -= 0.5 * clip.samples[:-800]
    want *= np.sqrt(np.sum(clip.samples.astype(np.float64) ** 2) / np.sum(want**2))
    assert np.abs(wet - want).max() < 1e-4
    assert done["file"] == "hall.wav"


def test_a_response_is_read_again_when_its_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "hall.wav"
    wet = []
    for echo in (0.5, 0.1):
        write_wav(path, Audio(np.array([0.9, 0, 0, echo], np.float32), 16000))
        wet.append(heard(f"room:path={path}", white())[0])
    assert not np.array_equal(*wet)


def test_a_silent_response_and_one_with_a_reverberation_time_are_refused(tmp_path: Path) -> None:
    write_wav(tmp_path / "none.wav", Audio(np.zeros(100, np.float32), 16000))
    with pytest.raises(UserError, match="silent"):
        heard(f"room:path={tmp_path / 'none.wav'}", speech())
    with pytest.raises(UserError, match="has its own rt60"):
        parse("room:path=hall.wav,rt60=1")
