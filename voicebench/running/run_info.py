"""What made a run: the facts that a reader needs to believe a figure and to get it again."""

import os
import platform
from typing import Self

from pydantic import Field

from voicebench.types import ModelRef, Prompting, Row, TaskKind


class AgentInfo(Row):
    """An agent by its name in the results, with the models it is made of."""

    name: str
    models: tuple[ModelRef, ...] = ()


class Machine(Row):
    """The machine that a run ran on."""

    python: str
    platform: str
    cpus: int | None = None
    gpu: str | None = None

    @classmethod
    def here(cls, gpu: str | None = None) -> Self:
        """Return this machine; `gpu` is its name where one was used."""
        return cls(
            python=platform.python_version(), platform=platform.platform(), cpus=os.cpu_count(), gpu=gpu
        )


class PlannedCount(Row):
    """How many answers (tasks x trials) were planned for one cell."""

    agent: str
    task: TaskKind
    lang: str
    condition: str
    n: int


class RunInfo(Row):
    """A run's name, when and how it was made, and with what.

    Attributes:
        name: The run's name (its folder under runs/).
        created: When it was started, ISO 8601.
        command: The command line that makes it again.
        version: Version of voicebench.
        tasks_version: Version of the task set.
        prompts_version: Version of the instruction texts.
        scoring_version: Version of the scoring rules.
        agents: Agents in the order to show them, with their models.
        synthesizers: What spoke.
        converters: What changed the voices.
        encoders: What chose the voices.
        encoder_reason: Why this one, where nobody named one.
        judge: The model that judged, if one did.
        seeds: Seeds by what they fix.
        conditions: Conditions in the order they ran.
        languages: Language codes in the order to show them.
        trials: How often each task was given to each agent under each condition.
        prompting: How the agents were instructed; None where it is not known.
        audio: The audio folder, relative to the run's; None where nothing was heard.
        notes: What a reader must know, one sentence each ("npm is missing: 5 voices instead of 54").
        machine: Where it ran.
        planned: Answers planned for each cell; what is not there counts as unscored ("not run").
    """

    name: str
    created: str
    command: str
    version: str
    tasks_version: str
    prompts_version: str
    scoring_version: str
    agents: tuple[AgentInfo, ...] = ()
    synthesizers: tuple[ModelRef, ...] = ()
    converters: tuple[ModelRef, ...] = ()
    encoders: tuple[ModelRef, ...] = ()
    encoder_reason: str | None = None
    judge: ModelRef | None = None
    seeds: dict[str, int] = Field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    trials: int = 1
    prompting: Prompting | None = None
    audio: str | None = None
    notes: tuple[str, ...] = ()
    machine: Machine | None = None
    planned: tuple[PlannedCount, ...] = ()
