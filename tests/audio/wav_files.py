"""WAV files built chunk by chunk, to state whatever sizes a test wants."""

import struct

FORMAT = struct.pack("<HHIIHH", 1, 1, 16000, 32000, 2, 16)


def chunk(name: bytes, content: bytes, *, size: int | None = None, padded: bool = True) -> bytes:
    """Return a chunk; `size` is what its header states, where that is not the truth."""
    pad = b"\0" * (len(content) % 2) if padded else b""
    return name + struct.pack("<I", len(content) if size is None else size) + content + pad


def riff(*chunks: bytes, size: int | None = None, kind: bytes = b"RIFF") -> bytes:
    """Return a file of chunks; `size` is what its header states, where that is not the truth."""
    body = b"WAVE" + b"".join(chunks)
    return kind + struct.pack("<I", len(body) if size is None else size) + body


def ds64(riff_size: int, data_size: int) -> bytes:
    """Return the chunk in which an RF64 file keeps its sizes."""
    return chunk(b"ds64", struct.pack("<QQQI", riff_size, data_size, 0, 0))
