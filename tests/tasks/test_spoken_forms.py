"""Numbers and names in forms that people say and answers should not have."""

import pytest

from voicebench.tasks.spoken_forms import any_form, number_forms, with_ending


@pytest.mark.parametrize(
    ("value", "lang", "forms"),
    [
        (50000, "id", ["50.000", "50k"]),
        (50500, "vi", ["50.500"]),
        (50000.0, "en", ["50k"]),
        (1.5, "id", ["1,5"]),
        (1.5, "en", []),
        (2, "zh", ["两", "俩"]),
        (12, "en", ["dozen"]),
        (3, "te", ["ముగ్గురు", "ముగ్గురికి", "ముగ్గురి"]),
        (7, "th", []),
    ],
)
def test_numbers_have_other_forms(value: float, lang: str, forms: list[str]) -> None:
    assert number_forms(value, lang) == forms


@pytest.mark.parametrize(
    ("name", "text", "lang", "words"),
    [
        ("मुंबई", "मुंबईहून निघायचं आहे", "mr", "मुंबईहून"),
        ("पुणे", "मला पुण्याला जायचं आहे", "mr", "पुण्याला"),
        ("पुणे स्टेशन", "पुणे स्टेशनपासून", "mr", "पुणे स्टेशनपासून"),
        ("बाजार", "बाजारात सोडा", "mr", "बाजारात"),
        ("மேற்கு மாம்பலம்", "மேற்கு மாம்பலத்திலிருந்து வா", "ta", "மேற்கு மாம்பலத்திலிருந்து"),
        ("मुंबई", "मुंबईकर", "mr", None),
        ("मुंबई", "मुंबईला", "hi", None),
        ("Pune", "Puneला", "hi", None),
        ("", "काही", "mr", None),
    ],
)
def test_a_name_may_have_an_ending(name: str, text: str, lang: str, words: str | None) -> None:
    assert with_ending(name, text, lang) == words


def test_the_first_form_that_stands_there_is_found() -> None:
    assert any_form(["Pune", "पुणे"], "पुण्यात", "mr") == "पुण्यात"
    assert any_form([], "पुण्यात", "mr") is None
