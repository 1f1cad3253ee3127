"""What is measured on a clip, what breaks it, and what is doubtful about it."""

from typing import Any

import numpy as np
import pytest

from voicebench.audio.checks import Limits, broken, cut, doubts, measure, syllables
from voicebench.types import Audio

RATE = 16000


def sound(seconds: float, *, level: float = 0.1, rise_s: float = 0.02) -> Audio:
    """A tone of 200 Hz that rises and falls."""
    time_s = np.arange(round(seconds * RATE)) / RATE
    edges = np.minimum(1, np.minimum(time_s, time_s[::-1]) / rise_s) if rise_s else 1.0
    wave = level * edges * np.sin(2 * np.pi * 200 * time_s + (0 if rise_s else 1.0))
    return Audio(np.clip(wave, -1, 1).astype(np.float32), RATE)


def silence(seconds: float) -> Audio:
    return Audio(np.zeros(round(seconds * RATE), np.float32), RATE)


def joined(*clips: Audio) -> Audio:
    return Audio(np.concatenate([clip.samples for clip in clips]), RATE)


def why(source: Audio, text: str, lang: str = "en") -> str | None:
    return broken(measure(source, source, text, lang), text, lang)


@pytest.mark.parametrize(
    ("text", "lang", "count"),
    [
        ("Book a cab to the airport", "en", 7),
        ("मुझे टैक्सी चाहिए", "hi", 7),
        ("संस्कृत", "hi", 3),
        ("வணக்கம் நண்பா", "ta", 6),
        ("Xin chào, tôi muốn đặt xe", "vi", 6),
        ("ฉันต้องการรถ", "th", 4),
        ("你好，我想订车", "zh", 6),
        ("मेरी cab कब आएगी", "hi", 8),
        ("", "en", 0),
        ("123 …", "en", 0),
    ],
)
def test_syllables_are_counted_in_each_script(text: str, lang: str, count: float) -> None:
    assert syllables(text, lang) == pytest.approx(count, abs=0.5)


def test_speech_at_a_usual_pace_is_neither_broken_nor_doubtful() -> None:
    text = "Book a cab to the airport"
    found = measure(sound(1.5), sound(1.5), text, "en")
    assert found["syllables_per_s"] == pytest.approx(7 / 1.5, rel=0.05)
    assert (found["clipped"], found["longest_pause_s"], found["cut"]) == (0, 0.0, None)
    assert broken(found, text, "en") is None
    assert doubts(found, text, "en", Limits()) == ()


def test_a_silent_clip_is_broken() -> None:
    assert why(silence(2), "Book a cab") == "it is silent"


def test_a_clipped_clip_is_broken_and_a_few_samples_are_not() -> None:
    assert why(sound(2, level=2.0), "Book a cab now") == "66.6 % of its samples are at full scale"
    few = sound(2)
    few.samples[1000:1010] = 1.0
    assert why(few, "Book a cab now") is None


def test_a_clip_far_too_short_or_long_for_its_text_is_broken() -> None:
    long_text = "Book a cab from the station to the airport for tomorrow morning at nine"
    assert "too short for its text" in str(why(sound(0.3), long_text))
    assert "too long for its text" in str(why(sound(20), "Yes"))
    assert why(sound(3), "Yes") is None


def test_a_text_whose_syllables_cannot_be_counted_may_take_any_time() -> None:
    found = measure(sound(20), sound(20), "…", "en")
    assert found["syllables_per_s"] is None
    assert broken(found, "…", "en") is None


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ({"syllables_per_s": 1.0}, ("pace",)),
        ({"syllables_per_s": 11.0}, ("pace",)),
        ({"longest_pause_s": 2.5}, ("pause",)),
        ({"cut": "start"}, ("cut",)),
        ({"lufs": -40.0}, ("quiet",)),
        ({"speaker_similarity": 0.3}, ("voice",)),
        ({"cer": 0.31}, ("cer",)),
        ({"cer": 0.29}, ()),
        ({"cer": 0.9, "script": 0.1}, ("script",)),
        ({}, ()),
    ],
)
def test_each_doubt_has_its_name(checks: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert doubts(checks, "Book a cab to the airport", "en", Limits(), 0.4) == expected


def test_a_word_may_be_drawn_out() -> None:
    assert doubts({"syllables_per_s": 1.0}, "Yes please", "en", Limits()) == ()


def test_the_error_rate_that_passes_is_the_languages() -> None:
    limits = Limits({"hi": 0.2}, 0.6)
    assert doubts({"cer": 0.3}, "मुझे टैक्सी चाहिए", "hi", limits) == ("cer",)
    assert doubts({"cer": 0.3}, "வணக்கம் நண்பா", "ta", limits) == ()


def test_the_longest_pause_is_measured() -> None:
    clip = joined(sound(1), silence(2.5), sound(1), silence(0.5), sound(1))
    assert measure(clip, clip, "Book a cab", "en")["longest_pause_s"] == pytest.approx(2.5, abs=0.06)


def test_a_clip_that_begins_or_ends_within_a_sound_is_noticed() -> None:
    assert cut(sound(1)) == ()
    assert cut(sound(1, rise_s=0)) == ("start", "end")
    assert cut(joined(sound(1, rise_s=0), silence(0.2))) == ("start",)
    assert cut(joined(silence(0.2), sound(1, rise_s=0))) == ("end",)
    assert cut(silence(1)) == ()
    assert cut(sound(0.005)) == ()
