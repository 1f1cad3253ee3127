"""Hashed character n-grams: a sentence encoder that needs nothing and matches spelling, not meaning."""

import unicodedata
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from voicebench.types import ModelRef

DIMENSIONS = 4096
SIZES = (3, 4)
"""Lengths of the n-grams, in characters; words are padded by one space on either side."""


class CharNgram:
    """Counts of character n-grams, hashed into 4096 signed buckets (Weinberger et al. 2009).

    The counts are damped by a square root so that one repeated n-gram does not outweigh the rest. CRC-32
    places the n-grams, so that the same text has the same embedding on every machine and in every process.
    A text without letters or digits gets the first unit vector.
    """

    model = ModelRef(name="char-ngram", revision="1")

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return embeddings of requests, shape (len(texts), 4096), float32, unit length."""
        return self.embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return embeddings of documents, shape (len(texts), 4096), float32, unit length."""
        rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for ngram in _ngrams(text):
                code = zlib.crc32(ngram.encode("utf-8", "replace"))
                row[code % DIMENSIONS] += 1.0 if code >> 31 else -1.0
        rows = np.sign(rows) * np.sqrt(np.abs(rows))
        rows[~rows.any(axis=1), 0] = 1.0
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _ngrams(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Vowel signs (categories M*) belong to the word in Indic scripts and in Thai.
    kept = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in folded)
    padded = (f" {word} " for word in kept.split())
    return [word[i : i + n] for word in padded for n in SIZES for i in range(len(word) - n + 1)]
