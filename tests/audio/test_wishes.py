"""Which voices are asked for, and what happens where there are fewer."""

from pathlib import Path
from typing import Any

import pytest

from tests.audio.helpers import Counting
from voicebench.audio.references.own_voices import own_voices
from voicebench.audio.references.store import add
from voicebench.audio.voices import VoiceChoice
from voicebench.audio.wishes import VoiceWish, choose_voices
from voicebench.errors import UserError
from voicebench.fakes_audio import FakeEncoder, FakeSynthesizer


def chosen(folder: Path, wish: VoiceWish, **options: Any) -> VoiceChoice:
    given: dict[str, Any] = {"synthesizer": FakeSynthesizer(), "encoder": FakeEncoder(), "converts": False}
    return choose_voices("en", wish, folder=folder, seed=0, **given | options)


def test_without_a_number_there_are_as_many_as_the_synthesizer_has(tmp_path: Path) -> None:
    assert len(chosen(tmp_path, VoiceWish()).chosen) == 4


def test_a_number_is_what_there_will_be(tmp_path: Path) -> None:
    assert len(chosen(tmp_path, VoiceWish(n=3)).chosen) == 3


def test_fewer_voices_than_asked_for_are_an_error_before_anybody_speaks(tmp_path: Path) -> None:
    speaker = Counting()
    with pytest.raises(
        UserError, match=r"^fake has 4 voices for 'en', 5 are asked for\. Ask for fewer, or give"
    ):
        chosen(tmp_path, VoiceWish(n=5), synthesizer=speaker, converts=True)
    assert speaker.said == []


def test_where_a_converter_would_help_the_error_says_so(tmp_path: Path) -> None:
    speaker = Counting(native=("low",))
    with pytest.raises(UserError, match=r"has 1 voices .* fewer, give a --converter, or"):
        chosen(tmp_path, VoiceWish(n=2), synthesizer=speaker)
    assert len(chosen(tmp_path, VoiceWish(n=2), synthesizer=speaker, converts=True).chosen) == 2


def test_twice_as_many_voices_are_heard_as_are_chosen(tmp_path: Path) -> None:
    choice = chosen(tmp_path, VoiceWish(n=2, candidates=1))
    assert (len(choice.chosen), len(choice.candidates)) == (2, 4)


def test_the_reason_for_the_encoder_is_kept(tmp_path: Path) -> None:
    assert chosen(tmp_path, VoiceWish(reason="at hand")).describe()["encoder_reason"] == "at hand"


def test_a_folder_of_recordings_is_chosen_from(tmp_path: Path) -> None:
    add(tmp_path / "voices", own_voices(FakeSynthesizer(), "en", seed=0))
    choice = chosen(tmp_path / "build", VoiceWish(n=2, folder=tmp_path / "voices"))
    assert len(choice.chosen) == 2
    with pytest.raises(UserError, match="9 voices are asked for"):
        chosen(tmp_path / "build", VoiceWish(n=9, folder=tmp_path / "voices"))
