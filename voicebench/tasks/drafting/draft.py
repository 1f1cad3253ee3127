"""From a table to items: made of its gold calls, drafted by a language model, localised, checked, and kept.

Each item is appended to its file as soon as it is done, and not made again: `meta.drafted_from` says what it
was made from. An item that a model made and that still has problems when it was told of them once is not
kept; it stands in the report with its last answer. What a model had a part in says so: `meta.review` is
"machine", until a native speaker has seen it, and `meta.drafted_by` names the model and the prompts' hash.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.files import Appender, read_rows, write_rows, write_text
from voicebench.models import Progress, no_progress
from voicebench.protocols import LanguageModel
from voicebench.tasks.check import LANGUAGES
from voicebench.tasks.drafting.asking import AT_ONCE, ask, for_each
from voicebench.tasks.drafting.items import (
    MADE_FROM,
    calls_in_answer,
    fixed_of,
    item_of,
    localised_answer,
    localised_from,
    made_from,
    problems_of,
    with_needed_words,
)
from voicebench.tasks.drafting.localise import localised_id
from voicebench.tasks.drafting.prompts import PROMPTS_SHA256, Question, calls_question, words_question
from voicebench.tasks.drafting.table import Query
from voicebench.tasks.drafting.words import words_of
from voicebench.types import TaskRow, Tool

REPORT = "drafts-report.json"
MOST_ASKED = 2
"""How often a model is asked for one item: once, and once more with what is wrong with its answer."""

MOST_SHOWN = 64
"""Tools that a model is shown to draft a call; a row of a larger set names its candidates."""

CHANGED = "was reviewed, and its row, its tools or its origin changed since. Remove it to have it made anew"
"""What is wrong with an item that a person has seen in another form."""

State = Literal["written", "drafted", "localised", "there already", "failed"]
Read = Callable[[str], tuple[TaskRow | None, list[str]]]


@dataclass(frozen=True)
class Outcome:
    """What became of one item.

    Attributes:
        where: The row of the table.
        id: The item's.
        lang: Its language.
        state: "written" is by a person, "drafted" and "localised" by a model; a "failed" one is not kept.
        problems: What is wrong with it.
        answer: The model's last answer, of a failed one.
    """

    where: str
    id: str
    lang: str
    state: State
    problems: tuple[str, ...] = ()
    answer: str | None = None


@dataclass(frozen=True)
class Drafts:
    """What became of a table: an outcome an item, in the table's order, and the files."""

    outcomes: tuple[Outcome, ...]
    files: tuple[Path, ...]
    report: Path

    @property
    def counts(self) -> dict[str, int]:
        """How many items there are in each state that occurs."""
        return dict(Counter(outcome.state for outcome in self.outcomes))

    @property
    def troubled(self) -> tuple[Outcome, ...]:
        """The items with problems: failed, or written by a person and in need of a change."""
        return tuple(outcome for outcome in self.outcomes if outcome.problems)


def draft(
    queries: Sequence[Query],
    tools: Sequence[Tool],
    *,
    out: Path,
    name: str = "own",
    langs: Sequence[str] = (),
    region: str | None = None,
    model: LanguageModel | None = None,
    fresh: bool = False,
    at_once: int = AT_ONCE,
    progress: Progress = no_progress,
) -> Drafts:
    """Make the items of a table, in its own languages and in others, and go on where it stopped.

    Args:
        queries: The rows of the table.
        tools: The team's tools; each item holds the schemas of those that it offers.
        out: A `.jsonl` for all items, or a folder for one `<lang>.jsonl` a language.
        name: Begins the ids of items whose row gives none.
        langs: The languages that every row is wanted in; a row in its own language is its origin.
        region: The country of localised items, where it is another one than the row's.
        model: Drafts calls and localises; None where neither is needed.
        fresh: Make all items anew.
        at_once: Items under way at once, at a server.
        progress: Told how it goes on.

    Returns:
        What became of each item; the same stands in `drafts-report.json` beside the items.

    Raises:
        UserError: A model is needed, too many tools would be shown, the file holds other items of the same
            id, or cannot be written.
    """
    _check(queries, tools, langs, out, model)
    drafting = _Drafting(queries, tools, out, name, langs, region, model, fresh)
    with drafting.files:
        drafting.run(at_once, progress)
    drafting.put_in_order()
    outcomes = drafting.outcomes_in_order()
    report = (out.parent if out.suffix == ".jsonl" else out) / REPORT
    _write_report(report, outcomes)
    return Drafts(tuple(outcomes), tuple(drafting.files.paths), report)


