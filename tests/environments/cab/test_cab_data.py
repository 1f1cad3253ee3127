import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from voicebench.environments.cab.data import CabData
from voicebench.environments.check import gold_episode, is_right_without_action, problems
from voicebench.environments.contract import SORTS, Action
from voicebench.environments.domain import Domain, load_domain
from voicebench.environments.reward import Episode, reward

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def cab() -> Domain:
    return load_domain("cab")


def test_the_tools_have_exactly_the_shipped_schemas(cab: Domain) -> None:
    shipped = json.loads((ROOT / "data/tools/cab.json").read_text("utf-8"))
    own = [tool.schema.model_dump() for name, tool in cab.tools.items() if name.startswith("cab.")]
    assert own == shipped
    # Positional arguments go by the order.
    assert [list(tool["parameters"]["properties"]) for tool in own] == [
        list(tool["parameters"]["properties"]) for tool in shipped
    ]


def test_every_gold_runs_and_no_task_is_passed_by_doing_nothing(cab: Domain) -> None:
    assert problems(cab) == []


def test_where_nothing_is_right_the_task_is_one_to_refuse(cab: Domain) -> None:
    assert {task.sort for task in cab.tasks if is_right_without_action(task)} == {"forbidden"}


def test_there_are_forty_tasks_and_more_of_every_sort(cab: Domain) -> None:
    count = Counter(task.sort for task in cab.tasks)
    assert len(cab.tasks) >= 40
    assert min(count[sort] for sort in SORTS) >= 6


def test_the_data_are_of_believable_size_and_fit_together(cab: Domain) -> None:
    data = cab.data
    assert isinstance(data, CabData)
    assert len(data.places) > 400 and len(data.vehicles) > 400
    assert len(data.riders) > 100 and len(data.rides) > 500
    assert {place.city for place in data.places.values()} == set(data.cities)
    for ride in data.rides.values():
        assert ride.rider in data.riders
        assert {ride.pickup, ride.dropoff} <= set(data.places)


def test_the_file_is_what_its_script_makes() -> None:
    spec = importlib.util.spec_from_file_location("cab_db", ROOT / "tools/cab_db.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.text() == (ROOT / "data/environments/cab/db.json").read_text("utf-8")


def test_a_scripted_user_of_each_task_has_more_to_say_than_the_opening(cab: Domain) -> None:
    assert [task.id for task in cab.tasks if not task.user.script] == []


def test_the_example_of_the_page_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/environments.md").read_text("utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    exec(code, {})
    printed = capsys.readouterr().out.splitlines()
    assert printed == [line.partition(" # ")[2].strip() for line in code.splitlines() if "print(" in line]


def test_the_policy_names_the_fees_that_the_tools_charge(cab: Domain) -> None:
    assert isinstance(cab.data, CabData)
    for name, city in cab.data.cities.items():
        line = next(line for line in cab.policy.splitlines() if line.startswith("|") and name in line)
        assert line.rstrip(" |").replace(",", "").endswith(str(city.cancel_fee))


@pytest.mark.parametrize(
    ("task_id", "arguments"),
    [
        ("cab-forbidden-01", {"pickup": "HSR Layout", "dropoff": "Lalbagh", "when": "2026-12-10T09:00"}),
        ("cab-forbidden-03", {"pickup": "Bandra", "dropoff": "Powai", "vehicle": "car"}),
        ("cab-forbidden-04", {"pickup": "Egmore", "dropoff": "Tambaram", "vehicle": "bike"}),
        (
            "cab-forbidden-05",
            {
                "pickup": "Behala",
                "dropoff": "New Town",
                "vehicle": "car",
                "stops": ["Gariahat", "Park Street", "Sealdah", "Ballygunge"],
            },
        ),
        ("cab-forbidden-08", {"pickup": "Nehru Place", "dropoff": "Rohini", "vehicle": "car"}),
        ("cab-forbidden-10", {"pickup": "Camden Town", "dropoff": "Victoria", "vehicle": "car"}),
        ("cab-forbidden-11", {"pickup": "Ballygunge", "dropoff": "South City Mall", "vehicle": "suv"}),
    ],
)
def test_what_only_the_policy_forbids_can_be_done_and_earns_nothing(
    cab: Domain, task_id: str, arguments: dict[str, Any]
) -> None:
    task = cab.task(task_id)
    call = Action(name="cab.book_ride", arguments=arguments)
    assert not cab.environment(task).call(call.name, call.arguments).error
    spoken = gold_episode(cab, task).said
    found = reward(cab, task, Episode(ended="user_stop", calls=(call,), said=spoken))
    assert (found.reward, found.breakdown["state"]) == (0, 0)


def test_handing_over_what_must_be_refused_earns_nothing(cab: Domain) -> None:
    call = Action(name="desk.hand_over", arguments={"summary": "शिकायत"})
    earned = {
        task.id: reward(
            cab, task, Episode(ended="user_stop", calls=(call,), said=gold_episode(cab, task).said)
        )
        for task in cab.tasks
        if task.sort != "impossible"
    }
    assert {found.reward for found in earned.values()} == {0}
