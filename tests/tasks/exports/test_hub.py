"""Tasks as a Hugging Face data set: Parquet files by language, the tools, and a card."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.audio.clip_folders import clip, make_folder
from tests.audio.clip_folders import task as spoken_task
from tests.tasks.exports.tasks import ALL, MULTIPLE, SINGLE
from voicebench.errors import UserError
from voicebench.tasks.exports.hub import COLUMNS, export_hub
from voicebench.tasks.exports.hub_card import is_ours

parquet = pytest.importorskip("pyarrow.parquet")
yaml = pytest.importorskip("yaml")


def _rows(folder: Path, lang: str) -> list[dict[str, Any]]:
    return list(parquet.read_table(folder / "data" / lang / "test-00000-of-00001.parquet").to_pylist())


def _header(folder: Path) -> dict[str, Any]:
    return dict(yaml.safe_load((folder / "README.md").read_text(encoding="utf-8").split("---\n")[1]))


def test_a_row_holds_all_of_a_task(tmp_path: Path) -> None:
    export_hub(ALL, tmp_path / "set")
    (row,) = _rows(tmp_path / "set", "hi")
    assert list(row) == list(COLUMNS)
    assert row["turns"] == [{"role": "user", "text": "रोटी सेंक दो।"}]
    assert json.loads(row["tools"]) == [tool.model_dump() for tool in SINGLE.tools]
    assert json.loads(row["expect"])["calls"][0]["arguments"]["what"] == ["रोटी", "roti"]
    assert (row["id"], row["calls"], row["origin"], row["reference_date"], row["licence"], row["review"]) == (
        "bread-hi", 1, "bread-en", "2026-11-30", "CC0-1.0", None,
    )  # fmt: skip


def test_a_refusal_has_no_number_of_calls(tmp_path: Path) -> None:
    export_hub(ALL, tmp_path / "set")
    counts = {row["id"]: row["calls"] for row in _rows(tmp_path / "set", "en")}
    assert (counts["bad"], counts["good"], counts["idle"]) == (None, 1, 0)


def test_the_header_says_licence_languages_size_and_configs(tmp_path: Path) -> None:
    export_hub(ALL, tmp_path / "set")
    header = _header(tmp_path / "set")
    assert (header["license"], header["language"], header["size_categories"]) == (
        "cc0-1.0", ["en", "hi"], ["n<1K"],
    )  # fmt: skip
    assert {one["config_name"]: one["data_files"][0]["path"] for one in header["configs"]} == {
        "default": "data/*/test-*.parquet",
        "en": "data/en/test-*.parquet",
        "hi": "data/hi/test-*.parquet",
    }


def test_no_licence_is_guessed(tmp_path: Path) -> None:
    export_hub([MULTIPLE, SINGLE.model_copy(update={"meta": {}})], tmp_path / "set")
    assert _header(tmp_path / "set")["license"] == ["cc0-1.0", "unknown"]


def test_the_tools_lie_beside_it_once(tmp_path: Path) -> None:
    export_hub(ALL, tmp_path / "set")
    tools = json.loads((tmp_path / "set/tools.json").read_text(encoding="utf-8"))
    assert [tool["function"]["name"] for tool in tools] == ["alarm_set", "either", "oven_bake", "pot_stir"]


def test_the_card_says_what_nobody_reviewed(tmp_path: Path) -> None:
    tasks = [SINGLE.model_copy(update={"meta": {"review": "machine"}}), MULTIPLE]
    export_hub(tasks, tmp_path / "set")
    card = (tmp_path / "set/README.md").read_text(encoding="utf-8")
    assert "| language | machine | not stated |\n| --- | --- | --- |\n| en | 0 | 1 |\n| hi | 1 | 0 |" in card


def test_hugging_face_datasets_reads_it_without_code(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    export_hub(ALL, tmp_path / "set")
    cache = str(tmp_path / "cache")
    everything = datasets.load_dataset(str(tmp_path / "set"), split="test", cache_dir=cache)
    assert everything.num_rows == len(ALL)
    hindi = datasets.load_dataset(str(tmp_path / "set"), "hi", split="test", cache_dir=cache)
    assert hindi[0]["turns"] == [{"role": "user", "text": "रोटी सेंक दो।"}]


def test_clips_are_a_data_set_of_their_own_within_it(tmp_path: Path) -> None:
    tasks = [spoken_task(number, lang) for lang in ("hi", "en") for number in (1, 2)]
    audio = make_folder(tmp_path / "audio", [clip(one) for one in tasks])
    export_hub(tasks, tmp_path / "set", audio=audio)
    configs = {
        one["config_name"]: one["data_files"][0]["path"] for one in _header(tmp_path / "set")["configs"]
    }
    assert configs["audio"] == "audio/data/*/test-*.parquet"
    assert configs["audio-hi"] == "audio/data/hi/test-*.parquet"
    rows = parquet.read_table(tmp_path / "set/audio/data/hi/test-00000-of-00001.parquet").to_pylist()
    assert [row["task_id"] for row in rows] == [tasks[0].id, tasks[1].id]


def test_hugging_face_datasets_reads_the_clips(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    tasks = [spoken_task(number, "hi") for number in (1, 2)]
    audio = make_folder(tmp_path / "audio", [clip(one) for one in tasks])
    export_hub(tasks, tmp_path / "set", audio=audio)
    found = datasets.load_dataset(
        str(tmp_path / "set"), "audio", split="test", cache_dir=str(tmp_path / "cache")
    )
    assert found.num_rows == 2
    assert found.features["audio"] == datasets.Audio(sampling_rate=16000)


def test_clips_of_other_tasks_are_not_passed_on(tmp_path: Path) -> None:
    tasks = [spoken_task(number, "hi") for number in (1, 2)]
    audio = make_folder(tmp_path / "audio", [clip(one) for one in tasks])
    with pytest.raises(
        UserError, match=rf"holds clips of 1 tasks that are not exported, such as {tasks[1].id}"
    ):
        export_hub(tasks[:1], tmp_path / "set", audio=audio)


def test_an_older_export_is_replaced_whole(tmp_path: Path) -> None:
    export_hub(ALL, tmp_path / "set")
    export_hub([MULTIPLE], tmp_path / "set")
    assert not (tmp_path / "set/data/hi").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set"]


@pytest.mark.parametrize("name", ["notes.txt", "README.md"])
def test_what_somebody_else_wrote_is_left_alone(tmp_path: Path, name: str) -> None:
    export_hub([MULTIPLE], tmp_path / "set")
    with (tmp_path / "set" / name).open("a", encoding="utf-8") as file:
        file.write("mine\n")
    with pytest.raises(UserError, match=f"{name}: was not written by an export or was edited since"):
        export_hub([MULTIPLE], tmp_path / "set")


def test_the_same_tasks_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = export_hub(ALL, tmp_path / "a"), export_hub(ALL, tmp_path / "b")
    assert [path.read_bytes() for path in first.files] == [path.read_bytes() for path in second.files]


def test_a_card_knows_whether_it_was_edited(tmp_path: Path) -> None:
    export_hub([MULTIPLE], tmp_path / "set")
    card = (tmp_path / "set/README.md").read_text(encoding="utf-8")
    assert is_ours(card)
    assert not is_ours(card.replace("1 tasks", "2 tasks"))


def test_no_tasks_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no tasks to export"):
        export_hub([], tmp_path / "set")
