from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.audio.references.helpers import voices
from voicebench.audio.references.embeddings import EmbeddingCache, embed_voices, embeddings_of
from voicebench.audio.references.store import add, read_voices
from voicebench.errors import UserError
from voicebench.fakes_audio import FakeEncoder
from voicebench.types import Audio, ModelRef


class Counting(FakeEncoder):
    """Notes the lengths it was given."""

    def __init__(self, revision: str = "1") -> None:
        super().__init__()
        self.model = ModelRef(name="fake", revision=revision)
        self.given: list[list[int]] = []

    def embed(self, clips: Sequence[Audio]) -> npt.NDArray[np.float32]:
        self.given.append([len(clip.samples) for clip in clips])
        return super().embed(clips)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    add(tmp_path, voices(5))
    return tmp_path


def test_embeddings_are_made_once_and_kept_bit_for_bit(folder: Path) -> None:
    rows = read_voices(folder)
    first, again = Counting(), Counting()
    made = embed_voices(folder, rows, first)
    kept = embed_voices(folder, rows, again)
    assert (made.made, kept.made, again.given) == (5, 0, [])
    assert made.embeddings.shape == (5, 8)
    assert made.embeddings.dtype == np.float32
    assert np.array_equal(made.embeddings, kept.embeddings)


def test_rows_come_back_in_the_order_asked_for(folder: Path) -> None:
    rows = read_voices(folder)
    forwards = embed_voices(folder, rows, Counting()).embeddings
    assert np.array_equal(embed_voices(folder, rows[::-1], Counting()).embeddings, forwards[::-1])


def test_a_new_voice_alone_is_embedded(folder: Path) -> None:
    embed_voices(folder, read_voices(folder), Counting())
    add(folder, voices(6))
    encoder = Counting()
    assert embed_voices(folder, read_voices(folder), encoder).made == 1
    assert len(encoder.given[0]) == 1


def test_another_revision_has_embeddings_of_its_own(folder: Path) -> None:
    rows = read_voices(folder)
    embed_voices(folder, rows, Counting("1"))
    assert embed_voices(folder, rows, Counting("2")).made == 5
    assert len(list((folder / "embeddings").iterdir())) == 2


def test_a_torn_last_row_is_embedded_again(folder: Path) -> None:
    rows = read_voices(folder)
    whole = embed_voices(folder, rows, Counting()).embeddings
    path = EmbeddingCache(folder, ModelRef(name="fake", revision="1")).path
    path.write_bytes(path.read_bytes()[:-40])
    mended = embed_voices(folder, rows, Counting())
    assert mended.made == 1
    assert np.array_equal(mended.embeddings, whole)
    assert embed_voices(folder, rows, Counting()).made == 0


def test_like_lengths_go_to_the_encoder_together(folder: Path) -> None:
    encoder = Counting()
    embed_voices(folder, read_voices(folder), encoder)
    assert all(lengths == sorted(lengths) for lengths in encoder.given)


def test_the_encoder_is_loaded_only_where_an_embedding_is_missing(folder: Path) -> None:
    rows = read_voices(folder)
    embed_voices(folder, rows, Counting())

    def load() -> FakeEncoder:
        raise AssertionError("was loaded")

    assert embeddings_of(folder, rows, "fake", load, revision="1").made == 0
    with pytest.raises(AssertionError, match="was loaded"):
        embeddings_of(folder, rows, "fake", load, revision="2")


def test_a_recording_that_changed_is_not_embedded(folder: Path) -> None:
    rows = read_voices(folder)
    (folder / rows[0].path).write_bytes(b"x")
    with pytest.raises(UserError, match="has changed"):
        embed_voices(folder, rows, Counting())


def test_a_broken_embedding_names_its_file(folder: Path) -> None:
    rows = read_voices(folder)
    embed_voices(folder, rows, Counting())
    path = EmbeddingCache(folder, ModelRef(name="fake", revision="1")).path
    path.write_text(path.read_text().replace('"embedding":"', '"embedding":"!', 1))
    with pytest.raises(UserError, match="is broken"):
        embed_voices(folder, rows, Counting())


def test_an_encoder_that_gives_no_numbers_is_refused(folder: Path) -> None:
    class Broken(FakeEncoder):
        def embed(self, clips: Sequence[Audio]) -> npt.NDArray[np.float32]:
            return np.full((len(clips), 4), np.nan, np.float32)

    with pytest.raises(UserError, match="gave no usable embedding"):
        embed_voices(folder, read_voices(folder), Broken())
