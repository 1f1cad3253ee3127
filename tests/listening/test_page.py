"""One page that opens offline, that nothing in the data can break, and that gives no engine away."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from voicebench.listening.arrange import arrange
from voicebench.listening.axes import AXES, GRADES
from voicebench.listening.clips import Clip
from voicebench.listening.key import make_key
from voicebench.listening.page import page

from .helpers import make_clip

VOID = {"meta", "input", "br"}
HOSTILE = "</script><script>alert(1)</script> \"q\" 'a' <b> & \u2028 <!--"


class Page(HTMLParser):
    """A page's elements, its data, its visible words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.words: list[str] = []
        self.text = text
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif self.open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def data(self) -> Any:
        return json.loads(self.scripts[0])


def page_of(*clips: Clip, blind: bool = True, write_down: bool = False, **options: Any) -> Page:
    entries = arrange(clips, seed=0, **options)
    key = make_key(tuple(entry.key for entry in entries), seed=0, blind=blind, write_down=write_down)
    sounds = {entry.key.id: "data:audio/flac;base64,AAAA" for entry in entries}
    return Page(page(key, entries, sounds))


SCRIPTS = [make_clip(lang=lang, written=f"{lang} 5") for lang in ("en", "hi", "ta", "th")]


@pytest.mark.parametrize("write_down", [False, True])
def test_every_element_closes_and_nothing_is_loaded(write_down: bool) -> None:
    found = page_of(*SCRIPTS, write_down=write_down)
    assert [tag for tag, _ in found.tags].count("script") == 2
    assert not [attributes for _, attributes in found.tags if {"src", "href"} & attributes.keys()]
    assert "http" not in re.sub(r'"Content-Security-Policy"|http-equiv', "", found.text)
    policies = [a["content"] for tag, a in found.tags if tag == "meta" and "http-equiv" in a]
    assert policies and str(policies[0]).startswith("default-src 'none'; ")


def test_words_stand_in_the_data_as_they_are_in_every_script() -> None:
    said = {clip["lang"]: (clip["said"], clip["written"]) for clip in page_of(*SCRIPTS).data["clips"]}
    assert said["hi"] == ("हज़रतगंज से एक ऑटो बुला दो", "hi 5")
    assert said["ta"] == ("ஐந்நூறு ரூபாய் அனுப்பு", "ta 5")
    assert said["th"] == ("เปิดเพลงที่ห้า", "th 5")
    assert "ஐந்நூறு" in page_of(*SCRIPTS).text


def test_the_written_words_are_left_out_where_they_are_the_spoken_ones() -> None:
    clip = make_clip(text="ठीक है", written="ठीक है")
    assert "written" not in page_of(clip).data["clips"][0]


def test_hostile_words_end_no_element() -> None:
    found = page_of(make_clip(text=HOSTILE, written=HOSTILE + "!"))
    assert len(found.scripts) == 2
    assert found.data["clips"][0]["said"] == HOSTILE
    assert "alert(1)" not in "".join(found.words)


def test_a_blind_page_names_no_engine_voice_condition_or_task_anywhere() -> None:
    clips = [
        make_clip(number, engine=engine, voice="secret-voice", condition="speech/noise-3dB")
        for number in range(5)
        for engine in ("secret-engine", "other-engine")
    ]
    found = page_of(*clips, anchors=["noise-0dB"])
    for secret in ("secret-", "other-engine", "noise", "single-hi", "kokoro"):
        assert secret not in found.text, secret
    assert {key for clip in found.data["clips"] for key in clip} == {"id", "lang", "said", "sound"}


def test_an_open_page_says_what_made_a_clip() -> None:
    clip = make_clip(engine="mms", voice="v1", condition="speech/phone")
    assert page_of(clip, blind=False).data["clips"][0]["made"] == "mms · v1 · speech/phone"


def test_every_question_has_five_labelled_radios_in_a_named_group() -> None:
    found = page_of(*SCRIPTS)
    radios = [a for tag, a in found.tags if tag == "input" and a.get("type") == "radio"]
    assert [(a["name"], a["value"]) for a in radios] == [
        (axis.key, str(grade)) for axis in AXES for grade in range(1, 6)
    ]
    assert [tag for tag, _ in found.tags].count("legend") == len(AXES)
    for word in (*GRADES, *(axis.question for axis in AXES)):
        assert word in found.words


def test_every_field_is_inside_a_label_and_every_button_says_what_it_does() -> None:
    text = page_of(*SCRIPTS, write_down=True).text
    fields = re.findall(r"<(?:input|select|textarea)\b", text)
    inside = re.findall(r"<label[^>]*>(?:(?!</label>).)*<(?:input|select|textarea)\b", text, re.S)
    assert len(fields) == len(inside) == 5 * len(AXES) + 10
    assert re.findall(r"<button[^>]*></button>", text) == []


def test_each_language_is_asked_for_by_name() -> None:
    found = page_of(*SCRIPTS)
    selects = [a["name"] for tag, a in found.tags if tag == "select"]
    assert selects == ["lang-en", "lang-hi", "lang-ta", "lang-th"]
    assert "How well do you know Tamil?" in found.words


def test_writing_down_is_asked_for_where_wanted() -> None:
    ids = {a.get("id") for _, a in page_of(*SCRIPTS).tags}
    more = {a.get("id") for _, a in page_of(*SCRIPTS, write_down=True).tags} - ids
    assert more == {"heard", "show"}
