import errno
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.audio.helpers import Counting, bad_text, make_task
from voicebench.audio import clip_store
from voicebench.audio.build import BuildReport, build
from voicebench.audio.effects import parse
from voicebench.audio.io import read_audio, write_wav
from voicebench.audio.loudness import loudness_lufs
from voicebench.audio.studio import Studio
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.work import Engines
from voicebench.errors import UserError
from voicebench.fakes_audio import FakeConverter, FakeEncoder
from voicebench.files import read_rows, sha256_file
from voicebench.types import Audio, FailureRow, ManifestRow, Task

TASKS = [make_task(1), make_task(2), make_task(3, "hi"), make_task(4, "ta", turns=2)]
Build = Callable[..., BuildReport]


@pytest.fixture
def build_in(tmp_path: Path) -> Build:
    def run(tasks: list[Task], **options: Any) -> BuildReport:
        return built(tasks, tmp_path, **options)

    return run


def built(tasks: list[Task], out: Path, **options: Any) -> BuildReport:
    engines = {"synthesizer": Counting(), "encoder": FakeEncoder()}
    names = ("synthesizer", "converter", "encoder", "transcriber")
    engines |= {name: options.pop(name) for name in names if name in options}
    with Studio(Engines(**engines)) as studio:
        return build(tasks, studio, out=out, **options)


def manifest(folder: Path) -> list[ManifestRow]:
    return read_rows(folder / "manifest.jsonl", ManifestRow)


def failures(folder: Path) -> list[FailureRow]:
    return read_rows(folder / "failures.jsonl", FailureRow)


def reference_sentences(speaker: Counting) -> int:
    return sum("booking" in text or "बुकिंग" in text or "முன்பதிவு" in text for text in speaker.said)


def test_every_user_turn_becomes_a_clip_that_the_manifest_describes(tmp_path: Path, build_in: Build) -> None:
    report = build_in(TASKS, seed=7)
    rows = manifest(tmp_path)
    assert (report.made, report.kept, report.failed) == (5, 0, 0)
    assert [(row.task_id, row.turn) for row in rows] == [
        ("single-en-0001", 0), ("single-en-0002", 0), ("single-hi-0003", 0),
        ("single-ta-0004", 0), ("single-ta-0004", 2),
    ]  # fmt: skip
    for row in rows:
        path = tmp_path / row.path
        assert row.path == f"clips/{row.sha256[:16]}.wav"
        assert sha256_file(path) == row.sha256
        audio = read_audio(path)
        assert audio.sample_rate_hz == row.sample_rate_hz == 16000
        assert audio.duration_s == pytest.approx(row.duration_s, abs=1e-4)
        assert loudness_lufs(audio) == pytest.approx(row.checks["lufs"], abs=0.02)
        assert row.checks["clipped"] == 0
        assert row.checks["speaker_similarity"] > 0.99
        assert row.synthesizer.name == "fake"
        assert row.encoder is not None and row.encoder.name == "fake"
        assert row.voice is not None and row.voice.licence == "Apache-2.0"
        assert row.seed == 7
    assert [row.spoken_text for row in rows[:3]] == ["Play one songs", "Play two songs", "तीन गाने चलाओ"]


def test_all_turns_of_a_dialogue_and_both_twins_share_a_voice(tmp_path: Path, build_in: Build) -> None:
    pairs = [
        (make_task(n, twin=f"single-en-{n + 1:04d}"), make_task(n + 1, twin=f"single-en-{n:04d}"))
        for n in range(1, 40, 2)
    ]
    build_in([task for pair in pairs for task in pair] + [make_task(90, "ta", turns=3)])
    voices = {}
    for row in manifest(tmp_path):
        assert row.voice is not None
        voices.setdefault(row.task_id, set()).add(row.voice.id)
    assert all(len(ids) == 1 for ids in voices.values())
    assert all(voices[a.id] == voices[b.id] for a, b in pairs)
    assert len({next(iter(ids)) for ids in voices.values()}) == 4


def test_a_task_keeps_its_voice_whatever_else_is_built(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS[:1])
    alone = manifest(tmp_path)
    speaker = Counting()
    report = build_in(TASKS + [make_task(n) for n in range(10, 20)], synthesizer=speaker)
    assert report.kept == 1
    assert alone[0] in manifest(tmp_path)


