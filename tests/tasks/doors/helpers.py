"""Open a door on fixtures in the real formats, and let an oracle answer what it gives."""

from pathlib import Path

from voicebench.fakes import REFUSAL, right_calls
from voicebench.scoring.score import score
from voicebench.tasks.doors import Imported, Source, Wanted, door
from voicebench.tasks.read import resolve
from voicebench.types import Response, Scores, TaskRow

FIXTURES = Path(__file__).resolve().parents[2] / "data" / "doors"


def opened(name: str, source: Path, **wanted: tuple[str, ...]) -> Imported:
    """Return what a door reads of a source."""
    return door(name).load()(Source(str(source)), Wanted(**wanted))


def row(imported: Imported, task_id: str) -> TaskRow:
    """Return one task by its id."""
    (found,) = [row for row in imported.rows if row.id == task_id]
    return found


def reasons(imported: Imported) -> dict[str, str]:
    """Return why each item was left out, by the last word of its place before any particulars."""
    return {skip.where.partition(" (")[0].split()[-1]: skip.reason for skip in imported.skipped}


def oracle_scores(task: TaskRow) -> Scores:
    """Return what the right answer of a task scores."""
    fields = (
        {"text": REFUSAL} if task.expect.calls is None
        else {"calls": right_calls(task.expect)} if task.expect.calls
        else {"text": "None of these can do that."}
    )  # fmt: skip
    answer = Response(task_id=task.id, agent="oracle", condition="text", trial=0, **fields)
    return score(resolve(task, task.id, {}), answer)


def assert_oracle_is_right(imported: Imported) -> None:
    """The right answer of every task gets every figure."""
    assert imported.rows
    for task in imported.rows:
        found = oracle_scores(task)
        figures = (found.tool_selection, found.call_structure, found.parameters, found.refusal_right)
        assert set(figures) - {None} == {1}, (task.id, found)
