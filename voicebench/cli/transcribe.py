"""`voicebench transcribe`: clips → transcripts.jsonl."""

from pathlib import Path
from typing import Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import AudioFolder, Device, Gpu, Langs, split_list
from voicebench.errors import UserError


def transcribe(
    asr: Annotated[str, typer.Option("--asr", help="Which transcriber: voicebench models list --kind asr.")],
    audio: AudioFolder = Path("audio"),
    lang: Langs = None,
    gpu: Gpu = None,
    device: Device = None,
) -> None:
    """Write down what an ASR hears in the clips.

    What it heard becomes a condition of eval: transcript:ASR.

    Example: voicebench transcribe --asr whisper-tiny.en --lang en
    """
    from voicebench.devices import choose_device
    from voicebench.registry import find, load_on
    from voicebench.running.materials import TRANSCRIPTS
    from voicebench.running.transcribe import transcribe as hear
    from voicebench.types import ModelRef

    record = find("asr", asr)
    chosen = choose_device(gpu, device)
    langs = split_list(lang)
    unheard = [code for code in langs or () if record.languages and code not in record.languages]
    if unheard:
        raise UserError(f"{asr} hears {', '.join(record.languages)}, not {', '.join(unheard)}")
    with console.progress() as progress:
        now, before = hear(
            audio, asr=ModelRef(name=asr, revision=record.revision), langs=langs or record.languages or None,
            make=lambda: load_on(record, chosen), progress=progress,
        )  # fmt: skip
    console.say(f"{now} clips heard, {before} kept: {audio / TRANSCRIPTS}")
    console.say_next(f"voicebench eval --model … --condition transcript:{asr} --audio {audio}")
