import json
import logging
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.audio.clip_folders import clip, make_folder, task
from voicebench.audio.export import export
from voicebench.errors import UserError
from voicebench.files import sha256_bytes
from voicebench.types import FailureRow

parquet = pytest.importorskip("pyarrow.parquet")

TASKS = [task(number, lang) for lang in ("hi", "ta", "en") for number in range(1, 6)]
CONDITIONS = ("speech", "speech/noise-10dB")
CLIP_BYTES = 16_044


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "audio", [clip(one, name) for one in TASKS for name in CONDITIONS])


def rows(exported: Path) -> list[dict[str, Any]]:
    files = sorted(exported.glob("data/*/*.parquet"))
    return [row for file in files for row in parquet.ParquetFile(file).read().to_pylist()]


def content(exported: Path) -> dict[str, str]:
    files = [path for path in exported.rglob("*") if path.is_file()]
    return {path.relative_to(exported).as_posix(): sha256_bytes(path.read_bytes()) for path in files}


def test_what_is_read_back_is_what_was_there(folder: Path) -> None:
    written = export(folder, tasks=TASKS)
    assert written.folder == folder / "parquet"
    assert (written.clips, written.without_text) == (30, 0)
    assert [path.relative_to(written.folder).as_posix() for path in written.shards] == [
        f"data/{lang}/test-00000-of-00001.parquet" for lang in ("en", "hi", "ta")
    ]
    found = {row["id"]: row for row in rows(written.folder)}
    assert len(found) == 30
    for one in TASKS:
        for name in CONDITIONS:
            row, data = clip(one, name)
            read = found[f"{one.id}/0/{name}"]
            assert read["audio"] == {"bytes": data, "path": row.path.removeprefix("clips/")}
            assert (read["text"], read["lang"], read["sha256"]) == (one.turns[0].text, one.lang, row.sha256)
            assert json.loads(read["effects"]) == [dict(effect) for effect in row.effects]
            assert json.loads(read["checks"]) == row.checks
    assert written.size_bytes == sum(
        path.stat().st_size for path in written.folder.rglob("*") if path.is_file()
    )


