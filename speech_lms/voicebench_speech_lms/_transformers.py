"""What the speech LMs of transformers share: loading, the chat, the check that the sound arrived, the stream.

A model is a subclass. It says what it is by class attributes and overrides what is different about it:
`_process` (messages to the model's inputs), `_heard_s` and `_audio_token_id` (to tell that the sound is in
them), `_load` (processor and model from a folder).
"""

import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

from voicebench.audio.io import resample
from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.generation import Sink, out_of_memory, stream_generation
from voicebench.models import locate
from voicebench.types import Audio, Message, ModelRef, Part, Tool

log = logging.getLogger(__name__)

_MASKS = ("feature_attention_mask", "input_features_mask")
"""What processors call the mask that marks the frames of sound among the padding."""

_SLACK_S = 0.03
"""What a clip may lose to whole frames: a Whisper frame is 0.01 s."""

_sampling = threading.Lock()
"""Held while an answer is sampled: torch's random state is one for all threads."""


class TransformersSpeechLM:
    """A speech LM of transformers as a language model whose messages may carry sound.

    An answer is stamped id by id as `generate` makes it. Temperature 0 takes the likeliest token at each
    step; the repetition penalty and the cuts of the vocabulary that some models bring along are not applied,
    so that all models decode alike. Requests are served one at a time.

    Attributes:
        name: Name of the weights in the catalog.
        model_class: The class in transformers.
        memory_mb: What it needs on a GPU, in bfloat16, for the error message.
        longest_clip_s: The longest clip that its encoder takes.
        most_clips: How many clips a conversation may have; None for any number.
        rate_hz: Sample rate of what it hears.
        model: Name and revision.
        holds_schema: False.
    """

    name: ClassVar[str]
    model_class: ClassVar[str]
    memory_mb: ClassVar[int]
    longest_clip_s: ClassVar[float]
    most_clips: ClassVar[int | None] = None
    rate_hz: ClassVar[int] = 16_000
    holds_schema = False

    def __init__(self, *, path: Path | None = None, offline_first: bool = False, device: str = "cpu") -> None:
        """Load processor and model: bfloat16 on a GPU, float32 on the CPU.

        Args:
            path: A folder with the weights, taken instead of the catalog's.
            offline_first: Look at offline packages before the hub.
            device: "cpu", "cuda" or "cuda:N".

        Raises:
            UserError: The weights are not at hand, not whole or do not fit, or the device is not there.
        """
        found = locate(self.name, path=path, offline_first=offline_first)
        import torch

        if device != "cpu" and not torch.cuda.is_available():
            raise UserError(
                f"{self.name}: torch {torch.__version__} finds no CUDA device for {device!r}. "
                "Install a torch that fits the driver, or give --device cpu"
            )
        self._torch: Any = torch
        self._device = device
        self._dtype = torch.float32 if device == "cpu" else torch.bfloat16
        self._one_at_a_time = threading.Lock()
        try:
            self._processor, self._model = self._load(found.path)
        except (OSError, ValueError) as error:
            raise UserError(
                f"{found.path}: transformers cannot load {self.name} from this folder ({first_line(error)})"
            ) from error
        except (MemoryError, RuntimeError) as error:
            if out_of_memory(error) is None:
                raise
            torch.cuda.empty_cache()
            raise UserError(
                f"{self.name} does not fit: it needs about {self.memory_mb / 1000:.0f} GB on a GPU and twice "
                f"that on a CPU, and {device} ran out of memory. Free some, or name another with --device"
            ) from error
        self.model = ModelRef(name=self.name, revision=found.revision)

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
        """Stream the answer in parts, each stamped when its last id was made; a "usage" part comes last.

        Args:
            messages: The chat so far, in words and sound.
            tools: Offered by the model's own chat template; native calls come as the content that they are.
            schema: Not held to.
            max_tokens: Upper bound of what is generated.
            temperature: 0 is greedy.
            seed: For sampling.

        Raises:
            AgentFailure: A clip is too long or did not reach the model ("audio"); there are too many clips,
                the template takes no tools or the prompt is too long ("unsupported"); or the device ran out
                of memory ("out_of_memory").
        """
        if tools and not self._takes_tools:
            raise AgentFailure(
                "unsupported", f"{self.name}: its chat template takes no tools. Write them into the prompt"
            )
        clips = self._clips(messages)
        inputs = self._process(messages, clips, tools)
        usage = {"input_tokens": int(inputs["input_ids"].shape[-1]), **self._heard(inputs, clips)}
        self._check_length(usage["input_tokens"])
        options = self._options(max_tokens, temperature)
        try:
            yield from stream_generation(
                lambda sink: self._generate(inputs, sink, options, seed), self._decode, usage=usage
            )
        except AgentFailure as failure:
            if failure.kind == "out_of_memory":
                self._torch.cuda.empty_cache()
            raise

    def _load(self, folder: Path) -> tuple[Any, Any]:
        """Return the processor and the model of a folder.

        Raises:
            UserError: The folder lacks some of the model's weights, which transformers would draw at random.
        """
        import transformers

        processor = transformers.AutoProcessor.from_pretrained(folder, local_files_only=True)
        model, info = getattr(transformers, self.model_class).from_pretrained(
            folder,
            local_files_only=True,
            dtype=self._dtype,
            device_map=None if self._device == "cpu" else {"": self._device},
            output_loading_info=True,
        )
        if info["missing_keys"]:
            raise UserError(
                f"{folder}: {len(info['missing_keys'])} weights of {self.name} are not in this folder, "
                f"such as {min(info['missing_keys'])}. Fetch it anew"
            )
        return processor, model

    def _process(self, messages: Sequence[Message], clips: Sequence[Audio], tools: Sequence[Tool]) -> Any:
        """Return the model's inputs for a chat, a mapping of tensors with a batch of one.

        Args:
            messages: The chat.
            clips: Its sound in order, at the model's rate.
            tools: To be offered natively.
        """
        prompt = self._prompt(messages, tools)
        begun = getattr(self._tokenizer, "bos_token", None)
        return self._processor(
            text=[prompt],
            **({"audio": [clip.samples for clip in clips], "sampling_rate": self.rate_hz} if clips else {}),
            add_special_tokens=not (begun and prompt.startswith(begun)),
            return_tensors="pt",
        )

    def _prompt(self, messages: Sequence[Message], tools: Sequence[Tool]) -> str:
        """Return a chat as its template writes it, with a placeholder for each clip."""
        prompt: str = self._processor.apply_chat_template(
            [self._message(message) for message in messages],
            tools=[{"type": "function", "function": tool.model_dump()} for tool in tools] or None,
            add_generation_prompt=True,
            tokenize=False,
        )
        return prompt

    def _message(self, message: Message) -> dict[str, Any]:
        """Return a message as the template takes it: its sound, then its words."""
        # Older templates look for the key, newer ones at the type.
        sound = [{"type": "audio", "audio": "clip"}] if message.audio is not None else []
        words = [{"type": "text", "text": message.content}] if message.content or not sound else []
        return {"role": message.role, "content": [*sound, *words]}

    def _heard_s(self, inputs: Any) -> float:
        """Return how many seconds of sound the inputs hold, without padding."""
        mask = next((inputs[key] for key in _MASKS if inputs.get(key) is not None), None)
        if mask is None or inputs.get("input_features") is None:
            return 0.0
        return int(mask.sum()) * int(self._processor.feature_extractor.hop_length) / self.rate_hz

    @property
    def _audio_token_id(self) -> int:
        """The id that stands for a piece of sound in `input_ids`."""
        return int(self._processor.audio_token_id)

    @property
    def _tokenizer(self) -> Any:
        return self._processor.tokenizer

    @property
    def _takes_tools(self) -> bool:
        template = self._processor.chat_template
        return re.search(r"\btools\b", str(template)) is not None

    def _clips(self, messages: Sequence[Message]) -> list[Audio]:
        clips = [message.audio for message in messages if message.audio is not None]
        if self.most_clips is not None and len(clips) > self.most_clips:
            raise AgentFailure(
                "unsupported",
                f"{len(clips)} clips in a conversation; {self.name} hears {self.most_clips}. "
                "Give earlier turns in words",
            )
        longest_s = max((clip.duration_s for clip in clips), default=0.0)
        if longest_s > self.longest_clip_s:
            raise AgentFailure(
                "audio", f"a clip of {longest_s:.1f} s; {self.name} hears {self.longest_clip_s:g} s at most"
            )
        return [resample(clip, self.rate_hz) for clip in clips]

    def _heard(self, inputs: Any, clips: Sequence[Audio]) -> dict[str, int]:
        """Return the count of the input's tokens that are sound, for the usage.

        Raises:
            AgentFailure: A clip is not in the inputs, or not all of it.
        """
        pieces = runs(inputs["input_ids"].reshape(-1).tolist(), self._audio_token_id)
        if len(pieces) != len(clips):
            raise AgentFailure(
                "audio", f"{len(pieces)} of {len(clips)} clips are in what {self.name} was given"
            )
        given_s, heard_s = sum(clip.duration_s for clip in clips), self._heard_s(inputs)
        if heard_s < given_s - _SLACK_S * len(clips):
            raise AgentFailure(
                "audio", f"{heard_s:.2f} s of {given_s:.2f} s of sound are in what {self.name} was given"
            )
        return {"audio_input_tokens": sum(pieces)} if clips else {}

    def _check_length(self, tokens: int) -> None:
        longest = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        if longest is not None and tokens >= longest:
            raise AgentFailure(
                "unsupported", f"a prompt of {tokens} tokens; {self.name} takes fewer than {longest}"
            )

    def _options(self, max_tokens: int, temperature: float) -> dict[str, Any]:
        """Return what `generate` is told about decoding."""
        ends = self._model.generation_config.eos_token_id
        ends = {*(ends if isinstance(ends, list) else [ends]), self._tokenizer.eos_token_id} - {None}
        sampled = temperature > 0
        return {
            "max_new_tokens": max_tokens,
            "do_sample": sampled,
            "temperature": temperature if sampled else None,
            "top_k": 0 if sampled else None,
            "top_p": 1.0 if sampled else None,
            "repetition_penalty": 1.0,
            "num_beams": 1,
            "eos_token_id": sorted(ends) or None,
            "pad_token_id": self._tokenizer.pad_token_id,
        }

    def _generate(self, inputs: Any, sink: Sink, options: Mapping[str, Any], seed: int) -> None:
        torch = self._torch
        with ExitStack() as held:
            held.enter_context(self._one_at_a_time)
            held.enter_context(torch.inference_mode())
            if options["do_sample"]:
                held.enter_context(_sampling)
                torch.manual_seed(seed)
            self._model.generate(**self._on_device(inputs), streamer=sink, **options)

    def _on_device(self, inputs: Any) -> dict[str, Any]:
        return {
            key: value.to(self._device, self._dtype if value.is_floating_point() else None)
            for key, value in inputs.items()
            if hasattr(value, "is_floating_point")
        }

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self._tokenizer.decode(
            list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text


def runs(ids: Sequence[int], wanted: int) -> list[int]:
    """Return the lengths of the unbroken runs of an id, in order."""
    return [len(list(group)) for is_it, group in groupby(ids, wanted.__eq__) if is_it]
