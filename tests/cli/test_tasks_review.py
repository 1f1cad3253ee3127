"""`voicebench tasks review` and `tasks apply`: out to reviewers, and back."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.tasks.review.helpers import make_set, rows
from voicebench.cli import tasks_apply, tasks_review
from voicebench.cli.main import SETTINGS, Commands

pytest.importorskip("openpyxl")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_set(tmp_path / "set")


def run(*words: str) -> Result:
    import typer

    app = typer.Typer(cls=Commands, context_settings=SETTINGS, rich_markup_mode=None)
    app.command("review")(tasks_review.review)
    app.command("apply")(tasks_apply.apply)
    return CliRunner().invoke(app, list(words))


def fill(path: str, alias: str, verdicts: dict[int, str], **cells: str) -> None:
    import openpyxl

    book = openpyxl.load_workbook(path)
    page = book["Items"]
    page["D2"], page["F2"] = alias, "yes"
    heads = [row[0].row for row in page.iter_rows(min_row=4) if row[8].value == "item"]
    for number, verdict in verdicts.items():
        page.cell(heads[number], 7).value = verdict
    for name, text in cells.items():
        page[name] = text
    book.save(path)


def saved(folder: Path, alias: str, verdicts: dict[str, Any]) -> str:
    """Write what the page would save; return the file's name."""
    text = (folder / "review-ta.html").read_text(encoding="utf-8")
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    items = [
        {"id": item["id"], "seen": item["seen"], "verdict": verdicts.get(item["id"])}
        for item in data["items"]
    ]
    file = {
        "format": data["format"],
        "lang": "ta",
        "reviewer": {"alias": alias, "native": True},
        "items": items,
    }
    path = Path(f"review-ta-{alias}.json")
    path.write_text(json.dumps(file), encoding="utf-8")
    return str(path)


def test_a_workbook_and_a_page_go_out_and_corrections_come_in(folder: Path) -> None:
    said = run("review", "--lang", "ta", "--source", "set", "--out", "out")
    assert said.exit_code == 0, said.output
    assert said.stdout.splitlines()[:3] == [
        "Tamil: 3 items", "written: out/review-ta.xlsx", "written: out/review-ta.html",
    ]  # fmt: skip
    fill("out/review-ta.xlsx", "neem", {0: "ok", 1: "change"}, E11="தி. நகருக்கு ஒரு கார் வேண்டும்")
    other = saved(
        Path("out"), "palm", {"single-ta-0001": "ok", "single-ta-0002": "ok", "single-ta-0003": "unsure"}
    )
    said = run("apply", "out/review-ta.xlsx", other, "--source", "set")
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert (
        "2 corrected" not in lines
        and "1 reviewed, 1 corrected, 1 unsure; 0 left open; 2 reviewed natively" in lines
    )
    table = next(line for line in lines if line.startswith("reviewers"))
    assert table.split()[:4] == ["reviewers", "language", "native", "items"]
    pair = lines[lines.index(table) + 1]
    assert pair.split()[2:7] == ["ta", "both", "2", "1", "of"]
    assert [row["meta"]["review"] for row in rows(folder)] == ["native", "native", "machine"]
    assert rows(folder)[1]["turns"][0]["text"] == "தி. நகருக்கு ஒரு கார் வேண்டும்"
    assert len(Path("reviews/ta.jsonl").read_text(encoding="utf-8").splitlines()) == 5


def test_the_second_reviewer_still_counts_for_agreement_after_the_first_was_applied(folder: Path) -> None:
    run("review", "--lang", "ta", "--source", "set", "--out", "out")
    first = saved(Path("out"), "a", {"single-ta-0001": "ok"})
    second = saved(Path("out"), "b", {"single-ta-0001": "drop"})
    assert run("apply", first, "--source", "set", "--log", "log.jsonl").exit_code == 0
    said = run("apply", second, "--source", "set", "--log", "log.jsonl", "--json")
    (pair,) = json.loads(said.stdout)["agreement"]
    assert (pair["items"], pair["same"], pair["agreement"]) == (1, 0, 0.0)


def test_a_stale_row_is_listed_and_the_exit_code_is_1(folder: Path) -> None:
    run("review", "--lang", "ta", "--source", "set", "--out", "out")
    text = (folder / "ta.jsonl").read_text(encoding="utf-8").replace("(2)", "(zwei)")
    (folder / "ta.jsonl").write_text(text, encoding="utf-8")
    fill("out/review-ta.xlsx", "neem", {0: "ok", 1: "ok"})
    said = run("apply", "out/review-ta.xlsx", "--source", "set")
    assert said.exit_code == 1
    assert "out/review-ta.xlsx:10: single-ta-0002: stale: the item or its source has changed" in said.stdout
    assert [row["meta"]["review"] for row in rows(folder)] == ["native", "machine", "machine"]


def test_a_dry_run_leaves_tasks_and_log_alone(folder: Path) -> None:
    before = (folder / "ta.jsonl").read_bytes()
    run("review", "--lang", "ta", "--source", "set", "--out", "out")
    said = run("apply", saved(Path("out"), "a", {"single-ta-0001": "ok"}), "--source", "set", "--dry-run")
    assert "would be written: set/ta.jsonl" in said.stdout
    assert (folder / "ta.jsonl").read_bytes() == before and not Path("reviews").exists()


def test_a_log_among_the_tasks_is_refused_before_anything_is_written(folder: Path) -> None:
    before = (folder / "ta.jsonl").read_bytes()
    run("review", "--lang", "ta", "--source", "set", "--out", "out")
    file = saved(Path("out"), "a", {"single-ta-0001": "ok"})
    said = run("apply", file, "--source", "set", "--log", "set/log.jsonl")
    assert said.exit_code == 2 and "lies among the tasks" in said.output
    assert (folder / "ta.jsonl").read_bytes() == before


def test_a_reviewer_who_does_not_say_whether_native_is_warned_of(folder: Path) -> None:
    run("review", "--lang", "ta", "--source", "set", "--out", "out")
    fill("out/review-ta.xlsx", "neem", {0: "ok"}, F2="")
    said = run("apply", "out/review-ta.xlsx", "--source", "set")
    assert "does not say whether the language is the reviewer's first" in said.output
    assert "0 reviewed natively" in said.stdout


def test_limit_draws_the_same_items_again_and_unreviewed_leaves_out_the_done(folder: Path) -> None:
    words = ("review", "--lang", "ta", "--source", "set", "--limit", "1", "--seed", "3")
    assert run(*words, "--out", "a").stdout.splitlines()[0] == "Tamil: 1 item"
    run(*words, "--out", "b")
    assert Path("a/review-ta.html").read_bytes() == Path("b/review-ta.html").read_bytes()
    run("apply", saved(Path("a"), "x", {f"single-ta-000{n}": "ok" for n in (1, 2, 3)}), "--source", "set")
    said = run("review", "--lang", "ta", "--source", "set", "--unreviewed", "--out", "c")
    assert said.stdout.splitlines()[0] == "Tamil: 2 items"


def test_a_language_that_is_not_there_is_the_users_mistake(folder: Path) -> None:
    said = run("review", "--lang", "xx", "--source", "set")
    assert said.exit_code == 2 and "no tasks in 'xx'" in said.output
