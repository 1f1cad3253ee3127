"""Whisper: what it is asked to do, by a stand-in for faster-whisper; and one clip through real weights."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent_requests import tone
from voicebench.errors import AgentFailure, UserError
from voicebench.registry import find
from voicebench.types import Audio
from voicebench_asr._whisper_options import WhisperOptions
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


class Pipeline:
    """Hears in each window how many samples it holds."""

    def __init__(self, model: Engine) -> None:
        self.asked: list[tuple[np.ndarray[Any, Any], dict[str, Any]]] = []

    def transcribe(self, samples: np.ndarray[Any, Any], **options: Any) -> tuple[Iterator[Any], Any]:
        self.asked.append((samples, options))
        windows = options.get("clip_timestamps", [{"start": 0.0, "end": len(samples) / 16_000}])
        heard = (
            SimpleNamespace(
                text=f" {int(window['end'] * 16_000) - int(window['start'] * 16_000)} ",
                start=round(int(window["start"] * 16_000) / 16_000, 3),
            )
            for window in windows
        )
        return heard, SimpleNamespace(language=options["language"] or "hi")


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> type[Engine]:
    class Fresh(Engine):
        pass

    faster_whisper, ctranslate2 = ModuleType("faster_whisper"), ModuleType("ctranslate2")
    faster_whisper.WhisperModel = Fresh  # type: ignore[attr-defined]
    faster_whisper.BatchedInferencePipeline = Pipeline  # type: ignore[attr-defined]
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


def test_options_are_part_of_the_name_and_the_revision(engine: type[Engine], folder: Path) -> None:
    whisper = Whisper("mine", path=folder, revision="ab12", argument="vad,beam5")
    assert (whisper.model.name, whisper.model.revision) == ("mine:vad,beam5", "ab12:vad,beam5")


def test_vad_and_a_beam_are_asked_for(engine: type[Engine], folder: Path) -> None:
    whisper = Whisper("mine", path=folder, argument="vad,beam5")
    whisper.transcribe([tone()], lang="hi")
    [(_, options)] = asked(whisper)
    assert (options["vad_filter"], options["beam_size"], options["language"]) == (True, 5, "hi")


def test_detect_leaves_the_language_to_the_model_also_where_it_is_given(
    engine: type[Engine], folder: Path
) -> None:
    whisper = Whisper("mine", path=folder, argument="detect")
    [heard] = whisper.transcribe([tone()], lang="hi")
    [(_, options)] = asked(whisper)
    assert options["language"] is None
    assert heard.lang == "fil"


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("vda", r"^mine:vda: unknown option 'vda'\. Did you mean 'vad'\?$"),
        ("beam0", "unknown option 'beam0'"),
        ("vad,beam", "unknown option 'beam'"),
        ("VAD", "unknown option 'VAD'"),
        ("beamN", "unknown option 'beamN'"),
    ],
)
def test_an_unknown_option_is_the_users_error(
    engine: type[Engine], folder: Path, argument: str, told: str
) -> None:
    with pytest.raises(UserError, match=told):
        Whisper("mine", path=folder, argument=argument)


@given(st.text(), st.integers(1, 20))
def test_options_are_read_or_refused_and_nothing_else(argument: str, beam_size: int) -> None:
    try:
        options = WhisperOptions.parse("mine", argument, beam_size=beam_size)
    except UserError:
        assert set(argument.split(",")) - {"", "vad", "batched", "detect"}
    else:
        assert options.beam_size >= 1


LENGTHS = ((1001, 0.1), (50, 0.0), (333, 0.1), (7, 0.1), (16_001, 0.1))
"""Of clips, in samples, and their level."""


def batches(whisper: Whisper) -> list[tuple[Any, dict[str, Any]]]:
    return whisper._pipeline.asked  # type: ignore[no-any-return]


def test_batched_clips_are_heard_together_each_in_its_own_window(engine: type[Engine], folder: Path) -> None:
    whisper = Whisper("mine", path=folder, argument="batched")
    clips = [Audio(np.full(n, level, np.float32), 16_000) for n, level in LENGTHS]
    heard = whisper.transcribe(clips, lang="hi")
    assert [item.text for item in heard] == ["1001", "", "333", "320", "16001"]
    assert len({item.seconds for item in heard}) == 1
    [(samples, options)] = batches(whisper)
    assert len(samples) == 1001 + 333 + 320 + 16_001
    assert (options["language"], options["batch_size"]) == ("hi", 8)


def test_a_long_clip_is_cut_in_its_pauses_and_its_windows_are_batched(
    engine: type[Engine], folder: Path
) -> None:
    whisper = Whisper("mine", path=folder, argument="batched")
    heard = whisper.transcribe([tone(seconds=31.0), tone(seconds=1.0)], lang="hi")
    assert [item.text for item in heard] == [str(31 * 16_000), "16000"]
    assert [(len(samples), options.get("vad_filter")) for samples, options in batches(whisper)] == [
        (16_000, None), (31 * 16_000, True),
    ]  # fmt: skip


def test_batched_clips_of_unknown_languages_are_heard_one_by_one(engine: type[Engine], folder: Path) -> None:
    whisper = Whisper("mine", path=folder, argument="batched,detect")
    heard = whisper.transcribe([tone(), tone()], lang="en")
    assert [item.lang for item in heard] == ["hi", "hi"]
    assert [options["vad_filter"] for _, options in batches(whisper)] == [False, False]


def test_no_clips_or_only_silent_ones_ask_no_batch(engine: type[Engine], folder: Path) -> None:
    whisper = Whisper("mine", path=folder, argument="batched")
    assert whisper.transcribe([], lang="hi") == []
    assert whisper.transcribe([Audio(np.zeros(9, np.float32), 16_000)], lang="hi")[0].text == ""
    assert batches(whisper) == []


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


def test_a_batch_that_runs_out_of_memory_says_so(
    engine: type[Engine], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("CUDA failed with error out of memory")

    monkeypatch.setattr(Pipeline, "transcribe", fail)
    with pytest.raises(AgentFailure) as failure:
        Whisper("mine", path=folder, argument="batched").transcribe([tone()], lang="en")
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


@pytest.mark.weights
@pytest.mark.parametrize("argument", ["vad", "batched", "vad,batched,beam2"])
def test_real_weights_hear_a_real_sentence_with_every_option(argument: str) -> None:
    hibari = pytest.importorskip("hibari")
    say = hibari.Hibari()
    sentences = ("Please book a taxi to the airport.", "Order a pizza with extra cheese.")
    taxi, pizza = (Audio(say(text, seed=1).astype(np.float32), 24_000) for text in sentences)
    heard = Whisper("whisper-tiny.en", offline_first=True, argument=argument).transcribe(
        [taxi, pizza], lang="en"
    )
    assert ["airport" in heard[0].text, "cheese" in heard[1].text] == [True, True]


@pytest.mark.weights
@pytest.mark.parametrize("argument", [None, "batched"])
def test_real_weights_hear_more_than_one_window(argument: str | None) -> None:
    hibari = pytest.importorskip("hibari")
    say = hibari.Hibari()
    first, last = (say(text, seed=1) for text in ("The first stop is the airport.", "I want a pizza."))
    samples = np.concatenate([first, np.zeros(32 * 24_000), last]).astype(np.float32)
    whisper = Whisper("whisper-tiny.en", offline_first=True, argument=argument)
    [heard] = whisper.transcribe([Audio(samples, 24_000)], lang="en")
    assert "airport" in heard.text
    assert "pizza" in heard.text


def test_every_whisper_of_the_table_takes_options() -> None:
    names = (
        "tiny",
        "base",
        "small",
        "medium",
        "large-v3",
        "turbo",
        "tiny.en",
        "base.en",
        "small.en",
        "medium.en",
    )
    assert {find("asr", f"whisper-{name}").argument for name in names} == {"OPTIONS"}
    assert find("asr", "whisper-turbo:vad").options == {"name": "whisper-turbo", "argument": "vad"}
