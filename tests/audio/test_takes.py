"""What becomes of clips that fail a check: spoken once more, then listed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.audio.helpers import Changing, Writing, make_task, quieted, with_a_pause
from voicebench.audio.build import BuildReport, build
from voicebench.audio.checks import Limits
from voicebench.audio.io import read_audio
from voicebench.audio.studio import Studio
from voicebench.audio.work import Engines
from voicebench.errors import AgentFailure, UserError
from voicebench.fakes_audio import FakeConverter, FakeEncoder, FakeSynthesizer
from voicebench.files import read_rows
from voicebench.types import Audio, FailureRow, ManifestRow, Task

TASKS = [make_task(1), make_task(2), make_task(3, "hi")]


def made(out: Path, tasks: list[Task] = TASKS, device: str = "cpu", **options: Any) -> BuildReport:
    names = ("synthesizer", "converter", "encoder", "transcriber")
    given = {name: options.pop(name) for name in names if name in options}
    with Studio(Engines(**{"synthesizer": FakeSynthesizer(), **given}), device=device) as studio:
        return build(tasks, studio, out=out, **options)


def rows(out: Path) -> dict[tuple[str, str], ManifestRow]:
    found = read_rows(out / "manifest.jsonl", ManifestRow)
    return {(row.task_id, row.condition): row for row in found}


def listed(out: Path, name: str) -> dict[str, tuple[str, str]]:
    return {row.task_id: (row.kind, row.message) for row in read_rows(out / name, FailureRow)}


def text_of(task: int) -> str:
    return ["Play one songs", "Play two songs", "तीन गाने चलाओ"][task]


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test_a_broken_clip_is_spoken_again_with_a_seed_that_follows_from_the_first(
    tmp_path: Path, device: str
) -> None:
    speaker = Changing(lambda sound, seed: quieted(sound) if seed == 7 else sound, "two")
    report = made(tmp_path, synthesizer=speaker, seed=7, device=device)
    found = rows(tmp_path)
    other = found["single-en-0002", "speech"]
    assert (report.made, report.remade, report.failed) == (3, 1, 0)
    assert other.seed not in (7, *[row.seed for row in found.values() if row is not other])
    assert other.checks["takes"] == 2
    assert "takes" not in found["single-en-0001", "speech"].checks
    elsewhere = tmp_path / "again"
    made(elsewhere, synthesizer=speaker, seed=7, device=device)
    assert (elsewhere / "manifest.jsonl").read_bytes() == (tmp_path / "manifest.jsonl").read_bytes()


def test_a_clip_that_is_broken_twice_is_listed_and_never_in_the_manifest(tmp_path: Path) -> None:
    speaker = Changing(lambda sound, seed: quieted(sound), "two")
    report = made(tmp_path, synthesizer=speaker, effects=["telephony"])
    assert (report.made, report.failed) == (4, 2)
    assert ("single-en-0002", "speech") not in rows(tmp_path)
    assert listed(tmp_path, "failures.jsonl") == {
        "single-en-0002": ("check", "fake, 'Play two songs': it is silent, and another seed changes nothing")
    }
    assert made(tmp_path, effects=["telephony"]).made == 2


def test_a_broken_clip_that_another_seed_changes_says_so(tmp_path: Path) -> None:
    def shout(sound: Audio, seed: int) -> Audio:
        return Audio(np.clip(sound.samples * (30 + seed % 7), -1, 1), sound.sample_rate_hz)

    made(tmp_path, TASKS[:1], synthesizer=Changing(shout))
    assert "full scale, also with another seed" in listed(tmp_path, "failures.jsonl")["single-en-0001"][1]


def test_a_synthesizer_whose_seed_changes_nothing_is_asked_twice_once(tmp_path: Path) -> None:
    class Fixed(Changing):
        def synthesize(self, texts: Any, *, lang: str, voice: str | None = None, seed: int) -> list[Audio]:
            self.seeds.append(seed)
            return [with_a_pause(sound) for sound in FakeSynthesizer().synthesize(
                texts, lang=lang, voice=voice, seed=0)]  # fmt: skip

    speaker = Fixed(with_a_pause)
    tasks = [make_task(n) for n in range(1, 12)]
    report = made(tmp_path, tasks, synthesizer=speaker)
    assert (report.made, report.remade, len(report.flagged)) == (11, 0, 11)
    assert len(set(speaker.seeds)) == 2
    assert sum(seed != 0 for seed in speaker.seeds) == 1


def test_what_is_doubtful_stays_and_is_listed(tmp_path: Path) -> None:
    speaker = Changing(with_a_pause, "two")
    report = made(tmp_path, synthesizer=speaker)
    row = rows(tmp_path)["single-en-0002", "speech"]
    assert row.checks["doubts"] == ["pause"]
    assert [one.task_id for one in report.flagged] == ["single-en-0002"]
    assert listed(tmp_path, "flagged.jsonl") == {
        "single-en-0002": ("check", f"pause: {row.checks['longest_pause_s']} s of silence inside")
    }
    assert listed(tmp_path, "failures.jsonl") == {}


def test_the_better_one_of_two_takes_stays(tmp_path: Path) -> None:
    speaker = Changing(lambda sound, seed: with_a_pause(sound) if seed == 0 else sound, "two")
    report = made(tmp_path, synthesizer=speaker)
    assert (report.remade, report.flagged) == (1, ())
    speaker = Changing(lambda sound, seed: sound if seed == 0 else quieted(sound), "two")
    heard = Writing(lambda clip: "nonsense, nothing else")
    report = made(tmp_path / "b", TASKS[1:2], synthesizer=speaker, transcriber=heard)
    assert rows(tmp_path / "b")["single-en-0002", "speech"].seed == 0


def test_a_sample_that_is_no_number_breaks_a_clip(tmp_path: Path) -> None:
    def spoil(sound: Audio, seed: int) -> Audio:
        sound.samples[100] = np.nan
        return sound

    made(tmp_path, TASKS[:1], synthesizer=Changing(spoil, "one"))
    assert "samples that are not numbers" in listed(tmp_path, "failures.jsonl")["single-en-0001"][1]


def test_a_clip_that_does_not_sound_like_its_voice_is_doubtful(tmp_path: Path) -> None:
    class Elsewhere(FakeConverter):
        def convert(self, source: Audio, *, voice: Audio, seed: int) -> Audio:
            noise = np.random.default_rng(seed).standard_normal(len(source.samples))
            return Audio(np.clip(0.05 * noise, -1, 1).astype(np.float32), source.sample_rate_hz)

    class Foreign(FakeSynthesizer):
        def voices(self, lang: str) -> Any:
            first, *others = super().voices(lang)
            return (first, *(type(first)(one.id, one.source, one.licence, lang="zz") for one in others))

    class TellsNoise(FakeEncoder):
        def embed(self, clips: Any) -> Any:
            crossings = [np.mean(np.diff(np.signbit(clip.samples)) != 0) for clip in clips]
            return np.array([[1, 0] if share < 0.2 else [0, 1] for share in crossings], np.float32)

    tasks = [make_task(n) for n in range(1, 9)]
    report = made(tmp_path, tasks, synthesizer=Foreign(), converter=Elsewhere(), encoder=TellsNoise())
    converted = [row for row in rows(tmp_path).values() if row.converter is not None]
    assert {row.task_id for row in report.flagged} == {row.task_id for row in converted} != set()
    assert all("voice" in row.checks["doubts"] for row in report.flagged)


@pytest.mark.parametrize(
    ("error", "kind"),
    [(UserError("no reference"), "voice"), (MemoryError(), "out_of_memory"), (ValueError("x"), "crash"),
     (AgentFailure("server", "down"), "server")],
)  # fmt: skip
def test_a_conversion_that_fails_is_listed(tmp_path: Path, error: Exception, kind: str) -> None:
    class Broken(FakeConverter):
        def convert(self, source: Audio, *, voice: Audio, seed: int) -> Audio:
            raise error

    class Foreign(FakeSynthesizer):
        def voices(self, lang: str) -> Any:
            first, *others = super().voices(lang)
            return (first, *(type(first)(one.id, one.source, one.licence, lang="zz") for one in others))

    report = made(
        tmp_path, [make_task(n) for n in range(1, 9)], synthesizer=Foreign(), converter=Broken(),
        encoder=FakeEncoder(),
    )  # fmt: skip
    assert report.failed > 0
    assert {found[0] for found in listed(tmp_path, "failures.jsonl").values()} == {kind}


def test_an_effect_that_fails_is_a_failure_of_the_effect(tmp_path: Path, monkeypatch: Any) -> None:
    def refuse(*args: Any, **options: Any) -> None:
        raise UserError("the codec refuses this clip")

    monkeypatch.setattr("voicebench.audio.line.apply", refuse)
    report = made(tmp_path, TASKS[:1], effects=["telephony"])
    assert (report.made, report.failed) == (1, 1)
    assert listed(tmp_path, "failures.jsonl")["single-en-0001"] == ("effect", "the codec refuses this clip")


# ---- The round trip ----


def test_the_round_trip_is_kept_in_the_manifest(tmp_path: Path) -> None:
    report = made(tmp_path, transcriber=Writing(text_of))
    for row in rows(tmp_path).values():
        assert (row.checks["cer"], row.checks["script"]) == (0.0, 1.0)
        assert row.checks["heard"] == row.spoken_text
        assert row.checks["asr"] == {"name": "writing", "revision": "1"}
    assert report.flagged == ()


def test_a_clip_that_the_asr_does_not_understand_is_spoken_again_and_then_doubtful(tmp_path: Path) -> None:
    report = made(
        tmp_path, TASKS[:1], transcriber=Writing(lambda clip: ["Pay on some", "Play on song"][clip])
    )
    row = rows(tmp_path)["single-en-0001", "speech"]
    assert (report.remade, report.flagged, row.checks["heard"]) == (1, (), "Play on song")
    assert row.checks["takes"] == 2


def test_a_clip_that_is_never_understood_is_listed_with_what_was_heard(tmp_path: Path) -> None:
    made(tmp_path, TASKS[:1], transcriber=Writing(lambda clip: ["Pay on some", "Way off some"][clip]))
    row = rows(tmp_path)["single-en-0001", "speech"]
    assert (row.checks["heard"], row.checks["doubts"]) == ("Pay on some", ["cer"])
    assert listed(tmp_path, "flagged.jsonl")["single-en-0001"] == (
        "check", f"cer: {row.checks['cer']}, the ASR heard 'Pay on some'",
    )  # fmt: skip


def test_another_script_is_said_to_be_that_and_not_a_bad_clip(tmp_path: Path) -> None:
    made(tmp_path, [TASKS[2]], transcriber=Writing(lambda clip: "تین گانے چلاؤ"))
    assert rows(tmp_path)["single-hi-0003", "speech"].checks["doubts"] == ["script"]


def test_clips_that_are_there_are_heard_and_not_made_again(tmp_path: Path) -> None:
    made(tmp_path, effects=["telephony"])
    before = rows(tmp_path)
    speaker = Changing(lambda sound, seed: sound)
    report = made(tmp_path, effects=["telephony"], synthesizer=speaker, transcriber=Writing(text_of))
    assert (report.made, report.kept, report.heard) == (0, 6, 3)
    assert speaker.seeds == []
    assert {place: row.sha256 for place, row in rows(tmp_path).items()} == {
        place: row.sha256 for place, row in before.items()
    }
    again = Writing(text_of)
    assert made(tmp_path, effects=["telephony"], transcriber=again).heard == 0
    assert again.clips == 0


def test_a_clip_that_was_there_and_is_replaced_takes_its_effects_along(tmp_path: Path) -> None:
    made(tmp_path, TASKS[:1], effects=["telephony", "gain--6dB"])
    before = rows(tmp_path)
    asr = Writing(lambda clip: "nonsense" if clip == 0 else "Play one songs")
    report = made(tmp_path, TASKS[:1], effects=["telephony"], transcriber=asr)
    after = rows(tmp_path)
    assert (report.made, report.remade, report.heard) == (2, 1, 0)
    assert set(after) == {("single-en-0001", "speech"), ("single-en-0001", "speech/telephony")}
    assert all(after[place].sha256 != before[place].sha256 for place in after)
    dry = after["single-en-0001", "speech"].sha256
    assert after["single-en-0001", "speech/telephony"].checks["dry"] == dry[:16]
    assert {path.name for path in (tmp_path / "clips").iterdir()} == {
        Path(row.path).name for row in after.values()
    }


def test_other_limits_judge_what_is_there_anew_and_make_nothing(tmp_path: Path) -> None:
    asr = Writing(lambda clip: "Play one song")
    assert made(tmp_path, TASKS[:1], transcriber=asr).flagged == ()
    report = made(tmp_path, TASKS[:1], transcriber=asr, limits=Limits({}, 0.01))
    assert (report.made, report.heard, len(report.flagged)) == (0, 0, 1)
    assert made(tmp_path, TASKS[:1], transcriber=asr).flagged == ()
    assert (tmp_path / "flagged.jsonl").read_bytes() == b""


def test_an_asr_that_fails_over_a_clip_leaves_it_unheard(tmp_path: Path) -> None:
    def hear(clip: int) -> str:
        raise AgentFailure("out_of_memory", "too long")

    report = made(tmp_path, TASKS[:1], transcriber=Writing(hear))
    assert (report.made, report.failed) == (1, 0)
    assert "cer" not in rows(tmp_path)["single-en-0001", "speech"].checks
    assert made(tmp_path, TASKS[:1], transcriber=Writing(text_of)).heard == 1


def test_an_asr_that_does_not_know_the_language_ends_the_build(tmp_path: Path) -> None:
    def hear(clip: int) -> str:
        raise UserError("hears English only")

    with pytest.raises(UserError, match="hears English only"):
        made(tmp_path, TASKS[:1], transcriber=Writing(hear))


# ---- Effects belong to their dry clip ----


def test_an_effect_of_another_dry_clip_is_made_anew(tmp_path: Path) -> None:
    made(tmp_path, TASKS[:1], effects=["telephony"])
    path = tmp_path / "manifest.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line["condition"] != "speech":
            line["checks"]["dry"] = "0" * 16
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert made(tmp_path, TASKS[:1], effects=["telephony"]).made == 1


def test_effects_are_made_of_the_clip_as_it_is_written(tmp_path: Path) -> None:
    made(tmp_path / "a", TASKS[:1], effects=["gain--6dB"])
    made(tmp_path / "b", TASKS[:1])
    made(tmp_path / "b", TASKS[:1], effects=["gain--6dB"])
    assert (tmp_path / "a/manifest.jsonl").read_bytes() == (tmp_path / "b/manifest.jsonl").read_bytes()
    clip = rows(tmp_path / "a")["single-en-0001", "speech"]
    assert read_audio(tmp_path / "a" / clip.path).sample_rate_hz == 16000


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test_an_interrupted_build_keeps_all_that_was_spoken(tmp_path: Path, device: str) -> None:
    class Interrupted(FakeSynthesizer):
        def synthesize(self, texts: Any, *, lang: str, voice: str | None = None, seed: int) -> list[Audio]:
            if "तीन" in texts[0]:
                raise KeyboardInterrupt
            return super().synthesize(texts, lang=lang, voice=voice, seed=seed)

    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, synthesizer=Interrupted(), device=device)
    assert {task for task, _ in rows(tmp_path)} == {"single-en-0001", "single-en-0002"}
    assert made(tmp_path, device=device).kept == 2
