"""What made a run, as pairs to read: versions, models and revisions, seeds, machine."""

from collections.abc import Sequence

from voicebench.report.labels import count
from voicebench.running.run_info import Machine, RunInfo
from voicebench.types import JudgeRef, ModelRef, Prompting


def facts(run: RunInfo, judges: Sequence[JudgeRef] = ()) -> list[tuple[str, str]]:
    """Return what made a run as (what, said) pairs; what is unknown is left out.

    Args:
        run: The run.
        judges: Who judged, as its scores say, with the hashes of the prompts.
    """
    pairs = [
        ("Started", run.created),
        ("voicebench", run.version),
        ("Task set", run.tasks_version),
        ("Prompts", run.prompts_version),
        ("Scoring rules", run.scoring_version),
        *((f"Agent {agent.name}", _refs(agent.models) or "no models") for agent in run.agents),
        ("Speech from", _refs(run.synthesizers)),
        ("Voices changed by", _refs(run.converters)),
        ("Voices chosen by", "; ".join(filter(None, (_refs(run.encoders), run.encoder_reason)))),
        ("Judge", "; ".join(map(_judge, judges)) or (_refs((run.judge,)) if run.judge else "")),
        ("Instruction", _prompting(run.prompting) if run.prompting else ""),
        ("Seeds", ", ".join(f"{what} {seed}" for what, seed in run.seeds.items())),
        ("Conditions", ", ".join(run.conditions)),
        ("Languages", ", ".join(run.languages)),
        ("Trials", str(run.trials)),
        ("Machine", _machine(run.machine) if run.machine else ""),
    ]
    return [(what, said) for what, said in pairs if said]


def _refs(models: Sequence[ModelRef]) -> str:
    return ", ".join(f"{model.name} ({model.revision or 'no revision'})" for model in models)


def _judge(judge: JudgeRef) -> str:
    prompts = ", ".join(f"{figure} by prompt {sha[:12]}" for figure, sha in sorted(judge.prompts.items()))
    return f"{_refs((judge,))}{': ' if prompts else ''}{prompts}"


def _prompting(prompting: Prompting) -> str:
    example = "a worked example" if prompting.one_shot else "no example"
    leave = "leave to refuse harmful requests" if prompting.refusal_prompt else "nothing said of refusing"
    return f"{example}, {leave}"


def _machine(machine: Machine) -> str:
    cpus = count(machine.cpus, "CPU") if machine.cpus else ""
    return ", ".join(
        part for part in (machine.platform, cpus, machine.gpu, f"Python {machine.python}") if part
    )
