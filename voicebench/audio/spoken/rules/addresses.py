"""E-mail and web addresses."""

import re
from collections.abc import Callable

from voicebench.audio.spoken.figures import Context
from voicebench.audio.spoken.language import JOINT, Language

_DOTTED = re.compile(r"[A-Za-z\d]\.[A-Za-z]|://")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_GENERAL = "com|org|net|gov|edu|info|app|dev|shop|store|online|io|ai|co"
_OF_COUNTRIES = "in|id|vn|th|ph|cn|bd|lk|sg|my|uk|us|au|de|fr|eu"
_WEB = re.compile(
    r"(?:(?:https?://|www\.)[\w-]+(?:\.[\w-]+)*"
    rf"|(?<![\w@.-])[A-Za-z][\w-]*(?:\.[\w-]+)*\.(?:{_GENERAL}|{_OF_COUNTRIES}))(?![\w@-])(?::\d+)?(?:[/?#][\w.~/?=&%#+-]*)?",
    re.ASCII,
)


def addresses(language: Language) -> Callable[[str, Context], str]:
    """Return the rule of user@example.com and www.example.com/help."""
    words = language.words
    named = {".": words.dot, "/": words.slash, "@": words.symbols["@"]}

    def part(written: str) -> str:
        return language.spell(written) if written.isdigit() else named.get(written, written)

    def spelled(address: str) -> str:
        return f"{JOINT}{' '.join(map(part, re.findall(r'[A-Za-z]+|[0-9./@]', address)))}{JOINT}"

    def web(match: re.Match[str]) -> str:
        address = re.sub(r"^https?://", "", match.group())
        kept = address.rstrip(".?")
        return spelled(kept.rstrip("/")) + address[len(kept) :]

    def say(text: str, context: Context) -> str:
        if _DOTTED.search(text) is None:
            return text
        if "@" in text:
            text = _MAIL.sub(lambda match: spelled(match.group()), text)
        return _WEB.sub(web, text)

    return say
