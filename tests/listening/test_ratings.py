"""Ratings that come back: what is taken, what is refused, and with which line."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.listening.ratings import read_ratings

from .helpers import all_axes, key_of, make_key_clip, ratings_file

KEY = key_of(make_key_clip("c1", "hi"), make_key_clip("c2", "ta"), make_key_clip("c3", "ta"))


def test_ratings_are_read_with_what_is_missing(tmp_path: Path) -> None:
    rating = {
        "clip": "c1",
        **all_axes(4),
        "prosody": None,
        "wrong_words": True,
        "comment": "ठीक",
        "listens": 2,
    }
    path = ratings_file(tmp_path / "r.json", KEY, [rating])
    (sheet,) = read_ratings([path], KEY)
    read = sheet.ratings["c1"]
    assert (read.clarity, read.prosody, read.wrong_words, read.comment) == (4, None, True, "ठीक")
    assert sheet.langs == {"hi"}


@pytest.mark.parametrize(
    ("rating", "said"),
    [
        ({"clip": "c9"}, "rating 1 (c9): there is no such clip on the page"),
        ({"clip": "c1", "clarity": 6}, "rating 1 (c1): clarity: Input should be less than or equal to 5"),
        ({"clip": "c1", "clarity": 0}, "clarity: Input should be greater than or equal to 1"),
        ({"clip": "c1", "prosody": 3.5}, "prosody: Input should be a valid integer"),
        ({"clip": "c1", "prosody": True}, "prosody: Input should be a valid integer"),
        ({"clip": "c1", "prosody": "4"}, "prosody: Input should be a valid integer"),
        ({"clip": "c1", "wrong_words": 1}, "wrong_words: Input should be a valid boolean"),
        ({"clip": "c1", "naturalnes": 3}, "unknown key 'naturalnes'. Did you mean 'naturalness'?"),
        ({"clarity": 3}, "key 'clip' is missing"),
    ],
)
def test_a_wrong_rating_is_named_with_its_file(tmp_path: Path, rating: dict[str, Any], said: str) -> None:
    path = ratings_file(tmp_path / "r.json", KEY, [rating])
    with pytest.raises(UserError) as raised:
        read_ratings([path], KEY)
    assert str(raised.value).startswith(f"{path}: ")
    assert said in str(raised.value)


def test_a_clip_rated_twice_in_a_file_is_refused(tmp_path: Path) -> None:
    path = ratings_file(tmp_path / "r.json", KEY, [{"clip": "c1"}, {"clip": "c1"}])
    with pytest.raises(UserError, match=r"rating 2 \(c1\): this clip is rated twice"):
        read_ratings([path], KEY)


def test_ratings_of_another_page_are_refused(tmp_path: Path) -> None:
    path = ratings_file(tmp_path / "r.json", KEY, [], page="0000000000000000")
    with pytest.raises(UserError, match=f"rates page 0000000000000000, but the key is of page {KEY.page}"):
        read_ratings([path], KEY)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("[]", "must hold a JSON object, not list"),
        ("{}", "holds no ratings"),
        ('{"format": "voicebench-ratings/1", "page": "x"}', "key 'rater' is missing"),
    ],
)
def test_a_file_that_holds_no_ratings_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as raised:
        read_ratings([path], KEY)
    assert str(raised.value).startswith(f"{path}: ")
    assert said in str(raised.value)


def test_a_missing_file_and_an_unknown_level_are_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_ratings([tmp_path / "r.json"], KEY)
    path = ratings_file(tmp_path / "r.json", KEY, [], languages={"hi": "good"})
    with pytest.raises(UserError, match=r"rater\.languages\.hi"):
        read_ratings([path], KEY)


def test_of_two_files_of_a_listener_the_later_one_counts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    new = ratings_file(tmp_path / "new.json", KEY, [{"clip": "c1", "clarity": 5}], saved="2026-11-30T13")
    old = ratings_file(tmp_path / "old.json", KEY, [{"clip": "c1", "clarity": 1}], saved="2026-11-30T12")
    with caplog.at_level(logging.WARNING):
        (sheet,) = read_ratings([new, old], KEY)
    assert sheet.ratings["c1"].clarity == 5
    assert caplog.messages == [f"{old}: an earlier file of AK, left out for {new}"]


def test_two_listeners_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = [ratings_file(tmp_path / f"{n}.json", KEY, [], name="अ क", id_=f"0{n}") for n in (1, 2)]
    assert [sheet.rater.name for sheet in read_ratings(paths, KEY)] == ["अ क", "अ क (2)"]


def test_ratings_in_languages_that_somebody_does_not_know_are_left_out(tmp_path: Path) -> None:
    ratings = [{"clip": "c1", "clarity": 3}, {"clip": "c2", "clarity": 4}]
    known = {"hi": "none", "ta": "fluent"}
    path = ratings_file(tmp_path / "r.json", KEY, ratings, languages=known)
    (sheet,) = read_ratings([path], KEY)
    assert set(sheet.ratings) == {"c2"}
    (native,) = read_ratings([path], KEY, native_only=True)
    assert (native.ratings, native.langs) == ({}, set())


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = ratings_file(tmp_path / "r.json", KEY, [])
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(json.loads(path.read_text("utf-8"))).encode())
    assert len(read_ratings([path], KEY)) == 1
