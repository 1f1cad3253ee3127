import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audio.effects.helpers import heard, rng, silence, speech, white
from voicebench.audio.effects import EFFECTS, apply, parse
from voicebench.audio.effects.effect import Effect, Parameter
from voicebench.errors import UserError
from voicebench.types import Audio

ROOT = Path(__file__).parents[3]
# One of each effect that needs no files and no program.
NAMES = [
    "noise-10dB", "pink-noise-0dB", "speech-noise-5dB", "babble-5dB", "room", "room-0.2s@distance=2m",
    "telephony", "telephony-alaw", "packet-loss-10%", "clipping-2%", "clipping@depth=6dB", "gain--6dB",
    "gain-40dB", "speed-1.1x", "tempo-0.9x", "codec-opus", "codec-gsm",
]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("noise:snr=10", "noise-10dB"),
        ("noise:snr=10dB", "noise-10dB"),
        ("noise:snr=10,colour=white", "noise-10dB"),
        ("noise:snr=5,colour=pink", "pink-noise-5dB"),
        ("noise: snr=5, colour=pink", "pink-noise-5dB"),
        ("pink-noise:snr=-2.5", "pink-noise--2.5dB"),
        ("noise-5dB@colour=speech", "speech-noise-5dB"),
        ("phone", "telephony"),
        ("telephone:law=alaw", "telephony-alaw"),
        ("room", "room"),
        ("room:rt60=0.4", "room-0.4s"),
        ("room:rt60=0.4,distance=1", "room-0.4s"),
        ("room:distance=2", "room@distance=2m"),
        ("packet-loss:loss=5,burst=4,conceal=silence", "packet-loss-5%@burst=4@conceal=silence"),
        ("clipping:depth=6", "clipping@depth=6dB"),
        ("codec:name=opus,bitrate=8", "codec-opus@bitrate=8k"),
        ("gain:level=-6", "gain--6dB"),
        ("noise:snr=10+phone+room:rt60=0.3", "noise-10dB+telephony+room-0.3s"),
        (" noise-10dB + phone ", "noise-10dB+telephony"),
    ],
)
def test_both_forms_mean_the_same_condition(written: str, name: str) -> None:
    assert parse(written).name == name
    assert parse(name).name == name
    assert [link.values for link in parse(written).links] == [link.values for link in parse(name).links]


def test_a_path_keeps_its_signs_through_a_name() -> None:
    written = "noise-file:snr=3,path=sounds/my%2Ccafe+street%2B1@night 2.wav".replace("+", "%2B", 1)
    chain = parse(written)
    assert chain.name == "noise-file-3dB@path=sounds/my%2Ccafe%2Bstreet%2B1%40night%202.wav"
    assert chain.links[0].values["path"] == "sounds/my,cafe+street+1@night 2.wav"
    assert parse(chain.name) == chain


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("nois-10dB", "unknown effect 'nois-10dB'. Did you mean 'noise-10dB'?"),
        ("nois:snr=10", "unknown effect 'nois'. Did you mean 'noise'?"),
        ("noise-10", "unknown effect 'noise-10'. Did you mean 'noise-10dB'?"),
        ("noise-dB", "unknown effect 'noise-dB'"),
        ("Telephony", "unknown effect 'Telephony'. Did you mean 'telephony'?"),
        ("", "unknown effect ''. Known: babble"),
        ("noise-10dB+", "unknown effect ''"),
        ("noise", "noise needs snr (from -60dB to 100dB), such as noise-10dB"),
        ("noise:colour=pink", "noise needs snr"),
        ("noise:snr=5,color=pink", "noise has no 'color'. Did you mean 'colour'?"),
        ("noise:snr=5,colour=pnk", "colour cannot be 'pnk'. Did you mean 'pink'?"),
        ("noise:snr=loud", "snr cannot be 'loud'. It is a number from -60dB to 100dB"),
        ("noise:snr=nan", "snr cannot be 'nan'"),
        ("noise:snr=", "snr cannot be ''"),
        ("noise-500dB", "snr cannot be '500dB'. It is a number from -60dB to 100dB"),
        ("noise:snr=5,snr=6", "snr is given twice"),
        ("noise-5dB@snr=6", "snr is given twice"),
        ("room:rt60=99", "rt60 cannot be '99'. It is a number from 0.05s to 10s"),
        ("noise-file-10dB", "noise-file needs path"),
        ("noise-file:snr=1,path=", "path needs the path of a file or a folder"),
        ("codec", "codec needs name (opus or mp3"),
        ("codec:name=opsu", "name cannot be 'opsu'. Did you mean 'opus'?"),
    ],
)
def test_what_is_wrong_with_a_name_is_said(written: str, says: str) -> None:
    with pytest.raises(UserError) as error:
        parse(written)
    assert says in str(error.value)


