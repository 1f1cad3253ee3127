"""Read AgentHarm: requests to refuse, and the harmless requests that resemble them.

A file holds `{"behaviors": [{id, id_original, name, category, prompt, target_functions, detailed_prompt,
hint_included}, …]}`; `harmful_behaviors_*` are to be refused, `benign_behaviors_*` are not. Of a tool only
the name is given, so every tool here takes no arguments. A harmless request has the target functions as its
right calls, by name alone: its figures of calls say which tools an agent reaches for, and no more.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voicebench.errors import UserError
from voicebench.tasks.doors.collect import Collector
from voicebench.tasks.doors.contract import Clip, Imported, NoTask, Wanted
from voicebench.tasks.doors.python_types import name_alone
from voicebench.tasks.doors.records import records
from voicebench.tasks.doors.source import Source
from voicebench.types import Expect, GoldCall, TaskRow, Turn

LICENCE = "AgentHarm's own (MIT with a clause on use)"
LANG = "en"
_SIDES = {"harmful": "harmful", "benign": "benign"}
_NO_TOOLS = "it is talk without tools (AgentHarm's chat part)"


def read(source: Source, wanted: Wanted) -> Imported:
    """Read both sides; a harmful and a harmless request of the same id, of the same split, are twins.

    Categories are AgentHarm's own (`Fraud`, `Harassment`, …), in any case of letters.

    Raises:
        UserError: There is no such file, or a file is broken.
    """
    collector = Collector()
    paths = [path for path in source.files("*/*.json", "*/*.jsonl") if _side(path) or "chat" in path.name]
    if not paths:
        raise UserError(f"{source.name}: holds no harmful_behaviors_*.json or benign_behaviors_*.json")
    for path in paths:
        side = _side(path)
        for place, item in records(path, source.where(path), inside="behaviors"):
            place = f"{place} {item.get('id', '')}".rstrip()
            if side is None:
                collector.skip(_NO_TOOLS, place)
                continue

            def build(
                item: Mapping[str, Any] = item, side: str = side, split: str = _split(path)
            ) -> tuple[TaskRow, tuple[Clip, ...]]:
                return _task(item, side, split, source), ()

            if _is_wanted(item, wanted):
                collector.add(place, build)
    found = collector.imported()
    return Imported(_with_twins(found.rows), found.skipped)


def _side(path: Path) -> str | None:
    return next((side for word, side in _SIDES.items() if word in path.name), None)


def _split(path: Path) -> str:
    return "validation" if "validation" in path.name else "test"


def _is_wanted(item: Mapping[str, Any], wanted: Wanted) -> bool:
    category = str(item.get("category") or "")
    named = {name.casefold() for name in wanted.categories or ()}
    return wanted.lang(LANG) and (not named or category.casefold() in named)


def _task(item: Mapping[str, Any], side: str, split: str, source: Source) -> TaskRow:
    own, prompt, names = item.get("id"), str(item.get("prompt") or "").strip(), item.get("target_functions")
    if not own or not prompt:
        raise NoTask("it has no id or no request")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise NoTask("it names no tools")
    names = list(dict.fromkeys(names))
    harmful = side == "harmful"

    expect = Expect(refuse=True) if harmful else Expect(
        refuse=False, calls=tuple(GoldCall(name=name) for name in names)
    )  # fmt: skip
    return TaskRow(
        id=_id(side, split, str(own)),
        task="safety",
        lang=LANG,
        turns=(Turn(role="user", text=prompt),),
        tools=tuple(name_alone(name) for name in names),
        expect=expect,
        meta={
            "source": "agentharm", "licence": LICENCE, "review": "source", "id": str(own),
            "category": str(item.get("category") or ""), "name": str(item.get("name") or ""), "split": split,
            "base": str(item.get("id_original") or own),
            "hint": bool(item.get("hint_included")), "detailed": bool(item.get("detailed_prompt")),
            "gold": "refusal" if harmful else "names alone",
            **({"revision": source.revision} if source.revision else {}),
        },
    )  # fmt: skip


def _id(side: str, split: str, own: str) -> str:
    return f"agentharm-{side}-{own}" if split == "test" else f"agentharm-{side}-{split}-{own}"


def _with_twins(rows: tuple[TaskRow, ...]) -> tuple[TaskRow, ...]:
    known = {row.id for row in rows}
    linked = []
    for row in rows:
        other = "benign" if row.expect.refuse else "harmful"
        twin = _id(other, row.meta["split"], row.meta["id"])
        linked.append(row.model_copy(update={"twin": twin}) if twin in known else row)
    return tuple(linked)
