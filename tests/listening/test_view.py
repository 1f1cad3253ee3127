"""The table, the JSON and the Markdown of results."""

import json
from pathlib import Path

from voicebench.listening.key import make_key
from voicebench.listening.results import summarise
from voicebench.listening.shape import Listening
from voicebench.listening.view import as_json, headers, markdown, rows, write_results

from .helpers import all_axes, key_of, make_key_clip, make_sheet

KEY = key_of(make_key_clip("a1", "ta"), make_key_clip("b1", "th", engine="mms"))


def found() -> Listening:
    said = {**all_axes(4), "wrong_words": True, "comment": "a | b\n<script>"}
    return summarise(KEY, [make_sheet("மணி", {"a1": said}, ta="native", th="learner")])


def test_the_table_has_a_line_a_group_and_dashes_for_nothing() -> None:
    lines = [dict(zip(headers(found()), row, strict=True)) for row in rows(found())]
    assert lines[0] == {
        "by": "all", "clips of": "all", "clips": "2", "rated": "1 of 2", "naturalness": "4.00",
        "prosody": "4.00", "pronunciation": "4.00", "clarity": "4.00", "wrong words": "1.00",
    }  # fmt: skip
    named = [line["clips of"] for line in lines]
    assert named == ["all", "kokoro", "mms", "Tamil", "Thai", "Tamil, kokoro", "Thai, mms",
                     "kokoro, kokoro-ta", "mms, mms-th"]  # fmt: skip
    assert lines[2]["clarity"] is None


def test_what_was_heard_wrongly_has_a_column_where_it_was_asked() -> None:
    key = make_key((make_key_clip("a1", "ta"),), seed=0, blind=True, write_down=True)
    heard = summarise(key, [make_sheet("மணி", {"a1": {"heard": ""}}, ta="native")])
    assert headers(heard)[-1] == "heard wrongly"
    assert rows(heard)[0][-1] == "1.00"
    assert "Heard wrongly: the share" in markdown(heard)
    assert "eard wrongly" not in markdown(found())


def test_the_json_is_read_back_as_it_was() -> None:
    text = as_json(found())
    assert Listening.model_validate_json(text) == found()
    assert json.loads(text)["format"] == "voicebench-listening/1"
    assert "மணி" in text


def test_the_markdown_holds_hostile_comments_in_their_cells() -> None:
    text = markdown(found())
    assert r"மணி: a \| b \<script>" in text
    assert "## Clips to hear again" in text
    assert "1.00" in text


def test_results_lie_beside_the_page_under_its_name(tmp_path: Path) -> None:
    paths = write_results(found(), tmp_path / "hindi.html")
    assert [path.name for path in paths] == ["hindi.json", "hindi.md"]
    assert all(path.read_text(encoding="utf-8") for path in paths)


def test_results_without_ratings_are_shown_too() -> None:
    empty = summarise(KEY, [])
    assert "0 listeners" in markdown(empty)
    assert json.loads(as_json(empty))["raters"] == []
