"""Means, intervals, agreement and steadiness, by hand."""

import pytest

from voicebench.listening.key import make_key
from voicebench.listening.ratings import Sheet
from voicebench.listening.results import summarise
from voicebench.listening.shape import Group, Listening, Mean
from voicebench.scoring.statistics import clustered_mean

from .helpers import all_axes, grades, key_of, make_key_clip, make_sheet

# Two engines say two sentences each.
KEY = key_of(
    make_key_clip("a1", engine="kokoro"),
    make_key_clip("b1", engine="espeak"),
    make_key_clip("a2", engine="kokoro"),
    make_key_clip("b2", engine="espeak"),
)
ASHA = make_sheet("Asha", {"a1": all_axes(5), "a2": all_axes(4), "b1": all_axes(2), "b2": all_axes(1)})
RAVI = make_sheet("रवि", {"a1": all_axes(4), "a2": all_axes(4), "b1": all_axes(3), "b2": all_axes(1)})


def group(found: Listening, by: str, **traits: str) -> Group:
    (one,) = [
        each
        for each in found.groups
        if each.by == by and all(getattr(each, name) == value for name, value in traits.items())
    ]
    return one


def clarity(found: Listening, by: str, **traits: str) -> Mean:
    return group(found, by, **traits).scores["clarity"]


def test_mean_opinion_scores_by_engine() -> None:
    found = summarise(KEY, [ASHA, RAVI])
    assert clarity(found, "all").mean == 24 / 8
    assert clarity(found, "engine", engine="kokoro").mean == 17 / 4
    assert clarity(found, "engine", engine="espeak").mean == 7 / 4
    assert [each.engine for each in found.groups if each.by == "engine"] == ["espeak", "kokoro"]


def test_an_interval_is_over_listeners_crossed_with_clips() -> None:
    got = clarity(summarise(KEY, [ASHA, RAVI], seed=5), "all")
    values = [5, 2, 4, 1, 4, 3, 4, 1]
    want = clustered_mean(values, ["A"] * 4 + ["R"] * 4, seed=5, crossed=["a1", "b1", "a2", "b2"] * 2)
    assert want is not None
    assert (got.low, got.high) == (want.low, want.high)
    assert want.low < 3 < want.high
    assert (got.n, got.clips, got.raters, got.missing) == (8, 4, 2, 0)


def test_one_listener_has_an_interval_over_clips_and_one_grade_has_none() -> None:
    got = clarity(summarise(KEY, [ASHA]), "all")
    want = clustered_mean([5, 2, 4, 1], ["a1", "b1", "a2", "b2"])
    assert want is not None
    assert (got.low, got.high) == (want.low, want.high)
    single = clarity(summarise(KEY, [make_sheet("Asha", {"a1": all_axes(5)})]), "all")
    assert (single.mean, single.low, single.high) == (5, None, None)


def test_missing_grades_are_counted_and_not_filled_in() -> None:
    half = make_sheet("Asha", {"a1": grades(5, None, 4, 3), "b1": all_axes(None)})
    found = group(summarise(KEY, [half]), "all")
    assert (found.asked, found.complete) == (4, 0)
    assert (found.scores["naturalness"].n, found.scores["naturalness"].missing) == (1, 3)
    assert found.scores["prosody"] == Mean(n=0, missing=4, clips=0, raters=0)
    assert found.scores["clarity"].mean == 3


def test_listeners_are_asked_for_the_languages_that_they_know() -> None:
    key = key_of(make_key_clip("h1", "hi"), make_key_clip("t1", "ta"), make_key_clip("t2", "ta"))
    asha = make_sheet("Asha", {"h1": all_axes(4)}, hi="native", ta="none")
    mani = make_sheet("மணி", {"t1": all_axes(2)}, ta="native")
    found = summarise(key, [asha, mani])
    assert group(found, "all").asked == 3
    assert (clarity(found, "language", lang="hi").mean, clarity(found, "language", lang="hi").missing) == (
        4,
        0,
    )
    assert (clarity(found, "language", lang="ta").mean, clarity(found, "language", lang="ta").missing) == (
        2,
        1,
    )
    # One engine: languages by engine would say the same again.
    assert not [each for each in found.groups if each.by == "language and engine"]


def test_wrong_words_are_a_share_of_those_who_judged() -> None:
    first = make_sheet("Asha", {"a1": {**all_axes(4), "wrong_words": True}, "a2": {"wrong_words": False}})
    second = make_sheet("रवि", {"a1": {**all_axes(4), "wrong_words": False}, "a2": {"clarity": 2}})
    words = group(summarise(KEY, [first, second]), "all").wrong_words
    assert (words.mean, words.n, words.missing) == (1 / 3, 3, 5)


def test_words_that_nobody_found_wrong_are_worth_as_much_as_there_are_listeners() -> None:
    no = {"wrong_words": False}
    sheets = [make_sheet(name, dict.fromkeys(("a1", "a2", "b1", "b2"), no)) for name in ("Asha", "रवि")]
    words = group(summarise(KEY, sheets), "all").wrong_words
    # Wilson's upper end for 0 of 2: z² / (2 + z²).
    assert (words.mean, words.low) == (0, 0)
    assert words.high == pytest.approx(1.959964**2 / (2 + 1.959964**2), abs=1e-6)


