"""Other forms in which people say a number or a name, where the scoring reads an answer more strictly.

An answer of 50.000 may be fifty, so the scoring does not read it as fifty thousand; a person who says it in
Jakarta means that. And a Marathi name takes its ending ("मुंबईहून") that no answer should have.
"""

import re
from collections.abc import Mapping, Sequence

from voicebench.scoring.text import canonical_text

_DOTS_GROUP = frozenset(("id", "vi"))
_NUMBERS: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "en": {2: ("twice", "couple", "pair"), 3: ("third",), 6: ("half a dozen",), 12: ("dozen",)},
    "mr": {2: ("दोन्ही", "दोघे", "दोघांसाठी", "दोघांना"), 3: ("तिघे", "तिघांसाठी"), 4: ("चौघे", "चौघांसाठी")},
    "ta": {2: ("இருவர்", "இருவருக்கு"), 3: ("மூவர்", "மூவருக்கு")},
    "te": {
        2: ("ఇద్దరు", "ఇద్దరికి", "ఇద్దరి"), 3: ("ముగ్గురు", "ముగ్గురికి", "ముగ్గురి"),
        4: ("నలుగురు", "నలుగురికి", "నలుగురి"), 5: ("ఐదుగురు", "ఐదుగురికి"), 6: ("ఆరుగురు", "ఆరుగురికి"),
    },
    "ml": {2: ("രണ്ടെണ്ണം",), 3: ("മൂന്നെണ്ണം",), 4: ("നാലെണ്ണം",)},
    "zh": {2: ("两", "俩")},
    "fil": {2: ("dalawahan",)},
    "id": {2: ("sepasang", "berdua"), 3: ("bertiga",), 4: ("berempat",), 12: ("selusin",)},
}  # fmt: skip
"""Words for how many there are that are no number words."""

_MARATHI_ENDINGS = (
    "पासूनच्या पासूनची पासूनचे पासून पर्यंतच्या पर्यंतचे पर्यंत साठी मध्ये मधील मधून मधल्या वरून वरच्या वर कडे कडून हून जवळच्या जवळ"
    " तील तल्या तून त ला ना ने नी चा ची चे च्या चं शी"
).split()
_MARATHI_ENDING = "|".join(sorted(_MARATHI_ENDINGS, key=len, reverse=True))
_TAMIL_NEUTER, _TAMIL_OBLIQUE = "ம்", "த்த"


def number_forms(value: int | float, lang: str) -> list[str]:
    """Return other ways to write or say a number: 50.000 and 50k in Indonesian, 两 in Chinese.

    Args:
        value: The number.
        lang: The language.
    """
    if isinstance(value, float) and not value.is_integer():
        return [f"{value:g}".replace(".", ",")] if lang in _DOTS_GROUP else []
    number = int(value)
    forms = list(_NUMBERS.get(lang, {}).get(number, ()))
    if lang in _DOTS_GROUP and number >= 1000:
        forms.append(f"{number:,}".replace(",", "."))
    if number >= 1000 and number % 1000 == 0:
        forms.append(f"{number // 1000}k")
    return forms


def with_ending(name: str, text: str, lang: str) -> str | None:
    """Return a name as it stands in a text with an ending of its language; None where it does not.

    Args:
        name: An accepted value.
        text: What is said.
        lang: The language; Marathi and Tamil have endings that the scoring does not take off.
    """
    base = canonical_text(name, lang)
    if lang == "mr" and base:
        oblique = f"{re.escape(base[:-1])}्या" if base.endswith(("ा", "े")) else f"{re.escape(base)}ा"
        pattern = rf"(?:{re.escape(base)}|{oblique})(?:{_MARATHI_ENDING})"
    elif lang == "ta" and base.endswith(_TAMIL_NEUTER):
        pattern = rf"{re.escape(base.removesuffix(_TAMIL_NEUTER))}{_TAMIL_OBLIQUE}\S*"
    else:
        return None
    found = re.search(rf"(?<!\S){pattern}(?!\S)", canonical_text(text, lang))
    return found.group() if found else None


def any_form(forms: Sequence[str], text: str, lang: str) -> str | None:
    """Return the first of some names that stands in a text with an ending; None where none does."""
    return next((found for form in forms if (found := with_ending(form, text, lang)) is not None), None)
