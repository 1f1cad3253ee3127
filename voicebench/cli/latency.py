"""`voicebench latency`: the clock alone."""

import shlex
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import (
    AudioFolder,
    Device,
    Fresh,
    Gpu,
    Json,
    Kinds,
    Langs,
    Prices,
    Seed,
    TasksFrom,
    TrustRemoteCode,
    split_list,
    task_kinds,
    tools_way,
)
from voicebench.errors import UserError, did_you_mean

if TYPE_CHECKING:
    from voicebench.latency.arrivals import Spacing
    from voicebench.latency.shape import LatencySummary

_INTERRUPTED = 130


def latency(
    model: Annotated[str, typer.Option("--model", help="One agent, as eval takes it; @VARIANT behind it.")],
    n: Annotated[int, typer.Option("-n", min=1, help="How many requests are measured.")] = 100,
    lang: Langs = None,
    task: Kinds = None,
    condition: Annotated[
        str, typer.Option("--condition", metavar="C", help="text, speech, speech/EFFECT, transcript:ASR.")
    ] = "speech",
    tasks: TasksFrom = None,
    audio: AudioFolder = Path("audio"),
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, help="Requests that wait for a server at a time.")
    ] = 1,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate",
            metavar="R",
            help="Requests become due, R a second, and queue for a free slot.",
            show_default="the next one when a slot is free",
        ),
    ] = None,
    arrivals: Annotated[
        str, typer.Option("--arrivals", metavar="poisson|even", help="With --rate: how they are spaced.")
    ] = "poisson",
    warm_up: Annotated[
        int, typer.Option("--warm-up", min=0, help="Requests before, which do not count.")
    ] = 3,
    tools: Annotated[
        str, typer.Option("--tools", metavar="prompt|native", help="Tools in the prompt, or the model's own.")
    ] = "prompt",
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for the results.", show_default="runs/latency-DATE-MODEL"),
    ] = None,
    prices: Prices = None,
    trust_remote_code: TrustRemoteCode = False,
    gpu: Gpu = None,
    device: Device = None,
    seed: Seed = 0,
    fresh: Fresh = False,
    as_json: Json = False,
) -> None:
    """Measure how long an agent keeps the user waiting.

    Loading and warming up do not count. Each moment is given by its quantiles with their intervals, and the
    time until an answer is done by its parts, which add up to it. What is measured is kept if you interrupt.

    Example: voicebench latency --model whisper-base+smollm2 -n 100 --lang en
    """
    from voicebench.devices import choose_device, gpu_name
    from voicebench.latency.run import Options, measure_agent
    from voicebench.running.candidates import candidate
    from voicebench.running.materials import check_condition, read_materials
    from voicebench.tasks.read import read_tasks
    from voicebench.types import Prompting

    check_condition(condition)
    if rate is not None and rate <= 0:
        raise UserError(f"--rate {rate:g}: a rate is above 0. Example: --rate 2")
    chosen = choose_device(gpu, device)
    prompting = Prompting(tools=tools_way(tools))
    agent = candidate(
        model, device=chosen, prompting=prompting, trust_remote_code=trust_remote_code, prices=prices
    )
    asked = read_tasks(tasks, langs=split_list(lang), kinds=task_kinds(task))
    materials = read_materials(audio) if condition != "text" else None
    options = Options(
        n=n, condition=condition, concurrency=concurrency, rate_per_s=rate, spacing=_spacing(arrivals),
        warm_up=warm_up, prompting=prompting, seed=seed, device=chosen,
        gpu=gpu_name(chosen),
        command=shlex.join(["voicebench", *sys.argv[1:]]),
    )  # fmt: skip
    folder = _folder(out, model, fresh=fresh)
    with console.progress() as progress:
        summary = measure_agent(folder, agent, asked, options, materials, progress=progress)
    if as_json:
        console.say(summary.model_dump_json(indent=2, exclude_defaults=True))
    else:
        _show(summary, folder)
    if summary.interrupted:
        raise typer.Exit(_INTERRUPTED)
    if not summary.answered:
        console.note(f"voicebench: none of {summary.asked} requests was answered. See: {folder}")
        raise typer.Exit(1)


def _show(summary: "LatencySummary", folder: Path) -> None:
    from voicebench.costs import Counted, Spend
    from voicebench.latency import words

    for line in words.headlines(summary):
        console.say(line)
    console.say()
    console.say_table(words.MOMENT_HEADERS, words.moment_rows(summary))
    console.say()
    console.say_table(words.PART_HEADERS, words.part_rows(summary))
    console.say()
    if summary.usage:
        usage = {key: Counted(each.total, each.n) for key, each in summary.usage.items()}
        spent = Spend(summary.asked, summary.priced, summary.cost_usd, usage)
        console.say(f"used: {spent.describe_usage()}; {spent.describe()}")
    for note in summary.notes:
        console.say(f"Note: {note}")
    console.say(f"Seconds after the user stopped speaking. Rows and summary: {folder}")


def _folder(out: Path | None, model: str, *, fresh: bool) -> Path:
    """Return where the results go: a folder without any, or the one that is to be replaced."""
    from voicebench.latency.run import ROWS
    from voicebench.running.runs import default_name

    folder = out or Path("runs") / f"latency-{default_name([model], date.today().isoformat())}"
    rows = folder / ROWS
    if rows.is_file() and rows.stat().st_size and not fresh:
        raise UserError(
            f"{folder}: holds a measurement. Name another folder with --out, or replace it with --fresh"
        )
    return folder


def _spacing(name: str) -> "Spacing":
    if name == "poisson":
        return "poisson"
    if name == "even":
        return "even"
    raise UserError(f"--arrivals {name!r} is unknown.{did_you_mean(name, ('poisson', 'even'))}")
