"""What the three rules share: who reads for them, and what they keep silent about."""

import runpy
from pathlib import Path

import pytest

from tests.conformance.cases import case
from tests.pages import ROOT
from voicebench.conformance.answers import Answer
from voicebench.conformance.rules import RULES, rule_scorer
from voicebench.errors import UserError

SOURCES = sorted((ROOT / "voicebench" / "conformance" / "rules").glob("[!_c]*.py"))


@pytest.mark.parametrize("name", list(RULES))
def test_a_right_call_is_right_by_every_rule(name: str) -> None:
    assert rule_scorer(name)([case("x")]).answers == {"x": Answer({"parameters": 1})}


@pytest.mark.parametrize("name", list(RULES))
def test_what_our_reader_cannot_read_is_wrong(name: str) -> None:
    assert rule_scorer(name)([case("x", answer={"text": "नहीं"})]).answers == {"x": Answer({"parameters": 0})}


@pytest.mark.parametrize("name", list(RULES))
def test_a_rule_says_nothing_of_refusals(name: str) -> None:
    row = case("x", expect={"refuse": True}, want={"refusal": 1})
    assert rule_scorer(name)([row]).answers == {"x": Answer()}


@pytest.mark.parametrize("name", list(RULES))
def test_a_call_of_another_tool_is_wrong(name: str) -> None:
    row = case("x", answer={"calls": [{"name": "clock.now", "arguments": {}}]})
    assert rule_scorer(name)([row]).answers == {"x": Answer({"parameters": 0})}


def test_an_unknown_rule_names_the_closest() -> None:
    with pytest.raises(UserError, match=r"unknown rule 'bfc'\. Did you mean 'bfcl'\?"):
        rule_scorer("bfc")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_rule_says_what_it_is_and_what_it_leaves_out(path: Path) -> None:
    said = path.read_text(encoding="utf-8")
    assert "re-implemented from a description of it; not its code." in said
    assert "Not covered:" in said


def test_the_table_of_the_page_is_what_the_rules_give() -> None:
    page = runpy.run_path(str(ROOT / "tools" / "conformance.py"))["page"]()
    assert (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8") == page, (
        "run: python tools/conformance.py"
    )
