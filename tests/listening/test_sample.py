"""The draw is even, by seed, and the same whatever the order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.listening.clips import Clip
from voicebench.listening.sample import draw, even_shares, one_a_sentence

from .helpers import make_clip


def folder_of(*engines: str, langs: tuple[str, ...] = ("hi",), n: int = 10) -> list[Clip]:
    return [
        make_clip(number, lang, engine=engine, voice=f"{engine}-{number % 2}", condition=condition)
        for lang in langs
        for engine in engines
        for condition in ("speech", "speech/noise-10dB")
        for number in range(n)
    ]


def test_a_sample_is_even_over_languages_engines_conditions_and_voices() -> None:
    drawn = draw(folder_of("kokoro", "mms", langs=("ta", "th")), 8, per_engine=False, seed=0)
    traits = Counter((c.row.lang, c.engine, c.row.condition, c.voice) for c in drawn)
    assert len(traits) == 16
    assert set(traits.values()) == {1}


def test_per_engine_draws_the_number_for_each_engine() -> None:
    drawn = draw(folder_of("kokoro", "mms"), 8, per_engine=True, seed=0)
    assert Counter(clip.engine for clip in drawn) == {"kokoro": 8, "mms": 8}


def test_engines_are_heard_with_the_same_sentences() -> None:
    clips = [make_clip(number, engine=engine, voice="one") for engine in ("a", "b") for number in range(40)]
    drawn = draw(clips, 10, per_engine=True, seed=4)
    first, second = ({c.row.task_id for c in drawn if c.engine == engine} for engine in ("a", "b"))
    assert first == second
    assert len(first) == 10


def test_where_there_are_fewer_all_are_taken() -> None:
    clips = folder_of("kokoro", n=2)
    assert draw(clips, 50, per_engine=False, seed=0) == clips


def test_the_seed_decides_and_the_order_does_not() -> None:
    clips = folder_of("kokoro", "mms")
    one = draw(clips, 5, per_engine=False, seed=1)
    assert sorted(draw(clips[::-1], 5, per_engine=False, seed=1), key=str) == sorted(one, key=str)
    assert draw(clips, 5, per_engine=False, seed=2) != one


def test_an_engine_with_few_clips_leaves_its_part_to_the_others() -> None:
    assert even_shares({"a": 2, "b": 100, "c": 100}, 20, 0) == {"a": 2, "b": 9, "c": 9}


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 9), max_size=5), st.integers(0, 60), st.integers())
def test_shares_add_up_and_differ_by_one_where_sizes_allow(sizes: dict[str, int], n: int, seed: int) -> None:
    shares = even_shares(sizes, n, seed)
    assert sum(shares.values()) == min(n, sum(sizes.values()))
    assert all(0 <= shares[name] <= sizes[name] for name in sizes)
    unfilled = [shares[name] for name in sizes if shares[name] < sizes[name]]
    assert not unfilled or max(shares.values()) - min(unfilled) <= 1


def test_where_people_write_down_a_sentence_is_heard_once_and_engines_take_turns() -> None:
    clips = folder_of("kokoro", "mms", langs=("ta", "th"), n=10)
    chosen = one_a_sentence(clips, seed=0)
    assert len({clip.row.task_id for clip in chosen}) == len(chosen) == 20
    assert set(Counter((clip.row.lang, clip.engine) for clip in chosen).values()) == {5}
    assert sorted(one_a_sentence(clips[::-1], seed=0), key=str) == sorted(chosen, key=str)


@pytest.mark.parametrize("n", [1, 3])
def test_a_draw_is_never_more_than_asked(n: int) -> None:
    assert len(draw(folder_of("kokoro", "mms"), n, per_engine=False, seed=0)) == n
