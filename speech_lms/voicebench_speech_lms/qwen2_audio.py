"""Qwen2-Audio-7B-Instruct through transformers: hears 30 s a clip, several clips a conversation."""

from typing import ClassVar

from voicebench_speech_lms._transformers import TransformersSpeechLM


class Qwen2Audio(TransformersSpeechLM):
    """Qwen2-Audio (Alibaba, 2024, arXiv 2407.10759): a Whisper-large-v3 encoder and Qwen-7B.

    The template numbers the clips ("Audio 1:"). The encoder takes windows of 30 s: a longer clip is refused,
    not cut, and each clip costs a whole window's computing. The template takes no tools.
    """

    name: ClassVar[str] = "qwen2-audio"
    model_class: ClassVar[str] = "Qwen2AudioForConditionalGeneration"
    memory_mb: ClassVar[int] = 18_000
    longest_clip_s: ClassVar[float] = 30.0
