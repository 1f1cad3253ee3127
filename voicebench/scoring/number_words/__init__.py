"""Numbers that are written in words, in twelve languages, as digits.

A number is converted only where a run of number words is a number in the grammar of its language; what is
invalid, or could be meant in two ways, stays in words: two different numbers must never become equal. Three
digit words or more in a row are read digit by digit ("four five eight two" is 4582). A spoken sign, a decimal
point and a magnitude always count.

`terms` says what words can contribute, `grammar` how they add up; a module for each language has its words;
`lexicon` and `spaced` read text between spaces, `thai` and `chinese` text without.
"""

from voicebench.scoring.number_words import chinese, spaced, thai
from voicebench.scoring.number_words.lexicon import lexicon

_ALIASES = {"tl": "fil", "yue": "zh", "cmn": "zh"}
_LANGUAGES = frozenset("bn en fil hi id ml mr ta te th vi zh".split())
_UNSPACED = {"th": thai.with_digits, "zh": chinese.with_digits}
_MOST_ROUNDS = 4


def with_digits(text: str, lang: str | None) -> str:
    """Return a text with every number that is written in words, wholly or partly, in ASCII digits.

    Everything else stays as it was, but that digits have a space between them and a letter.

    Args:
        text: Text in canonical form: folded (`fold`), without punctuation but for what belongs to a number.
        lang: Language of the text. Its number words and the English ones are read; for None or a language
            that is not known, the English ones and those of the languages that a script tells (Devanagari is
            read as Hindi and as Marathi).
    """
    code = lang.partition("-")[0].lower() if lang else None
    code = _ALIASES.get(code, code) if code else None
    known = code if code in _LANGUAGES else None
    words = lexicon(known)
    if text.isascii():
        return spaced.with_digits(text, words)
    unspaced = [read for language, read in _UNSPACED.items() if known in (None, language)]
    if not unspaced:
        return spaced.with_digits(text, words)
    # "two ล้าน" is read by both.
    for _ in range(_MOST_ROUNDS):
        before = text
        text = spaced.with_digits(text, words)
        for read in unspaced:
            text = read(text)
        if text == before:
            break
    return text
