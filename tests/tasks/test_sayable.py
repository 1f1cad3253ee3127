"""Why a gold value can be known: it is said, quoted, a default, returned, or may be left out."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicebench.tasks.sayable import Why, names_of, quoted, sayable_problems, why
from voicebench.types import TaskRow, Tool

PROPERTIES: dict[str, Any] = {
    "place": {"type": "string"},
    "vehicle": {"type": "string", "enum": ["any", "auto", "home_delivery"], "default": "any"},
    "count": {"type": "integer"},
    "price": {"type": "number"},
    "when": {"type": "string", "description": "YYYY-MM-DDTHH:MM."},
    "vegetarian": {"type": "boolean"},
    "code": {"type": "string"},
    "items": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "size": {"type": "string", "enum": ["small", "large"], "default": "small"},
            },
        },
    },
}
TOOLS = {"do": Tool(name="do", parameters={"type": "object", "properties": PROPERTIES})}


def row(text: str | list[str], lang: str = "en", said: Any = None, **arguments: Any) -> TaskRow:
    texts = [text] if isinstance(text, str) else text
    roles = ["user", "assistant"]
    return TaskRow.model_validate(
        {
            "id": "x",
            "task": "single",
            "lang": lang,
            "turns": [{"role": roles[i % 2], "text": said_text} for i, said_text in enumerate(texts)],
            "tools": ["do"],
            "expect": {"calls": [{"name": "do", "arguments": arguments}]},
            "reference_date": "2026-11-30",
            "meta": {} if said is None else {"said": said},
        }
    )


def reasons(task: TaskRow) -> list[tuple[str, str, str]]:
    return [(reason.place, reason.how, reason.detail) for reason in why(task, TOOLS)]


@pytest.mark.parametrize(
    ("lang", "text", "arguments"),
    [
        ("en", "A cab to Mysore for 2", {"place": ["Mysuru", "Mysore"], "count": [2]}),
        ("en", "twelve hundred and fifty rupees", {"price": [1250]}),
        ("hi", "तीन सौ रुपये", {"price": [300]}),
        ("hi", "मुंबई तक", {"place": ["Mumbai"]}),
        ("ta", "ஜெயநகரிலிருந்து இரண்டு பேர்", {"place": ["ஜெயநகர்"], "count": [2]}),
        ("te", "రెండు వందల యాభై రూపాయలు", {"price": [250]}),
        ("bn", "৪৫০ টাকা", {"price": [450]}),
        ("ml", "ഇരുനൂറ് രൂപ", {"price": [200]}),
        ("mr", "पाचशे रुपये", {"price": [500]}),
        ("vi", "200.000 đồng", {"price": [200000]}),
        ("id", "seratus lima puluh ribu rupiah", {"price": [150000]}),
        ("fil", "limang daang piso", {"price": [500]}),
        ("th", "ไปสยามสองร้อยห้าสิบบาท", {"place": ["สยาม"], "price": [250]}),
        ("zh", "三百块去首都机场", {"place": ["首都机场"], "price": [300]}),
        ("hi", "code SAVE20 लगा दो", {"code": ["SAVE20"]}),
        ("en", "the code is save twenty", {"code": ["SAVE20"]}),
        ("en", "it is 4 5 8 2", {"code": ["4582"]}),
        ("en", "with home delivery", {"vehicle": ["home_delivery"]}),
        ("en", "something vegetarian", {"vegetarian": [True]}),
        ("en", "tomorrow at 6:30 pm", {"when": ["2026-12-01T18:30"]}),
    ],
)
def test_a_value_is_said_in_any_of_its_forms(lang: str, text: str, arguments: dict[str, Any]) -> None:
    assert {reason.how for reason in why(row(text, lang, **arguments), TOOLS)} == {"said"}


@pytest.mark.parametrize(
    ("lang", "text", "arguments"),
    [
        ("en", "room 1250", {"count": [125]}),
        ("en", "12.50 dollars", {"price": [50]}),
        ("en", "a cab to Majestically", {"place": ["Majestic"]}),
        ("hi", "पच्चीस लोग", {"count": [20]}),
        ("zh", "三百五十块", {"price": [300]}),
        ("en", "no meat please", {"vegetarian": [False]}),
        ("en", "save fifty", {"code": ["SAVE5"]}),
        ("hi", "कमला नगर", {"place": ["कमल"]}),
    ],
)
def test_a_part_of_another_number_or_word_says_nothing(
    lang: str, text: str, arguments: dict[str, Any]
) -> None:
    assert [reason.how for reason in why(row(text, lang, **arguments), TOOLS)] == ["unsaid"]


def test_an_unsaid_value_is_a_problem_that_says_what_to_write() -> None:
    assert sayable_problems(row("एक ऑटो बुला दो", "hi", vehicle=["auto"]), TOOLS) == [
        "expect.calls[0] do: nobody says vehicle 'auto'."
        " Quote the user's words for it in meta.said: {'0.vehicle': …}"
    ]


def test_quoted_words_say_a_value_and_all_its_parts() -> None:
    task = row(
        "एक ऑटो, और बड़ा वाला Coke",
        "hi",
        said={"0.vehicle": "ऑटो", "0.items.0": "बड़ा वाला"},
        vehicle=["auto"],
        items=[[{"name": "Coke", "size": "large"}]],
    )
    assert reasons(task) == [
        ("0.vehicle", "said in other words", "ऑटो"),
        ("0.items.0.name", "said", "Coke"),
        ("0.items.0.size", "said in other words", "बड़ा वाला"),
    ]
    assert sayable_problems(task, TOOLS) == []


def test_quotations_are_compared_without_case_and_in_one_encoding() -> None:
    task = row("Gọi xe ba bánh", "vi", said={"0.vehicle": "XE BA BÁNH"}, vehicle=["auto"])
    assert sayable_problems(task, TOOLS) == []


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"0.vehicle": "रिक्शा"}, "meta.said['0.vehicle']: 'रिक्शा' stands in no user turn"),
        ({"0.vehicle": " "}, "meta.said['0.vehicle']: ' ' stands in no user turn"),
        ({"0.vehicel": "ऑटो"}, "meta.said: the gold calls have no '0.vehicel'. Did you mean '0.vehicle'?"),
        (["ऑटो"], "meta.said must hold, for each place in the gold calls, the words of a user turn"),
        ({"0.vehicle": 1}, "meta.said must hold, for each place in the gold calls, the words of a user turn"),
    ],
)
def test_a_bad_quotation_is_a_problem(said: Any, message: str) -> None:
    assert sayable_problems(row("एक ऑटो बुला दो", "hi", said=said, vehicle=["auto"]), TOOLS)[0] == message


def test_the_assistants_words_cannot_be_quoted() -> None:
    task = row(
        ["Get me a ride", "A three-wheeler?", "Yes"], said={"0.vehicle": "three-wheeler"}, vehicle=["auto"]
    )
    assert (
        sayable_problems(task, TOOLS)[0] == "meta.said['0.vehicle']: 'three-wheeler' stands in no user turn"
    )


def test_quoted_words_that_are_another_number_or_time_are_a_problem() -> None:
    task = row(
        "for five, tomorrow",
        said={"0.count": "five", "0.when": "tomorrow"},
        count=[4],
        when=["2026-12-02T08:00"],
    )
    assert sayable_problems(task, TOOLS)[:2] == [
        "meta.said['0.count']: 'five' is 5, and the gold value is 4",
        "meta.said['0.when']: 'tomorrow' is 2026-12-01, and the gold value is 2026-12-02T08:00",
    ]


def test_a_value_that_the_assistant_says_counts_as_accepted() -> None:
    task = row(["मेरा बिल भरो", "बिल 2,340 रुपये का है।", "ठीक है"], "hi", price=[2340])
    assert reasons(task) == [("0.price", "said", "2340 (the assistant's words, accepted in turn 2)")]


def test_defaults_and_what_may_be_left_out_need_not_be_said() -> None:
    assert reasons(row("Go", vehicle=["any"], place=["somewhere", ""])) == [
        ("0.vehicle", "default of the schema", ""),
        ("0.place", "may be left out", ""),
    ]


def test_what_another_call_returns_need_not_be_said() -> None:
    task = TaskRow.model_validate(
        {
            "id": "x",
            "task": "sequential",
            "lang": "ta",
            "turns": [{"role": "user", "text": "சென்னைக்கு போ"}],
            "tools": ["do"],
            "expect": {
                "calls": [
                    {"name": "do", "arguments": {"place": ["சென்னை"]}},
                    {"name": "do", "arguments": {"code": [{"$ref": "0.id"}, "K-17"], "price": [99.5]}},
                ],
                "order": "sequence",
                "results": [{"id": "K-17", "fare": 99.5}, None],
            },
        }
    )
    assert [(reason.place, reason.how, reason.detail) for reason in why(task, TOOLS)] == [
        ("0.place", "said", "சென்னை"),
        ("1.code", "returned by a call", "call 0"),
        ("1.price", "returned by a call", "call 0"),
    ]


def test_the_variant_that_is_said_wholly_is_the_one_that_counts() -> None:
    task = row("two idlis and a tea", items=[[{"name": "dosa"}], [{"name": "idlis"}, {"name": "tea"}]])
    assert [(reason.place, reason.value, reason.how) for reason in why(task, TOOLS)] == [
        ("0.items.0.name", "idlis", "said"),
        ("0.items.1.name", "tea", "said"),
    ]


def test_a_refusal_has_nothing_to_say() -> None:
    task = row("Hurt them").model_copy(
        update={"expect": row("x").expect.model_copy(update={"calls": None, "refuse": True})}
    )
    assert why(task, TOOLS) == []


def test_an_unknown_tool_and_a_broken_date_stop_nothing() -> None:
    task = row("a cab to Pune", place=["Pune"]).model_copy(update={"reference_date": "30 November"})
    assert why(task, {}) == [Why("0.place", "Pune", "said", 0, "Pune")]


def test_names_are_the_texts_of_gold() -> None:
    task = row("x", place=["Pune", "पुणे", ""], items=[[{"name": "tea", "size": "large"}]], count=[2])
    assert names_of(task) == {"Pune", "पुणे", "tea", "large"}


def test_quotations_that_are_no_texts_are_left_out() -> None:
    assert quoted(row("x", said={"0.place": 1, "0.count": "x"})) == {"0.count": "x"}


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=30).filter(str.strip), st.integers(0, 9999))
def test_any_text_and_number_can_be_looked_up(text: str, number: int) -> None:
    task = row([text], count=[number], place=[text])
    assert {reason.how for reason in why(task, TOOLS)} <= {"said", "unsaid"}
