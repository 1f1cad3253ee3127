"""The page: one HTML file that opens offline, with its style, its script, its words and its clips inside."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from voicebench.listening.arrange import Entry
from voicebench.listening.axes import AXES, GRADES, LEVELS, Axis
from voicebench.listening.key import Key
from voicebench.report.labels import count, language_label, listed, unique
from voicebench.report.markup import Html, join, tag
from voicebench.report.page_data import script_json

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "media-src 'self' file: blob: data:"
)
"""The page may load nothing but the clips that are in it, or lie beside it."""

RATINGS_FORMAT = "voicebench-ratings/1"
BROKEN = "This clip cannot be played in this browser. Go on with the next one."
_SECONDS_A_CLIP = 30


def page(key: Key, entries: Sequence[Entry], sounds: Mapping[str, str]) -> str:
    """Return the whole of the page.

    Args:
        key: The page's key; where the page is not blind, engine, voice and condition stand beside a clip.
        entries: Its clips, in order.
        sounds: Each clip's data URI, or link, by its id.
    """
    langs = unique(entry.key.lang for entry in entries)
    title = f"Listening test: {listed([language_label(lang) for lang in langs])}"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("title", title),
        tag("style", Html(_asset("style.css"))),
    )
    body = tag(
        "body",
        _top(title),
        tag("noscript", tag("p", "This page needs JavaScript to play clips and to keep your ratings.")),
        tag("main", _start(langs, len(entries), key.write_down), _card(key.write_down), _end(), id="main"),
        _foot(),
        tag(
            "script",
            Html(script_json(_data(key, entries, sounds))),
            type="application/json",
            id="data",
        ),
        tag("script", Html(_asset("listen.js"))),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _asset(name: str) -> str:
    return (files("voicebench.listening") / "page" / name).read_text(encoding="utf-8")


def _data(key: Key, entries: Sequence[Entry], sounds: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": RATINGS_FORMAT,
        "page": key.page,
        "axes": [axis.key for axis in AXES],
        "levels": list(LEVELS),
        "langs": {lang: language_label(lang) for lang in unique(entry.key.lang for entry in entries)},
        "write": key.write_down,
        "clips": [_clip(entry, sounds[entry.key.id], key.blind) for entry in entries],
    }


def _clip(entry: Entry, sound: str, blind: bool) -> dict[str, Any]:
    key = entry.key
    found = {"id": key.id, "lang": key.lang, "said": key.spoken_text, "sound": sound}
    if key.written_text is not None and key.written_text != key.spoken_text:
        found["written"] = key.written_text
    if not blind:
        found["made"] = " · ".join(
            [key.engine, key.voice, key.condition, *([key.anchor] if key.anchor else [])]
        )
    return found


def _top(title: str) -> Html:
    return tag(
        "header",
        tag("h1", title),
        tag(
            "div",
            tag("progress", value=0, max=1, id="bar", aria_label="Clips that are rated"),
            tag("span", id="done", role="status"),
            class_="progress", id="progress", hidden=True,
        ),
        tag("p", id="notice", role="alert", hidden=True),
        class_="top",
    )  # fmt: skip


def _start(langs: Sequence[str], n_clips: int, write_down: bool) -> Html:
    minutes = max(1, round(n_clips * _SECONDS_A_CLIP / 60))
    steps = [
        "Use headphones in a quiet place, and a volume that you then leave as it is.",
        "Play each clip, as often as you like. "
        + ("First write down what you hear; then you see" if write_down else "Then you see")
        + " the words that it should say.",
        "Answer four questions with 1 (bad) to 5 (excellent). Judge how it is said, not what is said. "
        "Use the whole scale; there is no right answer.",
        "At the end, save your ratings as a file and send it back. Your ratings stay in this browser until "
        "then: you may close the page and go on later.",
    ]
    known = [
        tag(
            "label",
            tag("span", f"How well do you know {language_label(lang)}?"),
            tag(
                "select",
                tag("option", "Please choose", value=""),
                [tag("option", words, value=level) for level, words in LEVELS.items()],
                name=f"lang-{lang}", required=True,
            ),
        )
        for lang in langs
    ]  # fmt: skip
    return tag(
        "section",
        tag("p", f"{count(n_clips, 'clip')}, about {count(minutes, 'minute')}.", class_="lede"),
        tag("ol", [tag("li", step) for step in steps], class_="steps"),
        tag(
            "form",
            tag(
                "label",
                tag("span", "Your name or initials"),
                tag("input", name="name", required=True, maxlength=60, autocomplete="off"),
            ),
            known,
            tag("p", tag("button", "Start", type="submit", class_="main")),
            id="who",
        ),
        id="start",
    )


def _card(write_down: bool) -> Html:
    return tag(
        "section",
        tag("h2", "Clip", id="where", tabindex=-1),
        tag(
            "div",
            tag("audio", id="audio", controls=True, controlslist="nodownload", aria_labelledby="where"),
            tag("p", id="made", class_="made", hidden=True),
            class_="player",
        ),
        tag("p", BROKEN, id="broken", hidden=True),
        _heard() if write_down else None,
        tag(
            "div",
            tag("p", "The words appear when you have heard the clip once.", id="hidden", class_="hint"),
            tag("button", "Show the words", type="button", id="show") if write_down else None,
            tag("p", "It should say:", id="should", class_="hint", hidden=True),
            tag("p", id="said", dir="auto"),
            tag("p", tag("span", "In writing: "), tag("bdi", id="written"), id="as-written", hidden=True),
            class_="words", aria_live="polite",
        ),
        tag("form", [_question(axis) for axis in AXES], _more(), id="ratings"),
        tag(
            "div",
            tag("button", "Back", type="button", id="back"),
            tag("span", id="open", role="status"),
            tag("button", "Next", type="button", id="next", class_="main"),
            class_="moves",
        ),
        id="card", hidden=True,
    )  # fmt: skip


def _heard() -> Html:
    return tag(
        "div",
        tag(
            "label",
            tag("span", "First write down what you hear. Leave it empty if you understand nothing."),
            tag("textarea", "", id="heard", rows=2, dir="auto"),
        ),
        class_="heard",
    )  # fmt: skip


def _question(axis: Axis) -> Html:
    choices = [
        tag(
            "label",
            tag("input", type="radio", name=axis.key, value=grade, disabled=True),
            tag("span", tag("b", str(grade)), tag("small", word), class_="choice"),
        )
        for grade, word in enumerate(GRADES, start=1)
    ]
    return tag(
        "fieldset",
        tag("legend", tag("b", axis.question), tag("small", axis.help)),
        tag("div", choices, class_="choices"),
        id=f"axis-{axis.key}",
    )


def _more() -> Html:
    return join(
        tag(
            "label",
            tag("input", type="checkbox", id="wrong", disabled=True),
            tag("span", "Wrong words: something is said that should not be, or is left out"),
            class_="check",
        ),
        tag(
            "label",
            tag("span", "Anything to add? (you need not)"),
            tag("textarea", "", id="comment", rows=2, maxlength=2000, dir="auto"),
            class_="comment",
        ),
    )


def _end() -> Html:
    return tag(
        "section",
        tag("h2", "That was the last clip", tabindex=-1, id="end-title"),
        tag("p", id="left", role="status"),
        tag("p", tag("button", "Go to the first open one", type="button", id="to-open")),
        tag(
            "p",
            tag("button", "Save my ratings", type="button", class_="main save"),
            "Then send the file back. Thank you.",
        ),
        id="end", hidden=True,
    )  # fmt: skip


def _foot() -> Html:
    keys = [
        ("1 – 5", "answer the question that has the focus, or the first open one"),
        ("P", "play or pause"),
        ("W", "wrong words, yes or no"),
        ("N, B", "next clip, back"),
    ]
    return tag(
        "footer",
        tag(
            "details",
            tag("summary", "All clips"),
            tag("div", id="overview"),
            id="all", hidden=True,
        ),
        tag(
            "details",
            tag("summary", "Keyboard"),
            tag("dl", [join(tag("dt", tag("kbd", name)), tag("dd", said)) for name, said in keys]),
            tag(
                "label",
                tag("input", type="checkbox", id="shortcuts", checked=True),
                tag("span", "These keys are on"),
                class_="check",
            ),
        ),
        tag(
            "details",
            tag("summary", "Save, or go on from a file"),
            _button("Save my ratings", "save-now", class_="save"),
            tag(
                "label",
                tag("span", "Go on from a file that you saved"),
                tag("input", type="file", id="load", accept=".json,application/json"),
            ),
            _button("Start anew as another person", "other", id="anew"),
        ),
    )  # fmt: skip


def _button(words: str, place: str, **attributes: str) -> Html:
    """Return a button that is seen once somebody listens."""
    return tag("p", tag("button", words, type="button", **attributes), id=place, hidden=True)
