"""Put digits into text that has no spaces between words."""


def between_spaces(text: str, start: int, end: int, digits: str) -> str:
    """Return digits to put in place of a part of a text, with the spaces that they need around them."""
    before = " " if start and not text[start - 1].isspace() else ""
    after = " " if end < len(text) and not text[end].isspace() else ""
    return f"{before}{digits}{after}"
