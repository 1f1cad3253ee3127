import warnings

import numpy as np
import pytest

from voicebench.audio.effects import add_noise, apply, mu_law, parse, pink_noise, white_noise
from voicebench.audio.io import peak
from voicebench.errors import UserError
from voicebench.types import Audio


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def speech(seconds: float = 2.0, rate: int = 16000, level: float = 0.2) -> Audio:
    """Harmonics of 150 Hz that come and go."""
    time_s = np.arange(round(seconds * rate)) / rate
    wave = sum(np.sin(2 * np.pi * 150 * k * time_s) / k for k in range(1, 30))
    swell = 0.5 + 0.5 * np.sin(2 * np.pi * 3 * time_s)
    return Audio((level * wave * swell).astype(np.float32), rate)


def measured_snr_db(clean: Audio, noisy: Audio, gain: float) -> float:
    noise = noisy.samples.astype(np.float64) - clean.samples.astype(np.float64) * gain
    wanted = np.mean((clean.samples.astype(np.float64) * gain) ** 2)
    return float(10 * np.log10(wanted / np.mean(noise**2)))


@pytest.mark.parametrize("name", ["noise-10dB", "noise-0dB", "noise--5dB", "noise-2.5dB", "pink-noise-10dB"])
def test_the_ratio_of_speech_to_noise_is_exact(name: str) -> None:
    clean = speech()
    noisy, parameters = apply(name, clean, rng())
    assert measured_snr_db(clean, noisy, parameters["gain"]) == pytest.approx(parameters["snr_db"], abs=0.01)
    assert len(noisy.samples) == len(clean.samples)


def test_loud_speech_with_noise_does_not_clip_and_keeps_its_ratio() -> None:
    clean = speech(level=0.4)
    noisy, parameters = apply("noise--10dB", clean, rng())
    assert parameters["gain"] < 1
    assert peak(noisy.samples) < 1
    assert measured_snr_db(clean, noisy, parameters["gain"]) == pytest.approx(-10, abs=0.01)


def test_the_parameters_say_what_was_done() -> None:
    assert apply("noise-10dB", speech(), rng())[1] == {
        "name": "noise", "colour": "white", "snr_db": 10.0, "gain": 1.0,
    }  # fmt: skip
    assert apply("telephony", speech(), rng())[1] == {
        "name": "telephony", "codec": "G.711 mu-law", "rate_hz": 8000, "band_hz": [300.0, 3400.0],
    }  # fmt: skip


def test_the_generator_alone_decides_about_the_noise() -> None:
    same = [apply("noise-10dB", speech(), rng(1))[0].samples for _ in range(2)]
    other = apply("noise-10dB", speech(), rng(2))[0].samples
    assert np.array_equal(*same)
    assert not np.array_equal(same[0], other)


def test_pink_noise_falls_by_3_db_an_octave_and_white_noise_does_not() -> None:
    def octave_drop_db(noise: np.ndarray) -> float:
        power = np.abs(np.fft.rfft(noise)) ** 2
        return float(10 * np.log10(power[1000:2000].mean() / power[2000:4000].mean()))

    assert octave_drop_db(pink_noise(16000, 16000, rng())) == pytest.approx(3.01, abs=0.4)
    assert octave_drop_db(white_noise(16000, rng())) == pytest.approx(0, abs=0.4)


def test_noise_under_silence_has_no_ratio() -> None:
    with pytest.raises(UserError, match="not silent"):
        add_noise(Audio(np.zeros(100, np.float32), 16000), white_noise(100, rng()), 10)


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 44100])
def test_the_telephone_keeps_its_band_and_nothing_else(rate: int) -> None:
    line, _ = apply("telephony", Audio(white_noise(rate * 2, rng()) * np.float32(0.1), rate), rng())
    assert line.sample_rate_hz == rate
    assert len(line.samples) == rate * 2
    power = np.abs(np.fft.rfft(line.samples)) ** 2
    hz = np.fft.rfftfreq(len(line.samples), 1 / rate)
    inside = power[(hz > 400) & (hz < 3300)].mean()
    assert power[hz < 200].mean() < inside / 300
    assert power[(hz > 3600) & (hz < 3950)].mean() < inside / 300


def test_the_telephone_does_not_shift_the_speech() -> None:
    clean = Audio(white_noise(16000, rng()) * np.float32(0.1), 16000)
    line, _ = apply("telephony", clean, rng())
    lags = np.fft.irfft(np.fft.rfft(line.samples) * np.conj(np.fft.rfft(clean.samples)))
    assert lags.argmax() == 0


def test_mu_law_is_that_of_g711() -> None:
    pcm = np.array([0, 3, 100, -100, 1000, -1000, 32767, -32768])
    coded = mu_law((pcm / 32768).astype(np.float32)) * 32768
    assert coded.tolist() == [0, 0, 104, -104, 988, -988, 32124, -32124]


def test_mu_law_equals_the_standard_librarys_where_python_has_one() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        audioop = pytest.importorskip("audioop")
    pcm = np.arange(-32768, 32768).astype("<i2")
    coded = audioop.ulaw2lin(audioop.lin2ulaw(pcm.tobytes(), 2), 2)
    assert np.array_equal(mu_law(pcm / np.float32(32768)) * 32768, np.frombuffer(coded, "<i2"))


@pytest.mark.parametrize(
    "name", ["nois-10dB", "noise", "noise-dB", "noise-10", "brown-noise-10dB", "", "Telephony"]
)
def test_an_unknown_effect_names_what_there_is(name: str) -> None:
    with pytest.raises(UserError, match="unknown effect") as error:
        parse(name)
    assert "noise-10dB" in str(error.value) or "telephony" in str(error.value)
