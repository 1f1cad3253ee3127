"""The written forms that one language alone has."""

import re
from collections.abc import Callable

from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import JOINT, Language


def forms(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of a language's own forms, in the order in which it names them."""
    own = [(re.compile(pattern, re.IGNORECASE), said) for pattern, said in language.forms()]

    def say(text: str, context: Context) -> str:
        for pattern, said in own:
            text = pattern.sub(lambda match, said=said: f"{JOINT}{said(match)}{JOINT}", text)  # type: ignore[misc]
        return text

    return say
