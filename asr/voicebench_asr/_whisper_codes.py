"""Whisper's languages where they are written another way than ours: its own codes, and names in full."""

_THEIRS = {"fil": "tl"}
_NAMES = {
    "english": "en", "hindi": "hi", "bengali": "bn", "marathi": "mr", "tamil": "ta", "telugu": "te",
    "malayalam": "ml", "vietnamese": "vi", "thai": "th", "indonesian": "id", "tagalog": "fil",
    "chinese": "zh", "kannada": "kn", "gujarati": "gu", "punjabi": "pa", "urdu": "ur", "assamese": "as",
    "nepali": "ne", "sinhala": "si", "sindhi": "sd", "sanskrit": "sa", "malay": "ms", "javanese": "jw",
    "sundanese": "su", "khmer": "km", "lao": "lo", "myanmar": "my", "cantonese": "yue", "japanese": "ja",
    "korean": "ko", "arabic": "ar", "persian": "fa", "russian": "ru", "turkish": "tr", "spanish": "es",
    "portuguese": "pt", "french": "fr", "german": "de", "italian": "it", "dutch": "nl", "polish": "pl",
}  # fmt: skip


def theirs_of(code: str) -> str:
    """Return Whisper's code of a language, from ours."""
    return _THEIRS.get(code, code)


def ours_of(language: str) -> str:
    """Return our code of a language, from Whisper's code or its name in English; one we do not know stays."""
    plain = language.strip().lower()
    named = _NAMES.get(plain, plain)
    return next((ours for ours, theirs in _THEIRS.items() if theirs == named), named)
