from pathlib import Path

import numpy as np
import pytest

from tests.audio.helpers import Counting
from tests.audio.references.helpers import voices as recordings
from voicebench.audio.references.own_voices import own_voices
from voicebench.audio.references.store import add, read_voices
from voicebench.audio.voices import SENTENCES, VoiceChoice, chosen_from, reference_voices
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


def from_folder(folder: Path, lang: str = "hi", n: int | None = 3, **more: object) -> VoiceChoice:
    given = {"encoder": FakeEncoder(), "seed": 0, "converts": True, **more}
    return chosen_from(
        folder / "v", lang, n, synthesizer=FakeSynthesizer(), folder=folder / "build",
        **given,  # type: ignore[arg-type]
    )  # fmt: skip


def test_recordings_of_a_voices_folder_are_chosen_and_native_voices_speak_for_them(tmp_path: Path) -> None:
    add(tmp_path / "v", recordings(5))
    choice = from_folder(tmp_path, reason="asked for")
    assert len(choice.chosen) == 3
    assert {reference.voice.source for reference in choice.chosen} == {"corpus"}
    assert not any(reference.native for reference in choice.chosen)
    described = choice.describe()
    assert {row["spoken_by"] for row in described["chosen"]} <= {"low", "middle", "high", "highest"}
    assert (described["method"], described["encoder_reason"]) == ("farthest_point", "asked for")
    again = from_folder(tmp_path)
    assert [one.voice.id for one in again.chosen] == [one.voice.id for one in choice.chosen]


def test_without_a_number_six_recordings_are_taken_or_all(tmp_path: Path) -> None:
    add(tmp_path / "v", recordings(5))
    assert len(from_folder(tmp_path, n=None).chosen) == 5
    add(tmp_path / "v", recordings(8))
    assert len(from_folder(tmp_path, n=None).chosen) == 6


def test_what_voices_select_chose_is_taken_in_its_order(tmp_path: Path) -> None:
    add(tmp_path / "v", recordings(5))
    (tmp_path / "v" / "selected.json").write_text('{"voices": [{"id": "s4"}, {"id": "s1"}, {"id": "s0"}]}')
    choice = from_folder(tmp_path, n=None)
    assert [reference.voice.id for reference in choice.chosen] == ["s4", "s1", "s0"]
    assert choice.method == "selected"
    assert [one.voice.id for one in from_folder(tmp_path, n=2).chosen] == ["s4", "s1"]
    (tmp_path / "v" / "selected.json").write_text('{"voices": [{"id": "s9"}]}')
    with pytest.raises(UserError, match="there is no voice 's9' any more"):
        from_folder(tmp_path)


def test_recordings_in_the_language_go_before_others(tmp_path: Path) -> None:
    add(tmp_path / "v", recordings(2, lang="ta", source="tamil"), prefix="t-")
    add(tmp_path / "v", recordings(5)[2:])
    assert {one.voice.lang for one in from_folder(tmp_path, "hi").chosen} == {"hi"}
    assert {one.voice.lang for one in from_folder(tmp_path, "th", n=5).chosen} == {"hi", "ta"}


def test_fewer_recordings_than_asked_for_is_a_mistake(tmp_path: Path) -> None:
    add(tmp_path / "v", recordings(2))
    with pytest.raises(UserError, match="3 voices are asked for, there are 2 for 'hi'"):
        from_folder(tmp_path)
    with pytest.raises(UserError, match="cannot build with 0 voices"):
        from_folder(tmp_path, n=0)


def test_recordings_need_a_converter_unless_they_are_the_synthesizers_own_voices(tmp_path: Path) -> None:
    add(tmp_path / "v", own_voices(FakeSynthesizer(), "en"))
    choice = from_folder(tmp_path, "en", converts=False)
    assert all(one.native and choice.speaker_for(one) is one for one in choice.chosen)
    add(tmp_path / "v", recordings(1))
    with pytest.raises(UserError, match=r"nothing moves speech to recordings like 's0'\. Give --converter"):
        from_folder(tmp_path, converts=False)


def test_without_an_encoder_the_first_recordings_are_taken(tmp_path: Path) -> None:
    add(tmp_path / "v", recordings(4))
    choice = from_folder(tmp_path, n=2, encoder=None)
    assert [one.voice.id for one in choice.chosen] == ["s0", "s1"]
    assert choice.method == "first"


def test_a_recording_that_changed_is_not_used(tmp_path: Path) -> None:
    add(tmp_path / "v", recordings(3))
    (tmp_path / "v" / read_voices(tmp_path / "v")[0].path).write_bytes(b"x")
    for encoder in (FakeEncoder(), None):
        with pytest.raises(UserError, match="has changed"):
            from_folder(tmp_path, encoder=encoder)
