"""Find places by what people call them, and distances between them."""

import difflib
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from math import asin, cos, radians, sin, sqrt

from voicebench.environments.cab.data import CabData, City, Place
from voicebench.environments.state import Identity
from voicebench.environments.tool import ToolError
from voicebench.scoring.text import canonical_name

_EARTH_RADIUS_KM = 6371.0
_ROADS_ARE_LONGER = 1.3
_SHOWN = 5


def place_called(data: CabData, address: str) -> str:
    """Return the id of the place that an address names, in any script; one in the rider's city goes first.

    Raises:
        ToolError: There is no such place, or there are several.
    """
    found = _index(Identity(data.places), Identity(data.cities)).get(canonical_name(address), ())
    home = data.riders[data.rider].city
    near = [key for key in found if data.places[key].city == home] or found
    if not near:
        raise ToolError(f"No place is called {address!r}.{_nearest_name(data, address, home)}")
    if len(near) > 1:
        named = "; ".join(full_name(data.places[key]) for key in near[:_SHOWN])
        raise ToolError(f"Several places are called {address!r}: {named}. Ask which one is meant.")
    return near[0]


def full_name(place: Place) -> str:
    """Return a place's name with its city, such as "Jayanagar, Bengaluru"."""
    return f"{place.name}, {place.city}"


def straight_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the distance between two points (latitude, longitude in degrees) in km, by the haversine."""
    (lat, lon), (other_lat, other_lon) = one, other
    across, along = radians(other_lat - lat) / 2, radians(other_lon - lon) / 2
    chord = sin(across) ** 2 + cos(radians(lat)) * cos(radians(other_lat)) * sin(along) ** 2
    return 2 * _EARTH_RADIUS_KM * asin(min(1.0, sqrt(chord)))


def road_km(points: list[tuple[float, float]]) -> float:
    """Return the length of a way through points in km, taken as 1.3 times the straight lines."""
    return _ROADS_ARE_LONGER * sum(straight_km(one, other) for one, other in pairwise(points))


def point_of(place: Place) -> tuple[float, float]:
    """Return where a place is: latitude and longitude in degrees."""
    return place.latitude, place.longitude


def _nearest_name(data: CabData, address: str, city: str) -> str:
    names = {place.name.casefold(): full_name(place) for place in data.places.values() if place.city == city}
    close = difflib.get_close_matches(address.casefold(), names, n=1, cutoff=0.6)
    return f" Did you mean {names[close[0]]!r}?" if close else " Ask for a landmark or area nearby."


@lru_cache(maxsize=16)
def _index(
    places: Identity[Mapping[str, Place]], cities: Identity[Mapping[str, City]]
) -> dict[str, tuple[str, ...]]:
    """Return the ids of the places by each name that they have, with and without their city."""
    found: dict[str, dict[str, None]] = {}
    for key, place in places.value.items():
        endings = ("", place.city, *cities.value[place.city].aliases)
        for name in (place.name, *place.aliases):
            for written in (f"{name} {ending}" for ending in endings):
                found.setdefault(canonical_name(written), {})[key] = None
    return {name: tuple(keys) for name, keys in found.items()}
