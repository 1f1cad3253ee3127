"""Ask an agent all that is planned and keep every answer: finished rows are never asked again, never lost."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from voicebench import TASKS_VERSION
from voicebench.clusters import Cluster
from voicebench.faults import fault
from voicebench.files import compact, iterate_last_of_each, last_of_each, read_rows
from voicebench.protocols import Agent
from voicebench.running.answered import Answered, Key, Question, RowKey, key_of
from voicebench.running.askers import asker_of
from voicebench.running.local import MOST_REQUESTS
from voicebench.running.materials import Materials
from voicebench.running.plan import Planned
from voicebench.running.ray_engine import RayAsker
from voicebench.running.wanted import Answer, Asker, Wanted
from voicebench.running.watch import Watch
from voicebench.running.workers import Seat, WorkersAsker
from voicebench.running.writer import Writer
from voicebench.types import ModelRef, Request, Response

AT_ONCE = 16


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
    batch_size: int = MOST_REQUESTS,
    at_once: int = AT_ONCE,
    with_gold: bool = False,
    watch: Watch | None = None,
    cluster: Cluster | None = None,
    seats: Sequence[Seat] = (),
    answered: Answered | None = None,
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
        batch_size: Requests handed at once to an agent on this machine; at most these are lost by a crash.
        at_once: Requests under way at once at an agent that waits for a server; as many are lost by a crash.
        with_gold: Show the right answer (control agents alone).
        watch: Counts how it goes on.
        cluster: The Ray cluster to ask on; None for this machine.
        seats: The processes of this machine to ask in; none for this one.
        answered: What the file holds, where it was read before; kept up to date.

    Raises:
        UserError: The agent refuses what it was asked to be, or the file cannot be written.
    """
    answered = Answered(path) if answered is None else answered
    left = [item for item in planned if not answered.holds(_key(item, name), partial(_question, item, model))]
    # What failed before comes last: it may fail again, and must not be in the way of the rest.
    left.sort(key=lambda item: bool(answered.failed(_key(item, name))))
    watch = watch or Watch()
    if not left:
        watch.begin(name, len(planned), len(planned))
    else:
        asker = _asker(make, cluster, seats, batch_size, at_once)
        watch.begin(name, len(planned) - len(left), len(planned), lambda: asker.turned_away)

        def read(item: Planned) -> Request:
            watch.started()
            return item.request(name, materials, with_gold=with_gold)

        def kept(row: Response) -> None:
            answered.add(row)
            watch.kept(row)

        def take(place: int, answer: Answer) -> None:
            watch.ended()
            item = left[place]
            row = answer if isinstance(answer, Response) else _blank(item, name).answer(error=fault(answer))
            writer.put(signed(row, item, model))

        with Writer(path, kept) as writer:
            asker.answer([Wanted(_audio_s(item), partial(read, item)) for item in left], take)
        if answered.rows > len(answered):
            compact(path, Response, RowKey, key_of)
            answered.rows = len(answered)
    errors = sum(1 for item in planned if answered.failed(_key(item, name)))
    return Outcome(len(left), len(planned) - len(left), errors)


def _asker(
    make: Callable[[], Agent],
    cluster: Cluster | None,
    seats: Sequence[Seat],
    batch_size: int,
    at_once: int,
) -> Asker:
    if cluster is not None:
        return RayAsker(make, cluster, most_requests=batch_size, at_once=at_once)
    if seats:
        return WorkersAsker(seats, most_requests=batch_size)
    return asker_of(make(), most_requests=batch_size, at_once=at_once)


def _audio_s(item: Planned) -> float:
    return sum(clip.duration_s for clip in item.clips if clip is not None)


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
    return iterate_last_of_each(path, Response, RowKey, key_of)


def _key(item: Planned, name: str) -> Key:
    return (item.task.id, name, item.condition, item.trial)


def _question(item: Planned, model: ModelRef) -> Question:
    return Question(model, item.seed, item.prompt_sha256, item.audio_sha256, TASKS_VERSION)


def signed(answer: Response, item: Planned, model: ModelRef) -> Response:
    """Return an answer with what it answers: model, seed, voice, and the hashes of the question."""
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
    return Request(
        item.task.id, name, item.condition, item.trial, item.task.lang, (), (), item.task.task, item.seed
    )  # fmt: skip
