"""The index of what a responses file holds: what counts as answered, and what does not."""

from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.files import to_line
from voicebench.running.answered import Answered, Key, Question, key_of, question_of
from voicebench.types import ErrorInfo, ModelRef, Response

KEY: Key = ("single-hi-0001", "व्हिस्पर+qwen", "speech", 0)
GOOD = Response(
    task_id=KEY[0], agent=KEY[1], condition=KEY[2], trial=KEY[3], text="नमस्ते", seed=7, prompt_sha256="p",
    model=ModelRef(name="m", revision="1"), audio_sha256="a", tasks_version="1",
)  # fmt: skip
ASKED = question_of(GOOD)


def kept(path: Path, *rows: Response, end: str = "") -> Answered:
    path.write_text("".join(to_line(row) + "\n" for row in rows) + end, encoding="utf-8")
    return Answered(path)


def test_a_file_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    index = Answered(tmp_path / "responses.jsonl")
    assert (len(index), index.rows, index.holds(KEY, lambda: ASKED), index.failed(KEY)) == (0, 0, False, None)


def test_an_answer_to_the_same_question_is_held(tmp_path: Path) -> None:
    index = kept(tmp_path / "r", GOOD)
    assert index.holds(KEY, lambda: ASKED)
    assert index.failed(KEY) is False


@pytest.mark.parametrize(
    "other",
    [
        {"model": ModelRef(name="n", revision="1")},
        {"model": ModelRef(name="m", revision="2")},
        {"seed": 8},
        {"prompt_sha256": "q"},
        {"audio_sha256": "b"},
        {"audio_sha256": None},
        {"tasks_version": "2"},
    ],
)
def test_one_difference_makes_it_another_question(tmp_path: Path, other: dict[str, object]) -> None:
    index = kept(tmp_path / "r", GOOD)
    assert not index.holds(KEY, lambda: ASKED._replace(**other))  # type: ignore[arg-type]


@pytest.mark.parametrize("place", range(4))
def test_another_tasks_agents_conditions_or_trials_answer_does_not_count(tmp_path: Path, place: int) -> None:
    other = tuple(("x" if i < 3 else 1) if i == place else part for i, part in enumerate(KEY))
    assert not kept(tmp_path / "r", GOOD).holds(other, lambda: ASKED)  # type: ignore[arg-type]


def test_a_row_with_an_error_is_no_answer_and_counts_as_failed(tmp_path: Path) -> None:
    bad = GOOD.model_copy(update={"text": None, "error": ErrorInfo(kind="server", message="gone")})
    index = kept(tmp_path / "r", bad)
    assert (index.holds(KEY, lambda: ASKED), index.failed(KEY)) == (False, True)


def test_the_last_row_of_a_key_holds(tmp_path: Path) -> None:
    bad = GOOD.model_copy(update={"text": None, "error": ErrorInfo(kind="server", message="gone")})
    assert kept(tmp_path / "r", bad, GOOD).holds(KEY, lambda: ASKED)
    index = kept(tmp_path / "r", GOOD, bad)
    assert not index.holds(KEY, lambda: ASKED)
    assert (len(index), index.rows) == (1, 2)


def test_a_row_that_is_added_counts_at_once(tmp_path: Path) -> None:
    index = Answered(tmp_path / "r")
    index.add(GOOD)
    assert index.holds(key_of(GOOD), lambda: ASKED)


def test_a_line_that_a_crash_cut_short_does_not_count(tmp_path: Path) -> None:
    index = kept(tmp_path / "r", GOOD, end='{"task_id": "single-hi-0002", "agent": "व्हि')
    assert (len(index), index.holds(KEY, lambda: ASKED)) == (1, True)


def test_a_line_that_is_no_response_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"r:2: .*'trial' is missing"):
        kept(tmp_path / "r", GOOD, end='{"task_id": "t", "agent": "a", "condition": "text", "text": ""}\n')


def test_a_question_without_a_model_is_one_too(tmp_path: Path) -> None:
    bare = GOOD.model_copy(update={"model": None})
    assert kept(tmp_path / "r", bare).holds(KEY, lambda: Question(None, *ASKED[1:]))
