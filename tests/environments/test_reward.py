from pathlib import Path
from typing import Any

import pytest

from voicebench.environments.contract import Action
from voicebench.environments.domain import Domain, load_domain
from voicebench.environments.reward import Episode, reward
from voicebench.errors import UserError


@pytest.fixture
def domain(lamps_folder: Path) -> Domain:
    return load_domain(lamps_folder)


def set_level(level: Any, room: str = "रसोई", **more: Any) -> Action:
    return Action(name="lamps.set_level", arguments={"room": room, "level": level, **more})


def test_the_right_state_and_the_right_words_earn_one(domain: Domain) -> None:
    episode = Episode(ended="user_stop", calls=(set_level(75),), said=("अब ७५ प्रतिशत है।",), lang="hi")
    found = reward(domain, domain.task("up"), episode)
    assert (found.reward, found.breakdown) == (1, {"state": 1, "said": 1, "actions": 1})


def test_another_way_to_the_same_state_is_as_good(domain: Domain) -> None:
    calls = (set_level(10), Action(name="lamps.get_level", arguments={"room": "x"}), set_level(75.0))
    found = reward(domain, domain.task("up"), Episode(ended="agent_stop", calls=calls, said=("75",)))
    assert found.reward == 1


def test_a_wrong_state_says_what_differs(domain: Domain) -> None:
    found = reward(
        domain, domain.task("up"), Episode(ended="user_stop", calls=(set_level(57),), said=("75",))
    )
    assert found.reward == 0
    assert found.breakdown == {"state": 0, "said": 1, "actions": 0}
    assert found.checks["state"][0].why == "lamps.रसोई.level: 57 instead of 75"


def test_what_does_not_count_is_reported_and_changes_nothing(domain: Domain) -> None:
    calls = (set_level(75, mode="cold"),)
    found = reward(domain, domain.task("up"), Episode(ended="user_stop", calls=calls, said=("75",)))
    assert (found.reward, found.breakdown["actions"]) == (1, 0)


def test_a_default_may_be_written_out_in_an_action(domain: Domain) -> None:
    calls = (Action(name="lamps.get_level", arguments={"room": "रसोई"}), set_level(20, "hall", mode="warm"))
    assert reward(domain, domain.task("same"), Episode(ended="user_stop", calls=calls)).reward == 1


def test_one_call_serves_for_one_gold_action_and_an_argument_too_many_for_none(domain: Domain) -> None:
    task = domain.task("up").model_copy(
        update={"gold": (set_level(75), set_level(75)), "counts": ("actions",)}
    )
    assert reward(domain, task, Episode(ended="user_stop", calls=(set_level(75),))).reward == 0
    assert reward(domain, task, Episode(ended="user_stop", calls=(set_level(75),) * 2)).reward == 1
    extra = set_level(75, made="up")
    assert reward(domain, task, Episode(ended="user_stop", calls=(extra, extra))).reward == 0


def test_a_call_by_the_other_side_is_not_the_gold_one(domain: Domain) -> None:
    task = domain.task("switch").model_copy(update={"counts": ("actions",)})
    press = {"name": "phone.press_switch", "arguments": {"room": "रसोई"}}
    by_user = Episode.model_validate({"ended": "user_stop", "calls": [{"by": "user", **press}]})
    by_agent = Episode.model_validate({"ended": "user_stop", "calls": [{"by": "agent", **press}]})
    assert reward(domain, task, by_user).reward == 1
    assert reward(domain, task, by_agent).reward == 0


def test_an_assertion_is_checked_on_the_final_state(domain: Domain) -> None:
    task = domain.task("switch")
    assert reward(domain, task, Episode(ended="user_stop")).reward == 0
    assert reward(domain, task, Episode(ended="user_stop", calls=(set_level(0),))).reward == 1


def test_a_statement_without_a_judge_is_unscored_and_never_passed(domain: Domain) -> None:
    task = domain.task("no")
    found = reward(domain, task, Episode(ended="user_stop"))
    assert (found.reward, found.unscored) == (None, "statements are not judged")
    assert found.breakdown == {"state": 1, "judged": None}
    assert reward(domain, task, Episode(ended="user_stop"), verdicts=[True]).reward == 1
    assert reward(domain, task, Episode(ended="user_stop"), verdicts=[False]).reward == 0


def test_fewer_verdicts_than_statements_are_not_enough(domain: Domain) -> None:
    task = domain.task("no").model_copy(update={"judged": ("a", "b")})
    assert reward(domain, task, Episode(ended="user_stop"), verdicts=[True]).reward is None
    assert reward(domain, task, Episode(ended="user_stop"), verdicts=[True, None]).reward is None


def test_a_wrong_state_is_zero_without_a_judge(domain: Domain) -> None:
    assert reward(domain, domain.task("no"), Episode(ended="user_stop", calls=(set_level(1),))).reward == 0


@pytest.mark.parametrize("ended", ["max_steps", "too_many_errors", "agent_error", "timeout"])
def test_an_agent_that_does_not_finish_earns_nothing(domain: Domain, ended: Any) -> None:
    episode = Episode(ended=ended, calls=(set_level(75),), said=("75",))
    found = reward(domain, domain.task("up"), episode)
    assert (found.reward, found.breakdown["state"]) == (0, 1)


@pytest.mark.parametrize("ended", ["user_error", "infrastructure_error", "unexpected_error"])
def test_a_fault_of_the_harness_is_unscored(domain: Domain, ended: Any) -> None:
    found = reward(domain, domain.task("up"), Episode(ended=ended))
    assert (found.reward, found.unscored) == (None, f"the conversation ended by {ended}")


def test_an_alternative_is_as_right_as_gold(domain: Domain) -> None:
    task = domain.task("up").model_copy(
        update={"alternatives": ((set_level(80),),), "counts": ("state", "actions")}
    )
    assert reward(domain, task, Episode(ended="user_stop", calls=(set_level(80),))).reward == 1
    assert reward(domain, task, Episode(ended="user_stop", calls=(set_level(81),))).reward == 0


def test_gold_that_fails_is_the_tasks_fault(domain: Domain) -> None:
    task = domain.task("up").model_copy(update={"gold": (set_level(1, "छत"),)})
    with pytest.raises(UserError, match=r"lamps: up: gold\[0\]: lamps.set_level fails"):
        reward(domain, task, Episode(ended="user_stop"))
