"""What the README says at a glance is so: commands, figures, counts, and its size."""

import re
from collections import Counter

from tests.pages import README, cli_commands, tables, text_of
from voicebench.backends import RECORDS
from voicebench.tasks.read import read_tasks, read_tools
from voicebench.types import FIGURES, TASK_KINDS


def column(name: str) -> list[str]:
    table = next(table for table in tables(README) if table.headers[0] == name)
    return [word for row in table.rows for word in re.findall(r"`([^`]+)`", row[name])]


def test_the_table_of_commands_names_exactly_the_commands_there_are() -> None:
    assert sorted(column("command")) == sorted(" ".join(words) for words in cli_commands())


def test_the_table_of_figures_names_figures_alone() -> None:
    assert set(column("figure")) <= set(FIGURES)
    assert {"tool_selection", "call_structure", "parameters", "refusal_right"} <= set(column("figure"))


def test_the_counts_of_the_task_set_are_right() -> None:
    tasks, tools = read_tasks(), read_tools()
    langs = Counter(task.lang for task in tasks)
    assert len(langs) == 12
    assert len(set(langs.values())) == 1
    domains = {name.split(".")[0] for name in tools}
    text = " ".join(text_of(README).split())
    assert f"{len(tasks):,} original items, {langs['en']} in each of twelve languages" in text
    assert f"over {len(tools)} tools of {len(domains)} domains" in text
    assert len(TASK_KINDS) == 6 and "in six kinds" in text


def test_what_never_ran_is_said() -> None:
    never = {record.name for record in RECORDS if record.verified == "never run"}
    section = text_of(README).split("## What is not verified")[1].split("## ")[0]
    assert ("Kimi-Audio" in section) == ("kimi-audio" in never)
    assert ("Whisper small and large-v3" in section) == ({"whisper-small", "whisper-large-v3"} <= never)


def test_the_unrelated_project_of_the_same_name_is_told_apart() -> None:
    text = text_of(README)
    assert "voicebench-agents" in text
    assert "pip install voicebench\n" not in text and "pip install 'voicebench[" not in text


def test_it_can_be_read_in_one_go() -> None:
    assert len(text_of(README).splitlines()) <= 140
