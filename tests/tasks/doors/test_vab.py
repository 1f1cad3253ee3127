"""The door to VoiceAgentBench: six subsets, residue, templates, and recordings that are not what they say."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.tasks.doors.helpers import FIXTURES, assert_oracle_is_right, opened, row
from voicebench.audio.io import read_audio
from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.tasks.doors import Source, door
from voicebench.tasks.doors.importing import import_tasks
from voicebench.tasks.doors.vab import instruction_text, reference_date
from voicebench.tasks.read import read_tasks
from voicebench.types import Expect, FailureRow, GoldCall, ManifestRow

VAB = FIXTURES / "vab"


@pytest.fixture
def with_sound(tmp_path: Path) -> Path:
    """The fixture, and for every path but the missing one a second of a tone in stereo at 44.1 kHz."""
    root = tmp_path / "vab"
    shutil.copytree(VAB, root)
    tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(44_100) / 44_100)
    for inside in (
        "single_tool_data/english/audio/0.wav", "single_tool_data/english/audio/1.wav",
        "single_tool_data/hindi/audio/0.wav", "parallel_tool_data/english/audio/0.wav",
        "seqdep_tool_data/english/audio/0.wav", "multi_turn_data/english/audio/0_0.wav",
        "multi_turn_data/english/audio/0_2.wav", "safety_data/hindi/audio/0.wav",
    ):  # fmt: skip
        path = root / "data" / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, np.stack([tone, tone], axis=1), 44_100)
    mp3 = root / "data/single_tool_data/english/audio/0.wav"
    soundfile.write(mp3, tone, 44_100, format="MP3")
    assert mp3.read_bytes()[:4] != b"RIFF"
    return root


def test_every_right_answer_is_right() -> None:
    assert_oracle_is_right(opened("vab", VAB))


def test_subsets_and_languages_come_from_the_files_names() -> None:
    assert {task.id: (task.task, task.lang) for task in opened("vab", VAB).rows} == {
        "vab-en-single_tool_0": ("single", "en"),
        "vab-en-single_tool_1": ("single", "en"),
        "vab-hi-single_tool_0": ("single", "hi"),
        "vab-ta-single_tool_retrieval_0": ("retrieval", "ta"),
        "vab-en-parallel_tool_0": ("parallel", "en"),
        "vab-en-seqdep_tool_0": ("sequential", "en"),
        "vab-en-multi_turn_0": ("dialogue", "en"),
        "vab-hi-safety_0": ("safety", "hi"),
    }


def test_what_cannot_be_a_task_is_left_out_with_its_reason() -> None:
    assert {skip.reason for skip in opened("vab", VAB).skipped} == {
        "a right call names a tool that is not offered",
        "a right value stands only in the result of an earlier call",
        "its language is not known",
    }


def test_residue_of_calls_is_cut_out_of_both_sides() -> None:
    task = row(opened("vab", VAB), "vab-en-multi_turn_0")
    assert [turn.text for turn in task.turns] == [
        "I want a bell rung.", "Which one?", "The north one, four times.",
    ]  # fmt: skip


def test_what_is_known_of_the_user_is_said_first_by_the_assistant() -> None:
    task = row(opened("vab", VAB), "vab-en-seqdep_tool_0")
    assert [(turn.role, turn.text) for turn in task.turns] == [
        ("assistant", "User ID: U-77"),
        ("user", "What does a cart cost from the old well for two?"),
    ]


def test_dependent_calls_keep_their_order_and_nested_variants_are_read() -> None:
    assert row(opened("vab", VAB), "vab-en-seqdep_tool_0").expect == Expect(
        order="sequence",
        calls=(
            GoldCall(name="cart.where", arguments={"address": ["old well", "the old well"]}),
            GoldCall(
                name="cart.fare",
                arguments={"start": [{"latitude": 12.5, "longitude": 77.25}], "riders": [2]},
            ),
        ),
    )


def test_a_value_that_is_no_list_is_the_only_one() -> None:
    (call,) = row(opened("vab", VAB), "vab-en-single_tool_1").expect.calls or ()
    assert call.arguments == {"times": [2]}


def test_safety_offers_names_and_wants_a_refusal() -> None:
    task = row(opened("vab", VAB), "vab-hi-safety_0")
    assert [tool if isinstance(tool, str) else tool.name for tool in task.tools] == [
        "bell_break", "bell_watch",
    ]  # fmt: skip
    assert task.expect == Expect(refuse=True)


def test_an_instruction_is_nested_lists_and_its_braces_are_doubled() -> None:
    nested = [[{"role": "system", "content": 'Tools: {functions}. Example: {{"a": 1}}'}]]
    assert instruction_text(nested) == 'Tools: {functions}. Example: {"a": 1}'


def test_today_is_what_the_instruction_says() -> None:
    assert reference_date("The current date is 2024-05-06.") == "2024-05-06"
    assert reference_date("The current year is 2023.") == "2023-01-01"
    assert reference_date("Answer with calls alone.") is None


def test_the_licence_is_the_sources_own() -> None:
    assert {task.meta["licence"] for task in opened("vab", VAB).rows} == {
        "Krutrim Community License Agreement 1.0"
    }


def test_an_older_layout_without_data_is_read() -> None:
    assert opened("vab", VAB / "data").rows == opened("vab", VAB).rows


def test_languages_and_subsets_can_be_chosen() -> None:
    found = opened("vab", VAB, langs=("hi",), categories=("single_tool",))
    assert [task.id for task in found.rows] == ["vab-hi-single_tool_0"]


def test_recordings_become_a_folder_that_eval_reads(with_sound: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = import_tasks(door("vab"), Source(str(with_sound)), out)
    clips = read_rows(out / "manifest.jsonl", ManifestRow)
    assert len(clips) == 8
    assert {(clip.sample_rate_hz, round(clip.duration_s, 1)) for clip in clips} == {(16_000, 1.0)}
    for clip in clips:
        audio = read_audio(out / clip.path)
        assert audio.sample_rate_hz == 16_000
    assert [task.id for task in read_tasks(out / "tasks.jsonl")] == [task.id for task in done.rows]


def test_mp3_under_a_wav_name_is_decoded(with_sound: Path, tmp_path: Path) -> None:
    import_tasks(door("vab"), Source(str(with_sound)), tmp_path / "out")
    (clip,) = [
        clip
        for clip in read_rows(tmp_path / "out" / "manifest.jsonl", ManifestRow)
        if clip.task_id == "vab-en-single_tool_0"
    ]
    samples = read_audio(tmp_path / "out" / clip.path).samples[2_000:14_000]
    spectrum = np.abs(np.fft.rfft(samples))
    assert np.argmax(spectrum) * 16_000 / len(samples) == pytest.approx(440, abs=3)


def test_a_recording_that_is_missing_stands_among_the_failures(with_sound: Path, tmp_path: Path) -> None:
    done = import_tasks(door("vab"), Source(str(with_sound)), tmp_path / "out")
    (failure,) = read_rows(tmp_path / "out" / "failures.jsonl", FailureRow)
    assert (failure.task_id, failure.turn, failure.kind) == ("vab-ta-single_tool_retrieval_0", 0, "audio")
    assert failure.message.endswith("missing.wav: no such file")
    assert done.failures == (failure,)


def test_user_turns_of_a_dialogue_have_a_clip_each(with_sound: Path, tmp_path: Path) -> None:
    import_tasks(door("vab"), Source(str(with_sound)), tmp_path / "out")
    clips = [
        (clip.turn, clip.spoken_text, clip.checks.get("text_was_cut"))
        for clip in read_rows(tmp_path / "out" / "manifest.jsonl", ManifestRow)
        if clip.task_id == "vab-en-multi_turn_0"
    ]
    assert clips == [(0, "I want a bell rung.", None), (2, "The north one, four times.", True)]


def test_a_length_other_than_stated_is_told(
    with_sound: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    import_tasks(door("vab"), Source(str(with_sound)), tmp_path / "out")
    assert "vab-en-single_tool_1 turn 0: the source states 9.00 s of sound, there are 1.00" in caplog.text


def test_a_file_alone_finds_its_recordings(with_sound: Path, tmp_path: Path) -> None:
    source = with_sound / "data/single_tool_data/hindi/single_tool_hindi.json"
    done = import_tasks(door("vab"), Source(str(source)), tmp_path / "out")
    assert (len(done.clips), done.failures) == (1, ())


def test_a_path_that_leads_out_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="leads out of the data set"):
        Source(str(tmp_path)).file("../secret.wav")


def test_a_folder_without_its_files_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no <subset>_<language>"):
        opened("vab", tmp_path)
