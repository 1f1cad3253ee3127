"""Speech LMs that hear through a LoRA adapter, which works where there is sound and rests where not."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MethodType
from typing import Any, ClassVar

from voicebench.errors import AgentFailure, UserError
from voicebench.generation import Sink
from voicebench.types import Audio, Message
from voicebench_speech_lms._transformers import TransformersSpeechLM


class AdaptedSpeechLM(TransformersSpeechLM):
    """A speech LM with an adapter, whose chat template takes each turn as one text.

    The switch is peft's own: that of transformers refuses peft up to 0.21, which loads these adapters well.

    Attributes:
        shortest_clip_samples: Fewer, and its feature extractor fails.
    """

    shortest_clip_samples: ClassVar[int]

    def __init__(self, **options: Any) -> None:
        """Load processor, model and adapter; the options are those of every speech LM of transformers.

        Raises:
            UserError: The weights are not at hand, not whole or do not fit, the adapter is not among them, or
                the device is not there.
        """
        self._switching = threading.Lock()
        super().__init__(**options)

    def _load(self, folder: Path) -> tuple[Any, Any]:
        import transformers

        processor, model = super()._load(folder)
        self._attach(model, folder)
        if not _layers(model):
            raise UserError(
                f"{folder}: the LoRA adapter by which {self.name} hears was not loaded. Fetch the folder "
                "anew, and install peft"
            )
        # Older folders keep the template with the tokenizer alone.
        processor.chat_template = processor.chat_template or processor.tokenizer.chat_template
        # A model's own `generate` may switch adapters too, by the call that refuses peft up to 0.21.
        model.generate = MethodType(transformers.GenerationMixin.generate, model)
        return processor, model

    def _attach(self, model: Any, folder: Path) -> None:
        """Load the adapter; one that lies beside the weights was loaded with them."""

    def _message(self, message: Message) -> dict[str, Any]:
        """Return a message as the template takes it: one text, which begins with the sound's placeholder."""
        sound = self._processor.audio_token if message.audio is not None else ""
        return {"role": message.role, "content": sound + message.content}

    def _clips(self, messages: Sequence[Message]) -> list[Audio]:
        clips = super()._clips(messages)
        for clip in clips:
            if len(clip.samples) < self.shortest_clip_samples:
                raise AgentFailure(
                    "audio",
                    f"a clip of {clip.duration_s:.3f} s; {self.name} hears "
                    f"{self.shortest_clip_samples / self.rate_hz:.3f} s at least",
                )
        return clips

    def _generate(self, inputs: Any, sink: Sink, options: Mapping[str, Any], seed: int) -> None:
        heard = self._heard_s(inputs) > 0
        with self._switching:
            for layer in _layers(self._model):
                layer.enable_adapters(heard)
            super()._generate(inputs, sink, options, seed)


def _layers(model: Any) -> list[Any]:
    """Return a model's layers that an adapter adds to."""
    from peft.tuners.tuners_utils import BaseTunerLayer

    return [layer for layer in model.modules() if isinstance(layer, BaseTunerLayer)]
