import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicebench.environments.cab.data import CabData
from voicebench.environments.domain import load_domain
from voicebench.environments.environment import Environment


@pytest.fixture
def cab() -> Environment:
    return load_domain("cab").environment()


def call(cab: Environment, name: str, **arguments: Any) -> Any:
    return json.loads(cab.call(f"cab.{name}", arguments).text)


def data(cab: Environment) -> CabData:
    assert isinstance(cab.data, CabData)
    return cab.data


@pytest.mark.parametrize(
    "address",
    [
        "Jayanagar",
        "jayanagar",
        "जयनगर",
        "ஜெயநகர்",
        "Jayanagar, Bangalore",
        "जयनगर, बेंगलुरु",
        "JAYANAGAR Bengaluru",
    ],
)
def test_a_place_is_found_by_any_of_its_names(cab: Environment, address: str) -> None:
    assert call(cab, "find_place", address=address) == {
        "name": "Jayanagar", "city": "Bengaluru", "latitude": 12.925, "longitude": 77.593,
    }  # fmt: skip


def test_a_misheard_name_is_answered_with_a_guess(cab: Environment) -> None:
    found = call(cab, "find_place", address="Jainagar")
    assert found == {"error": "No place is called 'Jainagar'. Did you mean 'Jayanagar, Bengaluru'?"}
    assert "landmark" in call(cab, "find_place", address="ชื่อแปลก")["error"]


def test_a_fare_is_the_same_in_every_script_and_changes_nothing(cab: Environment) -> None:
    before = cab.data
    fare = call(cab, "get_fare", pickup="Jayanagar", dropoff="Majestic", vehicle="auto")
    assert fare == call(cab, "get_fare", pickup="जयनगर", dropoff="मैजेस्टिक", vehicle="auto")
    assert (fare["amount"], fare["currency"]) == (151, "INR")
    assert cab.data is before


def test_any_vehicle_is_the_cheapest_that_fits_but_no_bike(cab: Environment) -> None:
    def kind(dropoff: str, passengers: int) -> Any:
        cab.restore(load_domain("cab").data)
        return call(cab, "book_ride", pickup="Jayanagar", dropoff=dropoff, passengers=passengers)["vehicle"]

    assert [kind("Majestic", 1), kind("Majestic", 4), kind("Majestic", 6)] == ["auto", "car", "suv"]
    assert kind("Bengaluru Airport", 1) == "car"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dropoff": "India Gate"}, "within one city"),
        ({"dropoff": "Jayanagar"}, "twice"),
        ({"dropoff": "Bengaluru Airport", "vehicle": "auto"}, "does not serve the airport"),
        ({"dropoff": "Majestic", "vehicle": "car", "passengers": 5}, "seats 4, not 5"),
        ({"dropoff": "Majestic", "passengers": 7}, "largest seats 6"),
        ({"dropoff": "Majestic", "when": "2026-11-30T09:00"}, "is past"),
        ({"dropoff": "Majestic", "when": "tomorrow"}, "is no time"),
        ({"dropoff": "Majestic", "when": "2026-12-01"}, "is no time"),
        ({"dropoff": "Majestic", "when": "2026-12-01T06:30+05:30"}, "is no time"),
        ({"dropoff": "Majestic", "offer_id": "F-00000"}, "does not hold"),
        ({"dropoff": "Majestic", "offer_id": "V-none"}, "does not hold"),
    ],
)
def test_a_booking_that_cannot_be_says_why(cab: Environment, arguments: dict[str, Any], message: str) -> None:
    before = cab.state_hash()
    assert message in call(cab, "book_ride", pickup="Jayanagar", **arguments)["error"]
    assert cab.state_hash() == before


def test_taking_up_an_offer_leads_to_the_same_state_as_naming_the_vehicle(cab: Environment) -> None:
    fresh = cab.snapshot()
    call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", vehicle="auto")
    named = cab.state_hash()
    cab.restore(fresh)
    fare = call(cab, "get_fare", pickup="Jayanagar", dropoff="Majestic", vehicle="auto")
    call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", offer_id=fare["offer_id"])
    assert cab.state_hash() == named
    cab.restore(fresh)
    ends = [call(cab, "find_place", address=name) for name in ("Jayanagar", "Majestic")]
    points = [{key: end[key] for key in ("latitude", "longitude")} for end in ends]
    near = call(cab, "find_vehicles", pickup=points[0], dropoff=points[1], vehicle="auto")
    booked = call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", offer_id=near["offer_id"])
    assert cab.state_hash() == named
    assert booked["minutes_away"] == near["minutes_away"]


def test_an_offer_of_another_kind_is_refused(cab: Environment) -> None:
    fare = call(cab, "get_fare", pickup="Jayanagar", dropoff="Majestic", vehicle="auto")
    booked = call(
        cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", vehicle="car", offer_id=fare["offer_id"]
    )
    assert "is for the kind auto" in booked["error"]


