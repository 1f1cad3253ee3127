"""Corrections into task files: the right bytes change, all others stay, nothing unreviewed is marked."""

import json
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.tasks.check import check
from voicebench.tasks.review import apply as module
from voicebench.tasks.review.apply import Applied, apply, writable_source
from voicebench.tasks.review.submission import Submission

from .helpers import SCRIPTS, TAMIL, TOOLS, filled, item, line, make_set, rows, sheets_of, submission, tamil


def run(folder: Path, *submissions: Submission, **options: Any) -> Applied:
    return apply(submissions, folder, tools=TOOLS, **options)


def done(applied: Applied) -> list[tuple[str, str, bool]]:
    return [(entry.id[-4:], entry.done, entry.native) for entry in applied.entries]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_set(tmp_path / "set")


def test_the_small_set_is_good(folder: Path) -> None:
    assert check(folder, tools=TOOLS) == []


def test_ok_by_a_native_speaker_marks_the_item_and_touches_no_other_byte(folder: Path) -> None:
    before = (folder / "ta.jsonl").read_bytes().split(b"\n")
    applied = run(folder, submission(filled(sheets_of(folder)[1])))
    after = (folder / "ta.jsonl").read_bytes().split(b"\n")
    assert done(applied) == [("0002", "reviewed", True)]
    assert (after[0], after[2:]) == (before[0], before[2:])
    assert after[1] == before[1].replace(b'"review": "machine"', b'"review": "native"')
    assert applied.written == (folder / "ta.jsonl",)


def test_ok_by_somebody_else_changes_nothing(folder: Path) -> None:
    before = (folder / "ta.jsonl").read_bytes()
    for native in (False, None):
        applied = run(folder, submission(filled(sheets_of(folder)[0]), native=native))
        assert done(applied) == [("0001", "reviewed", False)] and applied.written == ()
    assert (folder / "ta.jsonl").read_bytes() == before


@pytest.mark.parametrize("lang", sorted(SCRIPTS))
def test_a_corrected_text_arrives_to_the_letter(folder: Path, lang: str) -> None:
    sheet = sheets_of(folder)[0]
    applied = run(folder, submission(filled(sheet, "change", corrected={"turns.0": SCRIPTS[lang]})))
    assert done(applied) == [("0001", "corrected", True)]
    row = rows(folder)[0]
    assert row["turns"][0]["text"] == SCRIPTS[lang] and row["meta"]["review"] == "native"
    assert list(row) == list(tamil(1)) and list(row["meta"]) == list(tamil(1)["meta"])
    assert SCRIPTS[lang] in (folder / "ta.jsonl").read_text(encoding="utf-8").replace('\\"', '"')


def test_values_are_corrected_added_and_stay_before_may_be_left_out(folder: Path) -> None:
    more = {"corrected": {"calls.0.pickup": "தி. நகர்\nT Nagar"}, "added": {"calls.0.when": "இப்போது\nnow"}}
    run(folder, submission(filled(sheets_of(folder)[0], "change", **more)))
    arguments = rows(folder)[0]["expect"]["calls"][0]["arguments"]
    assert arguments["pickup"] == ["தி. நகர்", "T Nagar"]
    assert arguments["when"] == ["now", "இப்போது", ""]


