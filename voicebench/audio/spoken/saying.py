"""A whole text said, rule after rule."""

import re

from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import JOINT, Language
from voicebench.audio.spoken.rules import apply

_BEFORE_A_MARK = re.compile(r"\s+([,.;:!?।，。；：！？、])")
_NO_SPACE_NEEDED = "\u0e00-\u0e7f\u3001-\u303f\u4e00-\u9fff\uff00-\uffef"
_CLOSING = re.compile(rf"(?<=[{_NO_SPACE_NEEDED}])(?=\s*{JOINT})\s+(?=[{_NO_SPACE_NEEDED}])")


def say(text: str, language: Language, region: str | None) -> str:
    """Return a cleaned text with every figure and symbol in the words of a language."""
    context = Context(language, region)
    while (said := _pass(text, context)) != text:
        # A figure that became a word can leave an abbreviation standing alone ("0Rs"), so once more.
        text = said
    return said


def _pass(text: str, context: Context) -> str:
    text = apply(text, context)
    if context.language.unspaced:
        text = _CLOSING.sub("", text)
    return context.language.finish(" ".join(_BEFORE_A_MARK.sub(r"\1", text).split()))
