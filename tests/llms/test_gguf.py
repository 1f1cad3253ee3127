"""GGUF models: llama.cpp's chunks as parts, by a stand-in for xllamacpp; real weights held to a schema."""

import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from voicebench.errors import AgentFailure, UserError
from voicebench.llms.gguf import Gguf
from voicebench.types import Message, Part, Tool

Chunk = dict[str, Any]
HELLO = [Message("user", "नमस्ते")]
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


class Server:
    """Streams the chunks it was given; remembers what it was asked."""

    chunks: Sequence[Chunk] = ()
    error: Exception | None = None
    loads = True

    def __init__(self, params: Any) -> None:
        if not self.loads:
            raise RuntimeError("Failed to init server, please check the input params.")
        self.params = params
        self.asked: list[dict[str, Any]] = []
        self.cancelled = threading.Event()

    def handle_chat_completions(self, body: dict[str, Any], on_chunk: Callable[[Chunk], bool]) -> None:
        self.asked.append(body)
        if self.error is not None:
            raise self.error
        for chunk in self.chunks:
            if on_chunk(chunk):
                self.cancelled.set()
                return


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> type[Server]:
    class Fresh(Server):
        pass

    module = ModuleType("xllamacpp")
    module.Server = Fresh  # type: ignore[attr-defined]
    module.CommonParams = lambda: SimpleNamespace(  # type: ignore[attr-defined]
        model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace()
    )
    module.json_schema_to_grammar = json.dumps  # type: ignore[attr-defined]
    module.get_device_info = lambda: [{"name": "CPU"}, {"name": "CUDA0"}]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "xllamacpp", module)
    return Fresh


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF\3\0\0\0")
    return path


def delta(finish: str | None = None, **fields: Any) -> Chunk:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def call_delta(index: int, name: str | None, arguments: str) -> Chunk:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return delta(tool_calls=[{"index": index, "function": function}])


USAGE: Chunk = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


def shape(parts: Iterator[Part]) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in parts]


def test_content_reasoning_and_usage_come_as_parts_in_order(server: type[Server], file: Path) -> None:
    server.chunks = [
        delta(role="assistant", content=None), delta(reasoning_content="Hm."), delta(content="नम"),
        delta(content=""), delta(content="स्ते"), delta("stop"), USAGE,
    ]  # fmt: skip
    parts = list(Gguf("tiny", path=file).complete(HELLO))
    assert shape(iter(parts)) == [("reasoning", "Hm."), ("content", "नम"), ("content", "स्ते"), ("usage", "")]
    assert parts[-1].usage == {"input_tokens": 7, "output_tokens": 2}
    assert [part.at_s for part in parts] == sorted(part.at_s for part in parts)


def test_a_native_call_is_announced_and_then_whole(server: type[Server], file: Path) -> None:
    server.chunks = [
        call_delta(0, "cab.book", ""), call_delta(0, None, '{"to": "ह'), call_delta(0, None, 'वा महल"}'),
        delta("tool_calls"), USAGE,
    ]  # fmt: skip
    parts = shape(Gguf("tiny", path=file).complete(HELLO, tools=[Tool(name="cab.book")]))
    assert parts == [
        ("call", ""), ("call", '{"name": "cab.book", "arguments": {"to": "हवा महल"}}'), ("usage", ""),
    ]  # fmt: skip


def test_arguments_that_are_no_json_are_handed_on_as_they_are(server: type[Server], file: Path) -> None:
    server.chunks = [call_delta(0, "f", '{"a": '), delta("tool_calls")]
    assert shape(Gguf("tiny", path=file).complete(HELLO))[-1] == (
        "call",
        '{"name": "f", "arguments": "{\\"a\\": "}',
    )


def test_the_request_is_greedy_and_bounded_and_has_no_half_surrogates(
    server: type[Server], file: Path
) -> None:
    model = Gguf("tiny", path=file)
    list(model.complete([Message("user", "a\ud800")], max_tokens=9, seed=2**32 + 5))
    [body] = model._server.asked
    assert body["messages"] == [{"role": "user", "content": "a?"}]
    assert (body["max_tokens"], body["temperature"], body["seed"]) == (9, 0.0, 5)
    assert "grammar" not in body
    assert "tools" not in body


