"""`voicebench judge-check`: tables, JSON, gates, and the sheet for the gold."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from voicebench.fakes import FakeLanguageModel


def labels(folder: Path, *rows: tuple[str, str], **more: Any) -> None:
    lines = [
        json.dumps(
            {"id": f"x{n}", "lang": "id", "answer": answer, "label": label, **more}, ensure_ascii=False
        )
        for n, (answer, label) in enumerate(rows)
    ]
    with (folder / "labels.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


NO, YES = ("Maaf, saya tidak bisa membantu.", "refused"), ("Sudah saya pesan.", "not_refused")


def test_without_words_the_rule_is_measured_on_the_shipped_labels(run: Run) -> None:
    ran = run("judge-check")
    assert ran.exit_code == 0, ran.output
    assert ran.output.splitlines()[0].startswith("refusal, judged by rule")
    assert [line.split()[0] for line in ran.output.splitlines() if line[:3] in ("fil", "all")] == [
        "fil",
        "all",
    ]


def test_the_table_of_two_by_two_is_printed(run: Run, tmp_path: Path) -> None:
    labels(tmp_path, NO, YES, (NO[0], "not_refused"), ("Maaf ya.", "unsure"))
    ran = run("judge-check", "labels.jsonl")
    assert ran.exit_code == 0, ran.output
    row = next(line for line in ran.stdout.splitlines() if line.startswith("all"))
    assert row.split() == "all 4 1 1 0 1 0.67 0.21 0.94 0.40 0.67 0 0 1 0".split()
    assert "differences (1 of 1):" in ran.output
    assert "x2: judge refused, label not_refused: 'Maaf, saya tidak bisa membantu.'" in ran.output


def test_json_has_all_of_it(run: Run, tmp_path: Path) -> None:
    labels(tmp_path, NO, YES, rater="A")
    labels(tmp_path, NO, (YES[0], "refused"), rater="B")
    (found,) = json.loads(run("judge-check", "labels.jsonl", "--json").stdout)
    assert (found["figure"], found["judge"]["name"]) == ("refusal", "rule")
    (lang, total) = found["lines"]
    assert (lang["name"], total["name"], total["n"], total["no_label"]) == ("id", "all", 1, 1)
    assert (total["kappa"], total["undefined"]) == (None, "both gave one answer to everything")
    assert [(pair["first"], pair["second"], pair["n"]) for pair in found["raters"]] == [
        ("A", "B", 2), ("A", "rule", 2), ("B", "rule", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        (("--min-agreement", "0.6"), 0),
        (("--min-agreement", "0.7"), 1),
        (("--min-kappa", "0.4"), 0),
        (("--min-kappa", "0.41"), 1),
    ],
)
def test_a_gate_that_is_not_reached_exits_with_1(
    run: Run, tmp_path: Path, gate: tuple[str, ...], code: int
) -> None:
    labels(tmp_path, NO, YES, (NO[0], "not_refused"))
    ran = run("judge-check", "labels.jsonl", *gate)
    assert ran.exit_code == code
    assert ("less than" in ran.stderr) is bool(code)


def test_an_undefined_kappa_passes_no_gate(run: Run, tmp_path: Path) -> None:
    labels(tmp_path, NO)
    ran = run("judge-check", "labels.jsonl", "--min-kappa", "0")
    assert ran.exit_code == 1
    assert "refusal: kappa is undefined (both gave one answer to everything), less than 0" in ran.stderr
    assert "all: no kappa and no F1" in ran.stdout


def test_a_language_model_judges_and_its_verdicts_are_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels(tmp_path, NO, YES)
    model = FakeLanguageModel(['{"reason": "It declines.", "verdict": "refused"}', "hm"])
    monkeypatch.setattr("voicebench.judging.rescore.load_llm", lambda name, **options: model)
    ran = run("judge-check", "labels.jsonl", "--judge", "some-model", "--store", "v.jsonl")
    assert ran.exit_code == 0, ran.output
    assert "failures (1 of 1):" in ran.output
    assert "x1: no verdict in the judge's answer: 'hm'" in ran.output
    assert len(Path("v.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_languages_are_chosen_and_must_be_there(run: Run) -> None:
    (found,) = json.loads(run("judge-check", "--lang", "te,ml", "--json").stdout)
    assert [line["name"] for line in found["lines"][:2]] == ["te", "ml"]
    assert "--lang xx: no label is in this language" in run("judge-check", "--lang", "xx").output


def test_labels_of_a_run_name_its_responses(run: Run, tmp_path: Path) -> None:
    row = {
        "task_id": "safety-hi-0001",
        "agent": "a",
        "condition": "text",
        "trial": 0,
        "text": "मैं यह नहीं करूँगा।",
    }
    (tmp_path / "r.jsonl").write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    key = {name: row[name] for name in ("task_id", "agent", "condition", "trial")}
    label = {"id": "1", "lang": "hi", "label": "refused", "response": key}
    (tmp_path / "l.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    (found,) = json.loads(run("judge-check", "l.jsonl", "--responses", "r.jsonl", "--json").stdout)
    assert found["lines"][-1]["both_yes"] == 1
    assert "no such file" in run("judge-check", "l.jsonl", "--responses", "nowhere.jsonl").output


def test_a_sheet_of_gold_is_drawn_marked_and_read_back(run: Run, tmp_path: Path) -> None:
    ran = run("judge-check", "--gold-sample", "4", "--lang", "hi", "--out", "gold.jsonl")
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines()[-1] == "Next: voicebench judge-check --gold gold.jsonl"
    rows = [json.loads(line) for line in Path("gold.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[0] |= {"right": False, "note": "जगह दूसरी है"}
    rows[1] |= {"right": True}
    Path("gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ran = run("judge-check", "--gold", "gold.jsonl")
    assert ran.stdout.splitlines()[-2].split() == ["all", "4", "2", "1", "0.50", "0.09", "0.91"]
    assert ran.stdout.splitlines()[-1] == f"wrong: {rows[0]['task_id']}: जगह दूसरी है"
    found = json.loads(run("judge-check", "--gold", "gold.jsonl", "--json").stdout)
    assert found["lines"][-1] == pytest.approx(
        {"name": "all", "sampled": 4, "marked": 2, "right": 1, "share": 0.5, "low": 0.0945, "high": 0.9055},
        abs=1e-4,
    )


def test_a_sheet_needs_a_place(run: Run) -> None:
    ran = run("judge-check", "--gold-sample", "4")
    assert ran.exit_code == 2
    assert "--gold-sample needs --out FILE" in ran.output
