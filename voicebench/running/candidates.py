"""Agents by name, ready to be evaluated: checked now, loaded only when one of their answers is missing."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from voicebench.agents import make_agent, needs, parse_agent
from voicebench.presets import expand
from voicebench.protocols import Agent
from voicebench.registry import find, require, trusted
from voicebench.running.plan import Planned
from voicebench.running.variants import split_variant, varied
from voicebench.running.workers import Seat
from voicebench.types import ModelRef, Prompting

DEFAULT_PROMPTING = Prompting()


@dataclass(frozen=True)
class Candidate:
    """An agent to evaluate, known without loading it.

    Attributes:
        name: Its name in the results, with its variant where one was named.
        model: Its name and revisions as one reference; part of what makes a kept answer valid.
        parts: The models it is made of, for the record.
        make: Makes the agent.
        sees_gold: Whether it is a control that is shown the right answer.
        prompting: How it is instructed; None as the run says.
        hears_one_clip: Whether earlier user turns are given to it in words.
        seats: The processes that it is asked in; none for this one.
    """

    name: str
    model: ModelRef
    parts: tuple[ModelRef, ...]
    make: Callable[[], Agent]
    sees_gold: bool = False
    prompting: Prompting | None = None
    hears_one_clip: bool = False
    seats: tuple[Seat, ...] = ()

    def notes(self, asked: Iterable[Planned]) -> Iterator[str]:
        """Yield what a reader must know of how it was asked: that turns were read to it which others hear."""
        if self.hears_one_clip and any(len(item.task.user_turns) > 1 and any(item.clips) for item in asked):
            yield f"{self.name} hears one clip a conversation: earlier user turns are in words."


def candidate(
    name: str,
    *,
    device: str = "cpu",
    workers: Sequence[str] = (),
    offline_first: bool = False,
    prompting: Prompting | None = None,
    trust_remote_code: bool = False,
    prices: Path | None = None,
) -> Candidate:
    """Return an agent by its name.

    Args:
        name: `ASR+LLM`, `ASR+retrieve:LLM`, the name of an agent or a preset (`paper:kimi-audio`); with
            `@VARIANT` behind it, instructed that way.
        device: "cpu" or "cuda:N"; parts that know no CUDA device stay on the CPU.
        workers: The devices of processes that it is asked in, one an entry; none for this process. An agent
            that waits for a server is asked in this one.
        offline_first: Take the offline packages' weights before the hub's.
        prompting: How it is instructed where neither a preset nor a variant says otherwise; None as the run
            says.
        trust_remote_code: Whether code of a model's pinned repository may run.
        prices: A table of what servers ask; None is the shipped one.

    Raises:
        MissingExtraError: A package of its is not installed; the message is the install line.
        UserError: The name is unknown, or code of its repository may not run.
    """
    plain, variant = split_variant(name)
    plain, preset = expand(plain)
    spec = parse_agent(plain)
    for record in needs(spec):
        require(record)
    allowed = tuple(trusted(record, allowed=trust_remote_code) for record in spec.records)
    spec = replace(spec, records=allowed)
    told = preset or prompting
    if variant:
        told = varied(told or DEFAULT_PROMPTING, variant)
    retriever = told.retriever if told else None
    if retriever is not None:
        require(find("embedder", retriever))

    made = partial(make_agent, spec, offline_first=offline_first, retriever=retriever, prices=prices)
    seats = () if spec.waits_for_server else _seats(made, workers)
    shown = f"{spec.name}@{variant}" if variant else spec.name
    model = spec.model.model_copy(update={"name": shown})
    make = partial(made, device=device)
    return Candidate(shown, model, spec.parts, make, spec.sees_gold, told, spec.hears_one_clip, seats)


def _seats(make: Callable[..., Agent], devices: Sequence[str]) -> tuple[Seat, ...]:
    """Return the seats of workers on devices; those on the CPU share its cores."""
    on_cpu = devices.count("cpu")
    threads = max(1, (os.cpu_count() or 1) // on_cpu) if on_cpu > 1 else None
    return tuple(
        Seat(device, partial(make, device=device, threads=threads if device == "cpu" else None))
        for device in devices
    )
