"""Text in one normal form: digits in ASCII, single spaces, no pictures."""

import re
import unicodedata

_JOINERS = "\u200c\u200d"
_STRAY_JOINER = re.compile(rf"(?<![\w\u0900-\u0d7f])[{_JOINERS}]+")
_SPELLED_OUT = {
    "℃": "°C", "℉": "°F", "№": "No. ", "％": "%", "￥": "¥", "＋": "+", "＆": "&", "＠": "@", "＃": "#",
    "＄": "$",
    "／": "/", "−": "-", "‑": "-", "－": "-", "～": "~", "〜": "~",
}  # fmt: skip
_FULL_WIDTH = re.compile(r"(?<=\d)[：．](?=\d)")


def clean(text: str) -> str:
    """Return a text in NFC, with ASCII digits, single spaces, and without pictures and control characters.

    The joiners of the Indic scripts stay: they are part of how words are written.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = "".join(map(_KEPT.__getitem__, unicodedata.normalize("NFC", text)))
    kept = _STRAY_JOINER.sub("", kept)
    kept = _FULL_WIDTH.sub(lambda mark: unicodedata.normalize("NFKC", mark.group()), kept)
    return " ".join(unicodedata.normalize("NFC", kept).split())


def _kept(character: str) -> str:
    if character in _SPELLED_OUT:
        return _SPELLED_OUT[character]
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "No":
        return _compatible(character)
    if character in _JOINERS or character == "°":
        return character
    # A variation selector only chooses between pictures.
    if category == "Me" or "\ufe00" <= character <= "\ufe0f":
        return ""
    return " " if category[0] in "CZ" or category in ("So", "Sk") else character


class _Kept(dict[str, str]):
    """What stays of each character, worked out when it is first met."""

    def __missing__(self, character: str) -> str:
        self[character] = _kept(character)
        return self[character]


_KEPT = _Kept()


def _compatible(character: str) -> str:
    """Return "½" as " 1/2" and "①" as " 1 "; the raised digits of units stay."""
    if character in "²³":
        return character
    plain = unicodedata.normalize("NFKC", character).replace("\u2044", "/")
    return f" {plain} " if plain.isascii() else " "
