"""A hall with a wall, a gap, a crate, a zone and an exit, for location queries."""

from functools import cache

import numpy as np

from lastseen.cells.layout import CellLayout
from lastseen.level.features import Marker, Obstacle, Spawn, Zone
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.body import Body
from lastseen.navmesh.navmesh import NavMesh

__all__ = ["hall", "hall_level"]

COLUMNS, ROWS, WALL, GAP = 14, 11, 6, 8
"""Tiles of the hall; the wall is column 6, its gap in row 8."""


@cache
def hall_level() -> Level:
    passable = np.ones((ROWS, COLUMNS), bool)
    passable[:, WALL] = False
    passable[GAP, WALL] = True
    crate = np.array([(3.0, 5.0), (4.0, 5.0), (4.0, 6.0), (3.0, 6.0)])
    dock = np.array([(0.0, 9.0), (4.0, 9.0), (4.0, 11.0), (0.0, 11.0)])
    return Level(
        Tiles((TileFloor(passable),)),
        "hall",
        cover=(Obstacle(crate, height=1.0),),
        zones=(Zone(dock, name="dock", kind="safe"),),
        markers=(Marker((12.5, 1.5, 0.0), "exit"),),
        spawns=(Spawn((1.5, 1.5, 0.0)),),
    )


@cache
def hall() -> CellLayout:
    """The hall's cells: its passable tiles without the crate's, positions in their middle."""
    return CellLayout.from_navmesh(NavMesh.from_level(hall_level(), Body(radius=0.0)))
