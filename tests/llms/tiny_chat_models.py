"""Tiny random chat models in the real files' shape, to be loaded and prompted by the real code.

The tokenizers are of the families' own classes and know bytes alone, so each byte of a character is a token.
The templates write what the families' own write, in fewer words.
"""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

QWEN3 = """\
{%- if tools -%}
<|im_start|>system
{% if messages[0].role == 'system' %}{{ messages[0].content }}

{% endif %}# Tools
<tools>
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}</tools>
Answer with <tool_call>{"name": ..., "arguments": ...}</tool_call><|im_end|>
{% elif messages[0].role == 'system' -%}
<|im_start|>system
{{ messages[0].content }}<|im_end|>
{% endif -%}
{%- for message in messages -%}
{%- if not (loop.first and message.role == 'system') -%}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% if enable_thinking is defined and enable_thinking is false %}<think>

</think>

{% endif %}{% endif -%}
"""
LLAMA = """\
{{- bos_token -}}
<|start_header_id|>system<|end_header_id|>

Today Date: {{ date_string if date_string is defined else strftime_now('%d %b %Y') }}<|eot_id|>
{%- for message in messages -%}
<|start_header_id|>{{ message.role }}<|end_header_id|>

{% if tools and message.role == 'user' and loop.last %}Functions: {{ tools | tojson }}

{% endif %}{{ message.content | trim }}<|eot_id|>
{%- endfor -%}
{%- if add_generation_prompt -%}<|start_header_id|>assistant<|end_header_id|>

{% endif -%}
"""
GEMMA3 = """\
{{- bos_token -}}
{%- set first = messages[0].content + '\n\n' if messages[0].role == 'system' else '' -%}
{%- for message in (messages[1:] if first else messages) -%}
{%- if (message.role == 'user') != (loop.index0 % 2 == 0) -%}
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
{%- endif -%}
<start_of_turn>{{ 'model' if message.role == 'assistant' else message.role }}
{{ (first if loop.first else '') + message.content | trim }}<end_of_turn>
{% endfor -%}
{%- if add_generation_prompt -%}<start_of_turn>model
{% endif -%}
"""
WITHOUT_SYSTEM = GEMMA3.replace(
    "{{- bos_token -}}",
    "{{- bos_token -}}{%- if messages[0].role == 'system' -%}"
    "{{ raise_exception('System role not supported') }}{%- endif -%}",
)
ALWAYS_THINKING = QWEN3.replace(
    "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}",
    "<think>\n",
)

_TEXT: dict[str, Any] = {
    "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
    "num_key_value_heads": 1, "head_dim": 16, "max_position_embeddings": 2048,
}  # fmt: skip


def save_qwen3(folder: Path, *, template: str | None = QWEN3, says: str = "", **settings: Any) -> Path:
    """Save a Qwen3 of 30,000 random weights; where told what to say, it says that after any prompt.

    Args:
        folder: Where to.
        template: The chat template; None for none.
        says: The answer, in which no two tokens may be the same.
        settings: Of the generation configuration.
    """
    from transformers import Qwen2Tokenizer, Qwen3Config, Qwen3ForCausalLM

    tokenizer = Qwen2Tokenizer(vocab=_byte_vocabulary(), merges=[], eos_token="<|im_end|>")
    tokenizer.add_tokens(["<|im_start|>"], special_tokens=True)
    tokenizer.add_tokens(["<think>", "</think>", "<tool_call>", "</tool_call>"])
    config = Qwen3Config(vocab_size=len(tokenizer), tie_word_embeddings=False, **_TEXT)
    ends = [tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids("<|endoftext|>")]
    model = _made(Qwen3ForCausalLM, config)
    if says:
        _teach(model, [*tokenizer("\n")["input_ids"], *tokenizer(says)["input_ids"], tokenizer.eos_token_id])
    return _save(folder, model, tokenizer, template, eos_token_id=ends, **settings)


def save_llama(folder: Path) -> Path:
    """Save a Llama 3 of 30,000 random weights: a template with tools, and three tokens that end a turn."""
    from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Tokenizer

    tokenizer = Qwen2Tokenizer(
        vocab=_byte_vocabulary(), merges=[], bos_token="<|begin_of_text|>", eos_token="<|eot_id|>"
    )
    headers = ["<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>", "<|python_tag|>"]
    tokenizer.add_tokens(headers, special_tokens=True)
    config = LlamaConfig(vocab_size=len(tokenizer), tie_word_embeddings=False, **_TEXT)
    ends = tokenizer.convert_tokens_to_ids(["<|endoftext|>", "<|eom_id|>", "<|eot_id|>"])
    return _save(folder, _made(LlamaForCausalLM, config), tokenizer, LLAMA, eos_token_id=ends)


def save_gemma3(folder: Path, *, template: str = GEMMA3) -> Path:
    """Save a Gemma 3 of random weights as its large ones are: with eyes, byte fall-back and no tools."""
    from transformers import Gemma3Config, Gemma3ForConditionalGeneration, GemmaTokenizer

    named = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>", "<start_of_turn>", "<end_of_turn>"]
    tokens = [*named, *(f"<0x{byte:02X}>" for byte in range(256)), "▁", *map(chr, range(33, 127)), "\n"]
    tokenizer = GemmaTokenizer(vocab={token: place for place, token in enumerate(tokens)}, merges=[])
    tokenizer.add_tokens(named[-2:], special_tokens=True)
    text = {**_TEXT, "vocab_size": len(tokens), "layer_types": ["full_attention"]}
    eyes = {
        "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
        "image_size": 28, "patch_size": 14,
    }  # fmt: skip
    config = Gemma3Config(
        text_config=text, vision_config=eyes, mm_tokens_per_image=4, image_token_index=4, boi_token_index=4,
        eoi_token_index=4,
    )  # fmt: skip
    model = _made(Gemma3ForConditionalGeneration, config)
    ends = tokenizer.convert_tokens_to_ids(["<eos>", "<end_of_turn>"])
    return _save(folder, model, tokenizer, template, eos_token_id=ends, do_sample=True, top_k=64, top_p=0.95)


def _byte_vocabulary() -> dict[str, int]:
    from tokenizers.pre_tokenizers import ByteLevel

    letters = sorted(ByteLevel.alphabet())
    return {letter: place for place, letter in enumerate([*letters, "<|endoftext|>"])}


def _made(kind: Any, config: Any) -> Any:
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return kind(config)


def _teach(model: Any, ids: Sequence[int]) -> None:
    """Make each token of a sequence the likeliest after the one before it, whatever the prompt."""
    import torch

    assert len(set(ids)) == len(ids), "no two tokens may be the same"
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        known = torch.nn.functional.normalize(model.model.embed_tokens.weight, dim=1)
        model.lm_head.weight.zero_()
        for before, after in itertools.pairwise(ids):
            model.lm_head.weight[after] = known[before]


def _save(folder: Path, model: Any, tokenizer: Any, template: str | None, **settings: Any) -> Path:
    tokenizer.chat_template = template
    model.generation_config.update(**settings)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def change_config(folder: Path, **changes: Any) -> None:
    """Change fields of a saved model's configuration."""
    file = folder / "config.json"
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **changes}), "utf-8")
