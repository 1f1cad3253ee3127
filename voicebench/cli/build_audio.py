"""`voicebench build-audio`: tasks → clips + manifest."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import (
    Device,
    Engine,
    Fresh,
    Gpus,
    Kinds,
    Langs,
    Seed,
    TasksFrom,
    TrustRemoteCode,
    on_ray,
    split_list,
    task_kinds,
)
from voicebench.errors import UserError, did_you_mean
from voicebench.registry import Record, find, require, require_language, trusted

if TYPE_CHECKING:
    from voicebench.audio.build import BuildReport
    from voicebench.audio.checks import Limits
    from voicebench.audio.studio import Maker
    from voicebench.audio.wishes import VoiceWish
    from voicebench.audio.workers import Recipe
    from voicebench.clusters import Cluster
    from voicebench.types import Task

NONE = "none"
EXPORTS = ("parquet",)


def build_audio(
    lang: Langs = None,
    task: Kinds = None,
    tasks: TasksFrom = None,
    synthesizer: Annotated[
        list[str] | None,
        typer.Option(
            "--synthesizer",
            help="Who speaks: voicebench models list --kind tts. Given again: for what the first does not.",
            show_default="kokoro",
        ),
    ] = None,
    converter: Annotated[
        str, typer.Option("--converter", help=f"What moves speech to the chosen voice, or {NONE}.")
    ] = "world",
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            help=f"What tells speakers apart, or {NONE}: then the first voices.",
            show_default="ecapa where it is at hand, else d-vector",
        ),
    ] = None,
    voices: Annotated[
        str | None,
        typer.Option(
            "--voices",
            metavar="N|DIR[:N]",
            help="How many voices a language, or a voices folder.",
            show_default="6, or what there is",
        ),
    ] = None,
    effect: Annotated[
        list[str] | None,
        typer.Option(
            "--effect",
            metavar="E[,…]",
            help="Also heard so: noise:snr=10, phone, room, … Given again: these one after the other.",
        ),
    ] = None,
    ladder: Annotated[
        list[str] | None,
        typer.Option("--ladder", metavar="E=V,…", help="Also with each of these values: noise=20,10,5,0."),
    ] = None,
    round_trip: Annotated[
        str | None,
        typer.Option("--round-trip", metavar="ASR", help="Let this ASR hear every clip, and compare."),
    ] = None,
    max_cer: Annotated[
        str | None,
        typer.Option(
            "--max-cer",
            metavar="X|xx=X[,…]",
            help="Character error rate that the round trip lets pass.",
            show_default="0.5, en=0.3",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many tasks of each kind and language.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for the clips and the manifest.")] = Path(
        "audio"
    ),
    export: Annotated[
        str | None,
        typer.Option("--export", metavar="parquet", help="Also as a Hugging Face audio data set."),
    ] = None,
    gpu: Gpus = None,
    device: Device = None,
    engine: Engine = "local",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            help="Processes a device; of --engine ray in all.",
            show_default="1; with ray one a GPU of the cluster, else a CPU",
        ),
    ] = None,
    seed: Seed = 0,
    trust_remote_code: TrustRemoteCode = False,
    fresh: Fresh = False,
) -> None:
    """Speak the tasks: make clips and a manifest.

    What is built already is kept; run the same command again to go on. Every clip is checked: what cannot be
    made or is broken twice is listed in failures.jsonl, what is doubtful in flagged.jsonl.

    Example: voicebench build-audio --lang hi --gpu 0
    """
    from voicebench.audio.build import FAILURES, FLAGGED, build
    from voicebench.audio.effects import conditions
    from voicebench.audio.workers import Recipe
    from voicebench.tasks.read import first_of_each, read_tasks

    place = _place(engine, workers, gpu, device)
    effects = conditions(effect or [], ladder or [])
    limits = _limits(max_cer)
    if export is not None and export not in EXPORTS:
        raise UserError(f"--export {export!r} is unknown.{did_you_mean(export, EXPORTS)}")
    if export is not None:
        from voicebench.audio.dataset_columns import arrow

        arrow()  # its packages are missed now, not after an hour
    named = [find("tts", name) for name in synthesizer or ["kokoro"]]
    speakers = [trusted(record, allowed=trust_remote_code or record.missing is not None) for record in named]
    moves = None if converter == NONE else find("converter", converter)
    hears = None if round_trip is None else find("asr", round_trip)
    asked = read_tasks(tasks, langs=split_list(lang), kinds=task_kinds(task))
    if limit is not None:
        asked = first_of_each(asked, limit)
    shares = _shares(asked, speakers)
    for code in sorted({one.lang for one in asked}) if hears else ():
        require_language(hears, code)  # type: ignore[arg-type]
    tells_apart, reason = _encoder(encoder)
    for record in (*(speaker for speaker, _ in shares), moves, tells_apart, hears):
        if record is not None and isinstance(place, tuple):
            require(record)
    wish = _wish(voices, reason)
    reports = []
    for speaker, share in shares:
        with (
            console.progress() as progress,
            _maker(Recipe(speaker, moves, tells_apart, hears), place) as maker,
        ):
            reports.append(
                build(
                    share, maker, out=out, voices=wish, effects=effects, limits=limits, seed=seed,
                    fresh=fresh, progress=progress,
                )
            )  # fmt: skip
    _tell(reports, out, out / FAILURES, out / FLAGGED)
    if not any(report.made + report.kept for report in reports):
        raise typer.Exit(1)
    if export is not None:
        from voicebench.audio.export import export as export_to

        with console.progress() as progress:
            exported = export_to(out, tasks=read_tasks(tasks), progress=progress)
        console.say(exported.summary)
    condition = ",".join(["text", "speech", *(f"speech/{name}" for name in effects)])
    console.say_next(f"voicebench eval --model whisper-base+smollm2 --condition {condition} --audio {out}")


def _shares(tasks: "Sequence[Task]", speakers: Sequence[Record]) -> "list[tuple[Record, list[Task]]]":
    """Give each language to the first synthesizer that speaks it.

    Raises:
        UserError: None of them does; the message names those that do.
    """
    shares: dict[int, list[Task]] = {}
    for lang in dict.fromkeys(task.lang for task in tasks):
        able = [n for n, record in enumerate(speakers) if not record.languages or lang in record.languages]
        if not able:
            require_language(speakers[0], lang)
        shares.setdefault(able[0], []).extend(task for task in tasks if task.lang == lang)
    return [(speakers[index], share) for index, share in sorted(shares.items())]


def _encoder(name: str | None) -> tuple[Record | None, str | None]:
    """Return the encoder's record, and why it is taken where nobody named it; then say so."""
    from voicebench.audio.encoders import default_encoder

    if name is not None:
        return None if name == NONE else find("encoder", name), None
    record, reason = default_encoder()
    console.note(f"encoder: {record.name} ({reason})")
    return record, reason


