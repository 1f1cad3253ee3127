from pathlib import Path

import pytest

from tests.audio.references.helpers import speech, write
from voicebench.audio.references.folder import folder_recordings, read_table
from voicebench.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "recordings"
    for name in ("asha/1.wav", "asha/2.wav", "ravi/1.wav", "सीता.wav"):
        write(root, name, speech(1.0))
    (root / "notes.txt").write_text("x")
    return root


def test_subfolders_are_speakers_and_a_file_at_the_top_is_one(folder: Path) -> None:
    found = folder_recordings(folder, lang="hindi", licence="CC0-1.0", source="us")
    assert [(one.origin, one.speaker) for one in found] == [
        ("asha/1.wav", "asha"), ("asha/2.wav", "asha"), ("ravi/1.wav", "ravi"), ("सीता.wav", "सीता"),
    ]  # fmt: skip
    assert {(one.lang, one.licence, one.source, one.gender) for one in found} == {
        ("hi", "CC0-1.0", "us", None)
    }
    assert found[0].load().duration_s == 1.0


def test_a_table_says_who_speaks_and_goes_before_the_options(folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "who.csv"
    table.write_text(
        "path,speaker_id,sex,language,license,mood\n"
        "asha/1.wav,आशा,F,Hindi,CC-BY-4.0,glad\n"
        "ravi/1.wav,ravi,male_masculine,,,\n",
        encoding="utf-8",
    )
    found = folder_recordings(folder, metadata=table, lang="en", licence="CC0-1.0", source="us")
    assert [(one.origin, one.speaker, one.gender, one.lang, one.licence, one.source) for one in found] == [
        ("asha/1.wav", "आशा", "female", "hi", "CC-BY-4.0", "us"),
        ("ravi/1.wav", "ravi", "male", "en", "CC0-1.0", "us"),
    ]


def test_a_table_may_be_json_lines(tmp_path: Path) -> None:
    table = tmp_path / "who.jsonl"
    table.write_text('{"file": "a.wav", "speaker": "தமிழ்", "gender": null}\n', encoding="utf-8")
    assert read_table(table) == [{"file": "a.wav", "speaker": "தமிழ்"}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no row"),
        ("speaker\nasha\n", "has no column 'file'"),
        ("file\na.wav\na.wav\n", "row 2 names 'a.wav' for the second time"),
        ("file,speaker\n,asha\n,b\nx.wav,c\n", "row 1 names no file"),
    ],
)
def test_a_broken_table_is_one_line(folder: Path, tmp_path: Path, text: str, said: str) -> None:
    table = tmp_path / "who.csv"
    table.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        folder_recordings(folder, metadata=table, licence="CC0-1.0", source="us")


def test_a_table_that_is_not_json_is_named_with_its_line(tmp_path: Path) -> None:
    table = tmp_path / "who.jsonl"
    table.write_text('{"file": "a.wav"}\n[1]\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"who\.jsonl:2: a line must hold a JSON object"):
        read_table(table)


@pytest.mark.parametrize(
    ("licence", "source", "said"),
    [(None, "us", "says no licence .* Give --licence"), ("CC0-1.0", None, "says no source .* Give --source")],
)
def test_licence_and_source_are_never_guessed(
    folder: Path, licence: str | None, source: str | None, said: str
) -> None:
    with pytest.raises(UserError, match=said):
        folder_recordings(folder, licence=licence, source=source)


def test_a_column_for_the_licence_is_enough_and_an_empty_cell_stays_empty(
    folder: Path, tmp_path: Path
) -> None:
    table = tmp_path / "who.csv"
    table.write_text("file,licence,source\nasha/1.wav,CC0-1.0,us\nasha/2.wav,,us\n", encoding="utf-8")
    assert [one.licence for one in folder_recordings(folder, metadata=table)] == ["CC0-1.0", None]


def test_a_folder_that_is_not_there_or_holds_nothing_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        folder_recordings(tmp_path / "x", licence="l", source="s")
    with pytest.raises(UserError, match="holds no recording"):
        folder_recordings(tmp_path, licence="l", source="s")
