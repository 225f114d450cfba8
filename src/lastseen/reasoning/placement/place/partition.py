"""Partition a level into places guards walk between: packed circles, even cells or the skeleton of the floor."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from ....checks import finite_number, frozen, instance_of, seed_of, shown
from ....conventions import Floats, Ids
from ....errors import InputError
from ....level.level import Level
from ....rng import generator
from ...input_checks import require_choice
from ..guard_ground import GuardGround
from ..guard_routes import GuardKind
from ..placement_settings import PACKINGS
from .packing import neighbourhood_growth, remainder_boundary

_ROUNDS = 6
_FILLED = 0.7
"""Approximate share of a cell that its circle fills; sets the number of cells for circles of medium radius."""
_MOST_SAMPLES = 40_000
MOST_PLACES = 2000


def voronoi(shape: Any, smallest: float, largest: float, random: np.random.Generator) -> Floats:
    """Partition a plan into cells of evenly spaced points, and put the largest circle into each, (n, 3).

    Notes
    -----
    Lloyd's algorithm: each point moves to the middle of its cell. Cells without room for the smallest circle get none.
    """
    middling = 0.5 * (smallest + min(largest, math.sqrt(shape.area / math.pi)))
    count = max(1, round(_FILLED * shape.area / (math.pi * middling * middling)))
    sites = _scattered(shape, count, random)
    cells = _cells(sites, shape)
    for _ in range(_ROUNDS):
        sites = _middles(cells)
        cells = _cells(sites, shape)
    lines = shapely.maximum_inscribed_circle(cells, tolerance=0.01 * smallest)
    ends = shapely.get_coordinates(lines).reshape(-1, 2, 2)
    # The circle is found to a tolerance; its radius is the room its centre really has.
    room = shapely.distance(shapely.boundary(cells), shapely.points(ends[:, 0]))
    circles = np.column_stack([ends[:, 0], np.minimum(room, largest)])
    return circles[room >= smallest]


def skeleton(shape: Any, smallest: float, largest: float, random: np.random.Generator) -> Floats:  # noqa: ARG001
    """Put circles along the lines halfway between walls, the largest first, (n, 3); nothing is random.

    Notes
    -----
    The corners of Voronoi cells of many points along the walls lie on the medial axis, to half their spacing.
    """
    spacing = max(smallest / 2.0, shapely.length(shapely.boundary(shape)) / _MOST_SAMPLES)
    walls = shapely.boundary(shape)
    around = shapely.MultiPoint(shapely.get_coordinates(shapely.segmentize(walls, spacing)))
    corners = np.unique(np.round(shapely.get_coordinates(shapely.voronoi_polygons(around)), 9), axis=0)
    corners = corners[shapely.contains_xy(shape, corners)]
    shapely.prepare(walls)
    room = shapely.distance(walls, shapely.points(corners))
    kept = room >= smallest
    corners, room = corners[kept], np.minimum(room[kept], largest)
    order = np.lexsort((corners[:, 1], corners[:, 0], -np.round(room, 9)))
    circles = np.empty((len(order), 3))
    count = 0
    for x, y, radius in np.column_stack([corners, room])[order].tolist():
        placed = circles[:count]
        if not count or (np.hypot(placed[:, 0] - x, placed[:, 1] - y) >= placed[:, 2] + radius).all():
            circles[count] = x, y, radius
            count += 1
    return circles[:count]


def _scattered(shape: Any, count: int, random: np.random.Generator) -> Floats:
    """Return random places on a plan, uniform over its area."""
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(shape))
    corners = shapely.get_coordinates(triangles).reshape(-1, 4, 2)[:, :3]
    share = np.cumsum(shapely.area(triangles))
    which = np.minimum(np.searchsorted(share, random.random(count) * share[-1]), len(share) - 1)
    u, v = random.random((2, count))
    over = u + v > 1.0
    u[over], v[over] = 1.0 - u[over], 1.0 - v[over]
    a, b, c = corners[which].transpose(1, 0, 2)
    return np.asarray(a + u[:, None] * (b - a) + v[:, None] * (c - a))


def _cells(sites: Floats, shape: Any) -> Any:
    """Return the Voronoi cells of places within the plan: the largest part of each."""
    if len(sites) == 1:
        return np.array([max(shapely.get_parts(shape), key=shapely.area)], dtype=object)
    whole = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(sites), extend_to=shape))
    parts, owner = shapely.get_parts(shapely.intersection(whole, shape), return_index=True)
    solid = (shapely.get_type_id(parts) == 3) & (shapely.area(parts) > 0.0)
    parts, owner = parts[solid], owner[solid]
    order = np.lexsort((-shapely.area(parts), owner))
    parts, owner = parts[order], owner[order]
    return parts[np.r_[True, owner[1:] != owner[:-1]]]


def _middles(cells: Any) -> Floats:
    """Return a place inside each cell: its centroid, or a point on its surface."""
    middle = shapely.get_coordinates(shapely.centroid(cells))
    outside = ~shapely.contains_xy(cells, middle[:, 0], middle[:, 1])
    if outside.any():
        middle[outside] = shapely.get_coordinates(shapely.point_on_surface(cells[outside]))
    return middle


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
    smallest = min(instance_of(kind, GuardKind, "kinds", "give GuardKinds").passive for kind in asked)
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
    instance_of(ground, GuardGround, "ground", "create one with GuardGround(level, path)")
    require_choice(method, "method", PACKINGS)
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
