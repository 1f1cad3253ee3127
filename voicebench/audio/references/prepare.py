"""Make a reference of a recording: trim it, cut it at a pause where it is long, level it, and check it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from voicebench.audio.io import resample
from voicebench.audio.loudness import CLIPPED_AT, loudness_lufs, normalise
from voicebench.audio.references.activity import HOP_S, LEAST_DBFS, Activity, activity
from voicebench.audio.references.rows import RejectionKind
from voicebench.errors import UserError
from voicebench.types import Audio

HIGHEST_RATE_HZ = 24000
"""References are kept at their own rate up to this: what synthesizers that clone read."""

_MARGIN_S = 0.1
_MOST_CLIPPED = 0.01
# A stretch without a pause is cut at its quietest frame in the last part of what is allowed.
_CUT_FROM = 0.7


@dataclass(frozen=True)
class Limits:
    """What a reference must be like.

    Attributes:
        min_s: Least seconds of speech.
        max_s: Most seconds; a longer recording is cut at a pause.
        min_rate_hz: Least sample rate: below 16 kHz it is telephone speech, which encoders place elsewhere.
        min_snr_db: How far speech must be above the noise, where the noise can be heard.
    """

    min_s: float = 1.0
    max_s: float = 15.0
    min_rate_hz: int = 16000
    min_snr_db: float = 10.0

    def __post_init__(self) -> None:
        if not 0 < self.min_s <= self.max_s:
            raise UserError(
                f"references of {self.min_s:g} to {self.max_s:g} s cannot be. "
                "Give --min-s above 0 and --max-s above that"
            )


class Rejection(UserError):
    """A recording that is no reference voice: its kind, and why in one line."""

    def __init__(self, kind: RejectionKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True, eq=False)
class Prepared:
    """A recording that can be a reference, and what was measured on it."""

    audio: Audio
    checks: dict[str, Any]


def prepare(audio: Audio, limits: Limits = Limits()) -> Prepared:
    """Return a recording as a reference.

    The stretch with the most speech that fits is kept, with 0.1 s around it; it is brought to -23 LUFS, or as
    near as its peak allows.

    Raises:
        Rejection: It is silent, too short, clipped, noisy, or of too low a rate.
    """
    rate = audio.sample_rate_hz
    if rate < limits.min_rate_hz:
        raise Rejection("rate", f"{rate} Hz is below {limits.min_rate_hz} Hz (--min-rate takes it)")
    clipped = int(np.count_nonzero(np.abs(audio.samples) >= CLIPPED_AT))
    if clipped > _MOST_CLIPPED * len(audio.samples):
        raise Rejection("clipped", f"{clipped} of {len(audio.samples)} samples are at full scale")
    found = activity(audio)
    if not found.segments:
        loudest = float(found.levels_db.max(initial=-np.inf))
        if len(found.levels_db) and loudest < LEAST_DBFS:
            raise Rejection("silent", f"nothing is louder than {LEAST_DBFS:.0f} dBFS")
        raise Rejection("short", f"{audio.duration_s:.2f} s hold no speech")
    start_s, end_s, speech_s = stretch(found, limits.max_s - 2 * _MARGIN_S)
    if speech_s < limits.min_s:
        raise Rejection("short", f"{speech_s:.2f} s of speech, {limits.min_s:g} s are needed (--min-s)")
    if found.snr_db is not None and found.snr_db < limits.min_snr_db:
        raise Rejection(
            "noisy",
            f"speech is {found.snr_db:.1f} dB above the noise, {limits.min_snr_db:g} are needed (--min-snr)",
        )
    first = max(0, round((start_s - _MARGIN_S) * rate))
    cut = Audio(audio.samples[first : round((end_s + _MARGIN_S) * rate)].copy(), rate)
    made = normalise(resample(cut, min(rate, HIGHEST_RATE_HZ)))
    loudness = loudness_lufs(made)
    return Prepared(
        made,
        {
            "speech_s": round(speech_s, 3),
            "snr_db": found.snr_db,
            "lufs": None if loudness is None else round(loudness, 2),
            "clipped": clipped,
            "original_rate_hz": rate,
        },
    )


def stretch(found: Activity, longest_s: float) -> tuple[float, float, float]:
    """Return start, end and seconds of speech of the stretch that holds most speech within a length.

    It begins where speech begins and ends where a pause does; speech without a pause that is longer is cut
    where it is quietest.
    """
    best = (0.0, 0.0, 0.0)
    for index, (start, first_end) in enumerate(found.segments):
        end, speech = first_end, first_end - start
        if speech > longest_s:
            end = _quietest(found, start + _CUT_FROM * longest_s, start + longest_s)
            speech = end - start
        else:
            for later_start, later_end in found.segments[index + 1 :]:
                if later_end - start > longest_s:
                    break
                end, speech = later_end, speech + later_end - later_start
        if speech > best[2]:
            best = (start, end, speech)
    return best


def _quietest(found: Activity, earliest_s: float, latest_s: float) -> float:
    first, last = round(earliest_s / HOP_S), max(round(earliest_s / HOP_S) + 1, round(latest_s / HOP_S))
    return (first + int(found.levels_db[first:last].argmin())) * HOP_S


def quality(checks: dict[str, Any]) -> float:
    """Return how good a reference is: seconds of speech up to 10, and a third of its SNR up to 30 dB.

    Where the noise could not be heard, 20 dB are assumed.
    """
    snr_db = checks.get("snr_db")
    return (
        min(float(checks.get("speech_s", 0.0)), 10.0)
        + min(20.0 if snr_db is None else float(snr_db), 30.0) / 3
    )
