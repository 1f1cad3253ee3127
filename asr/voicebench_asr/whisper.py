"""Whisper through faster-whisper (CTranslate2): on the CPU in int8, on CUDA in float16."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.model_catalog import CATALOG
from voicebench.models import LocalModel, locate
from voicebench.types import Audio, ModelRef, Transcript
from voicebench_asr._clips import RATE_HZ, samples_to_hear
from voicebench_asr._whisper_options import WhisperOptions

WINDOW_S = 30
"""What the encoder hears at once."""

_WINDOWS_AT_ONCE = 8
_SHORTEST = RATE_HZ // 50
"""In samples, of a clip among others; silence follows a shorter one."""

_FILES = ("model.bin", "config.json", "tokenizer.json")
_OWN_CODES = {"fil": "tl"}
"""Whisper's code where it differs from ours."""


class Whisper:
    """A Whisper model in CTranslate2's format.

    Decoding is greedy. Against a beam of 5 the word error rate on English clips was the same (tiny.en .150
    and .158, base .128 and .128) and the clips took 30 % longer. Temperature fall-backs are off, because on
    languages that a small model does not know they cost up to a minute a clip and end in the same loop; and
    what was heard before does not steer what comes next, so a clip's text depends on the clip alone.

    Batched, a clip's text can differ by a word from what it is alone. It is meant for GPUs: on two CPU cores,
    8 clips of 3 s took whisper-base 5.8 s together and 4.9 s one by one, and 46 s of speech 2.8 s either way.

    Attributes:
        model: Name and revision, both with the options.
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
        argument: str | None = None,
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
            argument: Options as `WhisperOptions.parse` reads them.

        Raises:
            UserError: The weights are not at hand or damaged, the device is not there, or an option is
                unknown.
        """
        self._options = WhisperOptions.parse(name, argument or "", beam_size=beam_size)
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
        self._pipeline: Any = None
        if self._options.batched:
            from faster_whisper import BatchedInferencePipeline

            self._pipeline = BatchedInferencePipeline(self._whisper)
        if kind == "cuda":
            # A missing CUDA library shows only when something is computed: better now than at every clip.
            self._hear(np.zeros(RATE_HZ // 10, dtype=np.float32), "en")
        self._languages = frozenset(self._whisper.supported_languages)
        told = f":{argument}" if argument else ""
        known = found.revision or revision
        self.model = ModelRef(name=name + told, revision=known and known + told)

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        """Return what was heard in each clip, of any length and sample rate.

        Args:
            clips: The clips. Silence and clips without samples are heard as "".
            lang: Language code; None detects it, clip by clip.

        Raises:
            UserError: The model does not know the language.
            AgentFailure: A clip holds NaN or infinity, or the machine ran out of memory.
        """
        given = None if self._options.detect else lang
        code = self._code(given)
        if self._pipeline is not None and code is not None and not self._options.vad:
            return self._transcribe_together(clips, given, code)
        return [self._transcribe(clip, given, code) for clip in clips]

    def _transcribe(self, clip: Audio, lang: str | None, code: str | None) -> Transcript:
        started_s = time.perf_counter()
        samples = samples_to_hear(clip)
        if samples is None:
            return Transcript("", lang, time.perf_counter() - started_s)
        text, detected = self._hear(samples, code)
        return Transcript(text, lang or _our_code(detected), time.perf_counter() - started_s)

    def _transcribe_together(self, clips: Sequence[Audio], lang: str | None, code: str) -> list[Transcript]:
        """Hear clips in batches; the seconds of each are those of all, since each had to wait for all."""
        started_s = time.perf_counter()
        heard = [samples_to_hear(clip) for clip in clips]
        texts = ["" if samples is None else None for samples in heard]
        audible = {place: samples for place, samples in enumerate(heard) if samples is not None}
        short = {n: samples for n, samples in audible.items() if len(samples) <= WINDOW_S * RATE_HZ}
        for place, text in zip(short, self._hear_together(list(short.values()), code), strict=True):
            texts[place] = text
        for place in audible.keys() - short.keys():
            texts[place], _ = self._hear(audible[place], code)
        seconds = time.perf_counter() - started_s
        return [Transcript(text or "", lang or _our_code(code), seconds) for text in texts]

    def _hear(self, samples: npt.NDArray[np.float32], code: str | None) -> tuple[str, str]:
        """Return the text and Whisper's code of its language; samples of shape (n,) at 16 kHz."""
        options: dict[str, Any] = {"language": code, "beam_size": self._options.beam_size, "temperature": 0.0}
        if self._options.vad:
            options["vad_filter"] = True
        with _explained():
            if self._pipeline is None:
                segments, info = self._whisper.transcribe(
                    samples, condition_on_previous_text=False, **options
                )
            else:
                # A long clip must be cut, and is cut in its pauses.
                options["vad_filter"] = self._options.vad or len(samples) >= WINDOW_S * RATE_HZ
                segments, info = self._pipeline.transcribe(samples, batch_size=_WINDOWS_AT_ONCE, **options)
            return _joined(segments), info.language

    def _hear_together(self, clips: Sequence[npt.NDArray[np.float32]], code: str) -> list[str]:
        """Return the texts of clips that each fit a window; samples of shape (n,) at 16 kHz."""
        if not clips:
            return []
        # Segments come with their start in whole milliseconds, so each clip must last some.
        padded = [np.pad(samples, (0, max(0, _SHORTEST - len(samples)))) for samples in clips]
        ends = np.cumsum([len(samples) for samples in padded])
        starts = ends - [len(samples) for samples in padded]
        # The pipeline rounds the places down to whole samples: from half a sample on, to these.
        places: list[Mapping[str, float]] = [
            {"start": (start + 0.5) / RATE_HZ, "end": (end + 0.5) / RATE_HZ}
            for start, end in zip(starts, ends, strict=True)
        ]
        with _explained():
            segments, _ = self._pipeline.transcribe(
                np.concatenate(padded), language=code, beam_size=self._options.beam_size, temperature=0.0,
                clip_timestamps=places, batch_size=_WINDOWS_AT_ONCE,
            )  # fmt: skip
            found = list(segments)
        owners = np.searchsorted(ends / RATE_HZ, [segment.start + 1e-3 for segment in found], side="right")
        return [
            _joined([segment for segment, owner in zip(found, owners, strict=True) if owner == place])
            for place in range(len(clips))
        ]

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


def _joined(segments: Any) -> str:
    return " ".join(segment.text.strip() for segment in segments).strip()


def _our_code(code: str) -> str:
    return next((ours for ours, theirs in _OWN_CODES.items() if theirs == code), code)
