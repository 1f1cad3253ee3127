"""Measure one agent: choose the requests, make it, warm it up, ask, and write down what was found."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from voicebench import PROMPTS_VERSION, TASKS_VERSION, __version__
from voicebench.errors import UserError
from voicebench.files import sha256_json, write_rows, write_text
from voicebench.latency import summarize
from voicebench.latency.arrivals import Spacing, arrivals
from voicebench.latency.measure import Clock, Measured, measure
from voicebench.latency.shape import LatencySummary
from voicebench.models import Progress, no_progress
from voicebench.running.askers import is_server
from voicebench.running.candidates import DEFAULT_PROMPTING, Candidate
from voicebench.running.engine import signed
from voicebench.running.materials import Materials
from voicebench.running.plan import Planned, plan
from voicebench.running.run_info import Machine
from voicebench.running.writer import Writer
from voicebench.types import Prompting, Request, Response, Task

ROWS, SUMMARY = "latency.jsonl", "latency.json"


@dataclass(frozen=True)
class Options:
    """How an agent is measured.

    Attributes:
        n: How many requests are measured.
        condition: How they reach the agent.
        concurrency: How many are under way at most, where the agent waits for a server.
        rate_per_s: How many become due a second; None for a closed loop.
        spacing: How they are spaced, where there is a rate.
        warm_up: How many requests are asked before.
        prompting: How the agent is instructed where its name does not say otherwise.
        seed: Of the order of the tasks, the gaps and whatever the agent samples.
        device: What models on this machine run on: "cpu" or "cuda:N".
        gpu: Name of the GPU in use, or None.
        command: The command line that measures this again, for the record.
    """

    n: int = 100
    condition: str = "speech"
    concurrency: int = 1
    rate_per_s: float | None = None
    spacing: Spacing = "poisson"
    warm_up: int = 3
    prompting: Prompting = DEFAULT_PROMPTING
    seed: int = 0
    device: str = "cpu"
    gpu: str | None = None
    command: str = ""


@dataclass(frozen=True)
class Circumstances:
    """What shows only once an agent is made.

    Attributes:
        concurrency: How many requests are under way at most.
        load_s: How long making it took.
        notes: What a reader must know.
    """

    concurrency: int
    load_s: float
    notes: tuple[str, ...]


def measure_agent(
    folder: Path,
    candidate: Candidate,
    tasks: Sequence[Task],
    options: Options,
    materials: Materials | None = None,
    *,
    clock: Clock | None = None,
    progress: Progress = no_progress,
) -> LatencySummary:
    """Measure one agent and write latency.jsonl and latency.json.

    Where the user interrupts it, both hold what was measured until then.

    Args:
        folder: Where the files go; what an earlier measurement left there is replaced.
        candidate: The agent.
        tasks: What it can be asked.
        options: How it is measured.
        materials: Clips and transcripts; None where only words are given.
        clock: The time; None is the machine's.
        progress: Told of each answer.

    Raises:
        UserError: No task can be asked, the agent refuses to be made, or the folder cannot be written.
        AgentFailure: All of the warm-up failed.
    """
    clock = clock or Clock()
    materials = materials or Materials()
    heated, asked, left_out = choose(candidate, tasks, options, materials)
    requests = _requests([*heated, *asked], candidate, materials)
    write_rows(folder / ROWS, ())
    (folder / SUMMARY).unlink(missing_ok=True)
    begun_s = clock.now_s()
    agent = candidate.make()
    load_s = clock.now_s() - begun_s
    concurrency = options.concurrency if is_server(agent) else 1
    what, count = f"measuring {candidate.name}", 0

    def kept(row: Response) -> None:
        nonlocal count
        count += 1
        progress(what, count, len(asked))

    progress(what, 0, len(asked))
    with Writer(folder / ROWS, kept) as writer:
        measured = measure(
            agent, requests[len(heated) :], warm_up=requests[: len(heated)], concurrency=concurrency,
            due_s=_due_s(options), clock=clock,
            keep=lambda place, row: writer.put(signed(row, asked[place], candidate.model)),
        )  # fmt: skip
    happened = [*heated, *(asked[place] for place in measured.responses)]
    notes = tuple(_notes(options, candidate, concurrency, happened, left_out))
    circumstances = Circumstances(concurrency, load_s, notes)
    summary = _summary(candidate, options, circumstances, measured, requests[len(heated) :], asked)
    write_text(folder / SUMMARY, summary.model_dump_json(indent=2, exclude_defaults=True) + "\n")
    return summary


def choose(
    candidate: Candidate, tasks: Sequence[Task], options: Options, materials: Materials
) -> tuple[list[Planned], list[Planned], int]:
    """Return what is asked to warm up, what is measured, and how many tasks have no clip or transcript.

    Tasks come in an order that their ids and the seed give, so that a few of them are a mixture of languages
    and kinds. Warming up takes the first ones; where there are fewer tasks than requests they start again.

    Raises:
        UserError: There is no task, or none that can be asked under the condition.
    """
    if not tasks:
        raise UserError("no task is left to ask. See: voicebench tasks stats")
    prompting = candidate.prompting or options.prompting

    def planned(trials: int) -> list[Planned]:
        return plan(
            mixed, [options.condition], materials, trials=trials, seed=options.seed, prompting=prompting,
            hears_one_clip=candidate.hears_one_clip,
        )  # fmt: skip

    mixed = sorted(tasks, key=lambda task: sha256_json([options.seed, task.id]))
    possible = sum(item.missing is None for item in planned(1))
    wanted = options.warm_up + options.n
    items = [item for item in planned(-(-wanted // possible)) if item.missing is None][:wanted]
    return items[: options.warm_up], items[options.warm_up :], len(tasks) - possible


def _requests(items: Sequence[Planned], candidate: Candidate, materials: Materials) -> list[Request]:
    """Return the requests, with each task's clips read once, before the clock runs."""
    read: dict[str, Request] = {}
    for item in items:
        if item.task.id not in read:
            read[item.task.id] = item.request(candidate.name, materials, with_gold=candidate.sees_gold)
    return [replace(read[item.task.id], trial=item.trial, seed=item.seed) for item in items]


