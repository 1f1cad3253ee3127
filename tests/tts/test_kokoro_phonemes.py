from typing import Any

import pytest

from voicebench_tts import _espeak, _kokoro_phonemes
from voicebench_tts._kokoro_phonemes import chunks

VOCABULARY = frozenset(
    " .,!?;:—…" + "AIOQWY" + "abdefhijklmnpqrstuvwxzçðŋɐɑɒɔəɛɜɟɡɪɹɾʃʈʊʋʌʒθʤʧʰˈˌːᵊT" + "\u0303"
)
SAID = {
    "Book": [["b", "ˈʊ", "k"]],
    "go now": [["ɡ", "ˌoʊ"], ["n", "ˈaʊ"]],
    "fire": [["f", "ˈaɪɚ", "ɹ"]],
    "hurry": [["h", "ˈɜː", "ɹ", "i"]],
    "water": [["w", "ˈɔː", "ɾ", "ɚ"]],
    "button": [["b", "ˈʌ", "ʔ", "n̩"]],
    "मेरा booking": [["m", "ˌeː", "ɾ", "aː"], ["(en)", "b", "ˈʊ", "k", "ɪ", "ŋ", "(hi)"]],
    "में": [["m", "ẽː"]],
    "x": [["ʘ"]],
}


@pytest.fixture(autouse=True)
def _without_espeak(monkeypatch: pytest.MonkeyPatch) -> None:
    def phonemes(text: str, voice: str) -> list[list[str]]:
        return SAID.get(text.strip(), [["a"]] if text.strip() else [])

    monkeypatch.setattr(_espeak, "phonemes", phonemes)


@pytest.mark.parametrize(
    ("text", "accent", "want"),
    [
        ("go now", "en-us", "ɡˌO nˈW"),
        ("fire", "en-us", "fˈIəɹ"),
        ("hurry", "en-us", "hˈɜɹi"),
        ("water", "en-us", "wˈɔTəɹ"),
        ("button", "en-us", "bˈʌtᵊn"),
        ("water", "en-gb", "wˈɔːɾ"),
        ("मेरा booking", "hi", "mˌeːɾaː bˈʊkɪŋ"),
        ("में", "hi", "me\u0303ː"),
    ],
)
def test_espeaks_phonemes_become_the_models_symbols(text: str, accent: str, want: str) -> None:
    assert chunks(text, accent, VOCABULARY) == [want]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Book, Book! Book", "bˈʊk, bˈʊk! bˈʊk"),
        ("Book। Book॥", "bˈʊk. bˈʊk."),
        ("Book。Book？", "bˈʊk. bˈʊk?"),
        ("Book...", "bˈʊk."),
        ("...Book", "a"),
    ],
)
def test_punctuation_stays_between_the_clauses(text: str, want: str) -> None:
    assert chunks(text, "hi", VOCABULARY) == [want]


def test_a_text_with_nothing_to_say_has_no_pieces() -> None:
    assert chunks("", "en-us", VOCABULARY) == []
    assert chunks("...", "en-us", VOCABULARY) == []
    assert chunks("x", "en-us", VOCABULARY) == []


def test_long_texts_are_cut_at_sentences_then_clauses_then_words() -> None:
    sentences = chunks("Book. Book, Book.", "en-us", VOCABULARY, longest=11)
    assert sentences == ["bˈʊk.", "bˈʊk, bˈʊk."]
    assert chunks("Book. Book, Book.", "en-us", VOCABULARY, longest=6) == ["bˈʊk.", "bˈʊk,", "bˈʊk."]
    assert chunks("go now", "en-us", VOCABULARY, longest=4) == ["ɡˌO", "nˈW"]


def test_a_word_longer_than_a_piece_is_cut_rather_than_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(text: str, voice: str) -> Any:
        return [["a"] * 25]

    monkeypatch.setattr(_espeak, "phonemes", endless)
    assert chunks("aaa", "en-us", VOCABULARY, longest=10) == ["a" * 10, "a" * 10, "a" * 5]


@pytest.mark.parametrize("accent", sorted(_kokoro_phonemes.ESPEAK_VOICES))
def test_no_piece_is_longer_than_allowed_and_all_symbols_are_known(accent: str) -> None:
    pieces = chunks("Book now, " * 200, accent, VOCABULARY)
    assert len(pieces) > 1
    assert all(len(piece) <= _kokoro_phonemes.LONGEST for piece in pieces)
    assert set("".join(pieces)) <= VOCABULARY
