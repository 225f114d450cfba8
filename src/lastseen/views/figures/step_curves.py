"""A chart of values over even steps, with intervals: one panel for each measure, one line for each way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from .heat import nice_ticks
from .page import png_bytes
from .palette import CELL_LINE, INK, PAGE, QUIET_INK, Colour
from .text import font, printable, text_width

__all__ = ["StepCurve", "draw_step_curves"]

_COLOURS: tuple[Colour, ...] = ((22, 122, 142), (178, 58, 46), (112, 62, 152), (150, 98, 10))
_EDGE, _LEFT, _WIDE, _TALL, _HEAD = 24, 58, 460, 190, 72
_FINE = 3
_CLOSEST = 34.0
"""Pixels between two labels below the axis."""


@dataclass(frozen=True)
class StepCurve:
    """One line: a value for each step, NaN where there is none, and the ends of its interval, empty without."""

    name: str
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()

    @property
    def highest(self) -> float:
        """The highest number on it; 0 where there is none."""
        return max((value for value in (*self.values, *self.high) if math.isfinite(value)), default=0.0)


def draw_step_curves(
    panels: Mapping[str, Sequence[StepCurve]],
    steps: Sequence[str],
    *,
    title: str,
    x_title: str = "",
    subtitle: str = "",
) -> bytes:
    """Return a PNG: panels two in a row, each from 0 to a round number above its highest.

    Parameters
    ----------
    panels : curves by the name of what they show.
    steps : what stands below each step.
    """
    wide, tall = _LEFT + _WIDE + 2 * _EDGE, _TALL + 100
    across, down = min(2, max(1, len(panels))), -(-len(panels) // 2)
    sheet = Image.new("RGB", (_EDGE + across * wide, _HEAD + max(1, down) * tall), PAGE)
    draw = ImageDraw.Draw(sheet)
    draw.text((_EDGE, _EDGE - 8), printable(title, 100), font=font(20), fill=INK)
    draw.text((_EDGE, _EDGE + 20), printable(subtitle, 200), font=font(13), fill=QUIET_INK)
    for number, (name, curves) in enumerate(panels.items()):
        left, top = _EDGE + number % 2 * wide, _HEAD + number // 2 * tall
        _panel(sheet, left, top, name, curves, steps, x_title)
    return png_bytes(sheet, title)


def _panel(
    sheet: Image.Image, left: int, top: int, name: str, curves: Sequence[StepCurve], steps: Sequence[str], x_title: str
) -> None:
    draw = ImageDraw.Draw(sheet)
    draw.text((left, top), printable(name), font=font(15), fill=INK)
    x0, y0 = left + _LEFT, top + 46
    most = max((curve.highest for curve in curves), default=0.0) * 1.05 or 1.0
    for tick in nice_ticks(0.0, most, 5):
        y = y0 + _TALL * (1.0 - tick / most)
        draw.line((x0, y, x0 + _WIDE, y), fill=CELL_LINE)
        draw.text((x0 - 8 - text_width(f"{tick:g}", 12), y - 8), f"{tick:g}", font=font(12), fill=QUIET_INK)
    _labels(draw, x0, y0 + _TALL, steps, x_title)
    # Drawn larger and shrunk, so that lines are smooth.
    box = (x0 - 6, y0 - 6, x0 + _WIDE + 6, y0 + _TALL + 6)
    strip = sheet.crop(box).resize(((box[2] - box[0]) * _FINE, (box[3] - box[1]) * _FINE))
    pen, x = ImageDraw.Draw(strip), float(x0)
    for number, curve in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        _line(pen, curve, len(steps), most, 5.0 * (number - (len(curves) - 1) / 2.0), colour)
        draw.line((x, top + 31, x + 16, top + 31), fill=colour, width=3)
        words = printable(curve.name, 40)
        draw.text((x + 22, top + 23), words, font=font(12), fill=INK)
        x += 40 + text_width(words, 12)
    sheet.paste(strip.reduce(_FINE), box[:2])


def _labels(draw: ImageDraw.ImageDraw, x0: int, y: int, steps: Sequence[str], x_title: str) -> None:
    """Write what stands below the steps, leaving out some where they are many."""
    room = max([_CLOSEST, *(text_width(step, 12) + 8.0 for step in steps)])
    every = max(1, math.ceil(room * len(steps) / _WIDE))
    for number, step in enumerate(steps):
        x = x0 + _place(number, len(steps))
        draw.line((x, y, x, y + 4), fill=QUIET_INK)
        if number % every == 0:
            draw.text((x - text_width(step, 12) / 2, y + 6), step, font=font(12), fill=QUIET_INK)
    draw.text((x0 + (_WIDE - text_width(x_title, 12)) / 2, y + 24), printable(x_title), font=font(12), fill=QUIET_INK)


def _place(number: int, count: int) -> float:
    return _WIDE * (number + 0.5) / count


def _line(pen: ImageDraw.ImageDraw, curve: StepCurve, count: int, most: float, shift: float, colour: Colour) -> None:
    def spot(number: int, value: float) -> tuple[float, float]:
        return (_place(number, count) + shift + 6) * _FINE, (_TALL * (1.0 - value / most) + 6) * _FINE

    for number, (low, high) in enumerate(zip(curve.low, curve.high)):
        if math.isfinite(low) and math.isfinite(high):
            (x, bottom), (_, upper) = spot(number, low), spot(number, high)
            pen.line((x, bottom, x, upper), fill=colour, width=_FINE)
            for y in (bottom, upper):
                pen.line((x - 4 * _FINE, y, x + 4 * _FINE, y), fill=colour, width=_FINE)
    points = [spot(number, value) for number, value in enumerate(curve.values) if math.isfinite(value)]
    if len(points) > 1:
        pen.line(points, fill=colour, width=2 * _FINE, joint="curve")
    for x, y in points:
        reach = 3.5 * _FINE
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)
