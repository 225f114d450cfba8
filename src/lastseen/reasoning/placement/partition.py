"""Partition a level into places guards walk between: circles that do not overlap."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number, frozen, seed_of, shown, thing_of
from ...conventions import Floats, Ids
from ...errors import InputError
from ...level.level import Level
from ...rng import generator
from .ground import GuardGround
from .packing import neighbourhood_growth, remainder_boundary
from .routes import GuardKind
from .settings import PACKINGS, one_of
from .tessellation import skeleton, voronoi

__all__ = ["Partition", "partition", "radius_range"]

MOST_PLACES = 2000
_METHODS: dict[str, Callable[[Any, float, float, np.random.Generator], Floats]] = dict(
    zip(PACKINGS, (remainder_boundary, neighbourhood_growth, voronoi, skeleton), strict=True)
)


@dataclass(frozen=True, eq=False)
class Partition:
    """Places for guards: circles on the floor that neither overlap nor leave it.

    Attributes
    ----------
    centres : (n, 3) float64 metres, on the floor.
    radii : (n,) float64 metres.
    storey : (n,) int32.
    level : the level it partitions.
    method : the one of `PACKINGS` that made it, from `smallest` to `largest` radius.
    filled : share of the walkable area inside circles.
    """

    centres: Floats
    radii: Floats
    storey: Ids
    level: Level
    method: str
    smallest: float
    largest: float
    filled: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "centres", frozen(self.centres, np.float64))
        object.__setattr__(self, "radii", frozen(self.radii, np.float64))
        object.__setattr__(self, "storey", frozen(self.storey, np.int32))

    def __len__(self) -> int:
        return len(self.radii)


def radius_range(
    kinds: GuardKind | Iterable[GuardKind], *, notice: float = 0.5, coarseness: float = 1.0
) -> tuple[float, float]:
    """Return the smallest and largest radius, in metres, of circles that guards of these kinds can watch.

    Parameters
    ----------
    notice : seconds a target must be in view to be noticed.
    coarseness : factor on the largest.

    Notes
    -----
    A place passed at a distance y to the side, by a guard that walks straight on at speed v with a view of radius d and
    half opening h (at most a quarter turn), is in view from where the side of the sector comes over it until it is
    abeam: over d cos f - d sin f / tan h metres, with sin f = y / d. That lasts `notice` seconds or longer up to
    y = d sin(h - asin(v notice sin h / d)), which is the largest radius: narrower views and faster guards give smaller
    circles. A stationary guard has v = 0 and the opening of its whole sweep; all round, the largest is d itself.
    `passive` is always the smallest.
    """
    notice = finite_number(notice, "notice", unit="s", low=0.0, high=60.0)
    coarseness = finite_number(coarseness, "coarseness", low=0.0, high=1e3, open_low=True)
    asked = [kinds] if isinstance(kinds, GuardKind) else list(kinds) if isinstance(kinds, Iterable) else []
    if not asked:
        raise InputError(f"kinds is {shown(kinds)}; give at least one kind of guard, such as guard_kind('walking')")
    smallest = min(thing_of(kind, GuardKind, "kinds", "give GuardKinds").passive for kind in asked)
    largest = max(_watched(kind, notice) for kind in asked) * coarseness
    return smallest, max(smallest, largest)


def _watched(kind: GuardKind, notice: float) -> float:
    half = min(kind.opening / 2.0, math.pi / 2.0)
    if not kind.walks:
        return kind.view_distance * math.sin(half)
    late = min(kind.speed * notice * math.sin(half) / kind.view_distance, 1.0)
    return kind.view_distance * math.sin(max(half - math.asin(late), 0.0))


def partition(
    ground: GuardGround, smallest: float, largest: float, *, method: str = "remainder-boundary", seed: int = 0
) -> Partition:
    """Partition a level into circles with radii from `smallest` to `largest` metres, storey by storey.

    Raises
    ------
    InputError
        No circle of the smallest radius fits anywhere, or there would be too many.
    """
    thing_of(ground, GuardGround, "ground", "create one with GuardGround(level, path)")
    one_of(method, "method", PACKINGS)
    seed = seed_of(seed)
    smallest = finite_number(smallest, "smallest", unit="m", low=0.0, high=1e4, open_low=True)
    largest = finite_number(largest, "largest", unit="m", low=smallest, high=1e6)
    if ground.area / (math.pi * smallest * smallest) > 4 * MOST_PLACES:
        raise InputError(
            f"circles of {smallest:g} m are too small for a level of {ground.area:.4g} m²: there would be more than "
            f"{MOST_PLACES}; set the smallest to at least {math.sqrt(ground.area / (4 * MOST_PLACES * math.pi)):.3g} m"
        )
    found = []
    for plan in ground.storeys:
        random = generator(seed, f"placement {method} {plan.storey}")
        circles = _METHODS[method](plan.shape, smallest, largest, random)
        places = ground.lifted(circles[:, :2], plan.storey)
        fits = ground.on_mesh(places)
        found.append((places[fits], circles[fits, 2], np.full(int(fits.sum()), plan.storey, np.int32)))
    centres, radii, storey = (np.concatenate(parts) for parts in zip(*found))
    if len(radii) == 0:
        raise InputError(
            f"no circle of {smallest:g} m fits into the level; "
            "reduce the smallest radius (passive perception) or the guards' body"
        )
    if len(radii) > MOST_PLACES:
        raise InputError(f"{len(radii)} circles exceed the limit of {MOST_PLACES}; raise the smallest radius")
    filled = float((math.pi * radii * radii).sum()) / ground.area
    return Partition(centres, radii, storey, ground.level, method, smallest, largest, filled)
