"""`voicebench build-audio`: tasks → clips + manifest."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Device, Fresh, Gpu, Kinds, Langs, Seed, TasksFrom, split_list, task_kinds
from voicebench.registry import find, load_on

NONE = "none"


def build_audio(
    lang: Langs = None,
    task: Kinds = None,
    tasks: TasksFrom = None,
    synthesizer: Annotated[
        str, typer.Option("--synthesizer", help="Who speaks: voicebench models list --kind tts.")
    ] = "kokoro",
    converter: Annotated[
        str, typer.Option("--converter", help=f"What moves speech to the chosen voice, or {NONE}.")
    ] = "world",
    encoder: Annotated[
        str, typer.Option("--encoder", help=f"What tells speakers apart, or {NONE}: then the first voices.")
    ] = "d-vector",
    voices: Annotated[int, typer.Option("--voices", min=1, help="How many voices a language.")] = 6,
    effect: Annotated[
        str | None,
        typer.Option("--effect", metavar="E[,…]", help="Also with these: noise-10dB, telephony, …"),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many tasks of each kind and language.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for the clips and the manifest.")] = Path(
        "audio"
    ),
    gpu: Gpu = None,
    device: Device = None,
    seed: Seed = 0,
    fresh: Fresh = False,
) -> None:
    """Speak the tasks: make clips and a manifest.

    What is built already is kept; run the same command again to go on.

    Example: voicebench build-audio --lang hi --gpu 0
    """
    from voicebench.audio.build import build
    from voicebench.audio.effects import parse
    from voicebench.devices import choose_device
    from voicebench.tasks.read import first_of_each, read_tasks

    chosen = choose_device(gpu, device)
    effects = split_list(effect) or []
    for name in effects:
        parse(name)
    speaks = find("tts", synthesizer)
    moves = None if converter == NONE else find("converter", converter)
    tells_apart = None if encoder == NONE else find("encoder", encoder)
    asked = read_tasks(tasks, langs=split_list(lang), kinds=task_kinds(task))
    if limit is not None:
        asked = first_of_each(asked, limit)
    with console.progress() as progress:
        built = build(
            asked, out=out, synthesizer=load_on(speaks, chosen),
            converter=load_on(moves, chosen) if moves else None,
            encoder=load_on(tells_apart, chosen) if tells_apart else None,
            effects=effects, seed=seed, voices_per_language=voices, fresh=fresh,
            progress=progress,
        )  # fmt: skip
    console.say(f"{built.made} clips made ({built.audio_s:.0f} s of sound), {built.kept} kept: {out}")
    for code, choice in built.voices.items():
        console.say(f"{code} voices: {', '.join(reference.voice.id for reference in choice.chosen)}")
    if built.failed:
        console.say(f"{built.failed} clips could not be made: {out / 'failures.jsonl'}")
    if built.made + built.kept == 0:
        raise typer.Exit(1)
    condition = ",".join(["text", "speech", *(f"speech/{name}" for name in effects)])
    console.say_next(f"voicebench eval --model whisper-base+smollm2 --condition {condition} --audio {out}")
