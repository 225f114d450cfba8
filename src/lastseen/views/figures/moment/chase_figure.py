"""A picture of a chase: heat, barrier, where the target was last seen, and the destination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from PIL import Image, ImageDraw

from ....cells.layout import CellLayout
from ....conventions import Array, Bools, Floats
from ....level.level import Level
from ....reasoning.chase.prediction import Flood, Prediction
from ..drawing.canvas import Canvas
from ..drawing.cell_raster import cell_numbers
from ..drawing.heat import Heat, heat_colours
from ..drawing.overlay import draw_features, key_of, labelled
from ..drawing.page import Panel, compose, png_bytes
from ..drawing.palette import CELL_LINE, FLOOR
from ..drawing.storeys import Storeys, storeys_of_mesh
from ..drawing.surface import draw_ground, draw_mesh, draw_walls_round_mesh, edges_between, face_numbers, surface_bounds
from ..drawing.text import font, text_width
from ..drawing.viewport import View, choose_view
from ..level.level_figure import chosen_storeys, rows_run_down
from .chase_key import chase_key, heat_legend, words_of
from .flood_signs import (
    draw_barred,
    draw_closed,
    draw_flag,
    draw_front,
    draw_ghost,
    draw_guard,
    draw_mean,
    draw_rival,
    draw_start,
    sign_spots,
)

_SMALLEST_CELL = 9.0
"""Pixels: if the whole level would show cells smaller than this, only the surroundings of the flood are shown."""

_SURROUNDINGS = 8.0


@dataclass(frozen=True, eq=False)
class ChaseScene:
    """Contents of a picture of a chase.

    Attributes
    ----------
    layout, level : where it happens; without a level, walls are drawn along the edge of the walkable ground.
    prediction : the guess; heat and barrier are drawn for a `Flood`.
    seen_at : (3,) metres, where the target was last seen.
    heading : (3,) direction in which it went; zeros if unknown.
    hot : heat of a cell when it is reached, the top of the scale.
    guard_at : (3,) metres, or None.
    guard_looks : (3,) viewing direction of the guard; None or zeros: all around, drawn without a nose.
    rivals : other guesses by name, for comparison; drawn as crosses.
    numbers : write the value of every cell into the cell.
    front : brighten the cells heated in the last step.
    flag : show the destination.
    """

    layout: CellLayout
    prediction: Prediction
    seen_at: Floats
    heading: Floats
    level: Level | None = None
    hot: int = 20
    guard_at: Floats | None = None
    guard_looks: Floats | None = None
    rivals: dict[str, Prediction] = field(default_factory=dict)
    numbers: bool = False
    front: bool = False
    flag: bool = True

    @property
    def flood(self) -> Flood | None:
        """The prediction, if it is a flood."""
        return self.prediction if isinstance(self.prediction, Flood) else None

    @property
    def shows_mean(self) -> bool:
        """Whether to draw the weighted mean: only if the destination differs because the mean is not in a warm cell."""
        flood = self.flood
        return flood is not None and self.flag and not flood.in_warm and not flood.moved


def draw_chase(scene: ChaseScene, *, scale: float | None = None, storey: int | None = None, title: str = "") -> bytes:
    """Return a PNG of a chase, with storeys side by side.

    Parameters
    ----------
    scale : pixels per metre; None fits a large screen, closer to the flood if the level is large.
    storey : show only this storey.
    """
    chart = ChaseMap(scene, scale=scale, storey=storey)
    name = title or scene.layout.mesh.name or "chase"
    return png_bytes(chart.sheet(scene, title=name), f"chase in {name}")


class ChaseMap:
    """The ground of a chase, drawn once; heat and signs are drawn on top for each moment."""

    def __init__(
        self, scene: ChaseScene, *, scale: float | None = None, storey: int | None = None, largest: int | None = None
    ):
        layout, level = scene.layout, scene.level
        self._storeys = storeys_of_mesh(layout.mesh, level.surface if level is not None else None)
        self._numbers = chosen_storeys(self._storeys, storey)
        self.view, self._across = _choose_view(scene, len(self._numbers), scale, largest)
        self._level = None if level is None else _quiet(level)
        self._grounds = [_Ground(self.view, scene, self._storeys, number) for number in self._numbers]

    def sheet(self, scene: ChaseScene, *, title: str, subtitle: str = "") -> Image.Image:
        """Return the whole picture at one moment."""
        return compose(
            self.panels(scene),
            self._across,
            self.view,
            title=title,
            subtitle=subtitle or words_of(scene.prediction),
            legend=None if scene.flood is None else heat_legend(scene.hot),
            key=[*chase_key(scene), *(() if self._level is None else key_of(self._level))],
        )

    def panels(self, scene: ChaseScene, title: str = "") -> list[Panel]:
        """Return the map of each storey at one moment."""
        panels = []
        for ground, storey in zip(self._grounds, self._numbers):
            canvas = ground.canvas.copy()
            if scene.flood is not None:
                _draw_flood(canvas, scene, scene.flood, ground)
            ground.draw_lines(canvas)
            if self._level is not None:
                draw_features(canvas, self._level, self._storeys, storey, (), tint=False)
            _draw_signs(canvas, scene, self._storeys, storey)
            words = self._storeys.title(storey) if len(self._storeys) > 1 else title
            signs = _sign_spots(canvas, scene, self._storeys, storey)
            panel = labelled(canvas, self._level, self._storeys, storey, words, labels=None, signs=signs)
            if scene.numbers and scene.flood is not None:
                _write_values(panel.image, canvas, scene.layout, scene.flood, ground)
            panels.append(panel)
        return panels


def _quiet(level: Level) -> Level:
    """Return a level without agents, routes and zones: a chase is about the place."""
    return replace(level, spawns=(), patrols=(), paths=(), zones=())


class _Ground:
    """One storey without a chase: its canvas, and the cell of each pixel."""

    def __init__(self, view: View, scene: ChaseScene, storeys: Storeys, storey: int):
        layout = scene.layout
        self.canvas = Canvas(view)
        if scene.level is None:
            draw_walls_round_mesh(self.canvas, layout.mesh, storey)
        else:
            draw_ground(self.canvas, scene.level, storeys, storey, FLOOR)
        faces = face_numbers(self.canvas, layout.mesh, storey)
        draw_mesh(self.canvas, layout.mesh, faces)
        self.cells = cell_numbers(self.canvas, layout, faces)
        self.shown = np.unique(self.cells[self.cells >= 0])
        large = float(layout.arrays.size_xyz[0]) * view.scale >= 3.0
        self._lines = self.canvas.grown(edges_between(self.cells), 0.34) & (faces >= 0) if large else None

    def draw_lines(self, canvas: Canvas) -> None:
        """Draw the lines between cells."""
        if self._lines is not None:
            canvas.blend(self._lines, CELL_LINE, 0.75)

    def mask(self, cells: Array, count: int) -> Bools:
        """Return the pixels of some cells."""
        chosen = np.zeros(count + 1, dtype=np.bool_)
        chosen[cells] = True
        mask: Bools = chosen[self.cells]
        return mask


def _choose_view(scene: ChaseScene, panels: int, scale: float | None, largest: int | None) -> tuple[View, int]:
    """Return the view and panels per row: the whole level if its cells are large enough, else the surroundings."""
    mesh = scene.layout.mesh
    bounds = mesh.bounds_xyz[:, :2]
    if scene.level is not None:
        drawn = surface_bounds(scene.level)
        bounds = np.stack([np.minimum(bounds[0], drawn[0]), np.maximum(bounds[1], drawn[1])])
    y_down = rows_run_down(scene.level)
    view, across = choose_view(bounds[0], bounds[1], panels=panels, scale=scale, y_down=y_down)
    if scale is None and view.scale * float(scene.layout.arrays.size_xyz[0]) < _SMALLEST_CELL:
        near = _places(scene)[:, :2]
        low, high = near.min(axis=0) - _SURROUNDINGS, near.max(axis=0) + _SURROUNDINGS
        low, high = np.maximum(low, bounds[0]), np.minimum(high, bounds[1])
        view, across = choose_view(low, high, panels=panels, scale=None, y_down=y_down)
    if largest is not None:
        shrink = min(1.0, largest / (view.size[0] * across), largest / (view.size[1] * -(-panels // across)))
        view = replace(view, scale=view.scale * shrink)
    return view, across


def _places(scene: ChaseScene) -> Floats:
    """Return everything that must be visible, (n, 3) metres."""
    places = [np.asarray(scene.seen_at)[None], scene.prediction.destination[None]]
    places += [rival.destination[None] for rival in scene.rivals.values()]
    if scene.guard_at is not None:
        places.append(np.asarray(scene.guard_at)[None])
    if scene.flood is not None:
        places.append(scene.layout.arrays.cell_xyz[scene.flood.warm].astype(np.float64))
    return np.concatenate(places)


def _draw_flood(canvas: Canvas, scene: ChaseScene, flood: Flood, ground: _Ground) -> None:
    count = len(scene.layout)
    values = np.full(count, np.nan)
    values[flood.warm] = flood.values
    heat = Heat(np.append(values, [0.0, scene.hot]), "heat", scale="flame")
    warm = ground.mask(flood.warm, count)
    canvas.paint(heat_colours(heat)[np.maximum(ground.cells, 0)], warm)
    if scene.front:
        draw_front(canvas, ground.mask(flood.warm[flood.heated_in == flood.steps], count))
    if len(flood.barrier):
        draw_barred(canvas, ground.mask(flood.barrier, count))
    if len(flood.closed):
        draw_closed(canvas, ground.mask(flood.closed, count))


def _draw_signs(canvas: Canvas, scene: ChaseScene, storeys: Storeys, storey: int) -> None:
    def here(xyz: Floats) -> bool:
        return storeys.at(float(xyz[2])) == storey

    if scene.guard_at is not None and here(scene.guard_at):
        draw_guard(canvas, np.asarray(scene.guard_at), scene.guard_looks)
    for rival in scene.rivals.values():
        if here(rival.destination):
            draw_rival(canvas, scene.seen_at, rival.destination)
    flood = scene.flood
    if flood is not None and scene.shows_mean and here(flood.mean) and here(flood.destination):
        draw_mean(canvas, flood.mean, flood.destination)
    if here(scene.seen_at):
        if scene.numbers:
            draw_start(canvas, scene.seen_at, scene.heading, border=flood is not None and flood.steps == 0)
        else:
            draw_ghost(canvas, scene.seen_at, scene.heading)
    if scene.flag and here(scene.prediction.destination):
        draw_flag(canvas, scene.prediction.destination)


def _sign_spots(canvas: Canvas, scene: ChaseScene, storeys: Storeys, storey: int) -> list[tuple[float, float, float]]:
    """Return the spots of signs on a storey that no name may cover: x, y and radius in pixels."""
    flag = scene.prediction.destination if scene.flag else None
    here = [
        place if place is not None and storeys.at(float(place[2])) == storey else None
        for place in (scene.guard_at, scene.seen_at, flag)
    ]
    return sign_spots(canvas, *here)


def _write_values(image: Image.Image, canvas: Canvas, layout: CellLayout, flood: Flood, ground: _Ground) -> None:
    """Write heat into warm cells and -1 into the barrier."""
    draw, size = ImageDraw.Draw(image), round(min(16.0, 0.42 * canvas.view.scale))
    cells: Sequence[int] = [*flood.warm.tolist(), *flood.barrier.tolist()]
    values = [*flood.values.tolist(), *([-1] * len(flood.barrier))]
    for cell, value in zip(cells, values):
        if cell in ground.shown:
            x, y = canvas.view.pixels(layout.arrays.cell_xyz[[cell]])[0].tolist()
            words = str(value)
            rim = (255, 255, 255) if value < 0 else None
            ink = (255, 255, 255) if value > 0.55 * flood.values.max() else (38, 42, 48)
            place = (x - text_width(words, size) / 2, y - 0.62 * size)
            draw.text(place, words, font=font(size), fill=ink, stroke_width=2 if rim else 0, stroke_fill=rim)
