"""MMS-TTS: one small VITS model a language (Meta AI, 2023), on the CPU or a CUDA device."""

import hashlib
import itertools
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from voicebench.errors import UserError, did_you_mean, first_line
from voicebench.model_catalog import MMS_REVISION, MMS_REVISIONS
from voicebench.models import LocalModel, locate
from voicebench.types import Audio, ModelRef, Voice
from voicebench_tts._seeds import seed_of
from voicebench_tts._torch import check_device

BATCH_ON_A_GPU = 16
"""Texts spoken at once on a CUDA device. On a CPU a batch gains nothing, and there it is one."""

_FRAMES_BEHIND = 16
"""Empty frames that follow each text into the decoder; it hears 14 frames ahead (one is 16 ms)."""


class Mms:
    """The synthesizer (Pratap et al. 2023, "Scaling Speech Technology to 1,000+ Languages").

    Each language is a checkpoint of its own with one voice. VITS draws noise for the durations and for the
    sound itself. Here each text has its own, from generators seeded by the seed and the text, so that it
    sounds the same in every batch and on every device: to the bit where texts go one at a time, as on the
    CPU, and up to rounding in a batch.

    Args:
        offline_first: Look at the offline packages before the hub (none carries these weights).
        device: "cpu", "cuda" or "cuda:N".
        batch: Texts spoken at once; None takes one on the CPU and 16 on a CUDA device.

    Raises:
        UserError: There is no such device.
    """

    def __init__(self, *, offline_first: bool = False, device: str = "cpu", batch: int | None = None) -> None:
        check_device("mms", device)
        self.model = ModelRef(name="mms", revision=MMS_REVISION)
        self._device = device
        self._batch = batch or (1 if device == "cpu" else BATCH_ON_A_GPU)
        self._offline_first = offline_first
        self._located: dict[str, LocalModel] = {}
        self._speakers: dict[str, _Speaker] = {}

    def voices(self, lang: str) -> Sequence[Voice]:
        """Return the language's one voice; its source names the checkpoint and its commit.

        Raises:
            UserError: The language's weights are not at hand.
        """
        if lang not in MMS_REVISIONS:
            return ()
        name = _checkpoint(lang)
        weights = self._weights(lang)
        source = f"facebook/{name}@{weights.revision}" if weights.revision else _fingerprint(weights.path)
        return (Voice(id=name, source=source, licence="CC-BY-NC-4.0", lang=lang),)

    def synthesize(
        self, texts: Sequence[str], *, lang: str, voice: str | None = None, seed: int
    ) -> list[Audio]:
        """Speak each text at 16 kHz.

        A letter that the language's model has no symbol for would be left out without a word, so a text with
        such a letter (an English word among Hindi ones) is refused.

        Raises:
            UserError: The language or the voice is unknown, a text has nothing to say in it or letters that
                cannot be said, or the weights are not at hand.
            MemoryError: One text alone does not fit the device's memory.
        """
        if lang not in MMS_REVISIONS:
            raise UserError(f"mms does not speak {lang!r}.{did_you_mean(lang, MMS_REVISIONS)}")
        if voice not in (None, _checkpoint(lang)):
            raise UserError(f"mms has no voice {voice!r} for {lang!r}. Known: {_checkpoint(lang)}")
        if lang not in self._speakers:
            self._speakers[lang] = _load(lang, self._weights(lang), self._device)
        speaker = self._speakers[lang]
        tokens = [speaker.tokens(text) for text in texts]
        seeds = [seed_of(seed, text) for text in texts]
        spoken: dict[int, Audio] = {}
        # Texts of like length together, so that little is padded.
        by_length = sorted(range(len(texts)), key=lambda place: len(tokens[place]))
        for start in range(0, len(texts), self._batch):
            places = by_length[start : start + self._batch]
            said = speaker.speak([tokens[place] for place in places], [seeds[place] for place in places])
            spoken.update(zip(places, said, strict=True))
        return [spoken[place] for place in range(len(texts))]

    def _weights(self, lang: str) -> LocalModel:
        if lang not in self._located:
            self._located[lang] = locate(_checkpoint(lang), offline_first=self._offline_first)
        return self._located[lang]


