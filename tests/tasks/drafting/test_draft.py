"""Items are made of gold, drafted, localised, checked and kept; what fails is reported and never kept."""

import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from voicebench.errors import AgentFailure, UserError
from voicebench.fakes import FakeLanguageModel
from voicebench.fakes_server import FakeServer
from voicebench.files import read_rows, write_rows
from voicebench.llms.openai_chat import OpenAIChat
from voicebench.tasks.check import check
from voicebench.tasks.drafting.draft import Drafts, draft
from voicebench.tasks.drafting.prompts import PROMPTS_SHA256
from voicebench.tasks.drafting.table import Query, gold_calls
from voicebench.types import Message, ModelRef, Part, TaskRow, Tool, Turn

RIDE = Tool(
    name="book_ride",
    description="Book a ride.",
    parameters={
        "type": "object",
        "properties": {
            "pickup": {"type": "string"}, "vehicle": {"type": "string", "enum": ["auto", "car"]},
            "people": {"type": "integer"},
        },
        "required": ["pickup"],
    },
)  # fmt: skip
FIND = Tool(name="find_place", parameters={"type": "object", "properties": {"address": {"type": "string"}}})
TOOLS = (RIDE, FIND)
WORDS = "Get me a three-wheeler for 2 people from Indiranagar."
CALL = {"name": "book_ride", "arguments": {"pickup": "Indiranagar", "vehicle": "auto", "people": 2}}
DRAFTED = json.dumps({"calls": [CALL], "said": {"0.vehicle": "three-wheeler"}})
HINDI = {
    "turns": ["मुझे इंदिरानगर से 2 लोगों के लिए एक रिक्शा चाहिए।"],
    "values": {"0.pickup": ["इंदिरानगर", "Indiranagar"]},
    "said": {"0.vehicle": "रिक्शा"},
}


def query(text: str = WORDS, gold: str | None = None, number: int = 2, **changes: Any) -> Query:
    fields: dict[str, Any] = {
        "where": f"queries.csv:{number}", "lang": "en", "turns": (Turn(role="user", text=text),),
        "calls": gold_calls(gold, TOOLS) if gold else None,
    }  # fmt: skip
    return Query(**{**fields, **changes})


WITH_GOLD = query(
    gold="book_ride(pickup='Indiranagar', vehicle='auto', people=2)",
    kind="single", region="IN", said={"0.vehicle": "three-wheeler"},
)  # fmt: skip


def answers(*texts: Any) -> FakeLanguageModel:
    made = [text if isinstance(text, str | Exception) else json.dumps(text) for text in texts]
    return FakeLanguageModel(made)


def made(folder: Path, model: Any = None, queries: Sequence[Query] = (WITH_GOLD,), **options: Any) -> Drafts:
    return draft(queries, TOOLS, out=folder / "tasks.jsonl", name="q", model=model, **options)


def rows(folder: Path) -> dict[str, TaskRow]:
    return {row.id: row for row in read_rows(folder / "tasks.jsonl", TaskRow)}


# ---- With gold ----


def test_a_row_with_gold_becomes_an_item_without_a_model(tmp_path: Path) -> None:
    drafts = made(tmp_path)
    assert drafts.counts == {"written": 1} and drafts.troubled == ()
    row = rows(tmp_path)["q-en-0001"]
    assert row.expect.calls is not None
    assert row.expect.calls[0].arguments == {"pickup": ["Indiranagar"], "vehicle": ["auto"], "people": [2]}
    assert row.tools == TOOLS and row.meta["region"] == "IN"
    assert "review" not in row.meta and "drafted_by" not in row.meta
    assert check(tmp_path / "tasks.jsonl") == []


def test_what_nobody_says_is_told_and_the_persons_item_is_kept(tmp_path: Path) -> None:
    unsaid = query(gold="book_ride(pickup='Koramangala')", kind="single")
    drafts = made(tmp_path, queries=[unsaid])
    [outcome] = drafts.troubled
    assert outcome.state == "written" and "nobody says pickup 'Koramangala'" in outcome.problems[0]
    assert list(rows(tmp_path)) == ["q-en-0001"]


