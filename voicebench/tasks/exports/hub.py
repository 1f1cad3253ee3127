"""Write tasks as a Hugging Face data set: Parquet files by language, the tools, and a card.

    README.md                                the card, with the header that a hub reads
    data/<lang>/test-00000-of-00001.parquet  a row a task
    tools.json                               every tool, in OpenAI's form
    audio/                                   with clips: an audio data set of its own

`datasets.load_dataset(folder)` reads it without any code; `load_dataset(folder, "hi")` one language, and
`load_dataset(folder, "audio")` the clips. What has the tasks' own form (tools, expect, meta) is JSON as text,
for a column of a table has one form and those have many.
"""

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.audio.clip_folder import MANIFEST
from voicebench.audio.dataset_columns import arrow
from voicebench.errors import UserError
from voicebench.files import disk_error, read_rows, to_json, write_text
from voicebench.models import Progress, no_progress
from voicebench.tasks.exports import Written
from voicebench.tasks.exports.hub_card import card, is_ours
from voicebench.tasks.exports.openai import TOOLS, all_tools, tools_json
from voicebench.types import ManifestRow, Task
from voicebench.wire.chat import ToolNames

COLUMNS: Mapping[str, tuple[str, str]] = {
    "id": ("string", "unique"),
    "task": ("string", "kind of task: single, retrieval, parallel, sequential, dialogue, safety"),
    "lang": ("string", "language of the turns"),
    "turns": ("turns", "who says what: a list of `role` and `text`"),
    "tools": ("string", "what is offered: a list of `name`, `description`, `parameters` (JSON)"),
    "expect": ("string", "what is right: `calls` with accepted values, or `refuse` (JSON)"),
    "calls": ("int32", "how many calls are right; null where a refusal is"),
    "reference_date": ("string", "what today is"),
    "origin": ("string", "the task that it was localised from"),
    "twin": ("string", "its safety twin"),
    "licence": ("string", "of the text"),
    "review": ("string", "who looked at it: machine, native, source"),
    "meta": ("string", "everything else (JSON)"),
}  # fmt: skip
"""Name of each column, its type and its meaning."""

_CARD, _DATA, _AUDIO = "README.md", "data", "audio"
_FILE = "test-00000-of-00001.parquet"
_OURS = frozenset((_CARD, TOOLS, _DATA, _AUDIO))


def export_hub(
    tasks: Sequence[Task], out: Path, *, audio: Path | None = None, progress: Progress = no_progress
) -> Written:
    """Write the data set.

    Args:
        tasks: The tasks, at least one.
        out: The folder; an older export there is replaced, anything else is left alone.
        audio: A folder with clips of these tasks, which become a part of the data set.
        progress: Told how the clips go on.

    Raises:
        MissingExtraError: pyarrow is not installed; the message is the install line.
        UserError: There are no tasks, the clips are of other tasks, something that no export wrote is in the
            way, or the disk is full.
    """
    arrow()
    if not tasks:
        raise UserError("there are no tasks to export")
    _refuse_to_overwrite(out)
    clips = [] if audio is None else _clips(audio, tasks)
    beside = out.with_name(f".{out.name}.{os.getpid()}.part")
    by_lang = defaultdict(list)
    for task in tasks:
        by_lang[task.lang].append(task)
    try:
        shutil.rmtree(beside, ignore_errors=True)
        for lang, listed in sorted(by_lang.items()):
            _write(beside / _DATA / lang / _FILE, listed)
        tools = all_tools(tasks)
        write_text(beside / TOOLS, tools_json(tools, ToolNames(tools)))
        if audio is not None:
            from voicebench.audio.export import export

            export(audio, beside / _AUDIO, tasks=tasks, progress=progress)
        write_text(beside / _CARD, card(tasks, clips, COLUMNS))
        _move(beside, out)
    except OSError as error:
        raise disk_error(out, error) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return Written(out, tuple(sorted(path for path in out.rglob("*") if path.is_file())), len(tasks))


def _clips(audio: Path, tasks: Sequence[Task]) -> list[ManifestRow]:
    """Return the clips of a folder, all of which are of the tasks."""
    rows = read_rows(audio / MANIFEST, ManifestRow, tolerate_torn_end=True)
    ids = {task.id for task in tasks}
    others = sorted({row.task_id for row in rows} - ids)
    if others:
        raise UserError(
            f"{audio}: holds clips of {len(others)} tasks that are not exported, such as {others[0]}. "
            "Export all tasks that it was built of"
        )
    return rows


def _write(path: Path, tasks: Sequence[Task]) -> None:
    pa = arrow()
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist([values_of(task) for task in tasks], schema=schema())
    pa.parquet.write_table(table, path, compression="snappy")


def values_of(task: Task) -> dict[str, Any]:
    """Return the value of each column."""
    written = to_json(task)
    meta = dict(task.meta)
    values = {
        "id": task.id,
        "task": task.task,
        "lang": task.lang,
        "turns": [{"role": turn.role, "text": turn.text} for turn in task.turns],
        "tools": json.dumps([tool.model_dump() for tool in task.tools], ensure_ascii=False),
        "expect": json.dumps(written["expect"], ensure_ascii=False),
        "calls": None if task.expect.calls is None else len(task.expect.calls),
        "reference_date": task.reference_date,
        "origin": task.origin,
        "twin": task.twin,
        "licence": _text(meta.pop("licence", None)),
        "review": _text(meta.pop("review", None)),
        "meta": json.dumps(meta, ensure_ascii=False),
    }
    # Half surrogates, which JSON can hold, are no text to Parquet.
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in values.items()
    }


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def schema() -> Any:
    """Return the schema of the files (`pyarrow.Schema`).

    Raises:
        MissingExtraError: pyarrow is not installed; the message is the install line.
    """
    pa = arrow()
    types = {
        "string": pa.string(),
        "int32": pa.int32(),
        "turns": pa.list_(pa.struct([("role", pa.string()), ("text", pa.string())])),
    }
    return pa.schema([(name, types[kind]) for name, (kind, _) in COLUMNS.items()])


def _refuse_to_overwrite(out: Path) -> None:
    """Refuse a place where something is that an export did not write."""
    if not out.exists():
        return
    if not out.is_dir():
        raise UserError(f"{out}: is a file, and the data set a folder. Give another --out")
    there = {path.name for path in out.iterdir()}
    readme = out / _CARD
    ours = readme.is_file() and is_ours(readme.read_text(encoding="utf-8", errors="replace"))
    if there and (not ours or there - _OURS):
        strange = sorted(there - _OURS) or [_CARD]
        raise UserError(
            f"{out / strange[0]}: was not written by an export or was edited since. Give another --out"
        )


def _move(beside: Path, out: Path) -> None:
    """Move a data set to its place; an older one is deleted once the new one is there."""
    old = beside.with_suffix(".old")
    if out.exists():
        out.replace(old)
    beside.replace(out)
    shutil.rmtree(old, ignore_errors=True)
