"""Close up abbreviations: `U.S.A.`, `U S A` and `USA`; `एम.जी. रोड`, `एम जी रोड` and `एमजी रोड`.

Only dots and spaces go, and only inside a run of single letters or of the English letters' names, so no
letter is ever lost. Commas and hyphens stay: "A, B" are two blood groups, "AB" is one.
"""

import re

from voicebench.scoring.folding import fold
from voicebench.scoring.letters import LETTER, MARK

_NAMES_OF_LETTERS = """
ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी व्ही डब्ल्यू एक्स वाई वाय जेड झेड
এ বি সি ডি ই এফ জি এইচ আই জে কে এল এম এন ও পি কিউ আর এস টি ইউ ভি ডব্লিউ এক্স ওয়াই জেড
ஏ பி சி டி ஈ எஃப் ஜி எச் ஹெச் ஐ ஜே கே எல் எம் என் ஓ பி கியூ ஆர் எஸ் டி யூ யு வி டபிள்யூ எக்ஸ் ஒய் இசட்
ఏ ఎ బి బీ సి సీ డి డీ ఈ ఇ ఎఫ్ జి జీ హెచ్ ఎచ్ ఐ జె జే కె కే ఎల్ ఎం ఎమ్ ఎన్ ఓ ఒ పి పీ క్యూ క్యు ఆర్ ఎస్ టి టీ యు యూ వి వీ డబ్ల్యూ డబ్ల్యు ఎక్స్
వై జెడ్
എ ബി സി ഡി ഇ എഫ് ജി എച്ച് ഐ ജെ കെ എൽ എം എൻ ഒ പി ക്യു ക്യൂ ആർ എസ് ടി യു വി ഡബ്ല്യു എക്സ് വൈ ഇസഡ്
"""
_BEFORE = rf"(?<!{LETTER}')(?<!{LETTER})"
_AFTER = rf"(?!{LETTER})"
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz") | frozenset(fold(_NAMES_OF_LETTERS).split())
_NAME = "|".join(sorted((name for name in _LETTERS if not name.isascii()), key=len, reverse=True))
_GAP = r"(?:\. ?| )"
_LATIN = re.compile(rf"{_BEFORE}[a-z](?:{_GAP}[a-z]{_AFTER})+")
_NAMED = re.compile(rf"{_BEFORE}(?:{_NAME})(?:{_GAP}(?:{_NAME}){_AFTER})+")
_SYLLABLE = rf"[^\W\d_a-z]{MARK}*"
_DOTTED = re.compile(rf"{_BEFORE}{_SYLLABLE}(?:\. ?{_SYLLABLE}{_AFTER})+")
_DOTS_AND_SPACES = str.maketrans("", "", ". ")


def close_abbreviations(folded: str) -> str:
    """Return a folded text without the dots and spaces inside its abbreviations."""
    folded = _LATIN.sub(_closed, folded)
    if folded.isascii():
        return folded
    folded = _NAMED.sub(_closed, folded)
    return _DOTTED.sub(_closed, folded) if "." in folded else folded


def is_letter(word: str) -> bool:
    """Tell whether a folded word is one Latin letter, or the name of one."""
    return word in _LETTERS


def _closed(match: re.Match[str]) -> str:
    return fold(match.group().translate(_DOTS_AND_SPACES))