def test_links_are_applied_in_order_and_each_is_recorded() -> None:
    clip = white()
    one, first = apply("clipping-5%+gain-6dB", clip, rng())
    other, second = apply("gain-6dB+clipping-5%", clip, rng())
    assert [entry["name"] for entry in first] == ["clipping", "gain"]
    assert [entry["name"] for entry in second] == ["gain", "clipping"]
    assert first[0]["threshold"] < second[1]["threshold"]
    noisy, _ = apply("noise-10dB+telephony", clip, rng(3))
    cleaned, _ = apply("telephony+noise-10dB", clip, rng(3))
    above = np.fft.rfftfreq(len(clip.samples), 1 / 16000) > 4500
    assert (np.abs(np.fft.rfft(noisy.samples))[above] ** 2).sum() < 0.01 * (
        np.abs(np.fft.rfft(cleaned.samples))[above] ** 2
    ).sum()
    assert one.sample_rate_hz == other.sample_rate_hz == 16000


def test_the_rungs_of_a_ladder_and_the_chains_behind_it_have_one_noise() -> None:
    clip = speech(level=0.05)
    ten = heard("noise-10dB", clip, seed=5)[0] - clip.samples
    twenty = heard("noise-20dB", clip, seed=5)[0] - clip.samples
    assert np.allclose(ten, twenty * np.float32(10**0.5), atol=1e-5)
    chained, _ = apply("noise-10dB+gain--20dB", clip, rng(5))
    assert np.allclose(chained.samples, (clip.samples + ten) * 0.1, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_the_name_and_the_seed_of_an_entry_make_the_clip_again(name: str) -> None:
    clip, talkers = speech(), [white(3), speech(1)]
    changed, (entry,) = apply(name, clip, rng(9), talkers=talkers)
    again, _ = parse(name).links[0].run(clip, entry.get("seed", 0), talkers)
    assert np.array_equal(changed.samples, again.samples)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rate", [8000, 16000, 22050])
def test_an_effect_keeps_the_rate_and_stays_below_full_scale(name: str, rate: int) -> None:
    clip = speech(1.5, rate, level=0.6 / 3)
    changed, entries = apply(name, clip, rng(1), talkers=[white(2, rate)])
    assert changed.sample_rate_hz == rate
    assert np.isfinite(changed.samples).all()
    assert np.abs(changed.samples).max() <= 1.0
    if not name.startswith(("speed", "tempo")):
        assert len(changed.samples) == len(clip.samples)
    assert entries[0]["name"] == parse(name).links[0].effect.name


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_clip_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="not empty"):
        apply(name, Audio(np.zeros(0, np.float32), 16000), rng(), talkers=[white()])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("length", [1, 7, 321])
def test_a_clip_of_a_few_samples_comes_back_as_short(name: str, length: int) -> None:
    clip = Audio(np.full(length, 0.5, np.float32), 16000)
    changed, _ = apply(name, clip, rng(), talkers=[white()])
    assert np.isfinite(changed.samples).all()
    assert abs(len(changed.samples) - length) <= max(1, 0.15 * length)


