"""Colours of what happens on a map: one table for pictures, animations and the page, which gets it with the level.

Floods are warm, searches green, other layers blue; agents and views have none of these hues. States of agents differ
in shape, see `signs`.
"""

from __future__ import annotations

from functools import cache

import msgspec
import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int]
Anchors = tuple[tuple[float, float, float], ...]

INKS: dict[str, dict[str, str]] = {
    "light": {
        "guard": "#141218", "player": "#640069", "view": "#8b8d90",
        "door": "#a07a4c", "exit": "#1b7f4d", "hiding": "#2f6d55", "trap": "#8c2f5b", "flag": "#2448b8",
    },
    "dark": {
        "guard": "#fffaff", "player": "#f3a8ff", "view": "#828489",
        "door": "#b98e5c", "exit": "#2d9f66", "hiding": "#7cc3a2", "trap": "#e58ab4", "flag": "#9db6ff",
    },
}  # fmt: skip
"""Colours by theme; pictures use the light one."""
FLOORS = {"light": "#fcfcfa", "dark": "#333941"}
"""The floor that scales are painted on, as in style.css."""

# Anchors in OKLCh (lightness 0…1, chroma, hue in degrees), from low to high. Lightness changes evenly, so that the
# order of values survives any kind of colour blindness and black-and-white printing.
_ANCHORS: dict[str, dict[str, Anchors]] = {
    "light": {
        "flood": ((0.71, 0.15, 72), (0.43, 0.17, 29)),
        "search": ((0.985, 0.03, 161), (0.79, 0.16, 161)),
        "field": ((0.67, 0.11, 236), (0.48, 0.165, 259)),
        "light": ((0.32, 0.06, 280), (0.48, 0.05, 280), (0.65, 0.03, 285), (0.82, 0.05, 95), (0.96, 0.11, 100)),
    },
    "dark": {
        "flood": ((0.44, 0.11, 25), (0.6, 0.155, 52)),
        "search": ((0.54, 0.13, 155), (0.92, 0.16, 155)),
        "field": ((0.4, 0.11, 262), (0.57, 0.165, 260)),
        "light": ((0.2, 0.04, 280), (0.38, 0.05, 280), (0.58, 0.03, 285), (0.78, 0.06, 95), (0.95, 0.11, 100)),
    },
}
SCALES = tuple(_ANCHORS["light"])
STRENGTHS = {"flood": (170, 240), "search": (185, 235), "field": (170, 230), "light": (150, 150), "who": (120, 120)}
"""Opacity of a scale over the floor, 0 … 255, at its low and its high end; `who` is the scale of numbered guards."""
NUMBERED = {
    "light": ("#0072b2", "#d55e00", "#00865f", "#b8528a", "#8a6a00", "#3a86c8", "#6246a8", "#4d4d4d"),
    "dark": ("#56b4e9", "#ff9d4d", "#2fd0a0", "#f0a6d0", "#f0e442", "#8fb8ff", "#c3a6ff", "#d9d9d9"),
}
"""Colours of guards, crews and marks by number, after Okabe and Ito, safe for colour blindness."""
_STEPS = 128


class ThemeColours(msgspec.Struct, frozen=True):
    """Colours of a theme; `scales` are 128 colours each, from low to high, of six hexadecimal digits each."""

    inks: dict[str, str]
    scales: dict[str, str]
    numbered: tuple[str, ...]


class Palette(msgspec.Struct, frozen=True):
    """The colours of both themes, and the opacity of scales at both ends, 0 … 255."""

    light: ThemeColours
    dark: ThemeColours
    strengths: dict[str, tuple[int, int]]


@cache
def palette() -> Palette:
    """Return the colours that a page gets."""
    light, dark = (
        ThemeColours(INKS[theme], {name: ramp(name, theme).tobytes().hex() for name in SCALES}, NUMBERED[theme])
        for theme in ("light", "dark")
    )
    return Palette(light, dark, STRENGTHS)


def ink(name: str) -> Colour:
    """Return a colour of the light theme."""
    return rgb(INKS["light"][name])


def rgb(text: str) -> Colour:
    """Return the bytes of a colour such as `#fafaf7`."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


def on_floor(name: str, theme: str = "light", count: int = _STEPS) -> npt.NDArray[np.uint8]:
    """Return the colours of a scale as they look on the floor, (count, 3)."""
    low, high = STRENGTHS[name]
    share = ((low + (high - low) * np.linspace(0.0, 1.0, count)) / 255.0)[:, None]
    return np.round(np.array(rgb(FLOORS[theme])) * (1.0 - share) + ramp(name, theme, count) * share).astype(np.uint8)


def ramp(name: str, theme: str = "light", count: int = _STEPS) -> npt.NDArray[np.uint8]:
    """Return the colours of a scale as they are painted, (count, 3)."""
    return interpolated(_ANCHORS[theme][name], count)


def interpolated(anchors: Anchors, count: int) -> npt.NDArray[np.uint8]:
    """Return colours (count, 3) uint8 sRGB through anchors in OKLCh, evenly spaced in lightness."""
    lightness, chroma, hue = np.array(anchors).T
    along = np.linspace(0.0, 1.0, count)
    # Anchors are placed by their lightness, which makes lightness linear in `along`.
    place = (lightness[0] - lightness) / (lightness[0] - lightness[-1])
    # One polynomial through all anchors: no kinks, hence no false edges in a picture.
    degree = len(anchors) - 1
    angle = np.radians(hue)
    across = [np.polyval(np.polyfit(place, chroma * turn(angle), degree), along) for turn in (np.cos, np.sin)]
    lab = np.column_stack([np.linspace(lightness[0], lightness[-1], count), *across])
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
