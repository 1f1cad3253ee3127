import logging
from pathlib import Path

import numpy as np
import pytest

from voicebench.errors import UserError
from voicebench.models import LocalModel
from voicebench_tts import kokoro
from voicebench_tts.kokoro import STYLES_SHAPE


def test_without_the_npm_voices_the_japanese_ones_are_used_and_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    np.savez(tmp_path / "voices_ja.npz", jf_alpha=np.zeros(STYLES_SHAPE, np.float32))

    def not_at_hand(name: str, **options: object) -> LocalModel:
        raise UserError(f"{name}: the weights are not at hand")

    monkeypatch.setattr(kokoro, "locate", not_at_hand)
    with caplog.at_level(logging.WARNING):
        styles = kokoro._styles(LocalModel(tmp_path, "offline", None), offline_first=True)
    assert list(styles) == ["jf_alpha"]
    assert "only its 1 Japanese voices" in caplog.text
    assert "npm" in caplog.text


def test_a_folder_of_the_users_brings_its_own_voices(tmp_path: Path) -> None:
    np.ones(STYLES_SHAPE, np.float32).tofile(tmp_path / "af_mine.bin")
    styles = kokoro._styles(LocalModel(tmp_path, "path", None), offline_first=True)
    assert styles["af_mine"].shape == STYLES_SHAPE


def test_a_voice_file_of_another_shape_is_named(tmp_path: Path) -> None:
    np.ones(7, np.float32).tofile(tmp_path / "af_mine.bin")
    with pytest.raises(UserError, match=r"af_mine\.bin: a voice holds 510 × 256 numbers, not 7"):
        kokoro._styles(LocalModel(tmp_path, "path", None), offline_first=True)
