"""Events put together from bytes, however they are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.wire.sse import DONE, EventReader


def read(*pieces: bytes) -> list[bytes]:
    reader = EventReader()
    return [data for piece in pieces for data in reader.feed(piece)] + reader.end()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_may_end_in_any_way(end: bytes) -> None:
    stream = end.join([b"data: {1}", b"", b"data: {2}", b"", b"data: [DONE]", b"", b""])
    assert read(stream) == [b"{1}", b"{2}", DONE]


def test_an_event_is_told_with_the_piece_that_completes_it() -> None:
    reader = EventReader()
    assert reader.feed(b"data: a\n") == []
    assert reader.feed(b"\ndata: b\n\nda") == [b"a", b"b"]
    assert reader.feed(b"ta: c\r") == []
    assert reader.feed(b"\n\r") == [b"c"]
    assert reader.feed(b"\n") == []


def test_data_of_several_lines_is_one_event() -> None:
    assert read(b"data: {\ndata:  1\ndata\ndata:}\n\n") == [b"{\n 1\n\n}"]


def test_comments_and_other_fields_are_left_out() -> None:
    stream = b": OPENROUTER PROCESSING\n\nevent: message\nid: 7\nretry: 10\ndata:a\n\n:\n\ndatabase: x\n\n"
    assert read(stream) == [b"a"]


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert read(b"\xef\xbb\xbfdata: a\n\n") == [b"a"]


def test_an_event_that_the_end_cuts_short_of_its_empty_line_counts() -> None:
    assert read(b"data: [DONE]") == [DONE]
    assert read(b"data: a\n") == [b"a"]
    assert read(b"") == read(b"\n\n") == read(b"<html>\n<p>") == []


def test_a_long_event_in_many_pieces_is_put_together_once() -> None:
    piece = b"x" * 1000
    assert read(b"data: ", *[piece] * 3000, b"\n\n") == [piece * 3000]


LINES = st.sampled_from(["", "data: {}", 'data: {"a": "नमस्ते"}', "data:ü", "data", ": ping", "event: x"])


@given(lines=st.lists(LINES), end=st.sampled_from(["\n", "\r\n", "\r"]), data=st.data())
def test_how_a_stream_is_cut_changes_nothing(lines: list[str], end: str, data: st.DataObject) -> None:
    stream = end.join([*lines, ""]).encode()
    places = data.draw(st.lists(st.integers(0, len(stream)), max_size=12))
    edges = [0, *sorted(places), len(stream)]
    pieces = [stream[start:stop] for start, stop in pairwise(edges)]
    assert read(*pieces) == read(stream) == read(*(bytes([byte]) for byte in stream))
