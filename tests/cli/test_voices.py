"""`voicebench voices` from the first recording to the comparison, on synthetic sounds."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.audio.references.helpers import PITCHES, speech, write
from tests.cli.conftest import Run


@pytest.fixture
def sounds(tmp_path: Path) -> Path:
    folder = tmp_path / "sounds"
    for index, pitch in enumerate(PITCHES):
        write(folder, f"s{index}/1.wav", speech(-0.3, 2.0, -0.3, hz=pitch))
    return folder


SAID = ("--licence", "CC0-1.0", "--source", "us", "--lang", "hi")


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_voices_are_added_embedded_chosen_and_compared(run: Run, sounds: Path, tmp_path: Path) -> None:
    ran = run("voices", "add", "sounds", *SAID, "--out", "v")
    assert ran.exit_code == 0, ran.output
    assert "6 voices added, 0 kept, 0 recordings rejected; 6 voices in v" in ran.output
    assert "Next: voicebench voices embed v" in ran.output
    ran = run("voices", "embed", "v", "--encoder", "fake")
    assert "6 voices embedded, 0 kept; 8 dimensions, fake (1)" in ran.output
    ran = run("voices", "embed", "v", "--encoder", "fake")
    assert "0 voices embedded, 6 kept" in ran.output
    ran = run("voices", "select", "v", "-n", "3", "--encoder", "fake", "--seed", "4", "--keep", "s2")
    assert ran.exit_code == 0, ran.output
    chosen = json.loads((tmp_path / "v" / "selected.json").read_text(encoding="utf-8"))
    assert chosen["voices"][0]["id"] == "s2"
    assert chosen["encoder"] == {"name": "fake", "revision": "1", "why": "asked for"}
    ran = run("voices", "compare", "v", "-n", "3", "--encoder", "fake", "--runs", "4", "--no-plot")
    assert ran.exit_code == 0, ran.output
    assert "mean distance" in ran.output
    compared = json.loads((tmp_path / "v" / "comparison.json").read_text(encoding="utf-8"))
    assert list(compared["methods"]) == ["fps", "dpp", "density", "random"]
    assert (tmp_path / "v" / "comparison.md").read_text(encoding="utf-8").startswith("# How diverse")


def test_select_embeds_what_is_missing_and_prints_json(run: Run, sounds: Path) -> None:
    run("voices", "add", "sounds", *SAID, "--out", "v")
    ran = run("voices", "select", "v", "-n", "2", "--encoder", "fake", "--json")
    assert json.loads(ran.stdout)["method"] == "fps"


def test_bad_recordings_are_listed_and_the_good_ones_kept(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "sounds"
    write(folder, "good.wav", speech(2.0))
    write(folder, "short.wav", speech(0.3))
    write(folder, "telephone.wav", speech(2.0, rate=8000))
    write(folder, "silent.wav", speech(-2.0, 0.001))
    (folder / "empty.wav").write_bytes(b"")
    (folder / "text.wav").write_text("no sound")
    nan = np.full((32000, 2), np.nan, np.float32)
    soundfile.write(folder / "nan.wav", nan, 16000, subtype="FLOAT")
    stereo = np.stack([speech(2.0, hz=200, rate=48000).samples] * 2, axis=1)
    soundfile.write(folder / "stereo.wav", stereo, 48000, subtype="PCM_24")
    soundfile.write(folder / "mp3.wav", speech(2.0, hz=250, rate=44100).samples, 44100, format="MP3")
    ran = run("voices", "add", "sounds", *SAID, "--out", "v")
    assert ran.exit_code == 0, ran.output
    assert "3 voices added, 0 kept, 6 recordings rejected; 3 voices in v" in ran.output
    assert "rejected: rate 1, short 1, silent 1, unreadable 3 (v/rejected.jsonl)" in ran.output
    assert {row["id"] for row in rows(tmp_path / "v" / "voices.jsonl")} == {"good", "stereo", "mp3"}
    kinds = {row["origin"]: row["kind"] for row in rows(tmp_path / "v" / "rejected.jsonl")}
    assert kinds == {
        "short.wav": "short", "telephone.wav": "rate", "silent.wav": "silent", "empty.wav": "unreadable",
        "text.wav": "unreadable", "nan.wav": "unreadable",
    }  # fmt: skip


def test_a_folder_of_nothing_good_exits_with_1(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "sounds", "short.wav", speech(0.3))
    ran = run("voices", "add", "sounds", *SAID, "--out", "v")
    assert ran.exit_code == 1
    assert "0 voices in v" in ran.output


def test_marked_recordings_and_own_voices_are_added_too(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "m.wav", speech(8.0, noise_db=40))
    (tmp_path / "m.rttm").write_text(
        "SPEAKER m 1 0 3 <NA> <NA> anna <NA> <NA>\nSPEAKER m 1 2 3 <NA> <NA> bert <NA> <NA>\n"
    )
    ran = run("voices", "add", "m.wav", "--rttm", "m.rttm", *SAID, "--out", "v")
    assert "2 voices added" in ran.output
    ran = run("voices", "add", "--synthesizer", "fake", "--lang", "en", "--out", "v")
    assert "4 voices added, 0 kept, 0 recordings rejected; 6 voices in v" in ran.output
    assert [row["id"] for row in rows(tmp_path / "v" / "voices.jsonl")] == [
        "anna", "bert", "high", "highest", "low", "middle",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add",), "say where voices come from, once"),
        (("add", "sounds", "--synthesizer", "fake"), "say where voices come from, once"),
        (("add", "sounds"), "sounds: says no licence"),
        (("add", "nowhere", *SAID), "nowhere: no such folder"),
        (("add", "--synthesizer", "fake"), "Give --lang"),
        (("add", "--synthesizer", "fakee", "--lang", "hi"), "Did you mean 'fake'?"),
        (("add", "sounds", *SAID, "--min-s", "3", "--max-s", "1"), "references of 3 to 1 s cannot be"),
        (("add", "--dataset", "x", "--column", "speaker"), "--column 'speaker' is no KEY=NAME"),
        (("add", "sounds", "--rttm", "a", "--metadata", "b"), "contradict each other"),
        (("embed", "nowhere"), "nowhere: no voices here. Run: voicebench voices add --out nowhere"),
        (("select", "v", "-n", "9", "--encoder", "fake"), "9 voices are asked for, there are 6"),
        (("select", "v", "--method", "fsp"), "--method 'fsp' is unknown. Did you mean 'fps'?"),
        (("select", "v", "--lang", "ta"), "v: no voice in 'ta'. There are voices in: hi"),
        (("select", "v", "-n", "2", "--encoder", "d-vectr"), "Did you mean 'd-vector'?"),
        (("select", "v", "-n", "2", "--encoder", "fake", "--kernel", "rfb", "--method", "dpp"), "kernel"),
        (("compare", "v", "-n", "7", "--encoder", "fake", "--no-plot"), "7 voices are asked for"),
    ],
)
def test_a_mistake_is_one_line_and_exits_with_2(
    run: Run, sounds: Path, words: tuple[str, ...], said: str
) -> None:
    run("voices", "add", "sounds", *SAID, "--out", "v")
    ran = run("voices", *words)
    assert ran.exit_code == 2, ran.output
    assert said in ran.stderr
    assert ran.stderr.strip().count("\n") == 0
    assert "Traceback" not in ran.output


def test_a_picture_without_matplotlib_is_refused_before_anything_is_computed(
    run: Run, sounds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("voices", "add", "sounds", *SAID, "--out", "v")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = run("voices", "compare", "v", "-n", "3", "--encoder", "fake")
    assert ran.exit_code == 2
    assert "[plots]" in ran.output
    assert not (tmp_path / "v" / "comparison.json").exists()


def test_the_encoder_that_nobody_named_is_printed_with_the_reason(
    run: Run, sounds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from voicebench import registry
    from voicebench.audio import encoders

    fake = registry.find("encoder", "fake")
    monkeypatch.setattr(encoders, "default_encoder", lambda: (fake, "ecapa's weights are not at hand"))
    run("voices", "add", "sounds", *SAID, "--out", "v")
    ran = run("voices", "select", "v", "-n", "2")
    assert "encoder: fake (ecapa's weights are not at hand)" in ran.stderr
