from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.types import Audio
from voicebench_tts._speaker_features import at_rate, by_length, content_revision, slaney_filters, unit


@given(st.lists(st.integers(1, 1000), max_size=60), st.integers(1, 3000))
def test_batches_hold_every_item_once_and_no_more_than_allowed(lengths: list[int], largest: int) -> None:
    batches = list(by_length(lengths, largest))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[index] for index in batch) <= largest


def test_like_lengths_share_a_batch() -> None:
    assert list(by_length([10, 1, 9, 2], 20)) == [[0, 2], [3, 1]]


def test_vectors_are_scaled_to_one_and_zero_stays() -> None:
    assert np.allclose(unit(np.array([[3, 4], [0, 0]], np.float32)), [[0.6, 0.8], [0, 0]])


@pytest.mark.parametrize("rate", [8000, 16000, 48000])
def test_a_clip_is_heard_at_the_rate_asked_for(rate: int) -> None:
    tone = np.sin(2 * np.pi * 440 * np.arange(rate) / rate).astype(np.float32) * 0.5
    heard = at_rate(Audio(tone, rate), 16000)
    assert (len(heard), heard.dtype) == (16000, np.float32)
    assert np.abs(np.fft.rfft(heard)).argmax() == 440


def test_the_filters_of_another_front_end_have_unit_area_too() -> None:
    filters = slaney_filters(16000, 400, 40)
    assert filters.shape == (40, 201)
    assert filters[30:].sum(axis=1) * 40 == pytest.approx(1.0, abs=0.03)


def test_weights_of_the_users_own_are_told_apart_by_their_content(tmp_path: Path) -> None:
    for name, data in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        (tmp_path / name).write_bytes(data)
    a, b, c = (content_revision(tmp_path / name) for name in "abc")
    assert a == b == "sha256:6b86b273ff34fce1"
    assert c != a
