"""Warn when the triangles of a mesh seem to be wound the wrong way round.

Two measures, since neither finds every flipped mesh. Meshes leave out what is never seen, undersides above all, so a
sound one has at least as much area that faces up as faces down: there is a floor below every ceiling. Closed solids
have as much of both, whichever way they are wound; but above their floors there is air, and above what faces down
there is matter, mostly thin. So look down on the mesh at many places, and compare the surfaces with room above them.
Solid blocks and closed rooms are each other's flipped copies: no measure tells them apart, and neither is warned of.
"""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array, Floats, Ids
from ..errors import Fault
from .check_meshes import cross_xy
from .level import TriangleSoup

__all__ = ["winding_faults"]

ROOM = 1.8
"""Metres above a surface that leave room to stand on it."""
TOUCHING = 0.02
"""Metres below which a surface that faces down rests on the one below it: a crate on the floor."""
MOST_AREA = 1.1
"""Area seen from above that faces down, for each square metre that faces up, in a mesh that is not doubted."""
MOST_PLACES = 2.0
"""Places with room to stand in that face down, for each that faces up, in a mesh that is not doubted."""
PLACES = 4096
MOST_PAIRS = 2_000_000
"""Places and triangles that are compared at most; of larger meshes fewer places are looked at."""


def winding_faults(soup: TriangleSoup) -> list[Fault]:
    """Return a warning if most of the floor seems to face down."""
    if not len(soup.triangles):
        return []
    up, down = _areas(soup.vertices_xyz, soup.triangles)
    if up <= 0.0:
        return []  # an error of its own
    share = "the area seen from above faces down"
    if down <= MOST_AREA * up:
        up, down = _standing_places(soup.vertices_xyz, soup.triangles)
        share = f"the surfaces with {ROOM:g} m of room above them face down"
        if down <= MOST_PLACES * up:
            return []
    what = f"the winding seems to be flipped: {down / (up + down):.0%} of {share}"
    advice = (
        "bodies walk on triangles that face up only: read it with flip=True (`lastseen bake --flip`, "
        "`level convert --flip`) if the level bakes empty or upside down, or flip the normals on export"
    )
    return [Fault(what, advice, severity="warning")]


def _areas(vertices: Floats, triangles: Ids) -> tuple[float, float]:
    """Return the area seen from above of what faces up, and of what faces down."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    twice = cross_xy(b - a, c - a)
    return float(twice[twice > 0.0].sum()) / 2.0, float(-twice[twice < 0.0].sum()) / 2.0


def _standing_places(vertices: Floats, triangles: Ids) -> tuple[int, int]:
    """Count the places with room to stand in on surfaces that face up, and on those that face down."""
    column, z, faces_up = _crossings(vertices, triangles)
    # Each surface once: an edge that is met belongs to two triangles. Heights are rounded, so that these come together.
    column, z, down = np.unique(np.array([column, np.round(z, 6), ~faces_up]), axis=1)
    faces_up = down == 0.0
    rests = (column[1:] == column[:-1]) & (z[1:] - z[:-1] < TOUCHING) & faces_up[:-1] & ~faces_up[1:]
    free = ~(np.append(rests, False) | np.insert(rests, 0, False))
    column, z, faces_up = column[free], z[free], faces_up[free]
    room = np.full(len(z), np.inf)
    below = np.flatnonzero(column[1:] == column[:-1])
    room[below] = z[below + 1] - z[below]
    stands = room >= ROOM
    return int((stands & faces_up).sum()), int((stands & ~faces_up).sum())


def _crossings(vertices: Floats, triangles: Ids) -> tuple[Array, Array, Array]:
    """Return where vertical lines through a grid of places cross triangles: place, height, whether it faces up."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    twice = cross_xy(b - a, c - a)
    lowest, highest = np.minimum(np.minimum(a, b), c)[:, :2], np.maximum(np.maximum(a, b), c)[:, :2]
    origin = lowest.min(axis=0)
    width, depth = (highest.max(axis=0) - origin).tolist()
    spacing = max(math.sqrt(width * depth / PLACES), max(width, depth) / PLACES)
    while True:
        # Places lie in the middle of squares, away from edges drawn along whole metres.
        first = np.ceil((lowest - origin) / spacing - 0.5).astype(np.int64)
        counts = np.maximum(np.floor((highest - origin) / spacing - 0.5).astype(np.int64) - first + 1, 0)
        pairs = np.where(twice != 0.0, counts[:, 0] * counts[:, 1], 0)
        if pairs.sum() <= MOST_PAIRS:
            break
        spacing *= 2.0
    owner = np.repeat(np.arange(len(triangles)), pairs)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    row, along = np.divmod(within, np.maximum(counts[owner, 0], 1))
    place = first[owner] + np.column_stack([along, row])
    from_a = origin + (place + 0.5) * spacing - a[owner, :2]
    u = cross_xy(from_a, (c - a)[owner]) / twice[owner]
    v = cross_xy((b - a)[owner], from_a) / twice[owner]
    inside = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0)
    owner, place = owner[inside], place[inside]
    z = a[owner, 2] + u[inside] * (b - a)[owner, 2] + v[inside] * (c - a)[owner, 2]
    return place[:, 1] * (PLACES + 1) + place[:, 0], z, twice[owner] > 0.0