def test_a_second_build_makes_nothing(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS, effects=["noise-10dB"])
    before = (tmp_path / "manifest.jsonl").read_bytes()
    speaker = Counting()
    report = build_in(TASKS, effects=["noise-10dB"], synthesizer=speaker)
    assert (report.made, report.kept) == (0, 10)
    assert speaker.said == []
    assert (tmp_path / "manifest.jsonl").read_bytes() == before


def test_the_same_build_elsewhere_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        built(TASKS, tmp_path / name, effects=["noise-5dB"])
    assert (tmp_path / "a/manifest.jsonl").read_bytes() == (tmp_path / "b/manifest.jsonl").read_bytes()


def test_an_effect_becomes_a_condition_of_its_own(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS[:1], effects=["noise-10dB", "telephony"])
    rows = {row.condition: row for row in manifest(tmp_path)}
    assert set(rows) == {"speech", "speech/noise-10dB", "speech/telephony"}
    assert rows["speech"].effects == ()
    (effect,) = rows["speech/noise-10dB"].effects
    assert {key: effect[key] for key in ("name", "colour", "snr_db", "gain")} == {
        "name": "noise", "colour": "white", "snr_db": 10.0, "gain": 1.0,
    }  # fmt: skip
    clean, noisy = (
        read_audio(tmp_path / rows[name].path).samples for name in ("speech", "speech/noise-10dB")
    )
    noise = noisy.astype(float) - clean
    assert 10 * np.log10(np.mean(clean.astype(float) ** 2) / np.mean(noise**2)) == pytest.approx(10, abs=0.05)


def test_a_chain_is_one_condition_with_an_entry_for_each_link(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS[:1], effects=["noise:snr=10+phone+room"])
    rows = {row.condition: row for row in manifest(tmp_path)}
    assert set(rows) == {"speech", "speech/noise-10dB+telephony+room"}
    chained = rows["speech/noise-10dB+telephony+room"]
    assert [effect["name"] for effect in chained.effects] == ["noise", "telephony", "room"]
    clip = read_audio(tmp_path / rows["speech"].path)
    for effect, name in zip(chained.effects, ("noise-10dB", "telephony", "room"), strict=True):
        clip, _ = parse(name).links[0].run(clip, effect.get("seed", 0))
    made_again = np.round(clip.samples.astype(float) * 32768) / 32768
    assert np.array_equal(read_audio(tmp_path / chained.path).samples, made_again.astype(np.float32))


def test_the_rungs_of_a_ladder_are_one_noise_at_several_levels(tmp_path: Path, build_in: Build) -> None:
    speaker = Counting()
    build_in(TASKS[:2], effects=["noise-20dB", "noise-0dB"], synthesizer=speaker)
    rows = manifest(tmp_path)
    for task in TASKS[:2]:
        seeds = {row.effects[0]["seed"] for row in rows if row.task_id == task.id and row.effects}
        assert len(seeds) == 1
    assert len({row.effects[0]["seed"] for row in rows if row.effects}) == 2
    assert len(speaker.said) - reference_sentences(speaker) == 2


def test_babble_is_the_other_voices_of_the_build(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS[:1], effects=["babble:snr=5,talkers=2"])
    row = next(row for row in manifest(tmp_path) if row.effects)
    assert row.condition == "speech/babble-5dB@talkers=2"
    assert len(row.effects[0]["sha256"]) == 2
    assert build_in(TASKS[:1], effects=["babble-5dB@talkers=2"]).made == 0


def test_another_noise_file_makes_the_clips_anew(tmp_path: Path, build_in: Build) -> None:
    path = tmp_path / "cafe.wav"
    noise = np.random.default_rng(0).standard_normal(8000).astype(np.float32) * np.float32(0.1)
    write_wav(path, Audio(noise, 16000))
    effects = [f"noise-file:snr=5,path={path}"]
    assert build_in(TASKS[:1], effects=effects).made == 2
    assert build_in(TASKS[:1], effects=effects).made == 0
    write_wav(path, Audio(noise[::-1].copy(), 16000))
    os.utime(path, ns=(1, 1))
    assert build_in(TASKS[:1], effects=effects).made == 1


@pytest.mark.parametrize("effect", ["noise-file:snr=5,path=nowhere.wav", "room:path=nowhere.wav"])
def test_a_recording_that_is_missing_is_told_before_anybody_speaks(build_in: Build, effect: str) -> None:
    speaker = Counting()
    with pytest.raises(UserError, match=r"nowhere\.wav: no such file or folder"):
        build_in(TASKS, effects=[effect], synthesizer=speaker)
    assert speaker.said == []


