"""The six tools of the cab domain."""

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from math import ceil
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from voicebench.environments.cab.data import KINDS, CabData, CancelReason, City, Kind, Ride, Vehicle
from voicebench.environments.cab.places import full_name, place_called, point_of, road_km, straight_km
from voicebench.environments.state import next_id
from voicebench.environments.tool import Effect, ToolError, ToolFunction, reads, writes

DATA = CabData
AnyKind = Literal["any", "auto", "bike", "car", "suv"]

_REACH_KM = 10.0
_CITY_SPEED_KM_H = 18.0
_FREE_TO_CANCEL = timedelta(minutes=5)
_FREE_UNTIL = timedelta(minutes=60)
_NO_AIRPORT: tuple[Kind, ...] = ("auto", "bike")
_SAME_PLACE_KM = 60.0


class Point(BaseModel):
    """Where something is, in degrees."""

    latitude: float
    longitude: float


@reads
def find_place(data: CabData, address: str) -> dict[str, Any]:
    """Find the latitude and longitude of an address, area or landmark. Returns latitude and longitude.

    Args:
        data: The state.
        address: The address, area or landmark as the user said it.

    Raises:
        ToolError: The place is not known, or several have that name.
    """
    place = data.places[place_called(data, address)]
    return {
        "name": place.name, "city": place.city, "latitude": place.latitude, "longitude": place.longitude,
    }  # fmt: skip


@reads
def get_fare(data: CabData, pickup: str, dropoff: str, vehicle: AnyKind = "any") -> dict[str, Any]:
    """Estimate what a ride would cost before it is booked. Returns offer_id and amount.

    Args:
        data: The state.
        pickup: Where the ride starts.
        dropoff: Where the ride ends.
        vehicle: Kind of vehicle; an auto is a three-wheeled rickshaw.

    Raises:
        ToolError: A place is not known, or no such vehicle drives that way.
    """
    way = (place_called(data, pickup), place_called(data, dropoff))
    city = _city(data, way)
    kind = _kind(data, city, way, vehicle, passengers=1)
    return {
        "offer_id": _fare_offer(way, kind), "vehicle": kind,
        "amount": _amount(data, city, way, kind), "currency": city.currency,
    }  # fmt: skip


@reads
def find_vehicles(data: CabData, pickup: Point, dropoff: Point, vehicle: AnyKind = "any") -> dict[str, Any]:
    """See which vehicles are free for a ride between two points given by their coordinates. Returns offer_id and minutes_away of the nearest one.

    Args:
        data: The state.
        pickup: Coordinates of the start.
        dropoff: Coordinates of the end.
        vehicle: Kind of vehicle; an auto is a three-wheeled rickshaw.

    Raises:
        ToolError: No such vehicle is free, or the points are too far apart.
    """  # noqa: E501
    start, end = (pickup.latitude, pickup.longitude), (dropoff.latitude, dropoff.longitude)
    if straight_km(start, end) > _SAME_PLACE_KM:
        raise ToolError("Rides stay within one city, and these two points are too far apart.")
    near = _free_near(data, start, lambda each: each.kind == vehicle or vehicle == "any")
    if not near:
        raise ToolError(
            f"No {_any_vehicle(vehicle)} is free near the start. Offer another kind or a later time."
        )
    away_km, key = near[0]
    first = data.vehicles[key]
    return {
        "offer_id": f"V-{key}", "vehicle": first.kind, "driver": first.driver,
        "minutes_away": _minutes(away_km), "free": len(near),
    }  # fmt: skip


@writes
def book_ride(
    data: CabData,
    pickup: str,
    dropoff: str,
    vehicle: AnyKind = "any",
    when: str = "now",
    passengers: Annotated[int, Field(ge=1)] = 1,
    stops: tuple[str, ...] = (),
    offer_id: str | None = None,
) -> Effect[CabData]:
    """Book a cab, auto, bike or car from one place to another. Returns ride_id.

    Args:
        data: The state.
        pickup: Where the ride starts.
        dropoff: Where the ride ends.
        vehicle: Kind of vehicle; an auto is a three-wheeled rickshaw.
        when: 'now', or the local date and time as YYYY-MM-DDTHH:MM.
        passengers: How many people ride.
        stops: Places to stop at on the way, in order.
        offer_id: An offer to take up, from cab.get_fare or cab.find_vehicles.

    Raises:
        ToolError: A place, the time or the offer is wrong, or no vehicle fits or is free.
    """
    ends = (place_called(data, pickup), place_called(data, dropoff))
    way = (ends[0], *(place_called(data, stop) for stop in stops), ends[1])
    city = _city(data, way)
    wanted, vehicle_id = _offered(data, offer_id, ends, vehicle)
    kind = _kind(data, city, way, wanted, passengers)
    starts = _moment(data, when)
    vehicle_id = (vehicle_id or _nearest(data, way[0], kind)) if starts is None else None
    amount = _amount(data, city, way, kind)
    ride = Ride(
        rider=data.rider, pickup=ends[0], dropoff=ends[1], stops=way[1:-1], kind=kind,
        vehicle_id=vehicle_id, when=starts or data.now, booked_at=data.now, passengers=passengers,
        amount=amount, currency=city.currency, status="booked",
    )  # fmt: skip
    ride_id = next_id("R-", data.rides)
    result = {
        "ride_id": ride_id, "pickup": full_name(data.places[ends[0]]),
        "dropoff": full_name(data.places[ends[1]]), "vehicle": kind, "when": ride.when,
        "amount": amount, "currency": city.currency,
    }  # fmt: skip
    data = data.changed(rides={**data.rides, ride_id: ride})
    if vehicle_id is not None:
        taken = data.vehicles[vehicle_id]
        away_km = straight_km(point_of(data.places[way[0]]), (taken.latitude, taken.longitude))
        result |= {"driver": taken.driver, "plate": vehicle_id, "minutes_away": _minutes(away_km)}
        data = _with_vehicle(data, vehicle_id, free=False)
    return Effect(data, result)


