"""Settings for placing guards, and for verifying a level with guards."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ...checks import finite_number, seed_of, shown, whole_number
from ...errors import InputError, did_you_mean

PACKINGS = ("remainder-boundary", "neighbourhood-growth", "voronoi", "skeleton")
GUARD_TERMS = ("linear", "flat")

_RANGES = {
    "path_cost": (0.0, 1e6, False),
    "guard_cost": (0.0, 1e6, False),
    "drop_off": (0.0, 1e6, True),
    "least": (0.0, 1e6, False),
    "most": (0.0, 1e6, True),
    "notice": (0.0, 60.0, False),
    "spare_path": (0.0, 1e3, False),
    "body": (0.0, 10.0, False),
    "coarseness": (0.0, 1e3, True),
}
"""Minimum and maximum of each number, and whether the minimum is excluded."""


@dataclass(frozen=True)
class PlacementSettings:
    """Settings for placing guards.

    Lengths marked (s) are in units of the level: the square root of its walkable area in metres, so that settings
    found for one level serve another; with `raw` they are metres, as in the source.

    Attributes
    ----------
    packing : "remainder-boundary" (the source's choice), "neighbourhood-growth", "voronoi" or "skeleton".
    path_cost : (s) added to an edge on the intended path, falling to 0 at `drop_off`; a high value keeps guards off it.
    guard_cost : (s) the same for each earlier guard's route, when guards are placed one by one.
    guard_term : "linear" drops off with distance like the path term (the source's suggestion); "flat" adds the full
        cost to the edges an earlier guard walks and nothing to others (the source's implementation).
    drop_off : (s) distance at which these costs end.
    least, most : (s) bounds of the cost of a whole walk.
    raw : lengths are metres.
    together : choose guards jointly by what they see, instead of one by one; they never see less of the floor.
    candidates : candidate walks drawn per guard when `together`.
    spare_path : penalty for seeing the path; 1: as much as seeing the floor is worth. Unless it is 0, guards placed
        together see no more of it than those placed one by one.
    notice : seconds a target must be in view to be noticed; see `radius_range`.
    coarseness : factor on the largest radius of a packing; higher values give fewer, larger circles.
    attempts : walks drawn for a guard before giving up.
    redraws : whole placements drawn for a check before giving up.
    body : radius of guards in metres.
    """

    packing: str = "remainder-boundary"
    path_cost: float = 2.0
    guard_cost: float = 0.5
    guard_term: str = "linear"
    drop_off: float = 0.15
    least: float = 0.5
    most: float = 2.0
    raw: bool = False
    together: bool = True
    candidates: int = 24
    spare_path: float = 1.0
    notice: float = 0.5
    coarseness: float = 1.0
    attempts: int = 200
    redraws: int = 20
    body: float = 0.3

    def __post_init__(self) -> None:
        for name, (low, high, open_low) in _RANGES.items():
            number = finite_number(getattr(self, name), name, low=low, high=high, open_low=open_low)
            object.__setattr__(self, name, number)
        for name in ("candidates", "attempts", "redraws"):
            object.__setattr__(self, name, whole_number(getattr(self, name), name, low=1))
        one_of(self.packing, "packing", PACKINGS)
        one_of(self.guard_term, "guard_term", GUARD_TERMS)
        for name in ("raw", "together"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} is {shown(getattr(self, name))}; give True or False")
        if self.least > self.most:
            raise InputError(f"least is {self.least:g}, more than most, {self.most:g}; swap them")

    def as_object(self) -> dict[str, str | float | int | bool]:
        """Return the settings by name, for JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def one_of(value: Any, name: str, allowed: tuple[str, ...]) -> str:
    """Return a word that is allowed; raise with the allowed ones otherwise."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(
            f"{name} is {shown(value)}{did_you_mean(value, allowed)}; give {' or '.join(map(repr, allowed))}"
        )
    return value


SOLVERS = ("rrt", "exact", "both")

_VERIFY_RANGES = {
    "seconds": ("s", 0.1, 86_400.0),
    "step": ("s", 0.01, 10.0),
    "speed": ("m/s", 0.01, 50.0),
    "seen_at": ("m", 0.0, 10.0),
    "close": ("m", 0.0, 1e6),
}
_MOST = {"runs": 100_000, "trees": 100_000, "nodes": 1_000_000}


@dataclass(frozen=True)
class VerifySettings:
    """Settings for verifying a level with guards.

    Attributes
    ----------
    seconds : time limit for a player, 0.1 … 86,400.
    step : length of a time step in seconds, 0.01 … 10; guards look `substeps` times per step (once in the source).
    speed : the player's top speed, 0.01 … 50 m/s.
    seen_at : height above the floor at which guards look for it, 0 … 10 m: the chest of a crouching body.
    solver : "rrt" (random trees), "exact" (all of cells × time) or "both".
    runs : independent runs of random trees, 1 … 100,000; each finds one path or none.
    trees, nodes : trees each run tries in turn, 1 … 100,000, and samples drawn for each, 1 … 1,000,000.
    smooth : remove detours from solutions where the straight line is unseen too.
    close : Fréchet distance from the intended path within which a solution counts as close, in metres; solutions nearer
        than that to each other form one group.
    """

    seconds: float = 60.0
    step: float = 0.1
    substeps: int = 1
    speed: float = 2.5
    seen_at: float = 1.0
    solver: str = "rrt"
    runs: int = 100
    trees: int = 24
    nodes: int = 500
    smooth: bool = True
    close: float = 3.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (unit, low, high) in _VERIFY_RANGES.items():
            object.__setattr__(self, name, finite_number(getattr(self, name), name, unit=unit, low=low, high=high))
        for name in ("substeps", *_MOST):
            object.__setattr__(self, name, whole_number(getattr(self, name), name, low=1))
        for name, most in _MOST.items():
            if getattr(self, name) > most:
                raise InputError(f"{name} is {getattr(self, name):,}; give a whole number, 1 to {most:,}")
        object.__setattr__(self, "seed", seed_of(self.seed))
        one_of(self.solver, "solver", SOLVERS)
        if not isinstance(self.smooth, bool):
            raise InputError(f"smooth is {shown(self.smooth)}; give True or False")

    def as_object(self) -> dict[str, str | float | int]:
        """Return the settings by name, for JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}
