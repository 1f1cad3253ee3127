"""`voicebench listen`: a page, and what comes back."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.listening.helpers import all_axes, make_folder, make_row, ratings_file
from voicebench.listening.key import Key, read_key


@pytest.fixture
def audio(tmp_path: Path) -> Path:
    rows = [make_row(number, lang) for lang in ("hi", "ta") for number in range(4)]
    return make_folder(tmp_path / "audio", rows)


def rate(folder: Path, name: str, grade: int) -> Key:
    key = read_key(folder / "listening-key.json")
    ratings = [{"clip": clip.id, **all_axes(grade), "wrong_words": False} for clip in key.clips]
    ratings_file(
        Path(f"ratings-{name}.json"), key, ratings, name=name, id_=name,
        languages={"hi": "native", "ta": "native"},
    )  # fmt: skip
    return key


def test_a_page_is_written_with_what_to_do_next(run: Run, audio: Path) -> None:
    said = run("listen", "audio", "--sample", "3")
    assert said.exit_code == 0
    lines = said.stdout.splitlines()
    assert lines[:3] == [
        "hi: 3 of 4 clips, by kokoro", "ta: 3 of 4 clips, by kokoro", "0 more places are repeats and anchors",
    ]  # fmt: skip
    assert lines[3].startswith("written: audio/listening.html (0.")
    assert lines[4] == "written: audio/listening-key.json: keep it; ratings cannot be read without it"
    assert lines[5].endswith("listen audio --import ratings-*.json")
    assert "kokoro" not in (audio / "listening.html").read_text(encoding="utf-8")


def test_ratings_become_scores(run: Run, audio: Path) -> None:
    assert run("listen", "audio").exit_code == 0
    rate(audio, "Asha", 4)
    rate(audio, "Ravi", 2)
    said = run("listen", "audio", "--import", "ratings-Asha.json", "ratings-Ravi.json")
    assert said.exit_code == 0, said.output
    first = next(line for line in said.stdout.splitlines() if line.startswith("all"))
    assert first.split()[:6] == ["all", "all", "8", "16", "of", "16"]
    assert "3.00 (2.00–4.00)" in first
    assert "written: audio/listening.json" in said.stdout
    assert json.loads((audio / "listening.json").read_text(encoding="utf-8"))["raters"][0]["name"] == "Asha"
    assert (audio / "listening.md").is_file()


def test_ratings_of_a_page_over_several_folders_are_read_beside_their_names(run: Run, audio: Path) -> None:
    make_folder(audio.parent / "other", [make_row(engine="mms")])
    run("listen", "audio", "other")
    rate(audio, "Asha", 4)
    said = run("listen", "audio", "other", "--import", "ratings-Asha.json")
    assert said.exit_code == 0, said.output
    assert "mms" in said.stdout


def test_json_holds_all_results(run: Run, audio: Path) -> None:
    run("listen", "audio")
    rate(audio, "Asha", 5)
    found = json.loads(run("listen", "audio", "--import", "ratings-Asha.json", "--json").stdout)
    assert found["groups"][0]["scores"]["clarity"]["mean"] == 5
    assert found["raters"][0]["repeats_same"] == 1


def test_only_native_speakers_can_be_counted(run: Run, audio: Path) -> None:
    run("listen", "audio", "--lang", "ta")
    key = read_key(audio / "listening-key.json")
    ratings = [{"clip": clip.id, **all_axes(3)} for clip in key.clips]
    ratings_file(Path("r.json"), key, ratings, languages={"ta": "learner"})
    found = json.loads(run("listen", "audio", "--import", "r.json", "--native", "--json").stdout)
    assert found["groups"][0]["asked"] == 0


def test_the_key_can_be_printed(run: Run, audio: Path) -> None:
    key = json.loads(run("listen", "audio", "--out", "p.html", "--repeats", "0", "--json").stdout)
    assert {clip["engine"] for clip in key["clips"]} == {"kokoro"}
    assert len(key["clips"]) == 8


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "nowhere: no manifest.jsonl here"),
        (("audio", "--lang", "th"), "--lang 'th': no clip is of this"),
        (("audio", "--anchor", "nois"), "unknown effect"),
        (("audio", "--native"), "--native goes with --import"),
        (("audio", "--import", "r.json"), "listening-key.json: no such file"),
    ],
)
@pytest.mark.usefixtures("audio")
def test_a_mistake_is_one_line_and_exits_with_2(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run("listen", *words)
    assert ran.exit_code == 2
    assert said in ran.output
    assert ran.output.strip().count("\n") == 0


def test_another_pages_key_is_kept_unless_fresh(run: Run, audio: Path) -> None:
    run("listen", "audio")
    ran = run("listen", "audio", "--seed", "1")
    assert (ran.exit_code, "is the key of another page" in ran.output) == (2, True)
    assert run("listen", "audio", "--seed", "1", "--fresh").exit_code == 0
