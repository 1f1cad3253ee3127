"""Models of random weights: of the published sizes to measure time and memory, or tiny to try the code.

Model classes, processors and the shapes of the chat templates are the real ones. The tokenizers know the real
special tokens by name, and bytes; the rest of the vocabulary is filled up, so that each token has a text.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}{% for item in message.content %}"
    "{% if item.type == 'audio' %}SOUND{% else %}{{ item.text }}{% endif %}{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_GRANITE = (
    "{% if tools %}<|start_of_role|>available_tools<|end_of_role|>{{ tools | tojson }}<|end_of_text|>\n"
    "{% endif %}"
    "{% for message in messages %}<|start_of_role|>{{ message.role }}<|end_of_role|>{{ message.content }}"
    "<|end_of_text|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start_of_role|>assistant<|end_of_role|>{% endif %}"
)
_PHI = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}"
    "{% if message.role == 'system' and 'tools' in message and message.tools is not none %}"
    "<|tool|>{{ message.tools }}<|/tool|>{% endif %}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
_MISTRAL_TOKENS = {
    0: "<unk>", 1: "<s>", 2: "</s>", 3: "[INST]", 4: "[/INST]", 5: "[AVAILABLE_TOOLS]",
    6: "[/AVAILABLE_TOOLS]", 7: "[TOOL_RESULTS]", 8: "[/TOOL_RESULTS]", 9: "[TOOL_CALLS]", 10: "[IMG]",
    11: "<pad>", 12: "[IMG_BREAK]", 13: "[IMG_END]", 14: "[PREFIX]", 15: "[MIDDLE]", 16: "[SUFFIX]",
    17: "[SYSTEM_PROMPT]", 18: "[/SYSTEM_PROMPT]", 19: "[TOOL_CONTENT]", 24: "[AUDIO]", 25: "[BEGIN_AUDIO]",
    34: "[TRANSCRIBE]",
}  # fmt: skip
_SMALL_TEXT = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 4096, "vocab_size": 400,
}  # fmt: skip
_QWEN2_7B = {
    "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28,
    "num_key_value_heads": 4, "max_position_embeddings": 32768, "vocab_size": 152064,
}  # fmt: skip


@dataclass(frozen=True)
class Adapter:
    """A LoRA adapter: its rank, the layers it adds to, and the folder below the model's that holds it."""

    rank: int
    layers: str
    folder: str = "."


@dataclass(frozen=True)
class Layout:
    """How a model is built.

    Attributes:
        model_class: Its class in transformers.
        write: Writes tokenizer and processor into a folder and returns the configuration; told whether tiny.
        adapter: What it hears through.
        stored: Prefix of the weights' names in the published files, for the prefix that they have in memory.
    """

    model_class: str
    write: Callable[[Path, bool], Any]
    adapter: Adapter | None = None
    stored: tuple[str, str] = ("", "")


def write(name: str, folder: Path, *, tiny: bool) -> None:
    """Write all of a model but its weights: configuration, tokenizer, processor."""
    config = LAYOUTS[name].write(folder, tiny)
    config.architectures = [LAYOUTS[name].model_class]
    config.save_pretrained(folder)


def draw(name: str, folder: Path, *, device: str, dtype: Any, seed: int = 1) -> Any:
    """Return a model with the configuration in a folder and random weights, drawn on the device itself."""
    import torch
    import transformers

    layout = LAYOUTS[name]
    made = getattr(transformers, layout.model_class)
    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    if name == "qwen2.5-omni":
        config = config.thinker_config
    torch.manual_seed(seed)
    with torch.device(device):
        model = made._from_config(config, dtype=dtype).eval()
    return model


def attach(name: str, model: Any) -> None:
    """Add a model's adapter, with random weights."""
    from peft import LoraConfig, inject_adapter_in_model

    adapter = LAYOUTS[name].adapter
    if adapter is not None:
        inject_adapter_in_model(_lora(adapter, LoraConfig), model, "adapter")


