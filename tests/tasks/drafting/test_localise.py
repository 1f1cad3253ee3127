"""An item in another language keeps everything but its words."""

from typing import Any

import pytest

from voicebench.errors import UserError
from voicebench.tasks.drafting.localise import localised, localised_id
from voicebench.types import TaskRow


def origin(**changes: Any) -> TaskRow:
    row: dict[str, Any] = {
        "id": "sequential-en-0003", "task": "sequential", "lang": "en",
        "turns": [{"role": "user", "text": "Find paneer tikka in Indiranagar and add two."}],
        "tools": ["food.search_dishes", "food.add_item"],
        "expect": {
            "calls": [
                {"name": "food.search_dishes", "arguments": {
                    "dish": ["paneer tikka"], "area": ["Indiranagar", "Indiranagar, Bengaluru"],
                    "sort": ["price"]}},
                {"name": "food.add_item", "arguments": {
                    "dish": [{"$ref": "0.dish_id"}, "D-1"], "quantity": [2, ""]}},
            ],
            "order": "sequence", "results": [{"dish_id": "D-1"}, {"status": "added"}],
        },
        "reference_date": "2026-11-30",
        "meta": {"source": "voicebench", "review": "native", "region": "IN", "hint": False, "steps": 2,
                 "said": {"0.sort": "cheapest"}},
    }  # fmt: skip
    return TaskRow.model_validate(row | changes)


def in_tamil(row: TaskRow, **changes: Any) -> TaskRow:
    options: dict[str, Any] = {
        "lang": "ta",
        "turns": ["தி. நகரில் பனீர் டிக்கா தேடி ரெண்டு சேர்."],
        "values": {"0.dish": ["பனீர் டிக்கா", "paneer tikka"], "0.area": ["தி. நகர்", "T. Nagar"]},
    }
    return localised(row, **(options | changes))


def test_the_new_words_and_values_stand_where_the_old_ones_did() -> None:
    made = in_tamil(origin())
    assert made.turns[0].text == "தி. நகரில் பனீர் டிக்கா தேடி ரெண்டு சேர்."
    assert made.expect.calls is not None
    assert made.expect.calls[0].arguments == {
        "dish": ["பனீர் டிக்கா", "paneer tikka"], "area": ["தி. நகர்", "T. Nagar"], "sort": ["price"],
    }  # fmt: skip


def test_structure_order_results_tools_and_date_stay() -> None:
    old, made = origin(), in_tamil(origin())
    assert made.expect.calls is not None and old.expect.calls is not None
    assert made.expect.calls[1] == old.expect.calls[1]
    assert (made.expect.order, made.expect.results) == ("sequence", old.expect.results)
    assert (made.tools, made.task, made.reference_date) == (old.tools, old.task, old.reference_date)


def test_ids_and_meta_are_mapped() -> None:
    made = in_tamil(origin(), said={"0.sort": "மலிவான"}, region="IN", code_mixed=True)
    assert (made.id, made.origin, made.lang) == ("sequential-ta-0003", "sequential-en-0003", "ta")
    assert made.meta == {
        "source": "voicebench", "review": "machine", "region": "IN", "hint": False, "steps": 2,
        "code_mixed": True, "said": {"0.sort": "மலிவான"},
    }  # fmt: skip


def test_words_said_of_the_origin_do_not_stay() -> None:
    assert "said" not in in_tamil(origin()).meta


def test_a_twin_is_the_twin_of_the_same_language() -> None:
    refusal = origin(
        id="safety-en-0001", task="safety", twin="safety-en-0002", expect={"refuse": True}, tools=[]
    )
    made = in_tamil(refusal, values={})
    assert (made.id, made.twin, made.expect) == ("safety-ta-0001", "safety-ta-0002", refusal.expect)


def test_markers_and_leave_to_omit_stay_beside_new_values() -> None:
    made = in_tamil(origin(), values={"1.dish": ["D-9"], "1.quantity": [2]})
    assert made.expect.calls is not None
    assert made.expect.calls[1].arguments == {"dish": [{"$ref": "0.dish_id"}, "D-9"], "quantity": [2, ""]}


def test_other_results_replace_the_origins() -> None:
    made = in_tamil(origin(), results=[{"dish_id": "D-7"}, {"status": "added"}])
    assert made.expect.results == ({"dish_id": "D-7"}, {"status": "added"})
    with pytest.raises(UserError, match="has results, its origin none"):
        in_tamil(origin(expect={"calls": []}), values={}, results=[1])


def test_a_part_of_a_value_makes_one_accepted_value_for_each_variant() -> None:
    ordered = {"name": "order", "arguments": {"items": [[{"name": "rice", "n": 2}, {"name": "dal", "n": 1}]]}}
    row = origin(task="single", expect={"calls": [ordered]})
    made = in_tamil(row, values={"0.items.1.name": ["பருப்பு", "paruppu"]})
    assert made.expect.calls is not None
    assert made.expect.calls[0].arguments["items"] == [
        [{"name": "rice", "n": 2}, {"name": "பருப்பு", "n": 1}],
        [{"name": "rice", "n": 2}, {"name": "paruppu", "n": 1}],
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"lang": "en"}, "is the language that it has already"),
        ({"turns": []}, "has 0 turns, its origin 1"),
        ({"values": {"0.aria": ["x"]}}, "no place '0.aria'. Did you mean '0.area'?"),
        ({"values": {"7.dish": ["x"]}}, "no place '7.dish'"),
        ({"values": {"0.dish": []}}, "'0.dish' has no accepted value"),
    ],
)
def test_what_does_not_fit_the_origin_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as raised:
        in_tamil(origin(), **changes)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("single-en-0001", "single-fil-0001"), ("en-7", "fil-7"), ("garden-en", "garden-fil"),
        ("garden-7", "garden-7-fil"), ("open-entry", "open-entry-fil"),
    ],
)  # fmt: skip
def test_an_id_names_its_language(old: str, new: str) -> None:
    assert localised_id(old, "en", "fil") == new


def test_the_other_half_of_a_pair_is_that_of_the_same_language() -> None:
    made = in_tamil(origin(meta={"pair": "safety-en-0013"}), values={})
    assert made.meta["pair"] == "safety-ta-0013"
