"""The values that flow between the stages: audio in memory, and the rows of the files in between.

Every row is a frozen pydantic model that refuses unknown keys; `meta` and `usage` alone are open.
`docs/formats.md` describes the files, `voicebench schema NAME` prints them as JSON Schema.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, model_validator

TaskKind = Literal["single", "retrieval", "parallel", "sequential", "dialogue", "safety"]
TASK_KINDS: tuple[TaskKind, ...] = get_args(TaskKind)
ErrorKind = Literal[
    "timeout", "server", "rate_limit", "out_of_memory", "audio", "unsupported", "crash", "cancelled"
]
Figure = int | float | None


@dataclass(frozen=True, eq=False)
class Audio:
    """One clip: mono float32, shape (samples,), in [-1, 1].

    Attributes:
        samples: The waveform, shape (samples,), dtype float32.
        sample_rate_hz: Samples per second.
    """

    samples: npt.NDArray[np.float32]
    sample_rate_hz: int

    def __post_init__(self) -> None:
        if self.samples.ndim != 1 or self.samples.dtype != np.float32:
            raise ValueError(
                f"Audio is mono float32 of shape (samples,), not {self.samples.dtype} {self.samples.shape}"
            )
        if self.sample_rate_hz <= 0:
            raise ValueError(f"sample_rate_hz must be positive, not {self.sample_rate_hz}")

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.sample_rate_hz


@dataclass(frozen=True)
class Voice:
    """A speaker that a synthesizer or a reference recording offers.

    Attributes:
        id: Unique within its source.
        source: Where the voice comes from (a synthesizer's name, a corpus).
        licence: SPDX identifier or the licence's name.
        lang: The language the voice is native in; None where unknown.
        gender: "female", "male" or None.
    """

    id: str
    source: str
    licence: str
    lang: str | None = None
    gender: Literal["female", "male"] | None = None


@dataclass(frozen=True)
class Transcript:
    """What an ASR heard: the text, its language, and the seconds it took."""

    text: str
    lang: str | None
    seconds: float


@dataclass(frozen=True)
class Message:
    """One message of a chat with a language model.

    Attributes:
        role: Who speaks.
        content: The words; "" where the message is heard.
        audio: What the user said, as sound: for models that hear.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    audio: Audio | None = None


@dataclass(frozen=True)
class Part:
    """A piece of a language model's streamed answer.

    Attributes:
        kind: "content" and "reasoning" carry `text`; "call" carries a whole native tool call as JSON text
            `{"name", "arguments"}`, and may come without text before that to say that the call has begun;
            "answer" carries the whole answer of a model that does not stream, and marks no first token;
            "speech_end" says when the user stopped speaking (the origin of all moments), where sound is sent
            at the speed of speech; "usage" carries `usage` and no text.
        text: The piece itself.
        at_s: `time.perf_counter()` when it arrived.
        usage: Token counts, for kind "usage".
    """

    kind: Literal["content", "reasoning", "call", "answer", "speech_end", "usage"]
    text: str
    at_s: float
    usage: dict[str, Any] = field(default_factory=dict)


class Row(BaseModel):
    """Base of all file rows: frozen, an unknown key is an error, and `null` means the same as absent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, data: Any) -> Any:
        if not isinstance(data, dict) or None not in data.values():
            return data
        fields = cls.model_fields
        return {
            key: value
            for key, value in data.items()
            if value is not None or key not in fields or fields[key].is_required()
        }


class ModelRef(Row):
    """A model by name and pinned revision."""

    name: str
    revision: str | None = None


class JudgeRef(ModelRef):
    """A judge: the model, and the SHA-256 of the prompt that it was asked with, by figure."""

    prompts: dict[str, str] = Field(default_factory=dict)


class Turn(Row):
    """One turn of a conversation, in words."""

    role: Literal["user", "assistant"]
    text: str


class Tool(Row):
    """A tool's schema as it is offered to an agent; `parameters` is JSON Schema (or a dialect of it)."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=lambda: {"type": "object", "properties": {}})


class GoldCall(Row):
    """A call that would be right: for each parameter the list of accepted values ("" = may be left out)."""

    name: str
    arguments: dict[str, list[Any]] = Field(default_factory=dict)


class Expect(Row):
    """What a right answer is: calls, or a refusal, or (a harmless twin) calls and no refusal."""

    calls: tuple[GoldCall, ...] | None = None
    order: Literal["any", "sequence"] = "any"
    results: tuple[Any, ...] | None = None
    refuse: bool | None = None

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if self.calls is None and self.refuse is not True:
            raise ValueError("expect needs 'calls', or 'refuse': true")
        if self.calls is not None and self.refuse is True:
            raise ValueError("expect has both 'calls' and 'refuse': true")
        if self.results is not None and len(self.results) != len(self.calls or ()):
            raise ValueError("expect.results must have one entry a call")
        return self


class TaskRow(Row):
    """A line of tasks.jsonl; `tools` are names from data/tools or whole schemas."""

    id: str = Field(min_length=1)
    task: TaskKind
    lang: str = Field(min_length=2)
    turns: tuple[Turn, ...] = Field(min_length=1)
    tools: tuple[str | Tool, ...]
    expect: Expect
    reference_date: str | None = None
    origin: str | None = None
    twin: str | None = None
    meta: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _ends_with_the_user(self) -> Self:
        if self.turns[-1].role != "user":
            raise ValueError("the last turn must be a user turn")
        return self


class Task(TaskRow):
    """A task whose tools are all resolved to their schemas."""

    tools: tuple[Tool, ...]

    @property
    def user_turns(self) -> tuple[int, ...]:
        """Indices into `turns` of what the user says (one clip each)."""
        return tuple(i for i, turn in enumerate(self.turns) if turn.role == "user")


class VoiceRef(Row):
    """The voice of a clip, with its source and licence."""

    id: str
    source: str | None = None
    licence: str | None = None


class ManifestRow(Row):
    """A line of manifest.jsonl: one clip that an agent can hear."""

    task_id: str
    turn: int
    condition: str
    path: str
    sha256: str
    sample_rate_hz: int
    duration_s: float
    lang: str
    spoken_text: str
    synthesizer: ModelRef
    voice: VoiceRef | None = None
    converter: ModelRef | None = None
    encoder: ModelRef | None = None
    effects: tuple[dict[str, Any], ...] = ()
    seed: int
    checks: dict[str, Any] = Field(default_factory=dict)


class FailureRow(Row):
    """A line of failures.jsonl: a clip that could not be made, and why."""

    task_id: str
    turn: int
    condition: str
    kind: str
    message: str


class TranscriptRow(Row):
    """A line of transcripts.jsonl: what one ASR heard in one clip (`audio_sha256` says which)."""

    task_id: str
    turn: int
    condition: str
    asr: ModelRef
    text: str
    lang: str | None = None
    seconds: float | None = None
    audio_sha256: str | None = None


class ToolCall(Row):
    """A call that an agent made."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Timeline(Row):
    """Named moments in seconds after the user stopped speaking (text: after the request was handed over).

    What did not happen is None, never 0.
    """

    request_sent: float | None = None
    transcribed: float | None = None
    first_token: float | None = None
    first_reasoning: float | None = None
    first_content: float | None = None
    first_call_token: float | None = None
    calls_done: float | None = None
    done: float | None = None


class ErrorInfo(Row):
    """The harness's or the machine's fault (never the agent's)."""

    kind: ErrorKind
    message: str


class Response(Row):
    """A line of responses.jsonl: what an agent did with one task in one trial."""

    task_id: str
    agent: str
    condition: str
    trial: int
    text: str | None = None
    calls: tuple[ToolCall, ...] | None = None
    transcript: str | None = None
    timeline: Timeline | None = None
    usage: dict[str, Any] | None = None
    error: ErrorInfo | None = None
    model: ModelRef | None = None
    seed: int | None = None
    voice: str | None = None
    prompt_sha256: str | None = None
    audio_sha256: str | None = None
    tasks_version: str | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.text is None and self.calls is None and self.error is None:
            raise ValueError("a response needs one of 'text', 'calls', 'error'")
        return self


class Reason(Row):
    """Why a figure is what it is.

    `kind` is one of unreadable, tool, missing_call, extra_call, order, parameter; parameter reasons have a
    `verdict` of ok, wrong, missing, unexpected, type or coerced.
    """

    kind: Literal["unreadable", "tool", "missing_call", "extra_call", "order", "parameter"]
    call: int | None = None
    parameter: str | None = None
    verdict: Literal["ok", "wrong", "missing", "unexpected", "type", "coerced"] | None = None
    gold: Any = None
    got: Any = None
    message: str | None = None


FIGURES: tuple[str, ...] = (
    "tool_selection", "call_structure", "parameters", "parameters_lenient", "parameter_fraction",
    "call_fraction", "prefix_fraction", "parameters_judge", "refusal", "refusal_right",
)  # fmt: skip


class Scores(Row):
    """A line of scores.jsonl: what one response was worth.

    A figure is a number, or None with its reason in `unscored`; a figure that does not apply to the kind of
    item is left out of the file.
    """

    task_id: str
    agent: str
    condition: str
    trial: int
    task: TaskKind
    lang: str
    tool_selection: Figure = None
    call_structure: Figure = None
    parameters: Figure = None
    parameters_lenient: Figure = None
    parameter_fraction: Figure = None
    call_fraction: Figure = None
    prefix_fraction: Figure = None
    parameters_judge: Figure = None
    refusal: Figure = None
    refusal_right: Figure = None
    reasons: tuple[Reason, ...] = ()
    unscored: dict[str, str] = Field(default_factory=dict)
    scoring_version: str
    tasks_version: str | None = None
    model: ModelRef | None = None
    judge: JudgeRef | None = None


class ConformanceRow(Row):
    """A line of conformance.jsonl: an answer, and what any scorer should say of it."""

    id: str
    kind: str
    lang: str
    tools: tuple[Tool, ...]
    expect: Expect
    answer: dict[str, Any]
    want: dict[str, Figure]
    why: str | None = None
    reference_date: str | None = None


@dataclass(frozen=True)
class InputTurn:
    """A turn as an agent gets it: words, or (a user turn under a speech condition) only the sound."""

    role: Literal["user", "assistant"]
    text: str | None = None
    audio: Audio | None = None


@dataclass(frozen=True)
class Prompting:
    """How an agent is instructed.

    Attributes:
        one_shot: Show a worked example.
        refusal_prompt: Give leave to refuse harmful requests.
        tools: Whether the tools stand in the prompt and calls are written as text, or both are native.
        retriever: Name of the sentence encoder that ranks the tools of retrieval tasks, nearest first; None
            keeps the order in which they are given.
    """

    one_shot: bool = True
    refusal_prompt: bool = True
    tools: Literal["prompt", "native"] = "prompt"
    retriever: str | None = None

    @property
    def variant(self) -> str:
        """What differs from the default, such as "zero-shot,no-refusal,native"; "" where nothing does."""
        named = (
            ("zero-shot", not self.one_shot),
            ("no-refusal", not self.refusal_prompt),
            ("native", self.tools == "native"),
            (f"ranked:{self.retriever}", self.retriever is not None),
        )
        return ",".join(name for name, holds in named if holds)


@dataclass(frozen=True)
class Request:
    """Everything an agent is given for one task.

    Attributes:
        task_id: Which task this is.
        agent: The agent's name in the results.
        condition: "text", "transcript:ASR", "speech" or "speech/EFFECT".
        trial: Which repetition.
        lang: Language of the utterances.
        turns: The conversation so far; the last turn is the user's.
        tools: The tools offered.
        kind: The kind of task; each has its own instruction.
        seed: For whatever the agent samples.
        reference_date: What "today" is, ISO 8601, or None.
        prompting: How to instruct the agent.
        gold: The right answer; given to control agents (oracle, random) alone.
    """

    task_id: str
    agent: str
    condition: str
    trial: int
    lang: str
    turns: tuple[InputTurn, ...]
    tools: tuple[Tool, ...]
    kind: TaskKind = "single"
    seed: int = 0
    reference_date: str | None = None
    prompting: Prompting = Prompting()
    gold: Expect | None = None

    @property
    def audio_s(self) -> float:
        """How much sound it has, over all its turns, in seconds."""
        return sum(turn.audio.duration_s for turn in self.turns if turn.audio is not None)

    def answer(self, **fields: Any) -> Response:
        """Return the Response to this request with the given fields (text, calls, timeline, usage, …).

        Half surrogates in `text`, which no file can hold, become "?".
        """
        if isinstance(fields.get("text"), str):
            fields["text"] = fields["text"].encode("utf-8", "replace").decode("utf-8")
        return Response(
            task_id=self.task_id, agent=self.agent, condition=self.condition, trial=self.trial,
            seed=self.seed, **fields,
        )  # fmt: skip

    def failure(self, kind: ErrorKind, message: str) -> Response:
        """Return the Response that records a fault of the harness's or the machine's."""
        return self.answer(error=ErrorInfo(kind=kind, message=message))
