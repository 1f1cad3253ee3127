"""The synthesizers, the converter and the encoder with their real weights."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from voicebench import registry
from voicebench.errors import UserError
from voicebench.models import at_hand, locate
from voicebench.types import Audio

pytestmark = pytest.mark.weights

SENTENCE = "Book me a cab from the airport, please."


@pytest.fixture(scope="module")
def kokoro() -> Any:
    if at_hand("kokoro-voices") is None:
        pytest.skip("npm brings the 54 voices, and it is not installed here")
    return registry.load(registry.find("tts", "kokoro"), offline_first=True)


@pytest.fixture(scope="module")
def encoder() -> Any:
    return registry.load(registry.find("encoder", "d-vector"), offline_first=True)


@pytest.fixture(scope="module")
def voices(kokoro: Any) -> dict[str, Audio]:
    return {
        name: kokoro.synthesize([SENTENCE], lang="en", voice=name, seed=0)[0]
        for name in ("af_heart", "am_fenrir")
    }


def heard(audio: Audio) -> str:
    import soxr
    from faster_whisper import WhisperModel

    model = WhisperModel(
        str(locate("whisper-tiny.en", offline_first=True).path), device="cpu", compute_type="int8"
    )
    samples = soxr.resample(audio.samples, audio.sample_rate_hz, 16000)
    segments, _ = model.transcribe(samples, language="en", temperature=0, beam_size=1)
    return " ".join(re.findall(r"[a-z]+", " ".join(segment.text for segment in segments).lower()))


def test_kokoro_is_understood_and_always_says_the_same(kokoro: Any, voices: dict[str, Audio]) -> None:
    audio = voices["af_heart"]
    assert audio.sample_rate_hz == 24000
    assert "cab from the airport" in heard(audio)
    again = kokoro.synthesize([SENTENCE], lang="en", voice="af_heart", seed=9)[0]
    assert np.array_equal(audio.samples, again.samples)


def test_kokoro_lists_native_voices_first(kokoro: Any) -> None:
    voices = kokoro.voices("hi")
    assert [voice.id for voice in voices[:4]] == ["hf_alpha", "hf_beta", "hm_omega", "hm_psi"]
    assert [voice.gender for voice in voices[:4]] == ["female", "female", "male", "male"]
    assert len(voices) == 54
    assert kokoro.voices("ta") == ()


def test_without_the_54_voices_five_speak_every_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    weights = locate("kokoro", offline_first=True).path
    cache = tmp_path / "models"
    cache.mkdir()
    (cache / weights.name).symlink_to(weights)
    monkeypatch.setenv("VOICEBENCH_CACHE", str(tmp_path))
    monkeypatch.setattr("voicebench.models.shutil.which", lambda name: None)
    kokoro = registry.load(registry.find("tts", "kokoro"), offline_first=True)
    assert len(kokoro.voices("hi")) == len(kokoro.voices("en")) == 5
    assert "npm is not installed" in caplog.text
    (audio,) = kokoro.synthesize(["नमस्ते"], lang="hi", seed=0)
    assert audio.duration_s > 0.3


def test_kokoro_speaks_devanagari_with_english_words_in_it(kokoro: Any) -> None:
    audio = kokoro.synthesize(["मेरी cab कब आएगी?"], lang="hi", voice="hf_alpha", seed=0)[0]
    assert 0.8 < audio.duration_s < 4
    assert np.abs(audio.samples).max() > 0.05


@pytest.mark.parametrize(
    ("text", "lang", "voice", "said"),
    [
        ("...", "en", None, "finds nothing to say"),
        ("hello", "ta", None, "does not speak 'ta'"),
        ("hello", "en", "af_hart", "Did you mean 'af_heart'"),
    ],
)
def test_kokoro_names_what_it_cannot_do(
    kokoro: Any, text: str, lang: str, voice: str | None, said: str
) -> None:
    with pytest.raises(UserError, match=said):
        kokoro.synthesize([text], lang=lang, voice=voice, seed=0)


def test_hibari_is_understood_and_its_seed_fixes_the_sound() -> None:
    hibari = registry.load(registry.find("tts", "hibari"))
    first, second = (hibari.synthesize([SENTENCE], lang="en", seed=seed)[0] for seed in (1, 1))
    assert np.array_equal(first.samples, second.samples)
    batch = hibari.synthesize(["Hello.", SENTENCE], lang="en", seed=1)
    assert np.array_equal(batch[1].samples, first.samples)
    assert "cab from the airport" in heard(first)
    with pytest.raises(UserError, match="nothing to say"):
        hibari.synthesize(["..."], lang="en", seed=0)
    with pytest.raises(UserError, match="English"):
        hibari.synthesize(["नमस्ते"], lang="hi", seed=0)


def halves(audio: Audio) -> Sequence[Audio]:
    middle = len(audio.samples) // 2
    return [
        Audio(part.copy(), audio.sample_rate_hz) for part in (audio.samples[:middle], audio.samples[middle:])
    ]


def test_the_same_voice_is_nearer_than_another(encoder: Any, voices: dict[str, Audio]) -> None:
    rows = encoder.embed([*halves(voices["af_heart"]), *halves(voices["am_fenrir"])])
    assert rows.shape == (4, 256)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    cosine = rows @ rows.T
    assert min(cosine[0, 1], cosine[2, 3]) > cosine[:2, 2:].max() + 0.1


def test_an_embedding_does_not_depend_on_its_neighbours(encoder: Any, voices: dict[str, Audio]) -> None:
    alone = encoder.embed([voices["af_heart"]])[0]
    assert np.array_equal(encoder.embed([voices["am_fenrir"], voices["af_heart"]])[1], alone)


def test_a_clip_shorter_than_a_window_has_a_place_and_an_empty_one_has_none(encoder: Any) -> None:
    short = Audio(np.full(100, 0.1, np.float32), 16000)
    assert np.linalg.norm(encoder.embed([short])[0]) == pytest.approx(1, abs=1e-5)
    assert encoder.embed([]).shape == (0, 256)
    with pytest.raises(UserError, match="without samples"):
        encoder.embed([Audio(np.zeros(0, np.float32), 16000)])


def test_conversion_moves_the_voice_towards_the_reference_and_keeps_the_words(
    encoder: Any, voices: dict[str, Audio]
) -> None:
    world = registry.load(registry.find("converter", "world"))
    source, reference = voices["af_heart"], voices["am_fenrir"]
    converted = world.convert(source, voice=reference, seed=0)
    before, after = encoder.embed([source, converted]) @ encoder.embed([reference])[0]
    assert after > before + 0.1
    assert converted.duration_s == pytest.approx(source.duration_s, rel=0.01)
    assert "cab from the airport" in heard(converted)
