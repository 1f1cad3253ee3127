"""MMS-TTS with tiny random weights, through the code that loads the real ones."""

import json
import logging
from pathlib import Path

import numpy as np
import pytest

from tests.tts.tiny_models import ALPHABETS, save_mms
from voicebench.errors import UserError
from voicebench.model_catalog import CATALOG, MMS_REVISIONS
from voicebench.registry import find, load_on
from voicebench_tts.mms import Mms

pytest.importorskip("torch")
pytest.importorskip("transformers")

TEXTS = ["book me a cab from the airport please", "hi", "where is it", "a"]


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for lang in ("en", "hi", "ta"):
        save_mms(folder / f"mms-tts-{MMS_REVISIONS[lang][0]}", ALPHABETS[lang])
    return folder


@pytest.fixture(autouse=True)
def _at_hand(checkpoints: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICEBENCH_MODELS", str(checkpoints))


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "Book a cab!"), ("hi", "नमस्ते, टैक्सी चाहिए।"), ("ta", "வணக்கம்")]
)
def test_a_language_is_spoken_by_its_own_checkpoint(lang: str, text: str) -> None:
    backend = load_on(find("tts", "mms"), "cpu", offline_first=True)
    [voice] = backend.voices(lang)
    [clip] = backend.synthesize([text], lang=lang, voice=voice.id, seed=0)
    assert voice.id == f"mms-tts-{MMS_REVISIONS[lang][0]}"
    assert voice.source.startswith("sha256:")
    assert voice.licence == "CC-BY-NC-4.0"
    assert clip.sample_rate_hz == 16000
    assert 0.001 < np.abs(clip.samples).max() < 1


def test_a_text_sounds_the_same_alone_and_among_others() -> None:
    backend = Mms()
    together = backend.synthesize(TEXTS, lang="en", seed=5)
    alone = [backend.synthesize([text], lang="en", seed=5)[0] for text in TEXTS]
    assert all(np.array_equal(one.samples, other.samples) for one, other in zip(together, alone, strict=True))


def test_in_a_batch_it_sounds_the_same_up_to_rounding() -> None:
    alone = Mms(batch=1).synthesize(TEXTS, lang="en", seed=5)
    for batch in (2, 3, 4):
        together = Mms(batch=batch).synthesize(TEXTS, lang="en", seed=5)
        for one, other in zip(alone, together, strict=True):
            assert len(one.samples) == len(other.samples)
            assert np.abs(one.samples - other.samples).max() < 1e-5


def test_the_seed_changes_the_sound_and_torchs_own_generator_stays_untouched() -> None:
    import torch

    backend = Mms()
    one = backend.synthesize(["hello there"], lang="en", seed=1)[0]
    state = torch.random.get_rng_state()
    other = backend.synthesize(["hello there"], lang="en", seed=2)[0]
    assert len(one.samples) != len(other.samples) or not np.array_equal(one.samples, other.samples)
    assert torch.equal(state, torch.random.get_rng_state())


def test_a_batch_that_does_not_fit_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    want = Mms(batch=1).synthesize(TEXTS, lang="en", seed=5)
    backend = Mms(batch=4)
    backend.synthesize(["a"], lang="en", seed=0)
    speaker = type(backend._speakers["en"])
    speak, sizes = speaker._speak, []

    def scarce(self: object, tokens: list[list[int]], seeds: list[int]) -> object:
        sizes.append(len(tokens))
        if len(tokens) > 1:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return speak(self, tokens, seeds)  # type: ignore[arg-type]

    monkeypatch.setattr(speaker, "_speak", scarce)
    got = backend.synthesize(TEXTS, lang="en", seed=5)
    assert sizes == [4, 2, 1, 1, 2, 1, 1]
    assert all(np.array_equal(one.samples, other.samples) for one, other in zip(got, want, strict=True))


