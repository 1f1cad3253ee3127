"""`voicebench tasks import`: somebody else's task set → tasks, and the recordings that come with it."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicebench.cli import console
from voicebench.cli.options import Json, Langs, split_list

if TYPE_CHECKING:
    from voicebench.tasks.doors.importing import Counted, Outcome


def import_(
    which: Annotated[
        str | None, typer.Argument(metavar="SET", help="Whose it is; none lists all.", show_default=False)
    ] = None,
    source: Annotated[
        str | None,
        typer.Argument(help="A file or folder, or hf:OWNER/NAME with --revision.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE.jsonl|DIR",
            help="Tasks alone, or a folder for tasks and recordings.",
            show_default="imported/SET",
        ),
    ] = None,
    lang: Langs = None,
    revision: Annotated[
        str | None, typer.Option("--revision", metavar="SHA", help="The commit of a hub data set.")
    ] = None,
    category: Annotated[
        str | None, typer.Option("--category", metavar="NAME[,…]", help="Only these parts of the set.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="At most so many of each kind, language and category."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read somebody else's task set.

    What cannot be a task here is left out and counted by reason. The licence of a set is its own: what is
    imported stays under it.

    Example: voicebench tasks import bfcl gorilla/bfcl_eval/data --out bfcl.jsonl
    """  # fmt: skip
    from voicebench.errors import UserError
    from voicebench.tasks.doors import DOORS, Source, Wanted, door
    from voicebench.tasks.doors.importing import import_tasks

    if which is None:
        rows = [(entry.name, entry.title, entry.reads_audio, entry.licence) for entry in DOORS.values()]
        console.say_table(
            ["set", "what", "recordings", "licence"],
            [(*row[:2], "yes" if row[2] else "no", row[3]) for row in rows],
            as_json=as_json,
        )
        return
    entry = door(which)
    if source is None:
        raise UserError(f"{which}: say where it is: a file, a folder, or hf:OWNER/NAME with --revision")
    wanted = Wanted(_some(lang), _some(category))
    with console.progress() as progress:
        done = import_tasks(
            entry, Source(source, revision), out or Path("imported") / entry.name,
            wanted=wanted, limit=limit, progress=progress,
        )  # fmt: skip
    if as_json:
        console.say(json.dumps(_summary(done), ensure_ascii=False, indent=2))
        return
    _say(done)
    console.note(f"licence of {entry.name}: {entry.licence}")
    audio = "" if not done.clips else f" --condition text,speech --audio {done.audio}"
    console.say_next(f"voicebench eval --model fake --tasks {done.tasks}{audio}")


def _some(value: str | None) -> tuple[str, ...] | None:
    entries = split_list(value)
    return None if entries is None else tuple(entries)


def _say(done: "Outcome") -> None:
    kinds = Counter((row.task, row.lang) for row in done.rows)
    listed = ", ".join(f"{count} {kind} {lang}" for (kind, lang), count in kinds.items())
    console.say(f"{_many(len(done.rows), 'task')}: {listed}")
    if done.audio is not None:
        failed = f", {len(done.failures)} not readable (failures.jsonl)" if done.failures else ""
        console.say(f"{_many(len(done.clips), 'recording')}{failed}")
    elif done.left_out:
        console.say(f"{_many(done.left_out, 'recording')} left out; give --out a folder to have them")
    _say_counted("left out", done.skipped)
    _say_counted("the check objects", done.objections)
    console.say(f"written: {done.tasks}")


def _say_counted(what: str, found: "Sequence[Counted]") -> None:
    for one in found:
        console.say(f"{what}: {one.count} × {one.what}, as {one.example}")


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _summary(done: "Outcome") -> dict[str, Any]:
    def listed(found: "Sequence[Counted]") -> list[dict[str, Any]]:
        return [{"what": one.what, "count": one.count, "example": one.example} for one in found]

    return {
        "tasks": str(done.tasks),
        "audio": None if done.audio is None else str(done.audio),
        "count": len(done.rows),
        "recordings": len(done.clips),
        "recordings_failed": len(done.failures),
        "recordings_left_out": done.left_out,
        "left_out": listed(done.skipped),
        "objections": listed(done.objections),
    }
