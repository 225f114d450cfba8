"""Pictures of a chase: heat, barrier, where the target was last seen, the destination; still or step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from PIL import Image, ImageDraw

from ....cells.layout import CellLayout
from ....conventions import Array, Bools, Floats
from ....level.level import Level
from ....reasoning.chase.prediction import Flood, Prediction
from ..drawing.canvas import Canvas
from ..drawing.cell_raster import cell_numbers
from ..drawing.gif import gif_bytes, shared_palette
from ..drawing.heat import Heat, draw_legend, heat_colours
from ..drawing.level_map import LevelMap
from ..drawing.overlay import draw_features, key_of, labelled
from ..drawing.page import KeyEntry, Panel, fit, png_bytes
from ..drawing.palette import CELL_LINE, scale_colours
from ..drawing.storeys import Storeys
from ..drawing.surface import edges_between
from ..drawing.text import font, text_width
from ..drawing.viewport import Viewport
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
        # Agents, routes and zones are left out: a chase is about the place.
        level = None if scene.level is None else replace(scene.level, spawns=(), patrols=(), paths=(), zones=())
        mesh = scene.layout.mesh
        chart, within = LevelMap(level, mesh, scale=scale, storey=storey), None
        if scale is None and chart.view.scale * float(scene.layout.arrays.size_xyz[0]) < _SMALLEST_CELL:
            near, (least, most) = _places(scene)[:, :2], chart.bounds
            low, high = near.min(axis=0) - _SURROUNDINGS, near.max(axis=0) + _SURROUNDINGS
            within = np.stack([np.maximum(low, least), np.minimum(high, most)])
        if within is not None or largest is not None:
            chart = LevelMap(level, mesh, scale=scale, storey=storey, largest=largest, within=within)
        self._map, self.view = chart, chart.view
        self._grounds = [_Ground(chart, scene, number) for number in chart.numbers]

    def sheet(self, scene: ChaseScene, *, title: str, subtitle: str = "") -> Image.Image:
        """Return the whole picture at one moment."""
        level = self._map.level
        return self._map.sheet(
            self.panels(scene),
            title=title,
            subtitle=subtitle or prediction_caption(scene.prediction),
            legend=None if scene.flood is None else heat_legend(scene.hot),
            key=[*chase_key(scene), *(() if level is None else key_of(level))],
        )

    def panels(self, scene: ChaseScene, title: str = "") -> list[Panel]:
        """Return the map of each storey at one moment."""
        panels, level, storeys = [], self._map.level, self._map.storeys
        for ground, storey in zip(self._grounds, self._map.numbers):
            canvas = ground.canvas.copy()
            if scene.flood is not None:
                _draw_flood(canvas, scene, scene.flood, ground)
            ground.draw_lines(canvas)
            if level is not None:
                draw_features(canvas, level, storeys, storey, (), tint=False)
            _draw_signs(canvas, scene, storeys, storey)
            words = self._map.title(storey) or title
            signs = _sign_spots(canvas, scene, storeys, storey)
            panel = labelled(canvas, level, storeys, storey, words, labels=None, signs=signs)
            if scene.numbers and scene.flood is not None:
                _write_values(panel.image, canvas, scene.layout, scene.flood, ground)
            panels.append(panel)
        return panels


class _Ground:
    """One storey without a chase: its canvas, and the cell of each pixel."""

    def __init__(self, chart: LevelMap, scene: ChaseScene, storey: int):
        layout = scene.layout
        self.canvas, faces = chart.canvas(storey)
        self.cells = cell_numbers(self.canvas, layout, faces)
        self.shown = np.unique(self.cells[self.cells >= 0])
        large = float(layout.arrays.size_xyz[0]) * chart.view.scale >= 3.0
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
    heat = Heat(np.append(values, [0.0, scene.hot]), "heat", scale="flood")
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


_STOPPED = {
    "running": "still running",
    "no_cells": "stopped: no cells left to heat",
    "too_many": "stopped: too wide to guess further",
    "max_steps": "stopped: step limit reached",
}


def prediction_caption(prediction: Prediction) -> str:
    """Return a one-line summary of a guess."""
    x, y, z = prediction.destination.tolist()
    place = f"run to ({x:.1f}, {y:.1f}, {z:.1f})"
    if not isinstance(prediction, Flood):
        return f"{place} · {prediction.reason.replace('_', ' ')}"
    steps = f"{prediction.steps} step{'' if prediction.steps == 1 else 's'}"
    return f"{steps} · {len(prediction.warm)} warm cells · {_STOPPED[prediction.reason]} · {place}"


def heat_legend(hot: int) -> Image.Image:
    """Return the legend for the heat of a flood."""
    return draw_legend(Heat(np.array([0.0, float(hot)]), "heat", "steps until cold", scale="flood"))


def chase_key(scene: ChaseScene) -> list[KeyEntry]:
    """Return the key of the signs a scene uses."""
    flood = scene.flood
    key: list[KeyEntry] = []

    def add(present: bool, words: str, draw: Callable[[Canvas], None]) -> None:
        if present:
            # Small enough for each sign at its smallest to fit a line of text.
            canvas = Canvas(Viewport((-1.5, -0.85), (1.5, 0.85), 12.0))
            draw(canvas)
            key.append(KeyEntry(canvas.finished(), words))

    middle = np.array([0.0, 0.0, 0.0])
    box = np.array([[-1.2, -0.7], [1.2, -0.7], [1.2, 0.7], [-1.2, 0.7]])
    has_heading = bool(np.asarray(scene.heading).any())
    ghost = "last seen, and its heading" if has_heading else "last seen"
    heading = np.array([1.0, 0.0, 0.0]) * has_heading
    sign = draw_start if scene.numbers else draw_ghost
    add(True, ghost, lambda canvas: sign(canvas, np.array([-0.9, 0.0, 0.0]), heading))
    add(scene.flag, "run to", lambda canvas: draw_flag(canvas, np.array([-0.3, -0.55, 0.0])))
    looks = scene.guard_looks is not None and bool(np.asarray(scene.guard_looks).any())
    guard = "guard, and where it looked" if looks else "guard"
    nose = np.array([1.0, 0.0, 0.0]) * looks
    add(scene.guard_at is not None, guard, lambda canvas: draw_guard(canvas, np.array([-0.4, 0.0, 0.0]), nose))
    for name in scene.rivals:
        add(True, name, lambda canvas: draw_rival(canvas, np.array([-1.5, 0.0, 0.0]), np.array([0.8, 0.0, 0.0])))
    if flood is None:
        return key
    add(scene.shows_mean, "mean of the heat", lambda canvas: draw_mean(canvas, middle, np.array([1.2, 0.0, 0.0])))
    add(scene.front, "heated in this step", lambda canvas: _front(canvas, box))
    add(bool(len(flood.barrier)), "barrier: no turning back", lambda canvas: draw_barred(canvas, canvas.mask([box])))
    closed = "closed: the guard would get there first, or saw it empty"
    add(bool(len(flood.closed)), closed, lambda canvas: draw_closed(canvas, canvas.mask([box])))
    return key


def _front(canvas: Canvas, box: np.ndarray) -> None:
    mask = canvas.mask([box])
    canvas.blend(mask, tuple(scale_colours("flood")[-1].tolist()))
    draw_front(canvas, mask)


MOST_FRAMES = 122
"""Most frames; longer floods skip steps evenly."""

_LARGEST = 900
_SEED_MS, _STEP_MS, _END_MS = 900, 140, 3000


def shown_steps(steps: int) -> list[int]:
    """Return the steps of a flood to show: all from 0 (the seed) on, or evenly spaced ones if there are too many."""
    stride = -(-(steps + 1) // (MOST_FRAMES - 1))
    shown = list(range(0, steps + 1, stride))
    return shown if shown[-1] == steps else [*shown, steps]


def draw_chase_gif(scene: ChaseScene, floods: Sequence[Flood], *, storey: int | None = None, title: str = "") -> bytes:
    """Return an animated GIF of limited size; the bytes are deterministic.

    Parameters
    ----------
    scene : the end of the flood.
    floods : states of the flood, from the seed to the end; one frame each, and one more with the destination.
    """
    name = title or scene.layout.mesh.name or "chase"
    chart = ChaseMap(scene, storey=storey, largest=_LARGEST)
    moments = [replace(scene, prediction=flood, front=True, flag=False) for flood in floods]
    sheets = [chart.sheet(one, title=name, subtitle=_step_caption(flood)) for one, flood in zip(moments, floods)]
    sheets.append(chart.sheet(replace(scene, front=False), title=name, subtitle=prediction_caption(scene.prediction)))
    size = max(sheet.width for sheet in sheets), max(sheet.height for sheet in sheets)
    palette = shared_palette([sheets[number] for number in (0, len(sheets) // 2, -2, -1)], scale_colours("flood", 64))
    durations = [_SEED_MS, *([_STEP_MS] * (len(sheets) - 2)), _END_MS]
    return gif_bytes((fit(sheet, size) for sheet in sheets), palette, durations)


def _step_caption(flood: Flood) -> str:
    if flood.steps == 0:
        return "seed: the cell where the target was last seen is hot" + (
            ", those behind it are barred" if len(flood.barrier) else ""
        )
    now = int(flood.heated[-1])
    return f"step {flood.steps} · {now} cell{'' if now == 1 else 's'} heated"
