"""Shapes of signs on a map: one table for pictures, animations and the page, which gets it with the level.

Each state of an agent has a shape of its own, so that colour is never needed to read it.
"""

from __future__ import annotations

import math
from functools import cache

import msgspec

from .palette import Palette, palette

Outline = tuple[tuple[float, float], ...]


class Sign(msgspec.Struct, frozen=True):
    """A sign in units of its size, x to the right and y down, or x ahead if it `turns` with a heading.

    `parts` are filled in order: those with True in the colour of the sign, the others in that of its light rim.
    """

    parts: tuple[tuple[bool, Outline], ...]
    turns: bool = False


class DoorLook(msgspec.Struct, frozen=True, kw_only=True):
    """How doors are drawn: opacity of an open one, pixels of the edge, and of the light cross on a locked one."""

    open: float = 0.18
    edge: float = 1.0
    cross: float = 2.0


class Signs(msgspec.Struct, frozen=True):
    """All signs: of agents by state, of places and objects by kind, and doors; `rim` is the width of the rim in pixels.

    `turned` is the radius of the ring around an object that changed.
    """

    agents: dict[str, Sign]
    places: dict[str, Sign]
    objects: dict[str, Sign]
    door: DoorLook = DoorLook()
    rim: float = 1.5
    turned: float = 1.6


class Looks(msgspec.Struct, frozen=True):
    """Colours and signs of maps."""

    palette: Palette
    signs: Signs


def _arc(radius: float, start: float = 0.0, end: float = 2.0 * math.pi, count: int = 24) -> Outline:
    angles = (start + (end - start) * step / count for step in range(count + (end - start < 6.28)))
    return tuple((round(radius * math.cos(angle), 3), round(radius * math.sin(angle), 3)) for angle in angles)


def _box(wide: float, tall: float, cut: float = 0.0) -> Outline:
    """Return a rectangle of half sizes, its corners cut off."""
    corners = ((wide - cut, -tall), (wide, cut - tall), (wide, tall - cut), (wide - cut, tall))
    right = corners if cut else ((wide, -tall), (wide, tall))
    return (*right, *((-x, y) for x, y in reversed(right)))


def _sign(*parts: Outline, turns: bool = False) -> Sign:
    """Return a sign whose parts alternate between its colour and its rim's."""
    return Sign(tuple((at % 2 == 0, part) for at, part in enumerate(parts)), turns)


_LID = tuple((x, round(0.65 * y, 3)) for x, y in _arc(1.3, math.pi, 2.0 * math.pi, 12))
_EYE = (*_LID, *((x, -y) for x, y in reversed(_LID[1:-1])))
_DROP = ((1.5, 0.0), *_arc(0.9, 0.55, 2.0 * math.pi - 0.55, 18))
_WING = ((1.5, 0.0), (0.3, 1.1), (-0.45, 1.1), (0.6, 0.0), (-0.45, -1.1), (0.3, -1.1))
_CROSS = tuple(
    (x * cos - y * sin, x * sin + y * cos)
    for cos, sin in ((1, 0), (0, 1), (-1, 0), (0, -1))
    for x, y in ((0.4, 0.0), (1.15, 0.75), (0.75, 1.15))
)
_HOUSE = ((0.0, -1.15), (1.1, -0.1), (0.75, -0.1), (0.75, 0.95), (-0.75, 0.95), (-0.75, -0.1), (-1.1, -0.1))
_ARROW = ((-0.6, -0.13), (0.16, -0.13), (-0.1, -0.42), (0.12, -0.58), (0.64, 0.0), (0.12, 0.58), (-0.1, 0.42),
          (0.16, 0.13), (-0.6, 0.13))  # fmt: skip
_BELL = ((0.0, -1.1), (0.3, -0.95), (0.62, -0.45), (0.72, 0.3), (1.05, 0.65), (-1.05, 0.65), (-0.72, 0.3),
         (-0.62, -0.45), (-0.3, -0.95))  # fmt: skip
_BENCH = ((1.15, -0.55), (1.15, -0.1), (0.85, -0.1), (0.85, 0.85), (0.45, 0.85), (0.45, -0.1), (-0.45, -0.1),
          (-0.45, 0.85), (-0.85, 0.85), (-0.85, -0.1), (-1.15, -0.1), (-1.15, -0.55))  # fmt: skip
_GLINT = ((0.95, -0.25), (0.95, -0.1), (-0.95, -0.1), (-0.95, -0.25))


def _moved(outline: Outline, down: float) -> Outline:
    return tuple((x, round(y + down, 3)) for x, y in outline)


_JAWS = tuple(
    (round(radius * math.cos(turn * math.pi / 8), 3), round(radius * math.sin(turn * math.pi / 8), 3))
    for turn, radius in enumerate((1.15, 0.72) * 8)
)

SIGNS = Signs(
    agents={
        "patrol": _sign(_arc(0.9)),
        "suspicious": _sign(_arc(1.05), _arc(0.55)),
        "engage": _sign(((1.35, 0.0), (0.0, 1.0), (-1.35, 0.0), (0.0, -1.0)), turns=True),
        "chase": _sign(((1.45, 0.0), (-1.05, 1.0), (-0.45, 0.0), (-1.05, -1.0)), turns=True),
        "search": _sign(_EYE, _arc(0.48), _arc(0.24)),
        "return": _sign(_HOUSE),
        "flee": Sign(tuple((True, tuple((x - back, y) for x, y in _WING)) for back in (0.0, 1.1)), turns=True),
        "run": _sign(_DROP, turns=True),
        "hidden": _sign(_box(0.7, 1.05), _box(0.45, 0.16)),
        "down": _sign(_CROSS),
        "player": _sign(_DROP, _arc(0.38), turns=True),
        "civilian": _sign(_box(0.85, 0.85)),
    },
    places={
        "exit": _sign(_box(1.0, 1.0, 0.25), _ARROW),
        "goal": _sign(_arc(1.05), _arc(0.78), _arc(0.45)),
        "hiding place": _sign(_box(0.7, 1.0, 0.1), _box(0.5, 0.8), _box(0.12, 0.12)),
        "trap": _sign(_JAWS, _arc(0.34)),
        "marker": _sign(((0.0, -1.0), (0.9, 0.0), (0.0, 1.0), (-0.9, 0.0))),
    },
    objects={
        "alarm": Sign(((True, _BELL), (True, _moved(_arc(0.26, count=12), 0.98)))),
        "workbench": _sign(_BENCH),
        "locker": _sign(_box(0.95, 0.9), _box(0.07, 0.9)),
        "switch": Sign(((True, _moved(_arc(0.72), -0.35)), (True, _moved(_box(0.34, 0.3, 0.08), 0.8)))),
        "item": _sign(((0.6, -0.75), (1.05, -0.15), (0.0, 1.0), (-1.05, -0.15), (-0.6, -0.75)), _GLINT),
        "barrier": _sign(((0.3, -1.2), (-0.75, 0.2), (-0.1, 0.2), (-0.3, 1.2), (0.75, -0.3), (0.1, -0.3))),
    },
)
"""The signs; markers of other kinds are drawn as "marker", states of users' own games as "patrol"."""


def sign_name(state: str, mode: str, team: str) -> str:
    """Return the sign of an agent: its state, except for bodies, hidden agents, and idle players and civilians."""
    if mode in ("hidden", "down"):
        return mode
    return _IDLE.get(team, state) if state == "patrol" else state


_IDLE = {"civilians": "civilian", "intruders": "player"}


@cache
def looks() -> Looks:
    """Return everything a page needs to draw like the pictures."""
    return Looks(palette(), SIGNS)
