"""Whether tasks are good: gold can be carried out and earns the whole reward, doing nothing does not."""

from collections.abc import Iterator

from voicebench.environments.contract import Action, LiveTask
from voicebench.environments.domain import Domain
from voicebench.environments.environment import replay, resolved
from voicebench.environments.reward import Episode, Reward, reward
from voicebench.errors import UserError


def problems(domain: Domain) -> list[str]:
    """Return what is wrong with a domain's tasks, one line each; empty where nothing is.

    Gold, and each alternative, must run without an error and earn 1 together with what must be said; saying
    and doing nothing must not, unless a task has nothing to do and nothing to say; what counts must be there.
    Judged statements are taken as met.
    """
    return [
        f"{domain.name}: {task.id}: {problem}" for task in domain.tasks for problem in _problems(domain, task)
    ]


def gold_episode(domain: Domain, task: LiveTask, place: int = 0) -> Episode:
    """Return the conversation in which the agent does what is right and says what it must.

    Args:
        domain: The domain.
        task: The task.
        place: 0 for gold, 1 for the first alternative, and so on.

    Raises:
        UserError: An action fails.
    """
    actions = (task.gold, *task.alternatives)[place]
    results = replay(domain.environment(task), actions, f"{domain.name}: {task.id}: gold")
    calls = tuple(
        Action(by=action.by, name=action.name, arguments=resolved(action.arguments, results))
        for action in actions
    )
    spoken = tuple(str(value[0] if isinstance(value, list) else value) for value in task.said)
    return Episode(ended="user_stop", calls=calls, said=spoken)


def is_right_without_action(task: LiveTask) -> bool:
    """Tell whether doing and saying nothing is right, as in refusals without a rule to name."""
    return not task.gold and not task.said


def _problems(domain: Domain, task: LiveTask) -> Iterator[str]:
    for basis in task.counts:
        if basis in ("assertions", "judged", "said", "actions") and not _of(task, basis):
            yield f"{basis!r} counts, but the task has none"
    try:
        for place in range(1 + len(task.alternatives)):
            found = _with_judge(domain, task, gold_episode(domain, task, place))
            if found.reward != 1:
                which = f"alternatives[{place - 1}]" if place else "gold"
                yield f"{which} does not earn 1: {_unmet(found)}"
        nothing = _with_judge(domain, task, Episode(ended="user_stop"))
    except UserError as error:
        yield str(error).removeprefix(f"{domain.name}: {task.id}: ")
        return
    if nothing.reward == 1 and not is_right_without_action(task):
        yield "doing nothing earns 1"


def _of(task: LiveTask, basis: str) -> bool:
    return bool(task.gold if basis == "actions" else getattr(task, basis))


def _with_judge(domain: Domain, task: LiveTask, episode: Episode) -> Reward:
    return reward(domain, task, episode, verdicts=[True] * len(task.judged))


def _unmet(found: Reward) -> str:
    return "; ".join(
        f"{basis}: {check.what} {check.why or ''}".strip()
        for basis, checks in found.checks.items() if basis in found.counts
        for check in checks if check.met is not True
    )  # fmt: skip
