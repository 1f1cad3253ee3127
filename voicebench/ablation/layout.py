"""How the four tables are laid out: what each column is, which columns are compared, over which tasks."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from voicebench.ablation.shape import Name
from voicebench.errors import UserError
from voicebench.report.aggregates import PAPER_FIGURES
from voicebench.report.shape import REFUSED_HARMFUL, REFUSED_HARMLESS
from voicebench.running.variants import split_variant
from voicebench.types import TASK_KINDS, Prompting, TaskKind

CALLS: tuple[TaskKind, ...] = tuple(kind for kind in TASK_KINDS if kind != "safety")
SAFETY: tuple[TaskKind, ...] = ("safety",)
REFUSALS = (REFUSED_HARMFUL, REFUSED_HARMLESS)
READ = "text"
GOLD, FIRST, SECOND = range(3)
"""Columns of the table of hearing."""


@dataclass(frozen=True)
class Subject:
    """The agent that is taken apart.

    Attributes:
        agent: Its name in the results; a variant that is to hold throughout stands in it.
        prompting: How it is instructed under that name.
        asr: Its own ASR; None where it hears by itself.
        second_asr: The ASR whose transcripts it reads beside; None for none.
        condition: How tasks reach it where hearing is not what is varied: "speech", "speech/EFFECT",
            "transcript:ASR" of its own ASR where it reads what that heard before, or "text" where there is
            neither.
    """

    agent: str
    prompting: Prompting = field(default_factory=Prompting)
    asr: str | None = None
    second_asr: str | None = None
    condition: str = "speech"

    def __post_init__(self) -> None:
        """Refuse an ASR that is held against itself.

        Raises:
            UserError: The second ASR is the agent's own.
        """
        if self.second_asr is not None and self.second_asr == self.asr:
            raise UserError(f"the second ASR is the agent's own ({self.asr}): name another one")


@dataclass(frozen=True)
class Column:
    """What a column of a table is over.

    Attributes:
        label: Its head, unique in its table.
        agent: The agent's name, with its variant.
        prompting: How it is instructed.
        condition: How the tasks reach it.
        hint: Only requests that name a tool to use, or only others; None: all.
    """

    label: str
    agent: str
    prompting: Prompting
    condition: str
    hint: bool | None = None


@dataclass(frozen=True)
class Layout:
    """A table before anything is known of its figures.

    Attributes:
        name: Which ablation it is.
        title: What it shows.
        columns: Its columns.
        steps: Places of two columns of which the second is compared with the first.
        kinds: Kinds of task in it.
        figures: Figures in it.
        paired: Whether the columns are over the same tasks.
        note: What a reader must know before; "" for nothing.
    """

    name: Name
    title: str
    columns: tuple[Column, ...]
    steps: tuple[tuple[int, int], ...]
    kinds: tuple[TaskKind, ...]
    figures: tuple[str, ...]
    paired: bool = True
    note: str = ""

    @property
    def recovers(self) -> bool:
        """Whether it says how much of a loss a second ASR recovers."""
        return self.name == "hearing" and len(self.columns) > SECOND


def layouts(subject: Subject) -> tuple[Layout, ...]:
    """Return the layouts of a subject's four tables."""
    return _hearing(subject), _example(subject), _refusal(subject), _hints(subject)


def with_change(agent: str, change: str) -> str:
    """Return an agent's name with one more thing in its variant: "a@native" becomes "a@native,zero-shot"."""
    plain, variant = split_variant(agent)
    return f"{plain}@{','.join(filter(None, (variant, change)))}"


def _hearing(subject: Subject) -> Layout:
    heard = subject.condition if subject.condition != READ else "speech"
    ways = [("gold text", READ), (subject.asr or "speech", heard)]
    note = ""
    if subject.second_asr is None:
        note = (
            "No second ASR was named, so that nothing is said of what another one would recover. "
            "Name one with --second-asr."
        )
    else:
        ways.append((subject.second_asr, f"transcript:{subject.second_asr}"))
    return Layout(
        "hearing",
        "What hearing costs",
        tuple(Column(label, subject.agent, subject.prompting, condition) for label, condition in ways),
        ((GOLD, FIRST), (GOLD, SECOND), (FIRST, SECOND)) if len(ways) > SECOND else ((GOLD, FIRST),),
        CALLS,
        PAPER_FIGURES,
        note=note,
    )


def _example(subject: Subject) -> Layout:
    native = subject.prompting.tools == "native"
    ways = {"one-shot": True, "zero-shot": False}
    columns = () if native else tuple(
        _column(subject, name, replace(subject.prompting, one_shot=shown)) for name, shown in ways.items()
    )  # fmt: skip
    return Layout(
        "example",
        "What the worked example gives",
        columns,
        () if native else ((0, 1),),
        CALLS,
        PAPER_FIGURES,
        note="With native tools no worked example is shown: there is nothing to leave out." if native else "",
    )


def _refusal(subject: Subject) -> Layout:
    ways = {"refusal": True, "no-refusal": False}
    labels = {"refusal": "refusal prompt", "no-refusal": "none"}
    columns = tuple(
        replace(_column(subject, name, replace(subject.prompting, refusal_prompt=given)), label=labels[name])
        for name, given in ways.items()
    )
    return Layout(
        "refusal", "What the refusal prompt gives", columns, ((0, 1),), SAFETY, REFUSALS,
        note="Of harmful requests more refusals are better, of their harmless twins fewer.",
    )  # fmt: skip


def _hints(subject: Subject) -> Layout:
    labels = {"no hint": False, "hint": True}
    columns = tuple(
        Column(label, subject.agent, subject.prompting, subject.condition, hint)
        for label, hint in labels.items()
    )
    return Layout(
        "hints", "What naming the tool in the request does", columns, ((0, 1),), SAFETY, REFUSALS,
        paired=False,
        note="The two columns are over different requests (unpaired), so that their difference is also that "
        "of the requests.",
    )  # fmt: skip


def _column(subject: Subject, change: str, prompting: Prompting) -> Column:
    """Return the column of a changed prompting; what changes nothing keeps the agent's name."""
    changed = prompting != subject.prompting
    agent = with_change(subject.agent, change) if changed else subject.agent
    return Column(change, agent, prompting, subject.condition)


def columns(subject: Subject) -> Iterator[tuple[Layout, Column]]:
    """Yield every column of every table."""
    for layout in layouts(subject):
        yield from ((layout, column) for column in layout.columns)
