"""Any causal chat model through transformers, on the CPU or on one or several CUDA devices."""

import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.generation import Sink, out_of_memory, stream_generation
from voicebench.models import LocalModel, locate
from voicebench.reasoning import opened_by, split_reasoning
from voicebench.types import Message, ModelRef, Part, Tool

log = logging.getLogger(__name__)

THINKING = "thinking"
"""The option that lets a model think where its template asks; without it such a model answers at once."""

_TODAY = "26 Jul 2024"
"""What Llama's template writes as the date, its own default: otherwise its prompt changes every day."""

_GB = 1e9
_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}


class TransformersChat:
    """A chat model in the format of transformers, prompted by its own chat template.

    Weights are bfloat16 on CUDA and float32 on the CPU. At temperature 0 decoding takes the likeliest token,
    without the repetition penalty that some models' settings bring; above, it samples with the model's own
    top-p and top-k. Requests are served one at a time. Native calls come as text, written as the model's
    family writes them; thoughts come apart from it.

    Attributes:
        model: Name and revision.
        holds_schema: False; nothing constrains decoding.
    """

    holds_schema = False

    def __init__(
        self,
        name: str,
        *,
        path: Path | None = None,
        revision: str | None = None,
        argument: str | None = None,
        offline_first: bool = False,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        """Load the model.

        Args:
            name: A name of the model catalog; with `path`, any name.
            path: A folder with a model and its tokenizer, taken instead of the catalog's.
            revision: What to record as the revision of the model at `path`.
            argument: "thinking" lets the model think before it answers; None has it answer at once, where its
                template knows the difference.
            offline_first: Take the offline packages before the hub.
            threads: CPU threads of torch, for the whole process; None leaves them.
            device: "cpu", "cuda:N" for one GPU, or "cuda" for all of them together, as far as needed.

        Raises:
            UserError: The weights are not at hand, damaged, of no chat model or too big for the device, the
                device is not there, or the argument is unknown.
        """
        if argument not in (None, THINKING):
            raise UserError(f"{name}:{argument}: unknown option {argument!r}. Known: {THINKING}")
        _check_device(name, device)
        found = LocalModel(path, "path", None) if path else locate(name, offline_first=offline_first)
        self._name = name
        self._thinking = argument == THINKING
        self._tokenizer = _load_tokenizer(found.path)
        self._model = _load_model(name, found.path, device)
        if threads is not None:
            import torch

            torch.set_num_threads(threads)
        self._longest = _longest_context(self._model.config)
        settings = self._model.generation_config
        self._sampling = {"top_p": settings.top_p or 1.0, "top_k": settings.top_k or 0}
        self._ends = _end_tokens(settings, self._tokenizer)
        self._model.generation_config = type(settings)(eos_token_id=self._ends, pad_token_id=self._ends[0])
        told = f":{argument}" if argument else ""
        known = found.revision or revision
        self.model = ModelRef(name=name + told, revision=known and known + told)
        if device != "cpu":
            # The first answer of a process compiles and loads kernels: better now than within a latency.
            list(self.complete([Message("user", "Hello")], max_tokens=2))

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
        """Stream the answer in parts, each stamped when its last token was made; a "usage" part comes last.

        Args:
            messages: The chat so far.
            tools: Offered natively, by the model's own template.
            schema: Not held to.
            max_tokens: Upper bound of what is generated.
            temperature: 0 is greedy.
            seed: For sampling.

        Raises:
            AgentFailure: The template has no tools or does not take the messages, or prompt and answer are
                longer than the context ("unsupported"); the device ran out of memory ("out_of_memory").
        """
        prompt = self._prompt(messages, tools)
        ids = self._tokenizer(prompt, add_special_tokens=False, return_tensors="pt")["input_ids"]
        length = ids.shape[1]
        if length + max_tokens > self._longest:
            raise AgentFailure(
                "unsupported",
                f"{self._name} takes {self._longest} tokens, and the prompt's {length} and the answer's "
                f"{max_tokens} are more",
            )
        sampling: dict[str, Any] = {"do_sample": False}
        if temperature > 0:
            sampling = {"do_sample": True, "temperature": temperature, **self._sampling}

        def generate(sink: Sink) -> None:
            import torch

            device = self._model.device
            devices = range(torch.cuda.device_count()) if device.type == "cuda" else ()
            with torch.inference_mode(), torch.random.fork_rng(devices=devices):
                torch.manual_seed(seed % 2**63)
                self._model.generate(
                    ids.to(device), attention_mask=torch.ones_like(ids, device=device), streamer=sink,
                    max_new_tokens=max_tokens, **sampling,
                )  # fmt: skip

        parts = stream_generation(generate, self._text, usage={"input_tokens": length})
        try:
            yield from split_reasoning(parts, opened=opened_by(prompt))
        except AgentFailure as failure:
            if failure.kind == "out_of_memory":
                _free_memory()
            raise

    def _prompt(self, messages: Sequence[Message], tools: Sequence[Tool]) -> str:
        """Return the chat as the model's template writes it, up to where the answer begins."""
        if not tools:
            return self._rendered(messages)
        prompt = self._rendered(messages, tools)
        if prompt == self._rendered(messages):
            raise AgentFailure(
                "unsupported", f"the chat template of {self._name} has no tools. Use --tools prompt"
            )
        return prompt

    def _rendered(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> str:
        from jinja2 import TemplateError

        chat = [{"role": message.role, "content": message.content} for message in messages]
        functions = [{"type": "function", "function": tool.model_dump()} for tool in tools]
        try:
            return self._apply(chat, functions)
        except TemplateError as error:
            refused = first_line(error)
        # Some families have no system turn; there an instruction opens the first user turn.
        if [message["role"] for message in chat[:2]] == ["system", "user"]:
            [system, user, *rest] = chat
            try:
                together = f"{system['content']}\n\n{user['content']}"
                return self._apply([{"role": "user", "content": together}, *rest], functions)
            except TemplateError as error:
                refused = first_line(error)
        raise AgentFailure("unsupported", f"the chat template of {self._name} refused the chat ({refused})")

    def _apply(self, chat: list[dict[str, str]], functions: list[dict[str, Any]]) -> str:
        prompt: str = self._tokenizer.apply_chat_template(
            chat, tools=functions or None, tokenize=False, add_generation_prompt=True,
            # What a template knows as thinking has one name in most families and another in DeepSeek's.
            enable_thinking=self._thinking, thinking=self._thinking, date_string=_TODAY,
        )  # fmt: skip
        return prompt

    def _text(self, ids: Sequence[int]) -> str:
        said = [i for i in ids if i not in self._ends]
        text: str = self._tokenizer.decode(said, clean_up_tokenization_spaces=False)
        return text


def _load_tokenizer(path: Path) -> Any:
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(str(path), local_files_only=True)
    # transformers raises what its parts raise: OSError, ValueError, KeyError, the tokenizers library's own.
    except Exception as error:
        raise UserError(f"{path}: the tokenizer cannot be loaded ({first_line(error)})") from None
    if not tokenizer.chat_template:
        raise UserError(f"{path}: the tokenizer has no chat template, so this is no chat model")
    return tokenizer


def _load_model(name: str, path: Path, device: str) -> Any:
    """Load a model; one that does not fit is refused before it is read."""
    import torch
    from transformers import AutoModelForCausalLM

    needed = _needed_bytes(path, device)
    have = _memory_bytes(device)
    if needed > have:
        raise UserError(_too_big(name, needed, device, have))
    where: dict[str, Any] = {} if device == "cpu" else {"device_map": "auto" if device == "cuda" else device}
    try:
        model = AutoModelForCausalLM.from_pretrained(
            str(path), dtype=torch.float32 if device == "cpu" else torch.bfloat16, local_files_only=True,
            **where,
        )  # fmt: skip
    # transformers raises what its parts raise: OSError, ValueError, KeyError, RuntimeError, safetensors' own.
    except Exception as error:
        if out_of_memory(error):
            error.__traceback__ = None
            _free_memory()
            raise UserError(_too_big(name, needed, device, have)) from None
        raise UserError(f"{path}: the model cannot be loaded ({first_line(error)})") from None
    if {"cpu", "disk"} & {str(place) for place in getattr(model, "hf_device_map", {}).values()}:
        raise UserError(_too_big(name, needed, device, have))
    return model.eval()


def _too_big(name: str, needed: float, device: str, have: float) -> str:
    kind = "memory" if device == "cpu" else "GPU memory"
    more = {"cpu": ", a GPU (--device cuda)", "cuda": ""}.get(device, ", all its GPUs (--device cuda)")
    return (
        f"{name}: its weights need {needed / _GB:.1f} GB of {kind}, and {device} has {have / _GB:.1f} GB. "
        f"Use a larger machine{more}, or a server (http://HOST/v1#MODEL)"
    )


def _needed_bytes(path: Path, device: str) -> float:
    """Return what the weights take in memory: what they take on the disk, times what their type grows by."""
    files = list(path.glob("*.safetensors")) or list(path.glob("pytorch_model*.bin"))
    stored = sum(file.stat().st_size for file in files)
    try:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: config.json cannot be read ({first_line(error)})") from None
    if "quantization_config" in config:
        return stored
    inner = {**config, **config.get("text_config", {})}
    kept = inner.get("dtype") or inner.get("torch_dtype") or "bfloat16"
    return stored * (4 if device == "cpu" else 2) / _BYTES.get(str(kept), 2)


def _memory_bytes(device: str) -> float:
    """Return the memory of a device, of all GPUs for "cuda"."""
    if device == "cpu":
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    import torch

    indices = range(torch.cuda.device_count()) if device == "cuda" else [int(device.partition(":")[2])]
    return float(sum(torch.cuda.get_device_properties(index).total_memory for index in indices))


def _longest_context(config: Any) -> int:
    """Return how many tokens prompt and answer may have together."""
    return int(getattr(config.get_text_config(), "max_position_embeddings", None) or 2**31)


def _end_tokens(settings: Any, tokenizer: Any) -> list[int]:
    """Return the tokens that end an answer."""
    ends = settings.eos_token_id if isinstance(settings.eos_token_id, list) else [settings.eos_token_id]
    found = [end for end in dict.fromkeys([*ends, tokenizer.eos_token_id]) if end is not None]
    if not found:
        raise UserError(f"{tokenizer.name_or_path}: neither the model nor its tokenizer has an end token")
    return found


def _free_memory() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _check_device(name: str, device: str) -> None:
    import torch

    kind, _, index = device.partition(":")
    if kind not in ("cpu", "cuda") or (index and not index.isdecimal()):
        raise UserError(f"unknown device {device!r}; it is 'cpu', 'cuda' or 'cuda:N'")
    if kind == "cuda" and torch.cuda.device_count() <= int(index or 0):
        raise UserError(
            f"{name}: device {device!r} is not there: torch sees {torch.cuda.device_count()} CUDA devices. "
            "Use --device cpu, or install a CUDA build of torch"
        )
