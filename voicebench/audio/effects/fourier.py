"""Convolution by Fourier transform, in single precision and in blocks, so that memory is bounded."""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Spectrum = npt.NDArray[np.complex64]

# Samples that are transformed at a time, unless the response needs more: beyond, a cache (2 MB) overflows and
# each takes twice as long.
_AT_A_TIME = 3 << 14


def rfft(samples: Floats, size: int) -> Spectrum:
    """Return the spectrum of samples padded to a size, divided by that size.

    numpy computes in single precision only where it scales as well, so the division is welcome; and `irfft`
    without one is where it does so on the way back.

    Args:
        samples: Shape (…, n).
        size: Length of the transform, n at least.

    Returns:
        Shape (…, size // 2 + 1).
    """
    return np.fft.rfft(samples, size, norm="forward").astype(np.complex64, copy=False)


def irfft(spectrum: Spectrum, size: int) -> Floats:
    """Return the samples of a spectrum, shape (…, size), divided by that size."""
    return np.fft.irfft(spectrum, size).astype(np.float32, copy=False)


def good_size(length: int) -> int:
    """Return the smallest even product of 2, 3 and 5 that is no less than a length."""
    best = 2
    while best < length:
        best *= 2
    five = 2
    while five < best:
        three = five
        while three < best:
            size = three
            while size < length:
                size *= 2
            best = min(best, size)
            three *= 3
        five *= 5
    return best


class Response:
    """What a room, a line or a filter makes of an impulse; its spectra are kept for the next clip.

    Attributes:
        samples: Shape (taps,).
    """

    def __init__(self, samples: Floats) -> None:
        self.samples = samples
        self._spectra: dict[int, Spectrum] = {}

    def convolve(self, clip: Floats, *, start: int = 0) -> Floats:
        """Return a clip as it sounds through this response, shape of the clip.

        Args:
            clip: Shape (n,).
            start: Which sample of the response is time zero; what comes before it sounds earlier.
        """
        length, taps = len(clip), len(self.samples)
        size = self._block_size(length)
        hop = size - taps + 1
        blocks = -(-length // hop)
        out = np.zeros(blocks * hop + taps - 1, np.float32)
        spectrum = self._spectrum(size)
        together = max(1, _AT_A_TIME // size)
        for first in range(0, blocks, together):
            piece = clip[first * hop : (first + together) * hop]
            rows = -(-len(piece) // hop)
            if len(piece) < rows * hop:
                piece = np.concatenate([piece, np.zeros(rows * hop - len(piece), np.float32)])
            product = rfft(piece.reshape(rows, hop), size)
            product *= spectrum
            for row, block in enumerate(irfft(product, size), start=first):
                out[row * hop : row * hop + size] += block
        return out[start : start + length]

    def _block_size(self, length: int) -> int:
        """Return the length of the transforms that take the least time for a clip of a length."""
        taps = len(self.samples)
        largest = max(_AT_A_TIME, 4 * taps)
        powers = [1 << exponent for exponent in range(6, largest.bit_length())]
        sizes = [size for power in powers for size in (power, power // 2 * 3) if taps < size <= largest]
        return min(sizes, key=lambda size: -(-length // (size - taps + 1)) * size * math.log2(size))

    def _spectrum(self, size: int) -> Spectrum:
        if size not in self._spectra:
            exact = np.fft.rfft(self.samples.astype(np.float64), size)
            self._spectra[size] = (exact * size).astype(np.complex64)
        return self._spectra[size]
