"""What every synthesizer must do. A new one adds a line to `MAKERS`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import tone
from tests.example_package import example
from tests.tts.speech_server import serving
from tests.tts.tiny_models import ALPHABETS, save_mms
from voicebench.audio.io import write_wav
from voicebench.errors import UserError
from voicebench.fakes_audio import FakeSynthesizer
from voicebench.protocols import Synthesizer
from voicebench.registry import find, load
from voicebench_tts.elevenlabs import ElevenLabs
from voicebench_tts.indicf5 import IndicF5
from voicebench_tts.mms import Mms
from voicebench_tts.openai_speech import OpenAISpeech


@dataclass(frozen=True)
class Stage:
    """What a maker may use: a folder, and things that end with the tests."""

    folder: Path
    until_the_end: ExitStack
    patch: pytest.MonkeyPatch


def mms(stage: Stage) -> Synthesizer:
    pytest.importorskip("transformers")
    save_mms(stage.folder / "mms-tts-eng", ALPHABETS["en"])
    save_mms(stage.folder / "mms-tts-hin", ALPHABETS["hi"])
    stage.patch.setenv("VOICEBENCH_MODELS", str(stage.folder))
    backend = Mms()
    # The setting holds while a maker runs alone.
    for lang in ("en", "hi"):
        backend.voices(lang)
    return backend


def indicf5(stage: Stage) -> Synthesizer:
    torch = pytest.importorskip("torch")

    class Stand:
        def to(self, device: str) -> "Stand":
            return self

        def __call__(self, text: str, **options: Any) -> Any:
            return torch.rand(300 * len(text)).numpy() * 0.5

    module = ModuleType("transformers")
    module.AutoModel = type("AutoModel", (), {"from_pretrained": lambda *a, **o: Stand()})  # type: ignore[attr-defined]
    stage.patch.setitem(sys.modules, "transformers", module)
    for name in ("asha", "ravi"):
        write_wav(stage.folder / f"{name}.wav", tone())
        (stage.folder / f"{name}.txt").write_text("नमस्ते", "utf-8")
    return IndicF5(argument=str(stage.folder))


def openai_speech(stage: Stage) -> Synthesizer:
    server = stage.until_the_end.enter_context(serving())
    return OpenAISpeech(argument=f"{server.url}/v1#kokoro&languages=en,hi")


def elevenlabs(stage: Stage) -> Synthesizer:
    return ElevenLabs(url=stage.until_the_end.enter_context(serving()).url)


MAKERS: dict[str, Callable[[Stage], Synthesizer]] = {
    "fake": lambda stage: FakeSynthesizer(),
    "espeak": lambda stage: load(find("tts", "espeak")),
    "hibari": lambda stage: load(find("tts", "hibari")),
    "kokoro": lambda stage: load(find("tts", "kokoro"), offline_first=True),
    "mms": mms,
    "indicf5": indicf5,
    "openai-speech": openai_speech,
    "elevenlabs": elevenlabs,
    "tone": lambda stage: example("tone"),
}
NEEDS = {"espeak": "espeakng_loader", "hibari": "hibari", "kokoro": "onnxruntime"}
WEIGHTS = {"hibari", "kokoro"}
TEXTS = {"en": ("Book a cab.", "Where?"), "hi": ("टैक्सी चाहिए।", "कहाँ?")}
NOWHERE = "xx"


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.weights] if name in WEIGHTS else []) for name in MAKERS],
)
def backend(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Synthesizer]:
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param])
    with ExitStack() as until_the_end:
        with pytest.MonkeyPatch.context() as patch:
            stage = Stage(tmp_path_factory.mktemp(request.param.replace(":", "-")), until_the_end, patch)
            made = MAKERS[request.param](stage)
        yield made


@pytest.fixture
def lang(backend: Synthesizer) -> str:
    return next(code for code in TEXTS if backend.voices(code))


def test_it_names_its_model_and_revision(backend: Synthesizer) -> None:
    assert backend.model.name
    assert backend.model.revision


def test_a_language_has_voices_with_source_and_licence_each_once(backend: Synthesizer, lang: str) -> None:
    voices = backend.voices(lang)
    assert len({voice.id for voice in voices}) == len(voices) > 0
    assert all(voice.source and voice.licence for voice in voices)


def test_native_voices_come_first(backend: Synthesizer, lang: str) -> None:
    native = [voice.lang == lang for voice in backend.voices(lang)]
    assert native == sorted(native, reverse=True)


def test_no_texts_give_no_clips(backend: Synthesizer, lang: str) -> None:
    assert backend.synthesize([], lang=lang, seed=0) == []


def test_there_is_one_clip_a_text_in_their_order(backend: Synthesizer, lang: str) -> None:
    long, short = TEXTS[lang]
    clips = backend.synthesize([long, short, long], lang=lang, seed=0)
    assert len(clips) == 3
    assert np.array_equal(clips[0].samples, clips[2].samples)
    assert not np.array_equal(clips[0].samples, clips[1].samples)


def test_a_clip_is_sound_within_full_scale(backend: Synthesizer, lang: str) -> None:
    for clip in backend.synthesize(TEXTS[lang], lang=lang, seed=0):
        assert 8_000 <= clip.sample_rate_hz <= 48_000
        assert np.isfinite(clip.samples).all()
        assert 0 < np.abs(clip.samples).max() <= 1


def test_the_same_seed_gives_the_same_sound_alone_and_among_others(backend: Synthesizer, lang: str) -> None:
    together = backend.synthesize(TEXTS[lang], lang=lang, seed=3)
    alone = [backend.synthesize([text], lang=lang, seed=3)[0] for text in TEXTS[lang]]
    assert all(np.array_equal(one.samples, other.samples) for one, other in zip(together, alone, strict=True))


def test_the_first_voice_is_the_default(backend: Synthesizer, lang: str) -> None:
    text = TEXTS[lang][1]
    [default] = backend.synthesize([text], lang=lang, seed=0)
    [named] = backend.synthesize([text], lang=lang, voice=backend.voices(lang)[0].id, seed=0)
    assert np.array_equal(default.samples, named.samples)


def test_an_unknown_voice_is_the_users_mistake(backend: Synthesizer, lang: str) -> None:
    with pytest.raises(UserError, match="no-such-voice"):
        backend.synthesize(["hello"], lang=lang, voice="no-such-voice", seed=0)


@pytest.mark.parametrize("text", ["", "…?!"])
def test_a_text_with_nothing_to_say_is_the_users_mistake(backend: Synthesizer, lang: str, text: str) -> None:
    with pytest.raises(UserError, match="nothing to say"):
        backend.synthesize([text], lang=lang, seed=0)


def test_a_language_that_it_does_not_speak_has_no_voices_and_is_refused(backend: Synthesizer) -> None:
    if backend.model.name == "fake":
        pytest.skip("the control speaks every language")
    assert list(backend.voices(NOWHERE)) == []
    with pytest.raises(UserError, match=NOWHERE if backend.model.name != "hibari" else "English"):
        backend.synthesize(["hello"], lang=NOWHERE, seed=0)
