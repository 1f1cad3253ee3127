"""The detailed counts of a task set."""

from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.files import write_rows
from voicebench.tasks.stats import CHARACTERS_A_SECOND, HEADERS, detail, duration_s
from voicebench.types import ManifestRow, ModelRef, Task, Tool

TOOLS = [Tool(name="a"), Tool(name="b"), Tool(name="c")]


def task(
    id_: str,
    *texts: str,
    lang: str = "hi",
    kind: str = "single",
    calls: tuple[str, ...] = ("a",),
    **meta: Any,
) -> Task:
    turns = [{"role": "assistant" if i % 2 else "user", "text": text} for i, text in enumerate(texts)]
    return Task.model_validate({
        "id": id_, "task": kind, "lang": lang, "turns": turns, "tools": TOOLS,
        "expect": {"calls": [{"name": name} for name in calls]}, "meta": meta,
    })  # fmt: skip


def cells(tasks: list[Task], audio: Path | None = None) -> dict[tuple[Any, Any], dict[str, Any]]:
    return {(row[0], row[1]): dict(zip(HEADERS, row, strict=True)) for row in detail(tasks, audio).rows}


def clip(task_id: str, turn: int, duration_s: float, condition: str = "speech") -> ManifestRow:
    return ManifestRow(
        task_id=task_id, turn=turn, condition=condition, path="a.wav", sha256="0", sample_rate_hz=16000,
        duration_s=duration_s, lang="hi", spoken_text="x", synthesizer=ModelRef(name="fake"), seed=0,
    )  # fmt: skip


def test_turns_calls_tools_and_words_are_counted_by_kind_and_language() -> None:
    found = cells([
        task("1", "एक ऑटो बुलाओ", region="IN", code_mixed=True, review="native"),
        task("2", "ऑटो", "कहाँ से?", "घर से", kind="dialogue", calls=("b", "a"), region="IN", review="machine"),
        task("3", "ไปสยาม", lang="th", region="TH"),
    ])  # fmt: skip
    assert list(found) == [
        ("single", "hi"), ("single", "th"), ("dialogue", "hi"), ("all", "hi"), ("all", "th"),
    ]  # fmt: skip
    both = found["all", "hi"]
    assert (both["items"], both["turns"], both["calls"]) == (2, 2.0, 1.5)
    assert (both["tools called"], both["tools offered"]) == (2, 3.0)
    assert (both["words"], both["code-mixed"], both["regions"], both["native"]) == (
        3.0,
        "50 %",
        "IN 2",
        "1 of 2",
    )
    assert (found["dialogue", "hi"]["words"], found["dialogue", "hi"]["characters"]) == (3.0, 7.0)


def test_words_are_not_counted_where_no_space_parts_them() -> None:
    assert cells([task("1", "ไปสยาม", lang="th")])["all", "th"]["words"] is None
    assert cells([task("1", "去北京", lang="zh")])["all", "zh"]["characters"] == 3.0


def test_seconds_are_estimated_from_the_words_as_spoken_and_the_note_says_so() -> None:
    assert duration_s("去北京", "zh") == pytest.approx(3 / 4.4)
    assert duration_s("₹500 भेजो", "hi") > duration_s("भेजो", "hi") + 0.5  # type: ignore[operator]
    assert duration_s("abc", "xx") is None
    found = detail([task("1", "去北京", lang="zh"), task("2", "abc", lang="xx")])
    assert [row[HEADERS.index("seconds")] for row in found.rows if row[0] == "all"] == [0.7, None]
    assert found.note == (
        "seconds: estimated from the characters as spoken, at the speed of eSpeak NG in each language; "
        "none for xx. --audio DIR measures clips"
    )


def test_every_language_of_the_set_has_a_rate() -> None:
    assert set(CHARACTERS_A_SECOND) == {
        "en", "hi", "bn", "mr", "ta", "te", "ml", "vi", "th", "id", "fil", "zh",
    }  # fmt: skip


def test_seconds_are_measured_over_items_whose_clips_are_all_there(tmp_path: Path) -> None:
    tasks = [
        task("1", "a"),
        task("2", "a", "b", "c", kind="dialogue"),
        task("3", "a", "b", "c", kind="dialogue"),
    ]
    clips = [
        clip("1", 0, 2.0),
        clip("1", 0, 9.0, "speech/noise-10dB"),
        clip("2", 0, 1.0),
        clip("2", 2, 3.0),
        clip("3", 0, 50.0),
    ]
    write_rows(tmp_path / "manifest.jsonl", clips)
    found = cells(tasks, tmp_path)
    assert found["single", "hi"]["seconds"] == 2.0
    assert found["dialogue", "hi"]["seconds"] == 4.0
    assert detail(tasks, tmp_path).note == f"seconds: measured, of 2 of 3 items whose clips are in {tmp_path}"


def test_a_folder_without_clips_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no manifest\.jsonl here"):
        detail([task("1", "a")], tmp_path)


def test_an_empty_set_has_no_rows() -> None:
    assert detail([]).rows == ()
