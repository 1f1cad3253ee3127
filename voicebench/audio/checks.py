"""Check a clip: what is measured on it, what makes it unusable, and what is doubtful.

A clip that no agent could be judged by is *broken*: silent, clipped, or far too short or long for its text.
It never enters a manifest. What only a listener could decide is a *doubt*: the clip is kept, and listed.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.audio.loudness import clipped_samples, loudness_lufs
from voicebench.audio.references.activity import activity
from voicebench.types import Audio

MOST_CLIPPED = 0.005
"""Share of samples at full scale, before levelling, beyond which a clip is broken."""

FASTEST, SLOWEST = 25.0, 1 / 3
"""Syllables a second that nobody speaks at: three times a fast speaker's, and a sixth of a slow one's."""

QUIETEST_LUFS = -33.0
LONGEST_PAUSE_S = 2.0
MOST_CER = 0.5
MOST_CER_OF: Mapping[str, float] = {"en": 0.3}
"""Small ASRs write every English clip of Kokoro's below 0.2; of other languages they know less."""

_USUAL = {
    "en": 5.0, "hi": 6.5, "bn": 7.0, "mr": 7.5, "ta": 7.5, "te": 6.5, "ml": 8.0, "gu": 7.0, "kn": 7.0,
    "vi": 5.0, "th": 4.5, "id": 6.0, "fil": 6.0, "zh": 4.5,
}  # fmt: skip
"""Syllables a second, as `syllables` counts them: Kokoro's in English and Hindi, else about espeak-ng's."""

_USUAL_ELSEWHERE = 6.0
# A clip is doubtful at less than a third of the usual pace, and at more than twice of it.
_SLOW, _FAST = 1 / 3, 2.0
# A word or two may be drawn out or hurried.
_FEW_SYLLABLES = 4
_SLACK_S = 3.0

_EDGE_S = 0.01
# How high the first sample stands in its 10 ms, and how far these are below the loud ones.
_JUMP = 0.2
_EDGE_DB = -20.0
_VIRAMAS = frozenset("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d")
_THAI_LETTER = 0.4
_LEAST_IN_SCRIPT = 0.5
_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True)
class Limits:
    """What the checks let pass.

    Attributes:
        max_cer: The largest character error rate of the round trip, by language.
        max_cer_elsewhere: That of the languages that `max_cer` does not name.
    """

    max_cer: Mapping[str, float] = field(default_factory=lambda: MOST_CER_OF)
    max_cer_elsewhere: float = MOST_CER

    def cer(self, lang: str) -> float:
        """Return the largest character error rate that passes in a language."""
        return self.max_cer.get(lang, self.max_cer_elsewhere)


def measure(source: Audio, clip: Audio, text: str, lang: str) -> dict[str, Any]:
    """Measure a clip.

    Args:
        source: What was spoken, before it was trimmed and levelled.
        clip: The clip.
        text: What was to be said.
        lang: Its language.

    Returns:
        `lufs`, None for silence; `clipped`, samples at full scale in `source`, and `clipped_share` if there
        are any; `speech_s`, seconds of speech in the clip; `syllables_per_s` of these, None where nothing can
        be counted; `longest_pause_s`; and `cut`, "start", "end" or both, None where neither is.
    """
    loudness = loudness_lufs(clip)
    clipped = clipped_samples(source)
    segments = activity(clip).segments
    # What is too short to be found as speech is a short clip.
    speech_s = sum(end - start for start, end in segments) if segments else clip.duration_s
    pauses = [later[0] - earlier[1] for earlier, later in pairwise(segments)]
    count = syllables(text, lang)
    return {
        "lufs": None if loudness is None else round(loudness, 2),
        "clipped": clipped,
        **({"clipped_share": round(clipped / len(source.samples), 4)} if clipped else {}),
        "speech_s": round(speech_s, 2),
        "syllables_per_s": round(count / speech_s, 2) if count and speech_s else None,
        "longest_pause_s": round(max(pauses, default=0.0), 2),
        "cut": " and ".join(cut(source)) or None,
    }


def broken(measured: Mapping[str, Any], text: str, lang: str) -> str | None:
    """Return why a clip is unusable, in a few words, or None.

    Args:
        measured: What `measure` returned.
        text: What was to be said.
        lang: Its language.
    """
    if measured["lufs"] is None:
        return "it is silent"
    if measured.get("clipped_share", 0.0) > MOST_CLIPPED:
        return f"{100 * measured['clipped_share']:.1f} % of its samples are at full scale"
    pace, speech_s = measured["syllables_per_s"], measured["speech_s"]
    if pace is not None and pace > FASTEST:
        return f"{speech_s:.2f} s are too short for its text ({pace:.0f} syllables a second)"
    if pace is not None and speech_s > _SLACK_S + syllables(text, lang) / SLOWEST:
        return f"{speech_s:.1f} s of speech are too long for its text ({pace:.2f} syllables a second)"
    return None