def test_a_schema_becomes_a_grammar_without_free_white_space(server: type[Server], file: Path) -> None:
    server.chunks = [delta(content='{"name": "a"}'), delta("stop")]
    model = Gguf("tiny", path=file)
    list(model.complete(HELLO, schema=NAME))
    grammar = json.loads(model._server.asked[0]["grammar"])
    assert grammar["x-guidance"]["whitespace_flexible"] is False
    assert {key: grammar[key] for key in NAME} == NAME


def test_free_text_in_spite_of_a_schema_is_the_harness_fault(server: type[Server], file: Path) -> None:
    server.chunks = [delta(content="Sure! Here"), delta("stop")]
    with pytest.raises(AgentFailure, match="could not hold the answer to the schema") as failure:
        list(Gguf("tiny", path=file).complete(HELLO, schema=NAME))
    assert failure.value.kind == "unsupported"


def test_an_answer_cut_short_under_a_schema_is_the_agents(server: type[Server], file: Path) -> None:
    server.chunks = [delta(content='{"name": "Ba'), delta("length")]
    assert shape(Gguf("tiny", path=file).complete(HELLO, schema=NAME)) == [("content", '{"name": "Ba')]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 400, "message": "request (5031 tokens) exceeds the available context size"}, "unsupported"),
        ({"code": 500, "message": "slot failed"}, "server"),
        ("odd", "server"),
    ],
)
def test_an_error_of_the_server_becomes_a_failure_with_its_words(
    server: type[Server], file: Path, error: Any, kind: str
) -> None:
    server.chunks = [{"error": error}]
    with pytest.raises(AgentFailure, match=r"llama\.cpp: ") as failure:
        list(Gguf("tiny", path=file).complete(HELLO))
    assert failure.value.kind == kind


def test_what_the_runtime_raises_becomes_a_failure(server: type[Server], file: Path) -> None:
    server.error = ValueError("Unable to generate parser\nmore")
    with pytest.raises(AgentFailure, match=r"\(Unable to generate parser\)$") as failure:
        list(Gguf("tiny", path=file).complete(HELLO))
    assert failure.value.kind == "unsupported"


def test_leaving_early_stops_the_generation(server: type[Server], file: Path) -> None:
    class Patient(Server):
        def handle_chat_completions(self, body: dict[str, Any], on_chunk: Callable[[Chunk], bool]) -> None:
            while not on_chunk(delta(content="word ")):
                pass
            self.cancelled.set()

    server.handle_chat_completions = Patient.handle_chat_completions  # type: ignore[method-assign]
    model = Gguf("tiny", path=file)
    parts = model.complete(HELLO)
    assert next(parts).text == "word "
    parts.close()  # type: ignore[attr-defined]
    assert model._server.cancelled.wait(5)
    assert not [thread for thread in threading.enumerate() if thread.name == "llama.cpp"]


def test_the_listener_has_a_key_and_the_log_is_silent(server: type[Server], file: Path) -> None:
    params = Gguf("tiny", path=file, threads=3, context=512)._server.params
    assert params.api_keys and len(params.api_keys[0]) > 8
    assert params.verbosity < 0
    assert (params.n_ctx, params.n_parallel, params.cpuparams.n_threads) == (512, 1, 3)


def test_all_cores_work_and_none_waits_by_spinning(
    server: type[Server], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cores, threads in ((1, 1), (2, 2), (64, 8)):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, n=cores: set(range(n)), raising=False)
        params = Gguf("tiny", path=file)._server.params
        for cpu in (params.cpuparams, params.cpuparams_batch):
            assert (cpu.n_threads, cpu.poll) == (threads, 0)


def test_on_cuda_all_layers_go_to_the_device(server: type[Server], file: Path) -> None:
    params = Gguf("tiny", path=file, device="cuda:0")._server.params
    assert (params.n_gpu_layers, params.main_gpu) == (-1, 0)