def save(name: str, folder: Path) -> None:
    """Write a tiny model as the hub has the real one: weights, adapter and all."""
    import torch

    write(name, folder, tiny=True)
    model = draw(name, folder, device="cpu", dtype=torch.float32)
    # Small as random weights are drawn, all inputs would have one answer.
    with torch.no_grad():
        for place, parameter in model.named_parameters():
            if parameter.dim() > 1 and "embed_tokens.weight" not in place:
                parameter.mul_(6)
    model.save_pretrained(folder)
    adapter = LAYOUTS[name].adapter
    if adapter is not None:
        attach(name, model)
        _save_adapter(adapter, model, folder / adapter.folder, LAYOUTS[name].stored)


def _lora(adapter: Adapter, made: Any) -> Any:
    return made(
        r=adapter.rank, lora_alpha=2 * adapter.rank, target_modules=adapter.layers, init_lora_weights=False
    )


def _save_adapter(adapter: Adapter, model: Any, folder: Path, stored: tuple[str, str]) -> None:
    from safetensors.torch import save_file

    weights = {
        f"base_model.model.{key.replace('.adapter.', '.').replace(stored[1], stored[0], 1)}": value
        for key, value in model.state_dict().items()
        if ".lora_" in key
    }
    folder.mkdir(exist_ok=True)
    save_file(weights, folder / "adapter_model.safetensors", metadata={"format": "pt"})
    config = {
        "peft_type": "LORA", "r": adapter.rank, "lora_alpha": 2 * adapter.rank, "bias": "none",
        "target_modules": adapter.layers, "task_type": "CAUSAL_LM", "inference_mode": True,
        # The published adapters name a repository here; it must not be asked for.
        "base_model_name_or_path": "somebody/some-model",
    }  # fmt: skip
    (folder / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")


# ---- Tokenizers and processors ----


def words(
    size: int, special: Sequence[str], *, end: str, template: str, named: Mapping[str, str] | None = None
) -> Any:
    """Return a byte tokenizer of a given size, whose special tokens come last."""
    from tokenizers import AddedToken, pre_tokenizers
    from transformers import Qwen2Tokenizer

    held = {end, "<|endoftext|>", *special, *(named or {}).values()}
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    filling = [f"w{number}" for number in range(size - len(held) - len(alphabet))]
    made = Qwen2Tokenizer(
        vocab={piece: place for place, piece in enumerate([*alphabet, *filling])},
        merges=[], eos_token=end, pad_token="<|endoftext|>", model_specific_special_tokens=dict(named or {}),
    )  # fmt: skip
    made.add_tokens([AddedToken(token, special=True) for token in special], special_tokens=True)
    made.chat_template = template
    return made


def tekken(folder: Path, size: int, *, mel_bins: int, chunk_s: float = 30.0) -> None:
    """Write mistral-common's `tekken.json` of a given size, in the version and with the tokens of Voxtral."""
    special = 1000 if size > 2000 else 40
    pieces = [bytes([number]) for number in range(256)]
    pieces += [f"\x00{number}".encode() for number in range(size - special - len(pieces))]
    written = {
        "config": {
            "pattern": r"[^\s]+|\s+", "num_vocab_tokens": len(pieces), "default_vocab_size": size,
            "default_num_special_tokens": special, "version": "v7",
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(piece).decode("ascii"), "token_str": None}
            for rank, piece in enumerate(pieces)
        ],
        "special_tokens": [
            {"rank": rank, "token_str": _MISTRAL_TOKENS.get(rank, f"<SPECIAL_{rank}>"), "is_control": True}
            for rank in range(max(_MISTRAL_TOKENS) + 1)
        ],
        "audio": {
            "sampling_rate": 16_000, "frame_rate": 12.5, "chunk_length_s": chunk_s,
            "audio_encoding_config": {"num_mel_bins": mel_bins, "hop_length": 160, "window_size": 400},
        },
    }  # fmt: skip
    (folder / "tekken.json").write_text(json.dumps(written), encoding="utf-8")


def _ear(mel_bins: int, window_s: int = 30) -> Any:
    from transformers import WhisperFeatureExtractor

    return WhisperFeatureExtractor(feature_size=mel_bins, chunk_length=window_s, return_attention_mask=True)


def _whisper_encoder(tiny: bool, **more: Any) -> dict[str, Any]:
    if tiny:
        sizes = {"d_model": 16, "encoder_layers": 1, "encoder_attention_heads": 2, "encoder_ffn_dim": 64}
        return {**sizes, "num_mel_bins": 16, "max_source_positions": 1500, **more}
    return {
        "d_model": 1280, "encoder_layers": 32, "encoder_attention_heads": 20, "encoder_ffn_dim": 5120,
        "num_mel_bins": 128, "max_source_positions": 1500, **more,
    }  # fmt: skip


