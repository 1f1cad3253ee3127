import io
import logging
import os
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.audio.wav_files import FORMAT, chunk, riff
from voicebench.audio.io import from_array, peak, probe, read_audio, resample, wav_bytes, write_wav
from voicebench.errors import UserError
from voicebench.types import Audio

ID3 = b"ID3\x04\x00\x00\x00\x00\x00\x0a" + b"TXXX\x00\x00\x00\x00\x00\x00"


def tone(seconds: float = 1.7, rate: int = 16000, level: float = 0.5) -> Audio:
    time_s = np.arange(round(seconds * rate)) / rate
    return Audio((level * np.sin(2 * np.pi * 440 * time_s)).astype(np.float32), rate)


def wav(
    audio: Audio, *, riff_size: int | None = None, data_size: int | None = None, extra: bytes = b""
) -> bytes:
    data = bytearray(wav_bytes(audio) + extra)
    if riff_size is not None:
        data[4:8] = struct.pack("<I", riff_size)
    if data_size is not None:
        data[40:44] = struct.pack("<I", data_size)
    return bytes(data)


def encoded(audio: Audio, kind: str, subtype: str | None = None) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, audio.samples, audio.sample_rate_hz, format=kind, subtype=subtype)
    return buffer.getvalue()


def extensible(pcm: bytes, channels: int, rate: int) -> bytes:
    guid = struct.pack("<H", 1) + bytes.fromhex("000000001000800000aa00389b71")
    align = 2 * channels
    fmt = struct.pack("<HHIIHHHHI", 0xFFFE, channels, rate, rate * align, align, 16, 22, 16, 0) + guid
    body = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", len(pcm)) + pcm
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize("size", [0xFFFFFFFF, 0x7FFFFFFF, 2_000_000_000, 0])
def test_a_wav_that_does_not_know_its_length_is_read_to_its_end(size: int) -> None:
    audio = read_audio(wav(tone(1.7), riff_size=size, data_size=size))
    assert audio.duration_s == 1.7
    assert np.allclose(audio.samples, tone(1.7).samples, atol=1 / 32768)


