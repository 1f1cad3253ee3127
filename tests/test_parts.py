"""Parts of agents by name: what is recorded of a file, a folder, a server or an argument."""

from pathlib import Path

import pytest

from voicebench import parts
from voicebench.errors import UserError


def test_a_server_is_named_by_its_model_and_its_revision_says_where_it_is() -> None:
    record = parts.language_model("http://localhost:8000/v1#qwen/Qwen3-8B")
    assert (record.name, record.revision) == ("openai:qwen/Qwen3-8B", "qwen/Qwen3-8B@localhost:8000")
    assert record.options["argument"] == "http://localhost:8000/v1#qwen/Qwen3-8B"


def test_the_variable_of_a_key_is_no_part_of_a_name() -> None:
    record = parts.language_model("openai:https://llm.example/v1#m&key=MY_KEY&timeout_s=9")
    assert (record.name, record.revision) == ("openai:m", "m@llm.example&timeout_s=9")


def test_a_vendors_model_needs_no_url() -> None:
    assert parts.language_model("openai:gpt-4o").name == "openai:gpt-4o"
    assert parts.language_model("openai:gpt-4o").revision == "gpt-4o@api.openai.com"


def test_another_default_server_is_another_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:9000/v1")
    assert parts.language_model("openai:gpt-4o").revision == "gpt-4o@localhost:9000"
    assert parts.language_model("ollama:qwen3").revision == "qwen3@127.0.0.1:11434"


def test_the_options_of_a_whisper_are_part_of_name_and_revision() -> None:
    plain, told = parts.transcriber("whisper-base"), parts.transcriber("whisper-base:vad,beam5")
    assert (told.name, told.revision) == ("whisper-base:vad,beam5", f"{plain.revision}:vad,beam5")


def test_two_servers_of_one_model_are_told_apart() -> None:
    one, other = (parts.language_model(f"http://{host}/v1#m") for host in ("a:1", "b:1"))
    assert one.name == other.name
    assert one.revision != other.revision


def test_several_servers_of_one_model_are_one_in_whatever_order_they_are_written() -> None:
    one = parts.language_model("http://b:8000/v1,http://a:9000/v1#qwen3-8b&timeout_s=9")
    other = parts.language_model("openai:http://a:9000/v1, http://b:8000/v1#qwen3-8b&timeout_s=9")
    assert one.name == other.name == "openai:qwen3-8b"
    assert one.revision == other.revision == "qwen3-8b@a:9000,b:8000&timeout_s=9"
    assert [record.options["argument"] for record in parts.each_server(one)] == [
        "http://b:8000/v1#qwen3-8b&timeout_s=9",
        "http://a:9000/v1#qwen3-8b&timeout_s=9",
    ]


def test_several_servers_that_hear_are_one_agent() -> None:
    record = parts.agent("audio-chat:http://b/v1,https://a/v1#omni")
    assert record is not None
    assert (record.name, record.revision) == ("audio-chat:omni", "omni@a,b")


def test_one_server_stays_as_it_is() -> None:
    record = parts.language_model("openai:http://a/v1#one,two")
    assert (record.name, parts.each_server(record)) == ("openai:one,two", (record,))


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("http://a/v1,http://a/v1/#m", "a server is named twice"),
        ("http://a/v1,b:8000/v1#m", "is not one server's URL. Where several may be named: http://ONE"),
        ("http://a/v1,http://me:secret@b/v1#m", "must hold no password"),
    ],
)
def test_what_are_no_several_servers_is_refused(name: str, match: str) -> None:
    with pytest.raises(UserError, match=match):
        parts.language_model(name)


def test_where_only_one_server_can_be_asked_several_are_refused() -> None:
    with pytest.raises(UserError, match="openai-transcriptions takes one server, not 2"):
        parts.transcriber("openai-transcriptions:http://a/v1,http://b/v1#w")


def test_a_server_that_hears_is_an_agent() -> None:
    record = parts.agent("audio-chat:http://127.0.0.1:8000/v1#omni")
    assert record is not None
    assert (record.name, record.hears) == ("audio-chat:omni", "several clips")


def test_an_unknown_agent_is_none() -> None:
    assert parts.agent("whisper-base+smollm2") is None


def test_an_argument_for_one_that_takes_none_is_refused() -> None:
    with pytest.raises(UserError, match="smollm2:fast"):
        parts.language_model("smollm2:fast")


def test_a_folder_of_transformers_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    (tmp_path / "model.safetensors").write_bytes(b"one")
    first = parts.language_model(f"transformers:{tmp_path}")
    (tmp_path / "model.safetensors").write_bytes(b"two")
    second = parts.language_model(f"transformers:{tmp_path}")
    assert first.name == second.name == f"transformers:{tmp_path.name}"
    assert first.revision != second.revision


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("gguf:nowhere.gguf", "no such GGUF file"),
        ("transformers:nowhere", "no config.json"),
        ("smolm2", "unknown LLM 'smolm2'. Did you mean 'smollm2'"),
    ],
)
def test_what_is_not_there_is_said(name: str, match: str) -> None:
    with pytest.raises(UserError, match=match):
        parts.language_model(name)
