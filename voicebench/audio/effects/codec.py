"""Through a lossy codec and back: what a call, a voice message or a podcast does to speech.

libsndfile codes what it can (opus, mp3, gsm, g726), so that nothing need be installed; for the others the
program `ffmpeg` is run, where it is there. Coders differ a little from version to version: the manifest says
which one it was.
"""

import io
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.audio.effects.fourier import good_size, irfft, rfft
from voicebench.audio.io import from_array, read_audio, resample, wav_bytes
from voicebench.errors import UserError
from voicebench.types import Audio

Floats = npt.NDArray[np.float32]

_FFMPEG = "ffmpeg"
_TIMEOUT_S = 600
# Formats that it reads under another name than it writes them.
_READERS = {"adts": "aac"}
# Which part of it complains: "[in#0 @ 0x5640b84a2d80] ".
_SPEAKER = re.compile(r"^\[[^\]]*\] ")
# Coders delay by less than this; the first half minute is enough to see by how much.
_DELAY_S, _LISTEN_S = 0.2, 30.0
_UNDELAYED = 0.95


@dataclass(frozen=True)
class Codec:
    """A codec.

    Attributes:
        rates_hz: The sample rates that it knows.
        kbit_s: The bit rates that it knows: a few, or the smallest and the largest of a `span`.
        default: The bit rate where none is given.
        program: How ffmpeg codes it: encoder, and the format that it writes and reads.
        span: Whether every bit rate between the two is possible.
        library: Format and subtype by which libsndfile codes it, by bit rate (None: by any).
    """

    rates_hz: tuple[int, ...]
    kbit_s: tuple[float, ...]
    default: float
    program: tuple[str, str]
    span: bool = False
    library: Mapping[float | None, tuple[str, str]] = field(default_factory=dict)

    def complaint(self, kbit_s: float) -> str | None:
        """Return what is wrong with a bit rate, or None."""
        if self.span:
            low, high = self.kbit_s
            return None if low <= kbit_s <= high else f"has bit rates from {low:g}k to {high:g}k"
        return (
            None if kbit_s in self.kbit_s else f"has bit rates of {', '.join(f'{b:g}k' for b in self.kbit_s)}"
        )

    def rate_for(self, sample_rate_hz: int) -> int:
        """Return the codec's rate for a clip: the next one up, or the highest."""
        return min((rate for rate in self.rates_hz if rate >= sample_rate_hz), default=max(self.rates_hz))


CODECS: dict[str, Codec] = {
    "opus": Codec(
        (8000, 12000, 16000, 24000, 48000), (6, 256), 16, ("libopus", "ogg"), span=True,
        library={None: ("OGG", "OPUS")},
    ),
    "mp3": Codec(
        (16000, 24000), (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160), 32,
        ("libmp3lame", "mp3"), library={None: ("MP3", "MPEG_LAYER_III")},
    ),
    "gsm": Codec((8000,), (13,), 13, ("libgsm", "gsm"), library={None: ("WAV", "GSM610")}),
    "g726": Codec(
        (8000,), (24, 32, 40), 32, ("g726", "wav"),
        library={24: ("AU", "G723_24"), 32: ("AU", "G721_32"), 40: ("AU", "G723_40")},
    ),
    "g722": Codec((16000,), (64,), 64, ("g722", "g722")),
    "aac": Codec((16000, 24000, 48000), (8, 160), 32, ("aac", "adts"), span=True),
    "amr-nb": Codec(
        (8000,), (4.75, 5.15, 5.9, 6.7, 7.4, 7.95, 10.2, 12.2), 12.2, ("libopencore_amrnb", "amr")
    ),
    "amr-wb": Codec(
        (16000,), (6.6, 8.85, 12.65, 14.25, 15.85, 18.25, 19.85, 23.05, 23.85), 12.65,
        ("libvo_amrwbenc", "amr"),
    ),
}  # fmt: skip


def round_trip(audio: Audio, name: str, kbit_s: float | None = None) -> tuple[Audio, Parameters]:
    """Return a clip after coding and decoding, at its rate and length and in its time, and what was done.

    Args:
        audio: The clip.
        name: One of `CODECS`.
        kbit_s: The bit rate; None takes the codec's default.

    Raises:
        UserError: Nothing here can code it, or the program failed; the message names what is missing.
    """
    codec = CODECS[name]
    asked = codec.default if kbit_s is None else kbit_s
    narrow = resample(audio, codec.rate_for(audio.sample_rate_hz))
    lacking = missing(name)
    if lacking:
        raise UserError(lacking)
    if _library_has(codec):
        coded, decoded, by = _by_library(narrow, codec, asked)
    else:
        coded, decoded, by = _by_program(narrow, codec, asked)
    delay = _delay(narrow.samples, decoded.samples, narrow.sample_rate_hz)
    in_time = _in_time(decoded.samples, delay, len(narrow.samples))
    wide = resample(Audio(in_time, narrow.sample_rate_hz), audio.sample_rate_hz).samples
    return Audio(_in_time(wide, 0, len(audio.samples)), audio.sample_rate_hz), {
        "codec": name, "rate_hz": narrow.sample_rate_hz, "bitrate_kbit_s": asked,
        "measured_kbit_s": round(coded * 8 / 1000 / narrow.duration_s, 1), "by": by, "delay_samples": delay,
    }  # fmt: skip


