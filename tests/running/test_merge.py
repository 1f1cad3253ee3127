"""Merging runs: the parts of a run are the run again; what does not go together is refused with a list."""

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.running.helpers import StubAgent, add_clips, make_task
from tests.running.run_folders import AGENTS, TASK_LIST, all_rows, failed, make_run, row
from voicebench.errors import UserError
from voicebench.files import encoded, read_rows
from voicebench.running.candidates import Candidate
from voicebench.running.evaluate import Options, evaluate, score_run
from voicebench.running.materials import read_materials
from voicebench.running.merge import CannotMerge, Merger, merge_runs
from voicebench.running.run_info import AgentInfo, Machine, RunInfo
from voicebench.running.runs import opened, read_info
from voicebench.running.shards import Shard, of_shard
from voicebench.types import ModelRef, Prompting, Response, Task, Turn

A, B, C, *_ = TASK_LIST


def sorted_lines(folder: Path, name: str) -> list[bytes]:
    return sorted((folder / name).read_bytes().splitlines())


def info_of(folder: Path) -> RunInfo:
    info = read_info(folder)
    assert info is not None
    return info


def problems(folders: Sequence[Path], out: Path, **options: Any) -> list[tuple[str, str]]:
    with pytest.raises(CannotMerge) as raised:
        merge_runs(folders, out, **options)
    assert not out.exists()
    place = f"{out.parent}/"
    return [(problem.kind, problem.text.replace(place, "")) for problem in raised.value.problems]


def pair(folder: Path, **changed: Any) -> list[Path]:
    """Make two runs of a plan that go together, but for what `changed` says of the second."""
    one = make_run(folder / "a", [A], all_rows([A]))
    return [one, make_run(folder / "b", [B], all_rows([B]), **changed)]


# ---- What comes out ----


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    count=st.integers(1, 6),
    tasks=st.lists(st.sampled_from(TASK_LIST), unique_by=lambda task: task.id, min_size=1),
)
def test_the_shards_of_a_run_are_the_run_again_in_whatever_order_they_are_named(
    seed: int, count: int, tasks: list[Task]
) -> None:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = make_run(folder / "whole", tasks, all_rows(tasks))
        shards = []
        for index in range(1, count + 1):
            held = of_shard(tasks, Shard(index, count))
            rows = all_rows(held)
            rng.shuffle(rows)
            shards.append(make_run(folder / f"s{index}", held, rows, shard=f"{index}/{count}"))
        out = folder / "merged"
        merge_runs(shards, out)
        assert sorted_lines(out, "responses.jsonl") == sorted_lines(whole, "responses.jsonl")
        assert sorted_lines(out, "tasks.jsonl") == sorted_lines(whole, "tasks.jsonl")
        assert sorted(info_of(out).planned, key=repr) == sorted(info_of(whole).planned, key=repr)
        first = {path.name: path.read_bytes() for path in out.iterdir()}
        rng.shuffle(shards)
        merge_runs(shards, out, fresh=True)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == first