@dataclass(frozen=True)
class _Speaker:
    """One language's model and tokenizer."""

    lang: str
    model: Any
    tokenizer: Any

    def tokens(self, text: str) -> list[int]:
        said = self._in_its_letters(text)
        unknown = self._unknown(said)
        if unknown:
            raise UserError(
                f"mms ({self.lang}) has no symbol for {unknown[0]!r} in {text[:40]!r}. "
                "Write it in the language's own script, or choose another synthesizer"
            )
        ids: list[int] = self.tokenizer(said)["input_ids"]
        # With a blank before, between and behind, one symbol makes three.
        if len(ids) < 3:
            raise UserError(f"mms finds nothing to say in {text[:40]!r}")
        return ids

    def speak(self, tokens: list[list[int]], seeds: list[int]) -> list[Audio]:
        import torch

        try:
            return self._speak(tokens, seeds)
        except torch.OutOfMemoryError as error:
            if len(tokens) == 1:
                raise MemoryError(first_line(error)) from None
        half = len(tokens) // 2
        return [*self.speak(tokens[:half], seeds[:half]), *self.speak(tokens[half:], seeds[half:])]

    def _speak(self, tokens: list[list[int]], seeds: list[int]) -> list[Audio]:
        import torch

        padded = self.tokenizer.pad({"input_ids": tokens}, return_tensors="pt").to(self.model.device)
        with torch.inference_mode(), _noise_from(seeds):
            made = self.model(input_ids=padded["input_ids"], attention_mask=padded["attention_mask"])
        waves = made.waveform.float().cpu().numpy()
        lengths = made.sequence_lengths.tolist()
        rate = int(self.model.config.sampling_rate)
        return [
            Audio(np.clip(wave[:length], -1.0, 1.0).astype(np.float32), rate)
            for wave, length in zip(waves, lengths, strict=True)
        ]

    def _in_its_letters(self, text: str) -> str:
        """Return the text composed or decomposed, whichever of the two the vocabulary knows more of."""
        forms = (text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD")))
        return min(forms, key=lambda form: len(self._unknown(form)))

    def _unknown(self, text: str) -> list[str]:
        """Return the letters, marks and digits that the model has no symbol for."""
        if self.tokenizer.is_uroman or self.tokenizer.phonemize:  # then the tokenizer writes it anew first
            return []
        known = self.tokenizer.get_vocab()
        return [
            char for char in text
            if unicodedata.category(char)[0] in "LMN" and char not in known and char.lower() not in known
        ]  # fmt: skip


def _checkpoint(lang: str) -> str:
    return f"mms-tts-{MMS_REVISIONS[lang][0]}"


def _load(lang: str, weights: LocalModel, device: str) -> _Speaker:
    from safetensors import SafetensorError
    from transformers import VitsModel, VitsTokenizer

    where = weights.path
    try:
        with _no_progress_bars():
            tokenizer = VitsTokenizer.from_pretrained(where, local_files_only=True)
            model, report = VitsModel.from_pretrained(where, local_files_only=True, output_loading_info=True)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise UserError(f"{where}: cannot be loaded as an MMS-TTS model ({first_line(error)})") from None
    missing = sorted(report["missing_keys"])
    if missing:
        raise UserError(f"{where}: {len(missing)} of the weights are missing, such as {missing[0]}")
    if tokenizer.is_uroman and find_spec("uroman") is None:
        raise UserError(f"{where}: this model reads romanised text. Run: pip install uroman")
    # Without these frames the end of a text would depend on how far the longest of its batch goes on.
    model.decoder.register_forward_pre_hook(_with_frames_behind)
    return _Speaker(lang, model.eval().to(device), tokenizer)


def _with_frames_behind(decoder: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    import torch

    spectrogram, *rest = inputs
    return (torch.nn.functional.pad(spectrogram, (0, _FRAMES_BEHIND)), *rest)


def _fingerprint(folder: Path) -> str:
    with (folder / "model.safetensors").open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"


@contextmanager
def _noise_from(seeds: Sequence[int]) -> Iterator[None]:
    """Give each item of a batch noise of its own while the model runs.

    An item's noise must not depend on how far the batch is padded. So each of the model's draws has a
    generator of its own, and takes one time step after the other: NumPy's generators give the same first
    numbers however many are asked for, which torch's do not.
    """
    import torch
    from torch.overrides import TorchFunctionMode

    draws = itertools.count()

    def noise(shape: Sequence[int]) -> Any:
        _, channels, steps = shape
        draw = next(draws)
        rows = [
            np.random.default_rng([seed, draw]).standard_normal((steps, channels), np.float32)
            for seed in seeds
        ]
        return torch.from_numpy(np.stack(rows)).transpose(1, 2)

    class OwnNoise(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func is torch.randn:
                return noise(args)
            if func is torch.randn_like:
                return noise(args[0].shape).to(args[0])
            return func(*args, **(kwargs or {}))

    with OwnNoise():
        yield


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
