"""A picture of placed guards: circles of the packing, links between them, routes, views, the intended path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from PIL import ImageDraw

from ....conventions import Floats
from ....level.features import Spawn
from ....level.level import Level
from ....level.sight.query import visible_area
from ....level.sight.sight import Sight
from ....reasoning.placement.guard_routes import GuardRoute, Placement
from ....reasoning.placement.place.sight_graph import SightGraph
from ..drawing.canvas import Canvas
from ..drawing.level_map import LevelMap
from ..drawing.overlay import draw_features, key_entry, key_of
from ..drawing.page import KeyEntry, Panel, png_bytes
from ..drawing.palette import CELL_LINE, HEIGHT_LINE, INK, WALKABLE, Colour
from ..drawing.route_lines import stretches
from ..drawing.storeys import Storeys
from ..drawing.symbols import draw_path, draw_spawn, symbol_size
from ..drawing.text import LabelPlacer

_FLAT = 1e-6


def guard_view(sight: Sight, route: GuardRoute, pose: Floats) -> Floats:
    """Return the outline (n, 2) of what a guard sees in a pose x, y, z, heading; fewer than 3 points if nothing."""
    x, y, z, heading = pose.tolist()
    kind = route.kind
    outline = visible_area(sight, (x, y, z + kind.eye_height), heading, kind.view_angle, kind.view_distance)
    return without_spikes(outline)


def without_spikes(outline: Floats) -> Floats:
    """Return a ring without points at which it doubles back, which come from rays that graze a corner."""
    ring = np.asarray(outline, np.float64)
    while len(ring) > 2:
        before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
        size = np.hypot(*before.T) * np.hypot(*after.T)
        cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        spike = (np.abs(cross) <= _FLAT * size) & ((before * after).sum(axis=1) <= 0.0)
        if not spike.any():
            break
        # Remove one at a time: its neighbours may be fine once it is gone.
        ring = np.delete(ring, int(np.flatnonzero(spike)[0]), axis=0)
    return ring


GUARD_COLOURS: tuple[Colour, ...] = (
    (178, 58, 46),
    (44, 92, 178),
    (150, 98, 10),
    (112, 62, 152),
    (24, 122, 116),
    (166, 52, 116),
)
WEDGE = np.array([[-0.7, 0.0], [0.7, -0.42], [0.7, 0.42]])
"""Outline of a view in a key."""
_FIRST_ARROW, _ARROW_EVERY = 0.45, 110.0
"""Position of the arrow along a leg, and pixels of leg per arrow."""


def guard_colour(number: int) -> Colour:
    """Return the colour of a guard by its number."""
    return GUARD_COLOURS[number % len(GUARD_COLOURS)]


@dataclass(frozen=True, eq=False)
class PlacementScene:
    """Contents of a picture of guards; without a graph, circles and links are omitted."""

    level: Level
    placement: Placement
    paths: tuple[Floats, ...]
    sight: Sight
    graph: SightGraph | None = None


def draw_placement(
    scene: PlacementScene, *, scale: float | None = None, storey: int | None = None, title: str = ""
) -> bytes:
    """Return a PNG of guards at time 0, with storeys side by side.

    Parameters
    ----------
    scale : pixels per metre; None fits a large screen.
    storey : show only this storey.
    """
    players = tuple(spawn for spawn in scene.level.spawns if spawn.who != "guard")
    level = replace(scene.level, patrols=(), paths=(), spawns=players)
    chart = LevelMap(level, scale=scale, storey=storey)
    storeys, panels = chart.storeys, []
    for number in chart.numbers:
        canvas, _ = chart.canvas(number)
        _draw_graph(canvas, scene, storeys, number)
        draw_features(canvas, level, storeys, number, [])
        draw_guard_views(canvas, scene.placement.routes, scene.sight, storeys, number, opacity=0.22)
        for path in scene.paths:
            for stretch, ends in stretches(path, storeys, number):
                draw_path(canvas, stretch, ends=ends)
        for guard, route in enumerate(scene.placement.routes):
            draw_guard_route(canvas, route, guard_colour(guard), storeys, number)
        panels.append(_numbered(canvas, scene, storeys, number, chart.title(number)))
    name = title or level.name or "guards"
    sheet = chart.sheet(panels, title=name, subtitle=_subtitle(scene), key=[*_key(scene), *key_of(level)])
    return png_bytes(sheet, f"guards in {name}")


def _draw_graph(canvas: Canvas, scene: PlacementScene, storeys: Storeys, storey: int) -> None:
    if scene.graph is None:
        return
    middle = scene.graph.lines.reshape(-1, 2, 3)
    here = np.array([storeys.at(z) == storey for z in middle[:, :, 2].mean(axis=1).tolist()], bool)
    canvas.segments(middle[here][:, :, :2], CELL_LINE, 0.6)
    for centre, radius in zip(scene.graph.partition.centres, scene.graph.partition.radii.tolist()):
        if storeys.at(float(centre[2])) == storey:
            canvas.disc(centre, radius * canvas.view.scale, None, HEIGHT_LINE, 1.0)


def draw_guard_views(
    canvas: Canvas,
    routes: Sequence[GuardRoute],
    sight: Sight,
    storeys: Storeys,
    storey: int,
    *,
    seconds: float = 0.0,
    opacity: float = 0.3,
) -> None:
    """Tint what each guard of a storey sees at a given time."""
    for number, route in enumerate(routes):
        pose = route.pose_at(seconds)
        if storeys.at(float(pose[2])) == storey and len(outline := guard_view(sight, route, pose)) > 2:
            canvas.wash([outline], outline, guard_colour(number), opacity, 1.5)


def draw_guard_route(canvas: Canvas, route: GuardRoute, colour: Colour, storeys: Storeys, storey: int) -> None:
    """Draw a route with arrows, and the guard where it is at time 0."""
    if not route.stays:
        ring = np.concatenate([route.points, route.points[:1]])
        for width, shade in ((3.4, WALKABLE), (1.8, colour)):
            for stretch, _ in stretches(ring, storeys, storey):
                canvas.line(stretch, shade, width)
        _draw_arrows(canvas, ring, colour, storeys, storey)
    x, y, z, heading = route.pose_at(0.0).tolist()
    if storeys.at(z) == storey:
        draw_spawn(canvas, Spawn((x, y, z), heading=heading))
        canvas.disc(np.array([x, y]), 0.62 * symbol_size(canvas), colour)


def _draw_arrows(canvas: Canvas, ring: Floats, colour: Colour, storeys: Storeys, storey: int) -> None:
    """Draw arrows on legs that are long enough, a little before the middle, so that opposite legs show both."""
    head = 0.8 * symbol_size(canvas)
    for begin, end in pairwise(ring):
        length = float(np.hypot(*(end - begin)[:2])) * canvas.view.scale
        if length > 4.0 * head and storeys.at(float(begin[2])) == storey:
            for number in range(max(1, int(length / _ARROW_EVERY))):
                share = (number + _FIRST_ARROW) / max(1, int(length / _ARROW_EVERY))
                canvas.arrow(begin, end, colour, 0.0, head, share)


def _numbered(canvas: Canvas, scene: PlacementScene, storeys: Storeys, storey: int, title: str) -> Panel:
    """Return the panel with each guard's number next to it, so that colour is not the only difference."""
    image = canvas.finished()
    placer = LabelPlacer(ImageDraw.Draw(image), *image.size)
    reach = symbol_size(canvas)
    spots = []
    for number, route in enumerate(scene.placement.routes):
        pose = route.pose_at(0.0)
        if storeys.at(float(pose[2])) == storey:
            x, y = canvas.view.pixels(pose[None, :2])[0].tolist()
            spots.append((x, y, str(number + 1)))
            placer.keep_free(x, y, 1.2 * reach)
    for x, y, words in spots:
        placer.place(x, y, words, colour=INK, gap=1.6 * reach + 2)
    return Panel(image, title)


