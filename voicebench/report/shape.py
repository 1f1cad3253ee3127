"""What a report says, as values: computed once in `summary`, only written out by the views.

What an item is made of comes by the hundred thousand, and is made here alone: plain dataclasses, which are
not validated and take a third of the memory.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pydantic import Field

from voicebench.running.run_info import RunInfo
from voicebench.scoring.blame import Cause
from voicebench.scoring.statistics import Counts
from voicebench.types import JudgeRef, Row, TaskKind

RIGHT = "right"
"""The one figure every item has: `parameters`, and for safety items `refusal_right`."""

REFUSED_HARMFUL = "refused_harmful"
"""`refusal` of the requests that should be refused."""
REFUSED_HARMLESS = "refused_harmless"
"""`refusal` of the requests that should not be: too much caution."""
PER_CALL = "per_call"
"""`call_fraction` with every gold call counting the same, whatever task it is of."""

KINDS, TASKS = "kinds", "tasks"
"""`Aggregate.over` of the macro and of the micro average over kinds of calls."""

MOMENTS: tuple[str, ...] = ("transcribed", "first_token", "first_call_token", "calls_done", "done")
"""The moments of a timeline whose quantiles are shown."""

Verdict = Literal["right", "wrong", "unscored"]


class Measure(Row):
    """One figure over one group of answers.

    Attributes:
        mean: Mean over tasks (a task's trials are averaged first); None where nothing is scored.
        low: Lower end of the 95 % interval of the mean, or None.
        high: Upper end of it, or None.
        n_tasks: Tasks that the mean and the interval rest on.
        counts: What became of the answers (tasks x trials) that should have the figure.
        failed: Why some are not there: reason to number of answers.
        judge_failed: Why some that are there do not have it: reason to number of answers.
    """

    mean: float | None
    low: float | None
    high: float | None
    n_tasks: int
    counts: Counts
    failed: dict[str, int] = Field(default_factory=dict)
    judge_failed: dict[str, int] = Field(default_factory=dict)

    @property
    def unscored(self) -> dict[str, int]:
        """Why answers do not have the figure, whoever failed: reason to number of answers."""
        return {reason: self.failed.get(reason, 0) + self.judge_failed.get(reason, 0)
                for reason in sorted({*self.failed, *self.judge_failed})}  # fmt: skip


class Cell(Row):
    """The figures of one agent under one condition, for one kind and language or over all of them.

    Attributes:
        agent: The agent's name.
        condition: What it was given.
        task: The kind of task; None means all kinds.
        lang: The language; None means all languages.
        figures: A Measure for `right` and for each figure that applies. Over several kinds or languages
            every task counts the same (a micro average).
        kind_means: Where `task` is None: for each figure the mean of the kinds' means, each kind counting
            the same (a macro average), or None where no kind has it scored.
    """

    agent: str
    condition: str
    task: TaskKind | None
    lang: str | None
    figures: dict[str, Measure]
    kind_means: dict[str, float | None] = Field(default_factory=dict)


class GapPoint(Row):
    """How often an agent is right under one condition, on the tasks of its Gap."""

    condition: str
    mean: float
    low: float | None
    high: float | None


class GapStep(Row):
    """What going from one condition to another changes, task by task: the mean of (end - start).

    Attributes:
        start: Condition compared with.
        end: Condition compared.
        difference: Mean paired difference of `right`; negative is a loss.
        low: Lower end of its 95 % interval, or None.
        high: Upper end of it, or None.
    """

    start: str
    end: str
    difference: float
    low: float | None
    high: float | None


class Gap(Row):
    """A chain of conditions on the tasks that are scored under all of them, so that its steps add up.

    Attributes:
        agent: The agent's name.
        lang: The language; None means all languages.
        n_pairs: Tasks scored under every condition of the chain.
        points: One per condition, in the chain's order.
        steps: From each condition to the next, then (three or more conditions) from the first to the last.
    """

    agent: str
    lang: str | None
    n_pairs: int
    points: tuple[GapPoint, ...]
    steps: tuple[GapStep, ...]

    @property
    def whole(self) -> GapStep:
        """The step from the first condition to the last."""
        return self.steps[-1]


class Aggregate(Row):
    """A figure over a group of languages or kinds, as papers print it.

    Attributes:
        scope: A language code, or a group of languages: see `voicebench.report.groups`.
        agent: The agent's name.
        condition: What it was given.
        over: A kind of task; "kinds" is the mean of the kinds of calls, each counting the same (macro);
            "tasks" is the mean over all their tasks, each counting the same (micro).
        figure: The figure, or one of `voicebench.report.derived`.
        measure: The mean with its interval and its counts. Over a group each language counts the same.
        missing: What the mean is made without, for nothing of it is scored: languages of the group, kinds, or
            "kind/language" where a language lacks one of the kinds.
    """

    scope: str
    agent: str
    condition: str
    over: str
    figure: str
    measure: Measure
    missing: tuple[str, ...] = ()


class Share(Row):
    """A count with its share of all and the share's 95 % interval."""

    n: int
    share: float
    low: float | None
    high: float | None


class BlameExample(Row):
    """One answer whose cause is known, with what shows it."""

    task_id: str
    lang: str
    trial: int
    cause: Cause
    why: str
    said: str
    heard: str | None = None
    parameter: str | None = None
    wanted: str | None = None
    got: str | None = None


class Blame(Row):
    """Why answers to what was heard are wrong, for one agent and condition: `voicebench.scoring.blame`.

    Attributes:
        agent: The agent's name.
        condition: What it was given instead of the text: speech, or what an ASR had heard.
        lang: The language; None means all languages.
        n_pairs: Answers that are scored, and so is the same agent's answer to the text in the same trial.
        n_unpaired: Answers planned under the condition that are not.
        n_by_ear: Pairs that are right when read and wrong when heard.
        causes: For each cause how many of the pairs.
        examples: A few of each, where `lang` is None.
    """

    agent: str
    condition: str
    lang: str | None
    n_pairs: int
    n_unpaired: int
    n_by_ear: int
    causes: dict[Cause, Share]
    examples: tuple[BlameExample, ...] = ()


class BoundedFigure(Row):
    """A figure of which trials may be missing: None unless all are there, and what it may be in any case."""

    estimate: float | None
    low: float
    high: float


class Trials(Row):
    """Several trials of each task: all of k succeed (pass^k), any of k succeeds (pass@k), and their ratio.

    Attributes:
        agent: The agent's name.
        condition: What it was given.
        lang: The language; None means all languages.
        k: How many trials.
        n_tasks: Tasks.
        planned: Trials planned of each task.
        n_present: Trials that are scored, of n_tasks x planned.
        pass_hat: pass^k; a trial succeeds if it is right.
        low: Lower end of its 95 % interval over tasks, or None.
        high: Upper end of it, or None.
        pass_at: pass@k.
        rho: pass^k ÷ pass^1 of unrounded values; None where nothing can have succeeded.
    """

    agent: str
    condition: str
    lang: str | None
    k: int
    n_tasks: int
    planned: int
    n_present: int
    pass_hat: BoundedFigure
    low: float | None
    high: float | None
    pass_at: BoundedFigure
    rho: BoundedFigure | None


class Latency(Row):
    """Quantiles of one moment in seconds after the user stopped speaking, over the answers that have it."""

    agent: str
    condition: str
    moment: str
    n: int
    p50_s: float
    p90_s: float
    p99_s: float


class ErrorCount(Row):
    """How many answers the harness or the machine failed on, with the first one's message."""

    agent: str
    condition: str
    kind: str
    n: int
    example: str


class ClipFailures(Row):
    """How many clips could not be made, with the first one's message."""

    condition: str
    kind: str
    n: int
    example: str


class VoiceUse(Row):
    """A voice, where it comes from, its licence, and how many clips it speaks in which languages."""

    id: str
    source: str | None
    licence: str | None
    langs: tuple[str, ...]
    n_clips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """A clip of a turn; `path` is relative to the folder of the manifest of run `run`."""

    run: str
    condition: str
    path: str
    duration_s: float
    spoken_text: str
    voice: str | None = None
    synthesizer: str
    effects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemTurn:
    """One turn of a task, in words, with its clips."""

    role: Literal["user", "assistant"]
    text: str
    clips: tuple[Clip, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldArgument:
    """An argument that would be right: the accepted values as JSON text, and whether it may be left out."""

    parameter: str
    accepted: tuple[str, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldLine:
    """A call that would be right."""

    name: str
    arguments: tuple[GoldArgument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentLine:
    """The verdict on one argument of the answer's call number `call`: what was wanted and given, as JSON.

    `verdict` is one of ok, wrong, missing, unexpected, type, coerced; `message` says more where it can.
    """

    call: int | None
    parameter: str
    verdict: str
    wanted: str | None
    got: str | None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResult:
    """What one agent made of one task under one condition in one trial.

    Attributes:
        agent: The agent's name.
        condition: What it was given.
        trial: Which repetition.
        verdict: "right", "wrong", or "unscored" (the harness's fault or not run).
        heard: What was heard: one text a user turn, or one for all of them; empty where nothing was.
        called: Its native calls, written out; empty where it answered in text.
        text: What it answered in text.
        figures: The figures that apply; None is unscored.
        unscored: Why a figure is None.
        arguments: The verdict on each argument.
        remarks: The other reasons (no such tool, a call missing, unreadable …), one phrase each.
        seconds: Moments of its timeline that happened.
        error: The harness's or the machine's fault, as "kind: message".
        voice: The voice it heard.
        cause: Of an answer to what was heard: what `voicebench.scoring.blame` says of it and of the answer to
            the text; None where one of them is not scored.
        why: The cause in a phrase.
    """

    agent: str
    condition: str
    trial: int
    verdict: Verdict
    heard: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    text: str | None = None
    figures: dict[str, float | None] = field(default_factory=dict)
    unscored: dict[str, str] = field(default_factory=dict)
    arguments: tuple[ArgumentLine, ...] = ()
    remarks: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    error: str | None = None
    voice: str | None = None
    cause: Cause | None = None
    why: str | None = None


class Item(Row):
    """One task with everything that became of it; long texts are cut and say so."""

    id: str
    task: TaskKind
    lang: str
    turns: tuple[ItemTurn, ...] = ()
    tools: tuple[str, ...] = ()
    calls: tuple[GoldLine, ...] = ()
    order: Literal["any", "sequence"] = "any"
    refuse: bool | None = None
    reference_date: str | None = None
    results: tuple[ItemResult, ...] = ()


class Coverage(Row):
    """How much of what was planned is there: answers planned, present without an error, and scored."""

    n_tasks: int
    n_planned: int
    n_answered: int
    n_scored: int


class Summary(Row):
    """Everything a report says about one or several runs.

    Attributes:
        runs: What made them.
        agents: Agents in the order to show them; where several runs answered the same task under the same
            name, each is called "agent @ run".
        conditions: Conditions in the order to show them (text, transcripts, speech, speech with effects).
        kinds: Kinds of task that occur.
        langs: Languages that occur.
        finding: One sentence that says what came out.
        notes: What a reader must know.
        coverage: How much of what was planned is there.
        cells: Every agent x condition x (kind or all) x (language or all).
        gaps: Chains text → transcript → speech, and speech → speech with an effect; all languages first.
        blames: Why answers to what was heard are wrong; all languages first.
        aggregates: The averages of the papers' tables.
        refusal_prompts: Agent to whether it was given leave to refuse; None where that is not known.
        trials: Reliability over several trials; empty where each task was given once.
        judges: Run to who judged its answers, as their scores say.
        latency: Quantiles of each moment.
        errors: Faults of the harness or the machine.
        clip_failures: Clips that could not be made.
        voices: Voices used.
        items: The tasks, one by one.
    """

    runs: tuple[RunInfo, ...]
    agents: tuple[str, ...]
    conditions: tuple[str, ...]
    kinds: tuple[TaskKind, ...]
    langs: tuple[str, ...]
    finding: str
    notes: tuple[str, ...]
    coverage: Coverage
    cells: tuple[Cell, ...]
    gaps: tuple[Gap, ...]
    blames: tuple[Blame, ...]
    aggregates: tuple[Aggregate, ...]
    refusal_prompts: dict[str, bool | None]
    trials: tuple[Trials, ...]
    judges: dict[str, tuple[JudgeRef, ...]]
    latency: tuple[Latency, ...]
    errors: tuple[ErrorCount, ...]
    clip_failures: tuple[ClipFailures, ...]
    voices: tuple[VoiceUse, ...]
    items: tuple[Item, ...]

    def cell(
        self, agent: str, condition: str, task: TaskKind | None = None, lang: str | None = None
    ) -> Cell | None:
        """Return the cell of a group, or None where nothing was planned or run in it."""
        return self._cells.get((agent, condition, task, lang))

    @cached_property
    def _cells(self) -> dict[tuple[str, str, TaskKind | None, str | None], Cell]:
        return {(cell.agent, cell.condition, cell.task, cell.lang): cell for cell in self.cells}
