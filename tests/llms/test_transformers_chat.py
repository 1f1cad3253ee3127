"""Chat models through transformers: tiny random ones, by the code that loads and prompts the real ones."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.llms.tiny_chat_models import (
    ALWAYS_THINKING,
    WITHOUT_SYSTEM,
    change_config,
    save_gemma3,
    save_llama,
    save_qwen3,
)
from voicebench.errors import AgentFailure, UserError
from voicebench.generation import Sink, stream_generation
from voicebench.llms import transformers_chat
from voicebench.llms.transformers_chat import TransformersChat
from voicebench.types import Message, Part, Tool

pytest.importorskip("torch")
pytest.importorskip("transformers")

ASK = [Message("system", "Be brief."), Message("user", "नमस्ते! ไทย")]
TOOLS = [Tool(name="cab.book", description="Books a cab.")]
TEXTS = ["नमस्ते, टैक्सी बुक करो", "தமிழ்", "เรียกแท็กซี่ พรุ่งนี้", "Book a cab, प्लीज़ 🚕", " [a(b='x  y')] ", ""]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chat")
    save_qwen3(folder / "qwen3", says="[go(x=1)]é")
    save_qwen3(folder / "thinking", says="<think>hm</think>[go(x=1)]")
    save_qwen3(folder / "always", template=ALWAYS_THINKING, says="hm</think>[go(x=1)]")
    save_qwen3(folder / "calls", says='<tool_call>{"nam:0,rgus5}</tool_call>')
    save_qwen3(folder / "without-template", template=None)
    save_llama(folder / "llama")
    save_gemma3(folder / "gemma3")
    save_gemma3(folder / "without-system", template=WITHOUT_SYSTEM)
    return folder


@pytest.fixture(scope="module")
def qwen3(folders: Path) -> TransformersChat:
    return TransformersChat("tiny", path=folders / "qwen3", revision="sha256:12")


@pytest.fixture(scope="module", params=["qwen3", "llama", "gemma3"])
def random_model(request: pytest.FixtureRequest, folders: Path) -> TransformersChat:
    return TransformersChat(request.param, path=folders / request.param)


def said(parts: list[Part], kind: str = "content") -> str:
    return "".join(part.text for part in parts if part.kind == kind)


def prompt(model: TransformersChat, *messages: Message, tools: list[Tool] | None = None) -> str:
    return model._prompt(messages, tools or [])


def test_an_answer_comes_token_by_token_without_its_end(qwen3: TransformersChat) -> None:
    parts = list(qwen3.complete(ASK))
    assert [part.text for part in parts] == ["[", "g", "o", "(", "x", "=", "1", ")", "]", "é", ""]
    times = [part.at_s for part in parts]
    assert len(set(times[:-1])) == len(times) - 1
    assert times == sorted(times)


def test_usage_counts_the_prompt_and_every_token_made(qwen3: TransformersChat) -> None:
    *_, last = qwen3.complete(ASK)
    prompt_tokens = len(qwen3._tokenizer(prompt(qwen3, *ASK), add_special_tokens=False)["input_ids"])
    assert last.usage == {"input_tokens": prompt_tokens, "output_tokens": len("[go(x=1)]") + 2 + 1}


def test_an_answer_is_cut_at_the_bound(random_model: TransformersChat) -> None:
    *_, last = random_model.complete(ASK, max_tokens=3)
    assert last.usage["output_tokens"] <= 3


def test_the_greedy_answer_is_the_likeliest_token_each_time(random_model: TransformersChat) -> None:
    import torch

    parts = list(random_model.complete(ASK, max_tokens=5))
    ids = random_model._tokenizer(prompt(random_model, *ASK), add_special_tokens=False)["input_ids"]
    first = len(ids)
    with torch.inference_mode():
        while len(ids) < first + 5 and (len(ids) == first or ids[-1] not in random_model._ends):
            ids.append(int(random_model._model(input_ids=torch.tensor([ids])).logits[0, -1].argmax()))
    assert said(parts) == random_model._text(ids[first:])


def test_a_sampled_answer_depends_on_the_seed_alone(random_model: TransformersChat) -> None:
    import torch

    state = torch.random.get_rng_state()
    one, again, other = (
        said(list(random_model.complete(ASK, max_tokens=12, temperature=1.0, seed=seed)))
        for seed in (1, 1, 2)
    )
    assert one == again != other
    assert torch.equal(state, torch.random.get_rng_state())


def test_sampling_takes_the_models_own_bounds_and_greedy_takes_none(folders: Path) -> None:
    gemma = TransformersChat("gemma", path=folders / "gemma3")
    asked: list[dict[str, Any]] = []
    gemma._model.generate = lambda *_, **options: asked.append(options)
    list(gemma.complete(ASK, temperature=0.7))
    list(gemma.complete(ASK))
    names = ("do_sample", "temperature", "top_p", "top_k")
    assert [{name: options[name] for name in names if name in options} for options in asked] == [
        {"do_sample": True, "temperature": 0.7, "top_p": 0.95, "top_k": 64}, {"do_sample": False},
    ]  # fmt: skip


def test_a_repetition_penalty_of_the_models_does_not_touch_greedy_answers(tmp_path: Path) -> None:
    save_qwen3(tmp_path / "m", says="ok", repetition_penalty=50.0)
    model = TransformersChat("m", path=tmp_path / "m")
    assert said(list(model.complete([Message("user", "okokok")]))) == "ok"


def test_a_model_does_not_think_unless_told_to(folders: Path) -> None:
    silent = TransformersChat("m", path=folders / "thinking", revision="1")
    thinking = TransformersChat("m", path=folders / "thinking", revision="1", argument="thinking")
    assert prompt(silent, *ASK).endswith("<think>\n\n</think>\n\n")
    assert prompt(thinking, *ASK).endswith("assistant\n")
    assert (silent.model.name, silent.model.revision) == ("m", "1")
    assert (thinking.model.name, thinking.model.revision) == ("m:thinking", "1:thinking")


def test_thoughts_come_apart_from_the_answer(folders: Path) -> None:
    model = TransformersChat("m", path=folders / "thinking", argument="thinking")
    parts = list(model.complete(ASK))
    assert (said(parts, "reasoning"), said(parts)) == ("hm", "[go(x=1)]")


def test_thoughts_that_the_template_itself_opens_come_apart_too(folders: Path) -> None:
    parts = list(TransformersChat("m", path=folders / "always").complete(ASK))
    assert (said(parts, "reasoning"), said(parts)) == ("hm", "[go(x=1)]")


def test_an_unknown_option_is_the_users_error(folders: Path) -> None:
    with pytest.raises(UserError, match=r"^m:loud: unknown option 'loud'\. Known: thinking$"):
        TransformersChat("m", path=folders / "qwen3", argument="loud")


@pytest.mark.parametrize("family", ["qwen3", "llama"])
def test_tools_are_offered_where_the_template_has_them(folders: Path, family: str) -> None:
    model = TransformersChat(family, path=folders / family)
    assert '"name": "cab.book"' in prompt(model, *ASK, tools=TOOLS)
    assert "cab.book" not in prompt(model, *ASK)


def test_a_template_without_tools_says_how_to_go_on(folders: Path) -> None:
    model = TransformersChat("gemma", path=folders / "gemma3")
    with pytest.raises(AgentFailure, match=r"of gemma has no tools\. Use --tools prompt$") as failure:
        next(model.complete(ASK, tools=TOOLS))
    assert failure.value.kind == "unsupported"


def test_native_calls_stay_text_as_the_family_writes_them(folders: Path) -> None:
    parts = list(TransformersChat("m", path=folders / "calls").complete(ASK, tools=TOOLS))
    assert said(parts) == '<tool_call>{"nam:0,rgus5}</tool_call>'
    assert {part.kind for part in parts} == {"content", "usage"}


def test_an_instruction_opens_the_first_user_turn_where_there_is_no_system_turn(folders: Path) -> None:
    model = TransformersChat("m", path=folders / "without-system")
    assert "<start_of_turn>user\nBe brief.\n\nनमस्ते! ไทย<end_of_turn>" in prompt(model, *ASK)


def test_a_chat_that_the_template_refuses_is_unsupported(folders: Path) -> None:
    model = TransformersChat("gemma", path=folders / "gemma3")
    with pytest.raises(
        AgentFailure, match=r"refused the chat \(Conversation roles must alternate"
    ) as failure:
        next(model.complete([Message("user", "a"), Message("user", "b")]))
    assert failure.value.kind == "unsupported"


def test_the_prompt_begins_once_and_is_the_same_every_day(folders: Path) -> None:
    model = TransformersChat("llama", path=folders / "llama")
    *_, last = model.complete([Message("user", "a")], max_tokens=1)
    text = "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nToday Date: 26 Jul 2024<|eot_id|>"
    text += "<|start_header_id|>user<|end_header_id|>\n\na<|eot_id|>"
    text += "<|start_header_id|>assistant<|end_header_id|>\n\n"
    assert prompt(model, Message("user", "a")) == text
    assert last.usage["input_tokens"] == len(model._tokenizer(text, add_special_tokens=False)["input_ids"])


def test_a_context_that_is_too_short_is_said_in_numbers(qwen3: TransformersChat) -> None:
    long = [Message("user", "a" * 2000)]
    with pytest.raises(AgentFailure, match=r"^tiny takes 2048 tokens, and the prompt's 20\d\d and the answer's 512 are more$") as failure:  # fmt: skip  # noqa: E501
        next(qwen3.complete(long))
    assert failure.value.kind == "unsupported"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("family", ["qwen3", "llama", "gemma3"])
def test_what_a_real_tokenizer_decodes_piece_by_piece_is_the_text(
    folders: Path, family: str, text: str
) -> None:
    model = TransformersChat(family, path=folders / family)
    ids = [*model._tokenizer(text, add_special_tokens=False)["input_ids"], *model._ends]

    def generate(sink: Sink) -> None:
        for i in ids:
            sink.put(i)

    parts = list(stream_generation(generate, model._text, prompt_first=False))
    assert said(parts) == model._tokenizer.decode(ids[: -len(model._ends)])
    assert all("\N{REPLACEMENT CHARACTER}" not in part.text for part in parts)


def test_running_out_of_memory_is_the_machines_fault(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    model = TransformersChat("m", path=folders / "qwen3")
    freed: list[bool] = []
    monkeypatch.setattr(transformers_chat, "_free_memory", lambda: freed.append(True))

    def generate(*_: Any, **__: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    monkeypatch.setattr(model._model, "generate", generate)
    with pytest.raises(
        AgentFailure, match=r"^CUDA out of memory\. Tried to allocate 2\.00 GiB\.$"
    ) as failure:
        list(model.complete(ASK))
    assert failure.value.kind == "out_of_memory"
    assert freed == [True]


def test_a_reader_who_leaves_stops_the_model(random_model: TransformersChat) -> None:
    parts = random_model.complete(ASK, max_tokens=1500)
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert not any(thread.name == "generate" for thread in threading.enumerate())


def test_a_model_that_does_not_fit_is_refused_before_it_is_read(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transformers_chat, "_memory_bytes", lambda device: 1000.0)
    with pytest.raises(
        UserError, match=r"^m: its weights need 0\.0 GB of memory, and cpu has 0\.0 GB\. Use a"
    ):
        TransformersChat("m", path=folders / "qwen3")


def test_running_out_of_memory_while_loading_says_what_is_needed(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    def load(*_: Any, **__: Any) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes")

    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", load)
    with pytest.raises(UserError, match=r"^m: its weights need \d+\.\d GB of memory, and cpu has"):
        TransformersChat("m", path=folders / "qwen3")


@pytest.mark.parametrize(("kept", "device", "times"), [
    ("bfloat16", "cpu", 2), ("float16", "cuda", 1), ("float32", "cpu", 1), ("float32", "cuda:1", 0.5),
])  # fmt: skip
def test_what_a_model_needs_follows_from_its_files_and_its_type(
    tmp_path: Path, kept: str, device: str, times: float
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"dtype": kept}), "utf-8")
    for shard in (1, 2):
        (tmp_path / f"model-0000{shard}-of-00002.safetensors").write_bytes(b"x" * 500)
    assert transformers_chat._needed_bytes(tmp_path, device) == 1000 * times


def test_a_quantized_model_needs_what_its_files_take(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(
        json.dumps({"quantization_config": {}, "dtype": "bfloat16"}), "utf-8"
    )
    (tmp_path / "model.safetensors").write_bytes(b"x" * 500)
    assert transformers_chat._needed_bytes(tmp_path, "cpu") == 500


def break_weights(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"no weights")


def break_config(folder: Path) -> None:
    change_config(folder, model_type="not-yet-invented", architectures=["Nothing"])


def break_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{", "utf-8")


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (break_weights, "the model cannot be loaded"),
        (break_config, "cannot be loaded"),
        (break_tokenizer, "the tokenizer cannot be loaded"),
    ],
)
def test_a_damaged_folder_is_the_users_error(
    tmp_path: Path, damage: Callable[[Path], None], told: str
) -> None:
    damage(save_qwen3(tmp_path / "m"))
    with pytest.raises(UserError, match=told):
        TransformersChat("m", path=tmp_path / "m")


def test_a_folder_without_a_chat_template_is_no_chat_model(folders: Path) -> None:
    with pytest.raises(UserError, match="has no chat template, so this is no chat model"):
        TransformersChat("m", path=folders / "without-template")


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "mps"])
def test_an_unknown_device_is_the_users_error(folders: Path, device: str) -> None:
    with pytest.raises(UserError, match="unknown device"):
        TransformersChat("m", path=folders / "qwen3", device=device)


def test_a_cuda_device_that_is_not_there_is_the_users_error(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    with pytest.raises(UserError, match=r"^m: device 'cuda:1' is not there: torch sees 1 CUDA devices\."):
        TransformersChat("m", path=folders / "qwen3", device="cuda:1")


def test_all_gpus_together_count_where_the_device_is_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setattr(
        "torch.cuda.get_device_properties", lambda index: SimpleNamespace(total_memory=(index + 1) * 10)
    )
    assert [transformers_chat._memory_bytes(device) for device in ("cuda", "cuda:0", "cuda:1")] == [
        30,
        10,
        20,
    ]


@pytest.mark.gpu
@pytest.mark.parametrize("device", ["cuda", "cuda:0"])
def test_on_a_gpu_the_answer_is_made_in_bfloat16(folders: Path, device: str) -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    model = TransformersChat("m", path=folders / "qwen3", device=device)
    assert model._model.dtype == torch.bfloat16
    assert said(list(model.complete(ASK))) == "[go(x=1)]é"
