from pathlib import Path
from typing import Any

import pytest

from tests.audio.clip_folders import clip, task
from voicebench.audio.dataset_card import card, hub_licences, is_untouched, rebuild_commands
from voicebench.audio.dataset_columns import Item
from voicebench.types import FailureRow, ModelRef, VoiceRef


def item(number: int = 1, lang: str = "en", condition: str = "speech", **fields: Any) -> Item:
    asked = task(number, lang)
    return Item(clip(asked, condition, **fields)[0], asked)


def header(text: str) -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load(text.split("---\n")[1])


def rows_of(text: str, section: str) -> list[list[str]]:
    part = text.split(f"\n## {section}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines][1:]


def test_the_header_is_what_a_hub_reads() -> None:
    found = header(card([item(1, "hi"), item(2, "th"), item(3, "hi")]))
    assert found["language"] == ["hi", "th"]
    assert found["license"] == ["apache-2.0", "cc-by-4.0"]
    assert found["size_categories"] == ["n<1K"]
    assert found["task_categories"] == ["automatic-speech-recognition"]
    assert [config["config_name"] for config in found["configs"]] == ["default", "hi", "th"]
    assert found["configs"][0]["data_files"] == [{"split": "test", "path": "data/*/test-*.parquet"}]
    assert found["configs"][1]["data_files"] == [{"split": "test", "path": "data/hi/test-*.parquet"}]


def test_norwegian_is_a_language_and_no_truth_value() -> None:
    row = clip(task(1, "en"), lang="no")[0]
    assert header(card([Item(row)]))["language"] == ["no"]


@pytest.mark.parametrize(
    ("clips", "said"), [(1, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (25_000, "10K<n<100K")]
)
def test_the_size_is_one_of_the_hubs_classes(clips: int, said: str) -> None:
    assert header(card([item()] * clips))["size_categories"] == [said]


@pytest.mark.parametrize(
    ("stated", "named"),
    [
        (["Apache-2.0", "apache-2.0"], ["apache-2.0"]),
        (["CC-BY-NC-4.0", "CC0-1.0"], ["cc-by-nc-4.0", "cc0-1.0"]),
        ([None], ["unknown"]),
        (["GPL-3.0-or-later", "by the speaker's consent"], ["other"]),
        (["MIT", None, "?"], ["mit", "other", "unknown"]),
    ],
)
def test_a_licence_is_named_as_the_hub_does_and_never_guessed(
    stated: list[str | None], named: list[str]
) -> None:
    assert hub_licences(stated) == named


def test_a_single_licence_stands_alone() -> None:
    voice = VoiceRef(id="v", licence="CC-BY-4.0")
    assert header(card([item(voice=voice)]))["license"] == "cc-by-4.0"


def test_licences_that_nobody_stated_are_said_to_be_so() -> None:
    nameless = Item(clip(task(1, "en", licence=None), voice=None)[0], task(1, "en", licence=None))
    text = card([nameless, item(2)])
    assert header(text)["license"] == ["apache-2.0", "cc-by-4.0", "unknown"]
    assert rows_of(text, "Licences") == [
        ["voices", "not stated", "1"],
        ["voices", "Apache-2.0", "1"],
        ["texts", "not stated", "1"],
        ["texts", "CC-BY-4.0", "1"],
    ]


def test_clips_are_counted_by_language_and_condition() -> None:
    other = VoiceRef(id="beta", source="common-voice", licence="CC0-1.0")
    items = [item(1, "hi"), item(1, "hi", "speech/noise-10dB"), item(2, "hi", voice=other), item(1, "ta")]
    text = card(items)
    assert rows_of(text, "What is in it") == [
        ["hi", "`speech`", "2", "2", "2", "0.0"],
        ["hi", "`speech/noise-10dB`", "1", "1", "1", "0.0"],
        ["ta", "`speech`", "1", "1", "1", "0.0"],
    ]
    assert rows_of(text, "Voices") == [
        ["`alpha`", "kokoro", "Apache-2.0", "hi, ta", "3"],
        ["`beta`", "common-voice", "CC0-1.0", "hi", "1"],
    ]


def test_engines_stand_there_with_revision_and_licence() -> None:
    items = [item(1), item(2, converter=ModelRef(name="nobody-knows"))]
    assert rows_of(card(items), "How it was made") == [
        ["synthesizer", "`kokoro`", "k1", "speaks", "Apache-2.0; phonemes by espeak-ng (GPL-3.0)", "2"],
        ["converter", "`nobody-knows`", "not stated", "changes the voice", "not stated", "1"],
    ]


def test_checks_are_summed_up_and_failures_counted() -> None:
    checks = [
        {"lufs": -23.0, "cer": 0.0, "plan": "a"},
        {"lufs": -30.5, "cer": 0.25, "doubts": ["cer", "pause"]},
    ]
    failed = [FailureRow(task_id="t", turn=0, condition="speech", kind="text", message="…")] * 2
    text = card([item(1, checks=checks[0]), item(2, checks=checks[1]), item(3, checks={"cut": None})], failed)
    assert "Clips that could not be made, and are not in it: 2 (2 × text)." in text
    assert rows_of(text, "Checks") == [
        ["`cer`", "2", "0", "0.125", "0.25"],
        ["`lufs`", "2", "-30.5", "-26.75", "-23"],
        ["check", "found", "clips"],
        ["`doubts`", "`cer`", "1"],
        ["`doubts`", "`pause`", "1"],
    ]


def test_the_commands_make_the_same_conditions() -> None:
    items = [
        item(1, "hi"),
        item(1, "hi", "speech/noise-10dB", converter=ModelRef(name="world")),
        item(1, "en", encoder=ModelRef(name="ecapa"), seed=3),
    ]
    assert rebuild_commands(items) == [
        "voicebench build-audio --lang en --synthesizer kokoro --converter none --encoder ecapa "
        "--seed 3 --out audio",
        "voicebench build-audio --lang hi --synthesizer kokoro --converter world --encoder none "
        "--effect noise-10dB --seed 7 --out audio",
    ]


def test_recordings_of_ones_own_are_not_said_to_be_made() -> None:
    text = card([item(synthesizer=ModelRef(name="human"), checks={})])
    assert "Clips made by voicebench's `build-audio`: 0 of 1." in text
    assert "no command makes them" in text
    assert "no substitute for recordings of people" not in text


def test_a_cell_keeps_its_table() -> None:
    voice = VoiceRef(id="a|b", source="two\nlines", licence="MIT")
    assert "| `a\\|b` | two lines | MIT | en | 1 |" in card([item(voice=voice)])


def test_the_same_clips_give_the_same_card() -> None:
    items = [item(1), item(2)]
    assert card(items) == card(list(items))


@pytest.mark.parametrize("edit", [("kokoro", "Kokoro"), ("## Limits\n", ""), ("<!--", "<!-- -->")])
def test_an_edited_card_is_noticed(edit: tuple[str, str]) -> None:
    text = card([item()])
    assert is_untouched(text)
    assert is_untouched(text.rstrip("\n"))
    assert not is_untouched(text.replace(*edit))
    assert not is_untouched(text + "\nMore.\n")
    assert not is_untouched("")


def test_the_card_speaks_of_no_machine(tmp_path: Path) -> None:
    assert str(tmp_path) not in card([item()])