def test_hugging_face_datasets_reads_it_without_code(folder: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    exported = export(folder, tasks=TASKS).folder
    cache = str(tmp_path / "cache")
    everything = datasets.load_dataset(str(exported), split="test", cache_dir=cache)
    assert everything.features["audio"] == datasets.Audio(sampling_rate=16000)
    assert everything.num_rows == 30
    tamil = datasets.load_dataset(str(exported), "ta", split="test", cache_dir=cache)
    raw = tamil.cast_column("audio", datasets.Audio(decode=False))
    assert raw[0]["audio"]["bytes"] == clip(task(1, "ta"))[1]
    assert raw[0]["text"] == "1 பாடல்கள்"


def test_the_same_clips_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    other = make_folder(
        tmp_path / "other", [clip(one, name) for one in reversed(TASKS) for name in reversed(CONDITIONS)]
    )
    assert content(export(folder, tasks=TASKS).folder) == content(export(other, tasks=TASKS[::-1]).folder)


def test_a_file_holds_about_as_much_as_asked_for_in_order(folder: Path) -> None:
    written = export(folder, shard_mb=3 * CLIP_BYTES / 1e6, tasks=TASKS)
    assert [path.name for path in written.shards if path.parent.name == "ta"] == [
        f"test-{number:05d}-of-00004.parquet" for number in range(4)
    ]
    counts = [parquet.ParquetFile(path).metadata.num_rows for path in written.shards]
    assert counts == [3, 3, 3, 1] * 3
    found = [row["id"] for row in rows(written.folder)]
    assert found == sorted(found, key=lambda name: (name.split("-")[1], name))


def test_a_clip_larger_than_a_file_should_be_has_one_of_its_own(folder: Path) -> None:
    written = export(folder, shard_mb=0.001, tasks=TASKS)
    assert len(written.shards) == 30


def test_a_group_of_rows_is_small_enough_to_look_at(tmp_path: Path) -> None:
    many = [task(number, "en") for number in range(230)]
    folder = make_folder(tmp_path / "audio", [clip(one, rate=8000) for one in many])
    file = parquet.ParquetFile(export(folder, tasks=many).shards[0])
    assert [file.metadata.row_group(index).num_rows for index in range(3)] == [100, 100, 30]


def test_one_rate_is_stated_and_several_are_not(tmp_path: Path) -> None:
    mixed = make_folder(tmp_path / "audio", [clip(TASKS[0], rate=8000), clip(TASKS[1])])
    metadata = parquet.read_schema(export(mixed).shards[0]).metadata[b"huggingface"]
    assert json.loads(metadata)["info"]["features"]["audio"] == {"sampling_rate": None, "_type": "Audio"}


def test_the_last_row_of_a_place_counts_and_a_torn_one_does_not(tmp_path: Path) -> None:
    older, newer = clip(TASKS[0], spoken_text="older"), clip(TASKS[0], spoken_text="newer")
    folder = make_folder(tmp_path / "audio", [older, clip(TASKS[1]), newer])
    with (folder / "manifest.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"task_id": "sing')
    found = rows(export(folder).folder)
    assert [row["spoken_text"] for row in found] == ["newer", "said: 2 गाने चलाओ"]


def test_clips_of_unknown_tasks_have_no_text_and_are_counted(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        written = export(folder, tasks=TASKS[:5])
    assert written.without_text == 20
    assert "20 of 30 clips are of tasks that are not at hand: their text is null" in caplog.text
    assert "text of 20 clips is null" in (written.folder / "README.md").read_text(encoding="utf-8")


def test_failures_are_on_the_card(folder: Path) -> None:
    failure = FailureRow(task_id="single-hi-0099", turn=0, condition="speech", kind="text", message="…")
    (folder / "failures.jsonl").write_text(failure.model_dump_json() + "\n", encoding="utf-8")
    text = (export(folder).folder / "README.md").read_text(encoding="utf-8")
    assert "Clips that could not be made, and are not in it: 1 (1 × text)." in text


def test_clips_that_are_missing_or_changed_are_listed_and_nothing_is_written(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    paths = [clip(one)[0].path for one in TASKS[:5]]
    (folder / paths[0]).unlink()
    for path in paths[1:]:
        (folder / path).write_bytes(b"something else")
    with caplog.at_level(logging.WARNING), pytest.raises(UserError) as raised:
        export(folder)
    said = str(raised.value)
    assert said == (
        f"{folder}: nothing is exported, for {paths[0]} is missing, {paths[1]} is not what the manifest "
        f"says, {paths[2]} is not what the manifest says and 2 more. Build again; that makes what is missing "
        "or changed"
    )
    # All of them are told, with the clip's place.
    assert [sum(path in line for line in caplog.messages) for path in paths] == [1] * 5
    assert "(single-hi-0005/0/speech)" in caplog.text
    assert not (folder / "parquet").exists()


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (None, "no manifest.jsonl here. Run: voicebench build-audio --out"),
        ("", "holds no clips"),
        ('{"task_id": 1}\n', "manifest.jsonl:1: "),
    ],
)
def test_a_folder_without_clips_says_so(tmp_path: Path, manifest: str | None, said: str) -> None:
    if manifest is not None:
        (tmp_path / "manifest.jsonl").write_text(manifest, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        export(tmp_path)


@pytest.mark.parametrize("lang", ["../hi", "h/i", "hindi or so", ""])
def test_a_language_that_is_no_code_is_refused(tmp_path: Path, lang: str) -> None:
    folder = make_folder(tmp_path / "audio", [clip(TASKS[0], lang=lang)])
    with pytest.raises(UserError, match="is no language code"):
        export(folder)


def test_files_of_no_size_cannot_be_asked_for(folder: Path) -> None:
    with pytest.raises(UserError, match="a file cannot hold 0 MB"):
        export(folder, shard_mb=0)


def test_an_older_export_is_replaced_whole_and_other_files_stay(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "set"
    export(folder, out, shard_mb=0.001)
    (out / ".gitattributes").write_text("*.parquet filter=lfs\n", encoding="utf-8")
    make_folder(folder, [clip(TASKS[0])])
    export(folder, out)
    assert sorted(content(out)) == [".gitattributes", "README.md", "data/hi/test-00000-of-00001.parquet"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("strange", ["data/notes.txt", "data/hi/other.parquet"])
def test_files_of_somebody_elses_are_not_replaced(folder: Path, tmp_path: Path, strange: str) -> None:
    path = tmp_path / "set" / strange
    path.parent.mkdir(parents=True)
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(
        UserError, match=r"was not written by an export, and is not replaced. Give another --out"
    ):
        export(folder, tmp_path / "set")
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("own", [True, False])
def test_a_card_that_was_written_by_hand_is_not_replaced(folder: Path, tmp_path: Path, own: bool) -> None:
    card = tmp_path / "set" / "README.md"
    if own:
        card.parent.mkdir()
        card.write_text("# My data\n", encoding="utf-8")
    else:
        export(folder, tmp_path / "set")
        card.write_text(card.read_text(encoding="utf-8").replace("# Spoken", "# My spoken"), encoding="utf-8")
    with pytest.raises(UserError, match="was not written by an export or was edited since"):
        export(folder, tmp_path / "set")
    assert "# My" in card.read_text(encoding="utf-8")


def test_a_file_in_the_place_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "set").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="is a file, and the data set a folder"):
        export(folder, tmp_path / "set")


@pytest.fixture
def small_disk() -> Iterator[None]:
    """Let no file grow beyond 50 kB, as on a disk that is full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_full_disk_says_so_and_leaves_the_older_export(
    folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    out = tmp_path / "set"
    export(folder, out)
    before = content(out)
    request.getfixturevalue("small_disk")
    with pytest.raises(UserError, match="set: the disk is full"):
        export(folder, out)
    assert content(out) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_progress_ends_at_its_total(folder: Path) -> None:
    told: list[tuple[str, int, int]] = []
    export(folder, progress=lambda what, done, total: told.append((what, done, total)))
    assert ("checking clips", 30, 30) in told
    assert told[-1] == ("writing clips", 30, 30)


def test_the_summary_says_where_it_is_and_how_to_read_it(folder: Path) -> None:
    first, second = export(folder).summary.splitlines()
    assert first.startswith("30 clips in 3 files (0.5 MB), with a card: ")
    assert second == f"Load it: datasets.load_dataset({str(folder / 'parquet')!r})"