def doubts(
    checks: Mapping[str, Any], text: str, lang: str, limits: Limits, unrelated: float | None = None
) -> tuple[str, ...]:
    """Return the names of the checks that a clip fails, but that may be wrong about it.

    Args:
        checks: What was measured on it, as a manifest keeps it; what is missing fails nothing.
        text: What was to be said.
        lang: Its language.
        limits: What passes.
        unrelated: How similar two voices of the build are on average: a clip that is less so to its own voice
            does not sound like it. None where nobody measured it.

    Returns:
        Some of `pace`, `pause`, `cut`, `quiet`, `voice`, `script` and `cer`.
    """
    failed = []
    pace, usual = checks.get("syllables_per_s"), _USUAL.get(lang, _USUAL_ELSEWHERE)
    unusual = pace is not None and not _SLOW * usual <= pace <= _FAST * usual
    if unusual and syllables(text, lang) >= _FEW_SYLLABLES:
        failed.append("pace")
    if (checks.get("longest_pause_s") or 0.0) > LONGEST_PAUSE_S:
        failed.append("pause")
    if checks.get("cut"):
        failed.append("cut")
    if (checks.get("lufs") or 0.0) < QUIETEST_LUFS:
        failed.append("quiet")
    similarity = checks.get("speaker_similarity")
    if similarity is not None and unrelated is not None and similarity < unrelated:
        failed.append("voice")
    script, cer = checks.get("script"), checks.get("cer")
    if script is not None and script < _LEAST_IN_SCRIPT:
        # What is written in other letters says nothing about how many of them are wrong.
        failed.append("script")
    elif cer is not None and cer > limits.cer(lang):
        failed.append("cer")
    return tuple(failed)


def cut(source: Audio) -> tuple[str, ...]:
    """Return at which ends a recording seems to be cut off within a sound: "start", "end".

    Speech rises from silence and falls back to it. Where it is cut, the wave begins with a jump: its first
    sample is high in the first 10 ms, and these are loud. That finds two in five cuts made at random, for
    many of these fall on a pause or where the wave crosses zero, and is wrong about one good clip in 100.
    """
    frame = round(_EDGE_S * source.sample_rate_hz)
    whole = len(source.samples) // frame if frame else 0
    if whole < 2:
        return ()
    powers = (source.samples[: whole * frame].reshape(whole, frame).astype(np.float64) ** 2).mean(axis=1)
    loud = float(np.percentile(powers, 95))
    ends = {"start": source.samples[:frame], "end": source.samples[::-1][:frame]}
    return tuple(name for name, samples in ends.items() if _jumps(samples, loud, source.sample_rate_hz))


def _jumps(samples: npt.NDArray[np.float32], loud: float, rate: int) -> bool:
    magnitude = np.abs(samples.astype(np.float64))
    power = float((magnitude**2).mean())
    if power == 0 or power < loud * 10 ** (_EDGE_DB / 10):
        return False
    return bool(magnitude[: max(1, rate // 8000)].max() > _JUMP * magnitude.max())


def syllables(text: str, lang: str) -> float:
    """Estimate how many syllables a text has.

    Latin letters: groups of vowels, one at least a word. Indic scripts: letters that no virama joins to the
    one before (Hindi drops some of these vowels). Thai: two fifths of the letters. Others, as Chinese: the
    letters.
    """
    count = 0.0
    latin: list[str] = []
    before = ""
    for character in unicodedata.normalize("NFD", text.casefold()):
        if character.isascii() and character.isalpha():
            latin.append(character)
        elif unicodedata.category(character) == "Lo":
            latin.append(" ")
            if "\u0e00" <= character <= "\u0e7f":
                count += _THAI_LETTER
            elif before not in _VIRAMAS:
                count += 1
        elif not "\u0300" <= character <= "\u036f":
            latin.append(" ")
        before = character
    return count + sum(_vowel_groups(word, lang) for word in "".join(latin).split())


def _vowel_groups(word: str, lang: str) -> int:
    if lang == "en" and len(word) > 2 and word.endswith("e") and word[-2] not in _VOWELS | {"l"}:
        word = word[:-1]
    starts: Sequence[bool] = [
        letter in _VOWELS and (index == 0 or word[index - 1] not in _VOWELS)
        for index, letter in enumerate(word)
    ]
    return max(1, sum(starts))
