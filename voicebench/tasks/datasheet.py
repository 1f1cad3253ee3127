"""The tables of the datasheet that follow from the data: items, who has reviewed them, mixed languages."""

from collections.abc import Mapping, Sequence

from voicebench.errors import UserError
from voicebench.tasks.stats import NATIVE
from voicebench.types import TASK_KINDS, Task

BEGIN = "<!-- counted: `python tools/docs.py` writes what stands from here -->"
END = "<!-- /counted: to here -->"


def tables(tasks: Sequence[Task], names: Mapping[str, str] | None = None) -> str:
    """Return the tables as Markdown: items by language and kind, and how far each language is reviewed.

    Args:
        tasks: The whole set; languages stand in its order.
        names: Languages' names by code; without one the code stands alone.
    """
    langs = list(dict.fromkeys(task.lang for task in tasks))
    by_kind = [
        [_name(lang, names), *_counts([task for task in tasks if task.lang == lang])] for lang in langs
    ]
    reviewed = [
        [_name(lang, names), *_reviewed([task for task in tasks if task.lang == lang])] for lang in langs
    ]
    return "\n".join([
        *_table(["language", *TASK_KINDS, "total"], [*by_kind, ["all", *_counts(tasks)]]),
        "",
        *_table(
            ["language", "made by machine", "of these reviewed by native speakers", "code-mixed"],
            [*reviewed, ["all", *_reviewed(tasks)]],
        ),
    ])  # fmt: skip


def with_tables(page: str, tasks: Sequence[Task], names: Mapping[str, str] | None = None) -> str:
    """Return a page with the tables as they now are between its two markers.

    Raises:
        UserError: The markers are not there, each once and in order.
    """
    before, begin, rest = page.partition(f"{BEGIN}\n")
    _, end, after = rest.partition(f"{END}\n")
    if not begin or not end or BEGIN in rest or END in after:
        raise UserError(f"the datasheet needs the lines {BEGIN!r} and {END!r}, once each and in this order")
    return f"{before}{begin}\n{tables(tasks, names)}\n\n{end}{after}"


def _name(lang: str, names: Mapping[str, str] | None) -> str:
    name = (names or {}).get(lang)
    return f"{name} (`{lang}`)" if name else f"`{lang}`"


def _counts(tasks: Sequence[Task]) -> list[str]:
    return [*(f"{sum(task.task == kind for task in tasks):,}" for kind in TASK_KINDS), f"{len(tasks):,}"]


def _reviewed(tasks: Sequence[Task]) -> list[str]:
    # Every item was drafted by a program; a review does not change that.
    native = sum(task.meta.get("review") == NATIVE for task in tasks)
    mixed = sum(task.meta.get("code_mixed") is True for task in tasks)
    share = f" ({100 * mixed / len(tasks):.0f} %)" if tasks else ""
    return [f"{len(tasks):,}", f"{native:,}", f"{mixed:,}{share}"]


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(headers)} |", f"|{'---|' * len(headers)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]
