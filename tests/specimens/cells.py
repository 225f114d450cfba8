"""Named meshes and layouts for the tests of cells."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.level.level import Floor, Floors, Level, TileFloor, Tiles
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.navmesh import NavMesh

POINT = Body(radius=0.0)


def passable(text: str) -> np.ndarray:
    """`.` is floor, anything else is wall; the first line is row 0."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return np.array([[letter == "." for letter in line] for line in lines])


def tile_mesh(tiles: np.ndarray) -> NavMesh:
    return build_navmesh(Level(Tiles((TileFloor(tiles),))), POINT)


def tile_layout(tiles: np.ndarray, **settings: float) -> CellLayout:
    return build_layout(tile_mesh(tiles), **settings)


def faces_mesh(*faces: list[tuple[float, float, float]], body: Body = POINT) -> NavMesh:
    """A mesh of convex faces given by their corners, counter-clockwise."""
    start = np.cumsum([0, *map(len, faces)])
    corners = np.array([corner for face in faces for corner in face], dtype=float)
    return assemble(corners, start, np.arange(len(corners)), body=body)


def box(x0: float, y0: float, x1: float, y1: float, z: float = 0.0) -> list[tuple[float, float, float]]:
    return [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]


def ramp(x0: float, y0: float, x1: float, y1: float, z0: float, z1: float) -> list[tuple[float, float, float]]:
    """A slope along x, from z0 at x0 to z1 at x1."""
    return [(x0, y0, z0), (x1, y0, z1), (x1, y1, z1), (x0, y1, z0)]


def two_storeys() -> NavMesh:
    """A ground floor 12 x 4, a gallery 4 m above its far half, and a ramp up to it along the near side."""
    return faces_mesh(
        box(0, 0, 12, 4),
        ramp(0, 4, 6, 6, 0.0, 4.0),
        box(6, 4, 8, 6, 4.0),
        box(6, 0, 12, 4, 4.0),
        box(-2, 0, 0, 6),
    )


@lru_cache
def rooms_with_thin_wall() -> CellLayout:
    """Two rooms of 6 x 6 m, a body of 0.3 m, a wall 0.2 m thick with a door 1 m wide away from cell centres."""
    room = Floor(
        np.array([(0, 0, 0), (12.2, 0, 0), (12.2, 6, 0), (0, 6, 0)], dtype=float),
        (
            np.array([(6, 0.1, 0), (6, 2.15, 0), (6.2, 2.15, 0), (6.2, 0.1, 0)], dtype=float),
            np.array([(6, 3.15, 0), (6, 5.9, 0), (6.2, 5.9, 0), (6.2, 3.15, 0)], dtype=float),
        ),
    )
    return build_layout(build_navmesh(Level(Floors((room,))), Body(radius=0.3)))
