"""What the cab company knows: cities and tariffs, places, vehicles, riders, rides."""

from typing import Literal, get_args

from pydantic import Field

from voicebench.environments.state import Database, Record

Kind = Literal["auto", "bike", "car", "suv"]
KINDS: tuple[Kind, ...] = get_args(Kind)
RideStatus = Literal["booked", "under_way", "finished", "cancelled"]
CancelReason = Literal["changed_plans", "long_wait", "wrong_address", "other"]


class Tariff(Record):
    """What a kind of vehicle costs in a city, in whole units of its currency, and how many it seats."""

    base: int
    per_km: int
    seats: int


class City(Record):
    """A city: its currency, what drives there, what stops and cancelling cost, and its other names."""

    currency: str
    tariffs: dict[Kind, Tariff]
    stop_fee: int
    cancel_fee: int
    aliases: tuple[str, ...] = ()


class Place(Record):
    """A place by its name; `aliases` are other names, in any script."""

    name: str
    city: str
    kind: Literal["area", "station", "airport", "hospital", "mall", "sight", "stop", "office"]
    latitude: float
    longitude: float
    aliases: tuple[str, ...] = ()


class Vehicle(Record):
    """A vehicle, where it is, and whether it can take a ride now."""

    city: str
    kind: Kind
    driver: str
    latitude: float
    longitude: float
    free: bool = True


class Rider(Record):
    """A customer."""

    name: str
    phone: str
    city: str
    method: Literal["cash", "card", "upi", "wallet"]


class Ride(Record):
    """A ride; places by their ids, `when` and `booked_at` as YYYY-MM-DDTHH:MM.

    `vehicle_id` is None until one is on its way; `fee` is what cancelling cost.
    """

    rider: str
    pickup: str
    dropoff: str
    stops: tuple[str, ...] = ()
    kind: Kind
    vehicle_id: str | None = None
    when: str
    booked_at: str
    passengers: int = Field(default=1, ge=1)
    amount: int
    currency: str
    status: RideStatus
    reason: CancelReason | None = None
    fee: int | None = None


class CabData(Database):
    """The whole data base; `rider` is the customer of this conversation, who has been recognised."""

    rider: str
    cities: dict[str, City]
    places: dict[str, Place]
    vehicles: dict[str, Vehicle]
    riders: dict[str, Rider]
    rides: dict[str, Ride]
