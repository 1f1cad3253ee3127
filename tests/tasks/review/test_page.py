"""One page that opens offline and that nothing in the data can break; and what its script does without it."""

import json
import re
import shutil
import subprocess
from dataclasses import asdict
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from voicebench.tasks.review.page import page
from voicebench.tasks.review.sheet import Field, Sheet
from voicebench.tasks.review.submission import read_json

from .helpers import SCRIPTS, make_set, sheets_of

HOSTILE = "</script><script>alert(1)</script> \"q\" 'a' <b> & \u2028 <!-- {{data}}"
SCRIPT = str(files("voicebench.tasks.review") / "page" / "review.js")
node = pytest.mark.skipif(shutil.which("node") is None, reason="node runs the page's script")


class Page(HTMLParser):
    """A page's elements, its scripts, its visible words."""

    VOID = frozenset({"meta", "input", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            self.scripts[-1] += data
        elif self.open[-1:] != ["style"]:
            self.words += data

    @property
    def data(self) -> Any:
        return json.loads(self.scripts[0])


def sheet_of(text: str, id_: str = "single-ta-0001", **changes: Any) -> Sheet:
    fields = (
        Field("turns.0", "turn", "User", text, source="Get me an auto."),
        Field("calls.0.vehicle", "values", "vehicle", "auto\ncar", call=0),
        Field("said.0.vehicle", "said", "vehicle", "ஆட்டோ", call=0),
        Field("calls.0.id", "values", "id", "id of what call 1 returns", fixed=True, call=0),
    )
    known: dict[str, Any] = {
        "id": id_, "task": "single", "lang": "ta", "seen": "ab12", "review": "machine", "facts": (),
        "outcome": "", "offered": (), "calls": (("cab.book_ride", "Book."),), "fields": fields,
    }  # fmt: skip
    return Sheet(**known | changes)


def test_every_element_closes_and_nothing_is_loaded() -> None:
    text = page([sheet_of("ஆட்டோ")], "Tamil")
    found = Page(text)
    assert [tag for tag, _ in found.tags].count("script") == 2
    assert not [attributes for _, attributes in found.tags if {"src", "href"} & attributes.keys()]
    assert "http" not in re.sub(r"http-equiv", "", text) and "url(" not in text
    (policy,) = [a["content"] for tag, a in found.tags if tag == "meta" and "http-equiv" in a]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def test_hostile_words_end_no_element_and_fill_no_slot() -> None:
    sheet = sheet_of(
        HOSTILE, offered=(HOSTILE,), calls=((HOSTILE, HOSTILE),), facts=(HOSTILE,), outcome=HOSTILE
    )
    found = Page(page([sheet], HOSTILE))
    assert len(found.scripts) == 2
    assert found.data["items"][0]["fields"][0]["text"] == HOSTILE
    assert "innerHTML" not in found.scripts[1] and "insertAdjacentHTML" not in found.scripts[1]


@pytest.mark.parametrize("lang", sorted(SCRIPTS))
def test_words_stand_in_the_page_as_they_are_in_every_script(lang: str) -> None:
    text = page([sheet_of(SCRIPTS[lang])], "any")
    assert json.dumps(SCRIPTS[lang], ensure_ascii=False) in text


def test_every_field_that_stands_in_the_page_has_a_label() -> None:
    text = page([sheet_of("x")], "Tamil").partition('type="application/json"')[0]
    fields = re.findall(r"<(?:input|select|textarea)\b", text)
    inside = re.findall(r"<label[^>]*>(?:(?!</label>).)*<(?:input|select|textarea)\b", text, re.S)
    assert len(fields) == len(inside) == 7


def test_the_page_of_a_task_set_names_it_by_its_texts(tmp_path: Path) -> None:
    sheets = sheets_of(make_set(tmp_path / "set"))
    assert Page(page(sheets, "Tamil")).data["page"] == Page(page(sheets, "தமிழ்")).data["page"]
    assert Page(page(sheets[:2], "Tamil")).data["page"] != Page(page(sheets, "Tamil")).data["page"]


def js(expression: str, **names: Any) -> Any:
    """Return what an expression gives; `m` is the script, `item` and `data` a page's item and data."""
    data = Page(
        page([sheet_of("ஒரு ஆட்டோ பிடி"), sheet_of("கார்", "dialogue-ta-0002", task="dialogue")], "Tamil")
    ).data
    given = "".join(f"const {k} = {json.dumps(v)};" for k, v in ({"data": data} | names).items())
    code = (
        f"const m = require({json.dumps(SCRIPT)}); {given} const item = data.items[0];"
        f"console.log(JSON.stringify({expression}) ?? 'null')"
    )
    ran = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@node
def test_only_what_differs_is_a_correction() -> None:
    texts = {
        "turns.0": " ஒரு ஆட்டோ பிடி ", "calls.0.vehicle": "auto \n\n car", "said.0.vehicle": "ஒரு ஆட்டோ",
        "calls.0.id": "fixed things stay",
    }  # fmt: skip
    assert js("m.corrected(item, answer)", answer={"texts": texts}) == {"said.0.vehicle": "ஒரு ஆட்டோ"}
    assert js("m.corrected(item, undefined)") == {}


@node
def test_words_for_a_value_must_stand_in_the_request_as_it_now_is() -> None:
    assert js("[m.isSaid(item, null, 'ஆட்டோ'), m.isSaid(item, null, 'கார்')]") == [True, False]
    assert js("m.isSaid(item, answer, 'கார்')", answer={"texts": {"turns.0": "ஒரு கார்"}}) is True


@node
def test_items_are_found_by_words_kind_and_verdict() -> None:
    shown = "m.visible(data.items, answers, {find, kind, state})"
    nothing = {"answers": {}, "find": "", "kind": "", "state": ""}
    assert js(shown, **nothing) == [0, 1]
    assert js(shown, **nothing | {"find": "கார்"}) == [1]
    assert js(shown, **nothing | {"find": "GET ME"}) == [0, 1]
    assert js(shown, **nothing | {"kind": "dialogue"}) == [1]
    judged = nothing | {"answers": {"single-ta-0001": {"verdict": "drop"}}}
    assert js(shown, **judged | {"state": "drop"}) == [0]
    assert js(shown, **judged | {"state": "open"}) == [1]


STATE = {
    "reviewer": {"alias": "வேம்பு 7", "native": True},
    "answers": {
        "single-ta-0001": {"verdict": "change", "texts": {"turns.0": "க்\u200cஷ"}, "notes": " n "},
        "dialogue-ta-0002": {"texts": {}, "notes": " "},
    },
}


@node
def test_what_the_page_saves_is_what_apply_reads(tmp_path: Path) -> None:
    saved = js("m.exported(state, data)", state=STATE)
    path = tmp_path / js("m.fileName(state.reviewer.alias, data.lang)", state=STATE)
    path.write_text(json.dumps(saved), encoding="utf-8")
    assert path.name == "review-ta-வேம்பு-7.json"
    found = read_json(path)
    assert (found.lang, found.alias, found.native) == ("ta", "வேம்பு 7", True)
    (item,) = found.items
    assert {key: value for key, value in asdict(item).items() if key != "where"} == {
        "id": "single-ta-0001", "seen": "ab12", "verdict": "change", "corrected": {"turns.0": "க்\u200cஷ"},
        "added": {}, "notes": "n",
    }  # fmt: skip


@node
def test_a_saved_file_is_taken_up_again_without_what_has_changed() -> None:
    saved = js("m.exported(state, data)", state=STATE)
    again = "m.exported(m.restored(JSON.stringify(file), data), data)"
    assert js(again, file=saved) == saved
    saved["items"][0]["seen"] = "old"
    assert js(again, file=saved)["items"] == []


@node
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "This file is not JSON."),
        ("{}", "This file holds no corrections."),
        (
            '{"format": "voicebench-review/1", "lang": "te", "items": [], "reviewer": {}}',
            "These corrections are of another language.",
        ),
    ],
)
def test_a_file_that_cannot_be_taken_up_says_why(text: str, message: str) -> None:
    caught = "(() => { try { m.restored(text, data); } catch (error) { return error.message; } })()"
    assert js(caught, text=text) == message


@node
def test_keys_give_verdicts_and_move() -> None:
    keys = ["1", "4", "5", "n", "B", "e", "/", "x"]
    assert js("keys.map((key) => m.actionOf(key, Object.keys(data.verdicts)))", keys=keys) == [
        ["verdict", "ok"], ["verdict", "unsure"], None, ["next"], ["back"], ["write"], ["find"], None,
    ]  # fmt: skip
