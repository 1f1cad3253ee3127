"""Find the sound in a WAV file, whatever sizes its header states.

A writer that streams cannot know the length, and leaves 0, 0x7FFFFFFF, 0xFFFFFFFF or some other number in the
header; decoders then refuse the file, or take other bytes for sound. Here the chunks are walked, the sound is
found, and the file is given on with a header of its own: the format as it was, and sizes that are true.
"""

import io
import logging
import os
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

from voicebench.errors import UserError

log = logging.getLogger(__name__)

_KINDS = (b"RIFF", b"RF64", b"BW64")
_UNKNOWN = 0xFFFFFFFF
_WRAP = 1 << 32
_SEARCHED = 1 << 20
"""How far to look for the next chunk behind one whose size makes no sense, in bytes."""


@dataclass(frozen=True)
class Sound:
    """Where a WAV file keeps its sound.

    Attributes:
        format: Content of the `fmt ` chunk.
        fact: Content of the `fact` chunk, b"" where there is none.
        start: Offset of the first byte of sound.
        size: Bytes of sound, whole frames.
    """

    format: bytes
    fact: bytes
    start: int
    size: int

    def header(self) -> bytes:
        """Return a header with these sizes: RIFF, or RF64 beyond 4 GiB."""
        rest = _chunk(b"fmt ", self.format) + (_chunk(b"fact", self.fact) if self.fact else b"")
        whole = 4 + len(rest) + 8 + self.size
        if whole < _UNKNOWN:
            start = b"RIFF" + struct.pack("<I", whole) + b"WAVE"
            return start + rest + b"data" + struct.pack("<I", self.size)
        sizes = _chunk(b"ds64", struct.pack("<QQQI", whole + 36, self.size, 0, 0))
        start = b"RF64" + struct.pack("<I", _UNKNOWN) + b"WAVE"
        return start + sizes + rest + b"data" + struct.pack("<I", _UNKNOWN)


def is_wav(file: BinaryIO) -> bool:
    """Tell whether a file begins as a WAV file does; it is then at its begin again."""
    start = _read(file, 0, 12)
    file.seek(0)
    return start[:4] in _KINDS and start[8:] == b"WAVE"


def repaired(file: BinaryIO, where: str) -> BinaryIO:
    """Return a WAV file, opened and seekable, as one whose header is true; nothing is copied.

    Args:
        file: The file; it is read from as long as the result is.
        where: What to call it in warnings and errors.

    Raises:
        UserError: There is no sound chunk, or no format before it.
    """
    sound = find_sound(file, where)
    return io.BufferedReader(_Spliced(sound.header(), file, sound.start, sound.size))


def find_sound(file: BinaryIO, where: str) -> Sound:
    """Return where a WAV file keeps its sound; a size that cannot be is replaced, with a warning.

    Args:
        file: The file, opened and seekable.
        where: What to call it in warnings and errors.

    Raises:
        UserError: There is no sound chunk, or no format before it.
    """
    length = file.seek(0, os.SEEK_END)
    form, fact, stated, wide = b"", b"", 0, 0
    at: int | None = 12
    while at is not None and at + 8 <= length:
        name, stated = struct.unpack("<4sI", _read(file, at, 8))
        if name == b"data":
            break
        if name == b"fmt ":
            form = _read(file, at + 8, stated if 16 <= stated <= 4096 else 16)
        elif name == b"fact":
            fact = _read(file, at + 8, 4)
        elif name == b"ds64":
            wide = int.from_bytes(_read(file, at + 16, 8), "little")
        at = _next_chunk(file, at, name, stated, length, b"data" if form else b"fmt ")
    frame = _frame_bytes(form)
    if at is None or at + 8 > length or frame == 0:
        raise UserError(f"{where}: the WAV file is cut short inside its header. Record or copy it again")
    start = at + 8
    if stated == _UNKNOWN and wide:
        stated = wide
    size = _size(file, start, stated, length)
    if size != stated:
        log.warning(
            "%s: the header says %d bytes of sound, there are %d; these are read", where, stated, size
        )
    if size % frame:
        log.warning("%s: half a frame at the end is dropped", where)
    return Sound(form, fact, start, size - size % frame)


def _next_chunk(file: BinaryIO, at: int, name: bytes, stated: int, length: int, wanted: bytes) -> int | None:
    """Return where the next chunk begins; behind one that makes no sense, where the wanted one does."""
    end = at + 8 + stated
    if not _is_name(name) or end > length:
        found = _read(file, at + 1, _SEARCHED).find(wanted)
        return None if found < 0 else at + 1 + found
    # A chunk of odd size is followed by a zero byte, which some writers forget.
    return end + (stated % 2 and not _is_name(_read(file, end, 4)))


def _size(file: BinaryIO, start: int, stated: int, length: int) -> int:
    """Return how many bytes of sound there are."""
    present = length - start
    if stated > present:
        return present
    if stated == 0:
        return 0 if _is_chunk(file, start, length) else present
    # Beyond 4 GiB only the lower 32 bits of a size are kept.
    stated += (present - stated) // _WRAP * _WRAP
    end = start + stated
    riff_end = 8 + int.from_bytes(_read(file, 4, 4), "little")
    agrees = (riff_end - end) % _WRAP in (0, stated % 2)
    followed = any(_is_chunk(file, place, length) for place in {end, end + stated % 2})
    return stated if length - end <= stated % 2 or agrees or followed else present


def _frame_bytes(form: bytes) -> int:
    """Return the bytes of one frame, 0 where the format does not say."""
    if len(form) < 16:
        return 0
    channels, align, bits = struct.unpack_from("<2xH8xHH", form)
    return int(align or channels * (bits // 8))


def _is_chunk(file: BinaryIO, at: int, length: int) -> bool:
    """Tell whether another chunk begins here, and ends within the file."""
    start = _read(file, at, 8)
    return _is_name(start[:4]) and at + 8 + int.from_bytes(start[4:], "little") <= length


def _is_name(name: bytes) -> bool:
    return len(name) == 4 and all(32 <= byte < 127 for byte in name)


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _read(file: BinaryIO, at: int, count: int) -> bytes:
    file.seek(at)
    return file.read(count)


class _Spliced(io.RawIOBase):
    """A file of other first bytes: `head`, then `size` bytes of `file` from `start` on."""

    def __init__(self, head: bytes, file: BinaryIO, start: int, size: int) -> None:
        super().__init__()
        self._head, self._file, self._start = head, file, start
        self._end = len(head) + size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._end}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        """Read what is there, at most as much as the buffer holds; the head and the file are not joined."""
        wanted = max(0, min(len(buffer), self._end - self._at))
        data = self._head[self._at : self._at + wanted]
        if not data and wanted:
            data = _read(self._file, self._start + self._at - len(self._head), wanted)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
