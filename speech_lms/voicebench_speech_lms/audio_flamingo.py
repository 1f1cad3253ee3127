"""Audio Flamingo 3 through transformers: hears one clip a conversation, of ten minutes at most."""

from typing import ClassVar

from voicebench_speech_lms._transformers import TransformersSpeechLM


class AudioFlamingo(TransformersSpeechLM):
    """Audio Flamingo 3 (NVIDIA, 2025, arXiv 2507.08128): the AF-Whisper encoder and Qwen2.5-7B.

    The encoder reads windows of 30 s, twenty at most; transformers would cut what is longer, so it is refused
    here. The processor takes one clip a conversation.
    """

    name: ClassVar[str] = "audio-flamingo-3"
    model_class: ClassVar[str] = "AudioFlamingo3ForConditionalGeneration"
    memory_mb: ClassVar[int] = 18_000
    longest_clip_s: ClassVar[float] = 600.0
    most_clips: ClassVar[int | None] = 1