def _check(
    queries: Sequence[Query],
    tools: Sequence[Tool],
    langs: Sequence[str],
    out: Path,
    model: LanguageModel | None,
) -> None:
    wanted = {query.lang for query in queries} | set(langs)
    if out.suffix == ".jsonl" and out.stem in LANGUAGES and wanted != {out.stem}:
        others = ", ".join(sorted(wanted - {out.stem}))
        raise UserError(
            f"{out}: its name promises {out.stem} alone, and it would hold {others} too."
            f" Give a folder: --out {out.parent}"
        )
    seen: dict[str, str] = {}
    for query in queries:
        same = seen.setdefault(made_from(query, tools), query.where)
        if same != query.where:
            raise UserError(f"{query.where}: is the same as {same}")
        if model is None and query.is_drafted:
            raise UserError(f"{query.where}: has no gold. Write it down, or let a model draft it: --model")
        others_than_own = [lang for lang in langs if lang != query.lang]
        if model is None and others_than_own:
            raise UserError(
                f"{query.where}: is in {query.lang!r}, not {others_than_own[0]!r}."
                " Let a model localise it: --model"
            )
        if query.is_drafted and not query.tools and len(tools) > MOST_SHOWN:
            raise UserError(
                f"{query.where}: has no gold, and a model is shown {MOST_SHOWN} tools, not {len(tools)}."
                " Name its candidates in the column 'tools'"
            )


@dataclass
class _Files:
    """The files that items are kept in, one for all or one a language; used with `with`."""

    out: Path
    fresh: bool
    rows: dict[str, TaskRow] = field(default_factory=dict)
    _open: dict[Path, Appender] = field(default_factory=dict)
    _paths: dict[Path, None] = field(default_factory=dict)

    @property
    def paths(self) -> list[Path]:
        return list(self._paths)

    def path_of(self, lang: str) -> Path:
        return self.out if self.out.suffix == ".jsonl" else self.out / f"{lang}.jsonl"

    def read(self, langs: Iterable[str]) -> None:
        """Read what is there; of an item that stands twice, the last one holds."""
        for path in dict.fromkeys(self.path_of(lang) for lang in langs):
            self._paths[path] = None
            if path.exists():
                rows = read_rows(path, TaskRow, tolerate_torn_end=True)
                self.rows |= {row.id: row for row in rows if not (self.fresh and MADE_FROM in row.meta)}

    def add(self, row: TaskRow) -> None:
        path = self.path_of(row.lang)
        if path not in self._open:
            self._open[path] = Appender(path)
        self._open[path].add(row)
        self.rows[row.id] = row

    def __enter__(self) -> "_Files":
        return self

    def __exit__(self, *error: object) -> None:
        for appender in self._open.values():
            appender.close()

    def write(self, order: Mapping[str, int]) -> None:
        """Write the files whole: items that are not of the table first, as they stood."""
        rows = sorted(self.rows.values(), key=lambda row: order.get(row.id, -1))
        for path in self.paths:
            own = [row for row in rows if self.path_of(row.lang) == path]
            if own or path.exists():
                write_rows(path, own)


