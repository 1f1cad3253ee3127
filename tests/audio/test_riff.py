import io
import logging
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.audio.wav_files import FORMAT, chunk, ds64, riff
from voicebench.audio.riff import find_sound, is_wav, repaired
from voicebench.errors import UserError

# Bytes that cannot be taken for the name of a chunk.
PCM = bytes(range(200, 240)) * 100
UNKNOWN = 0xFFFFFFFF


def sound(data: bytes) -> bytes:
    found = find_sound(io.BytesIO(data), "clip")
    assert found.format[:16] == FORMAT
    return data[found.start : found.start + found.size]


@pytest.mark.parametrize("size", [0, 1, 2, 100, 0x7FFFFFFF, 0x80000000, 2_000_000_000, UNKNOWN - 36, UNKNOWN])
def test_sizes_that_cannot_be_are_replaced_by_what_is_there(
    size: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert sound(riff(chunk(b"fmt ", FORMAT), chunk(b"data", PCM, size=size), size=size)) == PCM
    assert caplog.messages == [f"clip: the header says {size} bytes of sound, there are 4000; these are read"]


@pytest.mark.parametrize("size", [0, 1, 100, 0x7FFFFFFF, UNKNOWN])
def test_a_wrong_size_of_the_sound_in_a_file_of_the_right_size_is_replaced(size: int) -> None:
    assert sound(riff(chunk(b"fmt ", FORMAT), chunk(b"data", PCM, size=size))) == PCM


@pytest.mark.parametrize("size", [0, UNKNOWN])
def test_a_wrong_size_of_the_file_alone_is_nothing_to_speak_of(
    size: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert sound(riff(chunk(b"fmt ", FORMAT), chunk(b"data", PCM), size=size)) == PCM
    assert caplog.messages == []


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_chunks_of_odd_size_may_lack_their_zero_byte(padded: bool, first: bool) -> None:
    odd = [chunk(b"JUNK", b"abc"), chunk(b"bext", b"x" * 603), chunk(b"LIST", b"INFOabc", padded=padded)]
    form = chunk(b"fmt ", FORMAT)
    before = [*odd, form] if first else [form, *odd]
    assert sound(riff(*before, chunk(b"data", PCM))) == PCM


@pytest.mark.parametrize("name", [b"JUNK", b"LIST", b"bext"])
@pytest.mark.parametrize("first", [True, False])
def test_a_chunk_of_absurd_size_is_stepped_over(name: bytes, first: bool) -> None:
    junk, form = chunk(name, b"abcd", size=UNKNOWN), chunk(b"fmt ", FORMAT)
    before = [junk, form] if first else [form, junk]
    assert sound(riff(*before, chunk(b"data", PCM))) == PCM


@pytest.mark.parametrize("size", [0, 3, UNKNOWN])
def test_a_format_of_absurd_size_is_read(size: int) -> None:
    assert sound(riff(chunk(b"fmt ", FORMAT, size=size), chunk(b"data", PCM))) == PCM


@pytest.mark.parametrize(
    "trailer", [chunk(b"LIST", b"INFO"), chunk(b"id3 ", b"x" * 33), b"TAG" + b"\0" * 125, b"\0"]
)
def test_what_is_behind_the_sound_is_no_sound(trailer: bytes) -> None:
    # A tag at the end belongs to no chunk, and to none of the sizes.
    assert sound(riff(chunk(b"fmt ", FORMAT), chunk(b"data", PCM)) + trailer) == PCM


def test_the_sizes_of_rf64_are_those_of_its_own_chunk() -> None:
    for size in (len(PCM), 0, 1 << 63):
        chunks = ds64(size + 72, size), chunk(b"fmt ", FORMAT), chunk(b"data", PCM, size=UNKNOWN)
        for kind in (b"RF64", b"BW64"):
            assert sound(riff(*chunks, size=UNKNOWN, kind=kind)) == PCM


def test_rf64_keeps_its_end_of_the_sound() -> None:
    chunks = ds64(len(PCM) + 100, len(PCM)), chunk(b"fmt ", FORMAT), chunk(b"data", PCM, size=UNKNOWN)
    assert sound(riff(*chunks, chunk(b"LIST", b"INFO"), size=UNKNOWN, kind=b"RF64")) == PCM


def test_beyond_4_gib_the_lost_bits_of_a_size_are_found_again(tmp_path: Path) -> None:
    path, size = tmp_path / "long.wav", (1 << 32) + 4000
    start = riff(chunk(b"fmt ", FORMAT), b"data" + struct.pack("<I", 4000), size=4036)
    with path.open("wb") as file:
        file.write(start)
        file.truncate(len(start) + size)  # no disk is used for what nobody wrote
    with path.open("rb") as file:
        found = find_sound(file, "clip")
        assert (found.start, found.size) == (44, size)
        header = found.header()
        assert (header[:4], header[12:16]) == (b"RF64", b"ds64")
        assert struct.unpack_from("<QQ", header, 20) == (len(header) - 8 + size, size)
        file.seek(0)
        # What is made of it is understood, too.
        true = repaired(file, "clip")
        assert find_sound(true, "clip") == type(found)(FORMAT, b"", len(header), size)


def test_the_repaired_file_has_a_true_header() -> None:
    broken = riff(chunk(b"JUNK", b"abc"), chunk(b"fmt ", FORMAT), chunk(b"data", PCM, size=0), size=0)
    assert repaired(io.BytesIO(broken), "clip").read() == riff(chunk(b"fmt ", FORMAT), chunk(b"data", PCM))


def test_how_many_samples_there_are_is_kept_where_it_is_stated() -> None:
    fact = chunk(b"fact", struct.pack("<I", 2000))
    plain = riff(chunk(b"fmt ", FORMAT), fact, chunk(b"data", PCM))
    assert repaired(io.BytesIO(plain), "clip").read() == plain


@given(st.integers(0, 4100), st.integers(0, 4100))
def test_any_piece_of_a_repaired_file_is_as_in_the_whole(start: int, count: int) -> None:
    plain = riff(chunk(b"fmt ", FORMAT), chunk(b"data", PCM))
    file = repaired(io.BytesIO(plain + b"more"), "clip")
    assert file.seek(start) == start
    assert file.read(count) == plain[start : start + count]
    assert file.seek(0, 2) == len(plain)


@pytest.mark.parametrize("data", [b"", b"RIFF", b"RIFF1234AVI ", b"RIFX1234WAVE", b"ID3"])
def test_other_files_are_no_wav(data: bytes) -> None:
    assert not is_wav(io.BytesIO(data))


@pytest.mark.parametrize(
    "data",
    [
        riff(),
        riff(chunk(b"data", PCM)),
        riff(chunk(b"fmt ", FORMAT)),
        riff(chunk(b"fmt ", FORMAT[:10])),
        riff(chunk(b"LIST", b"", size=UNKNOWN)),
        riff(chunk(b"fmt ", FORMAT), chunk(b"data", PCM))[:30],
    ],
)
def test_a_file_without_format_or_sound_says_so(data: bytes) -> None:
    with pytest.raises(UserError, match="clip: the WAV file is cut short inside its header"):
        find_sound(io.BytesIO(data), "clip")


@given(st.binary(max_size=120), st.booleans())
def test_whatever_follows_it_is_found_or_an_error(rest: bytes, with_format: bool) -> None:
    data = riff(*([chunk(b"fmt ", FORMAT)] if with_format else []), rest)
    try:
        found = find_sound(io.BytesIO(data), "clip")
    except UserError:
        return
    assert 0 <= found.start <= found.start + found.size <= len(data)
