"""Which kind and which language an item is."""

import pytest

from voicebench.tasks.doors import NoTask
from voicebench.tasks.doors.kinds import kind_of, language_code, language_of_script
from voicebench.types import Expect, GoldCall, TaskKind


@pytest.mark.parametrize(
    ("calls", "order", "tools", "turns", "kind"),
    [
        (1, "any", 1, 1, "single"),
        (1, "any", 8, 1, "retrieval"),
        (1, "any", 21, 1, "single"),
        (1, "any", 8, 3, "dialogue"),
        (2, "any", 3, 1, "parallel"),
        (2, "sequence", 3, 1, "sequential"),
        (2, "any", 3, 3, "parallel"),
        (0, "any", 9, 1, "single"),
    ],
)
def test_the_form_says_the_kind(calls: int, order: str, tools: int, turns: int, kind: TaskKind) -> None:
    expect = Expect.model_validate({"calls": [GoldCall(name="f")] * calls, "order": order})
    assert kind_of(expect, tools=tools, turns=turns) == kind


def test_languages_are_known_by_name_or_code() -> None:
    assert [language_code(name) for name in ("Hindi", "malayalam ", "ta", "Bangla")] == [
        "hi", "ml", "ta", "bn",
    ]  # fmt: skip
    with pytest.raises(NoTask, match="its language is not known"):
        language_code("klingon")


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Book a cab", "en"),
        ("कैब बुक करो please", "hi"),
        ("வண்டி வேண்டும்", "ta"),
        ("帮我叫车", "zh"),
        ("택시 불러줘", "ko"),
        ("", "en"),
        ("2 + 2", "en"),
    ],
)
def test_the_script_says_the_language_where_it_can(text: str, lang: str) -> None:
    assert language_of_script([text], "en") == lang
