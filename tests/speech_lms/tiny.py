"""Tiny speech LMs with random weights, laid out on disk as the hub has the real ones.

The processors, the model classes, the tokenizer class and the shapes of the chat templates are the real ones;
the sizes are not, and the tokenizer knows bytes alone. Torch is imported when a folder is built.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WINDOW_S = 2
"""The encoders' window, 30 s in the real models."""

_END = "<|im_end|>"
_TEXT = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 4096,
}  # fmt: skip


def chat_template(placeholder: str, *, before_words: bool = False) -> str:
    """A ChatML template with a placeholder for each clip, as Qwen's; `before_words` puts sound first."""
    heard = "item.type == 'audio' or 'audio' in item"
    if before_words:
        clips = f"{{% for item in message.content if {heard} %}}{placeholder}{{% endfor %}}"
        words = f"{{% for item in message.content if not ({heard}) %}}{{{{ item.text }}}}{{% endfor %}}"
        content = clips + words
    else:
        content = (
            f"{{% for item in message.content %}}{{% if {heard} %}}{placeholder}"
            "{% else %}{{ item.text }}{% endif %}{% endfor %}"
        )
    return (
        "{% if messages[0].role != 'system' %}"
        "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}"
        "{% for message in messages %}<|im_start|>{{ message.role }}\n"
        f"{content}<|im_end|>\n{{% endfor %}}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )


def tokenizer(named: Mapping[str, str]) -> Any:
    """Qwen's tokenizer over the 256 bytes, with the special tokens that a processor asks for by name."""
    from tokenizers import AddedToken, pre_tokenizers
    from transformers import Qwen2Tokenizer

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Qwen2Tokenizer(
        vocab={char: place for place, char in enumerate(alphabet)},
        merges=[],
        eos_token=_END,
        pad_token="<|endoftext|>",
        model_specific_special_tokens=dict(named),
    )
    made.add_tokens([AddedToken("<|im_start|>", special=True)], special_tokens=True)
    return made


def feature_extractor(window_s: int = WINDOW_S) -> Any:
    from transformers import WhisperFeatureExtractor

    return WhisperFeatureExtractor(feature_size=16, chunk_length=window_s, return_attention_mask=True)


def _encoder(**named: int) -> dict[str, int]:
    return {"num_mel_bins": 16, "max_source_positions": 50 * WINDOW_S, **named}


def qwen2_audio(folder: Path) -> None:
    import torch
    from transformers import Qwen2AudioConfig, Qwen2AudioForConditionalGeneration, Qwen2AudioProcessor

    words = tokenizer({
        "audio_token": "<|AUDIO|>", "audio_bos_token": "<|audio_bos|>", "audio_eos_token": "<|audio_eos|>",
    })  # fmt: skip
    template = chat_template("Audio: <|audio_bos|><|AUDIO|><|audio_eos|>\n")
    Qwen2AudioProcessor(feature_extractor(), words, chat_template=template).save_pretrained(folder)
    torch.manual_seed(1)
    model = Qwen2AudioForConditionalGeneration(
        Qwen2AudioConfig(
            audio_config={
                "model_type": "qwen2_audio_encoder",
                **_encoder(encoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=32, d_model=16),
            },
            text_config={"model_type": "qwen2", **_TEXT, "vocab_size": len(words)},
            audio_token_index=words.audio_token_id,
        )
    )
    _spread(model)
    # The real one's settings sample and penalise repetition.
    _save(model, folder, words, do_sample=True, repetition_penalty=1.1, temperature=0.7, top_k=20, top_p=0.5)


def audio_flamingo(folder: Path) -> None:
    import torch
    from transformers import (
        AudioFlamingo3Config,
        AudioFlamingo3ForConditionalGeneration,
        AudioFlamingo3Processor,
    )

    words = tokenizer({"sound_token": "<sound>"})
    template = chat_template("<sound>", before_words=True)
    AudioFlamingo3Processor(
        feature_extractor(), words, chat_template=template, max_audio_len=3 * WINDOW_S
    ).save_pretrained(folder)
    torch.manual_seed(2)
    model = AudioFlamingo3ForConditionalGeneration(
        AudioFlamingo3Config(
            audio_config={
                "model_type": "audioflamingo3_encoder",
                **_encoder(num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, hidden_size=16),
            },
            text_config={"model_type": "qwen2", **_TEXT, "vocab_size": len(words)},
            audio_token_id=words.convert_tokens_to_ids("<sound>"),
        )
    )
    _spread(model)
    _save(model, folder, words, do_sample=True, repetition_penalty=1.05, temperature=0.7, top_k=20, top_p=0.8)


def qwen_omni(folder: Path) -> None:
    """A folder of the whole model: Talker and vocoder are configured, weights begin with "thinker."."""
    import torch
    from safetensors.torch import save_file
    from transformers import (
        Qwen2_5OmniConfig,
        Qwen2_5OmniProcessor,
        Qwen2_5OmniThinkerForConditionalGeneration,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
    )

    words = tokenizer({
        "audio_token": "<|AUDIO|>", "audio_bos_token": "<|audio_bos|>", "audio_eos_token": "<|audio_eos|>",
        "image_token": "<|IMAGE|>", "video_token": "<|VIDEO|>",
        "vision_bos_token": "<|vision_bos|>", "vision_eos_token": "<|vision_eos|>",
    })  # fmt: skip
    template = chat_template("<|audio_bos|><|AUDIO|><|audio_eos|>")
    Qwen2_5OmniProcessor(
        Qwen2VLImageProcessor(),
        Qwen2VLVideoProcessor(),
        feature_extractor(3 * WINDOW_S),
        words,
        chat_template=template,
    ).save_pretrained(folder)
    torch.manual_seed(3)
    config = Qwen2_5OmniConfig(
        thinker_config={
            "audio_config": _encoder(
                encoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=32, d_model=16, n_window=50,
                output_dim=32,
            ),
            "vision_config": {
                "depth": 1, "hidden_size": 16, "intermediate_size": 32, "num_heads": 2, "out_hidden_size": 32,
                "fullatt_block_indexes": [0],
            },
            "text_config": {
                **_TEXT, "vocab_size": len(words),
                "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 1, 1]},
            },
            "audio_token_index": words.audio_token_id,
            "image_token_index": words.image_token_id,
            "video_token_index": words.video_token_id,
            "audio_start_token_id": words.audio_bos_token_id,
            "audio_end_token_id": words.audio_eos_token_id,
            "vision_start_token_id": words.vision_bos_token_id,
            "vision_end_token_id": words.vision_eos_token_id,
        }
    )  # fmt: skip
    model = Qwen2_5OmniThinkerForConditionalGeneration(config.thinker_config)
    _spread(model)
    config.architectures = ["Qwen2_5OmniModel"]
    config.save_pretrained(folder)
    thinker = {_hub_name(name): value.contiguous() for name, value in model.state_dict().items()}
    speaking = {"talker.codec_head.weight": torch.zeros(2, 2), "token2wav.code2wav.weight": torch.zeros(2)}
    save_file({**thinker, **speaking}, folder / "model.safetensors", metadata={"format": "pt"})


def _hub_name(name: str) -> str:
    """The name that a weight of the Thinker has on the hub, which is older than those of today's class."""
    inside = name.removeprefix("model.")
    if inside.startswith("language_model."):
        inside = f"model.{inside.removeprefix('language_model.')}"
    return f"thinker.{inside}"


def _spread(model: Any) -> None:
    """Give a model weights that are large enough for each input to lead to another answer."""
    import torch

    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(6)


def _save(model: Any, folder: Path, words: Any, **settings: Any) -> None:
    model.save_pretrained(folder)
    written = {"eos_token_id": words.eos_token_id, "pad_token_id": words.pad_token_id, **settings}
    (folder / "generation_config.json").write_text(json.dumps(written), encoding="utf-8")