@reads
def get_payment(data: CabData, ride_id: str = "last") -> dict[str, Any]:
    """Look up how much was paid for a ride that is over.

    Args:
        data: The state.
        ride_id: Number of the ride, or 'last'.

    Raises:
        ToolError: The rider has no such ride, or it is not over.
    """
    if ride_id == "last":
        over = [
            (ride.when, key) for key, ride in data.rides.items()
            if ride.rider == data.rider and ride.status == "finished"
        ]  # fmt: skip
        if not over:
            raise ToolError("This rider has no ride that is over.")
        ride_id = max(over)[1]
    ride = _own_ride(data, ride_id)
    if ride.status != "finished":
        raise ToolError(f"Nothing has been paid for {ride_id}: it is {ride.status.replace('_', ' ')}.")
    return {
        "ride_id": ride_id, "amount": ride.amount, "currency": ride.currency,
        "method": data.riders[ride.rider].method, "when": ride.when,
        "pickup": full_name(data.places[ride.pickup]), "dropoff": full_name(data.places[ride.dropoff]),
    }  # fmt: skip


@writes
def cancel_ride(data: CabData, ride_id: str = "current", reason: CancelReason = "other") -> Effect[CabData]:
    """Cancel a ride that has been booked.

    Args:
        data: The state.
        ride_id: Number of the ride, or 'current'.
        reason: Why it is cancelled.

    Raises:
        ToolError: The rider has no such ride, or several, or it is not booked any more.
    """
    if ride_id == "current":
        ride_id = _open_ride(data)
    ride = _own_ride(data, ride_id)
    if ride.status != "booked":
        raise ToolError(f"{ride_id} cannot be cancelled: it is {ride.status.replace('_', ' ')}.")
    fee = _cancel_fee(data, ride)
    gone = ride.changed(status="cancelled", reason=reason, fee=fee, vehicle_id=None)
    changed = data.changed(rides={**data.rides, ride_id: gone})
    if ride.vehicle_id is not None:
        changed = _with_vehicle(changed, ride.vehicle_id, free=True)
    return Effect(changed, {"ride_id": ride_id, "fee": fee, "currency": ride.currency})


TOOLS: tuple[ToolFunction, ...] = (
    find_place, get_fare, find_vehicles, book_ride, get_payment, cancel_ride,
)  # fmt: skip


def _city(data: CabData, way: tuple[str, ...]) -> City:
    cities = {data.places[key].city for key in way}
    if len(cities) > 1:
        raise ToolError(
            f"Rides stay within one city, and these places are in {' and '.join(sorted(cities))}."
        )
    if len(set(way)) < len(way):
        raise ToolError("A place stands twice on the way. Ask where the ride starts, stops and ends.")
    return data.cities[cities.pop()]


def _kind(data: CabData, city: City, way: tuple[str, ...], wanted: AnyKind, passengers: int) -> Kind:
    """Return the kind of vehicle that drives: of 'any' the cheapest that fits, but never a bike."""
    airport = any(data.places[key].kind == "airport" for key in way)
    fitting: list[Kind] = [
        kind for kind in KINDS
        if kind in city.tariffs and city.tariffs[kind].seats >= passengers
        and not (airport and kind in _NO_AIRPORT)
    ]  # fmt: skip
    if wanted != "any":
        if wanted not in city.tariffs:
            raise ToolError(f"There is no {wanted} in this city, only {', '.join(city.tariffs)}.")
        if city.tariffs[wanted].seats < passengers:
            raise ToolError(f"The {wanted} seats {city.tariffs[wanted].seats}, not {passengers}.")
        if wanted not in fitting:
            raise ToolError(f"The {wanted} does not serve the airport. Offer a car or an suv.")
        return wanted
    cheap = [kind for kind in fitting if kind != "bike"]
    if not cheap:
        most = max(tariff.seats for tariff in city.tariffs.values())
        raise ToolError(f"No vehicle seats {passengers}; the largest seats {most}.")
    return min(cheap, key=lambda kind: _amount(data, city, way, kind))