def test_a_wav_with_a_wrong_riff_size_and_a_right_data_size_is_read_quietly(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert read_audio(wav(tone(1.0), riff_size=0)).duration_s == 1.0
    assert caplog.text == ""


def test_half_a_frame_at_the_end_is_dropped_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        audio = read_audio(wav(tone(1.0), data_size=0xFFFFFFFF, extra=b"\x7f"))
    assert len(audio.samples) == 16000
    assert "half a frame" in caplog.text


def test_chunks_behind_the_sound_are_not_read_as_sound() -> None:
    trailer = b"LIST" + struct.pack("<I", 4) + b"INFO"
    assert read_audio(wav(tone(1.0), extra=trailer)).duration_s == 1.0


def test_an_empty_data_chunk_before_another_chunk_is_no_stream() -> None:
    silent = Audio(np.zeros(0, np.float32), 16000)
    with pytest.raises(UserError, match="holds no sound"):
        read_audio(wav(silent, extra=b"LIST" + struct.pack("<I", 4) + b"INFO"))


def test_wave_format_extensible_is_read() -> None:
    pcm = np.array([[1000, 3000], [-2000, 0]], "<i2").tobytes()
    audio = read_audio(extensible(pcm, 2, 48000))
    assert audio.sample_rate_hz == 48000
    assert audio.samples.tolist() == [2000 / 32768, -1000 / 32768]


@pytest.mark.parametrize(("kind", "tolerance"), [("FLAC", 1e-4), ("OGG", 0.1), ("MP3", 0.1)])
def test_content_decides_and_not_the_name(tmp_path: Path, kind: str, tolerance: float) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(encoded(tone(1.0), kind))
    audio = read_audio(path)
    assert audio.duration_s == pytest.approx(1.0, abs=0.01)
    assert peak(audio.samples) == pytest.approx(0.5, abs=tolerance)


def test_an_mp3_behind_an_id3_tag_named_wav_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(ID3 + encoded(tone(1.0), "MP3"))
    assert read_audio(path).duration_s == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("frames, want", [(48000, 16000), (480, 160)])
def test_two_channels_are_averaged_over_the_right_axis(frames: int, want: int) -> None:
    stereo = np.stack([np.full(frames, 0.5), np.zeros(frames)], axis=1).astype(np.float32)
    for samples in (stereo, stereo.T):
        audio = from_array(samples, 48000)
        assert len(audio.samples) == frames
        assert set(audio.samples.tolist()) == {0.25}
        assert len(resample(audio, 16000).samples) == want


def test_integers_are_taken_at_full_scale() -> None:
    assert from_array(np.array([-32768, 16384], np.int16), 8000).samples.tolist() == [-1.0, 0.5]
    assert from_array(np.array([0, 128, 192], np.uint8), 8000).samples.tolist() == [-1.0, 0.0, 0.5]


def test_a_stereo_file_is_read_mono_at_the_rate_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "stereo.wav"
    left = tone(1.0, 48000).samples
    soundfile.write(path, np.stack([left, -left], axis=1), 48000)
    audio = read_audio(path, sample_rate_hz=16000)
    assert audio.sample_rate_hz == 16000
    assert len(audio.samples) == 16000
    assert peak(audio.samples) < 1e-4


def test_a_resampled_tone_keeps_its_pitch_and_level() -> None:
    narrow = resample(tone(1.0, 48000), 16000)
    spectrum = np.abs(np.fft.rfft(narrow.samples))
    assert spectrum.argmax() == 440
    assert np.sqrt(np.mean(narrow.samples[1000:-1000] ** 2)) == pytest.approx(0.5 / np.sqrt(2), rel=1e-3)


def test_resampling_to_the_same_rate_changes_nothing() -> None:
    audio = tone()
    assert resample(audio, 16000) is audio


def test_what_is_beyond_full_scale_is_clipped_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    loud = Audio(np.array([2.0, -3.0, 0.5], np.float32), 16000)
    with caplog.at_level(logging.WARNING):
        audio = read_audio(encoded(loud, "WAV", "FLOAT"))
    assert audio.samples.tolist() == [1.0, -1.0, 0.5]
    assert "beyond full scale" in caplog.text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"hello, this is no audio at all", "not readable as audio"),
        (b"\x00" * 4000, "not readable as audio"),
        (wav_bytes(Audio(np.zeros(100, np.float32), 16000))[:30], "cut short inside its header"),
        (wav_bytes(Audio(np.zeros(0, np.float32), 16000)), "holds no sound"),
        (b"RIFF\x00\x00\x00\x00WAVE", "cut short inside its header"),
    ],
)
def test_what_is_no_audio_says_what_and_what_next(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(data)
    with pytest.raises(UserError, match=said) as error:
        read_audio(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_a_flac_that_is_cut_short_is_an_error_that_says_where() -> None:
    data = encoded(tone(3.0), "FLAC")
    with pytest.raises(UserError, match=r"not readable as audio after 1\.\d\d s \(flac decoder lost sync\)"):
        read_audio(data[: len(data) // 2])


@pytest.mark.parametrize("kind", ["OGG", "MP3"])
def test_an_ogg_or_mp3_that_is_cut_short_is_read_as_far_as_it_goes(kind: str) -> None:
    noise = Audio((0.1 * np.random.default_rng(0).standard_normal(320_000)).astype(np.float32), 16000)
    data = encoded(noise, kind)
    assert 9.0 < read_audio(data[: len(data) // 2]).duration_s < 11.0


def test_an_mp3_that_is_shorter_than_its_header_says_is_read_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    data = encoded(tone(20.0), "MP3")
    with caplog.at_level(logging.WARNING):
        read_audio(data[: len(data) // 2])
    assert "the header says 20.00 s of sound, there are " in caplog.text


def test_a_flac_that_does_not_know_its_length_is_read_quietly(caplog: pytest.LogCaptureFixture) -> None:
    data = bytearray(encoded(tone(3.0), "FLAC"))
    data[21] &= 0xF0  # the number of samples: the low half of this byte, and four more
    data[22:26] = bytes(4)
    assert read_audio(bytes(data)).duration_s == 3.0
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("kind", "subtype"),
    [("WAV", name) for name in ("PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW", "ALAW")]
    + [("WAVEX", "PCM_24"), ("RF64", "PCM_16"), ("W64", "PCM_16"), ("AIFF", "PCM_16"), ("CAF", "PCM_24")],
)
@pytest.mark.parametrize("rate", [8000, 44100, 48000])
def test_every_usual_kind_of_file_is_read_alike(kind: str, subtype: str, rate: int) -> None:
    audio = read_audio(encoded(tone(1.7, rate), kind, subtype))
    assert audio.sample_rate_hz == rate
    assert audio.duration_s == 1.7
    assert np.allclose(audio.samples, tone(1.7, rate).samples, atol=0.02)


def test_a_clip_longer_than_a_block_is_read_whole() -> None:
    long = tone(30.0)
    data = wav_bytes(long)
    assert np.array_equal(read_audio(data).samples, np.frombuffer(data[44:], "<i2") / np.float32(32768))


def test_a_single_frame_of_two_channels_is_one_sample(tmp_path: Path) -> None:
    stereo = struct.pack("<HHIIHH", 1, 2, 16000, 64000, 4, 16)
    path = tmp_path / "clip.wav"
    path.write_bytes(riff(chunk(b"fmt ", stereo), chunk(b"data", struct.pack("<hh", 16384, 8192))))
    assert read_audio(path).samples.tolist() == [0.375]
    assert probe(path) == {
        "path": str(path), "duration_s": 1 / 16000, "sample_rate_hz": 16000, "channels": 2, "peak": 0.5,
    }  # fmt: skip


def test_a_device_is_refused_before_it_is_read() -> None:
    with pytest.raises(UserError, match="/dev/zero: cannot be read \\(it is a pipe or a device\\)"):
        read_audio("/dev/zero")


def test_a_pipe_that_nobody_writes_to_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "clip.wav")
    found = probe(tmp_path / "clip.wav")
    assert found["error"].endswith("(it is a pipe or a device). Save the sound to a file first")


def test_a_file_that_may_not_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wav(tmp_path / "clip.wav", tone(0.1))

    def refuse(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    # Root may read everything, so this is how it looks to others.
    monkeypatch.setattr(Path, "open", refuse)
    assert probe(tmp_path / "clip.wav")["error"].endswith("clip.wav: cannot be read (Permission denied)")


def test_samples_that_are_not_numbers_are_an_error() -> None:
    broken = Audio(np.array([0.0, np.nan], np.float32), 16000)
    with pytest.raises(UserError, match="not numbers"):
        read_audio(encoded(broken, "WAV", "FLOAT"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"नहीं\.wav: no such file"):
        read_audio(tmp_path / "नहीं.wav")


def test_a_folder_is_no_audio_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_audio(tmp_path)


def test_a_written_clip_is_16_bit_pcm_and_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "clip.wav"
    write_wav(path, tone())
    info = soundfile.info(path)
    assert (info.format, info.subtype, info.channels, info.samplerate) == ("WAV", "PCM_16", 1, 16000)
    assert np.allclose(read_audio(path).samples, tone().samples, atol=0.5 / 32768)


def test_writing_what_was_read_gives_the_same_bytes() -> None:
    data = wav_bytes(tone())
    assert wav_bytes(read_audio(data)) == data


def test_full_scale_is_written_without_wrapping_round() -> None:
    pcm = np.frombuffer(wav_bytes(Audio(np.array([1.0, -1.0], np.float32), 8000))[44:], "<i2")
    assert pcm.tolist() == [32767, -32768]


def test_probe_says_what_a_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "clip.bin"
    soundfile.write(path, np.full((24000, 2), 0.25, np.float32), 48000, format="WAV")
    assert probe(path) == {
        "path": str(path), "duration_s": 0.5, "sample_rate_hz": 48000, "channels": 2, "peak": 0.25,
    }  # fmt: skip


def test_probe_says_the_error_of_a_broken_file(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(b"no audio")
    found = probe(path)
    assert set(found) == {"path", "error"}
    assert "not readable as audio" in found["error"]


def floats(*samples: float, rate: int = 16000, channels: int = 1) -> bytes:
    form = struct.pack("<HHIIHH", 3, channels, rate, rate * 4 * channels, 4 * channels, 32)
    return riff(chunk(b"fmt ", form), chunk(b"data", np.array(samples, "<f4").tobytes()))


def probed(folder: Path, data: bytes) -> dict[str, object]:
    path = folder / "clip.wav"
    path.write_bytes(data)
    found = probe(path)
    assert found.pop("path") == str(path)
    return found


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_probe_counts_every_sample_and_takes_the_peak_of_the_finite_ones(
    tmp_path: Path, bad: float, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        found = probed(tmp_path, floats(0.25, bad, -0.75, 0.5))
    assert found == {"duration_s": 4 / 16000, "sample_rate_hz": 16000, "channels": 1, "peak": 0.75}
    assert "clip.wav: holds samples that are not numbers" in caplog.text


def test_probe_finds_a_finite_sample_of_any_channel(tmp_path: Path) -> None:
    data = floats(np.nan, np.inf, -np.inf, 0.125, channels=2)
    assert probed(tmp_path, data) == {
        "duration_s": 2 / 16000, "sample_rate_hz": 16000, "channels": 2, "peak": 0.125,
    }  # fmt: skip


def test_probe_says_the_error_where_no_sample_is_finite(tmp_path: Path) -> None:
    found = probed(tmp_path, floats(np.nan, np.inf))
    assert set(found) == {"error"}
    assert "holds samples that are not numbers" in str(found["error"])


def test_infinities_that_cancel_out_are_an_error_without_a_warning_of_numpys() -> None:
    with pytest.raises(UserError, match="not numbers"):
        read_audio(floats(np.inf, -np.inf, channels=2))
    with pytest.raises(UserError, match="not numbers"):
        read_audio(floats(3e38, 3e38, channels=2))


def test_the_peak_is_what_the_file_holds(tmp_path: Path) -> None:
    assert probed(tmp_path, floats(2.5, -3.0))["peak"] == 3.0
    assert probed(tmp_path, floats(0.5, -0.5, channels=2))["peak"] == 0.5  # in which the mean is silent
    assert probed(tmp_path, floats(0.0))["peak"] == 0.0


def test_one_sample_is_a_duration(tmp_path: Path) -> None:
    assert probed(tmp_path, riff(chunk(b"fmt ", FORMAT), chunk(b"data", b"\x00\x40"))) == {
        "duration_s": 1 / 16000, "sample_rate_hz": 16000, "channels": 1, "peak": 0.5,
    }  # fmt: skip


def test_probe_measures_a_flac_as_far_as_it_goes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = encoded(tone(30.0), "FLAC")
    with caplog.at_level(logging.WARNING):
        found = probed(tmp_path, data[: len(data) // 2])
    duration_s = found["duration_s"]
    assert isinstance(duration_s, float)
    # Its frames are of 4096 samples, and a whole number of them is there.
    assert 14.0 < duration_s < 15.1
    assert duration_s * 16000 % 4096 == 0
    assert found["peak"] == pytest.approx(0.5, abs=1e-4)
    assert "flac decoder lost sync" in caplog.text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Not sound, but words.\n",
        riff(chunk(b"fmt ", FORMAT)),
        riff(chunk(b"fmt ", FORMAT), chunk(b"data", b"")),
    ],
)
def test_probe_says_what_is_wrong_with_what_is_no_sound(tmp_path: Path, data: bytes) -> None:
    found = probed(tmp_path, data)
    assert set(found) == {"error"}
    assert str(found["error"]).startswith(f"{tmp_path}/clip.wav: ")


def test_three_hours_are_probed_in_little_memory(tmp_path: Path) -> None:
    path, size = tmp_path / "long.wav", 3 * 3600 * 8000
    form = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    start = riff(chunk(b"fmt ", form), b"data" + struct.pack("<I", size), size=size + 36)
    with path.open("wb") as file:
        file.write(start)
        file.truncate(len(start) + size)
    tracemalloc.start()
    found = probe(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found["duration_s"] == 10800.0
    assert most < 10_000_000


@pytest.mark.parametrize("call", ["soxr.resample", "soundfile.read", "wave.open", "torchaudio.load"])
def test_files_are_decoded_and_resampled_in_one_place(call: str) -> None:
    root = Path(__file__).parents[2]
    packages = ("voicebench", "tts/voicebench_tts", "asr/voicebench_asr", "speech_lms/voicebench_speech_lms")
    files = [path for package in packages for path in (root / package).rglob("*.py")]
    calling = {path.name for path in files if f"{call}(" in path.read_text(encoding="utf-8")}
    assert calling <= {"io.py"}
