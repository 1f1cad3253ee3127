"""`voicebench build-audio`: what its options make."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ray_nodes import two_nodes
from voicebench import registry
from voicebench.audio.ray_workers import RayWorkers
from voicebench.audio.workers import Recipe
from voicebench.cli import build_audio
from voicebench.clusters import Cluster
from voicebench.files import read_rows
from voicebench.types import ManifestRow, ModelRef

BUILD = (
    "build-audio", "--lang", "en", "--task", "single", "--limit", "1",
    "--synthesizer", "fake", "--converter", "fake", "--encoder", "fake",
)  # fmt: skip


@pytest.mark.parametrize(
    ("options", "effects"),
    [
        (
            ["--effect", "noise:snr=10", "--effect", "phone", "--effect", "room"],
            ["noise-10dB+telephony+room"],
        ),
        (["--effect", "noise-10dB,telephony"], ["noise-10dB", "telephony"]),
        (["--effect", "noise:snr=5,colour=pink"], ["pink-noise-5dB"]),
        (["--ladder", "noise=20,10,5,0"], ["noise-20dB", "noise-10dB", "noise-5dB", "noise-0dB"]),
        (["--ladder", "noise=20,-5", "--ladder", "speed=0.9", "--effect", "phone"],
         ["telephony", "noise-20dB", "noise--5dB", "speed-0.9x"]),
    ],
)  # fmt: skip
def test_effects_and_ladders_become_conditions(run: Run, options: list[str], effects: list[str]) -> None:
    ran = run(*BUILD, *options)
    assert ran.exit_code == 0, ran.output
    clips = read_rows(Path("audio/manifest.jsonl"), ManifestRow)
    assert {clip.condition for clip in clips} == {"speech", *(f"speech/{effect}" for effect in effects)}
    conditions = ",".join(["text", "speech", *(f"speech/{effect}" for effect in effects)])
    assert f"--condition {conditions} " in ran.stdout.splitlines()[-1]
    asked = run(
        "eval",
        "--model",
        "oracle",
        "--lang",
        "en",
        "--task",
        "single",
        "--limit",
        "1",
        "--condition",
        conditions,
    )
    assert asked.exit_code == 0, asked.output


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--effect", "nois:snr=10"], "unknown effect 'nois'. Did you mean 'noise'?"),
        (["--effect", "noise:snr=10,colour=pnk"], "colour cannot be 'pnk'. Did you mean 'pink'?"),
        (["--ladder", "noise"], "Write EFFECT=VALUE,VALUE, such as noise=20,10,5,0"),
        (["--effect", "room:path=nowhere"], "nowhere: no such file or folder"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_built(run: Run, options: list[str], says: str) -> None:
    ran = run(*BUILD, *options)
    assert ran.exit_code == 2
    assert says in " ".join(ran.output.split())
    assert not Path("audio/manifest.jsonl").exists()


# ---- Who speaks, in which voices, where ----


def rows() -> list[ManifestRow]:
    return read_rows(Path("audio/manifest.jsonl"), ManifestRow)


def test_two_workers_make_what_one_makes(run: Run) -> None:
    assert run(*BUILD, "--limit", "4", "--effect", "phone").exit_code == 0
    alone = Path("audio/manifest.jsonl").read_bytes()
    ran = run(
        *BUILD, "--limit", "4", "--effect", "phone", "--device", "cpu", "--workers", "2", "--out", "two"
    )
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines()[0].startswith("8 clips made")
    assert Path("two/manifest.jsonl").read_bytes() == alone


def test_without_ray_the_engine_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    ran = run(*BUILD, "--engine", "ray")
    assert ran.exit_code == 2
    assert "--engine ray needs the package 'ray'. Run: pip install" in ran.output


def test_on_a_cluster_workers_are_actors_and_make_what_one_process_makes(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray")
    assert run(*BUILD, "--limit", "4", "--effect", "phone").exit_code == 0
    asked: list[Cluster] = []

    def started(recipe: Recipe, cluster: Cluster) -> RayWorkers:
        asked.append(cluster)
        return RayWorkers(recipe, cluster)

    monkeypatch.setattr("voicebench.audio.ray_workers.RayWorkers", started)
    with two_nodes():
        options = ("--limit", "4", "--effect", "phone", "--engine", "ray", "--workers", "2")
        ran = run(*BUILD, *options, "--out", "two")
        assert ran.exit_code == 0, ran.output
    assert asked == [Cluster(actors=2, gpus=0.0)]
    assert ran.stdout.splitlines()[0].startswith("8 clips made")
    assert Path("two/manifest.jsonl").read_bytes() == Path("audio/manifest.jsonl").read_bytes()


def test_what_the_first_synthesizer_does_not_speak_the_next_one_does(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = registry.find("tts", "fake")
    known = {
        "fake": fake,
        "english": replace(fake, name="english", languages=("en",)),
        "thai": replace(fake, name="thai", languages=("th",)),
    }
    monkeypatch.setattr(
        "voicebench.cli.build_audio.find",
        lambda kind, name: known[name] if kind == "tts" else registry.find(kind, name),
    )
    words = ("build-audio", "--limit", "1", "--task", "single", "--converter", "none", "--encoder", "none")
    ran = run(*words, "--lang", "en,hi", "--synthesizer", "english", "--synthesizer", "fake")
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.startswith("2 clips made")
    assert {row.lang for row in rows()} == {"en", "hi"}
    ran = run(*words, "--lang", "en,hi", "--synthesizer", "english", "--synthesizer", "thai")
    assert ran.exit_code == 2
    assert "english does not know the language 'hi'. These do: kokoro" in ran.output


def test_the_default_encoder_is_named_with_the_reason(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = (registry.find("encoder", "fake"), "ecapa is not installed")
    monkeypatch.setattr("voicebench.audio.encoders.default_encoder", lambda: chosen)
    words = [word for word in BUILD if word != "--encoder"][:-1]
    ran = run(*words)
    assert ran.exit_code == 0, ran.output
    assert "encoder: fake (ecapa is not installed)" in ran.stderr
    described = json.loads(Path("audio/voices.json").read_text(encoding="utf-8"))["en"]
    assert described["encoder_reason"] == "ecapa is not installed"
    assert rows()[0].encoder == ModelRef(name="fake", revision="1")


def test_voices_are_a_number_or_a_folder(run: Run) -> None:
    assert run(*BUILD, "--voices", "3").stdout.splitlines()[1].count(",") == 2
    assert run("voices", "add", "--synthesizer", "fake", "--lang", "en", "--out", "mine").exit_code == 0
    ran = run(*BUILD, "--voices", "mine:2", "--out", "b")
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines()[1].count(",") == 1
    assert run(*BUILD, "--voices", "mine", "--out", "c").stdout.splitlines()[1].count(",") == 3


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--voices", "9"], "fake has 4 voices for 'en', 9 are asked for"),
        (["--voices", "nowhere"], "nowhere: no voices here. Run: voicebench voices add --out nowhere"),
        (["--voices", "0"], "cannot build with 0 voices"),
        (["--max-cer", "hi"], "--max-cer 'hi' is no rate. Write 0.3, or hi=0.5,en=0.2"),
        (["--max-cer", "hi=-1"], "--max-cer 'hi=-1' is no rate"),
        (["--max-cer", "=0.3"], "is no rate"),
        (["--round-trip", "whisper-bas"], "Did you mean 'whisper-base'?"),
        (["--export", "parkett"], "--export 'parkett' is unknown. Did you mean 'parquet'?"),
        (["--gpu", "0,1"], "--gpu 0: this machine has no CUDA device 0"),
    ],
)
def test_a_mistake_about_voices_checks_and_devices_is_one_line(
    run: Run, options: list[str], says: str
) -> None:
    ran = run(*BUILD, *options)
    assert ran.exit_code == 2, ran.output
    assert says in " ".join(ran.output.split())
    assert not Path("audio/manifest.jsonl").exists()


@pytest.mark.parametrize(
    ("text", "english", "hindi", "tamil"),
    [
        (None, 0.3, 0.5, 0.5),
        ("0.4", 0.4, 0.4, 0.4),
        ("hi=0.6", 0.3, 0.6, 0.5),
        ("0.2, hi=0.6", 0.2, 0.6, 0.2),
        ("en=0", 0.0, 0.5, 0.5),
    ],
)
def test_error_rates_are_set_for_all_languages_or_for_some(
    text: str | None, english: float, hindi: float, tamil: float
) -> None:
    limits = build_audio._limits(text)
    assert (limits.cer("en"), limits.cer("hi"), limits.cer("ta")) == (english, hindi, tamil)


def test_an_asr_that_does_not_know_a_language_is_refused_first(run: Run) -> None:
    ran = run("build-audio", "--lang", "hi", "--round-trip", "whisper-tiny.en", "--synthesizer", "fake")
    assert ran.exit_code == 2
    assert "whisper-tiny.en does not know the language 'hi'." in ran.output


# ---- Checks ----


def test_what_the_asr_does_not_understand_is_counted_and_listed(run: Run) -> None:
    ran = run(*BUILD, "--round-trip", "fake", "--max-cer", "en=0.2")
    assert ran.exit_code == 0, ran.output
    assert "doubtful: 1 (cer 1), see audio/flagged.jsonl" in ran.stdout
    assert "spoken twice, as the first take failed a check: 1" in ran.stdout
    assert rows()[0].checks["cer"] == 1.0
    ran = run(*BUILD, "--round-trip", "fake", "--max-cer", "1")
    assert ran.stdout.startswith("0 clips made (0 s of sound), 1 kept")
    assert "doubtful" not in ran.stdout


def test_clips_that_are_there_are_heard_by_an_asr_that_is_named_later(run: Run) -> None:
    assert run(*BUILD).exit_code == 0
    ran = run(*BUILD, "--round-trip", "fake", "--max-cer", "1")
    assert "heard by the ASR now, of those kept: 1" in ran.stdout


# ---- Export ----


def test_an_export_follows_the_build(run: Run) -> None:
    pytest.importorskip("pyarrow")
    ran = run(*BUILD, "--export", "parquet")
    assert ran.exit_code == 0, ran.output
    assert "1 clip in 1 file" in ran.stdout
    assert list(Path("audio/parquet").rglob("*.parquet"))


def test_an_export_without_its_package_is_told_before_anything_is_built(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = run(*BUILD, "--export", "parquet")
    assert ran.exit_code == 2
    assert "[export]" in ran.output
    assert not Path("audio").exists()
