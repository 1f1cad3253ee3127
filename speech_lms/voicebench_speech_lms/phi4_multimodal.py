"""Phi-4-multimodal-instruct through transformers' own class: hears one clip, through its speech adapter."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from voicebench.errors import UserError
from voicebench.types import Message, Tool
from voicebench_speech_lms._adapted import AdaptedSpeechLM

ADAPTER_FOLDER = "speech-lora"


class Phi4Multimodal(AdaptedSpeechLM):
    """Phi-4-multimodal (Microsoft, 2025, arXiv 2503.01743): a Conformer and Phi-4-mini, LoRA of rank 320.

    The files are those of the repository's pull request 70, which transformers' own class reads; those of
    its main branch need code of the repository. The model card asks for clips of 40 s at most, but for
    summaries. Transformers' class does not mask the padding of a shorter clip beside a longer one, which
    changes what it hears, so a conversation may have one clip.
    """

    name: ClassVar[str] = "phi-4-multimodal"
    model_class: ClassVar[str] = "Phi4MultimodalForCausalLM"
    memory_mb: ClassVar[int] = 13_000
    longest_clip_s: ClassVar[float] = 40.0
    most_clips: ClassVar[int | None] = 1
    shortest_clip_samples: ClassVar[int] = 400

    def _attach(self, model: Any, folder: Path) -> None:
        # Under the name "speech", transformers would report the model's own weights of that name as missing.
        info = model.load_adapter(
            str(folder / ADAPTER_FOLDER), adapter_name="adapter", device_map={"": self._device}
        )
        if info.missing_keys:
            raise UserError(
                f"{folder / ADAPTER_FOLDER}: {len(info.missing_keys)} weights of the adapter of {self.name} "
                f"are not in this folder, such as {min(info.missing_keys)}. Fetch it anew"
            )

    def _prompt(self, messages: Sequence[Message], tools: Sequence[Tool]) -> str:
        chat = [self._message(message) for message in messages]
        if tools:
            # The template takes tools as JSON text in the system turn, not as an argument of its own.
            if not chat or chat[0]["role"] != "system":
                chat.insert(0, {"role": "system", "content": ""})
            offered = [tool.model_dump() for tool in tools]
            chat[0]["tools"] = json.dumps(offered, ensure_ascii=False)
        prompt: str = self._processor.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
        return prompt

    def _heard_s(self, inputs: Any) -> float:
        frames = inputs.get("audio_input_features")
        if frames is None:
            return 0.0
        return int(frames.shape[1]) * int(self._processor.audio_processor.hop_length) / self.rate_hz
