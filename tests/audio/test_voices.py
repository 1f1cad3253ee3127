from pathlib import Path

import numpy as np
import pytest

from tests.audio.helpers import Counting
from voicebench.audio.voices import SENTENCES, reference_voices
from voicebench.errors import UserError
from voicebench.fakes_audio import FakeEncoder, FakeSynthesizer


def test_the_voices_least_alike_are_chosen_and_the_choice_is_described(tmp_path: Path) -> None:
    choice = reference_voices(FakeSynthesizer(), "en", folder=tmp_path, encoder=FakeEncoder(), n=2, seed=1)
    described = choice.describe()
    assert described["method"] == "farthest_point"
    assert described["encoder"] == {"name": "fake", "revision": "1"}
    assert len(described["chosen"]) == 2
    assert described["candidates"] == ["low", "middle", "high", "highest"]
    distance = described["distance"]
    assert distance["chosen_min"] == distance["chosen_mean"] >= distance["candidates_mean"]


def test_the_choice_follows_from_the_seed(tmp_path: Path) -> None:
    def chosen(seed: int) -> list[str]:
        choice = reference_voices(
            FakeSynthesizer(), "hi", folder=tmp_path, encoder=FakeEncoder(), n=3, seed=seed
        )
        return [reference.voice.id for reference in choice.chosen]

    assert chosen(5) == chosen(5)
    assert len({tuple(chosen(seed)) for seed in range(6)}) > 1


def test_recordings_and_embeddings_are_kept(tmp_path: Path) -> None:
    first, again = Counting(), Counting()
    made = reference_voices(first, "ta", folder=tmp_path, encoder=FakeEncoder(), n=2, seed=0)
    kept = reference_voices(again, "ta", folder=tmp_path, encoder=FakeEncoder(), n=2, seed=0)
    assert first.said == [SENTENCES["ta"]] * 4
    assert again.said == []
    for a, b in zip(made.candidates, kept.candidates, strict=True):
        assert np.array_equal(a.clip.samples, b.clip.samples)
        assert a.embedding is not None and b.embedding is not None
        assert np.array_equal(a.embedding, b.embedding)
    assert len(list((tmp_path / "voices").glob("*.npy"))) == 4


def test_a_broken_embedding_is_made_again(tmp_path: Path) -> None:
    reference_voices(Counting(), "en", folder=tmp_path, encoder=FakeEncoder(), n=2, seed=0)
    for path in (tmp_path / "voices").glob("*.npy"):
        path.write_bytes(b"torn")
    again = reference_voices(Counting(), "en", folder=tmp_path, encoder=FakeEncoder(), n=2, seed=0)
    assert again.candidates[0].embedding is not None


def test_without_an_encoder_the_first_voices_are_taken(tmp_path: Path) -> None:
    choice = reference_voices(FakeSynthesizer(), "en", folder=tmp_path, encoder=None, n=2, seed=0)
    assert [reference.voice.id for reference in choice.chosen] == ["low", "middle"]
    assert choice.describe()["distance"] is None
    assert choice.describe()["method"] == "first"


def test_native_voices_come_first_and_alone_where_nothing_converts(tmp_path: Path) -> None:
    speaker = Counting(native=("high", "highest"))
    mixed = reference_voices(speaker, "hi", folder=tmp_path, encoder=FakeEncoder(), n=4, seed=0)
    native = reference_voices(
        speaker, "hi", folder=tmp_path, encoder=FakeEncoder(), n=4, seed=0, native_only=True
    )
    assert [reference.voice.id for reference in mixed.candidates] == ["high", "highest", "low", "middle"]
    assert {reference.voice.id for reference in native.chosen} == {"high", "highest"}


def test_a_voice_that_is_not_native_is_spoken_by_the_native_one_most_like_it(tmp_path: Path) -> None:
    speaker = Counting(native=("low", "highest"))
    choice = reference_voices(speaker, "hi", folder=tmp_path, encoder=FakeEncoder(), n=4, seed=0)
    spoken_by = {row["id"]: row["spoken_by"] for row in choice.describe()["chosen"]}
    assert spoken_by["low"] == "low"
    assert spoken_by["highest"] == "highest"
    assert set(spoken_by.values()) == {"low", "highest"}


def test_where_no_voice_is_native_every_voice_speaks_itself(tmp_path: Path) -> None:
    choice = reference_voices(
        Counting(native=()), "hi", folder=tmp_path, encoder=FakeEncoder(), n=4, seed=0, native_only=True
    )
    assert all(row["id"] == row["spoken_by"] for row in choice.describe()["chosen"])


def test_a_language_that_is_not_spoken_says_what_next(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"does not speak 'xx'\. Choose another synthesizer: voicebench models"
    ):
        reference_voices(Counting(), "xx", folder=tmp_path, encoder=None, n=1, seed=0)


def test_no_voice_is_too_few(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot build with 0 voices"):
        reference_voices(FakeSynthesizer(), "en", folder=tmp_path, encoder=None, n=0, seed=0)


@pytest.mark.parametrize(
    ("native", "candidates", "heard"),
    [
        (("low", "middle", "high"), 2, ["low", "highest"]),
        (("low", "middle", "high"), 3, ["low", "middle", "highest"]),
        (("low", "middle", "high"), 4, ["low", "middle", "high", "highest"]),
        (("low",), 3, ["low", "middle", "high"]),
    ],
)
def test_with_a_converter_half_of_the_candidates_are_not_native_as_far_as_there_are_such(
    tmp_path: Path, native: tuple[str, ...], candidates: int, heard: list[str]
) -> None:
    choice = reference_voices(
        Counting(native=native), "hi", folder=tmp_path, encoder=FakeEncoder(), n=2, seed=0,
        candidates=candidates,
    )  # fmt: skip
    assert [reference.voice.id for reference in choice.candidates] == heard