def test_quoted_words_are_corrected(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", tamil(1, meta={"said": {"0.vehicle": "ஆட்டோ"}}))
    run(folder, submission(filled(sheets_of(folder)[0], "change", corrected={"said.0.vehicle": "ஒரு ஆட்டோ"})))
    assert rows(folder)[0]["meta"] == {"said": {"0.vehicle": "ஒரு ஆட்டோ"}, "review": "native"}


def test_an_item_that_has_changed_since_is_stale_and_listed(folder: Path) -> None:
    old = sheets_of(folder)
    text = (folder / "ta.jsonl").read_text(encoding="utf-8").replace("(2)", "(zwei)")
    (folder / "ta.jsonl").write_text(text, encoding="utf-8")
    applied = run(folder, submission(*(filled(sheet) for sheet in old)))
    assert done(applied) == [
        ("0001", "reviewed", True), ("0002", "stale", False), ("0003", "reviewed", True),
    ]  # fmt: skip
    assert "has changed since this sheet was made" in applied.entries[1].message
    assert rows(folder)[1]["meta"]["review"] == "machine"


def test_an_item_whose_source_has_changed_is_stale(folder: Path) -> None:
    old = sheets_of(folder)[0]
    english = (folder / "en.jsonl").read_text(encoding="utf-8").replace("Get me", "Call me")
    (folder / "en.jsonl").write_text(english, encoding="utf-8")
    assert done(run(folder, submission(filled(old)))) == [("0001", "stale", False)]


def test_applying_the_same_file_twice_says_so(folder: Path) -> None:
    found = submission(filled(sheets_of(folder)[0], "change", corrected={"turns.0": "கார் வேண்டும்"}))
    run(folder, found)
    applied = run(folder, found)
    assert done(applied) == [("0001", "there", False)] and applied.written == ()
    assert rows(folder)[0]["meta"]["review"] == "native"


def test_a_correction_that_breaks_the_item_is_refused_with_its_row_and_the_others_go_in(folder: Path) -> None:
    one, two, _ = sheets_of(folder)
    bad = filled(one, "change", corrected={"calls.0.vehicle": "வண்டி"}, where="review-ta.xlsx:4")
    good = filled(two, "change", corrected={"turns.0": "கார் வேண்டும்"})
    applied = run(folder, submission(bad, good))
    assert done(applied) == [("0001", "refused", False), ("0002", "corrected", True)]
    assert str(applied.entries[0]).startswith("review-ta.xlsx:4: single-ta-0001: refused: the check says: ")
    assert "வண்டி" in applied.entries[0].message
    assert rows(folder)[0] == tamil(1) and rows(folder)[1]["turns"][0]["text"] == "கார் வேண்டும்"


def test_what_was_wrong_before_does_not_stop_a_review(tmp_path: Path) -> None:
    broken = tamil(1)
    broken["expect"]["calls"][0]["arguments"]["vehicle"] = ["rocket"]
    folder = make_set(tmp_path / "set", broken, tamil(2))
    applied = run(folder, submission(*(filled(sheet) for sheet in sheets_of(folder))))
    assert done(applied) == [("0001", "reviewed", True), ("0002", "reviewed", True)]


@pytest.mark.parametrize(
    "corrected",
    ["turns.7", "turns.x", "calls.0.colour", "calls.9.pickup", "id", "said.0.pickup"],
)
def test_a_correction_of_nothing_is_refused(folder: Path, corrected: str) -> None:
    applied = run(folder, submission(filled(sheets_of(folder)[0], "change", corrected={corrected: "x"})))
    assert done(applied) == [("0001", "refused", False)]
    assert applied.entries[0].message.startswith(corrected)


def test_a_change_in_words_only_is_left_to_people(folder: Path) -> None:
    one, two, three = sheets_of(folder)
    same = {"turns.0": f" {TAMIL} (2) "}
    applied = run(
        folder,
        submission(
            filled(one, "change", notes="பெயர்\nதவறு"),
            filled(two, "change", corrected=same),
            filled(three, "change"),
        ),
    )  # fmt: skip
    assert done(applied) == [(f"000{n}", "by hand", False) for n in (1, 2, 3)]
    assert [entry.message for entry in applied.entries[:2]] == [
        "notes: பெயர் தவறு", "a change is asked for, and none is given",
    ]  # fmt: skip
    assert applied.written == ()


def test_corrections_without_a_verdict_are_refused_and_open_items_counted(folder: Path) -> None:
    one, two, three = sheets_of(folder)
    applied = run(
        folder,
        submission(filled(one, None, corrected={"turns.0": "x"}), filled(two, None), filled(three, "unsure")),
    )
    assert done(applied) == [("0001", "refused", False), ("0003", "unsure", False)]
    assert applied.open == 1


def test_an_unknown_item_is_refused_with_the_closest_name(folder: Path) -> None:
    from dataclasses import replace

    applied = run(folder, submission(replace(filled(sheets_of(folder)[0]), id="single-ta-001")))
    assert "Did you mean 'single-ta-0001'?" in applied.entries[0].message


def test_somebody_elses_change_takes_a_native_review_back(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", tamil(1, meta={"review": "native", "region": "IN"}))
    sheet = sheets_of(folder)[0]
    run(folder, submission(filled(sheet, "change", corrected={"turns.0": "கார் வேண்டும்"}), native=False))
    assert rows(folder)[0]["meta"] == {"review": "machine", "region": "IN"}


def test_two_reviewers_who_correct_alike_are_one(folder: Path) -> None:
    sheet = sheets_of(folder)[0]
    change = {"turns.0": "கார் வேண்டும்"}
    applied = run(
        folder,
        submission(filled(sheet, "change", corrected=change), alias="a", native=False),
        submission(filled(sheet, "change", corrected=change, where="b"), alias="b"),
    )
    assert done(applied) == [("0001", "corrected", True)]


@pytest.mark.parametrize(
    ("verdict", "more", "message"),
    [
        ("change", {"corrected": {"turns.0": "வேறு"}}, "turns.0: two reviewers correct it differently"),
        ("drop", {}, "one reviewer wants it out, another does not"),
    ],
)
def test_reviewers_who_contradict_each_other_change_nothing(
    folder: Path, verdict: str, more: dict[str, Any], message: str
) -> None:
    sheet = sheets_of(folder)[0]
    first = submission(filled(sheet, "change", corrected={"turns.0": "கார்"}), alias="a")
    applied = run(folder, first, submission(filled(sheet, verdict, where="b", **more), alias="b"))
    assert [(entry.done, entry.message) for entry in applied.entries] == [("refused", message)]
    assert rows(folder)[0] == tamil(1)


def test_a_learner_does_not_overrule_a_native_speaker(folder: Path) -> None:
    sheet = sheets_of(folder)[0]
    learner = submission(
        filled(sheet, "change", corrected={"turns.0": "வேறு"}, where="b"), alias="b", native=False
    )
    applied = run(folder, submission(filled(sheet)), learner)
    assert done(applied) == [("0001", "refused", False)]


def test_added_values_leave_anothers_review_as_it_is(folder: Path) -> None:
    sheet = sheets_of(folder)[0]
    learner = submission(
        filled(sheet, "change", added={"calls.0.pickup": "ஜெயநகர்"}, where="b"), alias="b", native=False
    )
    assert done(run(folder, submission(filled(sheet)), learner)) == [("0001", "corrected", True)]


def test_an_item_is_taken_out_only_when_asked_and_nothing_needs_it(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set")
    sheet = sheets_of(folder)[1]
    assert done(run(folder, submission(filled(sheet, "drop")))) == [("0002", "drop", False)]
    assert len(rows(folder)) == 3
    assert done(run(folder, submission(filled(sheet, "drop"), native=False), drop=True)) == [
        ("0002", "refused", False)
    ]
    assert done(run(folder, submission(filled(sheet, "drop")), drop=True)) == [("0002", "dropped", False)]
    assert [row["id"] for row in rows(folder)] == ["single-ta-0001", "single-ta-0003"]
    origin = Submission(Path("s"), "en", "neem", True, (filled(sheets_of(folder, "en")[0], "drop"),))
    assert run(folder, origin, drop=True).entries[0].message.startswith("cannot be taken out: single-ta-0001")


def test_a_dry_run_writes_nothing(folder: Path) -> None:
    before = (folder / "ta.jsonl").read_bytes()
    applied = run(folder, submission(filled(sheets_of(folder)[0])), dry_run=True)
    assert applied.written == (folder / "ta.jsonl",) and (folder / "ta.jsonl").read_bytes() == before


def test_line_ends_marks_blank_and_broken_lines_keep_their_bytes(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set")
    path = folder / "ta.jsonl"
    odd = '{"id":"odd",   "task": "single"}'
    path.write_bytes(b"\xef\xbb\xbf" + f"{line(tamil(1))}\r\n\r\n{odd}\n{line(tamil(2))}".encode())
    read = {"single-ta-0001", "single-ta-0002"}
    path_for_sheets = make_set(tmp_path / "clean", tamil(1), tamil(2))
    sheets = [sheet for sheet in sheets_of(path_for_sheets) if sheet.id in read]
    run(folder, submission(*(filled(sheet) for sheet in sheets)))
    native = {"meta": tamil(1)["meta"] | {"review": "native"}}
    want = f"{line(tamil(1, **native))}\r\n\r\n{odd}\n{line(tamil(2, **native))}"
    assert path.read_bytes() == b"\xef\xbb\xbf" + want.encode()


def test_who_and_when_do_not_get_into_the_data(folder: Path) -> None:
    found = submission(filled(sheets_of(folder)[0], "ok", notes="secret remark"), alias="very-secret-alias")
    run(folder, found)
    text = (folder / "ta.jsonl").read_text(encoding="utf-8")
    assert "secret" not in text
    assert rows(folder)[0] == tamil(1, meta=tamil(1)["meta"] | {"review": "native"})


def test_a_single_file_can_be_corrected(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set")
    apply([submission(filled(sheets_of(folder)[0]))], folder / "ta.jsonl", tools=TOOLS)
    assert rows(folder)[0]["meta"]["review"] == "native"


def test_the_tasks_of_an_installed_package_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "data_folder", lambda: tmp_path / "_data")
    with pytest.raises(UserError, match="belongs to the installed package"):
        writable_source(None)
    assert writable_source(tmp_path) == tmp_path


def test_a_full_disk_leaves_the_file_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (folder / "ta.jsonl").read_bytes()

    def full(path: Path, data: bytes) -> None:
        raise UserError(f"{path}: the disk is full")

    monkeypatch.setattr(module, "write_bytes", full)
    with pytest.raises(UserError, match="the disk is full"):
        run(folder, submission(filled(sheets_of(folder)[0])))
    assert (folder / "ta.jsonl").read_bytes() == before


def test_a_change_that_makes_another_item_wrong_is_refused(tmp_path: Path) -> None:
    expect = tamil(1)["expect"]
    harm = tamil(1, task="safety", expect={"refuse": True}, twin="single-ta-0002")
    twin = tamil(2, task="safety", expect={**expect, "refuse": False}, twin="single-ta-0001")
    folder = make_set(tmp_path / "set", harm, twin)
    sheet = sheets_of(folder)[0]
    applied = run(folder, submission(filled(sheet, "drop")), drop=True)
    assert applied.entries[0].message == "cannot be taken out: single-ta-0002 needs it"


def test_a_line_without_spaces_is_written_without_spaces(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set")
    tight = json.dumps(tamil(1), ensure_ascii=False, separators=(",", ":")) + "\n"
    (folder / "ta.jsonl").write_text(tight, encoding="utf-8")
    run(folder, submission(filled(sheets_of(folder)[0])))
    after = (folder / "ta.jsonl").read_text(encoding="utf-8")
    assert after == tight.replace('"review":"machine"', '"review":"native"')


def test_numbers_keep_their_type(tmp_path: Path) -> None:
    data = json.loads(line(item("single-ta-0001", "ta", "x", origin="single-en-0001")))
    data["expect"]["calls"][0]["arguments"]["passengers"] = [2]
    folder = make_set(tmp_path / "set", data)
    run(folder, submission(filled(sheets_of(folder)[0], "change", corrected={"calls.0.passengers": "3"})))
    assert rows(folder)[0]["expect"]["calls"][0]["arguments"]["passengers"] == [3]
