"""IndicConformer (AI4Bharat, 600M): 22 Indian languages, on ONNX Runtime with its own feature extractor.

The repository of the model holds an exported encoder, CTC decoder and feature extractor, and Python code that
drives them. That code is not run here: what it does is below.
"""

import json
import logging
import time
import warnings
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.models import LocalModel, locate
from voicebench.types import Audio, ModelRef, Transcript
from voicebench_asr._clips import samples_to_hear

log = logging.getLogger(__name__)

_SHORTEST = 1_600
"""In samples: shorter clips are followed by silence, because the features look 16 ms beyond each end."""

_ENCODER = (("audio_signal", "length"), ("outputs", "encoded_lengths"))
_DECODER = (("encoder_output",), ("logprobs",))
_WORD_START = "▁"


class IndicConformer:
    """The hybrid Conformer's CTC head, decoded greedily.

    The head knows the tokens of all languages; a clip is decoded with those of its language alone, so the
    language must be known, and words of another language come in the script of this one.

    Attributes:
        model: Name and revision.
    """

    def __init__(
        self,
        name: str = "indic-conformer",
        *,
        path: Path | None = None,
        revision: str | None = None,
        offline_first: bool = False,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        """Load the model.

        Args:
            name: A name of the model catalog; with `path`, any name.
            path: A folder with config.json and the assets, taken instead of the catalog's.
            revision: What to record as the revision of the model at `path`.
            offline_first: Take the offline packages before the hub (none carries these weights).
            threads: CPU threads of one operator; None takes one a core.
            device: "cpu", "cuda" or "cuda:N"; without the CUDA build of ONNX Runtime, the model stays on the
                CPU and a warning says so.

        Raises:
            UserError: The weights are not at hand or damaged, or the device is unknown.
        """
        found = LocalModel(path, "path", None) if path else locate(name, offline_first=offline_first)
        assets = found.path / "assets"
        providers = _providers(device)
        self._features = _load_features(assets / "preprocessor.ts")
        self._encoder = _load_graph(assets / "encoder.onnx", _ENCODER, providers, threads)
        self._decoder = _load_graph(assets / "ctc_decoder.onnx", _DECODER, providers, threads)
        self._blank = int(_read(found.path / "config.json")["BLANK_ID"])
        self._tokens: dict[str, list[str]] = _read(assets / "vocab.json")
        masks = _read(assets / "language_masks.json")
        self._columns = {lang: np.flatnonzero(np.asarray(mask, dtype=bool)) for lang, mask in masks.items()}
        self.model = ModelRef(name=name, revision=found.revision or revision)

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        """Return what was heard in each clip, of any sample rate.

        Args:
            clips: The clips. Silence and clips without samples are heard as "".
            lang: Language code.

        Raises:
            UserError: No language is given, or the model does not know it.
            AgentFailure: A clip holds NaN or infinity ("audio"), or is too long for the memory
                ("out_of_memory").
        """
        if lang is None:
            raise UserError(f"{self.model.name} does not detect the language. Say which one is spoken")
        if lang not in self._columns or lang not in self._tokens:
            raise UserError(
                f"{self.model.name} does not know the language {lang!r}. Known: {', '.join(self._columns)}"
            )
        return [self._transcribe(clip, lang) for clip in clips]

    def _transcribe(self, clip: Audio, lang: str) -> Transcript:
        started_s = time.perf_counter()
        samples = samples_to_hear(clip)
        text = "" if samples is None else self._hear(samples, lang)
        return Transcript(text, lang, time.perf_counter() - started_s)

    def _hear(self, samples: npt.NDArray[np.float32], lang: str) -> str:
        """Return the text; samples of shape (n,) at 16 kHz."""
        import torch

        padded = np.pad(samples, (0, max(0, _SHORTEST - len(samples))))
        with torch.inference_mode():
            features, length = self._features(
                input_signal=torch.from_numpy(padded)[None], length=torch.tensor([len(padded)])
            )
        encoded, lengths = _run(self._encoder, _ENCODER, features.numpy(), length.numpy())
        [scores] = _run(self._decoder, _DECODER, encoded)
        return self._decoded(scores[0, : int(lengths[0])], lang)

    def _decoded(self, scores: npt.NDArray[np.float32], lang: str) -> str:
        """Decode by greedy CTC: the likeliest token of each frame, repetitions once, blanks dropped.

        Args:
            scores: One row a frame and one column for each token of all languages, with the blank last.
            lang: Whose tokens may come.
        """
        likeliest = scores[:, self._columns[lang]].argmax(axis=1)
        kept = [int(token) for token, _ in groupby(likeliest) if token != self._blank]
        return "".join(self._tokens[lang][token] for token in kept).replace(_WORD_START, " ").strip()


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{file}: cannot be read ({first_line(error)})") from None


def _load_features(file: Path) -> Any:
    """Return the feature extractor: 80 log-mel features every 10 ms, normalized over the clip."""
    import torch

    try:
        with warnings.catch_warnings():
            # TorchScript is deprecated; the extractor exists in no other form.
            warnings.simplefilter("ignore", FutureWarning)
            return torch.jit.load(str(file), map_location="cpu").eval()
    # torch raises RuntimeError and ValueError here, and says what was wrong in many lines.
    except Exception as error:
        raise UserError(f"{file}: cannot be loaded ({first_line(error)})") from None


def _load_graph(
    file: Path, names: tuple[tuple[str, ...], tuple[str, ...]], providers: list[Any], threads: int | None
) -> Any:
    """Return an inference session whose inputs and outputs have the names that the decoding counts on."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads or 0
    # Spinning threads would take the cores from whatever else runs beside.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(str(file), options, providers=providers)
    # ONNX Runtime raises classes of its own that share no base but Exception.
    except Exception as error:
        raise UserError(f"{file}: cannot be loaded ({first_line(error)})") from None
    inputs, outputs = ({node.name for node in nodes()} for nodes in (session.get_inputs, session.get_outputs))
    if not (set(names[0]) == inputs and set(names[1]) <= outputs):
        raise UserError(f"{file}: not IndicConformer's: it has {', '.join(sorted(inputs | outputs))}")
    return session


def _run(session: Any, names: tuple[tuple[str, ...], tuple[str, ...]], *values: Any) -> Any:
    try:
        return session.run(list(names[1]), dict(zip(names[0], values, strict=True)))
    except Exception as error:
        text = first_line(error)
        if "allocate" in text.lower() or "out of memory" in text.lower():
            raise AgentFailure("out_of_memory", text[:300]) from None
        raise


def _providers(device: str) -> list[Any]:
    kind, _, index = device.partition(":")
    if kind not in ("cpu", "cuda") or (index and not index.isdecimal()):
        raise UserError(f"unknown device {device!r}; it is 'cpu', 'cuda' or 'cuda:N'")
    import onnxruntime

    if kind == "cuda" and "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        return [("CUDAExecutionProvider", {"device_id": int(index or 0)}), "CPUExecutionProvider"]
    if kind == "cuda":
        log.warning("this build of ONNX Runtime has no CUDA: indic-conformer runs on the CPU")
    return ["CPUExecutionProvider"]
