"""The shipped conformance cases: many, various, in twelve languages, and passed by our scorer."""

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from voicebench.conformance.answers import own_scorer
from voicebench.conformance.run import run
from voicebench.conformance.suite import read_cases, shipped_files
from voicebench.files import read_rows, to_line
from voicebench.types import ConformanceRow

LANGS = {"en", "hi", "bn", "mr", "ta", "te", "ml", "vi", "th", "id", "fil", "zh"}
SCRIPTS = {
    "hi": "DEVANAGARI", "mr": "DEVANAGARI", "bn": "BENGALI", "ta": "TAMIL", "te": "TELUGU", "ml": "MALAYALAM",
    "th": "THAI", "zh": "CJK",
}  # fmt: skip
CASES = read_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_our_scorer_says_what_the_case_wants(case: ConformanceRow) -> None:
    (outcome,) = run(own_scorer, [case]).outcomes
    assert outcome.error is None
    assert outcome.disagreements == (), case.why
    assert outcome.judged == len(case.want)


def test_there_are_400_cases_in_25_kinds_and_twelve_languages() -> None:
    assert len(CASES) >= 400
    assert len({case.kind for case in CASES}) >= 25
    assert {case.lang for case in CASES} == LANGS


def test_every_language_has_its_share() -> None:
    assert min(Counter(case.lang for case in CASES).values()) >= 30


def test_every_kind_is_tried_in_several_ways_and_languages() -> None:
    kinds = {case.kind for case in CASES}
    assert [kind for kind in kinds if sum(case.kind == kind for case in CASES) < 4] == []
    assert [kind for kind in kinds if len({case.lang for case in CASES if case.kind == kind}) < 3] == []


def test_no_two_cases_are_the_same() -> None:
    seen = Counter(json.dumps([c.model_dump()[k] for k in ("tools", "expect", "answer")]) for c in CASES)
    assert max(seen.values()) == 1


def test_a_scorer_that_always_says_yes_or_no_is_caught() -> None:
    wanted = Counter(case.want["parameters"] for case in CASES if "parameters" in case.want)
    assert min(wanted[0], wanted[1]) > 0.3 * wanted.total()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_says_why_and_its_id_says_file_and_language(case: ConformanceRow) -> None:
    assert case.why and case.why.endswith((".", "?")) and case.why == case.why.strip()
    assert re.fullmatch(rf"[a-z]+-{case.lang}-\d{{4}}", case.id)


@pytest.mark.parametrize("lang", sorted(SCRIPTS))
def test_most_cases_of_a_language_hold_its_script(lang: str) -> None:
    def native(case: ConformanceRow) -> bool:
        text = json.dumps([case.answer, case.expect.model_dump()], ensure_ascii=False)
        return any(unicodedata.name(char, "").startswith(SCRIPTS[lang]) for char in text)

    own = [case for case in CASES if case.lang == lang]
    assert sum(map(native, own)) > 0.6 * len(own)


@pytest.mark.parametrize("path", shipped_files(), ids=lambda path: path.stem)
def test_a_file_reads_and_writes_back_to_the_same_bytes(path: Path) -> None:
    rows = read_rows(path, ConformanceRow)
    assert "".join(to_line(row) + "\n" for row in rows).encode() == path.read_bytes()


@pytest.mark.parametrize("path", shipped_files(), ids=lambda path: path.stem)
def test_ids_begin_with_the_files_name(path: Path) -> None:
    assert {row.id.split("-")[0] for row in read_rows(path, ConformanceRow)} == {path.stem}