def _voxtral(folder: Path, tiny: bool) -> Any:
    from transformers import MistralCommonBackend, VoxtralConfig, VoxtralProcessor

    encoder = _whisper_encoder(tiny)
    text = {
        "model_type": "llama", "hidden_size": 3072, "intermediate_size": 8192, "num_hidden_layers": 30,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 131072,
        "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "bos_token_id": 1, "eos_token_id": 2,
        **({**_SMALL_TEXT, "head_dim": 8} if tiny else {}),
    }  # fmt: skip
    tekken(folder, text["vocab_size"], mel_bins=encoder["num_mel_bins"])
    VoxtralProcessor(
        _ear(encoder["num_mel_bins"]), MistralCommonBackend.from_pretrained(folder)
    ).save_pretrained(folder)
    return VoxtralConfig(
        audio_config={"model_type": "voxtral_encoder", **encoder}, text_config=text, audio_token_id=24
    )


def _granite(folder: Path, tiny: bool) -> Any:
    from transformers import GraniteSpeechConfig

    text = {
        "model_type": "granite", "hidden_size": 4096, "intermediate_size": 12800, "num_hidden_layers": 40,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 49160,
        "max_position_embeddings": 131072, "rope_theta": 1e7, "embedding_multiplier": 12.0,
        "attention_multiplier": 0.0078125, "residual_multiplier": 0.22, "logits_scaling": 16.0,
        # Tiny, with the multipliers of a large one, all inputs would have one answer.
        **({**_SMALL_TEXT, "embedding_multiplier": 1.0, "attention_multiplier": 0.3, "logits_scaling": 1.0,
            "residual_multiplier": 1.0} if tiny else {}),
    }  # fmt: skip
    said = words(
        text["vocab_size"],
        ["<|start_of_role|>", "<|end_of_role|>", "<|tool_call|>", "<|audio|>"],
        end="<|end_of_text|>",
        template=_GRANITE,
    )
    said.save_pretrained(folder)
    # The published one is as empty.
    (folder / "preprocessor_config.json").write_text("{}", encoding="utf-8")
    width = 32 if tiny else 1024
    ends = {"eos_token_id": said.eos_token_id, "pad_token_id": said.pad_token_id}
    return GraniteSpeechConfig(
        text_config={**text, **ends},
        encoder_config={
            "input_dim": 160, "num_layers": 2 if tiny else 16, "hidden_dim": width,
            "num_heads": 2 if tiny else 8, "output_dim": 8 if tiny else 256,
        },
        projector_config={
            "model_type": "blip_2_qformer", "hidden_size": width, "encoder_hidden_size": width,
            "num_hidden_layers": 1 if tiny else 2, "num_attention_heads": 2 if tiny else 16,
            "intermediate_size": 32 if tiny else 4096, "cross_attention_frequency": 1,
        },
        audio_token_index=said.convert_tokens_to_ids("<|audio|>"),
    )  # fmt: skip


def _phi(folder: Path, tiny: bool) -> Any:
    from transformers import (
        Phi4MultimodalAudioConfig,
        Phi4MultimodalConfig,
        Phi4MultimodalFeatureExtractor,
        Phi4MultimodalImageProcessor,
        Phi4MultimodalProcessor,
        Phi4MultimodalVisionConfig,
    )

    size = _SMALL_TEXT["vocab_size"] if tiny else 200064
    said = words(
        size,
        ["<|user|>", "<|assistant|>", "<|system|>", "<|tool|>", "<|/tool|>"],
        end="<|end|>",
        template=_PHI,
        named={"image_token": "<|image|>", "audio_token": "<|audio|>"},
    )
    Phi4MultimodalProcessor(
        Phi4MultimodalImageProcessor(), Phi4MultimodalFeatureExtractor(), said
    ).save_pretrained(folder)
    eye = {"image_size": 28, "crop_size": 28, "hidden_size": 16, "intermediate_size": 16,
           "num_hidden_layers": 1, "num_attention_heads": 2}  # fmt: skip
    ear = {
        "hidden_size": 16, "intermediate_size": 16, "num_blocks": 2, "num_attention_heads": 2,
        "ext_pw_out_channel": 16, "depthwise_separable_out_channel": 16, "nemo_conv_channels": 16,
    }  # fmt: skip
    return Phi4MultimodalConfig(
        **({**_SMALL_TEXT} if tiny else {"vocab_size": size}),
        vision_config=Phi4MultimodalVisionConfig(image_token_id=said.image_token_id, **(eye if tiny else {})),
        audio_config=Phi4MultimodalAudioConfig(audio_token_id=said.audio_token_id, **(ear if tiny else {})),
        tie_word_embeddings=True,
        bos_token_id=said.pad_token_id,
        pad_token_id=said.pad_token_id,
        eos_token_id=[said.pad_token_id, said.eos_token_id],
    )


