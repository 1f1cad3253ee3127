"""Measure the speech LMs and a cascade on a GPU: memory, and the time to the first token and to the last.

    python bench/gpu_agents.py --gpu 0
    python bench/gpu_agents.py --only voxtral whisper-large-v3+qwen3-8b --requests 20
    python bench/gpu_agents.py --device cpu --tiny          # to prove that the script runs

Prints JSON lines. What cannot be run here (no CUDA device, too little memory, packages that are missing) is a
line with `not_run`, the reason, instead of figures. Weights that are at hand are used (`weights`: "real");
else random ones of the published sizes are drawn ("random"): they take the time and memory of the real ones,
but for how many tokens an answer has, so all answers end after `--answer-tokens`. A prompt has
`--prompt-tokens` characters, which are as many tokens of the random models' tokenizers.

Each request is a clip of 3.5 s, one at a time, after three that warm up. `first_s` is the time from the
request to the first content, `done_s` to the end of the answer; for each the p50, p90 and p99.
`peak_gb` is the most GPU memory that torch held; a transcriber of CTranslate2 is not in it.
"""

import argparse
import gc
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import random_models

from voicebench import models
from voicebench.devices import choose_device, cuda_devices
from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.generation import out_of_memory
from voicebench.llms import transformers_chat
from voicebench.models import LocalModel
from voicebench.registry import Record, class_of, find, load_on, require
from voicebench.types import Audio, Message, Transcript
from voicebench_speech_lms import _transformers

SPEECH_LMS = (
    "qwen2.5-omni", "voxtral", "phi-4-multimodal", "qwen2-audio", "audio-flamingo-3", "granite-speech",
)  # fmt: skip
LLMS = ("qwen3-8b", "qwen2.5-7b", "gemma3-27b", "llama3.3-70b")
CASCADES = ("whisper-large-v3+qwen3-8b",)
CASES = (*SPEECH_LMS, *CASCADES, *LLMS)
CLIP_S, RATE_HZ = 3.5, 16_000
WARM_UP = 3
TRANSCRIPT_TOKENS = 15
"""What a clip of 3.5 s is in words."""

PERCENTILES = (50, 90, 99)


