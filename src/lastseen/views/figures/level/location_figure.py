"""A picture of a location query: scores as heat, dropped candidates hatched, flags on the places picked."""

from __future__ import annotations

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
from ..drawing.level_map import LevelMap
from ..drawing.overlay import draw_features, key_entries, key_of, labelled
from ..drawing.page import KeyEntry, png_bytes
from ..drawing.palette import CELL_LINE_ON_HEAT, HATCH, WALKABLE
from ..drawing.surface import edges_between
from ..drawing.symbols import draw_source, draw_spawn
from ..moment.flood_signs import draw_flag

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
    layout = scene.layout
    level = None if scene.level is None else replace(scene.level, spawns=(), patrols=(), paths=())
    chart = LevelMap(level, layout.mesh, scale=scale, storey=storey)
    panels = [
        labelled(
            _draw_storey(chart, scene, number), chart.level, chart.storeys, number, chart.title(number), labels=None
        )
        for number in chart.numbers
    ]
    name = title or layout.mesh.name or "places"
    sheet = chart.sheet(
        panels,
        title=name,
        subtitle=_subtitle(scene.choice),
        legend=_legend(scene.choice),
        key=[*_key(scene), *(() if chart.level is None else key_of(chart.level))],
    )
    return png_bytes(sheet, f"places in {name}")


def _draw_storey(chart: LevelMap, scene: LocationScene, storey: int) -> Canvas:
    layout = scene.layout
    canvas, faces = chart.canvas(storey)
    cells = cell_numbers(canvas, layout, faces)
    _draw_scores(canvas, scene.choice, cells, len(layout))
    if float(layout.arrays.size_xyz[0]) * canvas.view.scale >= _SMALLEST_CELL_DRAWN:
        canvas.blend(canvas.grown(edges_between(cells), 0.34) & (faces >= 0), CELL_LINE_ON_HEAT, 0.45)
    if chart.level is not None:
        draw_features(canvas, chart.level, chart.storeys, storey, (), tint=False)
    for place, kind in ((scene.asker, "guard"), *((place, "other") for place in scene.places.values())):
        if place is not None:
            _draw_agents(canvas, place, kind, chart, storey)
    # The first place picked is drawn last, on top of the others.
    for xyz in scene.choice.xyz[::-1]:
        if chart.here(xyz, storey):
            draw_flag(canvas, xyz)
    return canvas


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


def _draw_agents(canvas: Canvas, place: Place, kind: str, chart: LevelMap, storey: int) -> None:
    """Draw points with a heading as agents, others as rings."""
    facing = np.full(len(place.xyz), np.nan) if place.heading is None else place.heading
    for xyz, heading in zip(place.xyz, facing.tolist()):
        if not chart.here(xyz, storey):
            continue
        if np.isnan(heading) and kind != "guard":
            draw_source(canvas, xyz)
        else:
            x, y, z = xyz.tolist()
            draw_spawn(canvas, Spawn((x, y, z), who=kind, heading=0.0 if np.isnan(heading) else heading))


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
    choice, origin = scene.choice, (0.0, 0.0, 0.0)
    faces = {
        name: place.heading is not None and not np.isnan(place.heading).all() for name, place in scene.places.items()
    }
    agents = ", ".join(name for name, facing in faces.items() if facing)
    rings = ", ".join(name for name, facing in faces.items() if not facing)
    return key_entries(
        (len(choice.cells) > 0, "picked", lambda canvas: draw_flag(canvas, np.array([0.0, -0.4, 0.0]))),
        (scene.asker is not None, "asker", lambda canvas: draw_spawn(canvas, Spawn(origin))),
        (bool(agents), agents, lambda canvas: draw_spawn(canvas, Spawn(origin, who="other"))),
        (bool(rings), rings, lambda canvas: draw_source(canvas, np.zeros(3))),
        (len(choice.dropped) > 0, "dropped", _draw_dropped),
    )


def _draw_dropped(canvas: Canvas) -> None:
    box = np.array([[-0.8, -0.45], [0.8, -0.45], [0.8, 0.45], [-0.8, 0.45]])
    canvas.polygon(box, WALKABLE)
    canvas.blend(canvas.mask([box]) & canvas.hatch(6.0, 1.0), HATCH)