def test_a_vehicle_of_another_city_is_no_offer(cab: Environment) -> None:
    far = next(key for key, vehicle in data(cab).vehicles.items() if vehicle.city == "Delhi" and vehicle.free)
    booked = call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", offer_id=f"V-{far}")
    assert "does not hold" in booked["error"]


def test_seconds_in_a_time_are_left_out(cab: Environment) -> None:
    booked = call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", when="2026-12-01T06:30:00")
    assert booked["when"] == "2026-12-01T06:30"


def test_a_vehicle_is_taken_until_its_ride_is_cancelled(cab: Environment) -> None:
    booked = call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", vehicle="auto")
    assert not data(cab).vehicles[booked["plate"]].free
    assert call(cab, "cancel_ride", reason="changed_plans")["fee"] == 0
    assert data(cab).vehicles[booked["plate"]].free
    assert data(cab).rides[booked["ride_id"]].status == "cancelled"


def test_a_ride_for_later_takes_no_vehicle(cab: Environment) -> None:
    booked = call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", when="2026-12-01T06:30")
    assert "plate" not in booked
    assert data(cab).vehicles == load_domain("cab").environment().data.vehicles  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("when", "now", "fee"),
    [
        ("now", "2026-11-30T10:05", 0),
        ("now", "2026-11-30T10:06", 50),
        ("2026-11-30T12:00", "2026-11-30T11:00", 0),
        ("2026-11-30T12:00", "2026-11-30T11:01", 50),
    ],
)
def test_cancelling_late_costs_a_fee(cab: Environment, when: str, now: str, fee: int) -> None:
    call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", when=when)
    cab.restore(cab.snapshot().changed(now=now))
    assert call(cab, "cancel_ride")["fee"] == fee


def test_of_several_rides_the_current_one_must_be_named(cab: Environment) -> None:
    for when in ("2026-11-30T12:00", "2026-11-30T14:00"):
        call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", when=when)
    message = call(cab, "cancel_ride")["error"]
    assert "R-5577" in message and "R-5578" in message
    assert call(cab, "cancel_ride", ride_id="R-5578")["ride_id"] == "R-5578"
    assert "is cancelled" in call(cab, "cancel_ride", ride_id="R-5578")["error"]


def test_the_rides_of_others_are_not_told(cab: Environment) -> None:
    other = "R-5066"
    assert data(cab).rides[other].rider != data(cab).rider
    assert call(cab, "get_payment", ride_id=other) == {"error": f"This rider has no ride {other!r}."}
    assert call(cab, "cancel_ride", ride_id=other) == {"error": f"This rider has no ride {other!r}."}


def test_the_last_payment_is_that_of_the_latest_ride_that_is_over(cab: Environment) -> None:
    own = [ride for ride in data(cab).rides.values() if ride.rider == data(cab).rider]
    assert call(cab, "get_payment")["amount"] == max(own, key=lambda ride: ride.when).amount
    call(cab, "book_ride", pickup="Jayanagar", dropoff="Majestic")
    assert "is booked" in call(cab, "get_payment", ride_id="R-5577")["error"]


def test_stops_make_a_ride_longer_and_dearer(cab: Environment) -> None:
    direct = call(cab, "get_fare", pickup="Jayanagar", dropoff="Majestic", vehicle="car")["amount"]
    booked = call(
        cab, "book_ride", pickup="Jayanagar", dropoff="Majestic", vehicle="car", stops=["Hebbal", "लालबाग"]
    )
    assert booked["amount"] > direct + 60
    assert len(data(cab).rides[booked["ride_id"]].stops) == 2


CAB = load_domain("cab")
SOME_TEXT = st.sampled_from(
    ["Jayanagar", "मैजेस्टिक", "now", "2026-12-01T06:30", "R-5001", "F-1", "V-", "", "any", "auto"]
)
SOME_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=5) | SOME_TEXT,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["latitude", "longitude", "$ref"]) | st.text(max_size=3), inner, max_size=3
        )
    ),
    max_leaves=6,
)
PARAMETERS = sorted({name for tool in CAB.tools.values() for name in tool.schema.parameters["properties"]})


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(sorted(CAB.tools)), st.dictionaries(st.sampled_from(PARAMETERS), SOME_TEXT | SOME_JSON)
)
def test_no_call_however_wrong_breaks_an_environment(name: str, arguments: dict[str, Any]) -> None:
    environment = CAB.environment()
    before = environment.data
    outcome = environment.call(name, arguments)
    assert isinstance(json.loads(outcome.text), dict)
    if outcome.error:
        assert environment.data is before
        assert json.loads(outcome.text)["error"]
