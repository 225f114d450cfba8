"""A picture of a location query: scores as heat, dropped candidates hatched, flags on the places picked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from PIL import Image

from ....cells.layout import CellLayout
from ....conventions import Floats
from ....level.features import Spawn
from ....level.level import Level
from ....reasoning.locations.choice import Choice
from ....reasoning.locations.query_places import Place
from ..drawing.canvas import Canvas
from ..drawing.cell_raster import cell_numbers
from ..drawing.heat import Heat, draw_legend, heat_colours
from ..drawing.overlay import draw_features, key_entry, key_of, labelled
from ..drawing.page import KeyEntry, compose, png_bytes
from ..drawing.palette import CELL_LINE_ON_HEAT, FLOOR, HATCH, WALKABLE
from ..drawing.storeys import Storeys, storeys_of_mesh
from ..drawing.surface import draw_ground, draw_mesh, draw_walls_round_mesh, edges_between, face_numbers, surface_bounds
from ..drawing.symbols import draw_source, draw_spawn
from ..drawing.viewport import choose_view
from ..moment.flood_signs import draw_flag
from .level_figure import chosen_storeys, rows_run_down

_SMALLEST_CELL_DRAWN = 3.0
_REASONS = {
    "picked": "picked",
    "fewer": "no more places fit",
    "no_candidates": "no cell is a candidate",
    "all_dropped": "limits drop every candidate",
    "no_score": "nothing scores above 0",
    "taken": "good places are too close to others",
}


@dataclass(frozen=True, eq=False)
class LocationScene:
    """Contents of a picture of a query.

    Attributes
    ----------
    layout, level : where it was run; without a level, walls are drawn along the edge of the walkable ground.
    choice : the result.
    asker : the agent the query was run for, or None.
    places : the points given by name.
    """

    layout: CellLayout
    choice: Choice
    asker: Place | None = None
    places: dict[str, Place] = field(default_factory=dict)
    level: Level | None = None


def draw_location(
    scene: LocationScene, *, scale: float | None = None, storey: int | None = None, title: str = ""
) -> bytes:
    """Return a PNG of a location query, with storeys side by side.

    Parameters
    ----------
    scale : pixels per metre; None fits a large screen.
    storey : show only this storey.
    """
    layout, level = scene.layout, scene.level
    storeys = storeys_of_mesh(layout.mesh, level.surface if level is not None else None)
    numbers = chosen_storeys(storeys, storey)
    bounds = layout.mesh.bounds_xyz[:, :2]
    if level is not None:
        drawn = surface_bounds(level)
        bounds = np.stack([np.minimum(bounds[0], drawn[0]), np.maximum(bounds[1], drawn[1])])
        level = replace(level, spawns=(), patrols=(), paths=())
    view, across = choose_view(bounds[0], bounds[1], panels=len(numbers), scale=scale, y_down=rows_run_down(level))
    panels = []
    for number in numbers:
        canvas = Canvas(view)
        _draw_storey(canvas, scene, level, storeys, number)
        words = storeys.title(number) if len(storeys) > 1 else ""
        panels.append(labelled(canvas, level, storeys, number, words, labels=None))
    name = title or layout.mesh.name or "places"
    sheet = compose(
        panels,
        across,
        view,
        title=name,
        subtitle=_subtitle(scene.choice),
        legend=_legend(scene.choice),
        key=[*_key(scene), *(() if level is None else key_of(level))],
    )
    return png_bytes(sheet, f"places in {name}")


def _draw_storey(canvas: Canvas, scene: LocationScene, level: Level | None, storeys: Storeys, storey: int) -> None:
    layout = scene.layout
    if level is None:
        draw_walls_round_mesh(canvas, layout.mesh, storey)
    else:
        draw_ground(canvas, level, storeys, storey, FLOOR)
    faces = face_numbers(canvas, layout.mesh, storey)
    draw_mesh(canvas, layout.mesh, faces)
    cells = cell_numbers(canvas, layout, faces)
    _draw_scores(canvas, scene.choice, cells, len(layout))
    if float(layout.arrays.size_xyz[0]) * canvas.view.scale >= _SMALLEST_CELL_DRAWN:
        canvas.blend(canvas.grown(edges_between(cells), 0.34) & (faces >= 0), CELL_LINE_ON_HEAT, 0.45)
    if level is not None:
        draw_features(canvas, level, storeys, storey, (), tint=False)
    for place, who in ((scene.asker, "guard"), *((place, "other") for place in scene.places.values())):
        if place is not None:
            _draw_people(canvas, place, who, storeys, storey)
    # The first place picked is drawn last, on top of the others.
    for xyz in scene.choice.xyz[::-1]:
        if storeys.at(float(xyz[2])) == storey:
            draw_flag(canvas, xyz)


def _draw_scores(canvas: Canvas, choice: Choice, cells: Floats, count: int) -> None:
    values = np.full(count + 1, np.nan)
    values[choice.candidates] = choice.candidate_scores
    dropped = np.zeros(count + 1, np.bool_)
    dropped[choice.dropped] = True
    if len(choice.candidates):
        colours = heat_colours(Heat(np.append(values, [0.0, _highest(choice)]), "score"))
        canvas.paint(colours[np.maximum(cells, 0)], np.isfinite(values[cells]) & (cells >= 0))
    canvas.blend(dropped[cells] & (cells >= 0) & canvas.hatch(6.0, 1.0), HATCH)


def _highest(choice: Choice) -> float:
    """Return the top of the scale: the best score, but never 0."""
    return max(float(choice.candidate_scores.max(initial=0.0)), 1e-6)


def _draw_people(canvas: Canvas, place: Place, who: str, storeys: Storeys, storey: int) -> None:
    """Draw points with a heading as agents, others as rings."""
    facing = np.full(len(place.xyz), np.nan) if place.heading is None else place.heading
    for xyz, heading in zip(place.xyz, facing.tolist()):
        if storeys.at(float(xyz[2])) != storey:
            continue
        if np.isnan(heading) and who != "guard":
            draw_source(canvas, xyz)
        else:
            x, y, z = xyz.tolist()
            draw_spawn(canvas, Spawn((x, y, z), who=who, heading=0.0 if np.isnan(heading) else heading))


def _subtitle(choice: Choice) -> str:
    about = f"{choice.query.about.rstrip('.')} · " if choice.query.about else ""
    return (
        f"{about}{_REASONS.get(choice.reason, choice.reason)} · {len(choice.candidates):,} candidates, "
        f"{len(choice.dropped):,} dropped"
    )


def _legend(choice: Choice) -> Image.Image | None:
    if not len(choice.candidates):
        return None
    return draw_legend(Heat(np.array([0.0, _highest(choice)]), "score"))


def _key(scene: LocationScene) -> list[KeyEntry]:
    key: list[KeyEntry] = []

    def add(present: bool, words: str, draw: Callable[[Canvas], None]) -> None:
        if present:
            key.append(key_entry(words, draw))

    origin = (0.0, 0.0, 0.0)
    low = np.array([0.0, -0.4, 0.0])
    add(len(scene.choice.cells) > 0, "picked", lambda canvas: draw_flag(canvas, low))
    add(scene.asker is not None, "asker", lambda canvas: draw_spawn(canvas, Spawn(origin)))
    faces = {
        name: place.heading is not None and not np.isnan(place.heading).all() for name, place in scene.places.items()
    }
    people = ", ".join(name for name, facing in faces.items() if facing)
    rings = ", ".join(name for name, facing in faces.items() if not facing)
    add(bool(people), people, lambda canvas: draw_spawn(canvas, Spawn(origin, who="other")))
    add(bool(rings), rings, lambda canvas: draw_source(canvas, np.zeros(3)))
    add(len(scene.choice.dropped) > 0, "dropped", _draw_dropped)
    return key


def _draw_dropped(canvas: Canvas) -> None:
    box = np.array([[-0.8, -0.45], [0.8, -0.45], [0.8, 0.45], [-0.8, 0.45]])
    canvas.polygon(box, WALKABLE)
    canvas.blend(canvas.mask([box]) & canvas.hatch(6.0, 1.0), HATCH)
