import json
from pathlib import Path

import pytest

from voicebench.environments.contract import Action
from voicebench.environments.domain import load_domain
from voicebench.environments.environment import repeat, replay
from voicebench.errors import UserError


def test_a_call_acts_and_a_mistake_tells_what_to_do(lamps_folder: Path) -> None:
    environment = load_domain(lamps_folder).environment()
    assert environment.call("lamps.set_level", {"room": "रसोई"}) == ('{"level":100}', False)
    outcome = environment.call("lamps.get_level", {"room": "छत"})
    assert outcome == ('{"error": "There is no lamp in \'छत\'."}', True)
    assert environment.call("lamps.get_levl", {}).text == (
        "{\"error\": \"There is no tool 'lamps.get_levl'. Did you mean 'lamps.get_level'?\"}"
    )
    assert environment.call("lamps.get_level", ["रसोई"]).error


def test_a_failed_call_leaves_the_state(lamps_folder: Path) -> None:
    environment = load_domain(lamps_folder).environment()
    before = environment.data
    assert environment.call("lamps.set_level", {"room": "छत"}).error
    assert environment.data is before


def test_a_snapshot_is_gone_back_to(lamps_folder: Path) -> None:
    environment = load_domain(lamps_folder).environment()
    before, hash_before = environment.snapshot(), environment.state_hash()
    environment.call("lamps.set_level", {"room": "hall"})
    assert environment.state_hash() != hash_before
    environment.restore(before)
    assert environment.state_hash() == hash_before


def test_each_side_has_its_own_tools(lamps_folder: Path) -> None:
    environment = load_domain(lamps_folder).environment()
    assert [tool.name for tool in environment.tools("user")] == ["phone.press_switch"]
    assert environment.call("phone.press_switch", {"room": "hall"}).error
    assert not environment.call("phone.press_switch", {"room": "hall"}, by="user").error
    assert environment.call("lamps.get_level", {"room": "hall"}, by="user").error
    assert environment.writes("lamps.set_level") and not environment.writes("lamps.get_level")


def test_two_environments_share_nothing(lamps_folder: Path) -> None:
    domain = load_domain(lamps_folder)
    one, other = domain.environment(), domain.environment()
    one.call("lamps.set_level", {"room": "hall"})
    assert json.loads(other.call("lamps.get_level", {"room": "hall"}).text)["level"] == 0


def test_handing_over_is_a_tool_of_every_domain(lamps_folder: Path) -> None:
    environment = load_domain(lamps_folder).environment()
    environment.call("desk.hand_over", {"summary": "वह इंसान से बात करना चाहती है।"})
    assert environment.data.handed_over


def test_a_replay_reads_markers_from_earlier_results(lamps_folder: Path) -> None:
    domain = load_domain(lamps_folder)
    environment = domain.environment()
    results = replay(environment, domain.task("same").gold, "same: gold")
    assert results == [{"level": 20, "room": "रसोई"}, {"level": 20}]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (Action(name="lamps.get_level", arguments={"room": "x"}), r"^t\[0\]: lamps.get_level fails"),
        (Action(name="lamps.get_level", arguments={"room": {"$ref": "3.room"}}), r"^t\[0\]: marker"),
    ],
)
def test_a_replay_that_fails_says_where(lamps_folder: Path, action: Action, message: str) -> None:
    with pytest.raises(UserError, match=message):
        replay(load_domain(lamps_folder).environment(), [action], "t")


def test_recorded_calls_are_repeated_with_their_failures(lamps_folder: Path) -> None:
    calls = [
        Action(name="lamps.get_level", arguments={"room": "x"}),
        Action(name="lamps.set_level", arguments={"room": "hall", "level": 5}),
    ]
    environment = load_domain(lamps_folder).environment()
    repeat(environment, calls, ['{"error": "There is no lamp in \'x\'."}', '{"level": 5}'])
    assert json.loads(environment.call("lamps.get_level", {"room": "hall"}).text)["level"] == 5


def test_a_result_that_has_changed_since_is_an_error(lamps_folder: Path) -> None:
    calls = [Action(name="lamps.get_level", arguments={"room": "hall"})]
    with pytest.raises(UserError, match="now returns"):
        repeat(load_domain(lamps_folder).environment(), calls, ['{"level": 9}'])
