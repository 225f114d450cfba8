"""Check that triangles, ready-made faces and tiles are sound, walkable and wound the right way.

Two measures are needed, since neither finds every flipped mesh. Meshes omit what is never seen, mostly undersides, so a
sound one has at least as much area facing up as down: there is a floor below every ceiling. Closed solids have equal
areas of both, whichever way they are wound; but above their floors there is air, and above surfaces that face down
there is matter, mostly thin. So the second measure samples vertical lines and compares the surfaces with room above.
Solid blocks and closed rooms are flipped copies of each other: no measure can tell them apart, and neither is reported.
"""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array, Floats, Ids
from ..errors import Fault
from .level import ConvexFaces, Tiles, TriangleSoup

SMALLEST_AREA = 1e-9
"""Square metres; scanned meshes have real triangles smaller than anything drawn by hand."""
STEEPEST = 0.05
"""Vertical part of a unit normal (87 degrees); a steeper triangle is a wall for any body."""
SHOWN = 10


def tile_faults(tiles: Tiles) -> list[Fault]:
    """Return the faults of tile sizes."""
    faults = []
    for index, floor in enumerate(tiles.floors):
        if not floor.tile > 0:
            faults.append(Fault(f"its tiles are {floor.tile:g} m wide", "give more than 0", f"tiles[{index}]"))
    return faults


def soup_faults(soup: TriangleSoup) -> list[Fault]:
    """Report triangles without area (a warning, unless all are) and meshes with nothing to walk on."""
    if not len(soup.triangles):
        return []
    a, b, c = (soup.vertices_xyz[soup.triangles[:, corner]] for corner in range(3))
    normal = np.cross(b - a, c - a)
    twice_area = np.linalg.norm(normal, axis=1)
    flat = twice_area < 2 * SMALLEST_AREA
    faults = []
    if flat.any():
        first = int(np.flatnonzero(flat)[0])
        what = f"{int(flat.sum()):,} of {len(flat):,} triangles have no area, first triangles[{first}]"
        severity = "error" if flat.all() else "warning"
        faults.append(Fault(what, "they are ignored; clean up the mesh to silence this", "", _at(a[first]), severity))
    if not flat.all() and not (np.abs(normal[:, 2]) > STEEPEST * twice_area)[~flat].any():
        advice = "nothing can be walked on: another axis may point up; set `up` to the other of y and z (`--up`)"
        faults.append(Fault("every triangle is vertical", advice, "", _at(a[0])))
    elif not flat.all() and not (normal[:, 2] > STEEPEST * twice_area)[~flat].any():
        advice = "nothing can be walked on: read it with flip=True (`--flip`), or flip the normals on export"
        faults.append(Fault("no triangle faces up", advice, "", _at(a[0])))
    return faults


def _at(point: Floats) -> tuple[float, ...]:
    return tuple(point.tolist())


def face_faults(faces: ConvexFaces) -> list[Fault]:
    """Return the faults of faces: too few corners, no area, clockwise, not convex."""
    starts = faces.face_start.astype(np.int64)
    lengths = np.diff(starts)
    faults = [
        Fault(f"it has {lengths[face]} corners", "give at least 3", f"faces[{face}]")
        for face in np.flatnonzero(lengths < 3).tolist()[:SHOWN]
    ]
    if faults or not len(lengths):
        return faults
    owner = np.repeat(np.arange(len(lengths)), lengths)
    place = faces.vertices_xyz[faces.corners]
    following = _following(starts)
    side = (place[following] - place)[:, :2]
    turn = cross_xy(side, side[following])
    scale = np.hypot(*side.T) * np.hypot(*side[following].T)
    around = np.arctan2(turn, (side * side[following]).sum(axis=1))
    area = np.bincount(owner, cross_xy(place[:, :2] - place[starts[owner], :2], side), len(lengths)) / 2
    turned = np.bincount(owner, around, len(lengths))
    inward = np.zeros(len(lengths), dtype=np.bool_)
    inward[owner[turn < -1e-9 * np.maximum(scale, 1e-12)]] = True
    flat = np.abs(area) < SMALLEST_AREA
    wrong = (
        (flat, "it has no area", "remove it"),
        (~flat & (area < 0), "it runs clockwise", "order its corners counter-clockwise seen from above"),
        (~flat & (area > 0) & (inward | (turned > 2 * np.pi + 1)), "it is not convex", "cut it into convex faces"),
    )
    for mask, what, advice in wrong:
        numbers = np.flatnonzero(mask).tolist()
        faults += [Fault(what, advice, f"faces[{face}]", _at(place[starts[face]])) for face in numbers[:SHOWN]]
        if len(numbers) > SHOWN:
            faults.append(Fault(f"and {len(numbers) - SHOWN:,} more faces like these", advice))
    return faults


def _following(starts: Array) -> Array:
    """Return for each corner the next corner of the same face."""
    following = np.arange(1, starts[-1] + 1)
    following[starts[1:] - 1] = starts[:-1]
    return following


def cross_xy(one: Array, other: Array) -> Array:
    """Return the z components of the cross products of vectors, taking only x and y into account."""
    return one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]


ROOM = 1.8
"""Metres of clearance needed to stand on a surface."""
TOUCHING = 0.02
"""Metres below which a surface facing down counts as resting on the one below it: a crate on the floor."""
MOST_AREA = 1.1
"""Largest area facing down per square metre facing up, both seen from above, that raises no doubt."""
MOST_PLACES = 2.0
"""Most places with room to stand that face down, per place that faces up, that raise no doubt."""
PLACES = 4096
MOST_PAIRS = 2_000_000
"""Most pairs of place and triangle compared; larger meshes are sampled at fewer places."""


def winding_faults(soup: TriangleSoup) -> list[Fault]:
    """Return a warning if most of the floor seems to face down."""
    if not len(soup.triangles):
        return []
    up, down = _areas(soup.vertices_xyz, soup.triangles)
    if up <= 0.0:
        return []  # reported as an error by `soup_faults`
    share = "the area seen from above faces down"
    if down <= MOST_AREA * up:
        up, down = _standing_places(soup.vertices_xyz, soup.triangles)
        share = f"the surfaces with {ROOM:g} m of room above them face down"
        if down <= MOST_PLACES * up:
            return []
    what = f"the winding appears to be flipped: {down / (up + down):.0%} of {share}"
    advice = (
        "only triangles that face up are walkable: read it with flip=True (`lastseen bake --flip`, "
        "`level convert --flip`) if the level bakes empty or upside down, or flip the normals on export"
    )
    return [Fault(what, advice, severity="warning")]


def _areas(vertices: Floats, triangles: Ids) -> tuple[float, float]:
    """Return the area, seen from above, that faces up and that faces down."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    twice = cross_xy(b - a, c - a)
    return float(twice[twice > 0.0].sum()) / 2.0, float(-twice[twice < 0.0].sum()) / 2.0


def _standing_places(vertices: Floats, triangles: Ids) -> tuple[int, int]:
    """Count the places with room to stand on surfaces that face up, and on surfaces that face down."""
    column, z, faces_up = _crossings(vertices, triangles)
    # Count each surface once: a shared edge belongs to two triangles. Rounding makes their heights equal.
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
        # Places lie at the centres of squares, away from edges drawn along whole metres.
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
