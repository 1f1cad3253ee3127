"""Names in several scripts, by a table."""

import json
import unicodedata
from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.scoring.names import SHIPPED, Aliases, read_aliases, shipped_aliases
from voicebench.scoring.text import canonical_name


def table(folder: Path, *rows: object) -> Path:
    path = folder / "aliases.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("山田", "Yamada"),
        ("मुंबई", "Mumbai"),
        ("Bombay", "மும்பை"),
        ("Bangalore", "ബെംഗളൂരു"),
        ("चेन्नई", "చెన్నై"),
        ("กรุงเทพมหานคร", "Bangkok"),
        ("TP. Hồ Chí Minh", "Saigon"),
        ("Maynila", "manila"),
        ("北京", "Beijing"),
        ("एम.जी. रोड", "MG Road"),
        ("शर्मा", "Sharma"),
        ("जयनगर, बेंगलुरु", "Jayanagar, Bangalore"),
        ("Bandra, मुंबई", "बांद्रा, Mumbai"),
        ("हज़रतगंज，लखनऊ", "Hazratganj, Lucknow"),
        ("Block 5, Jayanagar", "block 5, जयनगर"),
    ],
)
def test_one_name_in_two_scripts(one: str, other: str) -> None:
    assert shipped_aliases().same(one, other)
    assert shipped_aliases().same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("मुंबई", "नवी मुंबई"),
        ("दिल्ली", "New Delhi"),
        ("मुंबई", "Mumbai, Maharashtra"),
        ("जयनगर, मैसूर", "Jayanagar, Bengaluru"),
        ("मुंबई हवाई अड्डा", "Mumbai airport"),  # only whole names
        ("山田", "Tanaka"),
        ("", ""),
        ("Mumbai", ""),
        ("Jayanagar, Bengaluru", "जयनगर"),
    ],
)
def test_two_names(one: str, other: str) -> None:
    assert not shipped_aliases().same(one, other)


def test_the_shipped_table_says_each_name_once() -> None:
    rows = [json.loads(line)["forms"] for line in SHIPPED.read_text(encoding="utf-8").splitlines()]
    forms = [form for row in rows for form in {canonical_name(form) for form in row}]
    assert len(rows) >= 250
    assert len(set(forms)) == len(forms)


def test_an_own_table_adds_to_the_shipped_one(tmp_path: Path) -> None:
    own = read_aliases(table(tmp_path, {"forms": ["Bambai", "Mumbai"]}, {"forms": ["घर", "Ghar Cafe"]}))
    assert own.same("Bambai", "மும்பை")
    assert own.same("घर", "ghar cafe")
    assert own.same("山田", "Yamada")
    assert not shipped_aliases().same("Bambai", "Mumbai")


def test_an_own_table_may_stand_alone(tmp_path: Path) -> None:
    own = read_aliases(table(tmp_path, {"forms": ["घर", "Ghar Cafe"]}), extending=Aliases())
    assert own.same("घर", "Ghar Cafe")
    assert not own.same("山田", "Yamada")


def test_a_row_of_a_language_holds_only_there(tmp_path: Path) -> None:
    own = read_aliases(
        table(tmp_path, {"forms": ["林", "Lin"], "lang": "zh"}, {"forms": ["林", "Hayashi"], "lang": "ja"})
    )
    assert own.same("林", "Lin", "zh")
    assert own.same("林", "Hayashi", "ja")
    assert not own.same("林", "Hayashi", "zh")
    assert not own.same("林", "Lin")


def test_a_name_in_two_rows_names_both_lines(tmp_path: Path) -> None:
    path = table(tmp_path, {"forms": ["Salem", "சேலம்"]}, {"forms": ["salem", "सेलम"]})
    with pytest.raises(UserError, match=r"aliases.jsonl:2: 'salem' stands in .*aliases.jsonl:1 already"):
        read_aliases(path)


def test_a_row_that_joins_two_shipped_names_names_both_lines(tmp_path: Path) -> None:
    path = table(tmp_path, {"forms": ["Mumbai", "Delhi"]})
    with pytest.raises(UserError, match=r"aliases.jsonl:1: joins .*aliases.jsonl:1 and .*aliases.jsonl:2"):
        read_aliases(path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"forms": ["Pune"]}, "at least two ways"),
        ({"forms": ["Pune", "PUNE "]}, "at least two ways"),
        ({"form": ["Pune", "पुणे"]}, "Did you mean 'forms'"),
        ({"lang": "hi"}, "key 'forms' is missing"),
        (["Pune", "पुणे"], "a line must hold a JSON object"),
    ],
)
def test_a_broken_row_is_said_with_its_line(tmp_path: Path, row: object, message: str) -> None:
    with pytest.raises(UserError, match=f"aliases.jsonl:1: .*{message}"):
        read_aliases(table(tmp_path, row))


def test_a_missing_table_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_aliases(tmp_path / "none.jsonl")


def test_no_shipped_word_has_letters_of_two_scripts() -> None:
    """A Bengali ম and a Tamil ம look alike, and only one of them is found."""
    forms = [form for line in SHIPPED.read_text("utf-8").splitlines() for form in json.loads(line)["forms"]]
    for word in " ".join(forms).split():
        scripts = {unicodedata.name(char).partition(" ")[0] for char in word if char.isalpha()}
        assert len(scripts) < 2 or any(char.isdecimal() for char in word), word
