"""A folder to begin with runs as it is, explains itself, and overwrites nothing."""

from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.tasks.check import check
from voicebench.tasks.drafting.draft import draft
from voicebench.tasks.drafting.example import EXAMPLE_TOOLS, begin
from voicebench.tasks.drafting.table import COLUMNS, read_queries
from voicebench.tasks.drafting.tools import read_team_tools
from voicebench.types import TaskRow, Tool


def test_the_example_has_no_problem(tmp_path: Path) -> None:
    begun = begin(tmp_path / "mine")
    assert [path.name for path in begun.files] == ["tools.json", "queries.csv", "README.md", "tasks.jsonl"]
    assert begun.items == 6 and check(tmp_path / "mine" / "tasks.jsonl") == []
    kinds = {row.task for row in read_rows(tmp_path / "mine" / "tasks.jsonl", TaskRow)}
    assert kinds == {"single", "parallel", "dialogue", "safety"}


def test_the_examples_tasks_are_those_that_its_table_makes(tmp_path: Path) -> None:
    begin(tmp_path)
    before = (tmp_path / "tasks.jsonl").read_bytes()
    tools = read_team_tools(tmp_path / "tools.json").tools
    queries, _ = read_queries(tmp_path / "queries.csv", tools)
    assert draft(queries, tools, out=tmp_path / "tasks.jsonl", name="queries").counts == {"there already": 6}
    assert (tmp_path / "tasks.jsonl").read_bytes() == before


def test_the_readme_explains_every_file_and_column(tmp_path: Path) -> None:
    begun = begin(tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert [name for name in COLUMNS if f"| `{name}` |" not in text] == []
    assert [path.name for path in begun.files if f"`{path.name}`" not in text] == ["README.md"]


def test_a_teams_own_tools_get_a_table_to_fill_in(tmp_path: Path) -> None:
    own = Tool(
        name="menu-search", description="=SUM(1) Look up.",
        parameters={
            "type": "object", "required": ["dish", "sort", "most"],
            "properties": {"dish": {"type": "string"}, "sort": {"enum": ["price", "name"]},
                           "most": {"type": "integer"}, "hot": {"type": "boolean"}},
        },
    )  # fmt: skip
    begun = begin(tmp_path, [own, *EXAMPLE_TOOLS])
    assert begun.items == 0 and not (tmp_path / "tasks.jsonl").exists()
    line = (tmp_path / "queries.csv").read_text(encoding="utf-8-sig").splitlines()[1]
    assert line.startswith(""",en,"menu-search(dish='…', sort='price', most=0)",""") and "=SUM" not in line
    with pytest.raises(UserError, match="holds no utterances"):
        read_queries(tmp_path / "queries.csv", [own, *EXAMPLE_TOOLS])


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "queries.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match=r"queries\.csv: is there already\. Give another folder"):
        begin(tmp_path)
    assert (tmp_path / "queries.csv").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "tools.json").exists()
