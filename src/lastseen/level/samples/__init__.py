"""Sample levels shipped with the package, to play, to test and to benchmark."""

from __future__ import annotations

from ...checks import shown, whole_number
from ...errors import Fault, LevelError, did_you_mean
from ...shipped import Shipped
from ..level import Level
from ..readers import geojson, text_map

__all__ = ["SAMPLES", "describe", "sample"]

_DESCRIPTIONS = {
    "corridor": "a corridor with alcoves, one guard: 34 x 8 m",
    "rooms": "two rooms and the door between them, one guard: 24 x 10 m",
    "loop": "a corridor around a block with rooms inside, one guard: 24 x 15 m",
    "hall": "an open hall with pillars, two guards: 32 x 19 m",
    "warehouse": "shelves, crates, offices and lockers, two guards on patrol: 44 x 29 m",
    "yard": "a yard with a basin to walk around and a court for an ambush, two guards: 34 x 24 m",
    "moat": "two banks, a moat between them and a drawbridge, two guards: 38 x 14 m",
    "manor": "one floor plan in two states, in one of which a wall is open, two guards: 45 x 10 m",
    "house": "two storeys with stairs, a ramp and a balcony over the hall, two guards: 14 x 16 m",
    "complex": "rooms, corridors and loops generated from a seed, eight guards: about 20,000 m²",
}

SAMPLES = tuple(_DESCRIPTIONS)
"""Names of the sample levels, simplest first."""

_FILES = Shipped("sample level", __name__, suffix=".txt")


def describe(name: str) -> str:
    """Return a one-line description of sample `name`."""
    _check(name)
    return _DESCRIPTIONS[name]


def sample(name: str, *, seed: int = 0) -> Level:
    """Return the sample level `name`; `seed`, a whole number of at least 0, varies only "complex"."""
    _check(name)
    whole_number(seed, "seed")
    if name == "house":
        from .house import house

        return house()
    if name == "moat":
        return geojson.read(Shipped("sample level", __name__, suffix=".geojson").text(name).encode(), "moat.geojson")
    if name == "complex":
        from .complex import complex_level

        return complex_level(seed)
    return text_map.read(_FILES.text(name).encode(), f"{name}.txt")


def _check(name: str) -> None:
    if not isinstance(name, str) or name not in _DESCRIPTIONS:
        what = f"there is no sample level {shown(name)}{did_you_mean(name, SAMPLES)}"
        raise LevelError("sample", [Fault(what, f"use one of: {', '.join(SAMPLES)}")])