def main() -> None:
    """Run the cases and print their lines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gpu", metavar="N")
    parser.add_argument("--device", help="cpu, to prove that the script runs")
    parser.add_argument("--only", nargs="+", choices=CASES, default=CASES)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--answer-tokens", type=int, default=32)
    parser.add_argument("--prompt-tokens", type=int, default=500)
    parser.add_argument("--tiny", action="store_true", help="models of a few layers, whatever is at hand")
    chosen = parser.parse_args()
    try:
        device = choose_device(chosen.gpu, chosen.device or (None if cuda_devices() else "cuda"))
    except UserError as error:
        for case in chosen.only:
            say(case, not_run=str(error))
        return
    bench = Bench(chosen, device)
    for case in chosen.only:
        try:
            say(case, **bench.measured(case), device=bench.named)
        except (UserError, AgentFailure) as error:
            say(case, not_run=first_line(error), device=bench.named)
        except (MemoryError, RuntimeError) as error:
            if out_of_memory(error) is None:
                raise
            say(case, not_run=first_line(error), device=bench.named)
        bench.forget()


def say(case: str, **figures: Any) -> None:
    """Print a line."""
    print(json.dumps({"bench": "gpu_agents", "case": case, **figures}, ensure_ascii=False), flush=True)


class Bench:
    """The cases on one device."""

    def __init__(self, chosen: argparse.Namespace, device: str) -> None:
        self.chosen = chosen
        self.device = device
        self.on_cpu = device == "cpu"
        self.named = "cpu" if self.on_cpu else cuda_devices()[int(device.partition(":")[2])]
        self.tiny = bool(chosen.tiny)
        self.told = Message(
            "system", ("Call the tools that the user asks for. " * 1000)[: chosen.prompt_tokens]
        )

    def measured(self, case: str) -> dict[str, Any]:
        """Load a case's models, ask them all requests, and return the line's figures.

        Raises:
            UserError: Something that it needs is missing; the message says what.
            AgentFailure: A request failed.
        """
        asr_name, _, llm_name = case.rpartition("+")
        asr = find("asr", asr_name) if asr_name else None
        llm = find("agent" if llm_name in SPEECH_LMS else "llm", llm_name)
        records = [record for record in (asr, llm) if record is not None]
        for record in records:
            # A transcriber whose weights are not at hand is stood in for, and not loaded.
            if record.kind != "asr" or self._at_hand(record):
                require(record)
        self._check_memory(records)
        self._reset_peak()
        started_s = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            hearing = self._transcriber(asr) if asr is not None else None
            answering = self._load(llm, Path(folder))
        load_s = time.perf_counter() - started_s

        def ask(clip: Audio) -> tuple[float, float, int]:
            begun_s = time.perf_counter()
            words = "" if hearing is None else hearing.transcribe([clip], lang="en")[0].text
            sound = clip if llm.kind == "agent" else None
            said = words or ("" if sound is not None else "Book a cab to the airport, please.")
            parts = answering.complete(
                [self.told, Message("user", said, sound)], max_tokens=self.chosen.answer_tokens
            )
            return times(parts, begun_s)

        clips = bursts(WARM_UP + self.chosen.requests)
        taken = [ask(clip) for clip in clips][WARM_UP:]
        firsts = [first for first, _, _ in taken if not np.isnan(first)]
        return {
            "weights": "real" if all(self._at_hand(record) for record in records) else "random",
            "n": len(taken),
            "clip_s": CLIP_S if asr is not None or llm.kind == "agent" else None,
            "first_s": percentiles(firsts),
            "done_s": percentiles([done for _, done, _ in taken]),
            "answer_tokens": round(float(np.mean([count for _, _, count in taken])), 1),
            "load_s": round(load_s, 2),
            "peak_gb": self._peak_gb(),
            "tiny": self.tiny,
        }

    def forget(self) -> None:
        """Give the memory of the last case back."""
        gc.collect()
        if not self.on_cpu and "torch" in sys.modules:
            import torch

            torch.cuda.empty_cache()

    # ---- Models ----

    def _load(self, record: Record, folder: Path) -> Any:
        """Load a model that is at hand, or draw one of its size."""
        if self._at_hand(record):
            return load_on(record, self.device)
        name = record.weights[0]
        random_models.write(name, folder, tiny=self.tiny)
        if record.kind == "agent":
            here = LocalModel(folder, "path", None)
            with (
                mock.patch.object(_transformers, "locate", lambda *told, **options: here),
                mock.patch.object(_transformers.TransformersSpeechLM, "_load", drawn),
            ):
                return without_files(class_of(record))(device=self.device)
        with mock.patch.object(transformers_chat, "_load_model", drawn_chat):
            return class_of(record)(name, path=folder, device=self.device)

    def _transcriber(self, record: Record) -> Any:
        if self._at_hand(record):
            return load_on(record, self.device)
        return RandomWhisper(self.device, tiny=self.tiny)

    def _at_hand(self, record: Record) -> bool:
        return not self.tiny and all(models.at_hand(name) is not None for name in record.weights)

    # ---- Memory ----

    def _check_memory(self, records: Sequence[Record]) -> None:
        needed_gb = sum(record.memory_mb or 0 for record in records) / 1000
        if self.tiny:
            return
        if self.on_cpu:
            raise UserError(f"{needed_gb:.0f} GB of weights on a CPU measure nothing. Give --tiny")
        import torch

        free_gb = torch.cuda.mem_get_info(self.device)[0] / 1e9
        if needed_gb > free_gb:
            raise UserError(f"it needs {needed_gb:.0f} GB of GPU memory, and {free_gb:.0f} GB are free")

    def _reset_peak(self) -> None:
        if not self.on_cpu:
            import torch

            torch.cuda.reset_peak_memory_stats(self.device)

    def _peak_gb(self) -> float | None:
        if self.on_cpu:
            return None
        import torch

        return round(torch.cuda.max_memory_allocated(self.device) / 1e9, 2)


def drawn(lm: Any, folder: Path) -> tuple[Any, Any]:
    """Return a speech LM's processor and a model of random weights, in place of what its folder lacks."""
    import transformers

    model = random_models.draw(lm.name, folder, device=lm._device, dtype=lm._dtype)
    random_models.attach(lm.name, model)
    return transformers.AutoProcessor.from_pretrained(folder, local_files_only=True), model


