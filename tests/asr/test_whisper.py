"""Whisper: what it is asked to do, by a stand-in for faster-whisper; and one clip through real weights."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import tone
from voicebench.errors import AgentFailure, UserError
from voicebench.types import Audio
from voicebench_asr.whisper import Whisper


class Engine:
    """Remembers how it was made and what it was asked; hears " Hello there."."""

    made: dict[str, Any]
    languages = ("en", "hi", "tl")
    error: Exception | None = None

    def __init__(self, folder: str, **options: Any) -> None:
        type(self).made = {"folder": folder, **options}
        self.supported_languages = list(self.languages)
        self.asked: list[tuple[np.ndarray[Any, Any], dict[str, Any]]] = []

    def transcribe(self, samples: np.ndarray[Any, Any], **options: Any) -> tuple[Iterator[Any], Any]:
        self.asked.append((samples, options))
        if self.error is not None:
            raise self.error
        segments = iter([SimpleNamespace(text=" Hello "), SimpleNamespace(text=" there. ")])
        return segments, SimpleNamespace(language=options["language"] or "tl")


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> type[Engine]:
    class Fresh(Engine):
        pass

    faster_whisper, ctranslate2 = ModuleType("faster_whisper"), ModuleType("ctranslate2")
    faster_whisper.WhisperModel = Fresh  # type: ignore[attr-defined]
    ctranslate2.get_cuda_device_count = lambda: 1  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "faster_whisper", faster_whisper)
    monkeypatch.setitem(sys.modules, "ctranslate2", ctranslate2)
    return Fresh


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"x")
    return tmp_path


def asked(whisper: Whisper) -> list[tuple[Any, dict[str, Any]]]:
    return whisper._whisper.asked  # type: ignore[attr-defined, no-any-return]


def test_segments_are_joined_and_the_language_is_the_one_asked_for(
    engine: type[Engine], folder: Path
) -> None:
    [heard] = Whisper("mine", path=folder).transcribe([tone()], lang="hi")
    assert (heard.text, heard.lang) == ("Hello there.", "hi")
    assert heard.seconds >= 0


def test_decoding_neither_falls_back_to_sampling_nor_leans_on_earlier_text(
    engine: type[Engine], folder: Path
) -> None:
    whisper = Whisper("mine", path=folder)
    whisper.transcribe([tone()], lang="en")
    [(_, options)] = asked(whisper)
    assert options == {
        "language": "en", "beam_size": 1, "temperature": 0.0, "condition_on_previous_text": False,
    }  # fmt: skip


def test_on_the_cpu_the_model_is_int8_and_takes_the_threads_it_is_given(
    engine: type[Engine], folder: Path
) -> None:
    Whisper("mine", path=folder, threads=3)
    assert engine.made == {
        "folder": str(folder), "device": "cpu", "device_index": 0, "compute_type": "int8", "cpu_threads": 3,
        "local_files_only": True,
    }  # fmt: skip


def test_a_cuda_device_is_passed_on_with_its_number(engine: type[Engine], folder: Path) -> None:
    Whisper("mine", path=folder, device="cuda:0")
    assert (engine.made["device"], engine.made["device_index"]) == ("cuda", 0)
    assert engine.made["compute_type"] == "float16"


def test_a_cuda_device_that_is_not_there_is_the_users_error(engine: type[Engine], folder: Path) -> None:
    with pytest.raises(UserError, match=r"^device 'cuda:1' is not there: CTranslate2 sees 1 CUDA devices"):
        Whisper("mine", path=folder, device="cuda:1")


def test_a_missing_cuda_library_is_found_when_loading(engine: type[Engine], folder: Path) -> None:
    engine.error = RuntimeError("Library libcublas.so.12 is not found or cannot be loaded")
    with pytest.raises(UserError, match="pip install nvidia-cublas-cu12"):
        Whisper("mine", path=folder, device="cuda")


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "mps"])
def test_an_unknown_device_is_the_users_error(engine: type[Engine], folder: Path, device: str) -> None:
    with pytest.raises(UserError, match="unknown device"):
        Whisper("mine", path=folder, device=device)


def test_a_clip_is_brought_to_16_khz(engine: type[Engine], folder: Path) -> None:
    whisper = Whisper("mine", path=folder)
    whisper.transcribe([tone(seconds=1.0, rate_hz=48_000), tone(seconds=0.5)], lang="en")
    assert [len(samples) for samples, _ in asked(whisper)] == [16_000, 8_000]
    assert all(samples.dtype == np.float32 for samples, _ in asked(whisper))


@pytest.mark.parametrize("samples", [0, 1, 16_000], ids=["empty", "one sample", "silent"])
def test_silence_is_heard_as_nothing_without_asking_the_model(
    engine: type[Engine], folder: Path, samples: int
) -> None:
    whisper = Whisper("mine", path=folder)
    clips = [Audio(np.zeros(samples, np.float32), 16_000)]
    assert [heard.text for heard in whisper.transcribe(clips, lang="hi")] == [""]
    assert asked(whisper) == []


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_clip_that_holds_no_numbers_is_refused(engine: type[Engine], folder: Path, value: float) -> None:
    with pytest.raises(AgentFailure, match="no numbers") as failure:
        Whisper("mine", path=folder).transcribe([Audio(np.full(10, value, np.float32), 16_000)], lang="en")
    assert failure.value.kind == "audio"


def test_an_english_model_refuses_other_languages(engine: type[Engine], folder: Path) -> None:
    engine.languages = ("en",)
    with pytest.raises(UserError, match=r"^tiny\.en hears English only, not 'hi'\. Use whisper-base$"):
        Whisper("tiny.en", path=folder).transcribe([tone()], lang="hi")


def test_an_english_model_needs_no_detection(engine: type[Engine], folder: Path) -> None:
    engine.languages = ("en",)
    whisper = Whisper("tiny.en", path=folder)
    assert whisper.transcribe([tone()], lang=None)[0].lang == "en"


def test_a_language_that_the_model_does_not_know_is_the_users_error(
    engine: type[Engine], folder: Path
) -> None:
    with pytest.raises(UserError, match="mine does not know the language 'or'"):
        Whisper("mine", path=folder).transcribe([tone()], lang="or")


def test_filipino_is_tagalog_to_whisper_and_filipino_to_us(engine: type[Engine], folder: Path) -> None:
    whisper = Whisper("mine", path=folder)
    given, detected = (whisper.transcribe([tone()], lang=lang)[0] for lang in ("fil", None))
    assert [options["language"] for _, options in asked(whisper)] == ["tl", None]
    assert (given.lang, detected.lang) == ("fil", "fil")


def test_running_out_of_memory_has_its_own_kind(engine: type[Engine], folder: Path) -> None:
    engine.error = RuntimeError("CUDA failed with error out of memory")
    with pytest.raises(AgentFailure) as failure:
        Whisper("mine", path=folder).transcribe([tone()], lang="en")
    assert failure.value.kind == "out_of_memory"


def test_a_folder_without_a_model_is_named_with_what_it_lacks(engine: type[Engine], tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"needs model\.bin, config\.json, tokenizer\.json"):
        Whisper("mine", path=tmp_path)


def test_the_revision_of_a_folder_is_the_one_it_is_given(engine: type[Engine], folder: Path) -> None:
    whisper = Whisper("mine", path=folder, revision="sha256:12")
    assert (whisper.model.name, whisper.model.revision) == ("mine", "sha256:12")


@pytest.mark.weights
def test_a_damaged_model_is_the_users_error(folder: Path) -> None:
    with pytest.raises(UserError, match="cannot be loaded as a Whisper model"):
        Whisper("mine", path=folder)


@pytest.mark.weights
def test_real_weights_hear_a_real_sentence() -> None:
    hibari = pytest.importorskip("hibari")
    samples = hibari.Hibari()("Please book a taxi to the airport.", seed=1).astype(np.float32)
    whisper = Whisper("whisper-tiny.en", offline_first=True)
    heard, nothing = whisper.transcribe([Audio(samples, 24_000), Audio(samples[:0], 24_000)], lang="en")
    assert "airport" in heard.text
    assert nothing.text == ""
