"""`voicebench eval`: agents → responses → scores."""

import shlex
import sys
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import (
    AudioFolder,
    Device,
    Fresh,
    Gpu,
    Kinds,
    Langs,
    Seed,
    TasksFrom,
    split_list,
    task_kinds,
)


def evaluate(
    model: Annotated[
        list[str],
        typer.Option(
            "--model", help="ASR+LLM, ASR+retrieve:LLM, a speech LM's name, or fake, oracle, random."
        ),
    ],
    lang: Langs = None,
    task: Kinds = None,
    condition: Annotated[
        str | None,
        typer.Option(
            "--condition",
            metavar="C[,…]",
            help="text, speech, speech/EFFECT, transcript:ASR.",
            show_default="text,speech; text where there are no clips",
        ),
    ] = None,
    tasks: TasksFrom = None,
    audio: AudioFolder = Path("audio"),
    trials: Annotated[int, typer.Option("--trials", min=1, help="How often each task is given.")] = 1,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many tasks of each kind and language.")
    ] = None,
    one_shot: Annotated[bool, typer.Option("--one-shot/--zero-shot", help="Show a worked example.")] = True,
    refusal_prompt: Annotated[
        bool, typer.Option("--refusal-prompt/--no-refusal-prompt", help="Allow refusing harmful requests.")
    ] = True,
    run: Annotated[
        Path | None, typer.Option("--run", help="The run's folder.", show_default="runs/DATE-MODEL")
    ] = None,
    no_score: Annotated[bool, typer.Option("--no-score", help="Only ask.")] = False,
    gpu: Gpu = None,
    device: Device = None,
    seed: Seed = 0,
    fresh: Fresh = False,
) -> None:
    """Ask agents the tasks, keep the answers, and score them.

    What is answered already is kept; run the same command again to go on.

    Example: voicebench eval --model whisper-base+smollm2 --lang en --condition text,speech
    """
    from voicebench.devices import choose_device, cuda_devices
    from voicebench.running.candidates import candidate
    from voicebench.running.evaluate import Options, score_run
    from voicebench.running.evaluate import evaluate as ask_all
    from voicebench.running.materials import check_condition, read_materials
    from voicebench.running.runs import default_name, opened
    from voicebench.tasks.read import first_of_each, read_tasks
    from voicebench.types import Prompting

    conditions = tuple(split_list(condition) or _default_conditions(audio))
    for name in conditions:
        check_condition(name)
    chosen = choose_device(gpu, device)
    candidates = [candidate(name, device=chosen) for name in model]
    asked = read_tasks(tasks, langs=split_list(lang), kinds=task_kinds(task))
    if limit is not None:
        asked = first_of_each(asked, limit)
    if condition is None and conditions == ("text",):
        console.note(f"no clips in {audio}: only text is asked. For speech run first: voicebench build-audio")
    materials = read_materials(audio) if any(name != "text" for name in conditions) else None
    options = Options(
        conditions=conditions, trials=trials, seed=seed,
        prompting=Prompting(one_shot=one_shot, refusal_prompt=refusal_prompt),
        command=shlex.join(["voicebench", *sys.argv[1:]]),
        gpu=cuda_devices()[int(chosen[5:])] if chosen.startswith("cuda:") else None,
    )  # fmt: skip
    folder = run or Path("runs") / default_name(model, date.today().isoformat())
    with opened(folder, fresh=fresh):
        with console.progress() as progress:
            outcomes = ask_all(folder, candidates, asked, options, materials, progress=progress)
        for name, outcome in zip(model, outcomes, strict=True):
            console.say(f"{name}: {outcome.asked} asked, {outcome.kept} kept, {outcome.errors} with an error")
        if not no_score:
            score_run(folder)
    if no_score:
        console.say_next(f"voicebench score --run {folder}")
        return
    from voicebench.cli.report import write

    write([folder], folder)


def _default_conditions(audio: Path) -> tuple[str, ...]:
    from voicebench.audio.build import MANIFEST

    return ("text", "speech") if (audio / MANIFEST).is_file() else ("text",)
