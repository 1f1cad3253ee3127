import numpy as np
import pytest

from voicebench.audio.loudness import high_pass, shelf
from voicebench.audio.recursive import Biquad, RecursiveFilter

SECTIONS: list[tuple[Biquad, ...]] = [
    (shelf(16000), high_pass(16000)),
    (shelf(48000), high_pass(48000)),
    (((1.0, 0.0, 0.0), (1.0, -0.5, 0.0)),),
    (((0.2, 0.4, 0.2), (1.0, -0.4, 0.2)), ((0.9, -1.8, 0.9), (1.0, -1.8, 0.81)), high_pass(8000)),
]


def step_by_step(sections: tuple[Biquad, ...], samples: np.ndarray) -> np.ndarray:
    for (b0, b1, b2), (_, a1, a2) in sections:
        first = second = 0.0
        out = np.empty(len(samples))
        for index, value in enumerate(samples):
            out[index] = b0 * value + first
            first, second = b1 * value - a1 * out[index] + second, b2 * value - a2 * out[index]
        samples = out
    return samples


@pytest.mark.parametrize("sections", SECTIONS)
@pytest.mark.parametrize("length", [1, 63, 64, 1024, 1025, 5000])
def test_it_is_the_filter_sample_by_sample(sections: tuple[Biquad, ...], length: int) -> None:
    samples = np.random.default_rng(1).standard_normal(length).astype(np.float32)
    found = np.concatenate(list(RecursiveFilter(sections).pieces(samples, 2 * RecursiveFilter.stride)))
    assert np.abs(found - step_by_step(sections, samples.astype(np.float64))).max() < 1e-10


def test_pieces_join_without_a_seam_and_have_their_length() -> None:
    samples = np.random.default_rng(2).standard_normal(10_000).astype(np.float32)
    filter_ = RecursiveFilter(SECTIONS[0])
    whole = np.concatenate(list(filter_.pieces(samples, 10 * filter_.stride)))
    pieces = list(filter_.pieces(samples, filter_.stride))
    assert [len(piece) for piece in pieces] == [1024] * 9 + [784]
    assert np.abs(np.concatenate(pieces) - whole).max() < 1e-12
    assert list(filter_.pieces(samples[:0], filter_.stride)) == []
