"""IndicF5 against a stand-in for transformers: this tests the shape of the calls alone, no weights ran."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from tests.agent_requests import tone
from voicebench.audio.io import write_wav
from voicebench.errors import UserError
from voicebench.registry import find
from voicebench_tts.indicf5 import LANGUAGES, IndicF5

torch = pytest.importorskip("torch")


class AutoModel:
    """Remembers how it was loaded and asked; speaks noise from torch's generator, as int16."""

    loaded: ClassVar[list[tuple[str, dict[str, Any]]]] = []
    asked: ClassVar[list[tuple[str, dict[str, Any]]]] = []
    error: Exception | None = None

    @classmethod
    def from_pretrained(cls, repo: str, **options: Any) -> "AutoModel":
        cls.loaded.append((repo, options))
        if cls.error:
            raise cls.error
        return cls()

    def to(self, device: str) -> "AutoModel":
        self.device = device
        return self

    def __call__(self, text: str, **options: Any) -> Any:
        self.asked.append((text, options))
        return (torch.randn(2400).clamp(-3, 3) * 5000).to(torch.int16).numpy()


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("transformers")
    module.AutoModel = AutoModel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", module)
    monkeypatch.setattr(AutoModel, "loaded", [])
    monkeypatch.setattr(AutoModel, "asked", [])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("asha", "ravi"):
        write_wav(tmp_path / f"{name}.wav", tone())
        (tmp_path / f"{name}.txt").write_text(f"ये {name}\nके शब्द हैं\n", "utf-8")
    write_wav(tmp_path / "wordless.wav", tone())
    return tmp_path


def test_weights_and_code_are_taken_at_the_pinned_commit(folder: Path) -> None:
    backend = IndicF5(argument=str(folder))
    revision = find("tts", "indicf5").revision
    assert AutoModel.loaded == [
        ("ai4bharat/IndicF5", {"revision": revision, "code_revision": revision, "trust_remote_code": True})
    ]
    assert backend.model.revision == revision


def test_a_voice_is_a_recording_with_its_words(folder: Path) -> None:
    backend = IndicF5(argument=str(folder))
    assert [voice.id for voice in backend.voices("ta")] == ["asha", "ravi"]
    assert backend.voices("en") == ()
    [clip] = backend.synthesize(["வணக்கம்"], lang="ta", voice="ravi", seed=0)
    assert AutoModel.asked == [
        ("வணக்கம்", {"ref_audio_path": str(folder / "ravi.wav"), "ref_text": "ये ravi के शब्द हैं"})
    ]
    assert clip.sample_rate_hz == 24000
    assert 0.1 < np.abs(clip.samples).max() < 1


def test_the_seed_and_the_text_fix_the_sound_and_nothing_else_does(folder: Path) -> None:
    backend = IndicF5(argument=str(folder))
    state = torch.random.get_rng_state()
    one, two = backend.synthesize(["एक", "दो"], lang="hi", seed=1)
    [again] = backend.synthesize(["दो"], lang="hi", seed=1)
    [other] = backend.synthesize(["दो"], lang="hi", seed=2)
    assert np.array_equal(two.samples, again.samples)
    assert not np.array_equal(two.samples, one.samples)
    assert not np.array_equal(two.samples, other.samples)
    assert torch.equal(state, torch.random.get_rng_state())


@pytest.mark.parametrize(
    ("text", "lang", "voice", "said"),
    [
        ("…", "hi", None, "finds nothing to say"),
        ("hello", "en", None, "does not speak 'en'"),
        ("नमस्ते", "hi", "aasha", "no recording 'aasha'. Did you mean 'asha'"),
    ],
)
def test_what_it_cannot_do_is_named(folder: Path, text: str, lang: str, voice: str | None, said: str) -> None:
    with pytest.raises(UserError, match=said):
        IndicF5(argument=str(folder)).synthesize([text], lang=lang, voice=voice, seed=0)


def test_without_recordings_it_asks_for_them(tmp_path: Path) -> None:
    for argument in ("", str(tmp_path / "nowhere")):
        with pytest.raises(UserError, match=r"Give a folder of them: indicf5:FOLDER"):
            IndicF5(argument=argument)
    with pytest.raises(UserError, match="holds no recording with its words beside it"):
        IndicF5(argument=str(tmp_path))


def test_a_gated_repository_says_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AutoModel, "error", OSError("You are trying to access a gated repo.\nMore"))
    with pytest.raises(UserError, match=r"a gated repo\.\). It is gated: accept its terms .* hf auth login"):
        IndicF5(argument=str(folder))


def test_the_record_states_its_languages() -> None:
    assert find("tts", "indicf5").languages == LANGUAGES
