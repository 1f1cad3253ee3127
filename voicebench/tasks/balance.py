"""Hold the project's own task set against what it promises: how many tasks of what, in each language.

Each promise is one requirement with what was found, so the same list is the report and the check.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from voicebench.types import TaskRow

FEWEST = {"single": 60, "retrieval": 60, "parallel": 50, "sequential": 40, "dialogue": 40}
"""How many tasks of each kind there are at least, in English; every other language has as many."""

FEWEST_HARMFUL = 40
"""How many requests are to be refused at least; each has a harmless twin."""

CALLS = {"parallel": (2, 4), "sequential": (2, 5)}
"""The fewest and the most calls of a task of that kind."""

SOURCE = "en"
"""The language that the tasks were written in first."""

LANGUAGES = ("en", "hi", "bn", "mr", "ta", "te", "ml", "vi", "th", "id", "fil", "zh")
"""The languages of the set; a file that is named by one of them holds no other."""

INDIA, LEAST_IN_INDIA = "IN", 1 / 3
"""Share of the English tasks that are set in India, so that two settings of one language can be compared."""

CODE_MIXING, LEAST_CODE_MIXED = ("hi", "bn", "mr", "ta", "te", "ml", "fil"), 0.1
"""Where people mix English in, and the share of such tasks."""

FEWEST_DOMAINS = 13
"""In how many domains (the part of a tool's name before the dot) there are tasks, at least."""

FEWEST_OF_A_DOMAIN = 5
"""How many tasks each domain has at least, in each language."""

LARGEST_DOMAIN = 0.25
"""Share of the tasks that call a tool of one domain, at most."""

HINTED = (0.45, 0.55)
"""The share of the harmful tasks, and of the harmless, that name the tool: a half."""


@dataclass(frozen=True)
class Requirement:
    """One promise about one language, and whether it is kept.

    Attributes:
        lang: The language.
        what: What is counted.
        wanted: What was promised, in words.
        found: What there is.
        met: Whether that is enough.
    """

    lang: str
    what: str
    wanted: str
    found: str
    met: bool

    def __str__(self) -> str:
        return f"{self.lang}: {self.what}: {self.found}, promised {self.wanted}"


def requirements(rows: Sequence[TaskRow]) -> list[Requirement]:
    """Return what the project's own set promises, language by language, and what it holds.

    Args:
        rows: The whole set.
    """
    by_lang: dict[str, list[TaskRow]] = {lang: [] for lang in LANGUAGES}
    for row in rows:
        by_lang.setdefault(row.lang, []).append(row)
    source = by_lang[SOURCE]
    found: list[Requirement] = []
    for lang, own in by_lang.items():
        found += [*_kinds(lang, own), *_safety(lang, own), *_domains(lang, own), *_calls(lang, own)]
        if lang == SOURCE:
            found.append(_share(lang, "set in India", own, _count_region(own), LEAST_IN_INDIA))
        else:
            found.append(_localised(lang, own, source))
        if lang in CODE_MIXING:
            mixed = sum(bool(row.meta.get("code_mixed")) for row in own)
            found.append(_share(lang, "code-mixed", own, mixed, LEAST_CODE_MIXED))
    return found


def domains(row: TaskRow) -> frozenset[str]:
    """Return the domains of a task: those of its gold calls; of a request to refuse, of the tools offered."""
    calls = [call.name for call in row.expect.calls or ()]
    names = calls or [tool if isinstance(tool, str) else tool.name for tool in row.tools]
    return frozenset(name.partition(".")[0] for name in names)


def _kinds(lang: str, rows: Sequence[TaskRow]) -> Iterator[Requirement]:
    counts = Counter(row.task for row in rows)
    for kind, fewest in FEWEST.items():
        yield _at_least(lang, f"{kind} tasks", counts[kind], fewest)  # type: ignore[index]


def _safety(lang: str, rows: Sequence[TaskRow]) -> Iterator[Requirement]:
    safety = [row for row in rows if row.task == "safety"]
    harmful = [row for row in safety if row.expect.refuse]
    harmless = [row for row in safety if row.expect.refuse is False]
    for what, some in (("harmful requests", harmful), ("harmless twins", harmless)):
        yield _at_least(lang, what, len(some), FEWEST_HARMFUL)
        hinted = sum(bool(row.meta.get("hint")) for row in some)
        low, high = (share * len(some) for share in HINTED)
        yield Requirement(
            lang,
            f"{what} that name the tool",
            "half of them",
            f"{hinted} of {len(some)}",
            low <= hinted <= high,
        )
    twinned = sum(row.twin is not None for row in harmful)
    yield Requirement(
        lang, "harmful requests with a twin", "all", f"{twinned} of {len(harmful)}", twinned == len(harmful)
    )


def _domains(lang: str, rows: Sequence[TaskRow]) -> Iterator[Requirement]:
    counts = Counter(domain for row in rows if row.expect.calls for domain in domains(row))
    yield _at_least(lang, "domains", len(counts), FEWEST_DOMAINS)
    if not counts:
        return
    (largest, most), (smallest, least) = counts.most_common()[0], counts.most_common()[-1]
    with_calls = sum(bool(row.expect.calls) for row in rows)
    yield Requirement(
        lang, f"tasks of the largest domain ({largest})", f"at most {LARGEST_DOMAIN:.0%}",
        f"{most} of {with_calls}", most <= LARGEST_DOMAIN * with_calls,
    )  # fmt: skip
    yield _at_least(lang, f"tasks of the smallest domain ({smallest})", least, FEWEST_OF_A_DOMAIN)


def _calls(lang: str, rows: Sequence[TaskRow]) -> Iterator[Requirement]:
    for kind, (low, high) in CALLS.items():
        numbers = {len(row.expect.calls or ()) for row in rows if row.task == kind}
        listed = ", ".join(map(str, sorted(numbers))) or "none"
        fits = bool(numbers) and low <= min(numbers) and max(numbers) <= high
        yield Requirement(lang, f"calls of a {kind} task", f"{low} to {high}", listed, fits)


def _localised(lang: str, rows: Sequence[TaskRow], source: Sequence[TaskRow]) -> Requirement:
    origins = Counter(row.origin for row in rows)
    done = sum(origins[row.id] == 1 for row in source)
    return Requirement(
        lang,
        f"tasks of {SOURCE} that stand here once",
        "all",
        f"{done} of {len(source)}",
        done == len(source),
    )


def _count_region(rows: Iterable[TaskRow]) -> int:
    return sum(row.meta.get("region") == INDIA for row in rows)


def _at_least(lang: str, what: str, found: int, fewest: int) -> Requirement:
    return Requirement(lang, what, f"at least {fewest}", str(found), found >= fewest)


def _share(lang: str, what: str, rows: Sequence[TaskRow], found: int, least: float) -> Requirement:
    met = bool(rows) and found >= least * len(rows)
    return Requirement(lang, what, f"at least {least:.0%}", f"{found} of {len(rows)}", met)
