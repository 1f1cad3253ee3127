from pathlib import Path

import numpy as np
import pytest

from tests.audio.references.helpers import speech, write
from voicebench.audio.references.rttm import Turn, alone, read_rttm, rttm_recordings
from voicebench.errors import UserError


def line(file: str, start: float, length: float, speaker: str) -> str:
    return f"SPEAKER {file} 1 {start} {length} <NA> <NA> {speaker} <NA> <NA>\n"


def turn(start: float, end: float, speaker: str) -> Turn:
    return Turn("m", start, end, speaker)


def test_where_two_speak_nobody_is_taken() -> None:
    assert alone([turn(0, 4, "a"), turn(3, 6, "b"), turn(8, 9, "a")]) == [
        turn(0, 3, "a"), turn(4, 6, "b"), turn(8, 9, "a"),
    ]  # fmt: skip


def test_a_turn_inside_another_cuts_it_in_two() -> None:
    assert alone([turn(0, 4, "a"), turn(1, 2, "b")]) == [turn(0, 1, "a"), turn(2, 4, "a")]


def test_turns_of_one_speaker_that_overlap_are_one() -> None:
    assert alone([turn(0, 2, "a"), turn(1, 3, "a"), turn(3, 4, "a")]) == [turn(0, 4, "a")]


def test_lines_of_other_types_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "m.rttm"
    path.write_text(";; a comment\nSPKR-INFO m 1 <NA> <NA> <NA> unknown a <NA>\n" + line("m", 0.5, 1, "a"))
    assert read_rttm(path) == [Turn("m", 0.5, 1.5, "a")]


@pytest.mark.parametrize(
    "text", ["SPEAKER m 1 x 1 <NA> <NA> a\n", "SPEAKER m 1 0 1\n", "SPEAKER m 1 0 -1 a b c\n"]
)
def test_a_broken_line_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.rttm"
    path.write_text(text)
    with pytest.raises(UserError, match=r"m\.rttm:1: no RTTM line"):
        read_rttm(path)


def test_long_turns_stand_alone_and_short_ones_are_joined(tmp_path: Path) -> None:
    sound = write(tmp_path, "m.wav", speech(12.0))
    rttm = tmp_path / "m.rttm"
    rttm.write_text(
        line("m", 0, 2, "a") + line("m", 2, 0.6, "b") + line("m", 3, 0.7, "b") + line("m", 4, 0.2, "b")
        + line("m", 5, 3, "a")
    )  # fmt: skip
    found = rttm_recordings(sound, rttm, min_s=1.0, lang="en", licence="CC-BY-4.0", source="AMI")
    assert [(one.origin, one.speaker, one.notes) for one in found] == [
        ("m:0.00-2.00", "a", {"turns": 1}), ("m:5.00-8.00", "a", {"turns": 1}), ("m:b", "b", {"turns": 2}),
    ]  # fmt: skip
    assert [round(one.load().duration_s, 3) for one in found] == [2.0, 3.0, 1.3]


def test_the_edges_of_a_cut_do_not_click(tmp_path: Path) -> None:
    sound = write(tmp_path, "m.wav", speech(3.0))
    rttm = tmp_path / "m.rttm"
    rttm.write_text(line("m", 0.503, 1.5, "a"))
    (one,) = rttm_recordings(sound, rttm, min_s=1.0, lang=None, licence="l", source="s")
    samples = one.load().samples
    assert samples[0] == samples[-1] == 0
    assert np.abs(samples[:16]).max() < 0.1 * np.abs(samples).max()


def test_the_same_label_in_two_recordings_is_two_speakers_unless_it_is_said_to_be_one(tmp_path: Path) -> None:
    for name in ("m1", "m2"):
        write(tmp_path / "sound", f"{name}.wav", speech(2.0))
    (tmp_path / "all.rttm").write_text(line("m1", 0, 2, "SPEAKER_00") + line("m2", 0, 2, "SPEAKER_00"))
    for shared, names in (
        (False, ["m1-SPEAKER_00", "m2-SPEAKER_00"]), (True, ["SPEAKER_00", "SPEAKER_00"]),
    ):  # fmt: skip
        found = rttm_recordings(
            tmp_path / "sound", tmp_path / "all.rttm", min_s=1.0, lang=None, licence="l", source="s",
            shared_labels=shared,
        )  # fmt: skip
        assert [one.speaker for one in found] == names


def test_a_recording_that_is_missing_is_turned_away_and_the_others_are_heard(tmp_path: Path) -> None:
    write(tmp_path / "sound", "m1.wav", speech(2.0))
    (tmp_path / "all.rttm").write_text(line("m1", 0, 2, "a") + line("m3", 0, 2, "a"))
    there, missing = rttm_recordings(
        tmp_path / "sound", tmp_path / "all.rttm", min_s=1.0, lang=None, licence="l", source="s"
    )
    assert there.load().duration_s == 2.0
    with pytest.raises(UserError, match="has no recording 'm3'"):
        missing.load()
    (tmp_path / "all.rttm").write_text(line("m3", 0, 2, "a") + line("m4", 0, 2, "a"))
    with pytest.raises(UserError, match=r"has no recording 'm3', which .*all\.rttm speaks of"):
        rttm_recordings(
            tmp_path / "sound", tmp_path / "all.rttm", min_s=1.0, lang=None, licence="l", source="s"
        )


def test_names_are_the_same_with_their_accents_apart(tmp_path: Path) -> None:
    for name in ("tr\u00f100", "other"):
        write(tmp_path / "sound", f"{name}.wav", speech(2.0))
    (tmp_path / "all.rttm").write_text(line("trn\u030300", 0, 2, "MÉO") + line("other", 0, 2, "b"), "utf-8")
    found = rttm_recordings(
        tmp_path / "sound", tmp_path / "all.rttm", min_s=1.0, lang=None, licence="l", source="s"
    )
    assert [one.load().duration_s for one in found] == [2.0, 2.0]


def test_a_turn_behind_the_end_of_the_recording_is_turned_away(tmp_path: Path) -> None:
    sound = write(tmp_path, "m.wav", speech(1.0))
    (tmp_path / "m.rttm").write_text(line("m", 5, 2, "a"))
    (one,) = rttm_recordings(sound, tmp_path / "m.rttm", min_s=1.0, lang=None, licence="l", source="s")
    with pytest.raises(UserError, match=r"ends before 5\.00 s, where the turn begins"):
        one.load()


def test_licence_and_source_are_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Give --licence"):
        rttm_recordings(tmp_path, tmp_path, min_s=1.0, lang=None, licence=None, source="s")
