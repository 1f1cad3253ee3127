from pathlib import Path

import pytest

TOOLS_PY = '''
from typing import Literal

from voicebench.environments.state import Database, Record
from voicebench.environments.tool import Effect, ToolError, reads, writes


class Lamp(Record):
    room: str
    level: int = 0


class DATA(Database):
    lamps: dict[str, Lamp]


@reads
def get_level(data: DATA, room: str) -> dict[str, object]:
    """Tell how bright it is in a room.

    Args:
        data: The state.
        room: The room.
    """
    return {"level": _lamp(data, room).level, "room": room}


@writes
def set_level(
    data: DATA, room: str, level: int = 100, mode: Literal["warm", "cold"] = "warm"
) -> Effect[DATA]:
    """Make it brighter or darker in a room.

    Args:
        data: The state.
        room: The room.
        level: Per cent.
        mode: Colour of
            the light.
    """
    lamp = _lamp(data, room).changed(level=level)
    return Effect(data.changed(lamps={**data.lamps, room: lamp}), {"level": level})


@writes
def press_switch(data: DATA, room: str) -> Effect[DATA]:
    """Press the switch on the wall.

    Args:
        data: The state.
        room: The room.
    """
    return Effect(data.changed(lamps={**data.lamps, room: Lamp(room=room, level=0)}), {})


TOOLS = (get_level, set_level)
USER_TOOLS = (press_switch,)


def _lamp(data: DATA, room: str) -> Lamp:
    if room not in data.lamps:
        raise ToolError(f"There is no lamp in {room!r}.")
    return data.lamps[room]
'''
DB = '{"now": "2026-11-30T10:00", "lamps": {"रसोई": {"room": "रसोई", "level": 20}, "hall": {"room": "hall"}}}'
USER = '"user": {"persona": "p", "reason": "r", "stop_when": "s", "opening": "रोशनी बढ़ाओ"}'
TASKS = f"""
{{"id": "up", "sort": "simple", {USER}, "gold": [{{"name": "lamps.set_level", "arguments": {{"room": "रसोई", "level": 75}}}}], "said": [75]}}
{{"id": "same", "sort": "dependent", {USER}, "gold": [{{"name": "lamps.get_level", "arguments": {{"room": "रसोई"}}}}, {{"name": "lamps.set_level", "arguments": {{"room": "hall", "level": {{"$ref": "0.level"}}}}}}], "counts": ["state", "actions"]}}
{{"id": "no", "sort": "forbidden", {USER}, "counts": ["state", "judged"], "judged": ["The agent is polite."]}}
{{"id": "switch", "sort": "correction", {USER}, "gold": [{{"by": "user", "name": "phone.press_switch", "arguments": {{"room": "रसोई"}}}}], "assertions": [{{"path": "lamps.रसोई.level", "equals": 0.0}}], "counts": ["assertions"], "user_tools": ["phone.press_switch"]}}
"""  # noqa: E501


@pytest.fixture
def lamps_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "lamps"
    folder.mkdir()
    (folder / "tools.py").write_text(TOOLS_PY, encoding="utf-8")
    (folder / "db.json").write_text(DB, encoding="utf-8")
    (folder / "policy.md").write_text("# Lamps\n", encoding="utf-8")
    (folder / "tasks.jsonl").write_text(TASKS, encoding="utf-8")
    return folder