@settings(max_examples=25, deadline=None)
@given(parts=st.lists(st.integers(0, 3), min_size=len(TASK_LIST), max_size=len(TASK_LIST)))
def test_any_parts_of_a_run_are_the_run_again(parts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = make_run(folder / "whole", TASK_LIST, all_rows(TASK_LIST))
        runs = []
        for part in sorted(set(parts)):
            held = [task for task, where in zip(TASK_LIST, parts, strict=True) if where == part]
            runs.append(make_run(folder / f"r{part}", held, all_rows(held)))
        merge_runs(runs, folder / "merged")
        for file in ("responses.jsonl", "tasks.jsonl"):
            assert sorted_lines(folder / "merged", file) == sorted_lines(whole, file)


def test_rows_come_by_agent_condition_trial_and_task(tmp_path: Path) -> None:
    merge_runs(pair(tmp_path), tmp_path / "m")
    rows = read_rows(tmp_path / "m" / "responses.jsonl", Response)
    keys = [(r.agent, r.condition, r.trial, r.task_id) for r in rows]
    assert keys == sorted(keys)
    assert len(keys) == 16


def test_runs_that_were_asked_and_scored_are_scored_alike_when_merged(
    tmp_path: Path, stub: StubAgent
) -> None:
    tasks = [make_task(number, lang, turns=2) for lang in ("en", "hi") for number in range(3)]
    add_clips(tmp_path / "audio", tasks)
    materials = read_materials(tmp_path / "audio")
    agent = Candidate("stub", stub.model, (stub.model,), lambda: stub)
    parts = {"whole": tasks, "a": tasks[:4], "b": tasks[4:]}
    for name, held in parts.items():
        with opened(tmp_path / name) as folder:
            evaluate(folder, [agent], held, Options(("text", "speech"), trials=2), materials)
            score_run(folder)
    out = tmp_path / "deep" / "m"
    assert merge_runs([tmp_path / "b", tmp_path / "a"], out) == Merger(2, 24, 0, ())
    with opened(out):
        assert score_run(out) == 24
    assert sorted_lines(out, "scores.jsonl") == sorted_lines(tmp_path / "whole", "scores.jsonl")
    whole, merged = info_of(tmp_path / "whole"), info_of(out)
    assert merged.audio == "../../audio"
    for fact in ("agents", "conditions", "languages", "seeds", "trials", "synthesizers", "machine"):
        assert getattr(merged, fact) == getattr(whole, fact), fact


def test_a_later_row_of_a_run_counts_over_an_earlier_one(tmp_path: Path) -> None:
    one = make_run(tmp_path / "a", [A], [failed(A), row(A, text="later")], shard="1/1")
    with (one / "responses.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"task_id": "single-')
    merge_runs([one], tmp_path / "m")
    assert [r.text for r in read_rows(tmp_path / "m" / "responses.jsonl", Response)] == ["later"]


def test_a_last_row_without_a_line_break_counts(tmp_path: Path) -> None:
    one = make_run(tmp_path / "a", [A], [])
    (one / "responses.jsonl").write_bytes(encoded(row(A, text="हाँ")))
    merge_runs([one], tmp_path / "m")
    assert (tmp_path / "m" / "responses.jsonl").read_bytes() == encoded(row(A, text="हाँ")) + b"\n"


def test_rows_that_are_the_same_to_the_byte_are_one_answer(tmp_path: Path) -> None:
    one, two = pair(tmp_path)
    copy = make_run(tmp_path / "copy", [A], all_rows([A]))
    assert merge_runs([one, two, copy], tmp_path / "m") == Merger(3, 16, 8, ())
    assert sum(cell.n for cell in info_of(tmp_path / "m").planned) == 16


def test_a_shard_that_holds_no_task_is_no_gap(tmp_path: Path) -> None:
    [index] = [index for index in (1, 2) if Shard(index, 2).holds(A.id)]
    full = make_run(tmp_path / "full", [A], all_rows([A]), shard=f"{index}/2")
    none = make_run(tmp_path / "none", [], [], shard=f"{3 - index}/2")
    (none / "responses.jsonl").unlink()
    assert merge_runs([full, none], tmp_path / "m").answers == 8


def test_what_differs_harmlessly_is_not_said_of_the_whole(tmp_path: Path) -> None:
    runs = pair(tmp_path, machine=Machine(python="3.11", platform="Linux"), notes=("npm is missing",))
    merge_runs(runs, tmp_path / "m")
    info = info_of(tmp_path / "m")
    assert info.machine is None
    assert info.notes == (
        "npm is missing",
        "Merged from 2 runs: a, b.",
        "Not the same in all of them, so not said of the whole: machine.",
    )


def test_prompts_of_all_kinds_and_the_earliest_start_are_kept(tmp_path: Path) -> None:
    def agents(**prompts: str) -> tuple[AgentInfo, ...]:
        return tuple(AgentInfo(name=name, models=(ModelRef(name="m"),), prompts=prompts) for name in AGENTS)

    one = make_run(tmp_path / "a", [A], all_rows([A]), agents=agents(single="x"))
    two = make_run(tmp_path / "b", [B], all_rows([B]), agents=agents(single="x", parallel="y"),
                   created="2026-11-30T12:00:00+03:00")  # fmt: skip
    merge_runs([one, two], tmp_path / "m")
    info = info_of(tmp_path / "m")
    assert info.agents[0].prompts == {"parallel": "y", "single": "x"}
    assert info.created == "2026-11-30T12:00:00+03:00"
    assert info.command == f"voicebench merge {one} {two} --out {tmp_path / 'm'}"


# ---- What is refused ----


def test_a_question_that_two_runs_answered_is_an_overlap(tmp_path: Path) -> None:
    one = make_run(tmp_path / "a", [A, B], [row(A), row(B)])
    two = make_run(tmp_path / "b", [A, B], [row(A), failed(B)])
    assert problems([two, one], tmp_path / "m") == [
        ("overlap", f"a and b both answered 1 question, not alike: {B.id} stub text 0")
    ]


def test_many_overlaps_are_counted_and_some_named(tmp_path: Path) -> None:
    one = make_run(tmp_path / "a", TASK_LIST, all_rows(TASK_LIST))
    other = [r.model_copy(update={"text": "x"}) for r in all_rows(TASK_LIST)]
    [(kind, text)] = problems([one, make_run(tmp_path / "b", TASK_LIST, other)], tmp_path / "m")
    assert kind == "overlap"
    assert text.startswith("a and b both answered 96 questions, not alike: single-en-0000 stub speech 0, ")
    assert text.endswith(" and 93 more")


def test_missing_shards_are_named(tmp_path: Path) -> None:
    shards = [
        make_run(tmp_path / str(i), held := of_shard(TASK_LIST, Shard(i, 5)), all_rows(held), shard=f"{i}/5")
        for i in (1, 4)
    ]
    assert problems(shards, tmp_path / "m") == [("gap", "3 shards are not there: 2/5, 3/5, 5/5")]


def test_planned_answers_that_are_not_there_are_counted_by_agent_and_condition(tmp_path: Path) -> None:
    rows = all_rows([A, B])
    one = make_run(tmp_path / "a", [A, B], rows[2:-1], planned=rows)
    assert problems([one], tmp_path / "m") == [
        ("gap", "a: 2 of 4 planned answers of stub under speech are not there"),
        ("gap", "a: 1 of 4 planned answers of व्हिस्पर+qwen under text are not there"),
    ]


def test_a_shard_that_was_asked_for_less_is_a_gap(tmp_path: Path) -> None:
    shards = []
    for index in (1, 2):
        held = of_shard(TASK_LIST, Shard(index, 2))
        rows = [r for r in all_rows(held) if index == 1 or (r.agent, r.condition) != ("stub", "text")]
        shards.append(make_run(tmp_path / str(index), held, rows, shard=f"{index}/2"))
    assert problems(shards, tmp_path / "m") == [
        ("gap", "2: stub under text was not planned, as it was in another shard")
    ]


def test_gaps_can_be_allowed_and_the_run_says_so(tmp_path: Path) -> None:
    rows = all_rows([A])
    one = make_run(tmp_path / "a", [A], rows[1:], planned=rows)
    merged = merge_runs([one], tmp_path / "m", allow_gaps=True)
    assert (merged.answers, len(merged.gaps)) == (7, 1)
    info = info_of(tmp_path / "m")
    assert info.notes[-1] == (
        f"Merged with a gap: {one}: 1 of 2 planned answers of stub under speech are not there."
    )
    assert sum(cell.n for cell in info.planned) == 8
    assert info.command.endswith(" --allow-gaps")


def test_allowing_gaps_allows_nothing_else(tmp_path: Path) -> None:
    assert problems(pair(tmp_path, version="0.2.0"), tmp_path / "m", allow_gaps=True)


AGENT = AgentInfo(name="stub", models=(ModelRef(name="stub", revision="2"),))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"version": "0.2.0"}, "the version of voicebench differs: 0.1.0 (a); 0.2.0 (b)"),
        ({"tasks_version": "2"}, "the version of the tasks differs: 1 (a, b); 2 (b)"),
        ({"prompts_version": "2"}, "the version of the prompts differs: 1 (a); 2 (b)"),
        ({"trials": 3}, "the number of trials differs: 2 (a); 3 (b)"),
        ({"seeds": {"eval": 7}}, "the seed 'eval' differs: 0 (a); 7 (b)"),
        ({"agents": (AGENT,)}, "the composition of stub differs: stub at 1 (a); stub at 2 (b)"),
    ],
)
def test_runs_that_were_not_made_alike_are_refused(
    tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    assert problems(pair(tmp_path, **changed), tmp_path / "m") == [("mixed", said)]


def test_another_prompting_is_refused(tmp_path: Path) -> None:
    [(kind, text)] = problems(pair(tmp_path, prompting=Prompting(one_shot=False)), tmp_path / "m")
    assert (kind, text.startswith("the prompting differs: None (a); Prompting(one_shot=False")) == (
        "mixed",
        True,
    )


@pytest.mark.parametrize("what", ["synthesizer", "converter", "encoder"])
def test_clips_by_another_revision_are_refused(tmp_path: Path, what: str) -> None:
    refs = {revision: (ModelRef(name="kokoro", revision=revision),) for revision in "xy"}
    one = make_run(tmp_path / "a", [A], all_rows([A]), **{f"{what}s": refs["x"]})
    two = make_run(tmp_path / "b", [B], all_rows([B]), **{f"{what}s": refs["y"]})
    assert problems([one, two], tmp_path / "m") == [
        ("mixed", f"the revision of the {what} kokoro differs: x (a); y (b)")
    ]


def test_answers_of_another_revision_of_the_model_are_refused(tmp_path: Path) -> None:
    one = make_run(tmp_path / "a", [A], [row(A)])
    two = make_run(tmp_path / "b", [B], [row(B, model=ModelRef(name="stub", revision="2"))])
    assert problems([one, two], tmp_path / "m") == [
        ("mixed", "the model of the answers of stub differs: stub at 1 (a); stub at 2 (b)")
    ]


def test_other_clips_of_the_same_question_are_refused(tmp_path: Path) -> None:
    one = make_run(tmp_path / "a", [A], [row(A, condition="speech")])
    two = make_run(tmp_path / "b", [A], [row(A, AGENTS[1], "speech", audio_sha256="0" * 64)])
    assert problems([one, two], tmp_path / "m") == [
        ("mixed", f"a and b have other clips for 1 question: {A.id} {AGENTS[1]} speech 0")
    ]


def test_agents_may_hear_more_or_fewer_clips_of_a_conversation(tmp_path: Path) -> None:
    task = make_task(1, turns=2)
    one = make_run(tmp_path / "a", [task], [row(task, condition="speech")])
    two = make_run(tmp_path / "b", [task], [row(task, AGENTS[1], "speech", audio_sha256="0" * 64)])
    assert merge_runs([one, two], tmp_path / "m").answers == 2


def test_other_words_for_the_same_question_are_refused(tmp_path: Path) -> None:
    one = make_run(tmp_path / "a", [A], [row(A)])
    two = make_run(tmp_path / "b", [A], [row(A, trial=1, prompt_sha256="0" * 64)])
    assert problems([one, two], tmp_path / "m") == [
        ("mixed", f"a and b asked 1 question in other words: {A.id} stub text 1")
    ]


def test_tasks_that_share_an_id_alone_are_refused(tmp_path: Path) -> None:
    other = A.model_copy(update={"turns": (Turn(role="user", text="Stop"),)})
    one = make_run(tmp_path / "a", [A], [row(A)])
    two = make_run(tmp_path / "b", [other], [row(A, AGENTS[1])])
    assert problems([one, two], tmp_path / "m") == [
        ("mixed", f"a and b have 1 task of the same id and other content: {A.id}")
    ]


def test_tasks_of_another_shard_are_refused(tmp_path: Path) -> None:
    [index] = [index for index in (1, 2) if not Shard(index, 2).holds(A.id)]
    one = make_run(tmp_path / "a", [A], [row(A)], shard=f"{index}/2")
    kinds = dict(problems([one], tmp_path / "m"))
    assert kinds["mixed"] == f"a: 1 task not of shard {index}/2: {A.id}"


def test_shards_of_other_counts_and_whole_runs_do_not_mix(tmp_path: Path) -> None:
    runs = [
        make_run(tmp_path / "a", [A], [row(A)], shard="1/1"),
        make_run(tmp_path / "b", [], [], shard="2/3"),
        make_run(tmp_path / "c", [C], [row(C)]),
    ]
    assert problems(runs, tmp_path / "m") == [
        ("mixed", "the number of shards differs: 1 (a); 3 (b); whole (c)")
    ]


def test_answers_to_unknown_tasks_are_refused(tmp_path: Path) -> None:
    one = make_run(tmp_path / "a", [A], [row(A), row(B)])
    assert problems([one], tmp_path / "m") == [("mixed", f"a: answers to 1 task not among its tasks: {B.id}")]


def test_all_that_is_in_the_way_is_said_at_once(tmp_path: Path) -> None:
    rows = all_rows([A])
    runs = [
        make_run(tmp_path / "a", [A], rows[1:], planned=rows, version="0.2.0"),
        make_run(tmp_path / "b", [A], [failed(A)]),
        tmp_path / "nowhere",
    ]
    assert [kind for kind, _ in problems(runs, tmp_path / "m")] == ["unreadable", "overlap", "gap", "mixed"]


def test_a_run_that_is_being_written_is_refused(tmp_path: Path) -> None:
    runs = pair(tmp_path)
    with opened(runs[1]):
        assert problems(runs, tmp_path / "m") == [
            ("unreadable", "b: another process is writing this run. Wait for it")
        ]
    assert merge_runs(runs, tmp_path / "m").answers == 16


def test_no_run_and_a_broken_row_are_named(tmp_path: Path) -> None:
    broken = make_run(tmp_path / "broken", [A], [row(A)])
    (broken / "responses.jsonl").write_text('{"task_id": "t"}\n', encoding="utf-8")
    assert problems([broken, tmp_path / "nowhere"], tmp_path / "m") == [
        ("unreadable", "nowhere: no run here"),
        ("unreadable", "broken/responses.jsonl:1: key 'agent' is missing; key 'condition' is missing; "
                       "key 'trial' is missing"),
    ]  # fmt: skip


def test_the_merged_run_never_takes_the_place_of_another_unasked(tmp_path: Path) -> None:
    runs = pair(tmp_path)
    with pytest.raises(UserError, match=r"is one of the runs to merge"):
        merge_runs(runs, tmp_path / "x" / ".." / "a")
    merge_runs(runs, tmp_path / "m")
    with pytest.raises(UserError, match=r"there is a run already. Name another folder, or replace it with"):
        merge_runs(runs, tmp_path / "m")
