"""`voicebench eval`: agents → responses → scores."""

import shlex
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.ablate import (
    ablation_cells,
    ablation_subject,
    check_ablation,
    check_ablation_cells,
    say_ablation,
)
from voicebench.cli.live import watching
from voicebench.cli.options import (
    AudioFolder,
    Device,
    Engine,
    Fresh,
    Gpus,
    Kinds,
    Langs,
    Prices,
    Seed,
    TasksFrom,
    TrustRemoteCode,
    on_ray,
    split_list,
    task_kinds,
    tools_way,
)
from voicebench.errors import UserError

if TYPE_CHECKING:
    from voicebench.clusters import Cluster


def evaluate(
    model: Annotated[
        list[str],
        typer.Option(
            "--model",
            help="ASR+LLM, ASR+retrieve:LLM, a speech LM, or fake, oracle, random; @VARIANT behind it.",
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
    limit_seed: Annotated[
        int | None, typer.Option("--limit-seed", help="Draw those of --limit at random, by this seed.")
    ] = None,
    shard: Annotated[
        str | None, typer.Option("--shard", metavar="I/N", help="Only this part of the tasks; then merge.")
    ] = None,
    one_shot: Annotated[bool, typer.Option("--one-shot/--zero-shot", help="Show a worked example.")] = True,
    refusal_prompt: Annotated[
        bool, typer.Option("--refusal-prompt/--no-refusal-prompt", help="Allow refusing harmful requests.")
    ] = True,
    tools: Annotated[
        str, typer.Option("--tools", metavar="prompt|native", help="Tools in the prompt, or the model's own.")
    ] = "prompt",
    rank_tools: Annotated[
        str | None,
        typer.Option("--rank-tools", metavar="RETRIEVER", help="Order the tools of retrieval tasks by it."),
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, help="Requests that wait for a server at a time.")
    ] = 16,
    prices: Prices = None,
    trust_remote_code: TrustRemoteCode = False,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Ask the paper's four ablations and print their tables.")
    ] = False,
    second_asr: Annotated[
        str | None,
        typer.Option("--second-asr", help="For --ablate: an ASR whose transcripts lie beside the clips."),
    ] = None,
    engine: Engine = "local",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            help="Processes of a model on this machine, on each device; of --engine ray in all.",
            show_default="this process; on a cluster one a GPU, else a CPU",
        ),
    ] = None,
    json_log: Annotated[
        Path | None,
        typer.Option("--json-log", metavar="FILE", help="Append JSON lines; - is standard error."),
    ] = None,
    run: Annotated[
        Path | None, typer.Option("--run", help="The run's folder.", show_default="runs/DATE-MODEL")
    ] = None,
    no_score: Annotated[bool, typer.Option("--no-score", help="Only ask.")] = False,
    gpu: Gpus = None,
    device: Device = None,
    seed: Seed = 0,
    fresh: Fresh = False,
) -> None:
    """Ask agents the tasks, keep the answers, and score them.

    What is answered already is kept; run the same command again to go on.

    Example: voicebench eval --model whisper-base+smollm2 --lang en --condition text,speech
    """
    from voicebench.devices import gpu_names
    from voicebench.running.candidates import Candidate, candidate
    from voicebench.running.evaluate import Options, score_if_new
    from voicebench.running.evaluate import evaluate as ask_all
    from voicebench.running.materials import check_condition, read_materials
    from voicebench.running.runs import default_name, opened, read_info
    from voicebench.running.shards import Shard, of_shard, require_same
    from voicebench.tasks.read import first_of_each, read_tasks, stratified
    from voicebench.types import Prompting

    check_ablation(model, second_asr, ablate=ablate)
    conditions = tuple(split_list(condition) or _default_conditions(audio))
    for name in conditions:
        check_condition(name)
    cluster, devices, seats = _where(engine, workers, gpu, device)
    prompting = Prompting(one_shot, refusal_prompt, tools_way(tools), rank_tools)
    part = None if shard is None else Shard.parse(shard)

    def made(name: str) -> Candidate:
        return candidate(
            name, device=devices[0], workers=seats, prompting=prompting, trust_remote_code=trust_remote_code,
            prices=prices,
        )  # fmt: skip

    candidates = [made(name) for name in model]
    asked = read_tasks(tasks, langs=split_list(lang), kinds=task_kinds(task))
    if limit is not None:
        asked = first_of_each(asked, limit) if limit_seed is None else stratified(asked, limit, limit_seed)
    if not asked:
        raise UserError("no task is left to ask. See: voicebench tasks stats")
    if part is not None:
        asked = of_shard(asked, part)
    if condition is None and conditions == ("text",):
        console.note(f"no clips in {audio}: only text is asked. For speech run first: voicebench build-audio")
    heard = any(name != "text" for name in conditions) or second_asr is not None
    materials = read_materials(audio) if heard else None
    options = Options(
        conditions=conditions, trials=trials, seed=seed, prompting=prompting, at_once=concurrency,
        command=shlex.join(["voicebench", *sys.argv[1:]]), gpu=None if cluster else gpu_names(devices),
        shard=None if part is None else str(part), cluster=cluster,
    )  # fmt: skip
    cells = [
        cell for name in model if ablate
        for cell in ablation_cells(name, conditions, prompting, second_asr, made, asked)
    ]  # fmt: skip
    check_ablation_cells(cells, materials, second_asr)
    folder = run or Path("runs") / default_name(model, date.today().isoformat())
    with opened(folder, fresh=fresh):
        info = read_info(folder)
        if info is not None:
            require_same(folder, info.shard, part)
        with watching(json_log) as watch:
            if ablate:
                outcomes = [
                    ask_all(
                        folder, [cell.candidate], cell.tasks, replace(options, conditions=(cell.condition,)),
                        materials, watch=watch,
                    )[0]
                    for cell in cells
                ]  # fmt: skip
                candidates = [cell.candidate for cell in cells]
            else:
                outcomes = ask_all(folder, candidates, asked, options, materials, watch=watch)
        for each, outcome in zip(candidates, outcomes, strict=True):
            went = f"{outcome.asked} asked, {outcome.kept} kept, {outcome.errors} with an error"
            console.say(f"{each.name}: {went}")
        if not asked:
            console.say(f"shard {part} holds none of the tasks: {folder}")
            return
        if not no_score:
            score_if_new(folder)
    if no_score:
        console.say_next(f"voicebench score --run {folder}")
        return
    from voicebench.cli.report import write_if_new

    write_if_new(folder)
    for name in model if ablate else ():
        say_ablation(folder, ablation_subject(name, conditions, prompting, second_asr))


def _where(
    engine: str, workers: int | None, gpu: str | None, device: str | None
) -> "tuple[Cluster | None, tuple[str, ...], tuple[str, ...]]":
    """Return the cluster, if any, the agents' devices, and those of worker processes on this machine."""
    from voicebench.devices import choose_devices

    if on_ray(engine):
        from voicebench.clusters import placed

        cluster, there = placed(workers, gpu, device)
        return cluster, (there,), ()
    devices = choose_devices(gpu, device)
    return None, devices, devices * (workers or 1) if workers or len(devices) > 1 else ()


def _default_conditions(audio: Path) -> tuple[str, ...]:
    from voicebench.audio.build import MANIFEST

    return ("text", "speech") if (audio / MANIFEST).is_file() else ("text",)
