"""Letters and digits in one written form: what differs only in encoding or in spelling convention agrees.

Encoding: Unicode NFKC, case, the decimal digits of every script, invisible format characters, typewriter
substitutes (two Thai `เ` for `แ`). Convention: the ways in which one language writes one word, none of which
tells two words apart. They are few, and each is named where it is done. Whatever tells two words apart in a
language stays: vowel signs, Vietnamese and Thai tones, ड and ड़, ড and ড়, हँस and हंस, traditional and
simplified Chinese.
"""

import re
import unicodedata

# ---- Digits, signs ----

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2044\u2215\u00f7", "/"),
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u2032\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        "\u066a": "%",
        "\u066b": ".",
        "\u066c": ",",
    }
)
_SPACED_MINUS = re.compile(r"(?<![^\W\d_])\u2212\s+(?=[\d.])")
_NARROW_GROUPS = re.compile(
    r"(?<![\d.,])\d{1,3}(?:\u00a0\d{3})+(?![\d\u00a0])|(?<![\d.,])\d{1,3}(?:\u202f\d{3})+(?![\d\u202f])"
    r"|(?<![\d.,])\d{1,3}(?:\u2009\d{3})+(?![\d\u2009])"
)
_NARROW_SPACES = re.compile("[\u00a0\u202f\u2009]")
# NFKC would turn 5² into 52.
_RAISED = re.compile("(?<=\\d)(?=[\u00b2\u00b3\u00b9\u2070-\u2079])")

# NFKC would turn 1½ into 11/2.
_NUMBER_LETTER = re.compile(r"(?<=\d)[^\W\d_a-zA-Z]")
_NATIVE_DIGIT = re.compile(r"[^\D0-9]")
_FORMAT_CHARACTERS = re.compile(
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0001\U000e0020-\U000e007f]"
)

# ---- Devanagari ----

_EYELASH_RA = re.compile("र\u094d\u200d")  # दऱ्या (valleys) is another word than दर्या (sea)
_LOAN_NUKTA = re.compile("(?<=[कखगजफ])\u093c")  # in Hindi, क़ ख़ ग़ ज़ फ़ are क ख ग ज फ with the dot written
_NASAL = re.compile(
    "ङ\u094d(?=[क-घ])|ञ\u094d(?=[च-झ])|ण\u094d(?=[ट-ढ])|न\u094d(?=[च-झट-ढत-ध])|म\u094d(?=[प-भ])"
)
_MOON_DOT = re.compile("(?<=[\u093e-\u094cआईऊएऐओऔ])\u0901")  # चाँद, चांद; but हँस (laugh) is not हंस (swan)

# ---- Other scripts ----

_BENGALI_NASAL = re.compile("ঙ\u09cd(?=[ক-ঘ])")  # ব্যাঙ্ক, ব্যাংক
# Older text writes these as consonant, virama and joiner; once the joiner is dropped, they must agree.
_ONE_LETTER = str.maketrans(
    {
        "ൺ": "ണ്", "ൻ": "ന്", "ർ": "ര്", "ൽ": "ല്", "ൾ": "ള്", "ൿ": "ക്", "\u0d4c": "\u0d57", "ৎ": "ত্",
    }
)  # fmt: skip
_TAMIL_SRI = "ஶ்ரீ", "ஸ்ரீ"
_THAI_AM = re.compile("\u0e4d([\u0e48-\u0e4b]+)(?=\u0e32)")
_THAI_ABOVE = re.compile(
    "(?<![\u0e48-\u0e4b])[\u0e48-\u0e4b]++[\u0e31\u0e34-\u0e39][\u0e31\u0e34-\u0e39\u0e48-\u0e4b]*"
)
_THAI_TONES = re.compile("[\u0e48-\u0e4b]+")
_VIETNAMESE_PLACES = {
    f"{toned}{second}": f"{first}{other}"
    for first, tones in (("o", "òóỏõọ"), ("u", "ùúủũụ"))
    for second, others in (("a", "àáảãạ"), ("e", "èéẻẽẹ"), ("y", "ỳýỷỹỵ"))
    if (first == "u") == (second == "y")
    for toned, other in zip(tones, others, strict=True)
}
_VIETNAMESE_TONE = re.compile("|".join(_VIETNAMESE_PLACES))  # hòa, hoà


def fold(text: str) -> str:
    """Return a string in the one written form of its letters, digits, dashes and quotes.

    Spaces are collapsed; punctuation stays. Folding twice changes nothing more.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    text = _SPACED_MINUS.sub("-", _NARROW_GROUPS.sub(_without_narrow_spaces, _RAISED.sub("^", text)))
    # The eyelash form is told by its joiner alone, so it goes before the joiner.
    text = _EYELASH_RA.sub("ऱ\u094d", text.translate(_SIGNS))
    folded = unicodedata.normalize("NFKC", ascii_digits(text).casefold())
    folded = _FORMAT_CHARACTERS.sub("", folded.translate(_SIGNS))
    if not folded.isascii():
        folded = unicodedata.normalize("NFC", _same_spelling(unicodedata.normalize("NFC", folded)))
    return " ".join(folded.split())


def ascii_digits(text: str) -> str:
    """Return a string in NFKC with the decimal digits of every script as ASCII digits."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", _NUMBER_LETTER.sub(_apart, text))
    return _NATIVE_DIGIT.sub(lambda match: str(unicodedata.decimal(match.group())), text)


def _same_spelling(text: str) -> str:
    """Write one way what a language writes in several; composed letters in, composed letters out."""
    text = _MOON_DOT.sub("\u0902", _NASAL.sub("\u0902", _LOAN_NUKTA.sub("", text)))
    text = _BENGALI_NASAL.sub("\u0982", text).translate(_ONE_LETTER).replace(*_TAMIL_SRI)
    text = _THAI_ABOVE.sub(_vowels_first, text.replace("เเ", "แ"))
    text = _THAI_AM.sub("\\1\u0e4d", text)
    return _VIETNAMESE_TONE.sub(lambda match: _VIETNAMESE_PLACES[match.group()], text)


def _vowels_first(match: re.Match[str]) -> str:
    marks = match.group()
    return _THAI_TONES.sub("", marks) + "".join(_THAI_TONES.findall(marks))


def _without_narrow_spaces(match: re.Match[str]) -> str:
    return _NARROW_SPACES.sub("", match.group())


def _apart(match: re.Match[str]) -> str:
    char = match.group()
    return f" {char}" if unicodedata.category(char) == "No" else char
