"""What becomes of one item, given all that reviewers say of it: a changed line, or a reason why not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from voicebench.tasks.review.edit import CannotEdit, edit
from voicebench.tasks.review.submission import Filled
from voicebench.tasks.review.task_file import TaskLine

NATIVE = "native"
MACHINE = "machine"
Done = Literal["reviewed", "corrected", "there", "by hand", "drop", "dropped", "unsure", "stale", "refused"]


@dataclass(frozen=True)
class Said:
    """What one reviewer says of one item; `native`: whether the language is their first."""

    item: Filled
    native: bool


@dataclass(frozen=True)
class Entry:
    """What became of what one reviewer, or several, said of one item.

    Attributes:
        where: The file and row that said it.
        id: The item.
        done: "reviewed" (right as it stands), "corrected", "there" (was corrected so before), "by hand" (a
            change is asked for in words only), "drop" (asked for, not done), "dropped", "unsure", "stale" (it
            is no longer what was seen), "refused".
        native: Whether the item now counts as reviewed by a native speaker.
        message: What is to be known, in words; "" for nothing.
    """

    where: str
    id: str
    done: Done
    native: bool = False
    message: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.id}: {self.done}" + (f": {self.message}" if self.message else "")


@dataclass(frozen=True)
class Decision:
    """An entry, and what the item's line becomes: `writes` says whether it is touched, None takes it out."""

    entry: Entry
    data: dict[str, Any] | None = None
    writes: bool = False


def stale(item: Filled, line: TaskLine) -> Entry:
    """Say of an item that it is no longer what was seen, or that it was corrected so before."""
    if item.meant == "change":
        try:
            if (item.corrected or item.added) and not edit(line.data, item.corrected, item.added):
                return Entry(item.where, item.id, "there", message="was corrected so before")
        except CannotEdit:
            pass
    message = "the item or its source has changed since this sheet was made. Make a new sheet"
    return Entry(item.where, item.id, "stale", message=message)


def decide(said: Sequence[Said], line: TaskLine, *, drop: bool, pointing: Sequence[str]) -> Decision:
    """Return what becomes of one item.

    Args:
        said: What reviewers say of it, all of them of the text as it stands.
        line: Its line.
        drop: Take it out where a native speaker wants it out.
        pointing: The ids of items that have it as their origin or twin.
    """
    entry = Entry(said[0].item.where, said[0].item.id, "refused")
    verdicts = {one.item.meant for one in said}
    notes = "; ".join(" ".join(one.item.notes.split()) for one in said if one.item.notes)
    noted = replace(entry, message=f"notes: {notes}" if notes else "")
    if None in verdicts:
        return Decision(replace(entry, message="there are corrections or notes, but no verdict"))
    if verdicts == {"drop"}:
        return _dropped(noted, said, drop=drop, pointing=pointing)
    if "drop" in verdicts:
        return Decision(replace(entry, message="one reviewer wants it out, another does not"))
    if verdicts == {"unsure"}:
        return Decision(replace(noted, done="unsure"))
    return _changed(noted, [one for one in said if one.item.meant != "unsure"], line)


def _dropped(entry: Entry, said: Sequence[Said], *, drop: bool, pointing: Sequence[str]) -> Decision:
    if not drop:
        return Decision(replace(entry, done="drop"))
    if not any(one.native for one in said):
        return Decision(replace(entry, message="only a native speaker's word takes an item out"))
    if pointing:
        return Decision(replace(entry, message=f"cannot be taken out: {', '.join(pointing[:3])} needs it"))
    return Decision(replace(entry, done="dropped"), None, writes=True)


def _changed(entry: Entry, said: Sequence[Said], line: TaskLine) -> Decision:
    data = line.data
    try:
        changed = _edit_by_all(data, [one.item for one in said])
    except CannotEdit as error:
        return Decision(replace(entry, message=str(error)))
    if not changed and any(one.item.meant == "change" for one in said):
        wish = "a change is asked for, and none is given"
        return Decision(replace(entry, done="by hand", message=entry.message or wish))
    native = any(one.native and _agrees(one.item, line, data) for one in said)
    if changed and not native and any(one.native and one.item.meant == "ok" for one in said):
        return Decision(
            replace(entry, message="a native speaker finds it right as it stands, another changes it")
        )
    _mark(data, native=native, changed=bool(changed))
    done: Done = "corrected" if changed else "reviewed"
    return Decision(replace(entry, done=done, native=native), data, writes=True)


def _edit_by_all(data: dict[str, Any], items: Sequence[Filled]) -> list[str]:
    """Write the corrections of several reviewers into an item.

    Raises:
        CannotEdit: One leads nowhere, or two contradict each other.
    """
    corrected: dict[str, str] = {}
    for item in items:
        for key, text in item.corrected.items():
            if corrected.setdefault(key, text).strip() != text.strip():
                raise CannotEdit(f"{key}: two reviewers correct it differently")
    changed = edit(data, corrected, {})
    for item in items:
        changed += edit(data, {}, item.added)
    return changed


def _agrees(item: Filled, line: TaskLine, after: Mapping[str, Any]) -> bool:
    """Return whether what one reviewer said, alone, makes the item's words what they now are.

    Accepted values that somebody else adds leave a judgement of the words as it is.
    """
    own = line.data
    edit(own, item.corrected, item.added)
    return own["turns"] == after["turns"] and _quoted(own) == _quoted(after) and _within(own, after)


def _quoted(data: Mapping[str, Any]) -> Any:
    return (data.get("meta") or {}).get("said")


def _within(own: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether every accepted value of an item is accepted in what it became."""
    pairs = zip(own["expect"].get("calls") or (), after["expect"].get("calls") or (), strict=True)
    return all(
        value in other["arguments"][name]
        for call, other in pairs
        for name, accepted in (call.get("arguments") or {}).items()
        for value in accepted
    )


def _mark(data: dict[str, Any], *, native: bool, changed: bool) -> None:
    meta: dict[str, Any] = data.get("meta") or {}
    if native:
        data["meta"] = meta | {"review": NATIVE}
    elif changed and meta.get("review") == NATIVE:
        # What a native speaker approved no longer stands there.
        data["meta"] = meta | {"review": MACHINE}