def _subtitle(scene: PlacementScene) -> str:
    count = len(scene.placement.routes)
    words = f"{count} guard{'s' if count > 1 else ''} · seed {scene.placement.seed}"
    if scene.graph is not None:
        words += f" · {scene.graph.partition.method}, {len(scene.graph.partition)} places"
    if scene.placement.coverage is not None:
        seen = scene.placement.coverage
        words += f" · floor seen {seen.ever:.0%}, at any moment {seen.mean:.0%}, path {seen.path:.1%}"
    return words


def _key(scene: PlacementScene) -> list[KeyEntry]:
    colour = GUARD_COLOURS[0]
    start, end = np.array([-0.8, 0.0, 0.0]), np.array([0.8, 0.0, 0.0])
    key = [
        key_entry("guard, its route and number", lambda c: _route_sign(c, start, end, colour)),
        key_entry("what it sees now", lambda c: c.wash([WEDGE], WEDGE, colour, 0.22, 1.5)),
        key_entry("intended path", lambda c: draw_path(c, np.stack([start, end]))),
    ]
    if scene.graph is not None:
        key.append(key_entry("place", lambda c: c.disc(np.zeros(2), 8.0, None, HEIGHT_LINE, 1.0)))
        key.append(key_entry("link", lambda c: c.line(np.stack([start, end]), CELL_LINE, 1.0)))
    return key


def _route_sign(canvas: Canvas, start: Floats, end: Floats, colour: Colour) -> None:
    canvas.line(np.stack([start, end]), colour, 1.8)
    canvas.arrow(start, end, colour, 0.0, 4.0, 0.9)
    canvas.disc(np.array([-0.3, 0.0]), 4.5, colour, WALKABLE)
