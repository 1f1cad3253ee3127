"""Hashed character n-grams."""

import numpy as np
import pytest

from voicebench.llms.char_ngram import DIMENSIONS, CharNgram

SCRIPTS = ("Book a cab to the airport", "हवाई अड्डे के लिए कैब", "விமான நிலையம்", "สนามบิน", "book a कैब", "")


def test_rows_are_float32_of_unit_length_in_every_script() -> None:
    rows = CharNgram().embed_queries(SCRIPTS)
    assert rows.shape == (len(SCRIPTS), DIMENSIONS)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_no_texts_give_no_rows() -> None:
    assert CharNgram().embed_passages([]).shape == (0, DIMENSIONS)


def test_the_same_text_has_the_same_place_alone_and_in_a_batch() -> None:
    together = CharNgram().embed_queries(SCRIPTS)
    assert all(
        np.array_equal(CharNgram().embed_queries([text])[0], together[i]) for i, text in enumerate(SCRIPTS)
    )


def test_the_hash_is_the_same_in_every_process() -> None:
    [row] = CharNgram().embed_queries(["cab"])
    assert sorted(np.flatnonzero(row).tolist()) == [488, 1624, 1785, 3851, 4041]


def test_like_spellings_are_nearer_than_unlike_ones() -> None:
    query, near, far = CharNgram().embed_queries(["cancel the ride", "cancelled rides", "pay a water bill"])
    assert query @ near > query @ far


@pytest.mark.parametrize("text", ["Ride!", "  RIDE ", "ｒｉｄｅ"])
def test_case_width_and_punctuation_do_not_matter(text: str) -> None:
    one, other = CharNgram().embed_queries(["ride", text])
    assert np.allclose(one, other)


def test_a_vowel_sign_makes_a_different_word() -> None:
    one, other = CharNgram().embed_queries(["दल", "दिल"])
    assert one @ other < 0.9
