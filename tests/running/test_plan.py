"""What is asked: the words or the sound, with hashes that change when what is asked changes."""

from pathlib import Path

import pytest

from tests.running.helpers import add_clips, make_task
from voicebench.errors import AgentFailure, UserError
from voicebench.files import write_rows
from voicebench.running.materials import Materials, check_condition, read_materials
from voicebench.running.plan import plan, trial_seed
from voicebench.types import FailureRow, ModelRef, Prompting, TranscriptRow


def transcript(task_id: str, text: str, audio_sha256: str | None = None) -> TranscriptRow:
    return TranscriptRow(
        task_id=task_id, turn=0, condition="speech", asr=ModelRef(name="tiny"), text=text,
        audio_sha256=audio_sha256,
    )  # fmt: skip


def test_under_text_the_agent_reads_the_words() -> None:
    (item,) = plan([make_task(3, "hi")], ["text"], Materials())
    request = item.request("a", Materials(), with_gold=False)
    assert [(turn.text, turn.audio) for turn in request.turns] == [("3 गाने चलाओ", None)]
    assert item.audio_sha256 is None


def test_under_speech_the_agent_gets_the_sound_and_no_words(tmp_path: Path) -> None:
    task = make_task(1, turns=2)
    add_clips(tmp_path, [task])
    materials = read_materials(tmp_path)
    (item,) = plan([task], ["speech"], materials)
    turns = item.request("a", materials, with_gold=False).turns
    assert [turn.text for turn in turns] == [None, "Which ones?", None]
    assert [None if turn.audio is None else len(turn.audio.samples) for turn in turns] == [800, None, 800]
    assert item.voice == "v1"


def test_under_transcript_the_agent_reads_what_that_asr_heard(tmp_path: Path) -> None:
    task = make_task(1, "th")
    add_clips(tmp_path, [task])
    write_rows(tmp_path / "transcripts.jsonl", [transcript(task.id, "เปิดเพลง")])
    materials = read_materials(tmp_path)
    (item,) = plan([task], ["transcript:tiny"], materials)
    assert item.request("a", materials, with_gold=False).turns[0].text == "เปิดเพลง"


def test_a_transcript_of_an_older_clip_does_not_count(tmp_path: Path) -> None:
    task = make_task(1)
    add_clips(tmp_path, [task])
    write_rows(tmp_path / "transcripts.jsonl", [transcript(task.id, "old", "0" * 64)])
    with pytest.raises(UserError, match=r"no transcript by tiny. Run: voicebench transcribe --asr tiny"):
        plan([task], ["transcript:tiny"], read_materials(tmp_path))


def test_one_missing_clip_is_kept_as_such_and_all_missing_is_an_error(tmp_path: Path) -> None:
    tasks = [make_task(1), make_task(2)]
    add_clips(tmp_path, tasks[:1])
    materials = read_materials(tmp_path)
    items = plan(tasks, ["speech"], materials)
    assert [item.missing for item in items] == [None, "single-en-0002 turn 0: it has no clip"]
    with pytest.raises(AgentFailure, match=r"it has no clip") as caught:
        items[1].request("a", materials, with_gold=False)
    assert caught.value.kind == "audio"
    with pytest.raises(UserError, match=r"Run: voicebench build-audio$"):
        plan(tasks[1:], ["speech"], materials)
    with pytest.raises(UserError, match=r"Run: voicebench build-audio --effect noise-10dB$"):
        plan(tasks, ["speech/noise-10dB"], materials)


def test_a_clip_that_could_not_be_made_says_why(tmp_path: Path) -> None:
    tasks = [make_task(1), make_task(2)]
    add_clips(tmp_path, tasks[:1])
    failure = FailureRow(
        task_id=tasks[1].id, turn=0, condition="speech", kind="synthesis", message="nothing to say"
    )
    write_rows(tmp_path / "failures.jsonl", [failure])
    items = plan(tasks, ["speech"], read_materials(tmp_path))
    assert items[1].missing == "single-en-0002 turn 0: its clip could not be made (nothing to say)"


@pytest.mark.parametrize("damage", [b"", b"RIFF????WAVEfmt ", b"not audio at all"])
def test_a_clip_that_is_not_the_manifests_is_a_fault_of_the_audio(tmp_path: Path, damage: bytes) -> None:
    task = make_task(1)
    add_clips(tmp_path, [task])
    materials = read_materials(tmp_path)
    (tmp_path / materials.clips[(task.id, 0, "speech")].path).write_bytes(damage)
    (item,) = plan([task], ["speech"], materials)
    with pytest.raises(AgentFailure, match=r"not the clip of the manifest") as caught:
        item.request("a", materials, with_gold=False)
    assert caught.value.kind == "audio"


def test_the_gold_is_shown_to_controls_alone() -> None:
    (item,) = plan([make_task(1)], ["text"], Materials())
    assert item.request("a", Materials(), with_gold=False).gold is None
    assert item.request("a", Materials(), with_gold=True).gold == item.task.expect


def test_the_prompts_hash_changes_with_all_that_is_asked() -> None:
    task = make_task(1)
    base = plan([task], ["text"], Materials())[0].prompt_sha256
    changed = [
        plan([make_task(2)], ["text"], Materials()),
        plan([task.model_copy(update={"tools": ()})], ["text"], Materials()),
        plan([task.model_copy(update={"reference_date": "2026-11-30"})], ["text"], Materials()),
        plan([task], ["text"], Materials(), prompting=Prompting(one_shot=False)),
        plan([task], ["text"], Materials(), prompting=Prompting(refusal_prompt=False)),
    ]
    hashes = {items[0].prompt_sha256 for items in changed}
    assert len(hashes) == len(changed)
    assert base not in hashes


def test_seeds_depend_on_task_condition_and_trial_and_not_on_order() -> None:
    tasks = [make_task(1), make_task(2)]
    forward = {(i.task.id, i.trial): i.seed for i in plan(tasks, ["text"], Materials(), trials=3)}
    backward = {(i.task.id, i.trial): i.seed for i in plan(tasks[::-1], ["text"], Materials(), trials=3)}
    assert forward == backward
    assert len(set(forward.values())) == 6
    assert trial_seed(0, "single-en-0001", "text", 0) == forward["single-en-0001", 0]
    assert trial_seed(1, "single-en-0001", "text", 0) != forward["single-en-0001", 0]


@pytest.mark.parametrize("condition", ["text", "speech", "speech/noise-10dB", "transcript:whisper-base"])
def test_known_conditions_are_taken(condition: str) -> None:
    check_condition(condition)


@pytest.mark.parametrize("condition", ["", "speach", "transcript:", "transcripts:x", "audio"])
def test_other_conditions_are_refused(condition: str) -> None:
    with pytest.raises(UserError, match=r"unknown condition"):
        check_condition(condition)


def test_an_audio_folder_without_a_manifest_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no manifest\.jsonl here. Run: voicebench build-audio --out"):
        read_materials(tmp_path)
