"""The six systems that the VoiceAgentBench paper compares, by name: `--model paper:kimi-audio`.

A preset is an agent's name and how that agent is instructed. What the paper leaves open is assumed, and said.
"""

from dataclasses import dataclass

from voicebench.errors import UserError, did_you_mean
from voicebench.types import Prompting

PREFIX = "paper:"

_PAPER = "VoiceAgentBench (Jain et al., 2025), version 3 of February 2026"
_STATED = ("tools in the prompt", "one worked example", "leave to refuse")
_ASSUMED = ("the checkpoints' revisions", "greedy decoding", "512 tokens an answer", "bfloat16")


@dataclass(frozen=True)
class Preset:
    """A system of the paper's.

    Attributes:
        name: What the user writes.
        model: The agent that it stands for.
        summary: One line.
        prompting: How the agent is instructed.
        source: Where its settings come from.
        pins: Name and revision of each of its models, in the order of their use.
        stated: The settings that the source gives.
        assumed: The settings that the source leaves open, as they are here.
    """

    name: str
    model: str
    summary: str
    prompting: Prompting
    source: str
    pins: tuple[tuple[str, str], ...]
    stated: tuple[str, ...]
    assumed: tuple[str, ...]


def _speech_lm(model: str, what: str, revision: str, *assumed: str) -> Preset:
    return Preset(
        PREFIX + model, model, f"the paper's SpeechLM {what}", Prompting(), _PAPER, ((model, revision),),
        (what, *_STATED), (*_ASSUMED, *assumed),
    )  # fmt: skip


def _cascade(llm: str, what: str, revision: str, *assumed: str) -> Preset:
    asr = ("whisper-large-v3", "edaa852ec7e145841d8ffdb056a99866b5f0a478")
    model = f"{asr[0]}+{llm}"
    return Preset(
        PREFIX + model, model, f"the paper's cascade of Whisper large-v3 and {what}", Prompting(), _PAPER,
        (asr, (llm, revision)), ("Whisper large-v3", what, *_STATED),
        (*_ASSUMED, "Whisper in CTranslate2's format, greedy, told the language", *assumed),
    )  # fmt: skip


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        _speech_lm("kimi-audio", "KimiAudio 7B", "9a82a84c37ad9eb1307fb6ed8d7b397862ef9e6b",
                   "the instruction-tuned checkpoint"),
        _speech_lm("qwen2.5-omni", "Qwen2.5-Omni 7B", "ae9e1690543ffd5c0221dc27f79834d0294cba00",
                   "its Thinker alone: no speech is made"),
        _speech_lm("audio-flamingo-3", "Audio Flamingo 3", "7d4bae64ee29878af6504ae6f6bb3e40492838ad",
                   "the checkpoint in transformers' format", "no thinking"),
        _cascade("qwen3-8b", "Qwen3 8B", "b968826d9c46dd6066d109eabc6255188de91218", "no thinking"),
        _cascade("gemma3-27b", "Gemma3 27B", "005ad3404e59d6023443cb575daa05336842228a",
                 "the instruction-tuned checkpoint"),
        _cascade("llama3.3-70b", "LLaMA 3.3 70B", "6f6073b423013f6a7d4d9f39144961bfbfbc386b",
                 "the instruction-tuned checkpoint"),
    )
}  # fmt: skip


def expand(name: str) -> tuple[str, Prompting | None]:
    """Return the agent that a name stands for, and how it is instructed; None leaves that to the user.

    Args:
        name: A preset's name, or any other, which stands for itself.

    Raises:
        UserError: It begins as presets do and is none; the message names the closest one.
    """
    if not name.startswith(PREFIX):
        return name, None
    if name not in PRESETS:
        raise UserError(f"unknown preset {name!r}.{did_you_mean(name, PRESETS)}")
    return PRESETS[name].model, PRESETS[name].prompting