def test_one_text_that_does_not_fit_is_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    backend = Mms()
    backend.synthesize(["a"], lang="en", seed=0)

    def full(self: object, tokens: object, seeds: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate")

    monkeypatch.setattr(type(backend._speakers["en"]), "_speak", full)
    with pytest.raises(MemoryError, match="CUDA out of memory"):
        backend.synthesize(["a"], lang="en", seed=0)


# ---- What cannot be said ----


def test_letters_that_the_model_would_leave_out_are_named() -> None:
    with pytest.raises(UserError, match=r"mms \(hi\) has no symbol for 'c' in 'मेरी cab कब आएगी"):
        Mms().synthesize(["मेरी cab कब आएगी"], lang="hi", seed=0)
    with pytest.raises(UserError, match=r"mms \(en\) has no symbol for '4'"):
        Mms().synthesize(["order 42"], lang="en", seed=0)


def test_a_letter_is_known_composed_or_decomposed(checkpoints: Path) -> None:
    backend = Mms()
    composed, decomposed = "क़", "क\u093c"  # the alphabet of the test has neither; with a nukta it has both
    folder = checkpoints / "mms-tts-hin"
    vocabulary = json.loads((folder / "vocab.json").read_text("utf-8"))
    backend.synthesize(["क"], lang="hi", seed=0)
    speaker = backend._speakers["hi"]
    speaker.tokenizer.encoder["\u093c"] = vocabulary["ँ"]
    assert speaker.tokens(composed) == speaker.tokens(decomposed)


@pytest.mark.parametrize("text", ["", "  ", "?!"])
def test_a_text_without_letters_has_nothing_to_say(text: str) -> None:
    with pytest.raises(UserError, match="mms finds nothing to say"):
        Mms().synthesize([text], lang="en", seed=0)


def test_unknown_languages_and_voices_are_named() -> None:
    assert Mms().voices("zh") == ()
    with pytest.raises(UserError, match="mms does not speak 'zh'"):
        Mms().synthesize(["你好"], lang="zh", seed=0)
    with pytest.raises(UserError, match=r"no voice 'x' for 'en'\. Known: mms-tts-eng"):
        Mms().synthesize(["hello"], lang="en", voice="x", seed=0)


# ---- What cannot be loaded ----


def copy_of(checkpoint: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    target = folder / checkpoint.name
    target.mkdir()
    for path in checkpoint.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    monkeypatch.setenv("VOICEBENCH_MODELS", str(folder))
    return target


def test_weights_that_are_missing_are_not_made_up(
    checkpoints: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.torch import load_file, save_file

    weights = copy_of(checkpoints / "mms-tts-eng", tmp_path, monkeypatch) / "model.safetensors"
    tensors = load_file(weights)
    del tensors["decoder.conv_pre.bias"]
    save_file(tensors, weights, {"format": "pt"})
    logging.getLogger("transformers").setLevel(logging.ERROR)
    with pytest.raises(UserError, match=r"1 of the weights are missing, such as decoder\.conv_pre\.bias"):
        Mms().synthesize(["hello"], lang="en", seed=0)


def test_weights_under_the_names_of_older_checkpoints_are_read(
    checkpoints: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.torch import load_file, save_file

    want = Mms().synthesize(["hello"], lang="en", seed=0)[0]
    weights = copy_of(checkpoints / "mms-tts-eng", tmp_path, monkeypatch) / "model.safetensors"
    older = {
        name.replace("parametrizations.weight.original0", "weight_g").replace(
            "parametrizations.weight.original1", "weight_v"
        ): tensor
        for name, tensor in load_file(weights).items()
    }
    assert any(name.endswith("weight_g") for name in older)
    save_file(older, weights, {"format": "pt"})
    assert np.array_equal(Mms().synthesize(["hello"], lang="en", seed=0)[0].samples, want.samples)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "vocab.json"])
def test_a_damaged_file_is_the_users_error(
    name: str, checkpoints: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copy_of(checkpoints / "mms-tts-eng", tmp_path, monkeypatch) / name).write_bytes(b"{")
    with pytest.raises(UserError, match="mms-tts-eng: cannot be loaded as an MMS-TTS model"):
        Mms().synthesize(["hello"], lang="en", seed=0)


def test_a_model_that_reads_romanised_text_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_mms(tmp_path / "mms-tts-tha", ALPHABETS["en"], is_uroman=True)
    monkeypatch.setenv("VOICEBENCH_MODELS", str(tmp_path))
    monkeypatch.setattr("voicebench_tts.mms.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"reads romanised text\. Run: pip install uroman"):
        Mms().synthesize(["สวัสดี"], lang="th", seed=0)


def test_weights_that_are_not_at_hand_are_asked_for_by_name() -> None:
    with pytest.raises(UserError, match="mms-tts-tel: the weights are not at hand; the hub did not give"):
        Mms().voices("te")


def test_a_device_that_is_not_there_is_named() -> None:
    with pytest.raises(UserError, match="mms: device 'cuda:99' is not there"):
        Mms(device="cuda:99")
    with pytest.raises(UserError, match="unknown device 'tpu'"):
        Mms(device="tpu")


def test_every_language_has_a_checkpoint_in_the_catalog() -> None:
    record = find("tts", "mms")
    assert set(record.languages) == set(MMS_REVISIONS)
    for (code, revision), name in zip(MMS_REVISIONS.values(), record.weights, strict=True):
        hub = CATALOG[name].hub
        assert hub is not None
        assert (hub.repo, hub.revision) == (f"facebook/mms-tts-{code}", revision)
        assert revision == "main" or len(revision) == 40
