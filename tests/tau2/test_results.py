"""τ²-bench's and SEATauBench's files, in one piece and as a folder: whose fault decides."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tau2.helpers import FILES, results, simulation, write
from voicebench.errors import UserError
from voicebench.tau2.read import read
from voicebench.tau2.results import read_results
from voicebench.tau2.trials import Planned, Results, Trial


def one(path: Path) -> Results:
    (found,) = read(path).results
    return found


def trial(tmp_path: Path, *args: Any, **more: Any) -> Trial:
    tasks = more.pop("tasks", [])
    (found,) = one(write(tmp_path / "r.json", results([simulation(*args, **more)], tasks=tasks))).trials
    return found


def test_the_file_says_who_talked_about_what() -> None:
    found = one(FILES / "results.json")
    assert (found.layout, found.domain, found.agent, found.user, found.lang) == (
        "tau2", "retail", "agent-model", "user-model", "th"
    )  # fmt: skip
    assert (found.task_ids, found.planned) == (("0", "1", "2", "3"), 2)


def test_each_trial_has_a_reward_or_the_reason_why_not() -> None:
    trials = {(one.task_id, one.trial): one for one in one(FILES / "results.json").trials}
    assert {place: found.reward for place, found in trials.items()} == {
        ("0", 0): 1.0, ("0", 1): 1.0, ("1", 0): 0.0, ("1", 1): None, ("2", 0): 1.0, ("2", 1): None,
        ("3", 0): 0.0,
    }  # fmt: skip
    assert (trials["1", 1].unscored, trials["1", 1].harness_failed) == ("infrastructure_error", True)
    assert (trials["2", 1].unscored, trials["2", 1].harness_failed) == ("unjudged: NL_ASSERTION", False)


def test_a_folder_of_simulations_reads_as_one_file_does() -> None:
    found = one(FILES / "run")
    assert (found.layout, found.lang, found.planned) == ("tau2-dir", "vi", 2)
    assert found.trials == one(FILES / "results.json").trials[:3]
    assert found == one(FILES / "run" / "results.json")


def test_simulations_that_the_index_lists_and_the_folder_lacks_are_told(tmp_path: Path) -> None:
    shutil.copytree(FILES / "run", tmp_path / "run")
    (tmp_path / "run" / "simulations" / "s2.json").rename(tmp_path / "run" / "simulations" / "x.json")
    write(tmp_path / "run" / "simulations" / "x.json", simulation("9", 0, 1.0))
    found = one(tmp_path / "run")
    assert found.problems == (
        "of the index, not in the folder: 1 simulation",
        "in the folder, not in the index: 1 simulation",
    )
    assert found.task_ids == ("0", "1", "9")


@pytest.mark.parametrize("end", ["infrastructure_error", "unexpected_error", "timeout", "user_error"])
def test_what_the_harness_lost_is_no_zero(tmp_path: Path, end: str) -> None:
    found = trial(tmp_path, "ภาษาไทย", 0, 0.0, end=end)
    assert (found.reward, found.recorded, found.unscored, found.harness_failed) == (None, 0.0, end, True)


@pytest.mark.parametrize(
    "end", ["max_steps", "too_many_errors", "agent_error", "context_window_exceeded", "something_new"]
)
@pytest.mark.parametrize("recorded", [0.0, None])
def test_an_agent_that_was_stopped_has_zero(tmp_path: Path, end: str, recorded: float | None) -> None:
    assert trial(tmp_path, "0", 0, recorded, end=end).reward == 0.0


def test_a_conversation_that_nobody_evaluated_has_no_reward(tmp_path: Path) -> None:
    found = trial(tmp_path, "0", 0, None)
    assert (found.reward, found.unscored, found.harness_failed) == (None, "not evaluated", False)


NL = ["DB", "NL_ASSERTION"]
BOTH = {"DB": 1.0, "NL_ASSERTION": 1.0}


def asserting(*statements: str) -> list[dict[str, Any]]:
    return [{"id": "0", "evaluation_criteria": {"nl_assertions": list(statements)}}]


@pytest.mark.parametrize(
    ("tasks", "parts", "judged", "reward"),
    [
        (asserting("a", "b"), BOTH, [{"met": True}] * 2, 1.0),
        (asserting("a", "b"), BOTH, [{"met": True}], None),
        (asserting("a", "b"), {"DB": 1.0}, None, None),
        (asserting(), {"DB": 1.0}, None, 1.0),
        ([], {"DB": 1.0}, None, None),
        ([], BOTH, None, 1.0),
        ([], None, None, 1.0),
    ],
)
def test_what_a_judge_did_not_judge_is_not_passed(
    tmp_path: Path, tasks: list[Any], parts: Any, judged: Any, reward: float | None
) -> None:
    found = trial(tmp_path, "0", 0, 1.0, basis=NL, parts=parts, nl=judged, tasks=tasks)
    assert found.reward == reward


def test_what_failed_without_the_judge_has_failed(tmp_path: Path) -> None:
    found = trial(tmp_path, "0", 0, 0.0, basis=NL, parts={"DB": 0.0}, tasks=asserting("a"))
    assert found.reward == 0.0


def test_a_reward_that_is_not_the_product_of_its_parts_is_told(tmp_path: Path) -> None:
    wrong = simulation("7", 1, 1.0, basis=["DB", "COMMUNICATE"], parts={"DB": 1.0, "COMMUNICATE": 0.0})
    found = one(write(tmp_path / "r.json", results([wrong])))
    assert found.problems == ("task '7', trial 1: a reward of 1, but its parts are DB 1, COMMUNICATE 0",)
    stopped = simulation("7", 1, 1.0, end="max_steps")
    found = one(write(tmp_path / "r.json", results([stopped])))
    assert found.problems == ("task '7', trial 1: ended with max_steps, but has a reward of 1",)
    assert found.trials[0].reward == 0.0


def test_a_trial_that_was_run_again_counts_once(tmp_path: Path) -> None:
    lost = simulation("0", 0, 0.0, end="infrastructure_error")
    for pair in ([lost, simulation("0", 0, 1.0)], [simulation("0", 0, 1.0), lost]):
        (found,) = one(write(tmp_path / "r.json", results(pair))).trials
        assert found.reward == 1.0
    with pytest.raises(UserError, match="task '0' has trial 0 twice"):
        one(write(tmp_path / "r.json", results([simulation("0", 0, 1.0)] * 2)))


def test_tasks_that_the_file_does_not_list_and_numbers_for_names_are_taken(tmp_path: Path) -> None:
    found = one(write(tmp_path / "r.json", results([simulation(12, None, 1.0), simulation("12", None, 0.0)])))
    assert (found.task_ids, found.planned) == (("12",), 2)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (results([]), "no task and no trial in it"),
        ({"info": None, "simulations": []}, "info: input should be"),
        (results([{"trial": 0}]), "simulations.0.task_id: field required"),
        (results([simulation("0", 0, 1.5)]), "task '0', trial 0: reward 1.5 is not within 0 and 1"),
    ],
)
def test_a_file_that_does_not_fit_says_where(tmp_path: Path, data: Any, said: str) -> None:
    with pytest.raises(UserError) as error:
        one(write(tmp_path / "r.json", data))
    assert said in str(error.value)


ENDS = ("user_stop", "agent_stop", "max_steps", "timeout", "user_error", None)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["0", "हिंदी", "ไทย"]), st.integers(0, 3)),
        st.tuples(st.sampled_from([0.0, 0.5, 1.0, None]), st.sampled_from(ENDS)),
        min_size=1,
    )
)
def test_no_trial_is_dropped_and_each_has_a_reward_or_a_reason(
    drawn: dict[tuple[str, int], tuple[float | None, str | None]],
) -> None:
    rows = [
        simulation(task, number, reward, end=end) for (task, number), (reward, end) in drawn.items()
    ]  # fmt: skip
    found = read_results(Path("r.json"), results(rows, num_trials=4), Planned())
    assert {(one.task_id, one.trial) for one in found.trials} == set(drawn)
    assert all((one.reward is None) == (one.unscored is not None) for one in found.trials)
    assert found.planned == 4


def test_parts_have_our_names_and_the_state_is_told_where_it_does_not_count(tmp_path: Path) -> None:
    row = simulation("0", 0, 1.0, basis=["ENV_ASSERTION"], parts={"ENV_ASSERTION": 1.0, "NEW": 1.0})
    row["reward_info"]["db_check"] = {"db_match": False, "db_reward": 0.0}
    (found,) = one(write(tmp_path / "r.json", results([row]))).trials
    assert found.breakdown == {"state": 0.0, "assertions": 1.0, "NEW": 1.0}


def test_rows_say_where_they_are_from() -> None:
    row = next(one(FILES / "results.json").rows())
    assert (row.domain, row.agent, row.lang) == ("retail", "agent-model", "th")
    assert row.source == str(FILES / "results.json")
