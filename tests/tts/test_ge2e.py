"""GE2E: the front end with plain numbers, the network with random weights through the real loading code."""

from pathlib import Path

import numpy as np
import pytest

from voicebench.errors import UserError
from voicebench.types import Audio
from voicebench_tts._speaker_features import slaney_filters
from voicebench_tts.ge2e import CHECKPOINT, Ge2e, mel_windows

FILTERS = slaney_filters(16000, 400, 40)


def tone(hz: float, seconds: float, level: float = 0.3, rate: int = 16000) -> Audio:
    time_s = np.arange(round(seconds * rate)) / rate
    return Audio((level * np.sin(2 * np.pi * hz * time_s)).astype(np.float32), rate)


@pytest.mark.parametrize(
    ("seconds", "windows"), [(0.01, 1), (1.0, 1), (1.6, 1), (2.1, 2), (3.0, 3), (3.6, 4), (10.0, 12)]
)
def test_windows_of_1_6_s_cover_a_clip_unless_mostly_padding(seconds: float, windows: int) -> None:
    made = mel_windows(tone(300, seconds), FILTERS)
    assert made.shape == (windows, 160, 40)
    assert made.dtype == np.float32


def test_a_tone_lies_in_its_band_and_its_power_is_not_a_logarithm() -> None:
    loud = mel_windows(tone(1000, 2.0, 0.4), FILTERS)
    louder = mel_windows(tone(1000, 2.0, 0.8), FILTERS)
    assert loud[0, 80].argmax() == FILTERS[:, 25].argmax()
    assert louder[0, 80].max() / loud[0, 80].max() == pytest.approx(4.0, rel=1e-3)


def test_a_quiet_clip_is_raised_and_a_loud_one_is_left() -> None:
    quiet, quieter = (mel_windows(tone(500, 2.0, level), FILTERS) for level in (0.01, 0.001))
    assert np.allclose(quiet, quieter, rtol=1e-3)
    assert mel_windows(tone(500, 2.0, 0.5), FILTERS).max() > 50 * quiet.max()


def test_another_rate_is_heard_at_16_khz() -> None:
    same, other = (mel_windows(tone(500, 2.0, rate=rate), FILTERS)[0, 20:140] for rate in (16000, 44100))
    assert np.allclose(same, other, atol=0.02 * same.max())


def test_a_clip_without_samples_has_no_voice() -> None:
    with pytest.raises(UserError, match="without samples has no voice"):
        mel_windows(Audio(np.zeros(0, np.float32), 16000), FILTERS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    lstm, linear = torch.nn.LSTM(40, 16, 2, batch_first=True), torch.nn.Linear(16, 12)
    state = {
        "similarity_weight": torch.ones(1),
        **{f"lstm.{name}": value for name, value in lstm.state_dict().items()},
        **{f"linear.{name}": value for name, value in linear.state_dict().items()},
    }
    torch.save({"step": 1, "model_state": state}, tmp_path / CHECKPOINT)
    return tmp_path


def test_embeddings_are_unit_vectors_and_do_not_depend_on_their_neighbours(folder: Path) -> None:
    encoder = Ge2e(path=str(folder))
    clips = [tone(200, 1.0), tone(700, 4.1), tone(200, 2.2, rate=48000)]
    rows = encoder.embed(clips)
    assert rows.shape == (3, 12)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    for one, row in zip(clips, rows, strict=True):
        assert np.allclose(encoder.embed([one])[0], row, atol=1e-5)
    assert encoder.embed([]).shape == (0, 12)
    assert (encoder.model.revision or "").startswith("sha256:")


def test_what_is_no_resemblyzer_checkpoint_is_refused_in_one_line(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    torch.save({"weight": torch.zeros(1)}, tmp_path / CHECKPOINT)
    with pytest.raises(UserError, match=r"pretrained\.pt: no Resemblyzer checkpoint"):
        Ge2e(path=str(tmp_path))
