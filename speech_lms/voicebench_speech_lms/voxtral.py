"""Voxtral-Mini-3B-2507 through transformers and mistral-common: several clips, and native tools."""

import base64
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from voicebench.audio.io import wav_bytes
from voicebench.types import Audio, Message, Tool
from voicebench_speech_lms._transformers import TransformersSpeechLM

_FORBIDDEN = re.compile(r"[^A-Za-z0-9_-]")


class Voxtral(TransformersSpeechLM):
    """Voxtral Mini (Mistral, 2025, arXiv 2507.13264): a Whisper-large-v3 encoder and Ministral 3B.

    The chat is written by mistral-common from the folder's `tekken.json`; a plain tokenizer would leave the
    sound out without a word. The model knows no system turn, so an instruction opens the first user turn,
    behind its sound. The encoder reads windows of 30 s; the model card promises 40 minutes a clip. In tools'
    names, whatever Mistral's format forbids becomes "_", which the reader of answers undoes.
    """

    name: ClassVar[str] = "voxtral"
    model_class: ClassVar[str] = "VoxtralForConditionalGeneration"
    memory_mb: ClassVar[int] = 11_000
    longest_clip_s: ClassVar[float] = 2400.0

    def _load(self, folder: Path) -> tuple[Any, Any]:
        import transformers

        processor, model = super()._load(folder)
        words = transformers.MistralCommonBackend.from_pretrained(folder)
        return transformers.VoxtralProcessor(processor.feature_extractor, words), model

    def _process(self, messages: Sequence[Message], clips: Sequence[Audio], tools: Sequence[Tool]) -> Any:
        offered = [{"type": "function", "function": _named(tool)} for tool in tools]
        # The processor hands what it is told for the text on to the tokenizer, but not its argument `tools`.
        return self._processor.apply_chat_template(
            _chat(messages, clips), processor_kwargs={"text_kwargs": {"tools": offered}} if offered else None
        )

    def _heard_s(self, inputs: Any) -> float:
        windows = inputs.get("input_features")
        if windows is None:
            return 0.0
        frames = int(windows.shape[0] * windows.shape[-1])
        return frames * int(self._processor.feature_extractor.hop_length) / self.rate_hz

    @property
    def _takes_tools(self) -> bool:
        return True


def _chat(messages: Sequence[Message], clips: Sequence[Audio]) -> list[dict[str, Any]]:
    """Return a chat as mistral-common takes it, without system turns."""
    instruction = "\n\n".join(message.content for message in messages if message.role == "system")
    sounds = iter(clips)
    chat: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        said = message.content
        if message.role != "user":
            chat.append({"role": message.role, "content": said})
            continue
        if instruction:
            said, instruction = f"{instruction}\n\n{said}" if said else instruction, ""
        content = []
        if message.audio is not None:
            sound = base64.b64encode(wav_bytes(next(sounds))).decode("ascii")
            content.append({"type": "audio", "base64": sound})
        if said or not content:
            content.append({"type": "text", "text": said})
        chat.append({"role": "user", "content": content})
    return chat


def _named(tool: Tool) -> dict[str, Any]:
    return {**tool.model_dump(), "name": _FORBIDDEN.sub("_", tool.name)}
