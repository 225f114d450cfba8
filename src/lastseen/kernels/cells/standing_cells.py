"""Cells that bodies stand in, and positions on the floor for points in cells."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.belief_arrays import BARS_TURNS, GUARD_CELL, GUARD_X, OPENS_EXITS, Beliefs, Rays
from ..arrays.level_arrays import CellArrays, MeshArrays
from ..jit import jit
from ..mesh.point_location import face_under, nearest_on_mesh
from ..walk.raycast import REACHED, cast_rays
from .cell_access import cells_of_points
from .nearby_cells import cells_within_radius, nearest_cells_of_points

_REACH = 2.0
"""Radius, in cell sizes, of the search for a cell on the same side of a wall."""

GUARD_RADIUS = 5.0
"""Metres within which a guard off the cells (on a ledge, in a doorway) still counts as standing on one."""


@jit
def _room() -> Rays:
    """Return buffers for one ray cast on the mesh."""
    return Rays(
        np.zeros((2, 1, 3)),
        np.zeros(1, np.int32),
        np.zeros(1, np.uint8),
        np.zeros((1, 3)),
        np.zeros(1),
        np.zeros((1, 2)),
    )


@jit
def _walks_straight(mesh: MeshArrays, rays: Rays, reach: float) -> bool:
    """Return whether the line between the ends in `rays` is walkable; floors count within `reach` metres in height."""
    rays.face[0] = -1
    starts, ends = rays.ends[0], rays.ends[1]
    cast_rays(
        mesh,
        starts,
        ends,
        rays.face,
        reach,
        reach,
        False,
        rays.outcome,
        rays.point,
        rays.fraction,
        rays.normal,
        rays.face,
    )
    return rays.outcome[0] == REACHED


@jit
def _nearest_walkable(
    cells: CellArrays, mesh: MeshArrays, rays: Rays, place: Array, own: int, include_disabled: bool
) -> int:
    """Return the nearest cell with a straight walk from a place (1, 3), or `own` if there is none."""
    reach = cells.size_xyz[2]
    start, radius = np.zeros(2, np.int64), np.full(1, _REACH * cells.size_xyz[0])
    near = np.empty(len(cells.cell_grid) + np.int64(cells.shape[0]), np.int32)  # large enough for any result
    cells_within_radius(cells, place, radius, include_disabled, 0, start, near)
    best, least = np.int64(own), np.inf
    for k in range(start[1]):
        cell = np.int64(near[k])
        for axis in range(3):
            rays.ends[0, 0, axis] = place[0, axis]
            rays.ends[1, 0, axis] = cells.cell_xyz[cell, axis]
        if not _walks_straight(mesh, rays, reach):
            continue
        square = 0.0
        for axis in range(3):
            off = place[0, axis] - np.float64(cells.cell_xyz[cell, axis])
            square += off * off
        away = np.sqrt(square)
        if away < least or (away == least and cell < best):
            best, least = cell, away
    return best


@jit
def stood_in(
    cells: CellArrays, mesh: MeshArrays, points: Array, radius: Array, include_disabled: bool, found: Array
) -> None:
    """Fill `found` (n,) int32 with the cell in which a body at each point (n, 3) stands; -1: none, or NaN was given.

    This is the cell at the point if a straight walk leads there, else the nearest cell with a straight walk. If there
    is no cell at a point, it is the nearest enabled one within `radius` (n,) metres; a negative radius disables this.
    """
    reach = cells.size_xyz[2]
    rays = _room()
    cells_of_points(cells, points, include_disabled, found)
    for i in range(len(points)):
        place = points[i : i + 1]
        if found[i] < 0:
            if radius[i] >= 0.0 and not np.isnan(place[0, 0]):
                nearest_cells_of_points(cells, place, radius[i : i + 1], False, found[i : i + 1])
            continue
        for axis in range(3):
            rays.ends[0, 0, axis] = place[0, axis]
            rays.ends[1, 0, axis] = cells.cell_xyz[found[i], axis]
        if _walks_straight(mesh, rays, reach):
            continue
        # A body off the floor keeps the cell below or above it.
        if face_under(mesh, place[0, 0], place[0, 1], place[0, 2], reach, reach) >= 0:
            found[i] = _nearest_walkable(cells, mesh, rays, place, found[i], include_disabled)


@jit
def places_on_floor(
    cells: CellArrays, mesh: MeshArrays, points: Array, inside: Array, found: Array, placed: Array
) -> None:
    """Project points (n, 3) onto the floor of their cells `found` (n,), into `placed` (n, 3); update `found`.

    A point that is not `inside` (n,) its cell is replaced by the cell's own position. The floor may cover only a part
    of a cell's square, so the floor nearest to a point may belong to another cell. If that cell is disabled or behind a
    wall, the position of the point's own cell is used.
    """
    reach = cells.size_xyz[2]
    rays = _room()
    here, spot = np.zeros(1, np.int32), rays.ends[1]
    for i in range(len(points)):
        for axis in range(3):
            placed[i, axis] = cells.cell_xyz[found[i], axis]
            rays.ends[0, 0, axis] = placed[i, axis]
        if not inside[i]:
            continue
        spot[0, 0], spot[0, 1], spot[0, 2] = points[i, 0], points[i, 1], placed[i, 2]
        face = face_under(mesh, spot[0, 0], spot[0, 1], spot[0, 2], reach, reach)
        if face >= 0:
            a, b, c = mesh.face_plane[face, 0], mesh.face_plane[face, 1], mesh.face_plane[face, 2]
            spot[0, 2] = a * spot[0, 0] + b * spot[0, 1] + c
        else:
            nearest_on_mesh(mesh, spot, np.inf, rays.face, rays.point, rays.fraction)
            for axis in range(3):
                spot[0, axis] = rays.point[0, axis]
        cells_of_points(cells, spot, False, here)
        # not if a thin wall separates the point from its cell: that floor belongs to another room
        if here[0] >= 0 and _walks_straight(mesh, rays, reach):
            found[i] = here[0]
            for axis in range(3):
                placed[i, axis] = spot[0, axis]


@jit
def guard_places(
    cells: CellArrays, mesh: MeshArrays, guards: Array, starts: Array, back: Array, beliefs: Beliefs
) -> int:
    """Fill the cells and eye positions of guards (n, 3; NaN: unknown); return the first off the mesh, or -1.

    Lines of sight run along the floor, so a guard off the floor looks from its cell's position. If exits are opened and
    the guard is unknown, one is assumed behind the runner: at an offset of `-back` (n, 3) from the cell in `starts`
    (n,), limited to where the floor ends.
    """
    reach = cells.size_xyz[2]
    rays = _room()
    radius, found = np.full(len(guards), GUARD_RADIUS), np.empty(len(guards), np.int32)
    stood_in(cells, mesh, guards, radius, False, found)
    for i in range(len(guards)):
        cell = np.int64(found[i])
        if not np.isnan(guards[i, 0]):
            if cell < 0:
                return i
            off = face_under(mesh, guards[i, 0], guards[i, 1], guards[i, 2], reach, reach) < 0
            for axis in range(3):
                eye = np.float64(cells.cell_xyz[cell, axis]) if off else guards[i, axis]
                beliefs.facts[i, GUARD_X + axis] = eye
        else:
            # Only a known guard bars turns, not the one assumed behind the runner.
            beliefs.numbers[i, BARS_TURNS] = 0
            if beliefs.numbers[i, OPENS_EXITS] == 1:
                for axis in range(3):
                    rays.ends[0, 0, axis] = cells.cell_xyz[starts[i], axis]
                    rays.ends[1, 0, axis] = rays.ends[0, 0, axis] - back[i, axis]
                _walks_straight(mesh, rays, reach)
                nearest_cells_of_points(cells, rays.point, radius[i : i + 1], False, found[i : i + 1])
                cell = np.int64(found[i]) if found[i] >= 0 else np.int64(starts[i])
        beliefs.numbers[i, GUARD_CELL] = cell
    return -1
