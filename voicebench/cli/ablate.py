"""What `voicebench eval --ablate` prints and writes: the paper's four ablations of an agent."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from voicebench.cli import console
from voicebench.errors import UserError

if TYPE_CHECKING:
    from voicebench.ablation import Subject
    from voicebench.running.candidates import Candidate
    from voicebench.running.materials import Materials
    from voicebench.types import Prompting, Task

MARKDOWN, JSON = "ablation.md", "ablation.json"


@dataclass(frozen=True)
class AblationCell:
    """What one agent is asked under one condition.

    Attributes:
        candidate: The agent, in its variant.
        condition: How the tasks reach it.
        tasks: Those of the kinds that this cell is about.
    """

    candidate: "Candidate"
    condition: str
    tasks: "Sequence[Task]"


def check_ablation(models: Sequence[str], second_asr: str | None, *, ablate: bool) -> None:
    """Refuse options that do not go together.

    Args:
        models: The agents as the user named them.
        second_asr: The ASR of `--second-asr`, or None.
        ablate: Whether `--ablate` was given.

    Raises:
        UserError: A second ASR without `--ablate`, or several agents with it.
    """
    if not ablate:
        if second_asr is not None:
            raise UserError(
                f"--second-asr goes with --ablate. For a run of it: --condition transcript:{second_asr}"
            )
    elif len(models) > 1:
        raise UserError(f"--ablate takes one agent a run, not {len(models)}: its tables are one agent's")


def ablation_subject(
    model: str, conditions: Sequence[str], prompting: "Prompting", second_asr: str | None
) -> "Subject":
    """Return what `--ablate` takes apart.

    Args:
        model: The agent as the user named it, without a variant.
        conditions: Those that can be asked; without a heard one, what its own ASR heard before, or words.
        prompting: The instruction that its variants differ from.
        second_asr: An ASR whose transcripts are read, too; None for none.

    Raises:
        UserError: The name is unknown or has a variant, or the second ASR is the first.
    """
    from voicebench.ablation import Subject
    from voicebench.agents import parse_agent
    from voicebench.presets import expand
    from voicebench.running.materials import heard_by, is_speech
    from voicebench.running.variants import split_variant

    plain, variant = split_variant(model)
    if variant:
        raise UserError(f"--ablate makes variants itself. Name the agent without @{variant}")
    name, preset = expand(plain)
    spec = parse_agent(name)
    asr = spec.records[0].name if spec.kind in ("cascade", "retrieve") else None
    spoken = [one for one in conditions if is_speech(one)]
    read = [one for one in conditions if asr is not None and heard_by(one) == asr]
    condition = next(iter((*spoken, *read)), "text")
    return Subject(spec.name, preset or prompting, asr=asr, second_asr=second_asr, condition=condition)


def ablation_cells(
    model: str,
    conditions: Sequence[str],
    prompting: "Prompting",
    second_asr: str | None,
    made: "Callable[[str], Candidate]",
    tasks: "Sequence[Task]",
) -> Iterator[AblationCell]:
    """Yield what must be asked for the four tables; a cell without a task is left out.

    Args:
        model: The agent as the user named it.
        conditions: Those that can be asked.
        prompting: The instruction that its variants differ from.
        second_asr: An ASR whose transcripts are read, too; None for none.
        made: Gives an agent by its name, with its variant.
        tasks: What can be asked.

    Raises:
        UserError: As `ablation_subject`.
    """
    from voicebench.ablation import plan

    subject = ablation_subject(model, conditions, prompting, second_asr)
    for cell in plan(subject):
        asked = [task for task in tasks if task.task in cell.kinds]
        if asked:
            # A server's agent is named by its model alone; only the user's own name says where it is.
            variant = cell.agent.removeprefix(subject.agent)
            yield AblationCell(made(model + variant), cell.condition, asked)


def check_ablation_cells(
    cells: "Sequence[AblationCell]", materials: "Materials | None", second_asr: str | None
) -> None:
    """Say before anything is asked which clips and transcripts are not there, and what makes them.

    Args:
        cells: What is to be asked.
        materials: Clips and transcripts.
        second_asr: The ASR of `--second-asr`, or None.

    Raises:
        UserError: A cell has none of its clips or transcripts, or the second ASR is not known.
    """
    from voicebench.registry import find
    from voicebench.running.materials import Materials
    from voicebench.running.plan import plan, remedy

    materials = materials or Materials()
    if second_asr is not None and second_asr not in materials.transcripts:
        find("asr", second_asr)
    said = set()
    for cell in cells:
        planned = plan(cell.tasks, (cell.condition,), materials, hears_one_clip=cell.candidate.hears_one_clip)
        missing = [one.missing for one in planned if one.missing is not None]
        if missing and cell.condition not in said:
            said.add(cell.condition)
            console.note(
                f"{cell.condition}: {len(missing)} of {len(planned)} tasks cannot be asked "
                f"({missing[0]}). {remedy(cell.condition)}"
            )


def say_ablation(folder: Path, subject: "Subject", *, as_json: bool = False) -> None:
    """Write the ablation tables of a scored run beside its scores, and print them and where they are.

    Args:
        folder: The run's folder, scored.
        subject: The agent that was taken apart.
        as_json: Print JSON instead.

    Raises:
        UserError: The folder is no scored run, or cannot be written.
    """
    from voicebench import ablation
    from voicebench.files import write_text
    from voicebench.report.collect import read_run

    found = ablation.tables(read_run(folder), subject)
    write_text(folder / JSON, ablation.as_json(found) + "\n")
    write_text(folder / MARKDOWN, ablation.as_markdown(found))
    if as_json:
        console.say(ablation.as_json(found))
        return
    for line in ablation.as_lines(found):
        console.say(line)
    console.say()
    for name in (MARKDOWN, JSON):
        console.say(f"written: {folder / name}")
