"""Whisper through faster-whisper (CTranslate2): on the CPU in int8, on CUDA in float16."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import resample
from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.model_catalog import CATALOG
from voicebench.models import LocalModel, locate
from voicebench.types import Audio, ModelRef, Transcript

WHISPER_RATE_HZ = 16_000
SILENCE_PEAK = 1e-4
"""A clip whose samples all stay below this (-80 dBFS) is silence, in which Whisper would invent words."""

_FILES = ("model.bin", "config.json", "tokenizer.json")
_OWN_CODES = {"fil": "tl"}
"""Whisper's code where it differs from ours."""


class Whisper:
    """A Whisper model in CTranslate2's format.

    Decoding is greedy. Against a beam of 5 the word error rate on English clips was the same (tiny.en .150
    and .158, base .128 and .128) and the clips took 30 % longer. Temperature fall-backs are off, because on
    languages that a small model does not know they cost up to a minute a clip and end in the same loop; and
    what was heard before does not steer what comes next, so a clip's text depends on the clip alone.

    Attributes:
        model: Name and revision.
    """

    def __init__(
        self,
        name: str,
        *,
        path: Path | None = None,
        revision: str | None = None,
        offline_first: bool = False,
        device: str = "cpu",
        compute_type: str | None = None,
        threads: int | None = None,
        beam_size: int = 1,
    ) -> None:
        """Load the model.

        Args:
            name: A name of the model catalog; with `path`, any name.
            path: A folder with model.bin, config.json and tokenizer.json, taken instead of the catalog's.
            revision: What to record as the revision of the model at `path`.
            offline_first: Take the offline packages before the hub.
            device: "cpu", "cuda" or "cuda:N".
            compute_type: CTranslate2's; None takes int8 on the CPU and float16 on CUDA.
            threads: CPU threads; None lets CTranslate2 choose.
            beam_size: Hypotheses kept while decoding; 1 is greedy.

        Raises:
            UserError: The weights are not at hand or damaged, or the device is not there.
        """
        found = _located(name, path, offline_first)
        kind, _, index = device.partition(":")
        _check_device(kind, index, device)
        from faster_whisper import WhisperModel

        try:
            self._whisper = WhisperModel(
                str(found.path),
                device=kind,
                device_index=int(index or 0),
                compute_type=compute_type or ("int8" if kind == "cpu" else "float16"),
                cpu_threads=threads or 0,
                local_files_only=True,
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise UserError(
                f"{found.path}: cannot be loaded as a Whisper model ({first_line(error)})"
            ) from None
        self._beam_size = beam_size
        if kind == "cuda":
            # A missing CUDA library shows only when something is computed: better now than at every clip.
            self._hear(np.zeros(WHISPER_RATE_HZ // 10, dtype=np.float32), "en")
        self._languages = frozenset(self._whisper.supported_languages)
        self.model = ModelRef(name=name, revision=found.revision or revision)

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        """Return what was heard in each clip, of any length and sample rate.

        Args:
            clips: The clips. Silence and clips without samples are heard as "".
            lang: Language code; None detects it, clip by clip.

        Raises:
            UserError: The model does not know the language.
            AgentFailure: A clip holds NaN or infinity, or the machine ran out of memory.
        """
        code = self._code(lang)
        return [self._transcribe(clip, lang, code) for clip in clips]

    def _transcribe(self, clip: Audio, lang: str | None, code: str | None) -> Transcript:
        started_s = time.perf_counter()
        peak = float(np.abs(clip.samples).max(initial=0.0))
        if not np.isfinite(peak):
            raise AgentFailure("audio", "the clip holds samples that are no numbers")
        if peak < SILENCE_PEAK:
            return Transcript("", lang, time.perf_counter() - started_s)
        text, detected = self._hear(resample(clip, WHISPER_RATE_HZ).samples, code)
        return Transcript(text, lang or _our_code(detected), time.perf_counter() - started_s)

    def _hear(self, samples: npt.NDArray[np.float32], code: str | None) -> tuple[str, str]:
        """Return the text and Whisper's code of its language; samples of shape (n,) at 16 kHz."""
        with _explained():
            segments, info = self._whisper.transcribe(
                samples,
                language=code,
                beam_size=self._beam_size,
                temperature=0.0,
                condition_on_previous_text=False,
            )
            return " ".join(segment.text.strip() for segment in segments).strip(), info.language

    def _code(self, lang: str | None) -> str | None:
        if lang is None:
            return "en" if self._languages == {"en"} else None
        code = _OWN_CODES.get(lang, lang)
        if code not in self._languages:
            if self._languages == {"en"}:
                raise UserError(f"{self.model.name} hears English only, not {lang!r}. Use whisper-base")
            raise UserError(f"{self.model.name} does not know the language {lang!r}")
        return code


def _located(name: str, path: Path | None, offline_first: bool) -> LocalModel:
    if name in CATALOG or path is None:
        return locate(name, path=path, offline_first=offline_first)
    missing = [file for file in _FILES if not (path / file).is_file()]
    if missing:
        raise UserError(f"{path}: a Whisper folder (CTranslate2) needs {', '.join(missing)}")
    return LocalModel(path, "path", None)


def _check_device(kind: str, index: str, device: str) -> None:
    if kind not in ("cpu", "cuda") or (index and not index.isdecimal()):
        raise UserError(f"unknown device {device!r}; it is 'cpu', 'cuda' or 'cuda:N'")
    if kind == "cuda":
        import ctranslate2

        count = ctranslate2.get_cuda_device_count()
        if count <= int(index or 0):
            raise UserError(
                f"device {device!r} is not there: CTranslate2 sees {count} CUDA devices. "
                "Use --device cpu, or install a CUDA driver"
            )


@contextmanager
def _explained() -> Iterator[None]:
    """Turn CTranslate2's bare RuntimeErrors into what the user or the harness can act on."""
    try:
        yield
    except RuntimeError as error:
        text = first_line(error)
        if "out of memory" in text.lower():
            raise AgentFailure("out_of_memory", text) from None
        if "libcublas" in text or "libcudnn" in text:
            raise UserError(
                f"faster-whisper lacks a CUDA 12 library ({text}). Run: pip install nvidia-cublas-cu12"
            ) from None
        raise


def _our_code(code: str) -> str:
    return next((ours for ours, theirs in _OWN_CODES.items() if theirs == code), code)