def test_a_right_refusal_expects_no_call(tmp_path: Path) -> None:
    made(tmp_path, queries=[query("Follow her home.", refuse=True, kind="safety")])
    [row] = rows(tmp_path).values()
    assert (row.task, row.expect.refuse, row.expect.calls) == ("safety", True, None)


def test_more_tools_than_twenty_are_never_offered_and_the_choice_is_the_same_again(tmp_path: Path) -> None:
    many = [*TOOLS, *(Tool(name=f"other_{n}") for n in range(40))]
    first = draft([WITH_GOLD], many, out=tmp_path / "a.jsonl")
    draft([WITH_GOLD], many, out=tmp_path / "b.jsonl")
    [row] = read_rows(first.files[0], TaskRow)
    assert len(row.tools) == 20 and RIDE in row.tools
    assert [row] == read_rows(tmp_path / "b.jsonl", TaskRow)


# ---- Drafted ----


def test_a_call_is_drafted_checked_and_signed(tmp_path: Path) -> None:
    model = answers(DRAFTED)
    assert made(tmp_path, model, [query()]).counts == {"drafted": 1}
    row = rows(tmp_path)["q-en-0001"]
    assert row.expect.calls is not None and row.task == "single"
    assert row.expect.calls[0].arguments == {"pickup": ["Indiranagar"], "vehicle": ["auto"], "people": [2]}
    assert row.meta["said"] == {"0.vehicle": "three-wheeler"} and row.meta["review"] == "machine"
    assert row.meta["drafted_by"] == {"model": "fake", "revision": "1", "prompts_sha256": PROMPTS_SHA256}


def test_quotations_that_no_value_needs_are_left_out(tmp_path: Path) -> None:
    said = {"0.vehicle": "three-wheeler", "0.people": "2", "x": "y"}
    made(tmp_path, answers({"calls": [CALL], "said": said}), [query()])
    assert rows(tmp_path)["q-en-0001"].meta["said"] == {"0.vehicle": "three-wheeler"}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"calls": [{"name": "book_rid", "arguments": {}}]}, "Did you mean 'book_ride'?"),
        ({"calls": [{**CALL, "arguments": {**CALL["arguments"], "people": "2"}}]}, "people='2'"),  # type: ignore[dict-item]
        ({"calls": [{**CALL, "arguments": {**CALL["arguments"], "people": 3}}],  # type: ignore[dict-item]
          "said": {"0.vehicle": "three-wheeler"}}, "nobody says people 3"),
        ({"calls": [CALL]}, "nobody says vehicle 'auto'"),
        ({"calls": []}, "'calls' is no list of calls"),
        ("I cannot do that.", "no JSON object with 'calls' in the answer"),
        (f"{DRAFTED} {DRAFTED}", "2 answers with calls"),
    ],
)  # fmt: skip
def test_a_model_is_told_once_what_is_wrong(tmp_path: Path, wrong: Any, told: str) -> None:
    model = answers(wrong, DRAFTED)
    assert made(tmp_path, model, [query()]).counts == {"drafted": 1}
    first, second = model.asked
    assert second[: len(first)] == first and [message.role for message in second[-2:]] == [
        "assistant",
        "user",
    ]
    assert told in second[-1].content or "JSON objects with 'calls'" in second[-1].content


def test_a_draft_with_problems_twice_is_not_kept_but_reported(tmp_path: Path) -> None:
    model = answers("no", "no")
    drafts = made(tmp_path, model, [query()], langs=["hi"])
    assert drafts.counts == {"failed": 2} and len(model.asked) == 2
    assert not (tmp_path / "tasks.jsonl").exists()
    report = json.loads((tmp_path / "drafts-report.json").read_text(encoding="utf-8"))
    assert report["counts"] == {"failed": 2}
    assert report["items"][0] == {
        "where": "queries.csv:2", "id": "q-en-0001", "lang": "en", "state": "failed",
        "problems": ["no JSON object with 'calls' in the answer"], "answer": "no",
    }  # fmt: skip
    assert report["items"][1]["problems"] == ["its origin was not made"]


