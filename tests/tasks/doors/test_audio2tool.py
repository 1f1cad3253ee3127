"""The door to Audio2Tool: tiers, signatures instead of schemas, several speakers a command."""

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
from voicebench.types import GoldCall, ManifestRow, Tool

A2T = FIXTURES / "audio2tool"
LATER = FIXTURES / "audio2tool-later"


def test_every_right_answer_is_right() -> None:
    assert_oracle_is_right(opened("audio2tool", A2T))
    assert_oracle_is_right(opened("audio2tool", LATER))


def test_a_command_is_one_task_however_many_say_it() -> None:
    found = opened("audio2tool", A2T)
    assert [(task.id, task.task) for task in found.rows] == [
        ("a2t-tier1-1", "single"), ("a2t-tier2-1", "single"), ("a2t-tier2-2", "single"),
        ("a2t-tier2-5", "single"), ("a2t-tier3-1", "parallel"), ("a2t-tier3-2", "parallel"),
        ("a2t-tier3-4", "parallel"), ("a2t-tier7-1", "dialogue"), ("a2t-tier7-2", "dialogue"),
    ]  # fmt: skip


def test_what_cannot_be_a_task_is_counted_by_reason() -> None:
    reasons = [skip.reason for skip in opened("audio2tool", A2T).skipped]
    assert {reason: reasons.count(reason) for reason in reasons} == {
        "another speaker says the same words": 2,
        "its right call cannot be read": 1,
        "a right value does not fit the type of its parameter": 1,
        "a right call names a tool that is not offered": 1,
        "of a further call only the name is known": 1,
        "its recordings cannot be told apart by turn, so it is read without them": 1,
    }


def test_the_first_tier_says_names_alone() -> None:
    task = row(opened("audio2tool", A2T), "a2t-tier1-1")
    assert task.expect.calls == (GoldCall(name="setLamp"),)
    assert task.meta["gold"] == "names alone"


def test_a_signature_becomes_a_schema_with_its_defaults() -> None:
    lamp, lock = row(opened("audio2tool", A2T), "a2t-tier2-1").tools
    assert lamp == Tool(
        name="setLamp",
        description="Set a lamp. Constraints: level from 0 to 100",
        parameters={
            "type": "object",
            "properties": {"room": {"type": "string"}, "level": {"type": "integer", "default": 50}},
        },
    )
    assert not isinstance(lock, str)
    assert lock.parameters["properties"]["door"]["enum"] == ["front", "back"]


def test_numbers_that_are_written_as_text_are_numbers() -> None:
    (call,) = row(opened("audio2tool", A2T), "a2t-tier2-1").expect.calls or ()
    assert call.arguments == {"room": ["pantry"], "level": [70]}


def test_a_right_call_without_quotes_is_read() -> None:
    (call,) = row(opened("audio2tool", A2T), "a2t-tier2-2").expect.calls or ()
    assert call.arguments == {"door": ["back"]}


@pytest.mark.parametrize(
    ("own", "calls"),
    [
        ("a2t-tier3-1", [("lockDoor", {"door": ["front"]}), ("setLamp", {"room": ["hall"], "level": [5]})]),
        ("a2t-tier3-2", [("lockDoor", {"door": ["front"]}), ("honk", {})]),
        ("a2t-tier3-4", [("honk", {}), ("setLamp", {"room": ["shed"], "level": [9]})]),
    ],
    ids=["as texts in Python", "in one text", "as objects"],
)
def test_further_calls_are_read_in_each_form(own: str, calls: list[tuple[str, dict[str, object]]]) -> None:
    found = row(opened("audio2tool", A2T), own).expect.calls or ()
    assert [(call.name, call.arguments) for call in found] == calls


def test_without_tools_of_its_own_a_command_is_offered_those_of_its_domain() -> None:
    tools = [tool for tool in row(opened("audio2tool", A2T), "a2t-tier2-5").tools if isinstance(tool, Tool)]
    assert [tool.name for tool in tools] == ["honk", "hoot"]
    assert list(tools[1].parameters["properties"]) == ["times", "from"]


def test_what_the_agent_says_between_is_a_turn() -> None:
    task = row(opened("audio2tool", A2T), "a2t-tier7-1")
    assert [turn.role for turn in task.turns] == ["user", "assistant", "user"]


def test_recordings_of_a_dialogue_are_laid_to_the_users_turns() -> None:
    clips = [clip for clip in opened("audio2tool", A2T).clips if clip.task_id == "a2t-tier7-1"]
    assert [(clip.turn, clip.spoken_text) for clip in clips] == [
        (0, "It is dark in the study."),
        (2, "Thirty."),
    ]


def test_recordings_are_written_with_their_speaker(tmp_path: Path) -> None:
    shutil.copytree(A2T, tmp_path / "a2t")
    clip = tmp_path / "a2t/public/tier2_parametric_audios/query_00002/speaker_00_demo.wav"
    clip.parent.mkdir(parents=True)
    soundfile.write(clip, np.zeros(16_000), 16_000)
    source = Source(str(tmp_path / "a2t/public/tier2_parametric_data/tier2_parametric.json"))
    done = import_tasks(door("audio2tool"), source, tmp_path / "out")
    (written,) = read_rows(tmp_path / "out" / "manifest.jsonl", ManifestRow)
    assert (written.task_id, written.duration_s) == ("a2t-tier2-2", 1.0)
    assert written.voice is not None
    assert (written.voice.id, written.voice.source) == ("spk0", "VoxPopuli")
    assert len(done.failures) == 2


def test_the_later_layout_is_read_and_a_failed_recording_is_none() -> None:
    found = opened("audio2tool", LATER)
    assert [task.id for task in found.rows] == ["a2t-tier2-7", "a2t-tier2-8"]
    assert [clip.task_id for clip in found.clips] == ["a2t-tier2-7"]


def test_a_tier_can_be_chosen_and_an_unknown_one_is_a_mistake() -> None:
    assert len(opened("audio2tool", A2T, categories=("tier1_direct",)).rows) == 1
    with pytest.raises(UserError, match=r"'tier1' is unknown\. Did you mean 'tier1_direct'"):
        opened("audio2tool", A2T, categories=("tier1",))


def test_a_folder_without_its_files_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no public/TIER_data/TIER\.json of tier1_direct, "):
        opened("audio2tool", tmp_path)
