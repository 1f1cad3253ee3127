"""Which voices a build is to be heard in: what is asked for, and the choice."""

from dataclasses import dataclass
from pathlib import Path

from voicebench.audio.voices import CANDIDATES, DEFAULT_VOICES, VoiceChoice, chosen_from, reference_voices
from voicebench.errors import UserError
from voicebench.models import Progress, no_progress
from voicebench.protocols import SpeakerEncoder, Synthesizer


@dataclass(frozen=True)
class VoiceWish:
    """What is asked for.

    Attributes:
        n: So many voices a language, no fewer; None takes 6, or what there is.
        folder: A voices folder (`voicebench voices add`); None takes the synthesizer's own voices.
        candidates: How many of the synthesizer's voices to hear before the choice; twice n at least.
        reason: Why this speaker encoder, where nobody named it.
    """

    n: int | None = None
    folder: Path | None = None
    candidates: int = CANDIDATES
    reason: str | None = None


def choose_voices(
    lang: str,
    wish: VoiceWish,
    *,
    synthesizer: Synthesizer,
    encoder: SpeakerEncoder | None,
    converts: bool,
    folder: Path,
    seed: int,
    progress: Progress = no_progress,
) -> VoiceChoice:
    """Choose the voices of a language.

    Args:
        lang: The language.
        wish: What is asked for.
        synthesizer: Who speaks.
        encoder: Places voices in speaker space; None takes the first.
        converts: Whether a converter is at hand; without one only native voices are chosen from.
        folder: The build's folder, where voices that were heard are kept.
        seed: Of the choice.
        progress: Told as voices are heard.

    Raises:
        UserError: There are fewer voices than asked for, or the synthesizer does not speak the language.
    """
    if wish.folder is not None:
        return chosen_from(
            wish.folder, lang, wish.n, synthesizer=synthesizer, folder=folder, encoder=encoder, seed=seed,
            converts=converts, candidates=wish.candidates, reason=wish.reason, progress=progress,
        )  # fmt: skip
    if wish.n is not None:
        _require_voices(synthesizer, lang, wish.n, converts=converts)
    n = DEFAULT_VOICES if wish.n is None else wish.n
    return reference_voices(
        synthesizer, lang, folder=folder, encoder=encoder, n=n, seed=seed, native_only=not converts,
        candidates=max(wish.candidates, 2 * n), reason=wish.reason, progress=progress,
    )  # fmt: skip


def _require_voices(synthesizer: Synthesizer, lang: str, n: int, *, converts: bool) -> None:
    offered = synthesizer.voices(lang)
    natives = [voice for voice in offered if voice.lang == lang] or offered
    usable = offered if converts else natives
    if 0 < len(usable) < n:
        more = ", give a --converter" if len(usable) < len(offered) else ""
        raise UserError(
            f"{synthesizer.model.name} has {len(usable)} voices for {lang!r}, {n} are asked for. Ask for "
            f"fewer{more}, or give recordings: voicebench voices add"
        )