def _qwen2_audio(folder: Path, tiny: bool) -> Any:
    from transformers import Qwen2AudioConfig, Qwen2AudioProcessor

    text = {
        "model_type": "qwen2", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "max_position_embeddings": 8192,
        "vocab_size": 156032, **(_SMALL_TEXT if tiny else {}),
    }  # fmt: skip
    said = words(
        text["vocab_size"], ["<|im_start|>"], end="<|im_end|>",
        template=_CHATML.replace("SOUND", "Audio: <|audio_bos|><|AUDIO|><|audio_eos|>\n"),
        named={
            "audio_token": "<|AUDIO|>", "audio_bos_token": "<|audio_bos|>",
            "audio_eos_token": "<|audio_eos|>",
        },
    )  # fmt: skip
    encoder = _whisper_encoder(tiny)
    Qwen2AudioProcessor(
        _ear(encoder["num_mel_bins"]), said, chat_template=said.chat_template
    ).save_pretrained(folder)
    return Qwen2AudioConfig(
        audio_config={"model_type": "qwen2_audio_encoder", **encoder},
        text_config=text,
        audio_token_index=said.audio_token_id,
    )


def _audio_flamingo(folder: Path, tiny: bool) -> Any:
    from transformers import AudioFlamingo3Config, AudioFlamingo3Processor

    text = {"model_type": "qwen2", **(_SMALL_TEXT if tiny else {**_QWEN2_7B, "vocab_size": 151672})}
    said = words(
        text["vocab_size"], ["<|im_start|>"], end="<|im_end|>", template=_CHATML.replace("SOUND", "<sound>"),
        named={"sound_token": "<sound>"},
    )  # fmt: skip
    sizes = _whisper_encoder(tiny)
    AudioFlamingo3Processor(
        _ear(sizes["num_mel_bins"]), said, chat_template=said.chat_template
    ).save_pretrained(folder)
    return AudioFlamingo3Config(
        audio_config={
            "model_type": "audioflamingo3_encoder", "hidden_size": sizes["d_model"],
            "num_hidden_layers": sizes["encoder_layers"], "intermediate_size": sizes["encoder_ffn_dim"],
            "num_attention_heads": sizes["encoder_attention_heads"], "num_mel_bins": sizes["num_mel_bins"],
        },
        text_config=text,
        audio_token_id=said.convert_tokens_to_ids("<sound>"),
    )  # fmt: skip


