"""The colours of every picture: neutral greys for the place, colour only for information."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ....errors import InputError, did_you_mean
from ...scene import palette as shared
from ...scene.palette import Colour as Colour
from ...scene.palette import ink

PAGE: Colour = (247, 246, 243)
SHADOW: Colour = (236, 235, 231)
WALL: Colour = (52, 56, 62)
FLOOR: Colour = (221, 220, 215)
WALKABLE: Colour = shared.rgb(shared.FLOORS["light"])
HEIGHT_LINE: Colour = (203, 203, 198)
CELL_LINE: Colour = (214, 215, 214)
CELL_LINE_ON_HEAT: Colour = (255, 255, 255)
FACE_LINE: Colour = (142, 148, 156)
LINK: Colour = (58, 128, 150)
LINK_STEEP: Colour = (150, 84, 160)
HATCH: Colour = (150, 152, 155)
DOOR: Colour = ink("door")
EXIT: Colour = ink("exit")
VIEW: Colour = ink("view")
HIDING: Colour = ink("hiding")
TRAP: Colour = ink("trap")
PATROL: Colour = (96, 110, 130)
GUARD: Colour = ink("guard")
PLAYER: Colour = ink("player")
PATH: Colour = (30, 140, 120)
ZONE: Colour = (110, 98, 150)
SOURCE: Colour = (22, 122, 142)
BARRIER: Colour = (86, 98, 118)
LAST_SEEN: Colour = PLAYER
DESTINATION: Colour = ink("flag")
RIVAL: Colour = (84, 88, 96)
FRONT: Colour = (255, 250, 226)
INK: Colour = (38, 42, 48)
QUIET_INK: Colour = (108, 112, 118)

# Anchors in OKLCh (lightness 0…1, chroma, hue in degrees). Lightness falls evenly from first to last, so that
# the order of values survives any kind of colour blindness and black-and-white printing.
_ANCHORS = {
    "heat": ((0.96, 0.035, 98.0), (0.80, 0.13, 80.0), (0.63, 0.165, 50.0), (0.47, 0.15, 30.0), (0.30, 0.085, 18.0)),
    "influence": (
        (0.96, 0.03, 150.0), (0.80, 0.085, 165.0), (0.63, 0.095, 212.0), (0.46, 0.12, 272.0), (0.30, 0.11, 310.0),
    ),
}  # fmt: skip
SCALES = tuple(_ANCHORS)
"""Names of the colour scales for layers: warm `heat` and green-to-violet `influence`; floods and searches have the
scales of the page, `flood` and `search`."""


def scale_colours(name: str = "heat", count: int = 256) -> npt.NDArray[np.uint8]:
    """Return the colours of a scale from low to high, (count, 3) uint8 sRGB, evenly spaced in lightness."""
    if name in shared.SCALES:
        return shared.on_floor(name, count=count)
    if name not in _ANCHORS:
        raise InputError(f"no colour scale {name!r}{did_you_mean(name, SCALES)}; use one of {', '.join(SCALES)}")
    return shared.interpolated(_ANCHORS[name], count)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two: `one` at share 0, `other` at 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other))
    return red, green, blue
