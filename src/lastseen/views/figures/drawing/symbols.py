"""Signs of things on a level: each has its own shape, so that colour is never the only difference."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ....conventions import Floats
from ....level.features import Door, HidingPlace, Marker, Obstacle, Spawn, Trap, Zone
from ....level.level import Platform
from ....vocabulary.words import GOAL_MARKERS
from ...scene.moment import Thing
from ...scene.signs import SIGNS, Sign
from .canvas import Canvas
from .palette import (
    DESTINATION,
    DOOR,
    EXIT,
    FLOOR,
    GUARD,
    HATCH,
    HIDING,
    INK,
    PATH,
    PATROL,
    PLAYER,
    SOURCE,
    TRAP,
    WALKABLE,
    ZONE,
    Colour,
    mixed,
)

_PLACE = 1.15
"""Size of the sign of a place, in those of an agent."""
_NOSE = ((1.9, 0.0), (0.6, 0.8), (0.6, -0.8))


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
    """Draw a door as on the page: filled while closed, faint while open, with a light cross when locked."""
    look, outline = SIGNS.door, door.outline_xy
    canvas.polygon(outline, mixed(WALKABLE, DOOR, look.open) if door.open else DOOR)
    canvas.line(outline, DOOR, look.edge, closed=True)
    if door.locked:
        for corner in (0, 1):
            canvas.line(outline[[corner, (corner + len(outline) // 2) % len(outline)]], WALKABLE, look.cross)


def draw_platform(canvas: Canvas, piece: Platform, is_present: bool) -> None:
    """Draw a platform as on the page: floor with an edge while present, else only the edge."""
    if is_present:
        canvas.polygon(piece.outline_xyz, WALKABLE)
    canvas.line(piece.outline_xyz, DOOR, SIGNS.door.edge, closed=True)


def draw_sign(canvas: Canvas, sign: Sign, xyz: Floats, colour: Colour, size: float, turn: float = 0.0) -> None:
    """Draw a sign with its light rim, `size` in finished pixels, turned clockwise on the screen."""
    angle = turn if sign.turns else 0.0
    parts = [(own, [_turned(x * size, y * size, angle) for x, y in outline]) for own, outline in sign.parts]
    for own, shape in parts:
        if own:
            canvas.marks(shape, xyz, WALKABLE, WALKABLE, 2.0 * SIGNS.rim)
    for own, shape in parts:
        canvas.marks(shape, xyz, colour if own else WALKABLE)


def draw_hiding_place(canvas: Canvas, place: HidingPlace) -> None:
    """Draw a hiding place: a small door with its handle."""
    draw_sign(canvas, SIGNS.places["hiding place"], np.array(place.xyz), HIDING, _PLACE * symbol_size(canvas))


def draw_trap(canvas: Canvas, trap: Trap, is_set: bool = True) -> None:
    """Draw a trap: its teeth and, while it is set, the line within which it springs."""
    if is_set:
        turns = np.linspace(0.0, 2.0 * math.pi, 33)
        ring = np.array(trap.xyz[:2]) + trap.radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        canvas.dashes(ring, TRAP, 1.2, dash=3.0, gap=3.0)
    colour = TRAP if is_set else mixed(WALKABLE, TRAP, 0.35)
    draw_sign(canvas, SIGNS.places["trap"], np.array(trap.xyz), colour, _PLACE * symbol_size(canvas))


def draw_thing(canvas: Canvas, thing: Thing) -> None:
    """Draw an object, with a ring around it if it changed, and the outline of a barrier."""
    size = _PLACE * symbol_size(canvas)
    for zone in thing.zones:
        canvas.line(zone, DOOR, 2.4, closed=True)
    if thing.is_changed:
        canvas.disc(thing.xyz, SIGNS.turned * size, None, WALKABLE, 3.0)
        canvas.disc(thing.xyz, SIGNS.turned * size, None, DESTINATION, 1.6)
    draw_sign(canvas, SIGNS.objects[thing.kind], thing.xyz, DESTINATION if thing.is_changed else DOOR, size)


def draw_creature(canvas: Canvas, xyz: Floats) -> None:
    """Draw a creature of a swarm as a dot."""
    canvas.disc(xyz, max(1.2, 0.16 * symbol_size(canvas)), DOOR, None, 0.0)


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
    """Draw a spawn as its agent looks at the start."""
    sign = {"guard": "patrol", "civilian": "civilian"}.get(spawn.who, "player")
    turn = spawn.heading if canvas.view.y_down else -spawn.heading
    draw_agent(canvas, sign, np.array(spawn.xyz), PLAYER if sign == "player" else GUARD, symbol_size(canvas), turn)


def draw_agent(canvas: Canvas, sign: str, xyz: Floats, colour: Colour, size: float, turn: float) -> None:
    """Draw the sign of an agent; upright ones of agents that look somewhere get a nose."""
    found = SIGNS.agents[sign]
    if not (found.turns or sign in ("hidden", "down")):
        canvas.marks([_turned(x * size, y * size, turn) for x, y in _NOSE], xyz, colour)
    draw_sign(canvas, found, xyz, colour, size, turn)


def draw_marker(canvas: Canvas, marker: Marker) -> None:
    """Draw a point with a meaning: an exit, a goal or, for any other, a diamond."""
    kind = marker.kind if marker.kind in SIGNS.places else "goal" if marker.kind in GOAL_MARKERS else "marker"
    colour = DESTINATION if kind == "marker" else EXIT
    draw_sign(canvas, SIGNS.places[kind], np.array(marker.xyz), colour, _PLACE * symbol_size(canvas))


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