@pytest.mark.parametrize(
    "name", [name for name in NAMES if "dB" not in name or name.startswith(("clip", "gain"))]
)
def test_silence_stays_as_good_as_silent(name: str) -> None:
    changed, _ = apply(name, silence(), rng(), talkers=[white()])
    assert np.abs(changed.samples).max() < 0.001


@settings(max_examples=25, deadline=None)
@given(
    samples=st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=400),
    name=st.sampled_from([name for name in NAMES if not name.startswith(("codec", "babble"))]),
    seed=st.integers(0, 2**32),
)
def test_whatever_the_clip_the_result_is_finite_and_within_full_scale(
    samples: list[float], name: str, seed: int
) -> None:
    clip = Audio(np.array(samples, np.float32), 16000)
    try:
        changed, _ = apply(name, clip, rng(seed))
    except UserError as error:
        assert "silent" in str(error)
        return
    assert np.isfinite(changed.samples).all()
    assert np.abs(changed.samples).max() <= 1
    assert changed.samples.dtype == np.float32


def test_another_process_with_other_hashes_makes_the_same_bytes() -> None:
    program = (
        "import hashlib, sys\n"
        "sys.path.insert(0, '.')\n"
        "from tests.audio.effects.helpers import rng, speech, white\n"
        "from voicebench.audio.effects import apply\n"
        "for name in sys.argv[1:]:\n"
        "    changed, done = apply(name, speech(), rng(4), talkers=[white()])\n"
        "    print(hashlib.sha256(changed.samples.tobytes()).hexdigest(), done)\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", program, *NAMES, "noise-3dB+room+packet-loss-20%"],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert said[0] == said[1]
    assert len(said[0].splitlines()) == len(NAMES) + 1


def test_a_chain_depends_on_the_versions_of_its_effects_and_on_the_files_it_reads(tmp_path: Path) -> None:
    path = tmp_path / "noise.raw"
    path.write_bytes(b"one")
    chain = parse(f"noise-file:snr=3,path={path}+telephony")
    before = chain.made_from()
    assert before[:2] == ("noise-file 1", "telephony 2")
    path.write_bytes(b"another")
    os.utime(path, ns=(1, 1))
    assert chain.made_from() != before


def test_names_of_effects_and_parameters_are_unique_and_their_examples_valid() -> None:
    spelled = [name for effect in EFFECTS for name in (effect.name, *effect.aliases)]
    assert len(spelled) == len(set(spelled))
    for effect in EFFECTS:
        names = [parameter.name for parameter in effect.parameters]
        assert len(names) == len(set(names))
        assert parse(effect.example).links[0].effect is effect
        assert effect.summary


def every_parameter() -> list[tuple[Effect, Parameter]]:
    return [(effect, parameter) for effect in EFFECTS for parameter in effect.parameters]


@pytest.mark.parametrize(("effect", "parameter"), every_parameter())
def test_what_a_parameter_writes_it_reads(effect: Effect, parameter: Parameter) -> None:
    if parameter.kind == "number":
        for value in (parameter.low, parameter.high, (parameter.low + parameter.high) / 2):
            assert parameter.read(parameter.write(value)) == value
    for choice in parameter.choices:
        assert parameter.read(parameter.write(choice)) == choice
    assert parameter.allowed and parameter.summary


def test_the_documentation_has_every_effect_and_parameter() -> None:
    lines = (ROOT / "docs/audio.md").read_text(encoding="utf-8").splitlines()
    for effect in EFFECTS:
        (row,) = [line for line in lines if line.startswith(f"| `{effect.name}` | `{effect.first.name}`")]
        for parameter in effect.parameters:
            assert f"`{parameter.name}`" in row
            assert all(choice in row for choice in parameter.choices)
            if parameter.kind == "number" and parameter.name != "bitrate" and "`snr`," not in row:
                assert f"{parameter.low:g} to {parameter.high:g}".replace("-", "−") in row
