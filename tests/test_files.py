"""JSON Lines: exact errors, durable appends, repaired ends."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from voicebench.errors import UserError
from voicebench.files import (
    Appender,
    iterate_last_of_each,
    iterate_rows,
    parse_row,
    read_rows,
    sha256_bytes,
    sha256_json,
    to_json,
    to_line,
    write_rows,
    write_text,
)
from voicebench.types import FailureRow, Response, Scores, Timeline, ToolCall, TranscriptRow


class FailureKey(BaseModel):
    """What of a row the tests' keys are made of."""

    message: str


def failure(message: str) -> FailureRow:
    return FailureRow(task_id="a", turn=0, condition="speech", kind="crash", message=message)


def scores(**figures: object) -> Scores:
    return Scores(
        task_id="a", agent="b", condition="text", trial=0, task="safety", lang="hi", scoring_version="1",
        **figures,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.parametrize("text", ["नमस्ते, कैब चाहिए", "சென்னை", "กรุงเทพฯ", "क़ीमत ₹१,००,०००", "plain", ""])
def test_letters_are_written_as_they_are(text: str) -> None:
    line = to_line(failure(text))
    assert text in line
    assert "\\u" not in line
    assert parse_row(line, FailureRow, "f:1").message == text


def test_absent_keys_are_left_out_and_an_empty_call_list_is_kept() -> None:
    row = Response(task_id="a", agent="b", condition="text", trial=0, calls=(), timeline=Timeline(done=0.0))
    assert to_json(row) == {
        "task_id": "a", "agent": "b", "condition": "text", "trial": 0, "calls": [], "timeline": {"done": 0.0},
    }  # fmt: skip


def test_null_inside_an_argument_is_kept() -> None:
    call = ToolCall(name="f", arguments={"x": None, "y": {"z": None}})
    row = Response(task_id="a", agent="b", condition="text", trial=0, calls=(call,))
    assert to_json(row)["calls"] == [{"name": "f", "arguments": {"x": None, "y": {"z": None}}}]


def test_an_unscored_figure_is_null_and_one_that_does_not_apply_is_absent() -> None:
    data = to_json(scores(tool_selection=0, unscored={"refusal": "no judge"}))
    assert data["tool_selection"] == 0
    assert data["refusal"] is None
    assert "parameters" not in data


def test_null_means_absent_when_reading() -> None:
    line = '{"task_id": "a", "agent": "b", "condition": "text", "trial": 0, "text": "", "usage": null}'
    assert parse_row(line, Response, "f:1").usage is None


def test_half_surrogates_become_replacement_characters_when_reading() -> None:
    line = r'{"task_id": "\ud800", "turn": 0, "condition": "", "kind": "", "message": "\ud83d\ude00 \udfff"}'
    row = parse_row(line, FailureRow, "f:1")
    assert (row.task_id, row.message) == ("\ufffd", "😀 \ufffd")


def test_what_is_written_is_utf8_whatever_a_row_holds(tmp_path: Path) -> None:
    path = tmp_path / "failures.jsonl"
    write_rows(
        path, [FailureRow(task_id="a", turn=0, condition="speech", kind="crash", message="\ud800 दिल्ली")]
    )
    assert r"\ud800 दिल्ली" in path.read_text(encoding="utf-8")


def test_an_unknown_key_names_file_line_and_the_key_that_was_meant(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    good = to_line(failure("x"))
    path.write_text(good + "\n" + good.replace('"message"', '"mesage"') + "\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_rows(path, FailureRow)
    assert str(caught.value) == (
        f"{path}:2: key 'message' is missing; unknown key 'mesage'. Did you mean 'message'?"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("[1]", "a line must hold a JSON object, not list"),
        ("[" * 100_000, "not JSON"),
        ('{"task_id": 1}', "task_id: Input should be a valid string"),
    ],
)
def test_a_wrong_line_is_an_error_with_its_place(line: str, said: str) -> None:
    with pytest.raises(UserError, match=r"^f:7: ") as caught:
        parse_row(line, FailureRow, "f:7")
    assert said in str(caught.value)


def test_a_file_that_is_not_utf8_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(to_line(failure("x")).encode() + b"\n\xff\xfe\n")
    with pytest.raises(UserError, match=r":2: not UTF-8"):
        read_rows(path, FailureRow)


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere.jsonl: no such file"):
        read_rows(tmp_path / "nowhere.jsonl", FailureRow)


def test_a_byte_order_mark_and_blank_lines_are_read_over(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + to_line(failure("x")).encode() + b"\n\n  \n")
    assert read_rows(path, FailureRow) == [failure("x")]


def test_a_torn_last_line_is_left_out_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(to_line(failure("x")) + "\n" + '{"task_id": "b", "tu', encoding="utf-8")
    assert read_rows(path, FailureRow, tolerate_torn_end=True) == [failure("x")]
    assert ":2: the last line was cut short" in caplog.text


def test_appending_drops_a_torn_end_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(to_line(failure("x")).encode() + b"\n" + '{"message": "नम'.encode()[:-1])
    with Appender(path) as appender:
        appender.add(failure("y"))
    assert read_rows(path, FailureRow) == [failure("x"), failure("y")]


def test_appending_keeps_a_whole_last_line_without_a_line_break(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(to_line(failure("x")), encoding="utf-8")
    with Appender(path) as appender:
        appender.add(failure("y"))
    assert read_rows(path, FailureRow) == [failure("x"), failure("y")]


KILLED_WRITER = """
import sys
from pathlib import Path
from voicebench.files import Appender
from voicebench.types import FailureRow
with Appender(Path(sys.argv[1])) as appender:
    for n in range(1_000_000):
        appender.add(FailureRow(task_id=str(n), turn=0, condition="speech", kind="crash", message="क" * 200))
        print(n, flush=True)
"""


def test_kill_9_loses_no_row_that_was_added(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED_WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        seen = [int(writer.stdout.readline()) for _ in range(20)]
        writer.kill()
    with Appender(path) as appender:
        appender.add(failure("after"))
    rows = read_rows(path, FailureRow)
    assert [row.task_id for row in rows[: len(seen)]] == [str(n) for n in seen]
    assert rows[-1] == failure("after")


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from voicebench.errors import UserError
from voicebench.files import Appender
from voicebench.types import FailureRow
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with Appender(Path(sys.argv[1])) as appender:
        for n in range(100):
            row = FailureRow(task_id=str(n), turn=0, condition="speech", kind="crash", message="x" * 200)
            appender.add(row)
except UserError as error:
    print(error)
"""


def test_a_full_disk_is_a_clear_error_and_leaves_whole_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    ran = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == (
        f"{path}: the disk is full. What was finished is kept; make room and run the same command again"
    )
    assert [row.task_id for row in read_rows(path, FailureRow)] == ["0", "1", "2"]


def test_writing_into_a_file_that_stands_where_a_folder_should_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match=r"cannot be written"):
        write_text(tmp_path / "taken" / "x.txt", "x")


def test_rows_written_whole_leave_no_other_file_behind(tmp_path: Path) -> None:
    write_rows(tmp_path / "sub" / "t.jsonl", [failure("x"), failure("y")])
    assert [path.name for path in (tmp_path / "sub").iterdir()] == ["t.jsonl"]


def test_rows_are_written_one_at_a_time_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    write_text(path, "before")

    def rows() -> Iterator[FailureRow]:
        for name in ("एक", "दो"):
            yield failure(name)
            assert path.read_text(encoding="utf-8") == "before"

    assert write_rows(path, rows()) == 2
    assert [row.message for row in iterate_rows(path, FailureRow)] == ["एक", "दो"]


def test_a_mistake_among_the_rows_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    write_text(path, "before")

    def rows() -> Iterator[FailureRow]:
        yield failure("a")
        raise UserError("row 2 is wrong")

    with pytest.raises(UserError, match="row 2 is wrong"):
        write_rows(path, rows())
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [
        ("f.jsonl", "before")
    ]


def test_the_last_row_of_each_key_is_read_in_the_files_order(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    write_rows(path, [failure(text) for text in ("a1", "b1", "c1", "a2", "b2", "a3")])
    read = iterate_last_of_each(path, FailureRow, FailureKey, lambda row: row.message[0])
    assert [row.message for row in read] == ["c1", "b2", "a3"]


def test_a_mistake_is_found_before_the_first_row_is_given_out(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    write_rows(path, [failure("a")])
    path.write_text(path.read_text(encoding="utf-8") + '{"task_id": 5}\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"f\.jsonl:2: "):
        next(iterate_last_of_each(path, FailureRow, FailureKey, lambda row: row.message))


def test_a_torn_end_is_warned_of_once_by_both_readings(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "f.jsonl"
    write_rows(path, [failure("a"), failure("b")])
    path.write_text(path.read_text(encoding="utf-8") + '{"task_id": ', encoding="utf-8")
    assert len(list(iterate_last_of_each(path, FailureRow, FailureKey, lambda row: row.message))) == 2
    assert len(caplog.messages) == 1


@given(st.lists(st.sampled_from("कखग"), max_size=20))
def test_the_last_of_each_is_what_a_dictionary_keeps(
    tmp_path_factory: pytest.TempPathFactory, keys: list[str]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "f.jsonl"
    rows = [failure(f"{key}{place}") for place, key in enumerate(keys)]
    write_rows(path, rows)
    last = {row.message[0]: row for row in rows}
    read = list(iterate_last_of_each(path, FailureRow, FailureKey, lambda row: row.message[0]))
    assert read == sorted(last.values(), key=lambda row: int(row.message[1:]))


def test_the_hash_of_json_depends_on_content_alone() -> None:
    assert sha256_json({"a": 1, "b": "क"}) == sha256_json({"b": "क", "a": 1})
    assert sha256_json({"a": 1}) != sha256_json({"a": 1.5})
    assert sha256_json([]) == sha256_bytes(b"[]")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, max_size=4), st.text())
def test_a_row_comes_back_as_it_was_written(arguments: dict[str, object], text: str) -> None:
    row = Response(
        task_id="t", agent="a", condition="text", trial=0, text=text,
        calls=(ToolCall(name="f", arguments=arguments),),
    )  # fmt: skip
    line = to_line(row)
    assert "\n" not in line
    assert parse_row(line, Response, "f:1") == row
    assert json.loads(line)["calls"][0]["arguments"] == arguments


def test_transcripts_carry_the_hash_of_the_clip_they_heard() -> None:
    line = (
        '{"task_id": "a", "turn": 0, "condition": "speech", "asr": {"name": "w"}, "text": "x",'
        ' "audio_sha256": "ab"}'
    )
    assert parse_row(line, TranscriptRow, "f:1").audio_sha256 == "ab"