def _qwen_omni(folder: Path, tiny: bool) -> Any:
    from transformers import (
        Qwen2_5OmniConfig,
        Qwen2_5OmniProcessor,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
    )

    text = _SMALL_TEXT if tiny else _QWEN2_7B
    said = words(
        text["vocab_size"], ["<|im_start|>"], end="<|im_end|>",
        template=_CHATML.replace("SOUND", "<|audio_bos|><|AUDIO|><|audio_eos|>"),
        named={
            "audio_token": "<|AUDIO|>", "audio_bos_token": "<|audio_bos|>",
            "audio_eos_token": "<|audio_eos|>",
            "image_token": "<|IMAGE|>", "video_token": "<|VIDEO|>",
            "vision_bos_token": "<|vision_bos|>", "vision_eos_token": "<|vision_eos|>",
        },
    )  # fmt: skip
    encoder = _whisper_encoder(tiny, output_dim=text["hidden_size"], n_window=50 if tiny else 100)
    Qwen2_5OmniProcessor(
        Qwen2VLImageProcessor(), Qwen2VLVideoProcessor(), _ear(encoder["num_mel_bins"], 300), said,
        chat_template=said.chat_template,
    ).save_pretrained(folder)  # fmt: skip
    eye = {"depth": 32, "hidden_size": 1280, "intermediate_size": 3420, "num_heads": 16}
    if tiny:
        eye = {"depth": 1, "hidden_size": 16, "intermediate_size": 32, "num_heads": 2}
    turns = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 1, 1] if tiny else [16, 24, 24]}
    return Qwen2_5OmniConfig(
        thinker_config={
            "audio_config": encoder,
            "vision_config": {**eye, "out_hidden_size": text["hidden_size"]},
            "text_config": {**text, "rope_parameters": turns},
            "audio_token_index": said.audio_token_id,
            "image_token_index": said.image_token_id,
            "video_token_index": said.video_token_id,
            "audio_start_token_id": said.audio_bos_token_id,
            "audio_end_token_id": said.audio_eos_token_id,
            "vision_start_token_id": said.vision_bos_token_id,
            "vision_end_token_id": said.vision_eos_token_id,
        }
    )


def _chat(config_class: str, **sizes: Any) -> Callable[[Path, bool], Any]:
    def write_chat(folder: Path, tiny: bool) -> Any:
        import transformers

        text = {**sizes, **(_SMALL_TEXT if tiny else {})}
        said = words(
            text["vocab_size"], ["<|im_start|>"], end="<|im_end|>", template=_CHATML.replace("SOUND", "")
        )
        said.save_pretrained(folder)
        return getattr(transformers, config_class)(**text, eos_token_id=said.eos_token_id)

    return write_chat


LAYOUTS: dict[str, Layout] = {
    "qwen2.5-omni": Layout("Qwen2_5OmniThinkerForConditionalGeneration", _qwen_omni),
    "qwen2-audio": Layout("Qwen2AudioForConditionalGeneration", _qwen2_audio),
    "audio-flamingo-3": Layout("AudioFlamingo3ForConditionalGeneration", _audio_flamingo),
    "voxtral": Layout("VoxtralForConditionalGeneration", _voxtral),
    "granite-speech": Layout(
        "GraniteSpeechForConditionalGeneration", _granite,
        Adapter(64, r".*layers\.\d+\.self_attn\.(q_proj|v_proj)"),
        stored=("language_model.model.", "model.language_model."),
    ),
    "phi-4-multimodal": Layout(
        "Phi4MultimodalForCausalLM", _phi,
        Adapter(320, r".*layers.*((self_attn\.(qkv|o)_proj)|(mlp\.(gate_up|down)_proj))", "speech-lora"),
    ),
    "qwen3-8b": Layout("Qwen3ForCausalLM", _chat(
        "Qwen3Config", hidden_size=4096, intermediate_size=12288, num_hidden_layers=36,
        num_attention_heads=32, num_key_value_heads=8, head_dim=128, vocab_size=151936,
        max_position_embeddings=40960,
    )),
    "qwen3-4b": Layout("Qwen3ForCausalLM", _chat(
        "Qwen3Config", hidden_size=2560, intermediate_size=9728, num_hidden_layers=36, num_attention_heads=32,
        num_key_value_heads=8, head_dim=128, vocab_size=151936, max_position_embeddings=40960,
        tie_word_embeddings=True,
    )),
    "qwen2.5-7b": Layout("Qwen2ForCausalLM", _chat("Qwen2Config", **_QWEN2_7B)),
    "gemma3-27b": Layout("Gemma3ForCausalLM", _chat(
        "Gemma3TextConfig", hidden_size=5376, intermediate_size=21504, num_hidden_layers=62,
        num_attention_heads=32, num_key_value_heads=16, head_dim=128, vocab_size=262208,
        max_position_embeddings=131072, sliding_window=1024, query_pre_attn_scalar=168,
    )),
    "llama3.3-70b": Layout("LlamaForCausalLM", _chat(
        "LlamaConfig", hidden_size=8192, intermediate_size=28672, num_hidden_layers=80,
        num_attention_heads=64, num_key_value_heads=8, vocab_size=128256, max_position_embeddings=131072,
    )),
}  # fmt: skip
"""Models by the name of their weights; of Gemma 3 the part that reads."""