class _Drafting:
    """The work on one table."""

    def __init__(
        self,
        queries: Sequence[Query],
        tools: Sequence[Tool],
        out: Path,
        name: str,
        langs: Sequence[str],
        region: str | None,
        model: LanguageModel | None,
        fresh: bool,
    ) -> None:
        self.files = _Files(out, fresh)
        self.files.read(dict.fromkeys([*(query.lang for query in queries), *langs]))
        self._tools = tools
        self._langs = langs
        self._region = region
        self._model = model
        self._made = {_key(row): row for row in self.files.rows.values() if MADE_FROM in row.meta}
        self._ids = self._named(queries, name)
        self._queries = queries
        self._outcomes: dict[tuple[str, str], Outcome] = {}

    def run(self, at_once: int, progress: Progress) -> None:
        if self._model is None:
            for query in self._queries:
                self._written(query)
            return
        done = 0

        async def work(query: Query) -> bool:
            nonlocal done
            answered = await self._item(query)
            done += 1
            progress("drafted", done, len(self._queries))
            return answered

        for_each(self._queries, work, self._model, at_once=at_once)

    def put_in_order(self) -> None:
        order = {outcome.id: place for place, outcome in enumerate(self.outcomes_in_order())}
        self.files.write(order)

    def outcomes_in_order(self) -> list[Outcome]:
        langs = {lang: place for place, lang in enumerate(self._langs)}
        places = {query.where: place for place, query in enumerate(self._queries)}
        own = {query.where: query.lang for query in self._queries}

        def place(outcome: Outcome) -> tuple[int, int]:
            is_origin = outcome.lang == own[outcome.where]
            return places[outcome.where], -1 if is_origin else langs.get(outcome.lang, 0)

        return sorted(self._outcomes.values(), key=place)

    def _named(self, queries: Sequence[Query], name: str) -> dict[str, str]:
        """Return each row's id by its place: its own, the one that its item has already, or the next free."""
        ids: dict[str, str] = {}
        for query in queries:
            known = self._made.get((query.lang, made_from(query, self._tools)))
            if query.id or known is not None:
                ids[query.where] = query.id or (known.id if known is not None else "")
        taken = set(ids.values())
        for number, query in enumerate(queries, start=1):
            if query.where not in ids:
                numbered = (f"{name}-{query.lang}-{n:04d}" for n in range(number, number + len(queries) * 2))
                ids[query.where] = next(new for new in numbered if new not in taken)
                taken.add(ids[query.where])
        for query in queries:
            there = self.files.rows.get(ids[query.where])
            if there is not None and MADE_FROM not in there.meta:
                raise UserError(
                    f"{self.files.path_of(query.lang)}: holds another item {there.id!r}. Give another --out"
                )
        return ids

    def _there(self, query: Query, task_id: str, lang: str, digest: str) -> TaskRow | None:
        """Return an item that need not be made: it was made of the same, or a person has reviewed it."""
        row = self._made.get((lang, digest))
        if row is not None:
            self._note(query, row.id, lang, "there already", problems_of(row))
            return row
        row = self.files.rows.get(task_id)
        if row is None or row.meta.get("review", "machine") == "machine":
            return None
        self._note(query, row.id, lang, "there already", [CHANGED, *problems_of(row)])
        return row

    def _written(self, query: Query) -> TaskRow:
        task_id = self._ids[query.where]
        row = self._there(query, task_id, query.lang, made_from(query, self._tools))
        if row is None:
            row = item_of(query, query.calls, self._tools, task_id)
            self.files.add(row)
            self._note(query, row.id, row.lang, "written", problems_of(row))
        return row

    async def _item(self, query: Query) -> bool:
        """Make a row's item in its own language and in all others; tell whether the model answered."""
        origin, answered = await self._drafted(query) if query.is_drafted else (self._written(query), True)
        for lang in self._langs:
            if lang == query.lang:
                continue
            if origin is None:
                missing = localised_id(self._ids[query.where], query.lang, lang)
                self._note(query, missing, lang, "failed", ["its origin was not made"])
                continue
            answered = await self._localised(query, origin, lang) and answered
        return answered

    async def _drafted(self, query: Query) -> tuple[TaskRow | None, bool]:
        task_id = self._ids[query.where]
        row = self._there(query, task_id, query.lang, made_from(query, self._tools))
        if row is not None:
            return row, True
        shown = [tool for tool in self._tools if not query.tools or tool.name in query.tools]

        def read(answer: str) -> tuple[TaskRow | None, list[str]]:
            try:
                calls, said = calls_in_answer(answer, shown)
            except UserError as error:
                return None, [str(error)]
            row = item_of(query, calls, self._tools, task_id)
            row = with_needed_words(row, {**said, **query.said})
            return row, problems_of(row)

        question = calls_question(query.turns, shown, lang=query.lang, reference_date=query.reference_date)
        return await self._asked(query, task_id, query.lang, question, read, "drafted")

    async def _localised(self, query: Query, origin: TaskRow, lang: str) -> bool:
        region = self._region
        task_id = localised_id(origin.id, origin.lang, lang)
        if self._there(query, task_id, lang, localised_from(origin, lang, region)) is not None:
            return True
        words = words_of(origin)
        question = words_question(
            origin, words, fixed_of(origin, words), lang=lang, region=region or origin.meta.get("region")
        )

        def read(answer: str) -> tuple[TaskRow | None, list[str]]:
            return localised_answer(answer, origin, lang=lang, region=region)

        _, answered = await self._asked(query, task_id, lang, question, read, "localised")
        return answered

    async def _asked(
        self,
        query: Query,
        task_id: str,
        lang: str,
        question: Question,
        read: Read,
        state: State,
    ) -> tuple[TaskRow | None, bool]:
        """Ask, and once more if the answer has problems; keep what has none, note what was not kept."""
        assert self._model is not None
        answer: str | None = None
        problems: list[str] = []
        try:
            for asked in range(MOST_ASKED):
                if asked and answer is not None:
                    question = question.again(answer, problems)
                answer = await ask(self._model, question)
                row, problems = read(answer)
                if row is not None and not problems:
                    row = _signed(row, self._model)
                    self.files.add(row)
                    self._note(query, row.id, lang, state)
                    return row, True
        except AgentFailure as failure:
            self._note(query, task_id, lang, "failed", [f"{failure.kind}: {first_line(failure)}"], answer)
            return None, False
        self._note(query, task_id, lang, "failed", problems, answer)
        return None, True

    def _note(
        self,
        query: Query,
        task_id: str,
        lang: str,
        state: State,
        problems: Sequence[str] = (),
        answer: str | None = None,
    ) -> None:
        self._outcomes[query.where, lang] = Outcome(
            query.where, task_id, lang, state, tuple(problems), answer
        )


def _key(row: TaskRow) -> tuple[str, str]:
    return row.lang, str(row.meta[MADE_FROM])


def _signed(row: TaskRow, model: LanguageModel) -> TaskRow:
    by = {"model": model.model.name, "revision": model.model.revision, "prompts_sha256": PROMPTS_SHA256}
    return row.model_copy(update={"meta": row.meta | {"review": "machine", "drafted_by": by}})


def _write_report(path: Path, outcomes: Sequence[Outcome]) -> None:
    counts: dict[str, Any] = dict(Counter(outcome.state for outcome in outcomes))
    items = [{k: v for k, v in asdict(outcome).items() if v not in (None, ())} for outcome in outcomes]
    write_text(path, json.dumps({"counts": counts, "items": items}, ensure_ascii=False, indent=2) + "\n")
