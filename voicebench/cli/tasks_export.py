"""`voicebench tasks export`: tasks in the forms of others."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Json, Kinds, Langs, split_list, task_kinds

if TYPE_CHECKING:
    from voicebench.tasks.exports import Written

FORMS = ("bfcl", "hub", "openai")


def export(
    form: Annotated[str, typer.Argument(metavar="bfcl|hub|openai", help="What it is written as.")],
    source: Annotated[
        Path | None,
        typer.Argument(help="A tasks.jsonl or a folder of them.", show_default="the shipped set"),
    ] = None,
    lang: Langs = None,
    task: Kinds = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where it goes.", show_default="exported/FORM")
    ] = None,
    audio: Annotated[
        Path | None,
        typer.Option(
            "--audio", metavar="DIR", help="hub: put the clips of this folder in too.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write tasks as BFCL, a hub data set, or OpenAI chats.

    What the form cannot say is left out and counted by reason. The licence of each task stays its own.

    Example: voicebench tasks export hub --lang hi --out hindi
    """
    from voicebench.errors import UserError, did_you_mean
    from voicebench.tasks.exports.bfcl import export_bfcl
    from voicebench.tasks.exports.hub import export_hub
    from voicebench.tasks.exports.openai import export_openai
    from voicebench.tasks.read import read_tasks

    if form not in FORMS:
        raise UserError(f"there is no form {form!r}.{did_you_mean(form, FORMS)}")
    if audio is not None and form != "hub":
        raise UserError(f"--audio: {form} holds no clips; hub does")
    tasks = read_tasks(source, langs=split_list(lang), kinds=task_kinds(task))
    folder = out or Path("exported") / form
    if form == "hub":
        with console.progress() as progress:
            written = export_hub(tasks, folder, audio=audio, progress=progress)
    else:
        written = (export_bfcl if form == "bfcl" else export_openai)(tasks, folder)
    if as_json:
        console.say(json.dumps(_summary(written), ensure_ascii=False, indent=2))
        return
    console.say(f"{written.count} task{'' if written.count == 1 else 's'} in {len(written.files)} files")
    for reason, count, example in written.by_reason():
        console.say(f"left out: {count} × {reason}, as {example}")
    console.say(f"written: {written.folder}")
    if form == "hub":
        console.note(f"load it: datasets.load_dataset({str(written.folder)!r})")
    else:
        console.say_next(f"voicebench tasks import {form} {written.folder}")


def _summary(written: "Written") -> dict[str, object]:
    return {
        "folder": str(written.folder),
        "files": [str(path) for path in written.files],
        "count": written.count,
        "left_out": [
            {"reason": reason, "count": count, "example": example}
            for reason, count, example in written.by_reason()
        ],
    }
