import numpy as np
import pytest

from voicebench.errors import UserError
from voicebench.types import Audio
from voicebench_tts.world import FORMANT_RATIO, Portrait, World, formant_ratio, pitch_ratio

pytest.importorskip("pyworld")


def vowel(pitch_hz: float, stretch: float = 1.0, seconds: float = 0.8, rate: int = 16000) -> Audio:
    """A steady vowel: harmonics under three formants."""
    time_s = np.arange(round(seconds * rate)) / rate
    wave = np.zeros(len(time_s))
    for k in range(1, int(rate / 2 / pitch_hz)):
        hz = k * pitch_hz
        gain = sum(1 / (1 + ((hz - centre * stretch) / 90) ** 2) for centre in (700, 1220, 2600))
        wave += (gain + 0.003) * np.cos(2 * np.pi * hz * time_s)
    return Audio((0.2 * wave / np.abs(wave).max()).astype(np.float32), rate)


def median_pitch_hz(audio: Audio) -> float:
    import pyworld

    pitch, _ = pyworld.harvest(audio.samples.astype(np.float64), audio.sample_rate_hz)
    return float(np.median(pitch[pitch > 0]))


def rms(audio: Audio) -> float:
    return float(np.sqrt(np.mean(audio.samples.astype(np.float64) ** 2)))


def test_the_pitch_becomes_the_references() -> None:
    converted = World().convert(vowel(120), voice=vowel(180), seed=0)
    assert median_pitch_hz(converted) == pytest.approx(180, rel=0.03)


def test_length_rate_and_level_stay_the_sources() -> None:
    source = vowel(120)
    converted = World().convert(source, voice=vowel(220, 1.1, rate=24000), seed=0)
    assert converted.sample_rate_hz == source.sample_rate_hz
    assert len(converted.samples) == len(source.samples)
    assert rms(converted) == pytest.approx(rms(source), rel=0.02)
    assert np.abs(converted.samples).max() <= 1


def test_a_pitch_too_far_away_is_approached_only() -> None:
    converted = World().convert(vowel(90), voice=vowel(400), seed=0)
    assert median_pitch_hz(converted) == pytest.approx(180, rel=0.03)


def portrait(stretch: float, pitch_hz: float | None) -> Portrait:
    bins = np.linspace(0, 8000, 513)
    shape = sum(3 * np.exp(-(((bins - centre * stretch) / 300) ** 2)) for centre in (700, 1220, 2600))
    return Portrait(None if pitch_hz is None else float(np.log(pitch_hz)), np.asarray(shape), bins)


@pytest.mark.parametrize("stretch", [0.9, 1.0, 1.1])
def test_the_formant_ratio_is_found_where_the_pitch_agrees(stretch: float) -> None:
    target = portrait(stretch, 150 * stretch**2.5)
    assert formant_ratio(portrait(1, 150), target) == pytest.approx(stretch, abs=0.01)


def test_the_formant_ratio_is_found_halfway_where_the_pitch_says_nothing() -> None:
    assert 0.9 < formant_ratio(portrait(1, 150), portrait(0.9, 150)) < 0.97
    assert 1.03 < formant_ratio(portrait(1, 150), portrait(1.1, 150)) < 1.1


def test_the_formant_ratio_stays_in_its_bounds() -> None:
    assert FORMANT_RATIO[0] <= formant_ratio(portrait(1, 90), portrait(2, 400)) <= FORMANT_RATIO[1]


def test_an_unvoiced_side_leaves_the_pitch() -> None:
    assert pitch_ratio(portrait(1, None), portrait(1, 200)) == 1.0
    assert pitch_ratio(portrait(1, 200), portrait(1, None)) == 1.0
    assert pitch_ratio(portrait(1, 100), portrait(1, 150)) == pytest.approx(1.5)


def test_noise_is_no_voice_and_is_converted_safely() -> None:
    noise = Audio((0.1 * np.random.default_rng(0).standard_normal(8000)).astype(np.float32), 16000)
    for source, voice in ((noise, vowel(150)), (vowel(150), noise)):
        converted = World().convert(source, voice=voice, seed=0)
        assert np.isfinite(converted.samples).all()
        assert len(converted.samples) == len(source.samples)


@pytest.mark.parametrize("length", [0, 1, 200])
def test_a_very_short_or_silent_source_is_safe(length: int) -> None:
    silent = Audio(np.zeros(length, np.float32), 16000)
    assert World().convert(silent, voice=vowel(150), seed=0) is silent
    click = Audio(np.full(length, 0.1, np.float32), 16000)
    assert len(World().convert(click, voice=vowel(150), seed=0).samples) == length


@pytest.mark.parametrize("length", [0, 8000])
def test_a_silent_reference_is_the_users_mistake(length: int) -> None:
    with pytest.raises(UserError, match="the reference recording is silent"):
        World().convert(vowel(150), voice=Audio(np.zeros(length, np.float32), 16000), seed=0)
