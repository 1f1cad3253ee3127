"""Ask an agent all that is planned and keep every answer: finished rows are never asked again, never lost."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from voicebench import TASKS_VERSION
from voicebench.errors import AgentFailure, UserError
from voicebench.faults import fault
from voicebench.files import Appender, compact, iterate_last_of_each, last_of_each, read_rows
from voicebench.models import Progress, no_progress
from voicebench.protocols import Agent
from voicebench.running.materials import Materials
from voicebench.running.plan import Planned
from voicebench.types import ModelRef, Request, Response

Key = tuple[str, str, str, int]
"""(task id, agent, condition, trial) of a response."""


@dataclass(frozen=True)
class Outcome:
    """How asking went: rows asked now, rows kept from before, and how many of all carry an error."""

    asked: int
    kept: int
    errors: int


def ask(
    planned: Sequence[Planned],
    *,
    name: str,
    model: ModelRef,
    make: Callable[[], Agent],
    materials: Materials,
    path: Path,
    batch_size: int = 4,
    with_gold: bool = False,
    progress: Progress = no_progress,
) -> Outcome:
    """Ask one agent and append its answers to a responses file as they come.

    A row of the file is kept if it answers the same question (words, tools, options, sound, seed) by the
    same model without an error; all others are asked (again). The agent is made only if one is left.

    Args:
        planned: The questions.
        name: The agent's name in the results.
        model: The agent's model, known without loading it.
        make: Makes the agent.
        materials: Where the clips lie.
        path: responses.jsonl; other agents' rows in it stay.
        batch_size: Requests handed over at once; at most these are lost by a crash.
        with_gold: Show the right answer (control agents alone).
        progress: Told after each batch.

    Raises:
        UserError: The agent refuses what it was asked to be, or the file cannot be written.
    """
    before = {key_of(row): row for row in read_responses(path)}
    left = [item for item in planned if not _is_answered(item, name, model, before)]
    what = f"asking {name}"
    done = len(planned) - len(left)
    progress(what, done, len(planned))
    if left:
        agent = make()
        with Appender(path) as appender:
            for start in range(0, len(left), batch_size):
                batch = left[start : start + batch_size]
                appender.add(*_answers(agent, batch, name, model, materials, with_gold))
                done += len(batch)
                progress(what, done, len(planned))
        before = {key_of(row): row for row in compact(path, Response, key_of)}
    asked = {(item.task.id, name, item.condition, item.trial) for item in planned}
    errors = sum(1 for key in asked if key in before and before[key].error is not None)
    return Outcome(len(left), len(planned) - len(left), errors)


def read_responses(path: Path) -> list[Response]:
    """Read a responses file, later rows over earlier ones of the same key; empty where there is none.

    Raises:
        UserError: A row is wrong.
    """
    if not path.is_file():
        return []
    return last_of_each(read_rows(path, Response, tolerate_torn_end=True), key_of)


def iterate_responses(path: Path) -> Iterator[Response]:
    """Read a responses file row by row, later rows over earlier ones of the same key.

    Raises:
        UserError: The file is missing or a row is wrong.
    """
    return iterate_last_of_each(path, Response, key_of)


def key_of(row: Response) -> Key:
    """Return a response's key."""
    return (row.task_id, row.agent, row.condition, row.trial)


def _is_answered(item: Planned, name: str, model: ModelRef, before: dict[Key, Response]) -> bool:
    row = before.get((item.task.id, name, item.condition, item.trial))
    return (
        row is not None
        and row.error is None
        and row.model == model
        and row.seed == item.seed
        and row.prompt_sha256 == item.prompt_sha256
        and row.audio_sha256 == item.audio_sha256
        and row.tasks_version == TASKS_VERSION
    )


def _answers(
    agent: Agent,
    batch: Sequence[Planned],
    name: str,
    model: ModelRef,
    materials: Materials,
    with_gold: bool,
) -> list[Response]:
    requests: list[Request] = []
    answers: dict[int, Response] = {}
    places: list[int] = []
    for place, item in enumerate(batch):
        try:
            requests.append(item.request(name, materials, with_gold=with_gold))
            places.append(place)
        except AgentFailure as failure:
            answers[place] = _blank(item, name).answer(error=fault(failure))
    answers |= dict(zip(places, _respond(agent, requests), strict=True))
    return [_signed(answers[place], item, model) for place, item in enumerate(batch)]


def _respond(agent: Agent, requests: Sequence[Request]) -> list[Response]:
    """Ask a batch; if it fails as a whole, ask one by one so that one bad item costs itself alone."""
    if not requests:
        return []
    try:
        answers = agent.respond(requests)
        if len(answers) != len(requests):
            raise AgentFailure("crash", f"the agent gave {len(answers)} answers to {len(requests)} requests")
        return answers
    except UserError:
        raise
    # Whatever else an agent raises is a fault of the harness's side: it becomes the row's error.
    except Exception as error:
        failure = fault(error)
    if len(requests) > 1:
        return [answer for request in requests for answer in _respond(agent, [request])]
    return [requests[0].answer(error=failure)]


def _signed(answer: Response, item: Planned, model: ModelRef) -> Response:
    return answer.model_copy(
        update={
            "model": model,
            "seed": item.seed,
            "voice": item.voice,
            "prompt_sha256": item.prompt_sha256,
            "audio_sha256": item.audio_sha256,
            "tasks_version": TASKS_VERSION,
        }
    )


def _blank(item: Planned, name: str) -> Request:
    return Request(item.task.id, name, item.condition, item.trial, item.task.lang, (), (), item.seed)
