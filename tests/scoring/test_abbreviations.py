"""Abbreviations: their dots and spaces do not count, their letters do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicebench.scoring.abbreviations import close_abbreviations


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("u.s.a.", "usa."),
        ("u s a", "usa"),
        ("m.g. road", "mg. road"),
        ("m.g.road", "mg.road"),
        ("j. p. nagar", "jp. nagar"),
        ("5 p.m.", "5 pm."),
        ("एम.जी. रोड", "एमजी. रोड"),
        ("एम जी रोड", "एमजी रोड"),
        ("एम.जी.रोड", "एमजी.रोड"),
        ("कि.मी.", "किमी."),
        ("பி.டி.எம். லேஅவுட்", "பிடிஎம். லேஅவுட்"),
        ("ఎం జి రోడ్", "ఎంజి రోడ్"),
        ("എം.ജി. റോഡ്", "എംജി. റോഡ്"),
        ("ก.ท.ม.", "กทม."),
    ],
)
def test_an_abbreviation_is_closed_up(text: str, closed: str) -> None:
    assert close_abbreviations(text) == closed


@pytest.mark.parametrize("text", ["a, b", "a-b", "plan b", "dr. rao", "टी.नगर", "i am", "a 1 b", ""])
def test_what_is_none_stays(text: str) -> None:
    assert close_abbreviations(text) == text


@given(st.text(alphabet="abc .,'एमजीकि"))
def test_only_dots_and_spaces_go(text: str) -> None:
    kept = close_abbreviations(text)
    assert kept.translate(str.maketrans("", "", ". ")) == text.translate(str.maketrans("", "", ". "))
