"""Everything placed on one storey of a level, its labels, and the key of the signs used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from PIL import ImageDraw

from ....level.features import Door, HidingPlace, Marker, Obstacle, Spawn, Trap, Zone
from ....level.level import Level
from ....vocabulary.words import GOAL_MARKERS
from .canvas import Canvas
from .page import KeyEntry, Panel
from .palette import PAGE, QUIET_INK, WALL, ZONE
from .route_lines import Route, stretches
from .storeys import Storeys
from .surface import draw_ways_up
from .symbols import (
    draw_cover,
    draw_door,
    draw_hiding_place,
    draw_marker,
    draw_path,
    draw_patrol,
    draw_platform,
    draw_spawn,
    draw_trap,
    draw_zones,
    symbol_size,
)
from .text import LabelPlacer
from .viewport import Viewport

_PLAIN = re.compile(r"(cover|door|exit|goal|guard|hiding place|obstacle|player|spawn|zone)[ _-]?\d*")

_ROOMY = 14.0


def draw_features(
    canvas: Canvas, level: Level, storeys: Storeys, storey: int, routes: Sequence[Route], *, tint: bool = True
) -> None:
    """Draw everything on one storey and the routes across it, areas first, agents last; `tint` colours zones."""
    draw_ways_up(canvas, level, storey)
    for piece in level.platforms:
        if piece.storey == storey:
            draw_platform(canvas, piece, piece.present)
    zones = [zone for zone in level.zones if storey in storeys.through(zone.z, zone.height)]
    if zones:
        draw_zones(canvas, zones, tint=tint)
    cover = [item for item in level.cover if storey in storeys.through(item.z, item.height)]
    if cover:
        draw_cover(canvas, cover)
    for door in level.doors:
        if storey in storeys.through(door.z, door.height):
            draw_door(canvas, door)
    for path in level.paths:
        for stretch, ends in stretches(path.points_xyz, storeys, storey):
            draw_path(canvas, stretch, ends=ends)
    for route in routes:
        legs = [stretch for leg in route.legs for stretch, _ in stretches(leg, storeys, storey)]
        draw_patrol(canvas, legs, [wait for wait in route.waits if storeys.at(float(wait[2])) == storey])
    for place in level.hiding_places:
        if storeys.at(place.xyz[2]) == storey:
            draw_hiding_place(canvas, place)
    for trap in level.traps:
        if storeys.at(trap.xyz[2]) == storey:
            draw_trap(canvas, trap)
    for marker in level.markers:
        if storeys.at(marker.xyz[2]) == storey:
            draw_marker(canvas, marker)
    for spawn in level.spawns:
        if storeys.at(spawn.xyz[2]) == storey:
            draw_spawn(canvas, spawn)


def labelled(
    canvas: Canvas,
    level: Level | None,
    storeys: Storeys,
    storey: int,
    title: str,
    *,
    labels: bool | None,
    signs: Sequence[tuple[float, float, float]] = (),
) -> Panel:
    """Return the finished panel with names next to things if `labels`, or (None) if there is room.

    `signs` gives x, y and radius, in pixels, of areas no name may cover.
    """
    image = canvas.finished()
    if labels is None:
        labels = canvas.view.scale >= _ROOMY
    if level is not None and labels:
        pixels = np.asarray(image)
        walls = (pixels == WALL).all(axis=2) | (pixels == PAGE).all(axis=2)  # or outside the level
        placer = LabelPlacer(ImageDraw.Draw(image), *image.size, walls=walls)
        for x, y, radius in signs:
            placer.keep_free(x, y, radius)
        place_names(placer, canvas, level, storeys, storey)
    return Panel(image, title)


def place_names(placer: LabelPlacer, canvas: Canvas, level: Level, storeys: Storeys, storey: int) -> None:
    """Write the names of things on one storey next to them, if they say more than the sign."""
    reach = symbol_size(canvas)
    points = [spot for spot in _named_points(level) if _tells(spot[1]) and storeys.at(spot[0][2]) == storey]
    spots = [(*canvas.view.pixels(np.array([xyz]))[0].tolist(), words) for xyz, words in points]
    for x, y, _ in spots:
        placer.keep_free(x, y, 1.2 * reach)
    for x, y, words in spots:
        placer.place(x, y, words, gap=2.1 * reach + 2)
    for area in (*level.zones, *level.doors):
        if _tells(area.name) and storey in storeys.through(area.z, area.height):
            x, y = canvas.view.pixels(area.outline_xy).mean(axis=0).tolist()
            zone = isinstance(area, Zone)
            placer.place(x, y, area.name, colour=ZONE if zone else QUIET_INK, gap=0.0 if zone else reach + 4)


def _tells(name: str) -> bool:
    """Return whether a name says more than the sign itself: "door 3" does not."""
    return bool(name) and not _PLAIN.fullmatch(name)


def _named_points(level: Level) -> Iterator[tuple[tuple[float, float, float], str]]:
    for spawn in level.spawns:
        yield spawn.xyz, spawn.name or spawn.who
    for place in level.hiding_places:
        yield place.xyz, place.name
    for trap in level.traps:
        yield trap.xyz, trap.name
    for marker in level.markers:
        yield marker.xyz, marker.name or marker.kind


def key_entry(words: str, draw: Callable[[Canvas], None]) -> KeyEntry:
    """Return one sign of the key, drawn around the origin of a canvas of 1.8 m by 1 m."""
    canvas = Canvas(Viewport((-0.9, -0.5), (0.9, 0.5), 20.0))
    draw(canvas)
    return KeyEntry(canvas.finished(), words)


def key_entries(*entries: tuple[bool, str, Callable[[Canvas], None]]) -> list[KeyEntry]:
    """Return the key of those signs that are present; each entry is whether it is, its meaning and its drawing."""
    return [key_entry(words, draw) for is_present, words, draw in entries if is_present]


def key_of(level: Level) -> list[KeyEntry]:
    """Return the key of the signs this level uses."""
    square = np.array([[-0.7, -0.22], [0.7, -0.22], [0.7, 0.22], [-0.7, 0.22]])
    big = np.array([[-0.7, -0.5], [0.7, -0.5], [0.7, 0.5], [-0.7, 0.5]])
    start, end = np.array([-0.8, 0.0, 0.0]), np.array([0.8, 0.0, 0.0])
    origin, doors = (0.0, 0.0, 0.0), level.doors
    others = sorted({spawn.who for spawn in level.spawns if spawn.who != "guard"})
    goals = sorted({marker.kind for marker in level.markers if marker.kind in GOAL_MARKERS})
    rest = sorted({marker.kind for marker in level.markers} - set(goals))
    waits = any(stop.action == "wait" for patrol in level.patrols for stop in patrol.stops)
    return key_entries(
        (any(spawn.who == "guard" for spawn in level.spawns), "guard", lambda c: draw_spawn(c, Spawn(origin))),
        (
            bool(others),
            others[0] if len(others) == 1 else "player or other",
            lambda c: draw_spawn(c, Spawn(origin, who="other")),
        ),
        (bool(level.patrols), "patrol", lambda c: draw_patrol(c, [np.stack([start, end])], [])),
        (waits, "waits", lambda c: draw_patrol(c, [], [np.zeros(3)])),
        (bool(level.paths), "intended path", lambda c: draw_path(c, np.stack([start, end]))),
        (any(door.open for door in doors), "open door", lambda c: draw_door(c, Door(square))),
        (
            any(not door.open and not door.locked for door in doors),
            "closed door",
            lambda c: draw_door(c, Door(square, open=False)),
        ),
        (
            any(door.locked for door in doors),
            "locked door",
            lambda c: draw_door(c, Door(square, open=False, locked=True)),
        ),
        (bool(level.cover), "cover", lambda c: draw_cover(c, [Obstacle(big)])),
        (bool(level.hiding_places), "hiding place", lambda c: draw_hiding_place(c, HidingPlace(origin))),
        (bool(level.traps), "trap", lambda c: draw_trap(c, Trap(origin, radius=0.45))),
        (bool(level.zones), "zone", lambda c: draw_zones(c, [Zone(big)])),
        *((True, kind, partial(draw_marker, marker=Marker(origin, kind))) for kind in goals),
        (bool(rest), ", ".join(rest[:3]), lambda c: draw_marker(c, Marker(origin, "mark"))),
    )
