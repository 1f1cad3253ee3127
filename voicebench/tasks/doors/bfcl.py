"""Read the Berkeley Function-Calling Leaderboard, v3 and v4: the categories of Python calls of one answer.

A file `BFCL_v4_<category>.json` has a JSON object a line: `id`, `question` (turns, each a list of messages)
and `function` (tools with Python's type names). The right calls stand in `possible_answer/`, in a file of the
same name: `{"id", "ground_truth": [{function: {parameter: [accepted, …]}}]}`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.tasks.doors.collect import Collector, check_categories
from voicebench.tasks.doors.contract import Clip, Imported, NoTask, Wanted
from voicebench.tasks.doors.conversation import Conversation, Said, conversation
from voicebench.tasks.doors.gold import read_calls
from voicebench.tasks.doors.kinds import kind_of, language_of_script
from voicebench.tasks.doors.python_types import read_tool
from voicebench.tasks.doors.records import records
from voicebench.tasks.doors.source import Source
from voicebench.types import Expect, TaskRow, Tool

LICENCE = "Apache-2.0"
ANSWERS = "possible_answer"

WITH_CALLS = (
    "simple", "simple_python", "multiple", "parallel", "parallel_multiple",
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple",
)  # fmt: skip
"""Categories with right calls."""

WITHOUT_CALLS = ("irrelevance", "live_irrelevance")
"""Categories where no tool fits, so that no call is right."""

REFUSED: Mapping[str, str] = {
    "live_relevance": "any call is right in this category, and it says none",
    **dict.fromkeys(
        ("java", "javascript", "simple_java", "simple_javascript"),
        "its calls and types are of another language than Python",
    ),
    **dict.fromkeys(
        ("multi_turn_base", "multi_turn_composite", "multi_turn_long_context", "multi_turn_miss_func",
         "multi_turn_miss_param"),
        "it is judged by the state after several answers, not by one",
    ),
    **dict.fromkeys(
        ("memory", "memory_kv", "memory_vector", "memory_rec_sum", "web_search", "web_search_base",
         "web_search_no_snippet"),
        "it is judged by what an agent finds with tools that run, not by its calls",
    ),
    "format_sensitivity": "it holds ids of other categories alone",
    **dict.fromkeys(
        ("sql", "rest", "chatable", "exec_simple", "exec_multiple", "exec_parallel",
         "exec_parallel_multiple"),
        "its right answers are not accepted values of parameters",
    ),
}  # fmt: skip
"""Categories that cannot be tasks here, and why."""

_FILE = re.compile(r"BFCL_v\d+_(?P<category>\w+)\.jsonl?")
_NOT_QUESTIONS = frozenset((ANSWERS, "unused_datasets", "memory_prereq_conversation", "multi_turn_func_doc"))


def read(source: Source, wanted: Wanted) -> Imported:
    """Read every category that there is, or the wanted ones.

    Raises:
        UserError: There is no such file, a category is unknown, or a file is broken.
    """
    check_categories(wanted, (*WITH_CALLS, *WITHOUT_CALLS, *REFUSED))
    collector = Collector()
    files = source.files("*/BFCL_v*.json*")
    questions = [path for path in files if _category(path) and not _NOT_QUESTIONS.intersection(path.parts)]
    if not questions:
        raise UserError(f"{source.name}: holds no BFCL_v3_<category>.json or BFCL_v4_<category>.json")
    for path in questions:
        category = _category(path)
        if wanted.category(category):
            _read_file(source, path, category, wanted, collector)
    return collector.imported()


def _category(path: Path) -> str:
    found = _FILE.fullmatch(path.name)
    return found["category"] if found else ""


def _read_file(source: Source, path: Path, category: str, wanted: Wanted, collector: Collector) -> None:
    where = source.where(path)
    refused = (
        None if category in WITH_CALLS + WITHOUT_CALLS else REFUSED.get(category, "its category is not known")
    )
    answers = None if refused or category in WITHOUT_CALLS else _answers(source, path)
    for place, item in records(path, where):
        place = f"{place} {item.get('id', '')}".rstrip()
        if refused:
            collector.skip(f"{category}: {refused}", place)
            continue

        def build(item: Mapping[str, Any] = item) -> tuple[TaskRow, tuple[Clip, ...]]:
            return _task(item, category, answers, source, wanted), ()

        collector.add(place, build)


def _answers(source: Source, path: Path) -> dict[str, Any]:
    """Return the right calls of a category by id; empty where the file of answers is missing."""
    found = path.parent / ANSWERS / path.name
    if not found.is_file():
        return {}
    where = source.where(found)
    return {str(item.get("id")): item.get("ground_truth") for _, item in records(found, where)}


def _task(
    item: Mapping[str, Any],
    category: str,
    answers: Mapping[str, Any] | None,
    source: Source,
    wanted: Wanted,
) -> TaskRow:
    own = str(item.get("id") or "")
    if not own:
        raise NoTask("it has no id")
    talk = _conversation(item.get("question"))
    # What `tasks export bfcl` wrote says its language; of the original one only the script can be seen.
    told = item.get("lang")
    lang = told if isinstance(told, str) else language_of_script([one.text for one in talk.said], "en")
    if not wanted.lang(lang):
        raise NoTask("it is in another language than asked for", lang)
    functions = item.get("function")
    tools = [read_tool(raw) for raw in (functions if isinstance(functions, list) else [functions])]
    expect = Expect(calls=() if answers is None else _right(own, answers, tools))
    return TaskRow(
        id=f"bfcl-{own}",
        task=kind_of(expect, tools=len(tools), turns=len(talk.said)),
        lang=lang,
        turns=talk.turns,
        tools=tuple(tools),
        expect=expect,
        meta={
            "source": "bfcl", "licence": str(item.get("licence") or LICENCE), "review": "source",
            "id": own, "category": category,
            **({"revision": source.revision} if source.revision else {}),
        },
    )  # fmt: skip


def _right(own: str, answers: Mapping[str, Any], tools: Sequence[Tool]) -> Any:
    if own not in answers:
        raise NoTask(f"its right calls are missing ({ANSWERS}/)")
    return read_calls(answers[own], tools)


def _conversation(question: Any) -> Conversation:
    """Return what is said: a string, a list of messages, or a list of turns that are lists of messages."""
    if isinstance(question, str):
        return conversation([Said("user", question)])
    if not isinstance(question, list):
        raise NoTask("its question is in a form that is not known")
    return conversation(_said(question))


def _said(messages: Sequence[Any]) -> Iterator[Said]:
    for message in messages:
        if isinstance(message, list):
            yield from _said(message)
        elif isinstance(message, Mapping) and message.get("role") in ("user", "assistant"):
            yield Said(message["role"], str(message.get("content") or ""))
        elif isinstance(message, Mapping) and message.get("role") == "system":
            raise NoTask("a system message belongs to it, and nobody says that aloud")
        else:
            raise NoTask("its question is in a form that is not known")
