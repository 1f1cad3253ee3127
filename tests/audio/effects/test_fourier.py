import numpy as np
import pytest

from tests.audio.effects.helpers import rng
from voicebench.audio.effects.fourier import Response, good_size, irfft, rfft


def test_sizes_are_even_and_products_of_2_3_and_5() -> None:
    def plain(length: int) -> int:
        size = max(2, length)
        while True:
            rest = size
            for prime in (2, 3, 5):
                while rest % prime == 0:
                    rest //= prime
            if rest == 1 and size % 2 == 0:
                return size
            size += 1

    assert [good_size(length) for length in range(1, 1500)] == [plain(length) for length in range(1, 1500)]
    assert good_size(176_000) == plain(176_000)


@pytest.mark.parametrize("size", [2, 64, 160, 4096])
def test_there_and_back_is_divided_by_the_size(size: int) -> None:
    samples = rng().standard_normal(size).astype(np.float32)
    assert rfft(samples, size).dtype == np.complex64
    assert np.allclose(irfft(rfft(samples, size), size) * size, samples, atol=1e-5)


@pytest.mark.parametrize("taps", [1, 2, 255, 3000])
@pytest.mark.parametrize("length", [1, 2, 100, 5000, 300_000])
def test_convolution_is_that_of_the_definition(length: int, taps: int) -> None:
    clip = rng(1).standard_normal(length).astype(np.float32)
    response = rng(2).standard_normal(taps).astype(np.float32)
    want = np.zeros(length + taps - 1)
    for at in range(0, length, 50_000):
        piece = clip[at : at + 50_000].astype(np.float64)
        size = good_size(len(piece) + taps - 1)
        whole = np.fft.irfft(np.fft.rfft(piece, size) * np.fft.rfft(response.astype(np.float64), size), size)
        want[at : at + len(piece) + taps - 1] += whole[: len(piece) + taps - 1]
    for start in (0, taps // 2):
        found = Response(response).convolve(clip, start=start)
        assert found.dtype == np.float32
        assert found.shape == clip.shape
        assert np.abs(found - want[start : start + length]).max() <= 2e-5 * np.abs(want).max()


def test_small_convolutions_equal_numpys() -> None:
    clip, response = np.array([1, 2, 3, 4], np.float32), np.array([0.5, -1, 2], np.float32)
    assert np.allclose(Response(response).convolve(clip), np.convolve(clip, response)[:4], atol=1e-6)


def test_a_spectrum_is_kept_for_the_next_clip() -> None:
    response = Response(rng().standard_normal(1000).astype(np.float32))
    clip = rng(1).standard_normal(20_000).astype(np.float32)
    first = response.convolve(clip)
    kept = dict(response._spectra)
    assert np.array_equal(response.convolve(clip), first)
    assert all(response._spectra[size] is spectrum for size, spectrum in kept.items())
