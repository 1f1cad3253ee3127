import os
import stat
from pathlib import Path

import numpy as np
import pytest

from tests.audio.effects.helpers import heard, lag, speech, white
from voicebench.audio.effects import codec as codecs
from voicebench.audio.effects import parse
from voicebench.audio.effects.codec import CODECS, round_trip
from voicebench.errors import UserError

OFFLINE = ["opus", "mp3", "gsm", "g726"]


@pytest.fixture
def without_ffmpeg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("without_ffmpeg")
@pytest.mark.parametrize("rate", [8000, 16000, 22050, 44100])
@pytest.mark.parametrize("name", OFFLINE)
def test_a_clip_comes_back_in_its_time_and_sounds_like_itself(name: str, rate: int) -> None:
    clip = speech(2.0, rate)
    changed, done = heard(f"codec-{name}", clip)
    assert len(changed) == len(clip.samples)
    assert abs(lag(clip.samples, changed)) <= rate / 4000
    assert np.corrcoef(clip.samples, changed)[0, 1] > 0.9
    assert not np.array_equal(changed, clip.samples)
    assert done["codec"] == name
    assert done["by"].startswith("libsndfile ")


@pytest.mark.parametrize(
    ("written", "kbit_s"),
    [
        ("opus:8k", 8),
        ("opus:24k", 24),
        ("opus:64k", 64),
        ("mp3:16k", 16),
        ("mp3:48k", 48),
        ("g726:24k", 24),
        ("g726:40k", 40),
    ],
)
def test_the_bit_rate_is_the_one_that_was_asked_for(written: str, kbit_s: int) -> None:
    name, _, bitrate = written.partition(":")
    done = heard(f"codec:name={name},bitrate={bitrate}", white(8.0))[1]
    assert done["bitrate_kbit_s"] == kbit_s
    assert done["measured_kbit_s"] == pytest.approx(kbit_s, rel=0.25)


def test_fewer_bits_sound_less_like_the_clip() -> None:
    clip = white(2.0, 8000)
    changed = [heard(f"codec:name=g726,bitrate={kbit_s}k", clip)[0] for kbit_s in (24, 32, 40)]
    errors = [float(np.mean((samples - clip.samples) ** 2)) for samples in changed]
    assert errors[0] > 2 * errors[1] > 4 * errors[2]


@pytest.mark.usefixtures("without_ffmpeg")
def test_without_ffmpeg_the_error_says_what_is_missing_and_what_there_is() -> None:
    chain = parse("codec-amr-nb+telephony")
    with pytest.raises(
        UserError, match=r"'codec-amr-nb': amr-nb needs the program ffmpeg.*opus, mp3, gsm, g726"
    ):
        chain.require()
    with pytest.raises(UserError, match="needs the program ffmpeg"):
        round_trip(speech(), "amr-nb")
    parse("codec-opus").require()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("codec:name=opus,bitrate=3k", "opus has bit rates from 6k to 256k"),
        ("codec:name=gsm,bitrate=16k", "gsm has bit rates of 13k"),
        ("codec:name=amr-nb,bitrate=13k", "amr-nb has bit rates of 4.75k, 5.15k"),
    ],
)
def test_a_bit_rate_that_a_codec_does_not_have_is_refused(name: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        parse(name)


def program(folder: Path, body: str) -> None:
    """Put a program called ffmpeg on the path."""
    path = folder / "ffmpeg"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)


def test_what_ffmpeg_complains_of_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(
        tmp_path, "cat > /dev/null; echo \"[aost @ 0x5] Unknown encoder 'libopencore_amrnb'\" >&2; exit 1"
    )
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(UserError, match="could not code this clip: Unknown encoder 'libopencore_amrnb'"):
        round_trip(speech(), "amr-nb")


def test_the_program_is_asked_for_the_codec_and_its_delay_is_taken_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Stands in for ffmpeg: "codes" WAV to WAV, and on the way back sends 80 samples of silence first.
    log = tmp_path / "asked"
    program(
        tmp_path,
        f'echo "$@" >> {log}\ncase "$*" in\n*-version*) echo "ffmpeg version 9.9 here";;\n'
        "*s16le*) head -c 160 /dev/zero; tail -c +45;;\n*) cat;;\nesac",
    )
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    codecs._version.cache_clear()
    clip = speech(1.0)
    changed, done = heard("codec:name=g722", clip)
    codecs._version.cache_clear()
    assert np.abs(changed - clip.samples)[:-80].max() < 1e-4
    assert (done["by"], done["delay_samples"]) == ("ffmpeg 9.9", 80)
    assert "-f wav -i pipe:0 -c:a g722 -b:a 64000" in log.read_text().splitlines()[0]


def test_every_codec_knows_its_own_default() -> None:
    for name, codec in CODECS.items():
        assert codec.complaint(codec.default) is None, name
        assert codec.rate_for(1) == min(codec.rates_hz)
        assert codec.rate_for(192000) == max(codec.rates_hz)