def test_without_a_cuda_build_the_model_stays_on_the_cpu_and_says_so(
    server: type[Server], file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert Gguf("tiny", path=file, device="cuda:1")._server.params.n_gpu_layers == 0
    assert "sees 1 CUDA devices: the model runs on the CPU" in caplog.text


def test_an_unknown_device_is_the_users_error(server: type[Server], file: Path) -> None:
    with pytest.raises(UserError, match="unknown device 'gpu'"):
        Gguf("tiny", path=file, device="gpu")


def test_a_file_that_is_no_gguf_is_the_users_error(server: type[Server], tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"PK\3\4")
    with pytest.raises(UserError, match=r"a\.gguf: not a GGUF file$"):
        Gguf("tiny", path=tmp_path / "a.gguf")


def test_a_missing_file_is_the_users_error(server: type[Server], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        Gguf("tiny", path=tmp_path / "none.gguf")


def test_a_damaged_file_is_the_users_error(server: type[Server], file: Path) -> None:
    server.loads = False
    with pytest.raises(UserError, match=r"tiny\.gguf: llama\.cpp cannot load this model"):
        Gguf("tiny", path=file)


def test_a_folder_must_hold_one_gguf_file(server: type[Server], file: Path) -> None:
    assert Gguf("tiny", path=file.parent).model.name == "tiny"
    (file.parent / "second.gguf").write_bytes(b"GGUF")
    with pytest.raises(UserError, match="it holds 2"):
        Gguf("tiny", path=file.parent)


@pytest.fixture(scope="module")
def smollm2() -> Gguf:
    pytest.importorskip("xllamacpp")
    return Gguf("smollm2", offline_first=True, context=1024)


@pytest.mark.weights
def test_real_weights_hold_to_a_schema_and_stay_quiet(
    smollm2: Gguf, capfd: pytest.CaptureFixture[str]
) -> None:
    schema = {
        "type": "object",
        "properties": {
            "city": {"enum": ["मुंबई", "दिल्ली"]}, "people": {"type": "integer", "minimum": 2, "maximum": 2},
        },
        "required": ["city", "people"],
        "additionalProperties": False,
    }  # fmt: skip
    parts = list(smollm2.complete([Message("user", "दो लोग, दिल्ली")], schema=schema, max_tokens=60))
    text = "".join(part.text for part in parts)
    assert text in ('{"city": "मुंबई", "people": 2}', '{"city": "दिल्ली", "people": 2}')
    assert parts[-1].usage["output_tokens"] > 5
    assert tuple(capfd.readouterr()) == ("", "")


@pytest.mark.weights
def test_real_weights_answer_the_same_twice(smollm2: Gguf) -> None:
    one, other = ("".join(p.text for p in smollm2.complete(HELLO, max_tokens=8)) for _ in range(2))
    assert one == other != ""


@pytest.mark.weights
def test_a_prompt_longer_than_the_context_is_unsupported(smollm2: Gguf) -> None:
    with pytest.raises(AgentFailure, match="exceeds the available context size") as failure:
        list(smollm2.complete([Message("user", "word " * 1500)]))
    assert failure.value.kind == "unsupported"


@pytest.mark.weights
@pytest.mark.parametrize(
    "schema", [{"type": "strung"}, {"type": "string", "pattern": "(?=a)b"}, {"enum": []}]
)
def test_a_schema_that_cannot_be_held_to_is_found_out(smollm2: Gguf, schema: dict[str, Any]) -> None:
    with pytest.raises(AgentFailure, match="could not hold"):
        list(smollm2.complete([Message("user", "Name a city.")], schema=schema, max_tokens=12))


@pytest.mark.weights
def test_a_cut_file_is_the_users_error(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    (tmp_path / "cut.gguf").write_bytes(b"GGUF\3\0\0\0" + bytes(200))
    with pytest.raises(UserError, match="cannot load this model"):
        Gguf("cut", path=tmp_path / "cut.gguf")
