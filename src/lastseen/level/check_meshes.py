"""Check that triangles, ready-made faces and tiles are sound and offer something to walk on."""

from __future__ import annotations

import numpy as np

from ..conventions import Array, Floats
from ..errors import Fault
from .level import ConvexFaces, Tiles, TriangleSoup

__all__ = ["cross_xy", "face_faults", "soup_faults", "tile_faults"]

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
        advice = "nothing can be walked on: another axis may point up in this file; set `up` to y or z (`--up y`)"
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
