"""Granite-Speech-3.3-8B through transformers: hears one clip a conversation, through its LoRA adapter."""

import math
from typing import Any, ClassVar

from voicebench_speech_lms._adapted import AdaptedSpeechLM

_FRAMES_A_STEP = 2
"""Mel frames that the feature extractor stacks into one step of the encoder."""


class GraniteSpeech(AdaptedSpeechLM):
    """Granite Speech 3.3 (IBM, 2025, arXiv 2505.08699): a Conformer, a Q-Former and Granite 3.3 8B.

    Trained to transcribe and to translate one clip: its makers have a second request, in words, do the rest.
    Here it answers in one, as every other agent does. The encoder looks at blocks of 4 s and has no longest
    clip.
    """

    name: ClassVar[str] = "granite-speech"
    model_class: ClassVar[str] = "GraniteSpeechForConditionalGeneration"
    memory_mb: ClassVar[int] = 20_000
    longest_clip_s: ClassVar[float] = math.inf
    most_clips: ClassVar[int | None] = 1
    # The spectrogram mirrors 256 samples at the clip's ends, and so needs one more.
    shortest_clip_samples: ClassVar[int] = 257

    def _heard_s(self, inputs: Any) -> float:
        steps = inputs.get("input_features")
        if steps is None:
            return 0.0
        hop = int(self._processor.audio_processor.melspec_kwargs["hop_length"])
        return int(steps.shape[1]) * _FRAMES_A_STEP * hop / self.rate_hz

    @property
    def _audio_token_id(self) -> int:
        return int(self._model.config.audio_token_id)
