"""`voicebench listen`: clips → an offline page for native speakers → their ratings → scores."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicebench.cli import console
from voicebench.cli.options import Fresh, Json, Langs, Seed, TasksFrom, split_list
from voicebench.errors import UserError

if TYPE_CHECKING:
    from voicebench.types import Task


def listen(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders that build-audio wrote; several make one page. After --import also more ratings.",
        ),
    ],
    ratings: Annotated[
        list[Path] | None,
        typer.Option("--import", metavar="FILE", help="Read ratings that listeners saved."),
    ] = None,
    sample: Annotated[int, typer.Option("--sample", min=1, help="How many clips of each language.")] = 50,
    per_engine: Annotated[
        bool, typer.Option("--per-engine", help="--sample counts for each engine, not for all together.")
    ] = False,
    lang: Langs = None,
    condition: Annotated[
        str | None,
        typer.Option(
            "--condition", metavar="C[,…]", help="Only these, such as speech/noise-10dB.", show_default="all"
        ),
    ] = None,
    blind: Annotated[
        bool, typer.Option("--blind/--no-blind", help="Whether the page keeps back what made each clip.")
    ] = True,
    write_down: Annotated[
        bool, typer.Option("--write-down", help="Listeners write what they hear before they see the words.")
    ] = False,
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats", min=0, help="Clips of each language that come twice.", show_default="one in ten"
        ),
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", metavar="E", help="Hide a clip of each language spoilt so: noise:snr=0."),
    ] = None,
    link: Annotated[
        bool, typer.Option("--link", help="Clips as files beside the page instead of inside it.")
    ] = False,
    opus: Annotated[bool, typer.Option("--opus", help="Smaller clips, with loss.")] = False,
    native: Annotated[
        bool, typer.Option("--native", help="With --import: only ratings by native speakers.")
    ] = False,
    tasks: TasksFrom = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The page.", show_default="listening.html in the first folder"),
    ] = None,
    seed: Seed = 0,
    fresh: Fresh = False,
    as_json: Json = False,
) -> None:
    """Let native speakers rate clips.

    Writes one page that opens offline: people hear each clip, see its words, rate naturalness, prosody,
    pronunciation and clarity, and save a file of ratings. With --import these files become mean opinion
    scores with intervals, and agreement. What made a clip stands in the key beside the page: keep it.

    Example: voicebench listen audio --lang hi --sample 30
    """
    from voicebench.listening.write import PAGE

    page = out or folders[0] / PAGE
    if ratings is not None:
        # A shell makes several files of --import ratings-*.json; they arrive behind the folders.
        more = [path for path in folders[1:] if not path.is_dir()]
        _import([*ratings, *more], page, native=native, as_json=as_json)
        return
    from voicebench.listening.clips import read_clips
    from voicebench.listening.write import Wish, write_page

    if native:
        raise UserError("--native goes with --import: it chooses among ratings")
    wish = Wish(
        sample=sample, per_engine=per_engine, seed=seed, blind=blind, write_down=write_down, repeats=repeats,
        anchors=tuple(anchor or ()), link=link, opus=opus,
    )  # fmt: skip
    clips = read_clips(folders, _tasks(tasks), langs=split_list(lang), conditions=split_list(condition))
    written = write_page(clips, wish, page, fresh=fresh)
    own = [clip for clip in written.key.clips if clip.counts]
    hidden = len(written.key.clips) - len(own)
    if as_json:
        console.say(written.key.model_dump_json(indent=2, exclude_none=True))
        return
    for code in dict.fromkeys(clip.lang for clip in own):
        engines = sorted({clip.engine for clip in own if clip.lang == code})
        n = sum(clip.lang == code for clip in own)
        console.say(f"{code}: {n} of {sum(c.row.lang == code for c in clips)} clips, by {', '.join(engines)}")
    console.say(f"{hidden} more places are repeats and anchors")
    console.say(f"written: {written.page} ({written.size_bytes / 1e6:.1f} MB): send it to listeners")
    console.say(f"written: {written.key_file}: keep it; ratings cannot be read without it")
    given = "" if out is None else f" --out {out}"
    console.say_next(f"voicebench listen {folders[0]}{given} --import ratings-*.json")


def _tasks(source: Path | None) -> "dict[str, Task]":
    from voicebench.tasks.read import read_tasks

    return {task.id: task for task in read_tasks(source)}


def _import(paths: list[Path], page: Path, *, native: bool, as_json: bool) -> None:
    from voicebench.listening import view
    from voicebench.listening.key import key_path, read_key
    from voicebench.listening.ratings import read_ratings
    from voicebench.listening.results import summarise

    key = read_key(key_path(page))
    found = summarise(key, read_ratings(paths, key, native_only=native))
    written = view.write_results(found, page)
    if as_json:
        console.say(view.as_json(found).rstrip())
        return
    console.say_table(view.headers(found), view.rows(found), optional=view.OPTIONAL)
    console.say()
    console.say_table(view.AGREEMENT_HEADERS, view.agreement_rows(found))
    console.say()
    console.say_table(view.RATER_HEADERS, view.rater_rows(found), optional=("languages",))
    console.say()
    for path in written:
        console.say(f"written: {path}")
