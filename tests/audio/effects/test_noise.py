import numpy as np
import pytest

from tests.audio.effects.helpers import heard, measured_snr_db, octave_drop_db, rng, silence, speech, tone
from voicebench.audio.effects.noise import coloured_noise, speech_shaped_noise, white_noise
from voicebench.errors import UserError
from voicebench.types import Audio

NAMES = ["noise-10dB", "noise-0dB", "noise--5dB", "noise-2.5dB"] + [
    f"{colour}-noise-10dB" for colour in ("pink", "brown", "blue", "violet", "speech")
]


@pytest.mark.parametrize("rate", [8000, 16000, 44100])
@pytest.mark.parametrize("name", NAMES)
def test_the_ratio_of_speech_to_noise_is_exact(name: str, rate: int) -> None:
    clean = speech(rate=rate)
    noisy, done = heard(name, clean)
    assert measured_snr_db(clean, noisy, done["gain"]) == pytest.approx(done["snr_db"], abs=0.01)
    assert len(noisy) == len(clean.samples)


def test_loud_speech_with_noise_does_not_clip_and_keeps_its_ratio() -> None:
    clean = speech(level=0.4)
    noisy, done = heard("noise--10dB", clean)
    assert done["gain"] < 1
    assert np.abs(noisy).max() == pytest.approx(0.999, abs=1e-5)
    assert measured_snr_db(clean, noisy, done["gain"]) == pytest.approx(-10, abs=0.01)


def test_the_parameters_say_what_was_done() -> None:
    done = heard("pink-noise-10dB", speech())[1]
    assert done.pop("seed") >= 0
    assert done.pop("active_snr_db") == pytest.approx(10, abs=1)
    assert done == {"name": "noise", "colour": "pink", "snr_db": 10.0, "gain": 1.0}


def test_the_ratio_while_somebody_speaks_is_that_of_the_loud_frames() -> None:
    half = Audio(np.concatenate([tone(300, 1.0).samples, silence(1.0).samples]), 16000)
    assert heard("noise-10dB", half)[1]["active_snr_db"] == pytest.approx(10 + 10 * np.log10(2), abs=0.1)


def test_the_generator_alone_decides_about_the_noise() -> None:
    same = [heard("noise-10dB", speech(), seed=1)[0] for _ in range(2)]
    assert np.array_equal(*same)
    assert not np.array_equal(same[0], heard("noise-10dB", speech(), seed=2)[0])


@pytest.mark.parametrize(
    ("colour", "drop_db"),
    [("white", 0.0), ("pink", 3.01), ("brown", 6.02), ("blue", -3.01), ("violet", -6.02)],
)
def test_a_colour_falls_by_so_many_db_an_octave(colour: str, drop_db: float) -> None:
    assert octave_drop_db(coloured_noise(colour, 16000, 16000, rng())) == pytest.approx(drop_db, abs=0.4)


@pytest.mark.parametrize("colour", ["white", "pink", "violet"])
def test_noise_is_gaussian(colour: str) -> None:
    noise = coloured_noise(colour, 200_000, 16000, rng()).astype(np.float64)
    noise /= noise.std()
    assert abs(noise.mean()) < 0.02
    assert np.mean(noise**4) == pytest.approx(3, abs=0.1)
    assert np.mean(np.abs(noise) > 1.959964) == pytest.approx(0.05, abs=0.005)


def test_white_noise_has_unit_variance_and_no_memory() -> None:
    noise = white_noise(100_000, rng()).astype(np.float64)
    assert noise.std() == pytest.approx(1, abs=0.01)
    assert abs(np.mean(noise[1:] * noise[:-1])) < 0.01


@pytest.mark.parametrize("length", [1, 2, 3, 5, 4096])
def test_white_noise_has_any_length(length: int) -> None:
    assert white_noise(length, rng()).shape == (length,)


def test_speech_shaped_noise_lies_where_the_speech_does() -> None:
    clean = tone(1000, 2.0)
    power = np.abs(np.fft.rfft(speech_shaped_noise(clean, rng()))) ** 2
    hz = np.fft.rfftfreq(len(clean.samples), 1 / 16000)
    assert power[np.abs(hz - 1000) < 100].sum() > 0.9 * power.sum()


def test_noise_under_silence_has_no_ratio() -> None:
    with pytest.raises(UserError, match="not silent"):
        heard("noise-10dB", silence())
