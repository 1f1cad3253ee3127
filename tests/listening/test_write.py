"""A page on disk: its key, its size, its clips beside it, and another page's key that stays."""

import json
import re
from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.listening import write
from voicebench.listening.clips import Clip, read_clips
from voicebench.listening.write import Wish, write_page

from .helpers import make_folder, make_row


@pytest.fixture
def clips(tmp_path: Path) -> list[Clip]:
    rows = [make_row(number, lang) for lang in ("ta", "th") for number in range(5)]
    return read_clips([make_folder(tmp_path / "audio", rows)], {})


def data_of(page: Path) -> list[dict[str, str]]:
    found = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)
    assert found
    clips: list[dict[str, str]] = json.loads(found[1])["clips"]
    return clips


def test_a_page_and_its_key_speak_of_the_same_clips(tmp_path: Path, clips: list[Clip]) -> None:
    written = write_page(clips, Wish(sample=4), tmp_path / "page.html")
    shown = data_of(written.page)
    assert [clip["id"] for clip in shown] == [clip.id for clip in written.key.clips]
    assert len(shown) == 2 * (4 + 1)
    assert all(clip["sound"].startswith("data:audio/flac;base64,") for clip in shown)
    assert written.size_bytes == written.page.stat().st_size
    assert written.key_file.name == "page-key.json"


def test_the_same_wish_writes_the_same_bytes(tmp_path: Path, clips: list[Clip]) -> None:
    first = write_page(clips, Wish(seed=3), tmp_path / "a.html")
    again = write_page(clips[::-1], Wish(seed=3), tmp_path / "b.html")
    assert first.page.read_bytes() == again.page.read_bytes()
    assert first.key_file.read_bytes() == again.key_file.read_bytes()


def test_linked_clips_lie_beside_the_page_under_names_that_say_nothing(
    tmp_path: Path, clips: list[Clip]
) -> None:
    written = write_page(clips, Wish(link=True), tmp_path / "पन्ना.html")
    files = sorted(path.name for path in (tmp_path / "पन्ना-clips").iterdir())
    assert files == [f"{clip.id}.flac" for clip in written.key.clips]
    assert data_of(written.page)[0]["sound"].endswith("-clips/c01.flac")
    assert data_of(written.page)[0]["sound"].isascii()


def test_a_page_that_would_be_too_large_says_what_to_do(
    tmp_path: Path, clips: list[Clip], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "MOST_BYTES", 2000)
    with pytest.raises(UserError, match=r"Take a smaller --sample, one --lang, --opus .*, or --link"):
        write_page(clips, Wish(), tmp_path / "page.html")
    assert not list(tmp_path.glob("page*"))


def test_the_key_of_another_page_stays(tmp_path: Path, clips: list[Clip]) -> None:
    page = tmp_path / "page.html"
    kept = write_page(clips, Wish(seed=1), page).key_file.read_bytes()
    assert write_page(clips, Wish(seed=1), page).key_file.read_bytes() == kept
    with pytest.raises(UserError, match="is the key of another page"):
        write_page(clips, Wish(seed=2), page)
    assert (tmp_path / "page-key.json").read_bytes() == kept
    write_page(clips, Wish(seed=2), page, fresh=True)
    assert (tmp_path / "page-key.json").read_bytes() != kept
