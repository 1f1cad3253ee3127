"""What every speaker encoder must do. A new one adds a line to `MAKERS`."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.agent_requests import tone
from voicebench.fakes_audio import FakeEncoder
from voicebench.protocols import SpeakerEncoder
from voicebench.registry import find, load
from voicebench.types import Audio

MAKERS: dict[str, Callable[[], SpeakerEncoder]] = {
    "fake": FakeEncoder,
    "d-vector": lambda: load(find("encoder", "d-vector"), offline_first=True),
    "ge2e": lambda: load(find("encoder", "ge2e"), offline_first=True),
}
NEEDS = {"d-vector": "onnxruntime", "ge2e": "torch"}
CLIPS = [tone(200, seconds=2.0), tone(330, seconds=1.5, rate_hz=22_050), tone(700, seconds=3.0)]


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.weights] if name in NEEDS else []) for name in MAKERS],
)
def encoder(request: pytest.FixtureRequest) -> SpeakerEncoder:
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param])
    return MAKERS[request.param]()


def test_it_names_its_model_and_revision(encoder: SpeakerEncoder) -> None:
    assert encoder.model.name
    assert encoder.model.revision


def test_each_clip_has_a_row_of_unit_length_in_single_precision(encoder: SpeakerEncoder) -> None:
    rows = encoder.embed(CLIPS)
    assert rows.dtype == np.float32
    assert rows.ndim == 2 and len(rows) == len(CLIPS)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_a_clip_has_the_same_place_alone_and_among_others(encoder: SpeakerEncoder) -> None:
    together = encoder.embed(CLIPS)
    alone = np.concatenate([encoder.embed([clip]) for clip in CLIPS])
    np.testing.assert_allclose(together, alone, atol=1e-4)


def test_the_same_clip_is_embedded_alike_twice(encoder: SpeakerEncoder) -> None:
    np.testing.assert_array_equal(encoder.embed(CLIPS[:1]), encoder.embed(CLIPS[:1]))


def test_other_clips_are_elsewhere(encoder: SpeakerEncoder) -> None:
    rows = encoder.embed(CLIPS)
    assert rows[0] @ rows[2] < 0.999


@pytest.mark.parametrize("samples", [16_000, 160])
def test_silence_has_a_place_too_and_moves_no_other(encoder: SpeakerEncoder, samples: int) -> None:
    silence = Audio(np.zeros(samples, dtype=np.float32), 16_000)
    row, beside = encoder.embed([silence, CLIPS[0]])
    assert np.isfinite(row).all()
    np.testing.assert_allclose(np.linalg.norm(row), 1.0, atol=1e-5)
    np.testing.assert_allclose(beside, encoder.embed(CLIPS[:1])[0], atol=1e-4)


def test_the_clips_are_left_as_they_were(encoder: SpeakerEncoder) -> None:
    before = [clip.samples.copy() for clip in CLIPS]
    encoder.embed(CLIPS)
    for clip, samples in zip(CLIPS, before, strict=True):
        np.testing.assert_array_equal(clip.samples, samples)


def test_no_clips_are_no_rows(encoder: SpeakerEncoder) -> None:
    assert encoder.embed([]).shape[0] == 0