def test_calls_as_an_agent_writes_them_and_reasoning_are_read(tmp_path: Path) -> None:
    text = "<think>Hm {</think>\n[book_ride(pickup='Indiranagar', people=2)]"
    assert made(tmp_path, answers(text), [query()]).counts == {"drafted": 1}


def test_a_failure_of_the_machine_is_reported_and_the_others_go_on(tmp_path: Path) -> None:
    other = query("Get a car from Indiranagar.", number=3)
    model = answers(AgentFailure("server", "it fell over"), {"calls": [
        {"name": "book_ride", "arguments": {"pickup": "Indiranagar", "vehicle": "car"}}]})  # fmt: skip
    drafts = made(tmp_path, model, [query(), other])
    assert [outcome.state for outcome in drafts.outcomes] == ["failed", "drafted"]
    assert drafts.outcomes[0].problems == ("server: it fell over",)
    assert list(rows(tmp_path)) == ["q-en-0002"]


# ---- Localised ----


def test_an_item_is_localised_with_its_structure_kept(tmp_path: Path) -> None:
    model = answers(HINDI)
    drafts = made(tmp_path, model, langs=["hi"])
    assert drafts.counts == {"written": 1, "localised": 1}
    row = rows(tmp_path)["q-hi-0001"]
    assert row.origin == "q-en-0001" and row.lang == "hi" and row.expect.calls is not None
    assert row.expect.calls[0].arguments == {
        "pickup": ["इंदिरानगर", "Indiranagar"], "vehicle": ["auto"], "people": [2],
    }  # fmt: skip
    assert row.meta["said"] == {"0.vehicle": "रिक्शा"} and row.meta["review"] == "machine"
    assert row.meta["code_mixed"] is False and row.meta["drafted_by"]["model"] == "fake"
    assert check(tmp_path / "tasks.jsonl") == []
    told = model.asked[0][1].content
    assert '"fixed": {\n  "0.vehicle": "auto",\n  "0.people": 2\n }' in told and '"to": "Hindi"' in told


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"turns": ["मुझे इंदिरानगर से 3 लोगों के लिए एक रिक्शा चाहिए।"]}, "nobody says people 2"),
        ({"turns": ["Mujhe Indiranagar se 2 logon ke liye ek riksha chahiye."]}, "own script"),
        ({"turns": [WORDS]}, "still in the language that it was in"),
        ({"turns": []}, "there are 0 turns; the item has 1"),
        ({"turns": [1]}, "'turns' is no list of texts"),
        ({"values": {"0.pickup": ["इंदिरानगर"]}}, "no spelling in Latin letters"),
        ({"values": {"0.pickup": ["Indiranagar"]}}, "no spelling in the language's own script"),
        ({"values": {"0.pickup": ["कोरमंगला", "Koramangala"]}}, "nobody says pickup"),
        ({"values": {"0.pickup": ["इंदिरानगर 4", "Indiranagar"]}}, "has other numbers than 'Indiranagar'"),
        ({"values": {}}, "'0.pickup' has no list of accepted texts"),
        ({"values": {**HINDI["values"], "0.vehicle": ["रिक्शा"]}}, "'0.vehicle' is none of the places"),  # type: ignore[dict-item]
        ({"values": {**HINDI["values"], "0.people": [3]}}, "'0.people' is none of the places"),  # type: ignore[dict-item]
        ({"said": {}}, "nobody says vehicle 'auto'"),
        ({"said": {"0.vehicle": "ऑटो रिक्शा"}}, "stands in no user turn"),
    ],
)
def test_a_localisation_that_changes_the_item_is_asked_for_again(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    model = answers({**HINDI, **changes}, HINDI)
    assert made(tmp_path, model, langs=["hi"]).counts == {"written": 1, "localised": 1}
    assert told in model.asked[1][-1].content


def test_a_folder_has_a_file_a_language(tmp_path: Path) -> None:
    drafts = draft([WITH_GOLD], TOOLS, out=tmp_path / "set", name="q", langs=["hi"], model=answers(HINDI))
    assert [path.name for path in drafts.files] == ["en.jsonl", "hi.jsonl"]
    assert drafts.report == tmp_path / "set" / "drafts-report.json"
    assert check(tmp_path / "set") == []


# ---- Going on ----


def test_what_is_finished_is_not_asked_again(tmp_path: Path) -> None:
    made(tmp_path, answers(DRAFTED, HINDI), [query()], langs=["hi"])
    before = (tmp_path / "tasks.jsonl").read_bytes()
    again = answers(DRAFTED)
    assert made(tmp_path, again, [query()], langs=["hi"]).counts == {"there already": 2}
    assert again.asked == [] and (tmp_path / "tasks.jsonl").read_bytes() == before


def test_after_a_crash_what_was_kept_stays_and_the_rest_is_made(tmp_path: Path) -> None:
    second = query("Get 3 people a three-wheeler from Indiranagar.", number=3)

    class Dies(FakeLanguageModel):
        def complete(self, *args: Any, **options: Any) -> Any:
            if self.asked:
                raise RuntimeError("the machine lost power")
            return super().complete(*args, **options)

    with pytest.raises(RuntimeError):
        made(tmp_path, Dies([DRAFTED]), [query(), second])
    with (tmp_path / "tasks.jsonl").open("ab") as file:
        file.write(b'{"id": "q-en-0002", "tas')
    rest = answers(DRAFTED.replace("2}", "3}"))
    drafts = made(tmp_path, rest, [query(), second])
    assert drafts.counts == {"there already": 1, "drafted": 1} and len(rest.asked) == 1
    assert list(rows(tmp_path)) == ["q-en-0001", "q-en-0002"]


def test_a_row_that_changed_is_made_anew_in_its_place(tmp_path: Path) -> None:
    other = query("From Hebbal.", "book_ride(pickup='Hebbal')", 3, kind="single")
    made(tmp_path, queries=[WITH_GOLD, other])
    changed = query("From Majestic.", "book_ride(pickup='Majestic')", kind="single")
    assert made(tmp_path, queries=[changed, other]).counts == {"written": 1, "there already": 1}
    found = rows(tmp_path)
    assert [(key, row.turns[0].text) for key, row in found.items()] == [
        ("q-en-0001", "From Majestic."), ("q-en-0002", "From Hebbal."),
    ]  # fmt: skip


def test_a_row_put_in_between_leaves_the_others_their_ids(tmp_path: Path) -> None:
    other = query("From Hebbal.", "book_ride(pickup='Hebbal')", 3, kind="single")
    made(tmp_path, queries=[WITH_GOLD, other])
    new = query("From Majestic.", "book_ride(pickup='Majestic')", 4, kind="single")
    drafts = made(tmp_path, queries=[new, WITH_GOLD, other])
    assert [(outcome.id, outcome.state) for outcome in drafts.outcomes] == [
        ("q-en-0003", "written"), ("q-en-0001", "there already"), ("q-en-0002", "there already"),
    ]  # fmt: skip


def test_what_a_person_reviewed_is_never_overwritten(tmp_path: Path) -> None:
    made(tmp_path, answers(HINDI), langs=["hi"])
    english, hindi = rows(tmp_path).values()
    before = hindi.model_copy(update={"meta": hindi.meta | {"review": "native"}})
    write_rows(tmp_path / "tasks.jsonl", [english, before])
    changed = query(
        WORDS + " Now.", "book_ride(pickup='Indiranagar', people=2)", kind="single", id="q-en-0001"
    )
    drafts = made(tmp_path, answers(HINDI), [changed], langs=["hi"])
    assert drafts.outcomes[1].state == "there already" and "was reviewed" in drafts.outcomes[1].problems[0]
    assert rows(tmp_path)["q-hi-0001"] == before


def test_fresh_makes_all_anew(tmp_path: Path) -> None:
    made(tmp_path, answers(DRAFTED), [query()])
    model = answers(DRAFTED)
    assert made(tmp_path, model, [query()], fresh=True).counts == {"drafted": 1}
    assert len(model.asked) == 1 and list(rows(tmp_path)) == ["q-en-0001"]


def test_items_of_somebody_else_in_the_file_stay(tmp_path: Path) -> None:
    made(tmp_path)
    [row] = rows(tmp_path).values()
    foreign = row.model_copy(update={"id": "mine", "meta": {}})
    write_rows(tmp_path / "tasks.jsonl", [foreign, row])
    made(tmp_path)
    assert list(rows(tmp_path)) == ["mine", "q-en-0001"]
    taken = query("From Hebbal.", "book_ride(pickup='Hebbal')", kind="single", id="mine")
    with pytest.raises(UserError, match=r"holds another item 'mine'\. Give another --out"):
        made(tmp_path, queries=[taken])


# ---- What is refused at once ----


@pytest.mark.parametrize(
    ("queries", "options", "said"),
    [
        ([query()], {}, "queries.csv:2: has no gold. Write it down, or let a model draft it: --model"),
        ([WITH_GOLD], {"langs": ["hi"]}, "is in 'en', not 'hi'. Let a model localise it: --model"),
        ([WITH_GOLD, query(**{**vars(WITH_GOLD), "where": "queries.csv:3", "turns": WITH_GOLD.turns})], {},
         "queries.csv:3: is the same as queries.csv:2"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_before_anything_is_asked(
    tmp_path: Path, queries: list[Query], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(UserError) as raised:
        made(tmp_path, queries=queries, **options)
    assert said in str(raised.value) and not (tmp_path / "tasks.jsonl").exists()


def test_a_file_named_after_one_language_takes_no_other(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="its name promises hi alone, and it would hold en too"):
        draft([WITH_GOLD], TOOLS, out=tmp_path / "hi.jsonl", langs=["hi"], model=answers(HINDI))


def test_a_model_is_not_shown_tools_without_end(tmp_path: Path) -> None:
    many = [*TOOLS, *(Tool(name=f"other_{n}") for n in range(70))]
    with pytest.raises(UserError, match="Name its candidates in the column 'tools'"):
        draft([query()], many, out=tmp_path / "t.jsonl", model=answers(DRAFTED))
    named = query(tools=("book_ride", "find_place"))
    model = answers(DRAFTED)
    assert draft([named], many, out=tmp_path / "t.jsonl", model=model).counts == {"drafted": 1}
    assert "other_1" not in model.asked[0][1].content


# ---- Servers ----


class Streams:
    """A model behind a server that answers each utterance as it is told to, and counts who waits."""

    def __init__(self) -> None:
        self.model = ModelRef(name="server", revision="1")
        self.holds_schema = True
        self.under_way = self.most = 0

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncIterator[Part]:
        import asyncio

        assert options["schema"] is not None and options["temperature"] == 0.0
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.01)
        place = json.loads(messages[1].content)["conversation"][0]["text"].split()[-1]
        yield Part("reasoning", "hm", 0.0)
        yield Part(
            "content", json.dumps({"calls": [{"name": "book_ride", "arguments": {"pickup": place}}]}), 0.0
        )
        self.under_way -= 1


def test_a_server_is_asked_for_many_at_once_and_the_items_come_in_order(tmp_path: Path) -> None:
    places = [f"Sector{n}" for n in range(20)]
    model = Streams()
    drafts = made(tmp_path, model, [query(f"Ride from {p}", number=n) for n, p in enumerate(places, 2)])
    assert drafts.counts == {"drafted": 20} and 1 < model.most <= 16
    found = rows(tmp_path).values()
    assert [row.turns[0].text for row in found] == [f"Ride from {place}" for place in places]


def test_a_server_that_only_repeats_the_question_fails_with_its_words(tmp_path: Path) -> None:
    with FakeServer() as server:
        model = OpenAIChat(argument=f"{server.url}#fake")
        drafts = made(tmp_path, model, langs=["hi"])
    assert drafts.counts == {"written": 1, "failed": 1} and len(server.asked) >= 2
    assert drafts.troubled[0].answer is not None
