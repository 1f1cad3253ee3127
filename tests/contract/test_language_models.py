"""What every language model must do. A new one adds a line to `MAKERS`."""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.agent_requests import RIDE
from tests.example_package import example
from tests.llms.tiny_chat_models import save_qwen3
from voicebench.errors import AgentFailure
from voicebench.fakes import FakeLanguageModel
from voicebench.fakes_server import FakeServer
from voicebench.protocols import LanguageModel
from voicebench.registry import find, load
from voicebench.types import Message


def tiny_qwen3() -> LanguageModel:
    """Return what the record of a Qwen3 makes of tiny random weights."""
    with tempfile.TemporaryDirectory() as folder:
        path = save_qwen3(Path(folder) / "qwen3", says="[go(x=1)]é")
        model: LanguageModel = load(find("llm", "qwen3-0.6b"), path=path, revision="tiny")
    return model


SERVERS = ExitStack()


@pytest.fixture(scope="module", autouse=True)
def _servers() -> Iterator[None]:
    with SERVERS:
        yield


def behind_a_server() -> LanguageModel:
    """Return a model of a server on this machine that speaks the real wire format."""
    server = SERVERS.enter_context(FakeServer())
    model: LanguageModel = load(find("llm", "openai"), argument=f"{server.url}#fake")
    return model


MAKERS: dict[str, Callable[[], LanguageModel]] = {
    "openai": behind_a_server,
    "fake": lambda: FakeLanguageModel(["नमस्ते, hello"]),
    "qwen3": tiny_qwen3,
    "smollm2": lambda: load(find("llm", "smollm2"), offline_first=True, context=512),
    "first-tool": lambda: example("first-tool"),
}
PACKAGES = {"qwen3": ("torch", "transformers", "accelerate"), "smollm2": ("xllamacpp",)}
WEIGHTS = {"smollm2"}
ENDLESS = {"openai", "fake", "first-tool"}
"""Those that take a chat of any length: controls, and one whose server says what is too much."""
ASK = [Message("system", "Be brief."), Message("user", "नमस्ते! Say hello.")]


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.weights] if name in WEIGHTS else []) for name in MAKERS],
)
def model(request: pytest.FixtureRequest) -> LanguageModel:
    for package in PACKAGES.get(request.param, ()):
        pytest.importorskip(package)
    return MAKERS[request.param]()


def test_it_names_its_model_and_revision(model: LanguageModel) -> None:
    assert model.model.name
    assert model.model.revision


def test_it_streams_text_and_tells_its_usage_last(model: LanguageModel) -> None:
    parts = list(model.complete(ASK, max_tokens=8))
    assert "".join(part.text for part in parts if part.kind == "content")
    assert parts[-1].kind == "usage"
    assert parts[-1].usage["input_tokens"] > 0
    assert parts[-1].usage["output_tokens"] > 0


def test_the_times_are_those_of_arrival(model: LanguageModel) -> None:
    before = time.perf_counter()
    times = [part.at_s for part in model.complete(ASK, max_tokens=8)]
    assert times == sorted(times)
    assert before <= times[0] <= times[-1] <= time.perf_counter()


def test_greedy_answers_are_the_same_twice(model: LanguageModel) -> None:
    one, other = ("".join(part.text for part in model.complete(ASK, max_tokens=8)) for _ in range(2))
    assert one == other


def test_the_seed_fixes_what_is_sampled(model: LanguageModel) -> None:
    sampled = [[p.text for p in model.complete(ASK, max_tokens=8, temperature=1.0, seed=4)] for _ in range(2)]
    assert sampled[0] == sampled[1]


def test_characters_come_whole(model: LanguageModel) -> None:
    # The last piece may be cut off where the tokens end.
    pieces = [part.text for part in model.complete(ASK, max_tokens=24) if part.kind == "content"]
    assert "\ufffd" not in "".join(pieces[:-1])
    assert "".join(pieces).encode("utf-8")


def test_calls_of_tools_that_are_offered_are_whole_and_say_their_names(model: LanguageModel) -> None:
    parts = list(model.complete(ASK, tools=[RIDE], max_tokens=24))
    assert parts[-1].kind == "usage"
    calls = [json.loads(part.text) for part in parts if part.kind == "call" and part.text]
    assert all(call.keys() == {"name", "arguments"} and call["name"] == RIDE.name for call in calls)


def test_a_chat_that_is_too_long_is_a_failure_and_never_cut(model: LanguageModel) -> None:
    if model.model.name.partition(":")[0] in ENDLESS:
        pytest.skip("takes a chat of any length")
    with pytest.raises(AgentFailure):
        list(model.complete([Message("user", "नमस्ते " * 3000)], max_tokens=4))


def test_nothing_is_generated_before_the_first_part_is_asked_for(model: LanguageModel) -> None:
    parts = model.complete(ASK, max_tokens=4)
    asked_s = time.perf_counter()
    assert next(parts).at_s >= asked_s


def test_a_reader_may_leave_early(model: LanguageModel) -> None:
    parts = model.complete(ASK, max_tokens=200)
    next(parts)
    del parts
    assert list(model.complete(ASK, max_tokens=2))


def test_one_that_claims_to_hold_a_schema_holds_it(model: LanguageModel) -> None:
    if not model.holds_schema:
        pytest.skip("does not claim to hold a schema")
    schema = {
        "type": "object", "properties": {"yes": {"const": True}, "names": {"type": "array", "maxItems": 0}},
        "required": ["yes", "names"], "additionalProperties": False,
    }  # fmt: skip
    text = "".join(part.text for part in model.complete(ASK, schema=schema, max_tokens=30))
    assert json.loads(text) == {"yes": True, "names": []}
