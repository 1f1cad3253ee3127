"""Chat models behind OpenAI-compatible servers, by the names that users write."""

import pytest

from voicebench.errors import UserError
from voicebench.fakes_server import FakeServer
from voicebench.llms.openai_chat import URLS, OpenAIChat
from voicebench.parts import language_model
from voicebench.registry import find, load
from voicebench.types import Message

SECRET = "sk-planted-0123456789"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENROUTER_API_KEY", "MINE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("name", "revision"),
    [
        ("openai:gpt-5", "gpt-5@api.openai.com"),
        ("openrouter:qwen/qwen3-8b:free", "qwen/qwen3-8b:free@openrouter.ai"),
        ("ollama:qwen3:8b", "qwen3:8b@127.0.0.1:11434"),
        ("vllm:Qwen/Qwen3-8B", "Qwen/Qwen3-8B@127.0.0.1:8000"),
        ("llamacpp:any", "any@127.0.0.1:8080"),
        ("openai:https://h.example/v1#m", "m@h.example"),
        ("http://127.0.0.1:9/v1#m", "m@127.0.0.1:9"),
    ],
)
def test_a_name_says_which_model_on_which_server(name: str, revision: str) -> None:
    model = load(language_model(name))
    assert model.model.revision == revision
    assert not model.holds_schema


def test_every_server_of_the_table_has_a_record() -> None:
    for server in URLS:
        record = find("llm", f"{server}:m")
        assert (record.options["server"], record.verified) == (server, "wire format")


def test_openais_address_may_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gateway.example/v1/")
    assert OpenAIChat(argument="m").model.revision == "m@gateway.example"
    assert OpenAIChat(argument="m", server="ollama").model.revision == "m@127.0.0.1:11434"


def test_the_key_is_that_of_the_server_or_the_one_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", SECRET)
    messages = [Message("user", "hello")]
    with FakeServer(key=SECRET) as guarded:
        with pytest.raises(UserError, match=r"answers 401 .*\. Set the key in OPENAI_API_KEY"):
            list(OpenAIChat(argument=f"{guarded.url}#fake").complete(messages))
        assert list(OpenAIChat(argument=f"{guarded.url}#fake&key=MINE").complete(messages))


def test_the_time_for_one_answer_may_be_set() -> None:
    with FakeServer() as server, pytest.raises(Exception, match=r"did not end its answer within 0\.1 s"):
        list(OpenAIChat(argument=f"{server.url}#stalls&timeout_s=0.1").complete([Message("user", "hello")]))
    for wrong in ("0", "-1", "soon"):
        with pytest.raises(UserError, match=f"timeout_s={wrong} is no number of seconds"):
            OpenAIChat(argument=f"m&timeout_s={wrong}")


@pytest.mark.parametrize("argument", ["", "http://127.0.0.1:9/v1", "m&temperature=1"])
def test_another_form_is_refused_with_the_one_expected(argument: str) -> None:
    with pytest.raises(UserError, match="openai:URL#MODEL&key=…&timeout_s=…&patience_s=… or openai:MODEL"):
        OpenAIChat(argument=argument)
