"""IndicF5 (AI4Bharat): eleven Indian languages in the voice of a recording, zero-shot.

Never run here with its weights: what was tested is the shape of the calls, against a stand-in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from voicebench.audio.io import from_array
from voicebench.errors import UserError, did_you_mean, first_line
from voicebench.model_catalog import CATALOG
from voicebench.types import Audio, ModelRef, Voice
from voicebench_tts._seeds import seed_of
from voicebench_tts._torch import check_device, seeded

LANGUAGES = ("as", "bn", "gu", "hi", "kn", "ml", "mr", "or", "pa", "ta", "te")
SAMPLE_RATE_HZ = 24_000
"""Environment variable: names of backends, with commas between, whose repositories may run their own code."""


class IndicF5:
    """The synthesizer (Varadhan et al. 2025, arXiv 2505.20693): F5-TTS, flow matching, fine-tuned.

    A voice is a recording of up to 15 s and the words that are said in it; it may speak any of the languages.
    The model's repository is gated (accept its terms on the hub and log in there once: `hf auth login`) and
    holds Python code that transformers runs. That code is taken at a pinned commit, and only after the user
    has allowed it. Its package pins transformers and NumPy, so it needs an environment of its own.

    Args:
        argument: A folder of recordings: `NAME.wav` (.flac, .ogg, .mp3), its words beside it in `NAME.txt`.
        device: "cpu", "cuda" or "cuda:N"; the CPU is very slow.
        offline_first: Look at the offline packages before the hub (none carries these weights).

    Raises:
        UserError: There are no recordings, there is no such device, or the weights
            cannot be had.
    """

    def __init__(self, *, argument: str = "", device: str = "cpu", offline_first: bool = False) -> None:
        hub = CATALOG["indicf5"].hub
        assert hub is not None
        self._references = {reference.name: reference for reference in _references(argument)}
        check_device("indicf5", device)
        from transformers import AutoModel

        try:
            # The repository's code fetches its vocabulary by the repository's name, so a folder would not do.
            self._f5: Any = AutoModel.from_pretrained(
                hub.repo, revision=hub.revision, code_revision=hub.revision, trust_remote_code=True
            ).to(device)
        except (OSError, ValueError, ImportError) as error:
            raise UserError(
                f"indicf5: {hub.repo} could not be loaded ({first_line(error)}). "
                "It is gated: accept its terms on the hub, then run: hf auth login"
            ) from None
        self._device = device
        self.model = ModelRef(name="indicf5", revision=hub.revision)

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return a voice for each recording of the folder; what language it is native in is not known."""
        if lang not in LANGUAGES:
            return ()
        return [
            Voice(id=name, source="your recordings", licence="the recording's") for name in self._references
        ]

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text at 24 kHz; the noise that the flow starts from follows from the seed and the text.

        Raises:
            UserError: The language or the voice is unknown, or a text has nothing to say in it.
        """
        if lang not in LANGUAGES:
            raise UserError(f"indicf5 does not speak {lang!r}.{did_you_mean(lang, LANGUAGES)}")
        name = voice if voice is not None else next(iter(self._references))
        if name not in self._references:
            raise UserError(f"indicf5 has no recording {name!r}.{did_you_mean(name, self._references)}")
        return [self._speak(text, self._references[name], seed) for text in texts]

    def _speak(self, text: str, reference: "_Reference", seed: int) -> Audio:
        if not any(map(str.isalnum, text)):
            raise UserError(f"indicf5 finds nothing to say in {text[:40]!r}")
        with seeded(seed_of(seed, text, reference.name), self._device):
            wave = self._f5(text, ref_audio_path=str(reference.path), ref_text=reference.words)
        return from_array(np.asarray(wave), SAMPLE_RATE_HZ, where="indicf5")


@dataclass(frozen=True)
class _Reference:
    """A recording, and what is said in it."""

    name: str
    path: Path
    words: str


def _references(argument: str) -> list[_Reference]:
    folder = Path(argument).expanduser()
    if not argument or not folder.is_dir():
        raise UserError(
            "indicf5 speaks in the voice of a recording. Give a folder of them: indicf5:FOLDER "
            "(NAME.wav, and its words in NAME.txt)"
        )
    found = []
    for path in sorted(folder.iterdir()):
        words = path.with_suffix(".txt")
        if path.suffix.lower() in (".wav", ".flac", ".ogg", ".mp3") and words.is_file():
            found.append(_Reference(path.stem, path, " ".join(words.read_text(encoding="utf-8").split())))
    if not found:
        raise UserError(f"{folder}: holds no recording with its words beside it (NAME.wav and NAME.txt)")
    return found
