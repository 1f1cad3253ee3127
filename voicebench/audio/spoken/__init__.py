"""Text to what is said aloud: figures, dates, amounts and symbols become words before synthesis.

A synthesizer that is given "OTP 4582" or "₹1,50,000" reads it as it likes, and what an agent then hears is no
longer the task's doing. `spoken` is pure and idempotent, and what it returns for a language in `LANGUAGES`
holds no digit.

A language is one class in one file (`english.py`, `hindi.py`, …): its vocabulary, how its numbers are put
together, and the written forms that it alone has. What is common to all is in `rules/`, by kind.
"""

from voicebench.audio.spoken.bengali import Bengali
from voicebench.audio.spoken.chinese import Chinese
from voicebench.audio.spoken.cleaning import clean
from voicebench.audio.spoken.english import English
from voicebench.audio.spoken.filipino import Filipino
from voicebench.audio.spoken.hindi import Hindi
from voicebench.audio.spoken.indonesian import Indonesian
from voicebench.audio.spoken.language import Language
from voicebench.audio.spoken.malayalam import Malayalam
from voicebench.audio.spoken.marathi import Marathi
from voicebench.audio.spoken.saying import say
from voicebench.audio.spoken.tamil import Tamil
from voicebench.audio.spoken.telugu import Telugu
from voicebench.audio.spoken.thai import Thai
from voicebench.audio.spoken.vietnamese import Vietnamese

LANGUAGES: dict[str, Language] = {
    language.code: language
    for language in (
        English(), Hindi(), Bengali(), Marathi(), Tamil(), Telugu(), Malayalam(), Vietnamese(), Thai(),
        Indonesian(), Filipino(), Chinese(),
    )
}  # fmt: skip
"""Languages whose figures are spoken here."""

_ALIASES = {"tl": "fil", "cmn": "zh", "yue": "zh"}

__all__ = ["LANGUAGES", "Language", "spoken"]


def spoken(text: str, lang: str, *, region: str | None = None) -> str:
    """Return a text as it is said aloud.

    Args:
        text: What is written.
        lang: Language code; a language that is not in `LANGUAGES` keeps its figures.
        region: Country code. "IN" counts in lakh and crore; "US" reads 3/4/2023 as the fourth of March.

    Returns:
        The text with single spaces; "" where there is nothing to say.
    """
    code = lang.partition("-")[0].lower()
    language = LANGUAGES.get(_ALIASES.get(code, code))
    if language is None:
        return clean(text)
    return say(clean(text), language, region)
