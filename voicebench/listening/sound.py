"""A clip as bytes for the page: small, and without anything that says where it comes from."""

import base64
import hashlib
import io
from dataclasses import dataclass

import numpy as np

from voicebench.audio.effects import apply, parse
from voicebench.audio.io import read_audio, resample, wav_bytes
from voicebench.errors import UserError
from voicebench.files import sha256_file
from voicebench.listening.arrange import Entry
from voicebench.types import Audio

_OPUS_RATES_HZ = (8000, 12000, 16000, 24000, 48000)
_BLOCK_FRAMES = 48000
_WAV_HEADER_BYTES = 44


@dataclass(frozen=True)
class Sound:
    """An encoded clip: its bytes, their media type, and the end of a file's name."""

    data: bytes
    mime: str
    suffix: str

    @property
    def uri(self) -> str:
        """The clip as a data URI."""
        return f"data:{self.mime};base64,{base64.b64encode(self.data).decode()}"


def page_sound(entry: Entry, *, seed: int, opus: bool = False) -> Sound:
    """Return what is heard at a place of the page.

    Clips are decoded and encoded anew, which also drops whatever names their files carry inside.

    Args:
        entry: The place; an anchor is spoilt here.
        seed: Of an anchor's effect.
        opus: Smaller and lossy (Ogg Opus), instead of lossless (FLAC, or WAV where that is smaller).

    Raises:
        UserError: The clip is missing, unreadable, or not the one that the manifest describes.
    """
    path = entry.clip.path
    if not path.is_file():
        raise UserError(f"{path}: no such file, though the manifest names it. Build the clips again")
    if sha256_file(path) != entry.key.sha256:
        raise UserError(f"{path}: is not the clip that the manifest describes. Build the clips again")
    audio = read_audio(path)
    if entry.key.anchor is not None:
        audio, _ = apply(entry.key.anchor, audio, np.random.default_rng(_seed(entry, seed)))
    return _opus(audio) if opus else _lossless(audio)


def check_anchors(effects: list[str]) -> list[str]:
    """Return the effects that spoil clips, in their short form.

    Raises:
        UserError: One is unknown, cannot run here, or needs other people's clips.
    """
    names = []
    for effect in effects:
        chain = parse(effect)
        chain.require()
        if chain.needs_talkers:
            raise UserError(f"--anchor {effect!r}: babble needs path=FILE here, such as recordings of people")
        names.append(chain.name)
    return names


def _seed(entry: Entry, seed: int) -> int:
    text = f"{seed}\n{entry.key.anchor}\n{entry.key.sha256}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])


def _lossless(audio: Audio) -> Sound:
    flac = Sound(_encoded(audio, "FLAC", "PCM_16"), "audio/flac", ".flac")
    wav = Sound(wav_bytes(audio), "audio/wav", ".wav")
    return min(flac, wav, key=lambda sound: len(sound.data))


def _opus(audio: Audio) -> Sound:
    rate = next((rate for rate in _OPUS_RATES_HZ if rate >= audio.sample_rate_hz), _OPUS_RATES_HZ[-1])
    return Sound(_encoded(resample(audio, rate), "OGG", "OPUS"), "audio/ogg", ".ogg")


def _encoded(audio: Audio, container: str, subtype: str) -> bytes:
    import soundfile

    # As whole numbers: libsndfile would scale floats by 32767, and FLAC would no longer be lossless.
    pcm = np.frombuffer(wav_bytes(audio)[_WAV_HEADER_BYTES:], dtype="<i2")
    buffer = io.BytesIO()
    with soundfile.SoundFile(
        buffer, "w", audio.sample_rate_hz, channels=1, format=container, subtype=subtype
    ) as file:
        # In pieces: libsndfile keeps what it encodes of one write on its stack.
        for start in range(0, len(pcm), _BLOCK_FRAMES):
            file.write(pcm[start : start + _BLOCK_FRAMES])
    return buffer.getvalue()
