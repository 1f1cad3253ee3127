"""Thoughts at the beginning of an answer, told apart while it streams in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.reasoning import MARKERS, opened_by, split_reasoning
from voicebench.types import Part


def split(*pieces: str, opened: str | None = None) -> list[tuple[str, str, float]]:
    parts = [Part("content", piece, float(at_s)) for at_s, piece in enumerate(pieces)]
    return [(part.kind, part.text, part.at_s) for part in split_reasoning(parts, opened=opened)]


def test_thoughts_come_apart_from_the_answer_and_without_markers() -> None:
    assert split("<think>", "सोच", "ता", "</think>", "[book()]") == [
        ("reasoning", "सोच", 1), ("reasoning", "ता", 2), ("content", "[book()]", 4),
    ]  # fmt: skip


@pytest.mark.parametrize(("opening", "closing"), MARKERS.items())
def test_each_family_of_markers_is_known(opening: str, closing: str) -> None:
    assert split(f"\n{opening}hm{closing}yes") == [("reasoning", "hm", 0), ("content", "yes", 0)]


def test_a_marker_in_pieces_is_one_and_each_piece_keeps_its_time() -> None:
    assert split("<th", "ink>a", "b</", "think", ">c") == [
        ("reasoning", "a", 1), ("reasoning", "b", 2), ("content", "c", 4),
    ]  # fmt: skip


def test_what_only_begins_like_a_marker_is_the_answer_at_its_own_time() -> None:
    assert split("[", "book()", "]") == [("content", "[", 0), ("content", "book()", 1), ("content", "]", 2)]
    assert split("<thi") == [("content", "<thi", 0)]


def test_what_only_begins_like_an_end_is_a_thought() -> None:
    assert split("<think>a </", "b> c") == [
        ("reasoning", "a ", 0), ("reasoning", "</", 0), ("reasoning", "b> c", 1),
    ]  # fmt: skip


def test_a_marker_further_on_is_part_of_what_is_said() -> None:
    assert split("say <think>", "x</think>") == [("content", "say <think>", 0), ("content", "x</think>", 1)]


def test_thoughts_that_never_end_are_thoughts() -> None:
    assert split("<think>a", "</thi") == [("reasoning", "a", 0), ("reasoning", "</thi", 1)]


def test_an_answer_that_begins_inside_thoughts_is_told_by_its_prompt() -> None:
    opened = opened_by("<|im_start|>assistant\n<think>\n")
    assert opened == "<think>"
    assert split("a", "</think>b", opened=opened) == [("reasoning", "a", 0), ("content", "b", 1)]


@pytest.mark.parametrize("prompt", ["", "<think>\n\n</think>\n\n", "assistant\n"])
def test_a_prompt_that_ends_outside_thoughts_opens_none(prompt: str) -> None:
    assert opened_by(prompt) is None


def test_parts_of_other_kinds_pass() -> None:
    parts = [Part("content", "<think>", 0), Part("call", "{}", 1), Part("usage", "", 2, {"output_tokens": 1})]
    assert [part.kind for part in split_reasoning(parts)] == ["call", "usage"]
    assert list(split_reasoning(parts[1:])) == parts[1:]


@given(st.lists(st.sampled_from(["<", "think>", "<think>", "</think>", "[", "THINK]", "a", "नमः", "\n"])))
def test_nothing_is_lost_but_one_pair_of_markers(pieces: list[str]) -> None:
    got = split(*pieces)
    said, thought = ("".join(t for k, t, _ in got if k == kind) for kind in ("content", "reasoning"))
    whole = "".join(pieces)
    assert whole in (
        said, *(f"{space}{opening}{thought}{end}{said}" for opening, closing in MARKERS.items()
                for space in [whole[: len(whole) - len(whole.lstrip())]] for end in (closing, "")),
    )  # fmt: skip
    assert [at_s for *_, at_s in got] == sorted(at_s for *_, at_s in got)
