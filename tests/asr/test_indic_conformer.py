"""IndicConformer: tiny random graphs in the real files, by the code that loads and decodes the real ones."""

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.agent_requests import tone
from tests.asr.onnx_files import FLOAT, node, save
from tests.asr.tiny_indic_conformer import BLANK, TOKENS, save_indic_conformer
from voicebench.errors import AgentFailure, UserError
from voicebench.registry import find, load_on
from voicebench.types import Audio
from voicebench_asr.indic_conformer import IndicConformer

pytest.importorskip("onnxruntime")
pytest.importorskip("torch")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_indic_conformer(tmp_path_factory.mktemp("models") / "indic-conformer")


@pytest.fixture(scope="module")
def model(folder: Path) -> IndicConformer:
    return IndicConformer("mine", path=folder, revision="sha256:12", threads=1)


def clip(seconds: float = 1.0, *, seed: int = 0, rate_hz: int = 16_000) -> Audio:
    noise = np.random.default_rng(seed).normal(size=int(seconds * rate_hz)) * 0.1
    return Audio(noise.astype(np.float32), rate_hz)


@pytest.mark.parametrize("lang", TOKENS)
def test_a_clip_is_written_with_the_tokens_of_its_language_alone(model: IndicConformer, lang: str) -> None:
    [heard] = model.transcribe([clip()], lang=lang)
    letters = set("".join(TOKENS[lang]).replace("▁", " "))
    assert heard.lang == lang
    assert heard.text
    assert set(heard.text) <= letters
    assert heard.seconds > 0


def test_what_is_heard_follows_from_features_encoder_and_head(model: IndicConformer, folder: Path) -> None:
    import torch

    samples = clip(0.9).samples
    with torch.inference_mode():
        features, length = model._features(torch.from_numpy(samples)[None], torch.tensor([len(samples)]))
    kernel = np.fromfile(folder / "assets" / "kernel", np.float32).reshape(16, 80, 8)
    steps = int(length[0]) // 8
    windows = features.numpy()[0, :, : steps * 8].reshape(80, steps, 8)
    encoded = np.einsum("dfk,fsk->sd", kernel, windows)
    columns = np.random.default_rng(0)
    columns.normal(size=(16, 80, 8))
    scores = encoded @ columns.normal(size=(16, 25)).astype(np.float32)
    assert model.transcribe([clip(0.9)], lang="ta")[0].text == model._decoded(scores, "ta")


