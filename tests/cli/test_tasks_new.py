"""`voicebench tasks new` begins a set, makes its items, and says what to do next."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from voicebench.fakes import FakeLanguageModel


def test_a_folder_gets_an_example_that_passes_its_check(run: Run, tmp_path: Path) -> None:
    result = run("tasks", "new", "mine")
    assert result.exit_code == 0 and "Next: voicebench tasks check mine/tasks.jsonl" in result.output
    assert run("tasks", "check", "mine/tasks.jsonl").exit_code == 0


def test_an_openapi_file_becomes_tools_and_a_table(run: Run, tmp_path: Path) -> None:
    api = {
        "openapi": "3.1.0",
        "paths": {"/menu": {"get": {"operationId": "menu"}, "put": {"deprecated": True}}},
    }
    (tmp_path / "api.json").write_text(json.dumps(api), encoding="utf-8")
    result = run("tasks", "new", "mine", "--tools", "api.json")
    assert result.exit_code == 0 and "PUT /menu is deprecated and left out" in result.output
    assert "voicebench tasks new --from mine/queries.csv --tools mine/tools.json" in result.output


def test_items_are_made_of_a_table_and_problems_exit_with_1(run: Run, tmp_path: Path) -> None:
    run("tasks", "new", "mine")
    table = tmp_path / "mine" / "more.csv"
    table.write_text("utterance,language,gold\nOrder dal.,en,order_dish(dish='naan')\n", encoding="utf-8")
    result = run("tasks", "new", "--from", str(table), "--tools", "mine/tools.json", "--out", "more.jsonl")
    assert result.exit_code == 1
    assert "more-en-0001 (kept): expect.calls[0] order_dish: nobody says dish 'naan'" in result.output
    assert "1 written" in result.output and "Report: drafts-report.json" in result.output


def test_a_model_is_loaded_by_its_name(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {"calls": [{"name": "order_dish", "arguments": {"dish": "dal"}}]}
    loaded = []
    monkeypatch.setattr(
        "voicebench.agents.load_llm",
        lambda name, **_: loaded.append(name) or FakeLanguageModel([json.dumps(answer)]),
    )
    run("tasks", "new", "mine")
    (tmp_path / "q.csv").write_text("utterance,language\nOrder dal.,en\n", encoding="utf-8")
    words = (
        "tasks",
        "new",
        "--from",
        "q.csv",
        "--tools",
        "mine/tools.json",
        "--model",
        "smollm2",
        "--out",
        "t",
    )
    result = run(*words)
    assert (result.exit_code, loaded) == (0, ["smollm2"]) and "1 drafted" in result.output
    assert "1 there already" in run(*words).output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "tasks new needs a FOLDER to begin, or --from TABLE"),
        (("x", "--from", "q.csv"), "either a folder to begin (x) or --from q.csv, not both"),
        (("--from", "q.csv"), "--from q.csv needs --tools FILE and --out FILE"),
        (("--from", "q.csv", "--tools", "absent.json", "--out", "t.jsonl"), "absent.json: no such file"),
    ],
)
def test_mistakes_are_one_line(run: Run, words: tuple[str, ...], said: str) -> None:
    result = run("tasks", "new", *words)
    assert result.exit_code == 2 and said in result.output