def test_a_new_effect_leaves_the_speech_alone(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS, effects=["telephony"])
    speaker = Counting()
    report = build_in(TASKS, effects=["noise-10dB"], synthesizer=speaker)
    assert (report.made, report.kept) == (5, 5)
    assert speaker.said == []
    conditions = [row.condition for row in manifest(tmp_path)]
    assert conditions.count("speech/telephony") == conditions.count("speech/noise-10dB") == 5


def test_two_clips_do_not_have_the_same_noise(tmp_path: Path, build_in: Build) -> None:
    build_in([make_task(1), make_task(2, text="Play 1 songs")], effects=["noise-10dB"], voices=VoiceWish(n=1))
    speech = {row.path for row in manifest(tmp_path) if row.condition == "speech"}
    noisy = {row.path for row in manifest(tmp_path) if row.condition != "speech"}
    assert (len(speech), len(noisy)) == (1, 2)


def test_a_changed_text_is_spoken_again_and_its_old_clip_goes(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS[:2], effects=["telephony"])
    speaker = Counting()
    report = build_in(
        [make_task(1, text="Stop the music"), TASKS[1]], effects=["telephony"], synthesizer=speaker
    )
    assert (report.made, report.kept) == (2, 2)
    assert speaker.said == ["Stop the music"]
    rows = manifest(tmp_path)
    assert len(rows) == 4
    assert {path.name for path in (tmp_path / "clips").iterdir()} == {Path(row.path).name for row in rows}


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_a_clip_that_is_missing_or_damaged_is_made_again(
    tmp_path: Path, build_in: Build, damage: str
) -> None:
    build_in(TASKS)
    row = manifest(tmp_path)[0]
    path = tmp_path / row.path
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(data + b"\0\0")
    report = build_in(TASKS)
    assert (report.made, report.kept) == (1, 4)
    assert path.read_bytes() == data


def test_another_seed_makes_every_clip_anew(build_in: Build) -> None:
    build_in(TASKS, seed=1)
    assert build_in(TASKS, seed=2).made == 5


def test_fresh_makes_the_clips_of_these_tasks_anew_and_no_others(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS)
    report = build_in(TASKS[:2], fresh=True)
    assert (report.made, report.kept) == (2, 0)
    assert len(manifest(tmp_path)) == 5


def test_other_tasks_rows_and_languages_voices_are_kept(tmp_path: Path, build_in: Build) -> None:
    build_in([TASKS[2]])
    hindi = manifest(tmp_path)
    build_in([TASKS[0]])
    assert hindi[0] in manifest(tmp_path)
    assert set(json.loads((tmp_path / "voices.json").read_text(encoding="utf-8"))) == {"en", "hi"}


