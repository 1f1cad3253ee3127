"""Read the conformance cases: answers, and the verdicts that the file formats demand for them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from voicebench.errors import UserError, did_you_mean
from voicebench.files import describe, parse_row, read_lines
from voicebench.shipped import data_folder
from voicebench.types import FIGURES, ConformanceRow, Response, Task, TaskKind, Turn

AGENT = "conformance"
"""Name of the agent that a case's answer is said to come from."""


def shipped_files() -> list[Path]:
    """Return the shipped files of cases, by name.

    Raises:
        UserError: The installation is incomplete.
    """
    folder = data_folder() / "conformance"
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise UserError(f"{folder}: the shipped conformance cases are missing. Install voicebench again")
    return paths


def read_cases(
    files: Sequence[Path] = (), *, kinds: Sequence[str] | None = None, langs: Sequence[str] | None = None
) -> list[ConformanceRow]:
    """Return conformance cases in the order of the files.

    Args:
        files: JSON Lines files; none stands for the shipped ones.
        kinds: Keep only these kinds; None keeps all.
        langs: Keep only these languages; None keeps all.

    Raises:
        UserError: A line is wrong (`file:line: …`), an id stands twice, or there is no such case.
    """
    cases: list[ConformanceRow] = []
    seen: dict[str, str] = {}
    for path in files or shipped_files():
        for number, line in read_lines(path):
            where = f"{path}:{number}"
            case = parse_row(line, ConformanceRow, where)
            _check(case, where)
            if case.id in seen:
                raise UserError(f"{where}: id {case.id!r} is already used at {seen[case.id]}")
            seen[case.id] = where
            cases.append(case)
    _require("kind", kinds, {case.kind for case in cases})
    _require("language", langs, {case.lang for case in cases})
    kept = [
        case
        for case in cases
        if (kinds is None or case.kind in kinds) and (langs is None or case.lang in langs)
    ]
    if not kept:
        raise UserError("no case of these kinds in these languages" if cases else "the files hold no case")
    return kept


def task_of(case: ConformanceRow) -> Task:
    """Return a case as the task that its answer answers; what was asked plays no part in a score."""
    return Task(
        id=case.id, task=_kind_of_task(case), lang=case.lang, turns=(Turn(role="user", text="…"),),
        tools=case.tools, expect=case.expect, reference_date=case.reference_date,
    )  # fmt: skip


def response_of(case: ConformanceRow) -> Response:
    """Return a case's answer as a response.

    Raises:
        ValidationError: It is none; `read_cases` lets no such case through.
    """
    return Response.model_validate(
        {"task_id": case.id, "agent": AGENT, "condition": "text", "trial": 0, **case.answer}
    )


def _kind_of_task(case: ConformanceRow) -> TaskKind:
    if case.expect.refuse is not None:
        return "safety"
    if len(case.expect.calls or ()) < 2:
        return "single"
    return "sequential" if case.expect.order == "sequence" else "parallel"


def _check(case: ConformanceRow, where: str) -> None:
    if len(case.answer) != 1 or not case.answer.keys() <= {"text", "calls"}:
        raise UserError(f"{where}: answer: must hold either 'text' or 'calls'")
    try:
        response_of(case)
    except ValidationError as error:
        raise UserError(f"{where}: answer: {describe(error, Response)}") from None
    if not case.want:
        raise UserError(f"{where}: want: names no figure")
    for figure in case.want:
        if figure not in FIGURES:
            raise UserError(f"{where}: want: unknown figure {figure!r}.{did_you_mean(figure, FIGURES)}")


def _require(what: str, wanted: Iterable[str] | None, there: set[str]) -> None:
    for name in wanted or ():
        if name not in there:
            raise UserError(f"no case of the {what} {name!r}.{did_you_mean(name, there)}")
