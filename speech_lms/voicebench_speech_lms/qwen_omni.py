"""Qwen2.5-Omni-7B through transformers: the Thinker alone, which hears and writes."""

from typing import ClassVar

from voicebench_speech_lms._transformers import TransformersSpeechLM


class QwenOmni(TransformersSpeechLM):
    """The Thinker of Qwen2.5-Omni (Alibaba, 2025, arXiv 2503.20215), without the Talker that would speak.

    Its files hold the Talker and the vocoder as well; they are not loaded. The template takes no tools. The
    model card asks for one fixed system prompt ("You are Qwen, a virtual human …") where speech is to come
    out; for words the instruction stands in its place.
    """

    name: ClassVar[str] = "qwen2.5-omni"
    model_class: ClassVar[str] = "Qwen2_5OmniThinkerForConditionalGeneration"
    memory_mb: ClassVar[int] = 21_000
    longest_clip_s: ClassVar[float] = 300.0