def test_one_bad_text_stops_nothing_and_is_tried_again(
    tmp_path: Path, build_in: Build, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = Counting()
    speaker.fails = {"two": bad_text("two"), "தீ": RuntimeError("boom\nbang")}
    tasks = [*TASKS, make_task(5, "ta", text="தீ"), make_task(6, text="...")]
    with caplog.at_level(logging.WARNING):
        report = build_in(tasks, synthesizer=speaker, effects=["telephony"])
    assert (report.made, report.failed) == (8, 6)
    found = {(row.task_id, row.condition): (row.kind, row.message) for row in failures(tmp_path)}
    assert found["single-en-0002", "speech"] == ("text", "nothing to say in 'two'")
    assert found["single-en-0002", "speech/telephony"] == ("text", "nothing to say in 'two'")
    assert found["single-ta-0005", "speech"] == ("crash", "boom bang")
    assert found["single-en-0006", "speech"][0] == "text"
    assert "Traceback" in caplog.text

    again = build_in(tasks)
    assert (again.made, again.kept, again.failed) == (2, 4, 1)
    assert {row.task_id for row in failures(tmp_path)} == {"single-en-0006"}


def test_an_interrupted_build_keeps_what_was_finished_and_goes_on(tmp_path: Path, build_in: Build) -> None:
    speaker = Counting()
    speaker.fails = {"பாடல்": KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        build_in(TASKS, synthesizer=speaker)
    assert [row.task_id for row in manifest(tmp_path)] == [
        "single-en-0001",
        "single-en-0002",
        "single-hi-0003",
    ]
    report = build_in(TASKS)
    assert (report.made, report.kept) == (2, 3)


def test_a_full_disk_says_so_and_keeps_what_was_finished(
    tmp_path: Path, build_in: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    write = clip_store.write_bytes

    def full(path: Path, data: bytes) -> None:
        if len(written) == 2:
            raise builder_disk_error(path)
        written.append(path)
        write(path, data)

    def builder_disk_error(path: Path) -> UserError:
        from voicebench.files import disk_error

        return disk_error(path, OSError(errno.ENOSPC, "No space left on device"))

    monkeypatch.setattr(clip_store, "write_bytes", full)
    with pytest.raises(UserError, match="the disk is full"):
        build_in(TASKS)
    assert len(manifest(tmp_path)) == 2
    assert failures(tmp_path) == []
    monkeypatch.setattr(clip_store, "write_bytes", write)
    assert build_in(TASKS).kept == 2


def test_a_torn_last_row_is_made_again(tmp_path: Path, build_in: Build) -> None:
    build_in(TASKS)
    path = tmp_path / "manifest.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    report = build_in(TASKS)
    assert (report.made, report.kept) == (1, 4)
    assert len(manifest(tmp_path)) == 5


def test_a_voice_that_is_not_native_is_reached_by_conversion(tmp_path: Path, build_in: Build) -> None:
    speaker = Counting(native=("low",))
    build_in([make_task(n, "hi") for n in range(1, 20)], synthesizer=speaker, converter=FakeConverter())
    rows = manifest(tmp_path)
    converted = {row.voice.id for row in rows if row.converter is not None and row.voice}
    direct = {row.voice.id for row in rows if row.converter is None and row.voice}
    assert direct == {"low"}
    assert converted == {"middle", "high", "highest"}
    described = json.loads((tmp_path / "voices.json").read_text(encoding="utf-8"))["hi"]
    assert {row["spoken_by"] for row in described["chosen"]} == {"low"}


def test_without_a_converter_only_native_voices_are_heard(tmp_path: Path, build_in: Build) -> None:
    build_in([make_task(n, "hi") for n in range(1, 9)], synthesizer=Counting(native=("low",)))
    assert {row.voice.id for row in manifest(tmp_path) if row.voice} == {"low"}
    assert all(row.converter is None for row in manifest(tmp_path))


def test_another_converter_makes_only_the_converted_clips_anew(tmp_path: Path, build_in: Build) -> None:
    class Other(FakeConverter):
        def __init__(self) -> None:
            super().__init__()
            self.model = self.model.model_copy(update={"revision": "2"})

    tasks = [make_task(n, "hi") for n in range(1, 20)]
    speaker = Counting(native=("low",))
    build_in(tasks, synthesizer=speaker, converter=FakeConverter())
    converted = sum(row.converter is not None for row in manifest(tmp_path))
    report = build_in(tasks, synthesizer=speaker, converter=Other())
    assert 0 < report.made == converted < len(tasks)


def test_silence_is_a_failure_and_no_clip(tmp_path: Path, build_in: Build) -> None:
    class Mute(FakeConverter):
        def convert(self, source: Audio, *, voice: Audio, seed: int) -> Audio:
            return Audio(np.zeros_like(source.samples), source.sample_rate_hz)

    build_in(
        [make_task(n, "hi") for n in range(1, 9)], synthesizer=Counting(native=("low",)), converter=Mute()
    )
    assert {row.kind for row in failures(tmp_path)} == {"check"}
    assert all("it is silent, and another seed changes nothing" in row.message for row in failures(tmp_path))
    assert all(row.voice is not None and row.voice.id == "low" for row in manifest(tmp_path))


def test_an_unknown_effect_is_refused_before_anything_is_spoken(tmp_path: Path, build_in: Build) -> None:
    speaker = Counting()
    with pytest.raises(UserError, match=r"unknown effect 'nois-10dB'\. Did you mean 'noise-10dB'"):
        build_in(TASKS, synthesizer=speaker, effects=["nois-10dB"])
    assert speaker.said == []
    assert not list(tmp_path.iterdir())


def test_progress_ends_at_its_total(build_in: Build) -> None:
    told: list[tuple[str, int, int]] = []
    build_in(TASKS, progress=lambda what, done, total: told.append((what, done, total)))
    assert ("hearing en voices", 4, 4) in told
    assert told[-1] == ("building clips", 5, 5)
