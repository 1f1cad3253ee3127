"""What a conversation was worth: state, said, assertions, actions, judged statements; their product.

The state is compared by hash with the state that gold leads to. A basis that counts but has nothing to check
is 1. The agent's fault is 0; the harness's fault, and a statement that no judge has seen, is unscored: a
number is never made up for it.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Literal

from pydantic import Field

from voicebench.environments.assertions import holds, worded
from voicebench.environments.contract import BASES, Action, Basis, LiveTask
from voicebench.environments.domain import Domain
from voicebench.environments.environment import Environment, repeat, replay, resolved
from voicebench.environments.said import said
from voicebench.environments.state import Database, changes, state_hash
from voicebench.scoring.setting import Setting
from voicebench.scoring.values import compare
from voicebench.types import Figure, Row

Ending = Literal[
    "user_stop", "agent_stop", "max_steps", "timeout", "too_many_errors", "agent_error", "user_error",
    "infrastructure_error", "context_window_exceeded", "unexpected_error",
]  # fmt: skip
FINISHED: frozenset[Ending] = frozenset(("user_stop", "agent_stop"))
HARNESS_FAULTS: frozenset[Ending] = frozenset(("user_error", "infrastructure_error", "unexpected_error"))
_SHOWN_CHANGES = 5


class Episode(Row):
    """What happened in one conversation, as far as it decides the reward.

    Attributes:
        ended: Why it ended.
        calls: Every call of both sides, failed ones included, in order.
        results: What each call returned; None where that was not kept.
        said: What the agent said to the user, turn by turn.
        lang: The language it was held in.
    """

    ended: Ending
    calls: tuple[Action, ...] = ()
    results: tuple[str, ...] | None = None
    said: tuple[str, ...] = ()
    lang: str | None = None


class Check(Row):
    """One thing that was looked at: what, whether it was met (None: nobody could say), and why not."""

    what: str
    met: bool | None
    why: str | None = None


class Reward(Row):
    """What one conversation was worth.

    Attributes:
        reward: The product of the bases that count; None where it cannot be said.
        breakdown: Each basis of the task that has something to check, whether it counts or not.
        counts: Which of them count.
        checks: What was looked at, by basis.
        unscored: Why `reward` is None.
        state_sha256: Hash of the final state.
    """

    reward: Figure = None
    breakdown: dict[Basis, Figure] = Field(default_factory=dict)
    counts: tuple[Basis, ...]
    checks: dict[Basis, tuple[Check, ...]] = Field(default_factory=dict)
    unscored: str | None = None
    state_sha256: str | None = None


def reward(
    domain: Domain, task: LiveTask, episode: Episode, *, verdicts: Sequence[bool | None] = ()
) -> Reward:
    """Return what a conversation was worth.

    Args:
        domain: The domain.
        task: The task.
        episode: What happened; its calls are carried out again on a fresh environment.
        verdicts: A judge's verdict on each of `task.judged`, in order; None or missing is unjudged.

    Raises:
        UserError: The task's gold fails, or a call now returns something else than was recorded.
    """
    if episode.ended in HARNESS_FAULTS:
        why = f"the conversation ended by {episode.ended}"
        return Reward(counts=task.counts, unscored=why)
    environment = domain.environment(task)
    repeat(environment, episode.calls, episode.results)
    endings = _gold_endings(domain, task)
    found: dict[Basis, tuple[Check, ...]] = {
        "state": (_state_check(environment.data, [data for data, _ in endings]),),
        "said": tuple(_said_check(value, episode) for value in task.said),
        "assertions": tuple(
            Check(what=worded(item), met=holds(item, environment.data)) for item in task.assertions
        ),
        "actions": _action_checks(environment, [actions for _, actions in endings], episode),
        "judged": tuple(
            Check(what=statement, met=verdicts[place] if place < len(verdicts) else None)
            for place, statement in enumerate(task.judged)
        ),
    }
    checks = {basis: items for basis, items in found.items() if items}
    breakdown = {basis: _product(items) for basis, items in checks.items()}
    value, why_not = _total(task, episode, breakdown)
    return Reward(
        reward=value, breakdown=breakdown, counts=task.counts, checks=checks, unscored=why_not,
        state_sha256=environment.state_hash(),
    )  # fmt: skip


def _total(task: LiveTask, episode: Episode, breakdown: Mapping[Basis, Figure]) -> tuple[Figure, str | None]:
    if episode.ended not in FINISHED:
        return 0, None
    figures = [breakdown.get(basis, 1) for basis in BASES if basis in task.counts]
    known = [figure for figure in figures if figure is not None]
    # A basis that failed decides, whatever a judge would say of the rest.
    if 0 in known:
        return 0, None
    if len(known) < len(figures):
        return None, "statements are not judged"
    return prod(known), None


def _gold_endings(domain: Domain, task: LiveTask) -> list[tuple[Database, list[Action]]]:
    """Return for gold and each alternative the state that it leads to, and its actions without markers."""
    endings = []
    for place, actions in enumerate((task.gold, *task.alternatives)):
        environment = domain.environment(task)
        where = f"{domain.name}: {task.id}: " + ("gold" if place == 0 else f"alternatives[{place - 1}]")
        results = replay(environment, actions, where)
        literal = [
            Action(by=action.by, name=action.name, arguments=resolved(action.arguments, results))
            for action in actions
        ]
        endings.append((environment.data, literal))
    return endings


def _state_check(final: Database, right: Sequence[Database]) -> Check:
    own = state_hash(final)
    if any(own == state_hash(data) for data in right):
        return Check(what="the final state", met=True)
    apart = [f"{path}: {after!r} instead of {before!r}" for path, before, after in changes(right[0], final)]
    shown = apart[:_SHOWN_CHANGES] + (
        [f"and {len(apart) - _SHOWN_CHANGES} more"] * (len(apart) > _SHOWN_CHANGES)
    )
    return Check(what="the final state", met=False, why="; ".join(shown))


def _said_check(value: object, episode: Episode) -> Check:
    return Check(what=str(value), met=said(value, episode.said, episode.lang))


def _action_checks(
    environment: Environment, right: Sequence[Sequence[Action]], episode: Episode
) -> tuple[Check, ...]:
    """Return the checks of the sequence that is met best; each call serves for one gold action."""
    best: tuple[Check, ...] = ()
    for place, gold in enumerate(right):
        left = list(episode.calls)
        checks = []
        for action in gold:
            match = next((call for call in left if _same_action(environment, call, action, episode)), None)
            if match is not None:
                left.remove(match)
            checks.append(Check(what=f"{action.by}: {action.name} {action.arguments}", met=match is not None))
        if place == 0 or sum(not check.met for check in checks) < sum(not check.met for check in best):
            best = tuple(checks)
    return best


def _same_action(environment: Environment, call: Action, gold: Action, episode: Episode) -> bool:
    if (call.by, call.name) != (gold.by, gold.name):
        return False
    schema = environment.schema(gold.name, gold.by)
    if schema is None:
        return False
    properties = schema.parameters["properties"]
    defaults = {name: item["default"] for name, item in properties.items() if "default" in item}
    one, other = defaults | call.arguments, defaults | gold.arguments
    setting = Setting(lang=episode.lang, reference_date=environment.data.now[:10])
    return one.keys() == other.keys() and all(
        compare(one[name], value, properties.get(name, {}), setting=setting) == "ok"
        for name, value in other.items()
    )


def _product(checks: Sequence[Check]) -> Figure:
    if any(check.met is False for check in checks):
        return 0
    return None if any(check.met is None for check in checks) else 1
