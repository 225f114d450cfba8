"""Signs of things on a level: each has its own shape, so that colour is never the only difference."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ....conventions import Floats
from ....level.features import Door, HidingPlace, Marker, Obstacle, Spawn, Zone
from ....vocabulary.words import GOAL_MARKERS
from .canvas import Canvas
from .palette import (
    DOOR_CLOSED,
    DOOR_LOCKED,
    FLOOR,
    GOAL,
    GUARD,
    HATCH,
    HIDING,
    INK,
    PATH,
    PATROL,
    PLAYER,
    SOURCE,
    WALKABLE,
    WALL,
    ZONE,
)


def symbol_size(canvas: Canvas) -> float:
    """Return the radius of an agent's sign in finished pixels: life-size within limits."""
    return float(np.clip(0.3 * canvas.view.scale, 3.2, 8.0))


def draw_zones(canvas: Canvas, zones: Sequence[Zone], *, tint: bool = True) -> None:
    """Draw zones: a dashed line, and a faint tint unless it would distort the colours of a layer."""
    if tint:
        canvas.blend(canvas.mask([zone.outline_xy for zone in zones]), ZONE, 0.10)
    for zone in zones:
        canvas.dashes(np.concatenate([zone.outline_xy, zone.outline_xy[:1]]), ZONE, 1.3)


def draw_cover(canvas: Canvas, cover: Sequence[Obstacle]) -> None:
    """Draw cover, hatched."""
    for item in cover:
        canvas.polygon(item.outline_xy, FLOOR)
    canvas.blend(canvas.mask([item.outline_xy for item in cover]) & canvas.hatch(5.0, 1.4), HATCH)
    for item in cover:
        canvas.line(item.outline_xy, HATCH, 1.4, closed=True)


def draw_door(canvas: Canvas, door: Door) -> None:
    """Draw a door: an outline while open, brown while closed, dark brown with a cross when locked."""
    if not door.open:
        canvas.polygon(door.outline_xy, DOOR_LOCKED if door.locked else DOOR_CLOSED)
    canvas.line(door.outline_xy, WALL, 1.3, closed=True)
    if door.locked and len(door.outline_xy) == 4:
        canvas.line(door.outline_xy[[0, 2]], WALL, 1.1)
        canvas.line(door.outline_xy[[1, 3]], WALL, 1.1)


def draw_hiding_place(canvas: Canvas, place: HidingPlace) -> None:
    """Draw a hiding place: a small door with its handle."""
    reach = symbol_size(canvas)
    wide, tall = 0.72 * reach, 1.15 * reach
    here = np.array(place.xyz)
    canvas.marks([(-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall)], here, HIDING, WALKABLE)
    knob = max(0.9, 0.16 * reach)
    canvas.marks(
        [(0.25 * reach + dx * knob, dy * knob) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))], here, WALKABLE
    )


def draw_patrol(canvas: Canvas, legs: Sequence[Floats], waits_xyz: Sequence[Floats]) -> None:
    """Draw the legs of a patrol as lines with an arrow in the middle, and rings where it waits."""
    reach = 0.75 * symbol_size(canvas)
    for colour, width in ((WALKABLE, 3.2), (PATROL, 1.4)):
        for leg in legs:
            canvas.line(leg, colour, width)
    for leg in legs:
        pixels = canvas.view.pixels(leg)
        length = np.hypot(*np.diff(pixels, axis=0).T)
        if length.sum() > 2.5 * reach:
            # The arrow sits on the step that contains the middle of the leg.
            step = int(np.searchsorted(np.cumsum(length), 0.5 * length.sum()))
            canvas.arrow(leg[step], leg[step + 1], PATROL, 0.0, reach, 0.58)
    for wait in waits_xyz:
        canvas.disc(wait, 0.62 * symbol_size(canvas), WALKABLE, PATROL, 1.3)


def draw_spawn(canvas: Canvas, spawn: Spawn) -> None:
    """Draw a spawn: a disc with a nose; guards grey and filled, others coloured with a light centre."""
    reach = symbol_size(canvas)
    guard = spawn.who == "guard"
    here, colour = np.array(spawn.xyz), GUARD if guard else PLAYER
    turn = spawn.heading if canvas.view.y_down else -spawn.heading
    nose = [(2.1, 0.0), (0.5, 0.85), (0.5, -0.85)]
    canvas.marks([_turned(x * reach, y * reach, turn) for x, y in nose], here, colour)
    canvas.disc(here, reach + 0.8, colour, WALKABLE, 0.9)
    if not guard:
        canvas.disc(here, 0.42 * reach, WALKABLE)


def draw_marker(canvas: Canvas, marker: Marker) -> None:
    """Draw a point with a meaning: a diamond, filled for goals and exits."""
    reach = 1.15 * symbol_size(canvas)
    fill = GOAL if marker.kind in GOAL_MARKERS else WALKABLE
    canvas.marks(
        [(0, -reach), (reach, 0), (0, reach), (-reach, 0)],
        np.array(marker.xyz),
        fill,
        GOAL if fill == WALKABLE else WALKABLE,
    )


def draw_path(canvas: Canvas, points_xyz: Floats, *, ends: bool = True) -> None:
    """Draw an intended path: dashed, with an arrow where it `ends`."""
    canvas.line(points_xyz, WALKABLE, 3.4)
    canvas.dashes(points_xyz, PATH, 1.8, dash=8.0, gap=4.0)
    if ends and len(points_xyz) > 1:
        canvas.arrow(points_xyz[-2], points_xyz[-1], PATH, 0.0, 0.85 * symbol_size(canvas))


def draw_source(canvas: Canvas, xyz: Floats) -> None:
    """Draw a point a layer spreads from: a ring with a dot."""
    reach = 1.1 * symbol_size(canvas)
    canvas.disc(xyz, reach + 1.2, None, WALKABLE, 3.4)
    canvas.disc(xyz, reach, None, SOURCE, 2.0)
    canvas.disc(xyz, 0.3 * reach, INK)


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    cosine, sine = math.cos(angle), math.sin(angle)
    return x * cosine - y * sine, x * sine + y * cosine
