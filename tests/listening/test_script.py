"""What the page's script does without a page: order, progress, what is saved, what is taken back."""

import json
import shutil
import subprocess
from importlib.resources import files
from typing import Any

import pytest

SCRIPT = str(files("voicebench.listening") / "page" / "listen.js")
AXES = ["naturalness", "prosody", "pronunciation", "clarity"]
DATA = {
    "format": "voicebench-ratings/1", "page": "abcdef0123456789", "axes": AXES, "write": False,
    "clips": [{"id": f"c{n}", "lang": lang} for n, lang in enumerate(["ta"] * 4 + ["th"] * 2, start=1)],
}  # fmt: skip
FULL = dict.fromkeys(AXES, 4)

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node runs the page's script")


def js(expression: str, **names: Any) -> Any:
    """Return what an expression gives; `m` is the script, `data` a page's data."""
    given = "".join(f"const {k} = {json.dumps(v)};" for k, v in ({"data": DATA} | names).items())
    shown = f"console.log(JSON.stringify({expression}) ?? 'null')"
    code = f"const m = require({json.dumps(SCRIPT)}); {given} {shown}"
    ran = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_listeners_begin_at_their_own_place_of_each_language() -> None:
    known = {"ta": "native", "th": "fluent"}
    order = "m.orderFor(data.clips, known, start).map((clip) => clip.id)"
    assert js(order, known=known, start=0) == ["c1", "c2", "c3", "c4", "c5", "c6"]
    assert js(order, known=known, start=0.5) == ["c3", "c4", "c1", "c2", "c6", "c5"]
    assert js("[m.startOf('0000000000000000'), m.startOf('8000000000000000')]") == [0, 0.5]


def test_clips_of_a_language_that_somebody_does_not_speak_are_left_out() -> None:
    order = "m.orderFor(data.clips, {ta: 'none', th: 'learner'}, 0).map((clip) => clip.id)"
    assert js(order) == ["c5", "c6"]


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (None, "open"),
        ({}, "open"),
        ({"begun": True, "listens": 2}, "open"),
        ({"clarity": 3}, "part"),
        ({"comment": "ठीक"}, "part"),
        (FULL, "done"),
        ({"unplayable": True}, "done"),
    ],
)
def test_a_clip_is_open_partly_rated_or_done(answer: Any, state: str) -> None:
    assert js("m.stateOf(answer, data.axes)", answer=answer) == state


def test_what_is_saved_is_what_was_said_and_nothing_else() -> None:
    state = {
        "rater": {"id": "00ff", "name": "अ. क.", "languages": {"ta": "native", "th": "none"}},
        "started": "2026-11-30T10:00:00Z", "at": 3,
        "answers": {
            "c1": {**FULL, "begun": True, "listens": 2, "wrong_words": True, "comment": "</script>"},
            "c2": {"clarity": 2, "listens": 1},
            "c3": {"begun": True},
            "c4": {"unplayable": True},
        },
    }  # fmt: skip
    saved = js("m.exported(state, data, 'now')", state=state)
    assert saved == {
        "format": "voicebench-ratings/1", "page": "abcdef0123456789", "rater": state["rater"],
        "started": "2026-11-30T10:00:00Z", "saved": "now",
        "ratings": [
            {"clip": "c1", **FULL, "wrong_words": True, "comment": "</script>", "listens": 2},
            {"clip": "c2", **dict.fromkeys(AXES), "clarity": 2, "wrong_words": False, "listens": 1},
            {"clip": "c4", **dict.fromkeys(AXES), "wrong_words": None, "unplayable": True, "listens": 0},
        ],
    }  # fmt: skip


def test_what_was_written_down_is_saved_where_it_was_asked_for() -> None:
    answers = {
        "c1": {**FULL, "heard": "เปิดเพลง", "shown": True}, "c2": {**FULL, "shown": True},
        "c3": {**FULL, "heard": "เ"},
    }  # fmt: skip
    state = {"rater": {}, "started": "", "answers": answers}
    written = js("m.exported(state, {...data, write: true}, '').ratings.map((r) => r.heard)", state=state)
    # What counts is what stood there when the words were asked for.
    assert written == ["เปิดเพลง", "", None]
    assert js("'heard' in m.exported(state, data, '').ratings[0]", state=state) is False


def test_a_saved_file_is_taken_back() -> None:
    state = {"rater": {"id": "00ff", "name": "AK"}, "started": "then", "answers": {"c1": FULL}}
    text = "JSON.stringify(m.exported(state, data, 'now'))"
    back = js(f"m.restored({text}, data)", state=state)
    assert (back["rater"], back["started"], back["at"]) == (state["rater"], "then", 0)
    assert {axis: back["answers"]["c1"][axis] for axis in AXES} == FULL


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "This file is not JSON."),
        ("{}", "This file holds no ratings."),
        ("null", "This file holds no ratings."),
        (
            json.dumps({"format": "voicebench-ratings/1", "page": "other", "rater": {}, "ratings": []}),
            "These ratings belong to another page.",
        ),
    ],
)
def test_a_file_that_cannot_be_taken_back_says_why(text: str, said: str) -> None:
    assert (
        js("(() => { try { m.restored(text, data) } catch (e) { return e.message } })()", text=text) == said
    )


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("AK", "ratings-AK-abcdef.json"),
        ("../अनु क/", "ratings-अनु-क-abcdef.json"),
        ("สมชาย", "ratings-สมชาย-abcdef.json"),
        ("///", "ratings-anonymous-abcdef.json"),
    ],
)
def test_a_file_is_named_after_its_listener(name: str, file: str) -> None:
    assert js("m.fileName(name, data.page)", name=name) == file


def test_keys_do_what_the_page_says() -> None:
    assert js("['1', '5', 'p', 'P', 'w', 'n', 'b'].map(m.actionOf)") == [
        ["grade", 1], ["grade", 5], ["play"], ["play"], ["wrong"], ["next"], ["back"],
    ]  # fmt: skip
    assert js("['0', '6', '12', 'Enter', 'x', ' '].map(m.actionOf)") == [None] * 6
