"""The colours of every picture: neutral greys for the place, colour only for information."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ....errors import InputError, did_you_mean

Colour = tuple[int, int, int]

PAGE: Colour = (247, 246, 243)
SHADOW: Colour = (236, 235, 231)
WALL: Colour = (52, 56, 62)
FLOOR: Colour = (221, 220, 215)
WALKABLE: Colour = (252, 252, 250)
HEIGHT_LINE: Colour = (203, 203, 198)
CELL_LINE: Colour = (214, 215, 214)
CELL_LINE_ON_HEAT: Colour = (255, 255, 255)
FACE_LINE: Colour = (142, 148, 156)
LINK: Colour = (58, 128, 150)
LINK_STEEP: Colour = (150, 84, 160)
HATCH: Colour = (150, 152, 155)
DOOR_CLOSED: Colour = (168, 140, 110)
DOOR_LOCKED: Colour = (128, 92, 62)
HIDING: Colour = (70, 110, 92)
PATROL: Colour = (96, 110, 130)
GUARD: Colour = (82, 88, 98)
PLAYER: Colour = (22, 122, 142)
PATH: Colour = (30, 140, 120)
GOAL: Colour = (150, 110, 20)
ZONE: Colour = (110, 98, 150)
SOURCE: Colour = (22, 122, 142)
BARRIER: Colour = (86, 98, 118)
LAST_SEEN: Colour = (22, 122, 142)
DESTINATION: Colour = (44, 74, 190)
RIVAL: Colour = (84, 88, 96)
FRONT: Colour = (255, 250, 226)
INK: Colour = (38, 42, 48)
QUIET_INK: Colour = (108, 112, 118)

# Anchors in OKLCh (lightness 0…1, chroma, hue in degrees). Lightness falls evenly from first to last, so that
# the order of values survives any kind of colour blindness and black-and-white printing.
_HEAT = ((0.96, 0.035, 98.0), (0.80, 0.13, 80.0), (0.63, 0.165, 50.0), (0.47, 0.15, 30.0), (0.30, 0.085, 18.0))
_INFLUENCE = (
    (0.96, 0.03, 150.0),
    (0.80, 0.085, 165.0),
    (0.63, 0.095, 212.0),
    (0.46, 0.12, 272.0),
    (0.30, 0.11, 310.0),
)
# The heat of a flood ends in red: dark signs and the bright front must stand out on it.
_FLAME = ((0.97, 0.035, 98.0), (0.86, 0.105, 86.0), (0.745, 0.145, 66.0), (0.63, 0.165, 46.0), (0.515, 0.165, 31.0))
# Agents are drawn on top of a search, so its scale ends before it gets as dark as they are.
_SEARCH = (
    (0.965, 0.025, 150.0),
    (0.88, 0.065, 165.0),
    (0.80, 0.075, 212.0),
    (0.72, 0.09, 268.0),
    (0.64, 0.11, 302.0),
)
_ANCHORS = {"heat": _HEAT, "influence": _INFLUENCE, "flame": _FLAME, "search": _SEARCH}

SCALES = ("heat", "influence")
"""Names of the colour scales for layers: warm `heat` and green-to-violet `influence`; floods use `flame`,
searches `search`."""


def scale_colours(name: str = "heat", count: int = 256) -> npt.NDArray[np.uint8]:
    """Return the colours of a scale from low to high, (count, 3) uint8 sRGB, evenly spaced in lightness."""
    if name not in _ANCHORS:
        raise InputError(f"no colour scale {name!r}{did_you_mean(name, SCALES)}; use one of {', '.join(SCALES)}")
    return _interpolated(_ANCHORS[name], count)


def _interpolated(anchors: Sequence[tuple[float, float, float]], count: int) -> npt.NDArray[np.uint8]:
    lightness, chroma, hue = np.array(anchors).T
    along = np.linspace(0.0, 1.0, count)
    # Anchors are placed by their lightness, which makes lightness linear in `along`.
    place = (lightness[0] - lightness) / (lightness[0] - lightness[-1])
    # One polynomial through all anchors: no kinks, hence no false edges in a picture.
    degree = len(anchors) - 1
    chroma = np.polyval(np.polyfit(place, chroma, degree), along)
    angle = np.radians(np.polyval(np.polyfit(place, hue, degree), along))
    lab = np.column_stack(
        [np.linspace(lightness[0], lightness[-1], count), chroma * np.cos(angle), chroma * np.sin(angle)]
    )
    return np.round(np.clip(_srgb(lab), 0.0, 1.0) * 255.0).astype(np.uint8)


def _srgb(oklab: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Convert OKLab to gamma-encoded sRGB (matrices of Björn Ottosson's definition of the space)."""
    to_cone = np.array(
        [[1.0, 0.3963377774, 0.2158037573], [1.0, -0.1055613458, -0.0638541728], [1.0, -0.0894841775, -1.2914855480]]
    )
    to_linear = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    linear = np.clip((oklab @ to_cone.T) ** 3 @ to_linear.T, 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1.0 / 2.4) - 0.055)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two: `one` at share 0, `other` at 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other))
    return red, green, blue
