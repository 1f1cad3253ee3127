"""What a page plays: the same samples, nothing else of the file, and errors that name it."""

import base64
import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from voicebench.audio.io import wav_bytes
from voicebench.errors import UserError
from voicebench.listening.arrange import Entry, arrange
from voicebench.listening.clips import Clip, read_clips
from voicebench.listening.sound import check_anchors, page_sound
from voicebench.types import Audio

from .helpers import make_folder, make_row, tone


def entry_of(folder: Path, data: bytes) -> Entry:
    (clip,) = read_clips([make_folder(folder, [make_row()], data=data)], {})
    return arrange([clip], seed=0)[0]


def samples_of(data: bytes) -> tuple[np.ndarray, int]:
    samples, rate = soundfile.read(io.BytesIO(data), dtype="int16")
    return samples, rate


def test_a_clip_is_heard_sample_by_sample_as_it_is(tmp_path: Path) -> None:
    data = wav_bytes(tone(7))
    sound = page_sound(entry_of(tmp_path, data), seed=0)
    assert (sound.mime, sound.suffix) == ("audio/flac", ".flac")
    assert len(sound.data) < len(data)
    samples, rate = samples_of(sound.data)
    assert rate == 16000
    assert samples.tobytes() == samples_of(data)[0].tobytes()
    assert base64.b64decode(sound.uri.removeprefix("data:audio/flac;base64,")) == sound.data


def test_a_clip_that_flac_would_make_larger_stays_a_wav(tmp_path: Path) -> None:
    sound = page_sound(entry_of(tmp_path, wav_bytes(Audio(np.zeros(3, np.float32), 16000))), seed=0)
    assert sound.mime == "audio/wav"


def test_what_a_file_says_of_itself_is_left_out(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with soundfile.SoundFile(buffer, "w", 16000, 1, "PCM_16", format="WAV") as file:
        file.title = "made by kokoro"
        file.write(tone(3).samples)
    data = buffer.getvalue()
    assert b"kokoro" in data
    assert b"kokoro" not in page_sound(entry_of(tmp_path, data), seed=0).data


@pytest.mark.parametrize("rate", [16000, 22050])
def test_opus_is_small_and_as_long(tmp_path: Path, rate: int) -> None:
    data = wav_bytes(tone(5, rate))
    sound = page_sound(entry_of(tmp_path, data), seed=0, opus=True)
    assert (sound.mime, sound.suffix, sound.data[:4]) == ("audio/ogg", ".ogg", b"OggS")
    decoded, decoded_rate = samples_of(sound.data)
    assert len(decoded) / decoded_rate == pytest.approx(0.1, abs=0.02)


def test_an_anchor_is_spoilt_by_seed(tmp_path: Path) -> None:
    clips: list[Clip] = read_clips([make_folder(tmp_path, [make_row()])], {})
    original, anchor = arrange(clips, seed=0, anchors=["noise-0dB"])
    clean = samples_of(page_sound(original, seed=0).data)[0].astype(float)
    spoilt = samples_of(page_sound(anchor, seed=0).data)[0].astype(float)
    # At 0 dB the noise has as much power as the clip, so that half of the power is still the clip's.
    assert np.corrcoef(clean, spoilt)[0, 1] ** 2 == pytest.approx(0.5, abs=0.1)
    assert page_sound(anchor, seed=0) == page_sound(anchor, seed=0)
    assert page_sound(anchor, seed=1) != page_sound(anchor, seed=0)


def test_a_clip_that_is_gone_or_changed_is_named(tmp_path: Path) -> None:
    entry = entry_of(tmp_path, wav_bytes(tone(1)))
    entry.clip.path.write_bytes(wav_bytes(tone(2)))
    with pytest.raises(UserError, match="is not the clip that the manifest describes"):
        page_sound(entry, seed=0)
    entry.clip.path.unlink()
    with pytest.raises(UserError, match="no such file, though the manifest names it"):
        page_sound(entry, seed=0)


def test_a_file_that_is_no_sound_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.wav: not readable as audio"):
        page_sound(entry_of(tmp_path, b"no sound"), seed=0)


def test_anchors_are_effects_that_need_nobody_else() -> None:
    assert check_anchors(["noise:snr=0"]) == ["noise-0dB"]
    with pytest.raises(UserError, match="unknown effect"):
        check_anchors(["nois:snr=0"])
    with pytest.raises(UserError, match="babble needs path=FILE"):
        check_anchors(["babble:snr=5"])