def _amount(data: CabData, city: City, way: tuple[str, ...], kind: Kind) -> int:
    tariff = city.tariffs[kind]
    length_km = road_km([point_of(data.places[key]) for key in way])
    return round(tariff.base + tariff.per_km * length_km) + city.stop_fee * (len(way) - 2)


def _fare_offer(way: tuple[str, ...], kind: Kind) -> str:
    """Return an offer's number, which follows from what is offered, so that asking changes nothing."""
    digest = sha256("|".join((*way, kind)).encode()).digest()
    return f"F-{int.from_bytes(digest[:4], 'big') % 100_000:05d}"


def _offered(
    data: CabData, offer_id: str | None, way: tuple[str, str], vehicle: AnyKind
) -> tuple[AnyKind, str | None]:
    """Return the kind and, where the offer is of a vehicle, that vehicle."""
    if offer_id is None:
        return vehicle, None
    kind: AnyKind | None = None
    vehicle_id = None
    if offer_id.startswith("V-"):
        vehicle_id = offer_id.removeprefix("V-")
        taken = data.vehicles.get(vehicle_id)
        here = taken is not None and taken.free and taken.city == data.places[way[0]].city
        kind = taken.kind if taken is not None and here else None
    else:
        kind = next((kind for kind in KINDS if _fare_offer(way, kind) == offer_id), None)
    if kind is None:
        raise ToolError(f"The offer {offer_id!r} does not hold for this ride. Ask for a new one.")
    if vehicle not in ("any", kind):
        raise ToolError(f"The offer {offer_id!r} is for the kind {kind}, not {vehicle}.")
    return kind, vehicle_id


def _moment(data: CabData, when: str) -> str | None:
    """Return when a ride starts, or None for now."""
    if when == "now":
        return None
    try:
        moment = _time(when.removesuffix(":00") if len(when) == len("YYYY-MM-DDTHH:MM:SS") else when)
    except ValueError:
        raise ToolError(f"{when!r} is no time. Write 'now', or YYYY-MM-DDTHH:MM.") from None
    if moment <= _time(data.now):
        raise ToolError(f"{when} is past; it is {data.now} now.")
    return moment.strftime("%Y-%m-%dT%H:%M")


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M")


def _free_near(
    data: CabData, point: tuple[float, float], fits: Callable[[Vehicle], bool]
) -> list[tuple[float, str]]:
    """Return the distance in km and the id of each free vehicle in reach, the nearest first."""
    away = (
        (straight_km(point, (vehicle.latitude, vehicle.longitude)), key)
        for key, vehicle in data.vehicles.items()
        if vehicle.free and fits(vehicle)
    )
    return sorted(pair for pair in away if pair[0] <= _REACH_KM)


def _nearest(data: CabData, place: str, kind: Kind) -> str:
    near = _free_near(data, point_of(data.places[place]), lambda vehicle: vehicle.kind == kind)
    if not near:
        raise ToolError(f"No {kind} is free near the start. Offer another kind or a later time.")
    return near[0][1]


def _with_vehicle(data: CabData, key: str, *, free: bool) -> CabData:
    return data.changed(vehicles={**data.vehicles, key: data.vehicles[key].changed(free=free)})


def _own_ride(data: CabData, ride_id: str) -> Ride:
    ride = data.rides.get(ride_id)
    # Whether somebody else has a ride of that number is not told.
    if ride is None or ride.rider != data.rider:
        raise ToolError(f"This rider has no ride {ride_id!r}.")
    return ride


def _open_ride(data: CabData) -> str:
    mine = {
        key: ride for key, ride in data.rides.items()
        if ride.rider == data.rider and ride.status in ("booked", "under_way")
    }  # fmt: skip
    if not mine:
        raise ToolError("This rider has no ride that is booked.")
    if len(mine) > 1:
        named = "; ".join(
            f"{key} from {full_name(data.places[ride.pickup])} to {full_name(data.places[ride.dropoff])} "
            f"at {ride.when}"
            for key, ride in mine.items()
        )
        raise ToolError(f"Several rides are booked: {named}. Ask which one is meant.")
    return next(iter(mine))


def _cancel_fee(data: CabData, ride: Ride) -> int:
    now = _time(data.now)
    if ride.vehicle_id is not None:
        late = now - _time(ride.booked_at) > _FREE_TO_CANCEL
    else:
        late = _time(ride.when) - now < _FREE_UNTIL
    return data.cities[data.places[ride.pickup].city].cancel_fee if late else 0


def _minutes(away_km: float) -> int:
    return 1 + ceil(away_km / _CITY_SPEED_KM_H * 60)


def _any_vehicle(vehicle: AnyKind) -> str:
    return "vehicle" if vehicle == "any" else vehicle
