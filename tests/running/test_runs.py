"""A run's folder: one writer, what made it, its tasks."""

from pathlib import Path

import pytest

from tests.running.helpers import MODEL, StubAgent, add_clips, make_task
from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.running.candidates import Candidate
from voicebench.running.evaluate import Options, evaluate, score_run
from voicebench.running.materials import read_materials
from voicebench.running.runs import default_name, opened, read_info, read_run_tasks
from voicebench.types import Scores


def candidate(agent: StubAgent, name: str = "stub") -> Candidate:
    return Candidate(name, MODEL, (MODEL,), lambda: agent)


def test_the_default_name_is_made_of_the_day_and_the_agent() -> None:
    assert default_name(["gguf:/models/एक.gguf"], "2026-11-30") == "2026-11-30-gguf-models-.gguf"
    assert default_name(["whisper-base+smollm2", "x"], "2026-11-30") == "2026-11-30-whisper-base+smollm2"


def test_a_second_writer_is_refused_with_a_line(tmp_path: Path) -> None:
    with opened(tmp_path / "run"), pytest.raises(UserError, match=r"another process is writing this run"):  # noqa: SIM117
        with opened(tmp_path / "run"):
            pass


def test_a_run_is_free_again_after_its_writer(tmp_path: Path) -> None:
    for _ in range(2):
        with opened(tmp_path / "run") as folder:
            assert folder.is_dir()


def test_fresh_removes_what_an_earlier_run_left(tmp_path: Path, stub: StubAgent) -> None:
    with opened(tmp_path / "run") as folder:
        evaluate(folder, [candidate(stub)], [make_task(1)], Options(("text",)))
        score_run(folder)
    with opened(tmp_path / "run", fresh=True) as folder:
        assert [path.name for path in folder.iterdir()] == [".lock"]


def test_a_run_says_what_made_it(tmp_path: Path, stub: StubAgent) -> None:
    tasks = [make_task(1), make_task(2, "hi")]
    add_clips(tmp_path / "audio", tasks)
    materials = read_materials(tmp_path / "audio")
    with opened(tmp_path / "run") as folder:
        options = Options(("text", "speech"), seed=5, command="voicebench eval", notes=("npm is missing",))
        evaluate(folder, [candidate(stub)], tasks, options, materials)
    info = read_info(tmp_path / "run")
    assert info is not None
    assert (info.name, info.conditions, info.languages) == ("run", ("text", "speech"), ("en", "hi"))
    assert (info.audio, info.seeds, info.notes) == ("../audio", {"eval": 5, "audio": 0}, ("npm is missing",))
    cells = [(p.agent, p.lang, p.condition, p.n) for p in info.planned]
    assert cells == [("stub", lang, way, 1) for lang in ("en", "hi") for way in ("speech", "text")]
    assert read_run_tasks(tmp_path / "run") == tasks


def test_a_run_that_goes_on_adds_to_what_it_says(tmp_path: Path, stub: StubAgent) -> None:
    with opened(tmp_path / "run") as folder:
        evaluate(folder, [candidate(stub)], [make_task(1), make_task(2)], Options(("text",)))
        evaluate(folder, [candidate(stub)], [make_task(2)], Options(("text",)))
        evaluate(folder, [candidate(stub, "other")], [make_task(3, "th")], Options(("text",), trials=2))
    info = read_info(tmp_path / "run")
    assert info is not None
    assert [agent.name for agent in info.agents] == ["stub", "other"]
    assert [(p.agent, p.lang, p.n) for p in info.planned] == [("stub", "en", 2), ("other", "th", 2)]
    assert [task.id for task in read_run_tasks(tmp_path / "run")] == [
        "single-en-0001", "single-en-0002", "single-th-0003",
    ]  # fmt: skip


def test_no_task_is_an_error_and_not_an_empty_run(tmp_path: Path, stub: StubAgent) -> None:
    with opened(tmp_path / "run") as folder, pytest.raises(UserError, match=r"no task is left to ask"):
        evaluate(folder, [candidate(stub)], [], Options(("text",)))


def test_scores_stand_beside_the_answers(tmp_path: Path, stub: StubAgent) -> None:
    with opened(tmp_path / "run") as folder:
        evaluate(folder, [candidate(stub)], [make_task(1, "hi")], Options(("text",)))
        assert score_run(folder) == 1
    scores = read_rows(tmp_path / "run" / "scores.jsonl", Scores)
    assert [(row.tool_selection, row.parameters, row.lang) for row in scores] == [(1, 1, "hi")]


def test_scoring_a_run_without_answers_says_what_to_do(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as folder, pytest.raises(UserError, match=r"no answers to score. Run: "):
        score_run(folder)


def test_a_broken_run_file_says_how_to_start_anew(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match=r"Start anew with --fresh"):
        read_info(tmp_path)
