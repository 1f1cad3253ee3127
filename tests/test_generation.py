"""Token ids as a stream of stamped parts, with byte-level stand-ins for tokenizers."""

import threading
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.errors import AgentFailure
from voicebench.generation import Sink, out_of_memory, stream_generation
from voicebench.types import Part

END = 256


def of_bytes(ids: Sequence[int]) -> str:
    return bytes(i for i in ids if i != END).decode("utf-8", "replace")


def stripped(ids: Sequence[int]) -> str:
    """Decode as SentencePiece tokenizers do that drop the space before a text's first word."""
    return of_bytes(ids).removeprefix(" ")


def saying(text: str, *, at_once: int = 1) -> Callable[[Sink], None]:
    def generate(sink: Sink) -> None:
        sink.put([1, 2, 3])
        ids = [*text.encode(), END]
        for start in range(0, len(ids), at_once):
            sink.put(ids[start : start + at_once])
        sink.end()

    return generate


def texts(parts: Sequence[Part]) -> list[str]:
    return [part.text for part in parts if part.kind == "content"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("ok", ["o", "k"]),
        ("नमस्ते", ["न", "म", "स", "्", "त", "े"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("a टैक्सी", ["a", " ", "ट", "ै", "क", "्", "स", "ी"]),
        ("🚕", ["🚕"]),
        ("", []),
    ],
)
def test_a_character_of_several_tokens_comes_whole(text: str, pieces: list[str]) -> None:
    assert texts(list(stream_generation(saying(text), of_bytes))) == pieces


@given(st.text(), st.integers(1, 5))
def test_all_pieces_together_are_the_text(text: str, at_once: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert "".join(texts(list(stream_generation(saying(text, at_once=at_once), of_bytes)))) == text


def test_spaces_between_tokens_stay_where_a_tokenizer_drops_the_first() -> None:
    assert texts(list(stream_generation(saying("a b"), stripped))) == ["a", " ", "b"]


def test_a_character_that_is_never_finished_comes_at_the_end() -> None:
    def generate(sink: Sink) -> None:
        sink.put([])
        sink.put([0xE0, 0xA4])

    assert texts(list(stream_generation(generate, of_bytes))) == ["�"]


def test_a_part_has_the_time_at_which_its_last_token_was_made() -> None:
    made: list[float] = []

    def generate(sink: Sink) -> None:
        for i in "aन".encode():
            sink.put(i)
            made.append(time.perf_counter())
            time.sleep(0.01)

    [a, na, _] = stream_generation(generate, of_bytes, prompt_first=False)
    assert made[0] - 0.005 < a.at_s <= made[0]
    assert made[3] - 0.005 < na.at_s <= made[3]


def test_reading_slowly_changes_no_time() -> None:
    parts = []
    for part in stream_generation(saying("abcd"), of_bytes):
        parts.append(part)
        time.sleep(0.02)
    assert parts[-1].at_s - parts[0].at_s < 0.02


def test_usage_comes_last_and_counts_every_token_but_the_prompt() -> None:
    *_, last = stream_generation(saying("न"), of_bytes, usage={"input_tokens": 3})
    assert (last.kind, last.usage) == ("usage", {"input_tokens": 3, "output_tokens": 4})


@pytest.mark.parametrize(
    "ids", [7, [7], (7,), np.array([7]), np.array([[7]])], ids=["int", "list", "tuple", "1-d", "2-d"]
)
def test_ids_come_in_any_shape(ids: object) -> None:
    *_, last = stream_generation(lambda sink: sink.put(ids), of_bytes, prompt_first=False)
    assert last.usage == {"output_tokens": 1}


def test_nothing_begins_before_the_first_part_is_asked_for() -> None:
    began = threading.Event()
    parts = stream_generation(lambda sink: began.set(), of_bytes)
    assert not began.is_set()
    list(parts)
    assert began.is_set()


def test_a_reader_who_leaves_stops_the_model() -> None:
    made = 0

    def generate(sink: Sink) -> None:
        nonlocal made
        while made < 1000:
            sink.put(65)
            made += 1
            time.sleep(0.001)

    parts = stream_generation(generate, of_bytes, prompt_first=False)
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    stopped_at = made
    time.sleep(0.01)
    assert made == stopped_at < 100


def test_what_the_model_raises_is_raised_to_the_reader_after_what_it_said() -> None:
    def generate(sink: Sink) -> None:
        sink.put([])
        sink.put(65)
        raise ValueError("no such thing")

    parts = stream_generation(generate, of_bytes)
    assert next(parts).text == "A"
    with pytest.raises(ValueError, match="no such thing"):
        next(parts)


def test_running_out_of_memory_is_a_failure_of_its_kind() -> None:
    def generate(sink: Sink) -> None:
        raise RuntimeError("CUDA out of memory. Tried to allocate 20.00 MiB.\nmore")

    with pytest.raises(
        AgentFailure, match=r"^CUDA out of memory\. Tried to allocate 20\.00 MiB\.$"
    ) as failure:
        list(stream_generation(generate, of_bytes))
    assert failure.value.kind == "out_of_memory"


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"),
              RuntimeError("CUDA error: out of memory"), RuntimeError("std::bad_alloc")],
)  # fmt: skip
def test_every_way_of_saying_that_memory_is_short_is_known(error: Exception) -> None:
    found = out_of_memory(error)
    assert found is not None
    assert found.kind == "out_of_memory"


def test_another_error_is_no_lack_of_memory() -> None:
    assert out_of_memory(RuntimeError("shapes do not match")) is None
