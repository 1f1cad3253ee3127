"""Kimi-Audio-7B-Instruct through its own package, kimia_infer: a speech LM whose answer comes in one piece.

Never run here with its weights: what was tested is the shape of the calls to kimia_infer, against a stand-in.
"""

import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.audio.io import resample, wav_bytes
from voicebench.errors import AgentFailure, UserError
from voicebench.generation import out_of_memory
from voicebench.models import locate
from voicebench.types import Message, ModelRef, Part, Tool

KIMI_RATE_HZ = 16_000


class KimiAudio:
    """Kimi-Audio (Moonshot AI, 2025, arXiv 2504.18425) as a language model whose messages may carry sound.

    The conversation goes in as kimia_infer's list of messages, each in words or as the path of a WAV file; it
    knows no system role, so the instruction is the user's first message. The answer is one part of the kind
    "answer" (kimia_infer streams tokens only together with its detokenizer for speech, which is not loaded).
    Loading runs the code of the hub's repository. Importing kimia_infer opens a log file, kimia_audio.log, in
    the working directory.

    Attributes:
        model: Name and revision.
        holds_schema: False.
    """

    holds_schema = False

    def __init__(
        self, *, path: Path | None = None, offline_first: bool = False, device: str = "cuda"
    ) -> None:
        """Load the model onto a CUDA device: about 24 GB in bfloat16.

        Args:
            path: A folder with the weights, taken instead of the catalog's.
            offline_first: Look at offline packages before the hub (none carries these weights).
            device: "cuda" or "cuda:N".

        Raises:
            UserError: There is no such CUDA device, it has too little memory, or the weights are not at hand.
        """
        self._index = _cuda_index(device)
        import torch

        if not torch.cuda.is_available() or torch.cuda.device_count() <= self._index:
            raise UserError(f"kimi-audio needs a CUDA device of about 24 GB, and {device!r} is not there")
        found = locate("kimi-audio", path=path, offline_first=offline_first)
        from kimia_infer.api.kimia import KimiAudio as Engine

        self._torch: Any = torch
        self._one_at_a_time = threading.Lock()
        # kimia_infer always uses the current device, which each thread has its own of.
        torch.cuda.set_device(self._index)
        try:
            self._engine: Any = Engine(model_path=str(found.path), load_detokenizer=False)
        except (MemoryError, RuntimeError) as error:
            if out_of_memory(error) is None:
                raise
            raise UserError(
                f"kimi-audio does not fit: it needs about 24 GB, and {device} ran out of memory. "
                "Free some, or name another with --gpu"
            ) from error
        self.model = ModelRef(name="kimi-audio", revision=found.revision)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Iterator[Part]:
        """Give the answer as one part, stamped when it was complete; kimia_infer counts no tokens.

        Args:
            messages: The chat so far, in words and sound.
            tools: None may be offered natively.
            schema: Not held to.
            max_tokens: Upper bound of what is generated.
            temperature: 0 is greedy.
            seed: For sampling.

        Raises:
            AgentFailure: Tools were offered natively ("unsupported"), or the GPU's memory did not suffice
                ("out_of_memory").
        """
        if tools:
            raise AgentFailure("unsupported", "kimi-audio takes no native tools. Write them into the prompt")
        with tempfile.TemporaryDirectory(prefix="voicebench-") as folder, self._one_at_a_time:
            chats = [_message(message, Path(folder) / f"{n}.wav") for n, message in enumerate(messages)]
            text = self._generate(chats, max_tokens, temperature, seed)
            at_s = time.perf_counter()
        yield Part("answer", text, at_s)

    def _generate(self, chats: list[dict[str, str]], max_tokens: int, temperature: float, seed: int) -> str:
        self._torch.cuda.set_device(self._index)
        self._torch.manual_seed(seed)
        try:
            _, text = self._engine.generate(
                chats,
                output_type="text",
                text_temperature=temperature,
                text_top_k=5,
                audio_temperature=0.8,
                audio_top_k=10,
                max_new_tokens=max_tokens,
            )
        except (MemoryError, RuntimeError) as error:
            failure = out_of_memory(error)
            if failure is None:
                raise
            # Left before the cache is emptied: the exception's frames hold the tensors that did not fit.
            error.__traceback__ = None
        else:
            return str(text)
        self._torch.cuda.empty_cache()
        raise failure


def _message(message: Message, path: Path) -> dict[str, str]:
    role = "assistant" if message.role == "assistant" else "user"
    if message.audio is None:
        return {"role": role, "message_type": "text", "content": message.content}
    path.write_bytes(wav_bytes(resample(message.audio, KIMI_RATE_HZ)))
    return {"role": role, "message_type": "audio", "content": str(path)}


def _cuda_index(device: str) -> int:
    kind, _, index = device.partition(":")
    if kind != "cuda" or (index and not index.isdecimal()):
        raise UserError(f"kimi-audio needs a CUDA device, not {device!r}. Give --gpu 0 or --device cuda")
    return int(index or 0)
