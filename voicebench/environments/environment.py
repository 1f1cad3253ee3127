"""An environment under way: one domain's tools over one state, for one conversation."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from voicebench.environments.contract import Action, Outcome, Side
from voicebench.environments.state import Database, state_hash
from voicebench.environments.tool import BoundTool, ToolError
from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.markers import is_marker, resolve
from voicebench.types import Tool


class Environment:
    """The tools of the agent and, where there are any, of the user, over one state.

    Nothing is shared with another environment but frozen values, so any number of them live side by side.

    Attributes:
        policy: What the agent must follow.
        data: The state; it is replaced by each call that writes, and never changed.
    """

    def __init__(
        self,
        data: Database,
        tools: Mapping[str, BoundTool],
        user_tools: Mapping[str, BoundTool] | None = None,
        policy: str = "",
    ) -> None:
        self.data = data
        self.policy = policy
        self._tools: dict[Side, Mapping[str, BoundTool]] = {"agent": tools, "user": user_tools or {}}

    @property
    def now(self) -> str:
        """The local date and time, YYYY-MM-DDTHH:MM, which the agent is told."""
        return self.data.now

    def tools(self, side: Side) -> tuple[Tool, ...]:
        """Return the schemas of the tools of one side."""
        return tuple(tool.schema for tool in self._tools[side].values())

    def schema(self, name: str, side: Side = "agent") -> Tool | None:
        """Return the schema of a tool, or None where that side has none of that name."""
        tool = self._tools[side].get(name)
        return tool.schema if tool is not None else None

    def writes(self, name: str, side: Side = "agent") -> bool:
        """Tell whether a tool may change the state; an unknown one does not."""
        tool = self._tools[side].get(name)
        return tool is not None and tool.function.writes

    def call(self, name: str, arguments: Any, *, by: Side = "agent") -> Outcome:
        """Carry out a call.

        Args:
            name: The tool.
            arguments: JSON values by parameter.
            by: Whose call it is.

        Returns:
            The result as JSON text, or `{"error": …}` with what the caller can do about it.
        """
        try:
            self.data, text = self._run(name, arguments, by)
        except ToolError as error:
            return Outcome(json.dumps({"error": str(error)}, ensure_ascii=False), error=True)
        return Outcome(text, error=False)

    def snapshot(self) -> Database:
        """Return the state; since it is frozen, this copies nothing."""
        return self.data

    def restore(self, snapshot: Database) -> None:
        """Go back to a snapshot."""
        self.data = snapshot

    def state_hash(self) -> str:
        """Return the hash of the state, 64 hex digits."""
        return state_hash(self.data)

    def _run(self, name: str, arguments: Any, by: Side) -> tuple[Database, str]:
        tool = self._tools[by].get(name)
        if tool is None:
            hint = did_you_mean(str(name)[:80], self._tools[by])
            raise ToolError(f"There is no tool {str(name)[:80]!r}.{hint}")
        if not isinstance(arguments, Mapping):
            raise ToolError(f"The arguments must be an object, not {type(arguments).__name__}.")
        effect = tool.run(self.data, arguments)
        return effect.data, effect.result


def replay(environment: Environment, actions: Iterable[Action], where: str) -> list[Any]:
    """Carry out actions that must succeed, such as gold, and return what each returned as JSON values.

    Markers in the arguments are read from the results before.

    Args:
        environment: Where they happen.
        actions: Each by its own side.
        where: What the error starts with, such as "cab-simple-01: gold".

    Raises:
        UserError: An action fails, or a marker leads nowhere.
    """
    results: list[Any] = []
    for place, action in enumerate(actions):
        try:
            arguments = resolved(action.arguments, results)
        except LookupError as error:
            raise UserError(f"{where}[{place}]: marker leads nowhere ({error})") from None
        outcome = environment.call(action.name, arguments, by=action.by)
        if outcome.error:
            raise UserError(f"{where}[{place}]: {action.name} fails: {outcome.text}")
        results.append(json.loads(outcome.text))
    return results


def repeat(environment: Environment, actions: Iterable[Action], texts: Sequence[str] | None = None) -> None:
    """Carry out recorded calls again, failed ones included.

    Args:
        environment: A fresh one, as the conversation began with.
        actions: The calls as they were made.
        texts: What each returned then; None compares nothing.

    Raises:
        UserError: A call returns something else than it did: the tools or the data have changed since.
    """
    for place, action in enumerate(actions):
        outcome = environment.call(action.name, action.arguments, by=action.by)
        if texts is not None and not _same_json(outcome.text, texts[place]):
            raise UserError(
                f"call {place} ({action.name}) now returns {outcome.text[:120]}, not {texts[place][:120]}. "
                "Score it with the version of voicebench that recorded it"
            )


def resolved(value: Any, results: Sequence[Any]) -> Any:
    """Return a value with its markers replaced by what they stand for.

    Raises:
        LookupError: A marker names no call, or no part of its result.
    """
    if is_marker(value):
        return resolve(value, results)
    if isinstance(value, dict):
        return {key: resolved(item, results) for key, item in value.items()}
    return [resolved(item, results) for item in value] if isinstance(value, list) else value


def _same_json(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False
