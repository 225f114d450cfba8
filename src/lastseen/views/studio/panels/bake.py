"""The panel Bake: bake the open level for another body or cell size in the background, to look at."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import msgspec
import numpy as np
import shapely

from ....cells.from_level import layout_of_level
from ....cells.layout import CellLayout
from ....conventions import Array
from ....errors import InputError
from ....level.level import Floors, Level, Tiles
from ....level.samples import SAMPLES
from ....navmesh.body import Body
from ....navmesh.navmesh import NavMesh
from ...figures.drawing.storeys import Storeys, face_heights
from ..protocol.greeting import Cells
from ..protocol.greeting_builder import cells_part, faces_part
from ..protocol.level_outline import face_storeys_shown, storeys_shown
from ..protocol.messages import Message, Number
from ..protocol.news import MeshFaces, Sent
from ..session.game import Game

MOST_CELLS = 250_000
"""Maximum number of cells baked for a page; the command line has no such limit."""
MOST_DRAWN = 60_000
"""Maximum number of cells, and of corners of faces, that are sent to be drawn."""
Tell = Callable[[str, float], None]


class Bake(Message, frozen=True, tag="bake"):
    """Bake the open level for a body; what is None is as in the game. `number` comes back with the answer."""

    number: Number = 0
    cell: Annotated[float, msgspec.Meta(ge=0.05, le=100.0)] | None = None
    radius: Annotated[float, msgspec.Meta(ge=0.0, le=10.0)] | None = None
    climb: Annotated[float, msgspec.Meta(ge=0.0, le=5.0)] | None = None
    slope: Annotated[float, msgspec.Meta(ge=0.0, le=90.0)] | None = None


class Baked(Sent, frozen=True, tag="baked", kw_only=True):
    """A level baked for a page, and the command that bakes the same.

    Attributes
    ----------
    cell, radius, climb, slope : what it was baked with: metres, degrees.
    cells, faces, links, islands, area, seconds : numbers of the result; m²; seconds it took.
    mesh, squares : faces and cells to draw; None: too many.
    """

    number: int
    cell: float
    radius: float
    climb: float
    slope: float
    cells: int
    faces: int
    links: int
    islands: int
    area: float
    seconds: float
    command: str
    mesh: MeshFaces | None
    squares: Cells | None


def bake_answer(game: Game, asked: Bake) -> Callable[[Tell], Baked]:
    """Return a function that bakes the level of a game; it may run while the game continues.

    Raise InputError, as the function does, if the result would be too large.
    """
    level, own = game.stage.setting.level, game.stage.layout
    given, storeys = own.mesh.body, storeys_shown(level, own.mesh)
    body = Body(
        radius=given.radius if asked.radius is None else asked.radius,
        height=given.height,
        climb=given.climb if asked.climb is None else asked.climb,
        slope=given.slope if asked.slope is None else math.radians(asked.slope),
    )
    edge, _, tall = own.arrays.size_xyz.tolist()
    cell = edge if asked.cell is None else asked.cell

    def stage(_: str, function: Callable[..., Any], *given: Any, **more: Any) -> Any:
        for mesh in given:
            if isinstance(mesh, NavMesh):
                _require_few(float(mesh.face_area.sum()) / cell**2, cell, _command(level, body, cell, tall))
        return function(*given, **more)

    def bake(tell: Tell) -> Baked:
        begun = perf_counter()
        tell("navmesh", 0.0)
        report = {"navmesh": 0.0, "cells": 0.5, "connectivity": 0.75}
        layout = layout_of_level(
            level,
            body,
            cell=cell,
            height=tall,
            progress=lambda text, done: tell(text, report.get(text, 0.0) + 0.25 * done),
            run=stage,
        )
        seconds = perf_counter() - begun
        shown = _storey(level, layout.mesh, own.mesh, storeys)
        return _reply(asked.number, layout, seconds, _command(level, body, cell, tall), shown)

    return bake


def _require_few(count: float, cell: float, command: str) -> None:
    """Raise for more cells than are baked for a page."""
    if count > MOST_CELLS:
        raise InputError(
            f"about {count:,.0f} cells of {cell:g} m; at most {MOST_CELLS:,} are baked here. Choose larger cells, "
            f"or run: {command}"
        )


def _storey(level: Level, mesh: NavMesh, own: NavMesh, storeys: Storeys) -> Array:
    """Return the storey of each face among those the page shows: a mesh baked otherwise may have others."""
    if isinstance(level.surface, Tiles | Floors):
        return mesh.face_storey
    middles = np.array([mesh.face_xyz(face).mean(axis=0) for face in range(mesh.face_count)]).reshape(-1, 3)
    found = np.array([storeys.at(z) for z in middles[:, 2].tolist()], np.int64)
    plans = [shapely.Polygon(own.face_xyz(face)[:, :2]) for face in range(own.face_count)]
    one, other = shapely.STRtree(plans).query(shapely.points(middles[:, :2]), predicate="intersects")
    nearest = np.lexsort((-np.abs(face_heights(own)[other] - middles[one, 2]), one))
    # Of several above one another the last, nearest one stays.
    found[one[nearest]] = face_storeys_shown(level, own)[other[nearest]]
    return found


def _reply(number: int, layout: CellLayout, seconds: float, command: str, storey: Array) -> Baked:
    mesh, edge = layout.mesh, float(layout.arrays.size_xyz[0])
    return Baked(
        number=number,
        cell=edge,
        radius=mesh.body.radius,
        climb=mesh.body.climb,
        slope=round(math.degrees(mesh.body.slope), 6),
        cells=len(layout),
        faces=mesh.face_count,
        links=len(layout.arrays.link_cell) // 2,
        islands=len(np.unique(mesh.face_component)),
        area=round(float(mesh.face_area.sum()), 3),
        seconds=round(seconds, 4),
        command=command,
        mesh=faces_part(mesh, storey) if len(mesh.arrays.face_vertex) <= MOST_DRAWN else None,
        squares=cells_part(layout, storey[layout.cell_face]) if len(layout) <= MOST_DRAWN else None,
    )


def _command(level: Level, body: Body, cell: float, tall: float) -> str:
    """Return the command line that bakes the same."""
    place = Path(level.source or level.name)
    if not place.exists() and place.stem in SAMPLES:
        name = place.stem
    else:
        name = str(place.relative_to(Path.cwd())) if place.is_relative_to(Path.cwd()) else str(place)
    sizes = {"cell": cell, "radius": body.radius, "climb": body.climb, "slope": round(math.degrees(body.slope), 6)}
    usual = {"height": (tall, 2.0), "body": (body.height, Body().height)}
    sizes |= {option: value for option, (value, default) in usual.items() if value != default}
    options = [f"--{option} {value:g}" for option, value in sizes.items()]
    return " ".join(["lastseen bake", shlex.quote(name), "-o", shlex.quote(f"{place.stem}.cells"), *options])
