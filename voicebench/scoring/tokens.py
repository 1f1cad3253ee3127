"""Split folded text into its words, numbers and symbols; what stands between them is left out.

A number keeps everything that makes it another number: its sign, its decimal point, and what joins it with
the next one (12-13, 1/2, 10:30, 5'6). Between a letter and a digit nothing counts: B-12, B 12 and B12 are the
same two tokens. A hyphen there is no minus sign; one behind a space, a bracket or a symbol is. One Latin
letter keeps a sign at its end (a grade, a blood group, a note: A-, AB-, F#); a plus is a symbol, and stays.
"""

import re
import unicodedata

from voicebench.scoring.abbreviations import is_letter
from voicebench.scoring.folding import fold
from voicebench.scoring.letters import LETTER

_SIGN = rf"(?:(?<!\d)(?<!{LETTER})[-+])"
_JOINT = r"(?:[.,:'^-]|\.{2,}| ?- | ?[/*] ?)"
_SIGN_OF_A_LETTER = rf"(?:(?<=(?<!{LETTER})[a-z])|(?<=(?<!{LETTER})ab))[-#](?![\w-])"
_SIGNS_OF_LETTERS = ("-", "#")
_TOKEN = re.compile(
    rf"(?P<word>{LETTER}+(?:['`]+{LETTER}+)*(?:{_SIGN_OF_A_LETTER})?)"
    rf"|(?P<number>{_SIGN}?"
    rf"(?:(?<![\d.])(?<!{LETTER})\d+(?:\.\d+)?e[-+]?\d+(?![\d.])(?!{LETTER})"
    rf"|(?:(?<![\d.])(?<!{LETTER})\.)?\d+(?:{_JOINT}\.?\d+)*(?P<unit>['\"](?!\w))?)"
    rf"(?: ?[%‰‱])?)"
    r"|(?P<other>[^\w\s]|_)"
)
_OPENING_QUOTE = re.compile(r"(?<!\S)['\"](?=\S)")
_LOOSE_SIGN = re.compile(r"^- (?=\.?\d)")
_BARE_NUMBER = re.compile(r"[-+.]?\.?\d.*[^%‰‱]|\d")
_QUOTES = str.maketrans("", "", "'`")
_KEPT = frozenset("%‰‱")


def tokens(folded: str) -> list[str]:
    """Return the words, numbers and symbols of a folded text, in order.

    A comma stands for punctuation between two single letters: "A, B" is not "A B", which is AB.
    """
    folded = _LOOSE_SIGN.sub("-", folded)
    quoted = _OPENING_QUOTE.search(folded) is not None
    found: list[str] = []
    apart = False
    for match in _TOKEN.finditer(folded):
        token = match.group()
        if match["other"] and token not in _KEPT and unicodedata.category(token).startswith("P"):
            apart = True
            continue
        if match["word"]:
            token = fold(token.translate(_QUOTES)) if "'" in token or "`" in token else token
            if apart and is_letter(token) and found and is_letter(found[-1]):
                found.append(",")
        elif match["number"]:
            unit = match["unit"]
            if found and found[-1].endswith(_SIGNS_OF_LETTERS):
                found[-1] = found[-1][:-1]
            token = (token.replace(unit, "") if unit and quoted else token).replace(" ", "")
        elif token in _KEPT and found and _BARE_NUMBER.fullmatch(found[-1]):
            token = found.pop() + token
        found.append(token)
        apart = False
    return found
