"""What passes between an environment and those who use it: actions, outcomes, tasks, and the seam itself.

An orchestrator needs nothing but `Live`; an environment in another process or seen in another language is one
more class with these methods.
"""

from typing import Any, Literal, NamedTuple, Protocol, Self, get_args

from pydantic import Field, model_validator

from voicebench.types import Row, Tool

Side = Literal["agent", "user"]
Basis = Literal["state", "said", "assertions", "actions", "judged"]
BASES: tuple[Basis, ...] = get_args(Basis)
TaskSort = Literal["simple", "dependent", "correction", "missing", "forbidden", "impossible"]
SORTS: tuple[TaskSort, ...] = get_args(TaskSort)


class Action(Row):
    """A call by the agent or the user; in gold, an argument may be a marker into an earlier gold result."""

    by: Side = "agent"
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Outcome(NamedTuple):
    """What came of a call.

    Attributes:
        text: What the caller is told: JSON, letters as they are; `{"error": …}` where it failed.
        error: Whether it failed, by the caller's fault.
    """

    text: str
    error: bool


class Scenario(Row):
    """What a simulated user is told, and what a scripted one says.

    Attributes:
        persona: Who the user is and how they speak.
        reason: What they want, in the second person.
        known: What they can say when they are asked.
        unknown: What they do not know, and must not make up.
        instructions: How to behave on the way: corrections, refusals, what to insist on.
        stop_when: When the conversation is over for them.
        opening: The first thing they say.
        script: What a scripted user says after the opening, one line a turn; after the last one it stops.
    """

    persona: str
    reason: str
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    instructions: str = ""
    stop_when: str
    opening: str = Field(min_length=1)
    script: tuple[str, ...] = ()


class Initial(Row):
    """How a task's first state differs from the domain's: a JSON merge patch, then calls."""

    changes: dict[str, Any] = Field(default_factory=dict)
    calls: tuple[Action, ...] = ()


class Assertion(Row):
    """A statement on the final state.

    With `count`, the part at `path` is a table, and that many rows have all the values of `where`; otherwise
    the part there equals `equals` (absent: nothing is there).
    """

    path: str
    equals: Any = None
    where: dict[str, Any] | None = None
    count: int | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if (self.where is None) != (self.count is None):
            raise ValueError("'where' and 'count' come together")
        return self


class LiveTask(Row):
    """A line of a domain's tasks.jsonl.

    Attributes:
        id: Unique in the domain.
        sort: What makes it hard.
        lang: The language that the user speaks.
        origin: The id of the task that this one was localised from.
        initial: How the first state differs from the domain's.
        user: The scenario.
        gold: Actions that lead to the right final state; none where nothing may be done.
        alternatives: Other sequences that are right as well.
        said: What the agent must say, each a value or a list of which one is enough.
        assertions: What must hold in the end.
        judged: Statements that only a judge can check.
        counts: Which bases make the reward, as a product.
        user_tools: Which of the user's tools this user has; None for all.
    """

    id: str = Field(min_length=1)
    sort: TaskSort
    lang: str = Field(default="en", min_length=2)
    origin: str | None = None
    initial: Initial = Initial()
    user: Scenario
    gold: tuple[Action, ...] = ()
    alternatives: tuple[tuple[Action, ...], ...] = ()
    said: tuple[Any, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    judged: tuple[str, ...] = ()
    counts: tuple[Basis, ...] = Field(default=("state", "said"), min_length=1)
    user_tools: tuple[str, ...] | None = None
    meta: dict[str, Any] = Field(default_factory=dict)


class Live(Protocol):
    """An environment under way: what an orchestrator drives, whatever stands behind it."""

    policy: str
    """What the agent must follow."""

    @property
    def now(self) -> str:
        """The local date and time, YYYY-MM-DDTHH:MM, which the agent is told."""
        ...

    def tools(self, side: Side) -> tuple[Tool, ...]:
        """Return the schemas of the tools of one side."""
        ...

    def call(self, name: str, arguments: Any, *, by: Side = "agent") -> Outcome:
        """Carry out a call. The caller's mistake becomes an outcome with an error, never an exception."""
        ...

    def snapshot(self) -> Any:
        """Return the state, to go back to."""
        ...

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        ...

    def state_hash(self) -> str:
        """Return the hash of the state, 64 hex digits."""
        ...