def drawn_chat(name: str, folder: Path, device: str) -> Any:
    """Return a chat model of random weights."""
    import torch

    dtype = torch.float32 if device == "cpu" else torch.bfloat16
    return random_models.draw(name, folder, device=device, dtype=dtype)


def without_files(speech_lm: type) -> type:
    """Return a speech LM's class that does without the files of its weights, which are drawn."""

    class Drawn(speech_lm):  # type: ignore[misc]
        def _attach(self, model: Any, folder: Path) -> None:
            """The adapter was drawn with the model."""

    return Drawn


class RandomWhisper:
    """Whisper-large-v3's size through transformers, for want of its weights: it writes so many tokens."""

    def __init__(self, device: str, *, tiny: bool) -> None:
        import torch
        from transformers import WhisperConfig, WhisperFeatureExtractor, WhisperForConditionalGeneration

        sizes = {
            "d_model": 1280, "encoder_layers": 32, "decoder_layers": 32, "encoder_attention_heads": 20,
            "decoder_attention_heads": 20, "encoder_ffn_dim": 5120, "decoder_ffn_dim": 5120,
            "num_mel_bins": 128, "vocab_size": 51866,
        }  # fmt: skip
        if tiny:
            sizes = {
                "d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
                "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32,
                "num_mel_bins": 16, "vocab_size": 51866,
            }  # fmt: skip
        self._dtype = torch.float32 if device == "cpu" else torch.bfloat16
        self._device = device
        self._ear = WhisperFeatureExtractor(feature_size=sizes["num_mel_bins"])
        torch.manual_seed(1)
        with torch.device(device):
            self._model = WhisperForConditionalGeneration._from_config(
                WhisperConfig(**sizes), dtype=self._dtype
            ).eval()

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        """Return words of the length that clips of this kind have, after the work that they take."""
        import torch
        from transformers import GenerationMixin

        started_s = time.perf_counter()
        with torch.inference_mode():
            for clip in clips:
                heard = self._ear(clip.samples, sampling_rate=RATE_HZ, return_tensors="pt")["input_features"]
                begun = torch.tensor([[50258, 50259, 50360, 50364]], device=self._device)
                # Whisper's own `generate` wants the settings of the real weights.
                GenerationMixin.generate(
                    self._model, heard.to(self._device, self._dtype), decoder_input_ids=begun,
                    do_sample=False, max_new_tokens=TRANSCRIPT_TOKENS, min_new_tokens=TRANSCRIPT_TOKENS,
                ).tolist()  # fmt: skip
        seconds = (time.perf_counter() - started_s) / len(clips)
        return [Transcript("Book a cab to the airport, please.", lang, seconds) for _ in clips]


def times(parts: Iterator[Any], begun_s: float) -> tuple[float, float, int]:
    """Return the seconds to the first content (NaN without any) and to the end, and the number of tokens."""
    first_s, count = float("nan"), 0
    for part in parts:
        if part.kind in ("content", "reasoning") and np.isnan(first_s):
            first_s = part.at_s - begun_s
        count = part.usage.get("output_tokens", count)
    return first_s, time.perf_counter() - begun_s, count


def percentiles(seconds: Sequence[float]) -> dict[str, float] | None:
    """Return p50, p90 and p99 in seconds; None of nothing."""
    if not seconds:
        return None
    found = np.percentile(seconds, PERCENTILES)
    return {f"p{rank}": round(float(value), 4) for rank, value in zip(PERCENTILES, found, strict=True)}


def bursts(count: int) -> list[Audio]:
    """Return clips of noise; no two are alike."""
    rng = np.random.default_rng(0)
    return [
        Audio((rng.standard_normal(round(CLIP_S * RATE_HZ)) * 0.1).astype(np.float32).clip(-1, 1), RATE_HZ)
        for _ in range(count)
    ]


if __name__ == "__main__":
    main()
