"""τ-bench's own format: a list of trials."""

from pathlib import Path

import pytest

from tests.tau2.helpers import FILES, write
from voicebench.errors import UserError
from voicebench.tau2.read import read
from voicebench.tau2.trials import Planned, Results


def one(path: Path, planned: Planned | None = None) -> Results:
    (found,) = read(path, planned).results
    return found


def test_the_file_names_tasks_trials_and_rewards() -> None:
    found = one(FILES / "old.json")
    assert (found.layout, found.task_ids, found.planned) == ("tau-bench", ("0", "1", "2", "3"), 2)
    assert [trial.reward for trial in found.trials] == [1, 1, 1, 0, 0, 0, 1, None]
    assert (found.domain, found.agent) == (None, None)


def test_an_error_of_the_program_is_not_the_agents_zero() -> None:
    lost = one(FILES / "old.json").trials[-1]
    assert (lost.reward, lost.recorded, lost.harness_failed) == (None, 0.0, True)
    assert lost.unscored == "error of the harness"


def test_the_parts_of_a_reward_are_kept_where_the_file_has_them() -> None:
    parts = [trial.breakdown for trial in one(FILES / "old.json").trials]
    assert parts[0] == {"state": 1.0}
    assert parts[4] == {"said": 0.0}
    assert parts[5] == {}


def test_more_may_have_been_planned_than_the_file_shows(tmp_path: Path) -> None:
    path = write(tmp_path / "old.json", [{"task_id": 0, "reward": 1.0, "trial": 0}])
    found = one(path, Planned(trials=3, n_tasks=2))
    assert (found.planned, len(found.task_ids)) == (3, 2)


def test_trials_without_a_number_are_counted_by_task(tmp_path: Path) -> None:
    rows = [{"task_id": task, "reward": 1.0, "info": None} for task in (0, 1, 0)]
    assert [trial.trial for trial in one(write(tmp_path / "old.json", rows)).trials] == [0, 0, 1]


def test_trials_may_be_counted_from_one_and_a_gap_is_a_trial(tmp_path: Path) -> None:
    rows = [{"task_id": 0, "reward": 1.0, "trial": number} for number in (1, 2, 4)]
    assert one(write(tmp_path / "old.json", rows)).planned == 4


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"task_id": 0, "reward": 1.0, "trial": 0}] * 2, "task '0' has trial 0 twice"),
        ([{"task_id": 0, "reward": 2.0, "trial": 0}], "task '0', trial 0: reward 2.0 is not within 0 and 1"),
        ([{"task_id": 0, "reward": "हाँ", "trial": 0}], "trial 1: reward: input should be a valid number"),
    ],
)
def test_a_trial_that_cannot_be_says_where(tmp_path: Path, rows: list[object], said: str) -> None:
    with pytest.raises(UserError) as error:
        one(write(tmp_path / "old.json", rows))
    assert said in str(error.value)


def test_fewer_planned_than_there_are_is_refused() -> None:
    with pytest.raises(UserError, match="2 trials of a task are there, but --trials says 1"):
        one(FILES / "old.json", Planned(trials=1))
    with pytest.raises(UserError, match="4 tasks are there, but --n-tasks says 3"):
        one(FILES / "old.json", Planned(n_tasks=3))