def missing(name: str) -> str | None:
    """Return what a codec needs that is not on this machine, or None."""
    if _library_has(CODECS[name]) or shutil.which(_FFMPEG):
        return None
    others = ", ".join(other for other, codec in CODECS.items() if _library_has(codec))
    return f"{name} needs the program ffmpeg. Install it (apt install ffmpeg), or take one of {others}"


def _library_has(codec: Codec) -> bool:
    import soundfile

    return bool(codec.library) and all(soundfile.check_format(*form) for form in codec.library.values())


def _by_library(audio: Audio, codec: Codec, kbit_s: float) -> tuple[int, Audio, str]:
    """Code with libsndfile; return how many bytes that took, the clip, and who did it."""
    import soundfile

    container, subtype = codec.library.get(kbit_s) or codec.library[None]
    options: dict[str, Any] = {}
    # libsndfile sets bit rates by a "compression level" from 0, the highest, to 1, the lowest.
    if subtype == "OPUS":
        options = {"compression_level": 1 - (kbit_s - 6) / 250}
    elif subtype == "MPEG_LAYER_III":
        options = {"compression_level": min(0.999, 1 - (kbit_s - 8) / 152), "bitrate_mode": "CONSTANT"}
    file = io.BytesIO()
    try:
        with soundfile.SoundFile(
            file, "w", audio.sample_rate_hz, 1, format=container, subtype=subtype, **options
        ) as written:
            written.write(audio.samples)
    except (soundfile.LibsndfileError, RuntimeError) as error:
        raise UserError(f"libsndfile could not code this clip as {subtype}: {error}") from None
    data = file.getvalue()
    return len(data), read_audio(data), f"libsndfile {soundfile.__libsndfile_version__}"


def _by_program(audio: Audio, codec: Codec, kbit_s: float) -> tuple[int, Audio, str]:
    """Code with ffmpeg; return how many bytes that took, the clip, and who did it."""
    encoder, container = codec.program
    reader = _READERS.get(container, container)
    rate = str(audio.sample_rate_hz)
    exact = ["-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1"]
    coded = _ffmpeg(
        [
            "-f",
            "wav",
            "-i",
            "pipe:0",
            "-c:a",
            encoder,
            "-b:a",
            str(round(kbit_s * 1000)),
            *exact,
            "-f",
            container,
        ],
        wav_bytes(audio),
    )
    raw = _ffmpeg(["-f", reader, "-i", "pipe:0", "-f", "s16le", "-ac", "1", "-ar", rate], coded)
    decoded = from_array(np.frombuffer(raw, "<i2"), audio.sample_rate_hz, where="ffmpeg's output")
    return len(coded), decoded, _version()


def _ffmpeg(arguments: list[str], data: bytes) -> bytes:
    command = [_FFMPEG, "-hide_banner", "-loglevel", "error", "-nostdin", *arguments, "pipe:1"]
    try:
        ran = subprocess.run(command, input=data, capture_output=True, check=False, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise UserError(f"ffmpeg did not end within {_TIMEOUT_S} s") from None
    if ran.returncode or not ran.stdout:
        said = _SPEAKER.sub("", ran.stderr.decode("utf-8", "replace").strip()).splitlines()
        raise UserError(f"ffmpeg could not code this clip: {said[0] if said else 'it wrote nothing'}")
    return ran.stdout


@cache
def _version() -> str:
    ran = subprocess.run([_FFMPEG, "-version"], capture_output=True, text=True, check=False, timeout=60)
    return " ".join(ran.stdout.split()[:3:2]) or _FFMPEG


def _delay(before: Floats, after: Floats, rate: int) -> int:
    """Return by how many samples a coder delayed a clip: where the two are most alike."""
    most, heard = round(_DELAY_S * rate), round(_LISTEN_S * rate)
    size = good_size(min(heard, max(len(before), len(after))) + most)
    alike = irfft(rfft(after[:heard], size) * np.conj(rfft(before[:heard], size)), size)
    around = np.concatenate([alike[: most + 1], alike[-most:]])
    if around[0] >= _UNDELAYED * around.max():  # a vowel is as like itself a period later
        return 0
    found = int(around.argmax())
    return found if found <= most else found - len(around)


def _in_time(samples: Floats, delay: int, length: int) -> Floats:
    """Return samples earlier by a delay and of a length, filled with silence."""
    early = samples[delay:] if delay >= 0 else np.pad(samples, (-delay, 0))
    return np.pad(early[:length], (0, max(0, length - len(early))))


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    return round_trip(audio, values["name"], values["bitrate"])


def _check(values: Values) -> str | None:
    if values["bitrate"] is None:
        return None
    complaint = CODECS[values["name"]].complaint(values["bitrate"])
    return f"{values['name']} {complaint}" if complaint else None


CODEC = Effect(
    name="codec",
    summary="through a lossy codec and back",
    parameters=(
        Parameter("name", "which codec", "choice", choices=tuple(CODECS), required=True),
        Parameter("bitrate", "in kbit/s; without it what is usual for speech", unit="k", low=1, high=512),
    ),
    run=_run,
    example="codec-opus",
    check=_check,
    lacks=lambda values: missing(values["name"]),
)