def scores_of(lang: str, *tokens: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return scores by which these tokens of a language come, one a frame, in a head of all languages."""
    start = list(TOKENS).index(lang) * 8
    places = [24 if token == BLANK else start + token for token in tokens]
    scores = np.zeros((len(tokens), 25), np.float32)
    # The best token of another language is better still, and must not come.
    scores[:, (start + 8) % 24] = 9.0
    scores[np.arange(len(places)), places] = 5.0
    return scores


@pytest.mark.parametrize(
    ("lang", "tokens", "text"),
    [
        ("hi", (1, 2, 3, 4), "नमस्ते"),
        ("hi", (1, 1, BLANK, 2, 2, 3, BLANK, BLANK, 4, 5, 6, 7), "नमस्ते टैक्सी"),
        ("ta", (1, 2, 3, 4, 5, 6), "வணக்கம் டாக்சி"),
        ("bn", (2, 2, BLANK, 2), "মম"),
        ("hi", (BLANK, BLANK), ""),
        ("hi", (), ""),
    ],
)
def test_greedy_ctc_takes_repetitions_once_and_drops_blanks(
    model: IndicConformer, lang: str, tokens: tuple[int, ...], text: str
) -> None:
    assert model._decoded(scores_of(lang, *tokens), lang) == text


def test_a_clip_of_another_rate_is_brought_to_16_khz(model: IndicConformer) -> None:
    one = tone(300.0, seconds=1.0, rate_hz=16_000)
    asked: list[int] = []
    hear = model._hear
    model._hear = lambda samples, lang: asked.append(len(samples)) or hear(samples, lang)  # type: ignore[method-assign,func-returns-value]
    try:
        model.transcribe([one, tone(300.0, seconds=1.0, rate_hz=48_000)], lang="hi")
    finally:
        del model._hear
    assert asked == [16_000, 16_000]


@pytest.mark.parametrize("samples", [0, 1, 16_000], ids=["empty", "one sample", "silent"])
def test_silence_is_heard_as_nothing(model: IndicConformer, samples: int) -> None:
    [heard] = model.transcribe([Audio(np.zeros(samples, np.float32), 16_000)], lang="hi")
    assert heard.text == ""


@pytest.mark.parametrize("samples", [1, 100, 257])
def test_a_clip_of_a_few_samples_is_heard(model: IndicConformer, samples: int) -> None:
    [heard] = model.transcribe([Audio(np.full(samples, 0.5, np.float32), 16_000)], lang="hi")
    assert isinstance(heard.text, str)


def test_two_minutes_are_heard_whole(model: IndicConformer) -> None:
    lengths = [len(model.transcribe([clip(seconds)], lang="hi")[0].text) for seconds in (10, 120)]
    assert lengths[1] > 8 * lengths[0]


def test_a_clip_that_holds_no_numbers_is_refused(model: IndicConformer) -> None:
    with pytest.raises(AgentFailure, match="no numbers") as failure:
        model.transcribe([Audio(np.full(10, np.nan, np.float32), 16_000)], lang="hi")
    assert failure.value.kind == "audio"


def test_the_language_must_be_given(model: IndicConformer) -> None:
    with pytest.raises(UserError, match=r"^mine does not detect the language\. Say which one is spoken$"):
        model.transcribe([clip()], lang=None)


def test_a_language_that_the_model_does_not_know_is_the_users_error(model: IndicConformer) -> None:
    with pytest.raises(UserError, match=r"^mine does not know the language 'en'\. Known: hi, ta, bn$"):
        model.transcribe([clip()], lang="en")


def test_running_out_of_memory_has_its_own_kind(
    model: IndicConformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        def run(self, *_: Any) -> None:
            raise RuntimeError("Failed to allocate memory for requested buffer of size 99")

    monkeypatch.setattr(model, "_encoder", Full())
    with pytest.raises(AgentFailure, match="Failed to allocate") as failure:
        model.transcribe([clip()], lang="hi")
    assert failure.value.kind == "out_of_memory"


def test_the_revision_of_a_folder_is_the_one_it_is_given(model: IndicConformer) -> None:
    assert (model.model.name, model.model.revision) == ("mine", "sha256:12")


def test_the_record_loads_it_from_a_folder_of_models(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICEBENCH_MODELS", str(folder.parent))
    backend = load_on(find("asr", "indic-conformer"), "cpu", offline_first=True)
    assert backend.transcribe([clip()], lang="bn")[0].text


def test_the_hub_clients_links_are_followed_to_the_weights(folder: Path, tmp_path: Path) -> None:
    blobs = tmp_path / "blobs"
    snapshot = tmp_path / "snapshots" / "e9b7"
    (snapshot / "assets").mkdir(parents=True)
    blobs.mkdir()
    for number, file in enumerate(sorted(path for path in folder.rglob("*") if path.is_file())):
        blob = blobs / f"blob{number}"
        blob.write_bytes(file.read_bytes())
        (snapshot / file.relative_to(folder)).symlink_to(blob)
    linked = IndicConformer("linked", path=snapshot)
    [want], [got] = (each.transcribe([clip()], lang="hi") for each in (IndicConformer(path=folder), linked))
    assert got.text == want.text


@pytest.mark.parametrize(
    "missing", ["config.json", "assets/encoder.onnx", "assets/preprocessor.ts", "assets/vocab.json"]
)
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    folder = save_indic_conformer(tmp_path / "m")
    (folder / missing).unlink()
    with pytest.raises(UserError, match=Path(missing).name):
        IndicConformer("mine", path=folder)


@pytest.mark.parametrize("damaged", ["encoder.onnx", "ctc_decoder.onnx", "preprocessor.ts", "vocab.json"])
def test_a_damaged_file_is_named(tmp_path: Path, damaged: str) -> None:
    folder = save_indic_conformer(tmp_path / "m")
    (folder / "assets" / damaged).write_bytes(b"\x01damaged")
    with pytest.raises(UserError, match=damaged):
        IndicConformer("mine", path=folder)


def test_a_graph_with_other_names_is_not_taken_for_the_models(tmp_path: Path) -> None:
    folder = save_indic_conformer(tmp_path / "m")
    save(
        folder / "assets" / "ctc_decoder.onnx", [node("Identity", ["x"], ["y"])],
        {"x": (FLOAT, [1])}, {"y": (FLOAT, [1])}, {},
    )  # fmt: skip
    with pytest.raises(UserError, match=r"ctc_decoder\.onnx: not IndicConformer's: it has x, y$"):
        IndicConformer("mine", path=folder)


@pytest.mark.parametrize("device", ["gpu", "cuda:x"])
def test_an_unknown_device_is_the_users_error(folder: Path, device: str) -> None:
    with pytest.raises(UserError, match="unknown device"):
        IndicConformer("mine", path=folder, device=device)


def test_without_cuda_it_stays_on_the_cpu_and_says_so(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this ONNX Runtime has CUDA")
    with caplog.at_level(logging.WARNING):
        IndicConformer("mine", path=folder, device="cuda:0")
    assert "has no CUDA" in caplog.text


def test_the_records_languages_are_those_of_the_model() -> None:
    assert len(find("asr", "indic-conformer").languages) == 22
    assert json.dumps(find("asr", "indic-conformer").languages).count('"en"') == 0