def test_a_clip_that_could_not_be_played_is_missing_and_counted() -> None:
    sheet = make_sheet("Asha", {"a1": {**all_axes(1), "unplayable": True}, "a2": all_axes(4)})
    found = group(summarise(KEY, [sheet]), "engine", engine="kokoro")
    assert (found.unplayable, found.scores["clarity"].mean, found.scores["clarity"].missing) == (1, 4, 1)


def test_conditions_and_voices_stand_with_their_engine() -> None:
    key = key_of(
        make_key_clip("a1", voice="v1"),
        make_key_clip("a2", voice="v2", condition="speech/noise-10dB"),
    )
    sheet = make_sheet("Asha", {"a1": all_axes(5), "a2": all_axes(2)})
    found = summarise(key, [sheet])
    assert clarity(found, "condition", engine="kokoro", condition="speech/noise-10dB").mean == 2
    assert clarity(found, "voice", engine="kokoro", voice="v1").mean == 5


def test_agreement_is_over_clips_that_two_graded() -> None:
    found = summarise(KEY, [ASHA, RAVI])
    line = next(each for each in found.agreement if each.axis == "clarity")
    # Units 5-4, 4-4, 2-3, 1-1; margins 1:2 2:1 3:1 4:3 5:1, n = 8.
    # δ²(4,5) = 2² and δ²(2,3) = 1²: observed 4 + 1; expected Σ n n δ² over all pairs of values.
    expected = (
        2 * 1 * 1.5**2 + 2 * 1 * 2.5**2 + 2 * 3 * 4.5**2 + 2 * 1 * 6.5**2
        + 1 * 1 * 1**2 + 1 * 3 * 3**2 + 1 * 1 * 5**2
        + 1 * 3 * 2**2 + 1 * 1 * 4**2
        + 3 * 1 * 2**2
    )  # fmt: skip
    assert line.alpha == pytest.approx(1 - 7 * (4 + 1) / expected)
    # Pairs (5,4) (4,4) (2,3) (1,1): squared distances are 2 over 4, and 64 over the 16 of chance.
    assert line.kappa == pytest.approx(1 - (2 / 4) / (64 / 16))
    assert (line.clips, line.grades, line.pairs) == (4, 8, 1)


REPEATED = key_of(
    make_key_clip("a1"),
    make_key_clip("a2"),
    make_key_clip("a3", of="a1"),
    make_key_clip("a4", of="a2", anchor="noise-0dB"),
)


def repeated(**second: int) -> Sheet:
    return make_sheet(
        "Asha",
        {"a1": grades(4, 4, 3, 5), "a2": all_axes(4), "a3": grades(4, 5, 1, 5), "a4": grades(1, 4, 2, 2)},
    )


def test_repeats_and_anchors_measure_the_listener_and_count_for_no_engine() -> None:
    found = summarise(REPEATED, [repeated()])
    (line,) = found.raters
    assert (line.repeats, line.repeats_same, line.repeats_near, line.repeats_apart) == (4, 0.5, 0.75, 0.75)
    assert (line.anchors, line.anchors_below) == (4, 0.75)
    assert (line.asked, line.complete) == (2, 2)
    assert clarity(found, "all").mean == 4.5
    assert clarity(found, "anchor", anchor="noise-0dB").mean == 2
    assert [clip.clip for clip in found.clips] == ["a1", "a2"]


def test_each_clip_keeps_what_was_said_of_it() -> None:
    said = {**grades(4, None, 2, 5), "wrong_words": True, "comment": "“हज़” कटा है", "heard": "हज़रत"}
    found = summarise(KEY, [make_sheet("Asha", {"a1": said}), RAVI])
    clip = next(each for each in found.clips if each.clip == "a1")
    assert (clip.raters, clip.wrong_words) == (2, 1)
    assert clip.means == {"naturalness": 4, "prosody": 4, "pronunciation": 3, "clarity": 4.5}
    assert (clip.comments, clip.heard) == ({"Asha": "“हज़” कटा है"}, {"Asha": "हज़रत"})


def test_what_was_written_down_is_held_against_what_was_said() -> None:
    key = make_key(
        (make_key_clip("a1", "th"), make_key_clip("a2", "th"), make_key_clip("a3", "th")),
        seed=0, blind=True, write_down=True,
    )  # fmt: skip
    # One of 14 characters is missing; nothing is understood; and the words were not asked for.
    heard = {"a1": {"heard": "เปิด เพลงที่หา"}, "a2": {"heard": ""}, "a3": {"heard": None}}
    found = group(summarise(key, [make_sheet("สมชาย", heard, th="native")]), "all").heard_wrongly
    assert found is not None
    assert found.mean == pytest.approx((1 / 14 + 1) / 2)
    assert (found.n, found.missing) == (2, 1)
    assert group(summarise(KEY, [ASHA]), "all").heard_wrongly is None


def test_nobody_has_rated_yet() -> None:
    found = summarise(KEY, [])
    assert group(found, "all").asked == 0
    assert found.raters == ()
    assert {line.alpha for line in found.agreement} == {None}
