"""The door to Audio Arena: long conversations, a task a turn, recordings of several people."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.tasks.doors.helpers import FIXTURES, assert_oracle_is_right, opened, row
from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.tasks.doors import Source, door
from voicebench.tasks.doors.importing import import_tasks
from voicebench.types import FailureRow, GoldCall, ManifestRow

ARENA = FIXTURES / "audio-arena"
SYNTHETIC = FIXTURES / "audio-arena-synthetic"


@pytest.fixture
def with_sound(tmp_path: Path) -> Path:
    """The fixture, with half a second for each turn of person1 but turn 2; turn 1 is an MP3 called .wav."""
    root = tmp_path / "arena"
    shutil.copytree(ARENA, root)
    folder = root / "ferry-bench/real_audio/person1"
    folder.mkdir(parents=True)
    tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(22_050) / 44_100)
    for turn in (0, 3, 4, 5):
        soundfile.write(folder / f"turn_{turn:03d}.wav", tone, 44_100)
    soundfile.write(folder / "turn_001.wav", tone, 44_100, format="MP3")
    return root


def test_every_right_answer_is_right() -> None:
    assert_oracle_is_right(opened("audio-arena", ARENA))
    assert_oracle_is_right(opened("audio-arena", SYNTHETIC))


def test_a_turn_is_a_task_with_the_conversation_before_it() -> None:
    found = opened("audio-arena", ARENA)
    assert {task.id: (task.task, len(task.turns)) for task in found.rows} == {
        "arena-ferry-person1-000": ("single", 1),
        "arena-ferry-person1-001": ("dialogue", 3),
        "arena-ferry-person1-002": ("dialogue", 5),
        "arena-ferry-person1-004": ("parallel", 9),
        "arena-ferry-person1-005": ("dialogue", 11),
    }
    assert [turn.text for turn in row(found, "arena-ferry-person1-001").turns] == [
        "Hello, I am Ila Sen. Which islands do you sail to?",
        "Hello Ila! We sail to Havelock and to Neil.",
        "What goes to Neil on the ninth of March?",
    ]


def test_where_nothing_is_to_be_called_no_call_is_right() -> None:
    assert row(opened("audio-arena", ARENA), "arena-ferry-person1-000").expect.calls == ()


def test_calls_are_read_from_their_json_text() -> None:
    expect = row(opened("audio-arena", ARENA), "arena-ferry-person1-004").expect
    assert expect.calls == (
        GoldCall(name="send_note", arguments={"to": ["Asha"]}),
        GoldCall(name="send_note", arguments={"to": ["Tomas"]}),
    )
    assert expect.results == ({"status": "success"}, {"status": "success"})


def test_two_responses_to_one_call_are_no_known_result() -> None:
    assert row(opened("audio-arena", ARENA), "arena-ferry-person1-005").expect.results is None


def test_a_tool_with_properties_beside_its_name_is_read() -> None:
    task = row(opened("audio-arena", ARENA), "arena-ferry-person1-000")
    (tool,) = [tool for tool in task.tools if not isinstance(tool, str) and tool.name == "book_cabin"]
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "sailing": {"type": "string"}, "berths": {"type": "integer"}, "name": {"type": "string"},
        },
        "required": ["sailing", "berths"],
    }  # fmt: skip


def test_what_cannot_be_a_task_is_counted_by_reason() -> None:
    reasons = [skip.reason for skip in opened("audio-arena", ARENA).skipped]
    assert {reason: reasons.count(reason) for reason in reasons} == {
        "its id stands twice in the source": 1,
        "its turn_id or its words are missing": 1,
        "a right value stands only in the result of an earlier call": 1,
        "another speaker says the same; --category SPEAKER reads it": 7,
    }


def test_a_speaker_can_be_chosen() -> None:
    found = opened("audio-arena", ARENA, categories=("person2",))
    assert {task.meta["category"] for task in found.rows} == {"person2"}
    assert len(found.rows) == 5
    with pytest.raises(UserError, match=r"'person4' is unknown\. Did you mean"):
        opened("audio-arena", ARENA, categories=("person4",))


def test_a_turn_whose_earlier_turns_are_missing_is_left_out() -> None:
    found = opened("audio-arena", ARENA, categories=("person3",))
    assert found.rows == ()
    assert found.skipped[-1].reason == "an earlier turn of its conversation is missing"


def test_every_turn_of_the_user_has_its_recording(with_sound: Path, tmp_path: Path) -> None:
    done = import_tasks(door("audio-arena"), Source(str(with_sound)), tmp_path / "out")
    manifest = read_rows(tmp_path / "out" / "manifest.jsonl", ManifestRow)
    clips = [clip for clip in manifest if clip.task_id == "arena-ferry-person1-001"]
    assert [(clip.turn, clip.synthesizer.name, clip.duration_s) for clip in clips] == [
        (0, "human", 0.5),
        (2, "human", pytest.approx(0.5, abs=0.06)),
    ]
    assert clips[0].voice is not None
    assert clips[0].voice.id == "ferry/person1"
    failures = read_rows(tmp_path / "out" / "failures.jsonl", FailureRow)
    assert {failure.message.rpartition("/")[2] for failure in failures} == {"turn_002.wav: no such file"}
    assert len(done.failures) == 3


def test_turns_with_synthetic_speech_are_read_where_there_are_no_recordings() -> None:
    found = opened("audio-arena", SYNTHETIC)
    assert [task.id for task in found.rows] == ["arena-kite-synthetic-000", "arena-kite-synthetic-001"]
    assert {clip.synthesizer.name for clip in found.clips} == {"Audio Arena"}


def test_the_metadata_alone_find_their_tools() -> None:
    assert len(opened("audio-arena", ARENA / "ferry-bench/metadata.jsonl").rows) == 5


def test_without_the_tools_schemas_it_stops(tmp_path: Path) -> None:
    shutil.copy(ARENA / "ferry-bench/metadata.jsonl", tmp_path)
    with pytest.raises(
        UserError, match=r"metadata\.jsonl: there is no benchmark/tool_schemas\.json beside it"
    ):
        opened("audio-arena", tmp_path)


def test_a_broken_tool_is_named(tmp_path: Path) -> None:
    shutil.copy(ARENA / "ferry-bench/metadata.jsonl", tmp_path)
    (tmp_path / "tool_schemas.json").write_text(json.dumps([{"description": "?"}]), encoding="utf-8")
    with pytest.raises(UserError, match=r"tool_schemas\.json: a tool has no name"):
        opened("audio-arena", tmp_path)


def test_a_folder_without_its_files_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no metadata\.jsonl and no benchmark/turns\.json"):
        opened("audio-arena", tmp_path)