def _wish(voices: str | None, reason: str | None) -> "VoiceWish":
    from voicebench.audio.wishes import VoiceWish

    if voices is None:
        return VoiceWish(reason=reason)
    if voices.isdecimal():
        return VoiceWish(n=int(voices), reason=reason)
    folder, colon, number = voices.rpartition(":")
    if colon and number.isdecimal() and not Path(voices).exists():
        return VoiceWish(n=int(number), folder=Path(folder), reason=reason)
    return VoiceWish(folder=Path(voices), reason=reason)


def _limits(text: str | None) -> "Limits":
    """Read `--max-cer`: 0.3, or hi=0.5,en=0.2, or both with a comma between.

    Raises:
        UserError: A rate is no number from 0 up.
    """
    from voicebench.audio.checks import Limits

    usual = Limits()
    by_lang: dict[str, float] = {}
    elsewhere: float | None = None
    for entry in split_list(text) or ():
        code, sign, value = entry.rpartition("=")
        try:
            rate = float(value)
        except ValueError:
            rate = -1.0
        if not 0 <= rate < float("inf") or bool(sign) != bool(code):
            raise UserError(f"--max-cer {entry!r} is no rate. Write 0.3, or hi=0.5,en=0.2")
        if code:
            by_lang[code] = rate
        else:
            elsewhere = rate
    if elsewhere is None:
        return Limits({**usual.max_cer, **by_lang}, usual.max_cer_elsewhere)
    return Limits(by_lang, elsewhere)


def _place(
    engine: str, workers: int | None, gpu: str | None, device: str | None
) -> "Cluster | tuple[str, ...]":
    """Return the cluster to build on, or the devices of this machine, one entry a process."""
    if on_ray(engine):
        from voicebench.clusters import placed

        return placed(workers, gpu, device)[0]
    from voicebench.devices import choose_devices

    return choose_devices(gpu, device) * (workers or 1)


@contextmanager
def _maker(recipe: "Recipe", place: "Cluster | tuple[str, ...]") -> "Iterator[Maker]":
    """Yield a studio in this process, or workers where more than one is asked for, or a cluster."""
    if not isinstance(place, tuple):
        from voicebench.audio.ray_workers import RayWorkers

        with RayWorkers(recipe, place) as spread:
            yield spread
    elif len(place) > 1:
        from voicebench.audio.workers import Workers

        with Workers(recipe, place) as several:
            yield several
    else:
        from voicebench.audio.studio import Studio

        with Studio(recipe.load(place[0]), device=place[0]) as alone:
            yield alone


def _tell(reports: "Sequence[BuildReport]", out: Path, failures: Path, flagged: Path) -> None:
    made, kept, audio_s = (
        sum(figures) for figures in zip(*((r.made, r.kept, r.audio_s) for r in reports), strict=True)
    )
    console.say(f"{made} clips made ({audio_s:.0f} s of sound), {kept} kept: {out}")
    for code, choice in sorted(pair for report in reports for pair in report.voices.items()):
        console.say(f"{code} voices: {', '.join(reference.voice.id for reference in choice.chosen)}")
    if heard := sum(report.heard for report in reports):
        console.say(f"heard by the ASR now, of those kept: {heard}")
    if remade := sum(report.remade for report in reports):
        console.say(f"spoken twice, as the first take failed a check: {remade}")
    if failed := sum(report.failed for report in reports):
        console.say(f"{failed} clips could not be made: {failures}")
    doubtful = [row for report in reports for row in report.flagged]
    if doubtful:
        counts = Counter(name for row in doubtful for name in row.checks["doubts"])
        named = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        console.say(f"doubtful: {len(doubtful)} ({named}), see {flagged}")
