import threading
import time

import numpy as np
import pytest

from voicebench.errors import UserError
from voicebench_tts import _espeak
from voicebench_tts.espeak import Espeak

pytest.importorskip("espeakng_loader")

TEXTS = {"en": "book a cab", "hi": "मुझे टैक्सी चाहिए", "ta": "எனக்கு வேண்டும்", "th": "ฉันต้องการ", "zh": "我想订车"}


@pytest.mark.parametrize(("lang", "text"), TEXTS.items())
def test_every_script_is_spoken(lang: str, text: str) -> None:
    audio = Espeak().synthesize([text], lang=lang, seed=0)[0]
    assert audio.sample_rate_hz == 22050
    assert 0.3 < audio.duration_s < 3
    assert np.abs(audio.samples).max() > 0.1


def test_what_was_said_before_does_not_change_the_sound() -> None:
    alone = Espeak().synthesize(["book a cab"], lang="en", seed=0)[0]
    after = Espeak().synthesize(["one two three", "book a cab"], lang="en", seed=1)[1]
    assert np.array_equal(alone.samples, after.samples)


def test_a_breathy_voice_sounds_the_same_at_every_time_of_day() -> None:
    said = []
    for _ in range(2):
        said.append(_espeak.speak("Put a pizza in my basket", "en-us+f3")[0])
        time.sleep(1.1)  # the library's clock counts seconds
    assert np.array_equal(*said)


def test_variants_are_other_voices() -> None:
    voices = Espeak().voices("hi")
    assert [voice.id for voice in voices[:2]] == ["hi", "hi+f1"]
    assert {voice.gender for voice in voices} == {"female", "male"}
    plain, other = (
        Espeak().synthesize(["नमस्ते"], lang="hi", voice=voice, seed=0)[0] for voice in ("hi", "hi+f1")
    )
    assert not np.array_equal(plain.samples, other.samples)


def test_a_language_it_does_not_speak_has_no_voices() -> None:
    assert Espeak().voices("fil") == ()


def test_phonemes_come_word_by_word_with_their_stress() -> None:
    assert _espeak.phonemes("book a cab", "en-us") == [["b", "ˈʊ", "k"], ["ɐ"], ["k", "ˈæ", "b"]]
    assert _espeak.phonemes("", "en-us") == []


def test_an_unknown_voice_is_named() -> None:
    with pytest.raises(UserError, match="espeak-ng has no voice 'xx'"):
        _espeak.phonemes("hello", "xx")
    with pytest.raises(UserError, match=r"no voice 'hi\+f9' for 'hi'. Did you mean 'hi\+f"):
        Espeak().synthesize(["नमस्ते"], lang="hi", voice="hi+f9", seed=0)


def test_a_nul_in_the_text_does_not_end_it() -> None:
    assert _espeak.phonemes("book\0cab", "en-us") == _espeak.phonemes("book cab", "en-us")


def test_threads_do_not_disturb_each_other() -> None:
    want = {lang: _espeak.speak(text, lang)[0] for lang, text in [("hi", "नमस्ते"), ("ta", "வணக்கம்")]}
    got: list[tuple[str, bool]] = []

    def speak(lang: str, text: str) -> None:
        got.append((lang, np.array_equal(_espeak.speak(text, lang)[0], want[lang])))

    threads = [threading.Thread(target=speak, args=args) for args in [("hi", "नमस्ते"), ("ta", "வணக்கம்")] * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 6
    assert all(same for _, same in got)
