"""The key: what it keeps, what the page's hash follows from, and a key that is not there."""

from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.listening.key import key_path, make_key, read_key, write_key

from .helpers import key_of, make_key_clip

CLIP = make_key_clip("c1", "th", written_text="เปิดเพลงที่ 5")


def test_a_key_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = key_path(tmp_path / "page.html")
    assert path.name == "page-key.json"
    key = key_of(CLIP, make_key_clip("c2", "th", of="c1", anchor="noise-0dB"))
    write_key(path, key)
    assert read_key(path) == key
    assert "เปิดเพลงที่ 5" in path.read_text(encoding="utf-8")


def test_the_hash_follows_from_what_a_rating_is_about() -> None:
    key = make_key((CLIP,), seed=0, blind=True, write_down=False)
    assert make_key((CLIP,), seed=9, blind=True, write_down=False).page == key.page
    assert make_key((CLIP,), seed=0, blind=False, write_down=False).page != key.page
    assert make_key((CLIP,), seed=0, blind=True, write_down=True).page != key.page
    other = CLIP.model_copy(update={"sha256": "0" * 64})
    assert make_key((other,), seed=0, blind=True, write_down=False).page != key.page


def test_a_missing_or_wrong_key_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no such file\. The key is written beside the page"):
        read_key(tmp_path / "x-key.json")
    path = tmp_path / "x-key.json"
    path.write_text('{"format": "voicebench-ratings/1"}', encoding="utf-8")
    with pytest.raises(UserError, match=r"x-key\.json: "):
        read_key(path)