def _due_s(options: Options) -> tuple[float, ...] | None:
    if options.rate_per_s is None:
        return None
    return arrivals(options.n, options.rate_per_s, spacing=options.spacing, seed=options.seed)


def _summary(
    candidate: Candidate,
    options: Options,
    circumstances: Circumstances,
    measured: Measured,
    requests: Sequence[Request],
    asked: Sequence[Planned],
) -> LatencySummary:
    rows: Mapping[int, Response] = measured.responses
    answers = list(rows.values())
    sums, priced, cost_usd = summarize.usage(answers)
    prompting = candidate.prompting or options.prompting
    return LatencySummary(
        agent=candidate.name,
        model=candidate.model,
        models=candidate.parts,
        variant=prompting.variant,
        condition=options.condition,
        languages=tuple(sorted({asked[place].task.lang for place in rows})),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        command=options.command,
        version=__version__,
        tasks_version=TASKS_VERSION,
        prompts_version=PROMPTS_VERSION,
        machine=Machine.here(options.gpu),
        device=options.device,
        concurrency=circumstances.concurrency,
        rate_per_s=options.rate_per_s,
        arrivals=None if options.rate_per_s is None else options.spacing,
        seed=options.seed,
        load_s=circumstances.load_s,
        warm_up=options.warm_up,
        warm_up_s=measured.warm_up_s,
        planned=len(asked),
        asked=len(answers),
        answered=sum(answer.error is None for answer in answers),
        errors=summarize.errors(answers),
        tasks=len({asked[place].task.id for place in rows}),
        span_s=measured.span_s,
        audio=summarize.audio_lengths(requests[place] for place in rows),
        moments=summarize.delays(answers),
        queued=summarize.queue(answers),
        served=summarize.service(answers),
        parts=summarize.mean_parts(answers),
        usage=sums,
        priced=priced,
        cost_usd=cost_usd,
        notes=circumstances.notes,
        interrupted=measured.interrupted,
    )


def _notes(
    options: Options, candidate: Candidate, concurrency: int, items: Sequence[Planned], left_out: int
) -> Iterator[str]:
    times = Counter(item.task.id for item in items)
    most = max(times.values(), default=0)
    if most > 1:
        yield (
            f"{len(times)} tasks for {len(items)} requests: each was asked up to {most} times. "
            "A server may keep what it has read before, and answer a repeated request sooner."
        )
    if left_out:
        yield f"{left_out} tasks have no clip or transcript for {options.condition} and were not asked."
    if concurrency < options.concurrency:
        yield f"{candidate.name} answers on this machine: one request at a time, not {options.concurrency}."
    yield from candidate.notes(items)
