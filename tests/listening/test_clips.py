"""Which clips there are, what made them, and what is said when there are none."""

from pathlib import Path

import pytest

from tests.audio.helpers import make_task
from voicebench.errors import UserError
from voicebench.listening.clips import read_clips

from .helpers import make_folder, make_row


def test_a_clip_has_the_words_of_its_task_and_of_its_voice(tmp_path: Path) -> None:
    task = make_task(3, "hi")
    row = make_row(3, "hi", text="तीन गाने चलाओ")
    (clip,) = read_clips([make_folder(tmp_path, [row])], {task.id: task})
    assert (clip.written, clip.row.spoken_text) == ("3 गाने चलाओ", "तीन गाने चलाओ")
    assert (clip.engine, clip.voice, clip.path.is_file()) == ("kokoro", "hf_alpha", True)


def test_a_clip_of_an_unknown_task_has_its_spoken_words_alone(tmp_path: Path) -> None:
    (clip,) = read_clips([make_folder(tmp_path, [make_row(voice=None)])], {})
    assert (clip.written, clip.voice) == (None, "unknown")


def test_engines_of_several_folders_are_named_with_their_converters(tmp_path: Path) -> None:
    one = make_folder(tmp_path / "one", [make_row()])
    two = make_folder(tmp_path / "two", [make_row(engine="espeak", converter="world")])
    assert [clip.engine for clip in read_clips([one, two], {})] == ["kokoro", "espeak+world"]


def test_two_revisions_of_an_engine_are_told_apart(tmp_path: Path) -> None:
    one = make_folder(tmp_path / "one", [make_row(revision="aaaaaaaaaaaaaaaa")])
    two = make_folder(tmp_path / "two", [make_row(revision=None)])
    engines = [clip.engine for clip in read_clips([one, two], {})]
    assert engines == ["kokoro@aaaaaaaaaaaa", "kokoro@none"]


def test_a_folder_given_twice_counts_once(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, [make_row(1), make_row(2)])
    assert len(read_clips([folder, folder], {})) == 2


def test_languages_and_conditions_can_be_chosen(tmp_path: Path) -> None:
    rows = [make_row(lang=lang, condition=condition) for lang in ("ta", "th")
            for condition in ("speech", "speech/noise-10dB")]  # fmt: skip
    folder = make_folder(tmp_path, rows)
    found = read_clips([folder], {}, langs=["ta"], conditions=["speech"])
    assert [(clip.row.lang, clip.row.condition) for clip in found] == [("ta", "speech")]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"langs": ["tha"]}, "--lang 'tha': no clip is of this. Did you mean 'th'?"),
        ({"conditions": ["telephone"]}, "--condition 'telephone': no clip is of this. Known: speech."),
    ],
)
def test_a_language_or_condition_that_is_not_there_is_named(
    tmp_path: Path, choice: dict[str, list[str]], said: str
) -> None:
    folder = make_folder(tmp_path, [make_row(lang="th")])
    with pytest.raises(UserError) as raised:
        read_clips([folder], {}, **choice)
    assert str(raised.value) == said


def test_a_folder_without_a_manifest_or_clips_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no manifest.jsonl here. Run: voicebench build-audio --out"):
        read_clips([tmp_path], {})
    make_folder(tmp_path, [])
    with pytest.raises(UserError, match="no clips to listen to"):
        read_clips([tmp_path], {})
