"""Recordings that effects mix in: noise, talkers, room responses, from a file or a folder of them."""

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import read_audio
from voicebench.errors import UserError
from voicebench.files import sha256_bytes, sha256_file
from voicebench.types import Audio

# Room responses and noises are used clip after clip; talkers come and go.
_KEPT = 32


def recordings(path: str) -> list[Path]:
    """Return the file that a path names, or the files in the folder, in order of name.

    Raises:
        UserError: There is no such file or folder, or the folder is empty.
    """
    place = Path(path).expanduser()
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise UserError(f"{path}: no such file or folder")
    found = sorted(file for file in place.iterdir() if file.is_file() and not file.name.startswith("."))
    if not found:
        raise UserError(f"{path}: the folder holds no recordings")
    return found


def read_recording(path: Path, sample_rate_hz: int) -> tuple[Audio, str]:
    """Return a recording at a sample rate, and the SHA-256 of its file.

    Raises:
        UserError: It is missing or no audio.
    """
    try:
        return _read(path, path.stat().st_mtime_ns, sample_rate_hz)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None


def fingerprint(path: str) -> str:
    """Return what changes when the recordings at a path do.

    A file is known by its content, a folder (noise collections have many gigabytes) by the names and sizes of
    what is in it.

    Raises:
        UserError: There is no such file or folder, or the folder is empty.
    """
    files = recordings(path)
    if Path(path).expanduser().is_file():
        return _sha256(files[0], files[0].stat().st_mtime_ns)
    listed = "\n".join(f"{file.name}\t{file.stat().st_size}" for file in files)
    return hashlib.sha256(listed.encode("utf-8", "replace")).hexdigest()


def cut(samples: npt.NDArray[np.float32], length: int, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return a piece of a recording, shape (length,), from a place that is drawn; a short one goes round.

    Args:
        samples: The recording, shape (n,), not empty.
        length: How much is wanted.
        rng: Draws the place.
    """
    if len(samples) >= length:
        start = int(rng.integers(len(samples) - length + 1))
        return samples[start : start + length]
    start = int(rng.integers(len(samples)))
    return np.resize(np.roll(samples, -start), length)


@lru_cache(maxsize=_KEPT)
def _read(path: Path, changed: int, sample_rate_hz: int) -> tuple[Audio, str]:
    data = path.read_bytes()
    try:
        return read_audio(data, sample_rate_hz=sample_rate_hz), sha256_bytes(data)
    except UserError as error:
        raise UserError(str(error).replace("audio:", f"{path}:", 1)) from None


@lru_cache(maxsize=1024)
def _sha256(path: Path, changed: int) -> str:
    return sha256_file(path)
