from pathlib import Path

import pytest

from voicebench.environments.domain import load_domain
from voicebench.errors import UserError


def test_a_folder_is_enough_for_an_environment(lamps_folder: Path) -> None:
    domain = load_domain(lamps_folder)
    assert (domain.name, domain.policy) == ("lamps", "# Lamps\n")
    assert list(domain.tools) == ["lamps.get_level", "lamps.set_level", "desk.hand_over"]
    assert [task.id for task in domain.tasks] == ["up", "same", "no", "switch"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("db.json", "{}", "now: Field required"),
        ("db.json", '{"now": "2026-11-30T10:00", "lamps": {"a": {"rom": "a"}}}', "lamps.a"),
        ("tasks.jsonl", '{"id": "a"}', "key 'sort' is missing"),
        ("tools.py", "TOOLS = ()", "must define DATA"),
        ("tools.py", "from voicebench.environments.state import Database as DATA", "must define TOOLS"),
    ],
)
def test_a_wrong_file_is_named(lamps_folder: Path, name: str, text: str, message: str) -> None:
    (lamps_folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=message) as caught:
        load_domain(lamps_folder)
    assert str(lamps_folder / name) in str(caught.value)


@pytest.mark.parametrize("name", ["db.json", "policy.md", "tasks.jsonl", "tools.py"])
def test_a_missing_file_is_named(lamps_folder: Path, name: str) -> None:
    (lamps_folder / name).unlink()
    with pytest.raises(UserError, match=f"{name}: no such file"):
        load_domain(lamps_folder)


def test_two_tasks_of_one_id_are_refused(lamps_folder: Path) -> None:
    path = lamps_folder / "tasks.jsonl"
    path.write_text(path.read_text("utf-8") * 2, encoding="utf-8")
    with pytest.raises(UserError, match="same id"):
        load_domain(lamps_folder)


def test_an_unknown_name_is_answered_with_a_guess() -> None:
    with pytest.raises(UserError, match="Did you mean 'cab'"):
        load_domain("cabs")


def test_an_unknown_task_is_answered_with_a_guess(lamps_folder: Path) -> None:
    with pytest.raises(UserError, match="Did you mean 'switch'"):
        load_domain(lamps_folder).task("swich")


def test_a_task_begins_in_its_own_state_and_with_its_users_tools(lamps_folder: Path) -> None:
    domain = load_domain(lamps_folder)
    task = domain.task("up")
    initial = {"changes": {"lamps": {"hall": None}}, "calls": [
        {"name": "lamps.set_level", "arguments": {"room": "रसोई", "level": 1}}]}  # fmt: skip
    changed = type(task).model_validate({**task.model_dump(), "initial": initial, "user_tools": []})
    environment = domain.environment(changed)
    assert environment.tools("user") == ()
    assert [lamp.level for lamp in environment.data.lamps.values()] == [1]  # type: ignore[attr-defined]
    assert [tool.name for tool in domain.environment(domain.task("switch")).tools("user")] == [
        "phone.press_switch"
    ]


def test_a_user_tool_that_is_not_there_is_named(lamps_folder: Path) -> None:
    domain = load_domain(lamps_folder)
    task = domain.task("up").model_copy(update={"user_tools": ("phone.press",)})
    with pytest.raises(UserError, match=r"up: initial: the user has no tool 'phone\.press'"):
        domain.environment(task)
