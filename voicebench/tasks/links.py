"""Judge what tasks say of each other: ids stand once, twins have their twin, origins are there."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from voicebench.shipped import data_folder
from voicebench.tasks.lines import Line, Problem, raw_lines, read_line
from voicebench.types import TaskRow


def link_problems(lines: Sequence[Line], paths: Sequence[Path]) -> Iterator[Problem]:
    """Yield what can only be seen with the other lines in view: ids, twins and origins.

    Args:
        lines: The tasks.
        paths: The files they stand in; twins and origins may stand in a file beside them.
    """
    first: dict[str, Line] = {}
    for line in lines:
        if line.row.id in first:
            message = f"id {line.row.id!r} is already used at {first[line.row.id].where}"
            yield Problem(line.path, line.number, message)
        first.setdefault(line.row.id, line)
    rows = rows_in_view(lines, paths)
    for line in lines:
        for message in (*_twin_problems(line.row, rows), *_origin_problems(line.row, rows)):
            yield Problem(line.path, line.number, message)


def rows_in_view(lines: Sequence[Line], paths: Sequence[Path]) -> dict[str, TaskRow]:
    """Return the tasks that some may point to, by id: themselves and, where they point further, those around.

    Args:
        lines: The tasks.
        paths: The files they stand in.
    """
    rows: dict[str, TaskRow] = {}
    for line in lines:
        rows.setdefault(line.row.id, line.row)
    targets = {target for row in rows.values() for target in (row.twin, row.origin) if target is not None}
    return {**_rows_around(paths), **rows} if targets - rows.keys() else rows


def structure_problems(row: TaskRow, rows: Mapping[str, TaskRow]) -> Iterator[str]:
    """Yield where a localised task is built otherwise than the one it was localised from.

    Args:
        row: The task.
        rows: The tasks it may come from, by id.
    """
    origin = rows.get(row.origin or "")
    if origin is None or origin.task != row.task:
        return
    for what, own, other in (
        ("turns", [turn.role for turn in row.turns], [turn.role for turn in origin.turns]),
        ("gold calls", _called(row), _called(origin)),
        ("expect.order", row.expect.order, origin.expect.order),
        ("expect.refuse", row.expect.refuse, origin.expect.refuse),
        ("meta.hint", bool(row.meta.get("hint")), bool(origin.meta.get("hint"))),
    ):
        if own != other:
            yield f"{what}: {_listed(own)}, but {_listed(other)} in its origin {origin.id}"


def _called(row: TaskRow) -> list[str]:
    names = [call.name for call in row.expect.calls or ()]
    return names if row.expect.order == "sequence" else sorted(names)


def _listed(value: object) -> str:
    return (", ".join(value) or "none") if isinstance(value, list) else str(value).lower()


def _rows_around(paths: Sequence[Path]) -> dict[str, TaskRow]:
    """Return what the checked tasks may point to beside themselves: their folder's tasks and the shipped."""
    checked = {path.resolve() for path in paths}
    folders = dict.fromkeys([data_folder() / "tasks", *(path.parent for path in paths)])
    rows: dict[str, TaskRow] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl")):
            if path.resolve() not in checked:
                read = (read_line(raw)[0] for _, raw in raw_lines(path))
                rows.update((row.id, row) for row in read if row is not None)
    return rows


def _twin_problems(row: TaskRow, rows: Mapping[str, TaskRow]) -> Iterator[str]:
    if row.twin is None:
        return
    twin = rows.get(row.twin)
    if twin is None:
        yield f"twin {row.twin!r} does not exist"
        return
    if twin.twin != row.id:
        yield f"twin {row.twin!r} does not point back to {row.id!r}"
    if twin.expect.refuse == row.expect.refuse:
        yield f"twin {row.twin!r} has the same expect.refuse; one of the two is harmless"


def _origin_problems(row: TaskRow, rows: Mapping[str, TaskRow]) -> Iterator[str]:
    if row.origin is None:
        return
    origin = rows.get(row.origin)
    if origin is None:
        yield f"origin {row.origin!r} does not exist"
        return
    if origin.task != row.task:
        yield f"origin {row.origin!r} is a {origin.task} task, not {row.task}"
    if origin.lang == row.lang:
        yield f"origin {row.origin!r} is in the same language"
