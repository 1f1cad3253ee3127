"""Whether a server can be used, asked before a run."""

import time
from collections.abc import Iterator

import pytest

from voicebench.errors import UserError
from voicebench.fakes_server import FakeServer
from voicebench.wire import loop
from voicebench.wire.keys import Key, key_for
from voicebench.wire.place import Place
from voicebench.wire.served import require_served


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


def check(url: str, model: str, key: Key | None = None) -> None:
    loop.run(require_served("some", Place.at(url, name="some", model=model), key))


def test_a_server_that_has_the_model_can_be_used(server: FakeServer) -> None:
    check(server.url, "fake")


def test_of_a_long_list_the_nearest_name_is_told(server: FakeServer) -> None:
    with pytest.raises(UserError, match=r"has no model 'faek'\. Did you mean 'fake'\?"):
        check(server.url, "faek")
    with pytest.raises(UserError, match=r"has no model 'zzz'\. It has \d+ others"):
        check(server.url, "zzz")


def test_a_short_list_is_told_whole() -> None:
    with (
        FakeServer(models=["a", "b"]) as few,
        pytest.raises(UserError, match=r"no model 'c'\. It has: a, b$"),
    ):
        check(few.url, "c")


@pytest.mark.parametrize("models", [[], ["qwen3:latest", "models/gemini-3", "llama"]])
@pytest.mark.parametrize("name", ["qwen3", "qwen3:latest", "gemini-3", "llama", "llama:free"])
def test_variants_of_a_name_are_the_same_model(name: str, models: list[str]) -> None:
    with FakeServer(models=models) as few:
        check(few.url, name)


def test_a_server_without_a_list_is_not_held_to_one(server: FakeServer) -> None:
    check(server.url.removesuffix("/v1"), "x")


def test_nobody_there_is_one_clear_line_and_soon() -> None:
    with FakeServer() as gone:
        pass
    started_s = time.perf_counter()
    with pytest.raises(
        UserError, match=r"^some: 127\.0\.0\.1:\d+: nothing answers there\. Is the server run"
    ):
        check(gone.url, "fake")
    assert time.perf_counter() - started_s < 2


def test_a_bad_key_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", "wrong-key")
    with FakeServer(key="right-key") as guarded, pytest.raises(UserError, match=r"\. Check the key in MINE"):
        check(guarded.url, "fake", Key.bearer("MINE"))


def test_a_vendor_without_its_key_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    place = Place.at("https://api.openai.com/v1", name="some", model="gpt")
    with pytest.raises(UserError, match=r"api\.openai\.com wants a key\. Set it in OPENAI_API_KEY"):
        check(place.url, "gpt", key_for(place, "some"))
