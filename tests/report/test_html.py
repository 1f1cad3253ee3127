"""One page, self-contained, that nothing in the data can break."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from voicebench.report import RunData, summarise
from voicebench.report.html import html
from voicebench.report.shape import Clip
from voicebench.types import Tool, Turn

from .helpers import full_run, make_error, make_info, make_response, make_score, make_task, scored_run

VOID = {"meta", "line", "circle", "rect", "path", "br", "input", "link"}


class Page(HTMLParser):
    """The elements of a page, its data, and whether every element that opens closes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        else:
            self.words.append(data)

    @property
    def data(self) -> Any:
        return json.loads(self.scripts[0])


def page(*runs: RunData) -> Page:
    return Page(html(summarise(runs), lambda clip: f"link/{clip.condition}"))


SITUATIONS: dict[str, RunData] = {
    "nothing": scored_run({}),
    "no runs": full_run(),
    "one condition": scored_run({"speech": [1, 0]}),
    "errors only": RunData(make_info(), [make_task()], [], [make_error(make_task())]),
    "everything": full_run(),
    "planned only": scored_run({}, conditions=("text",), languages=("en",)),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_element_closes_in_every_situation(situation: str) -> None:
    found = page() if situation == "no runs" else page(SITUATIONS[situation])
    assert found.open == []
    assert found.tags.count("script") == 2
    assert found.tags.count("h1") == 1


def test_the_page_loads_nothing_from_anywhere() -> None:
    text = html(summarise([full_run()]), lambda clip: "x.wav")
    assert not re.search(r"(?:src|href)\s*=\s*[\"']?(?:https?:)?//", text)
    assert "@import" not in text
    assert "url(" not in text
    policies = [value for key, value in Page(text).attributes if key == "content"]
    assert any("default-src 'none'" in (value or "") for value in policies)


def test_a_text_cannot_end_the_script_it_stands_in() -> None:
    found = page(full_run())
    assert len(found.scripts) == 2
    assert "<" not in found.scripts[0]
    texts = {item["turns"][0]["text"] for item in found.data["items"]}
    assert 'Say </script><script>alert(1)</script> & "go" <b>now</b> 🚕' in texts


def test_names_messages_and_commands_are_text_and_not_markup() -> None:
    found = page(full_run())
    assert "b" not in found.tags
    words = "".join(found.words)
    assert "<b>evil</b>" in words
    assert "voicebench eval --tasks '<x>' && echo" in words


def test_scripts_of_every_language_are_kept_as_they_are() -> None:
    text = html(summarise([full_run()]), lambda clip: "x")
    for words in ("जयनगर से", "ค่ารถจากสยามเท่าไหร่", "கட்டணம் என்ன? مرحبا"):
        assert words in text


def test_a_figure_that_was_not_scored_is_a_dash_with_its_reasons() -> None:
    words = page(scored_run({"text": [None, None]})).words
    assert "0 of 2" in words
    assert "2 no verdict: no judge" in words
    assert "–" in words
    assert "0.00" not in words


def test_the_data_holds_clips_answers_and_verdicts() -> None:
    item = page(full_run()).data["items"][0]
    assert item["turns"][0]["clips"][0]["at"] == "link/speech"
    assert [result["v"] for result in item["results"]] == ["wrong"] * 4
    assert item["results"][1]["heard"] == ["x <i> y"]


def test_a_number_0_stays_in_the_data() -> None:
    item = page(scored_run({"text": [0]})).data["items"][0]
    assert item["results"][0]["a"] == 0
    assert item["results"][0]["figures"] == {"parameters": 0.0}


def test_a_megabyte_of_rubbish_is_cut_with_a_note() -> None:
    task = make_task(text="ग" * 1_000_000)
    run = RunData(make_info(), [task], [make_score(task, 0)], [make_response(task, text="<" * 1_000_000)])
    text = html(summarise([run]), lambda clip: "x")
    assert len(text) < 150_000
    assert "[cut: 4,000 of 1,000,000 characters shown]" in text


def test_numbers_that_are_none_do_not_reach_the_data() -> None:
    task = make_task()
    run = RunData(make_info(), [task], [make_score(task, float("nan"), parameter_fraction=float("inf"))])
    found = html(summarise([run]), lambda clip: "x")
    assert "NaN" not in found.split('type="application/json"')[1].split("</script>")[0]
    assert "Infinity" not in found.split('type="application/json"')[1].split("</script>")[0]


def test_links_lead_to_the_sections_that_are_there() -> None:
    found = page(scored_run({"text": [1]}))
    ids = {value for key, value in found.attributes if key == "id"}
    links = {value[1:] for key, value in found.attributes if key == "href" and value}
    assert links <= ids
    assert "gap" not in ids


@pytest.mark.skipif(shutil.which("node") is None, reason="node checks the script's grammar")
def test_the_script_can_be_parsed(tmp_path: Path) -> None:
    script = tmp_path / "items.js"
    script.write_text(page(full_run()).scripts[1], encoding="utf-8")
    ran = subprocess.run(["node", "--check", str(script)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_page_is_the_same_each_time() -> None:
    def link(clip: Clip) -> str:
        return clip.path

    assert html(summarise([full_run()]), link) == html(summarise([full_run()]), link)


def test_a_dialogue_keeps_its_turns_and_a_tool_its_name() -> None:
    turns = (
        Turn(role="user", text="सस्ता?"),
        Turn(role="assistant", text="₹२४०"),
        Turn(role="user", text="हाँ"),
    )
    task = make_task("dialogue-hi-1", "dialogue", "hi").model_copy(
        update={"turns": turns, "tools": (Tool(name="<tool>"),)}
    )
    item = page(RunData(make_info(), [task])).data["items"][0]
    assert [(turn["role"], turn["text"]) for turn in item["turns"]] == [
        ("user", "सस्ता?"), ("assistant", "₹२४०"), ("user", "हाँ"),
    ]  # fmt: skip
    assert item["tools"] == ["<tool>"]


def heard_run(trials: int = 1) -> RunData:
    """Return a run of two languages and two kinds, read and heard, with an effect."""
    tasks = [
        make_task("single-hi-1", lang="hi"), make_task("single-ta-1", lang="ta"),
        make_task("parallel-hi-1", "parallel", "hi"), make_task("safety-ta-1", "safety", "ta"),
    ]  # fmt: skip
    scores = [
        make_score(task, float(condition == "text"), condition, trial=trial)
        for task in tasks for condition in ("text", "speech", "speech/noise-10dB") for trial in range(trials)
    ]  # fmt: skip
    return RunData(make_info(), tasks, scores)


def test_what_was_lost_by_ear_has_its_section_with_examples_that_lead_to_their_tasks() -> None:
    found = page(heard_run())
    ids = {value for key, value in found.attributes if key == "id"}
    assert {"lost", "tables"} <= ids
    assert "4 of 4 lost by ear" in found.words
    assert ("href", "#task-single-hi-1") in found.attributes
    assert ("aria-label", "Hearing 0, Planning 0, Writing 0, Undecided 4, Right only when heard 0") in (
        found.attributes
    )
    assert found.data["causes"]["undecided"] == "Undecided"
    heard = next(result for result in found.data["items"][0]["results"] if result["c"] == 1)
    assert heard["cause"] == "undecided"
    assert heard["because"].startswith("no transcript of its own")


def test_the_papers_tables_are_there_where_there_is_something_to_average() -> None:
    words = page(heard_run()).words
    for title in ("Parameter filling by language", "By kind of task: All languages"):
        assert title in words
    assert "Several trials of each task" in page(heard_run(trials=2)).words
    alone = page(scored_run({"text": [1]}))
    assert "tables" not in {value for key, value in alone.attributes if key == "id"}
    assert alone.data["causes"] == {}


@pytest.mark.parametrize("trials", [1, 2])
def test_every_element_closes_with_all_sections(trials: int) -> None:
    assert page(heard_run(trials)).open == []


def test_every_figure_has_its_counts() -> None:
    found = page(scored_run({"text": [1, None, 0]}))
    assert ("title", "scored 2 of 3 (1 without a verdict)") in found.attributes
    assert "What became of the answers, figure by figure" in found.words
    assert "1 no verdict: no judge" in found.words
    assert "What became of the answers, figure by figure" not in page(scored_run({"text": [1, 0]})).words
