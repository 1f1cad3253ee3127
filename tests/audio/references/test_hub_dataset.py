"""Data sets of the hub's shape, made here as parquet files."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.audio.references.helpers import speech
from voicebench.audio.io import wav_bytes
from voicebench.audio.references import hub_dataset
from voicebench.audio.references.hub_dataset import dataset_recordings, parse_columns
from voicebench.audio.references.store import add, read_voices
from voicebench.errors import MissingExtraError, UserError

GOOD = {"bytes": wav_bytes(speech(2.0, rate=48000)), "path": "1-7-f.m4a"}


def kathbath() -> list[dict[str, Any]]:
    """Rows as Kathbath (IndicSUPERB) has them."""
    other = {"bytes": wav_bytes(speech(2.0, hz=220)), "path": "2-9-m.m4a"}
    return [
        {"fname": "1-7-f.m4a", "text": "नमस्ते", "audio_filepath": GOOD, "lang": "hindi", "duration": 2.0,
         "gender": "female", "speaker_id": 7},
        {"fname": "2-9-m.m4a", "text": "जी", "audio_filepath": other, "lang": "hindi", "duration": 2.0,
         "gender": "male", "speaker_id": 9},
        {"fname": "3-9-m.m4a", "text": "", "audio_filepath": {"bytes": b"RIFF", "path": None},
         "lang": "hindi", "duration": 0.0, "gender": "male", "speaker_id": 9},
    ]  # fmt: skip


def common_voice() -> list[dict[str, Any]]:
    """Rows as Common Voice has them."""
    return [
        {"client_id": "ab" * 64, "path": "cv_1.mp3", "audio": GOOD, "sentence": "สวัสดี", "up_votes": 2,
         "gender": "female_feminine", "locale": "th"},
        {"client_id": "cd" * 64, "path": "cv_2.mp3", "audio": {"bytes": None, "path": None}, "sentence": "",
         "up_votes": 0, "gender": "", "locale": "th"},
    ]  # fmt: skip


@pytest.fixture
def shelf(tmp_path: Path) -> Any:
    """Write rows as a folder of parquet files with the feature types of the hub."""
    pytest.importorskip("pyarrow")
    datasets = pytest.importorskip("datasets")

    def write(rows: list[dict[str, Any]], audio: str, name: str = "train-00000.parquet") -> str:
        folder = tmp_path / "set"
        folder.mkdir(exist_ok=True)
        made = datasets.Dataset.from_list(rows).cast_column(audio, datasets.Audio(decode=False))
        made.to_parquet(folder / name)
        return str(folder)

    return write


def test_kathbaths_columns_are_known(shelf: Any) -> None:
    folder = shelf(kathbath(), "audio_filepath")
    found = list(dataset_recordings(folder, licence="CC0-1.0", source="Kathbath"))
    assert [(one.origin, one.speaker, one.gender, one.lang, one.licence, one.source) for one in found] == [
        ("1-7-f.m4a", "7", "female", "hi", "CC0-1.0", "Kathbath"),
        ("2-9-m.m4a", "9", "male", "hi", "CC0-1.0", "Kathbath"),
        ("3-9-m.m4a", "9", "male", "hi", "CC0-1.0", "Kathbath"),
    ]
    audio = found[0].load()
    assert (audio.sample_rate_hz, audio.duration_s) == (48000, 2.0)


def test_common_voices_columns_are_known_and_a_row_without_sound_is_turned_away(
    shelf: Any, tmp_path: Path
) -> None:
    folder = shelf(common_voice(), "audio")
    added = add(tmp_path / "v", dataset_recordings(folder, licence="CC0-1.0", source="Common Voice"))
    (row,) = read_voices(tmp_path / "v")
    assert (row.speaker, row.gender, row.lang, row.origin) == ("ab" * 64, "female", "th", "cv_1.mp3")
    assert [(one.kind, one.reason) for one in added.rejected] == [
        ("unreadable", "cv_2.mp3: the row holds no sound")
    ]


def test_other_columns_are_named_by_options(shelf: Any) -> None:
    folder = shelf([{"wav": GOOD, "who": "ரவி", "terms": "CC-BY-4.0"}], "wav")
    with pytest.raises(UserError, match="which column holds the audio"):
        dataset_recordings(folder, source="s")
    columns = {"audio": "wav", "speaker": "who", "licence": "terms"}
    (one,) = dataset_recordings(folder, columns=columns, lang="Tamil", source="s")
    assert (one.origin, one.speaker, one.licence, one.lang) == ("0", "ரவி", "CC-BY-4.0", "ta")
    with pytest.raises(UserError, match=r"has no column 'wavv' for audio\. Did you mean 'wav'\?"):
        dataset_recordings(folder, columns={"audio": "wavv"}, source="s")


def test_a_folder_gives_the_split_that_is_asked_for_and_no_more_than_the_limit(shelf: Any) -> None:
    shelf(kathbath(), "audio_filepath", "valid-00000.parquet")
    folder = shelf(kathbath()[:1], "audio_filepath")
    assert len(list(dataset_recordings(folder, licence="l", source="s"))) == 1
    assert len(list(dataset_recordings(folder, split="valid", licence="l", source="s"))) == 3
    assert len(list(dataset_recordings(folder, split="valid", licence="l", source="s", limit=2))) == 2


def test_licence_and_source_are_never_guessed(shelf: Any) -> None:
    folder = shelf(kathbath(), "audio_filepath")
    with pytest.raises(UserError, match="no column says the licence"):
        dataset_recordings(folder, source="s")
    with pytest.raises(UserError, match="nobody says where it is from"):
        dataset_recordings(folder, licence="l")


def test_a_hub_that_is_down_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasets")
    monkeypatch.setattr(hub_dataset, "hub_answers", lambda: False)
    with pytest.raises(UserError) as caught:
        dataset_recordings("ai4bharat/Kathbath", config="hindi", licence="CC0-1.0")
    assert str(caught.value) == (
        "ai4bharat/Kathbath: the hub cannot be reached. "
        "Check the network, or give a folder of its parquet files"
    )


def test_what_the_hubs_client_raises_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(hub_dataset, "hub_answers", lambda: True)

    def gated(*args: object, **more: object) -> None:
        raise RuntimeError("Dataset 'x' is a gated dataset on the Hub.\nYou must be authenticated.")

    monkeypatch.setattr(datasets, "load_dataset", gated)
    with pytest.raises(UserError) as caught:
        dataset_recordings("a/x", licence="l")
    assert "is a gated dataset on the Hub.)" in str(caught.value)
    assert "hf auth login" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_parquet_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    (tmp_path / "train.parquet").write_bytes(b"no parquet")
    with pytest.raises(UserError, match="the data set could not be read"):
        dataset_recordings(str(tmp_path), licence="l", source="s")


def test_a_folder_without_parquet_files_says_so(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    with pytest.raises(UserError, match="holds no parquet file"):
        dataset_recordings(str(tmp_path), licence="l", source="s")


def test_without_datasets_the_line_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtraError, match=r"datasets is not installed .*\[voices\]"):
        dataset_recordings(str(tmp_path), licence="l", source="s")


def test_an_unknown_column_key_names_the_nearest() -> None:
    with pytest.raises(UserError, match=r"--column 'speeker' is unknown\. Did you mean 'speaker'\?"):
        parse_columns({"speeker": "x"})
