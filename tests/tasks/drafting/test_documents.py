"""A JSON or YAML file becomes plain JSON values, or one line that says why not."""

from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.tasks.drafting import documents
from voicebench.tasks.drafting.documents import read_document, read_text


def saved(folder: Path, text: str | bytes, name: str = "api.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_yaml_keeps_the_words_that_older_yaml_takes_for_truth_values(tmp_path: Path) -> None:
    text = "on: [yes, no, off, NO]\ncountry: no\nis: [true, False]\nday: 2026-12-01\nn: [1, 2.5, null, ~]\n"
    assert read_document(saved(tmp_path, text)) == {
        "on": ["yes", "no", "off", "NO"], "country": "no", "is": [True, False], "day": "2026-12-01",
        "n": [1, 2.5, None, None],
    }  # fmt: skip


def test_yaml_keys_that_are_no_text_become_text(tmp_path: Path) -> None:
    text = "200: ok\ntrue: yes\nnull: none\n1.5: half\n"
    assert read_document(saved(tmp_path, text)) == {"200": "ok", "true": "yes", "null": "none", "1.5": "half"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1\nb: 2\n", ":2: not YAML"),
        ("? [1, 2]\n: x\n", "not YAML (found unhashable key)"),
        ("a: !!python/object/apply:os.system [ls]\n", "not YAML (could not determine a constructor"),
        ("a: &a [*a]\n", "more than 100 levels"),
        ("a: !!binary aGk=\n", "holds a bytes, which JSON has not"),
        ("a: !!timestamp 2026-12-01\n", "holds a date, which JSON has not"),
    ],
)
def test_what_is_no_plain_yaml_is_one_line_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as raised:
        read_document(saved(tmp_path, text))
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_a_file_that_multiplies_its_parts_is_refused(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    with pytest.raises(UserError, match="more than 1,000,000 values"):
        read_document(saved(tmp_path, "\n".join(lines)))


def test_json_is_read_as_json_whatever_the_file_is_called(tmp_path: Path) -> None:
    assert read_document(saved(tmp_path, '\ufeff {"a": [1]}', "tools")) == {"a": [1]}
    with pytest.raises(UserError, match=r"tools: not JSON \("):
        read_document(saved(tmp_path, '{"a": ', "tools"))
    with pytest.raises(UserError, match="not JSON"):
        read_document(saved(tmp_path, "[" * 100_000, "deep.json"))


def test_a_file_that_is_not_there_is_a_folder_or_is_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_text(tmp_path / "absent.json")
    with pytest.raises(UserError, match="cannot be read"):
        read_text(tmp_path)
    with pytest.raises(UserError, match=r"x.csv:2: not UTF-8 .* Save it as UTF-8"):
        read_text(saved(tmp_path, b"a\n\xe9t\xe9\n", "x.csv"))


def test_utf_16_with_its_mark_is_read(tmp_path: Path) -> None:
    assert read_text(saved(tmp_path, "ऑटो".encode("utf-16"), "x.csv")) == "ऑटो"


def test_a_file_beyond_the_bound_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_BYTES", 10)
    with pytest.raises(UserError, match="has 11 bytes; at most 10 are read"):
        read_document(saved(tmp_path, "12345678901"))
