import numpy as np
import pytest

from voicebench.audio.io import peak
from voicebench.audio.loudness import (
    clipped_samples,
    high_pass,
    k_weighted,
    loudness_lufs,
    normalise,
    shelf,
    trim_silence,
)
from voicebench.types import Audio


def tone(hz: float, level: float, seconds: float = 3.0, rate: int = 48000) -> Audio:
    time_s = np.arange(round(seconds * rate)) / rate
    return Audio((level * np.sin(2 * np.pi * hz * time_s)).astype(np.float32), rate)


def filtered(samples: np.ndarray, forward: tuple[float, ...], back: tuple[float, ...]) -> np.ndarray:
    """A biquad, sample by sample."""
    out = np.zeros(len(samples))
    x1 = x2 = y1 = y2 = 0.0
    for i, x in enumerate(samples):
        y = forward[0] * x + forward[1] * x1 + forward[2] * x2 - back[1] * y1 - back[2] * y2
        x1, x2, y1, y2 = x, x1, y, y1
        out[i] = y
    return out


def test_the_filters_at_48_khz_are_those_of_the_standard() -> None:
    assert shelf(48000)[0] == pytest.approx(
        (1.53512485958697, -2.69169618940638, 1.19839281085285), abs=1e-12
    )
    assert shelf(48000)[1] == pytest.approx((1.0, -1.69065929318241, 0.73248077421585), abs=1e-12)
    assert high_pass(48000)[1] == pytest.approx((1.0, -1.99004745483398, 0.99007225036621), abs=1e-12)


@pytest.mark.parametrize("rate", [8000, 16000, 44100])
def test_weighting_the_spectrum_is_filtering_the_samples(rate: int) -> None:
    samples = np.random.default_rng(1).standard_normal(rate // 2).astype(np.float32) * np.float32(0.1)
    want = filtered(filtered(samples, *shelf(rate)), *high_pass(rate))
    assert np.abs(k_weighted(samples, rate) - want).max() < 1e-6


def test_a_997_hz_sine_at_full_scale_has_minus_3_01_lufs() -> None:
    assert loudness_lufs(tone(997, 1.0)) == pytest.approx(-3.01, abs=0.005)


# At 8 kHz the shelf at 1.7 kHz is bent by the bilinear transform.
@pytest.mark.parametrize(("rate", "near"), [(8000, 0.21), (16000, 0.05), (22050, 0.03), (44100, 0.01)])
def test_loudness_hardly_depends_on_the_rate(rate: int, near: float) -> None:
    assert loudness_lufs(tone(997, 0.1, rate=rate)) == pytest.approx(-23.01, abs=near)


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 44100, 48000])
def test_what_is_neither_low_nor_high_passes_alike_at_every_rate(rate: int) -> None:
    forward, back = high_pass(rate)
    turn = np.exp(2j * np.pi * 1000 / rate)
    assert abs(np.polyval(forward, turn) / np.polyval(back, turn)) == pytest.approx(1.00354, abs=0.0002)


def test_a_long_clip_is_weighted_in_pieces_as_a_short_one_is_whole() -> None:
    noise = np.random.default_rng(0).standard_normal(11 * 16000).astype(np.float32) * np.float32(0.05)
    one, other = (loudness_lufs(Audio(np.resize(noise, size), 16000)) for size in (11 * 16000, 110 * 16000))
    assert one == pytest.approx(other, abs=0.01)


def test_the_rates_whose_blocks_are_no_four_hops_have_the_same_loudness() -> None:
    assert loudness_lufs(tone(997, 0.1, rate=11025)) == pytest.approx(-23.01, abs=0.12)


def test_twice_the_level_is_6_02_lu_louder() -> None:
    quiet, loud = loudness_lufs(tone(500, 0.1)), loudness_lufs(tone(500, 0.2))
    assert quiet is not None and loud is not None
    assert loud - quiet == pytest.approx(6.0206, abs=1e-3)


def test_pauses_do_not_make_a_clip_quieter() -> None:
    speech = tone(997, 0.1)
    gaps = Audio(np.concatenate([speech.samples, np.zeros(5 * 48000, np.float32), speech.samples]), 48000)
    assert loudness_lufs(gaps) == pytest.approx(loudness_lufs(speech), abs=0.3)


def test_silence_has_no_loudness() -> None:
    assert loudness_lufs(Audio(np.zeros(48000, np.float32), 48000)) is None
    assert loudness_lufs(Audio(np.zeros(0, np.float32), 48000)) is None
    assert loudness_lufs(tone(997, 1e-5)) is None


def test_a_clip_shorter_than_a_block_has_a_loudness() -> None:
    assert loudness_lufs(tone(997, 0.1, seconds=0.2)) == pytest.approx(-23.01, abs=0.3)


def test_normalising_reaches_the_target() -> None:
    assert loudness_lufs(normalise(tone(300, 0.01))) == pytest.approx(-23.0, abs=0.01)
    assert loudness_lufs(normalise(tone(300, 0.5), -30.0)) == pytest.approx(-30.0, abs=0.01)


def test_a_peaky_clip_stays_quieter_rather_than_clip() -> None:
    clicks = np.zeros(48000, np.float32)
    clicks[::4800] = 0.5
    normalised = normalise(Audio(clicks, 48000), -5.0, peak_limit=0.9)
    assert peak(normalised.samples) == pytest.approx(0.9)
    assert clipped_samples(normalised) == 0


def test_silence_is_not_amplified() -> None:
    silence = Audio(np.zeros(16000, np.float32), 16000)
    assert normalise(silence) is silence


def test_samples_at_full_scale_are_counted() -> None:
    assert clipped_samples(Audio(np.array([1.0, -1.0, 0.999, 0.0], np.float32), 16000)) == 2


def test_silence_around_speech_is_cut_to_a_tenth_of_a_second() -> None:
    speech = tone(300, 0.3, seconds=1.0, rate=16000).samples
    around = np.concatenate([np.zeros(8000, np.float32), speech, np.full(16000, 1e-5, np.float32)])
    trimmed = trim_silence(Audio(around, 16000))
    assert len(trimmed.samples) == 16000 + 2 * 1600
    assert np.array_equal(trimmed.samples[1600:17600], speech)


def test_a_clip_without_silence_and_one_of_silence_stay_whole() -> None:
    for samples in (tone(300, 0.3, rate=16000).samples, np.zeros(800, np.float32), np.zeros(3, np.float32)):
        assert np.array_equal(trim_silence(Audio(samples, 16000)).samples, samples)
