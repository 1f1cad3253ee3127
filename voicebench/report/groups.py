"""The groups of languages that papers average over."""

from collections.abc import Sequence

GROUPS: dict[str, tuple[str, ...]] = {
    "indic": ("hi", "bn", "mr", "ta", "te", "ml"),
    "indic-without-hi": ("bn", "mr", "ta", "te", "ml"),
    "sea": ("vi", "th", "id", "fil", "zh"),
}
"""Group to its languages: VoiceAgentBench's six Indic ones, and SEATauBench's five (Chinese among them)."""

GROUP_LABELS: dict[str, str] = {
    "indic": "Indic",
    "indic-without-hi": "Indic without Hindi",
    "sea": "Southeast Asia and Chinese",
    "all": "All languages",
}


def scopes(langs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what is averaged over: each language alone, then each group of which two languages are here.

    Args:
        langs: The languages of a report.

    Returns:
        Language or group to the languages that should be in it, in order.
    """
    found: dict[str, tuple[str, ...]] = {lang: (lang,) for lang in langs}
    found |= {name: group for name, group in GROUPS.items() if len(set(group) & set(langs)) > 1}
    return found | ({"all": tuple(langs)} if len(langs) > 1 else {})
