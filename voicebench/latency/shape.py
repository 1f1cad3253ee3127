"""The shape of latency.json: what a measurement of the clock found, and under which circumstances."""

from pydantic import Field

from voicebench.running.run_info import Machine
from voicebench.types import ModelRef, Row


class Quantile(Row):
    """A quantile in seconds, with its 95 % interval; an end that the values cannot bound is absent."""

    value_s: float
    low_s: float | None = None
    high_s: float | None = None


class Delay(Row):
    """When a moment came, over the answers in which it did.

    Attributes:
        n: In how many answers it happened.
        mean_s: Its mean in seconds.
        p50: The median.
        p90: The 90th percentile.
        p99: The 99th percentile.
    """

    n: int
    mean_s: float
    p50: Quantile
    p90: Quantile
    p99: Quantile


class Part(Row):
    """A part of the time until an answer is done.

    Attributes:
        name: The moment that ends it, or "queued".
        n: In how many answers it occurs.
        mean_s: Its mean over all answers that were done, 0 where it does not occur: so the parts' means add
            up to the mean of `done`.
    """

    name: str
    n: int
    mean_s: float


class AudioLengths(Row):
    """How much sound the requests had, in seconds, over those that had any."""

    n: int
    mean_s: float
    p50_s: float
    p90_s: float
    total_s: float


class Usage(Row):
    """A sum over the answers that were counted."""

    total: float
    n: int


class LatencySummary(Row):
    """What was measured of one agent.

    Attributes:
        agent: Its name.
        model: Its name and revisions as one reference.
        models: The models it is made of.
        variant: What differs from the default instruction, by name; "" for nothing.
        condition: How the requests reached it.
        languages: Of the tasks that were asked.
        created: When, ISO 8601.
        command: The command line that measures it again.
        version: Of voicebench.
        tasks_version: Of the task set.
        prompts_version: Of the instruction texts.
        machine: Where the command ran.
        device: What models on this machine ran on.
        concurrency: How many requests were under way at most.
        rate_per_s: How many became due a second; absent for a closed loop.
        arrivals: How they were spaced, where there was a rate.
        seed: Of the order of the tasks, the gaps and whatever the agent samples.
        load_s: How long making the agent took; in no delay.
        warm_up: How many requests were asked before.
        warm_up_s: How long they took; in no delay.
        planned: How many requests were to be measured.
        asked: How many were; fewer where it was interrupted.
        answered: How many of them have no error.
        errors: How many have one, by kind.
        tasks: How many different tasks were asked.
        span_s: How long measuring took.
        audio: How much sound the requests had; absent where they had none.
        moments: When each moment came, in seconds after the user stopped speaking (text: after the request
            was due); one that never did is absent.
        queued: How long requests waited before they were served; absent where nothing could hold them up.
        served: From the beginning of service until `done`, where there is a queue.
        parts: The parts of the time until `done`, in the order of the moments.
        usage: Tokens and seconds of sound, summed.
        priced: How many answers have a known cost.
        cost_usd: What these cost together; absent where no cost is known.
        notes: What a reader must know.
        interrupted: Whether the user stopped it.
    """

    agent: str
    model: ModelRef
    models: tuple[ModelRef, ...] = ()
    variant: str = ""
    condition: str
    languages: tuple[str, ...] = ()
    created: str
    command: str = ""
    version: str
    tasks_version: str
    prompts_version: str
    machine: Machine
    device: str
    concurrency: int
    rate_per_s: float | None = None
    arrivals: str | None = None
    seed: int = 0
    load_s: float
    warm_up: int
    warm_up_s: float
    planned: int
    asked: int
    answered: int
    errors: dict[str, int] = Field(default_factory=dict)
    tasks: int
    span_s: float
    audio: AudioLengths | None = None
    moments: dict[str, Delay] = Field(default_factory=dict)
    queued: Delay | None = None
    served: Delay | None = None
    parts: tuple[Part, ...] = ()
    usage: dict[str, Usage] = Field(default_factory=dict)
    priced: int = 0
    cost_usd: float | None = None
    notes: tuple[str, ...] = ()
    interrupted: bool = False
