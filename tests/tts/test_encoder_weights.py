"""The torch encoders with real weights that packages carry (`voicebench models fetch ge2e`)."""

from typing import Any

import numpy as np
import pytest

from tests.tts.speechbrain_pieces import require_speechbrain
from voicebench import registry
from voicebench.models import LocalModel, at_hand
from voicebench.types import Audio

pytestmark = [
    pytest.mark.weights,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning"),
]


def local(name: str) -> LocalModel:
    found = at_hand(name)
    if found is None:
        pytest.skip(f"not fetched: voicebench models fetch {name}")
    return found


@pytest.fixture(scope="module")
def voices() -> list[Audio]:
    """Two halves of what each of three synthetic voices says."""
    pytest.importorskip("espeakng_loader")
    if at_hand("kokoro-voices") is None:
        pytest.skip("npm brings the voices of Kokoro, and it is not installed here")
    kokoro: Any = registry.load(registry.find("tts", "kokoro"), offline_first=True)
    text = "Book me a cab from the airport, please, and tell me what it costs before it leaves."
    said = [kokoro.synthesize([text], lang="en", voice=v, seed=0)[0] for v in ("af_heart", "am_fenrir")]
    halves = []
    for audio in said:
        middle = len(audio.samples) // 2
        halves += [Audio(part.copy(), audio.sample_rate_hz) for part in np.split(audio.samples, [middle])]
    return halves


def test_ge2e_knows_a_voice_again(voices: list[Audio]) -> None:
    pytest.importorskip("torch")
    local("ge2e")
    encoder = registry.load(registry.find("encoder", "ge2e"), offline_first=True)
    rows = encoder.embed(voices)
    assert rows.shape == (4, 256)
    cosine = rows @ rows.T
    assert min(cosine[0, 1], cosine[2, 3]) > cosine[:2, 2:].max() + 0.1


def test_a_real_ecapa_checkpoint_loads_and_batches_exactly(voices: list[Audio]) -> None:
    """Its weights were trained for vocal fatigue: this exercises the code, and says nothing of speakers."""
    require_speechbrain()
    found = local("ecapa-vocal-fatigue")
    encoder = registry.load(registry.find("encoder", "ecapa"), path=str(found.path))
    rows = encoder.embed(voices)
    assert rows.shape == (4, 192)
    alone = np.concatenate([encoder.embed([one]) for one in voices])
    assert (rows * alone).sum(axis=1) == pytest.approx(np.ones(4), abs=1e-5)


def test_no_encoder_names_the_checkpoint_that_was_trained_for_something_else() -> None:
    assert not any("ecapa-vocal-fatigue" in record.weights for record in registry.records())
