"""A chart of curves with intervals: one panel per measure, over numbers, even steps or names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from ..drawing.heat import nice_ticks
from ..drawing.page import png_bytes
from ..drawing.palette import CELL_LINE, INK, PAGE, QUIET_INK, Colour
from ..drawing.text import font, printable, text_width

_EDGE, _LEFT, _WIDE, _TALL, _HEAD, _FOOT, _GAP = 24, 64, 440, 180, 64, 52, 28
_FINE, _RIM = 3, 5
_COLOURS: tuple[Colour, ...] = (
    (22, 122, 142), (196, 92, 30), (88, 72, 160), (90, 130, 40), (180, 50, 90), (60, 64, 72), (160, 120, 20),
    (30, 90, 200), (140, 80, 60),
)  # fmt: skip
_APART = 4.0
"""Pixels between the intervals of neighbouring curves at the same position."""
_LOG = 50.0
"""Ratio of largest to smallest number from which the axis is logarithmic."""


@dataclass(frozen=True)
class ChartPoint:
    """A value and the ends of its interval, drawn if finite, at the position the label names; `x` for numbers."""

    label: str
    value: float
    low: float = math.nan
    high: float = math.nan
    x: float | None = None


@dataclass(frozen=True)
class ChartCurve:
    """Points in order; `joined` by a line even if they are not numbers, such as for steps."""

    name: str
    points: tuple[ChartPoint, ...]
    joined: bool = False


def steps(
    name: str, labels: Sequence[str], values: Sequence[float], low: Sequence[float] = (), high: Sequence[float] = ()
) -> ChartCurve:
    """Return a curve over even steps, without intervals unless given."""
    blank = [math.nan] * len(labels)
    rows = zip(labels, values, low or blank, high or blank, strict=True)
    return ChartCurve(name, tuple(ChartPoint(*row) for row in rows), joined=True)


def draw_curves(panels: Mapping[str, Sequence[ChartCurve]], *, over: str, title: str, subtitle: str = "") -> bytes:
    """Return a PNG of the curves of each panel over the same variable, two panels in a row, with a legend below."""
    names = list(dict.fromkeys(curve.name for curves in panels.values() for curve in curves if curve.name))
    across, down = min(2, max(1, len(panels))), -(-len(panels) // 2)
    wide, tall = _LEFT + _WIDE + _GAP, 26 + _TALL + _FOOT
    width = max(2 * _EDGE + across * wide, 2 * _EDGE + math.ceil(text_width(printable(subtitle, 200), 13)))
    rows = _legend_rows(names, width - 2 * _EDGE)
    sheet = Image.new("RGB", (width, _HEAD + down * tall + 22 * len(rows) + _EDGE), PAGE)
    draw = ImageDraw.Draw(sheet)
    draw.text((_EDGE, _EDGE - 8), printable(title, 100), font=font(20), fill=INK)
    draw.text((_EDGE, _EDGE + 20), printable(subtitle, 200), font=font(13), fill=QUIET_INK)
    for number, (name, curves) in enumerate(panels.items()):
        column, top = _EDGE + number % 2 * wide, _HEAD + number // 2 * tall
        draw.text((column, top), printable(name), font=font(15), fill=INK)
        _Panel(sheet, column + _LEFT, top + 26, curves, names).draw(over)
    for line, row in enumerate(rows):
        left = float(_EDGE)
        for name in row:
            y = _HEAD + down * tall + 22 * line + 8
            draw.line((left, y, left + 18, y), fill=_colour(names, name), width=3)
            words = printable(name, 40)
            draw.text((left + 24, y - 8), words, font=font(13), fill=INK)
            left += 24 + text_width(words, 13) + 22
    return png_bytes(sheet, title)


def _colour(names: Sequence[str], name: str) -> Colour:
    return _COLOURS[names.index(name) % len(_COLOURS)] if name in names else _COLOURS[0]


def _legend_rows(names: Sequence[str], width: float) -> list[list[str]]:
    rows: list[list[str]] = []
    used = math.inf
    for name in names:
        needs = 24 + text_width(printable(name, 40), 13) + 22
        if used + needs > width:
            rows.append([])
            used = 0.0
        rows[-1].append(name)
        used += needs
    return rows


class _Panel:
    """The panel of one measure over the variable."""

    def __init__(self, sheet: Image.Image, left: int, top: int, curves: Sequence[ChartCurve], names: Sequence[str]):
        self._sheet, self._left, self._top = sheet, left, top
        self._curves, self._names = curves, names
        points = [point for curve in curves for point in curve.points]
        self._labels = {label: place for place, label in enumerate(dict.fromkeys(point.label for point in points))}
        self._xs = [point.x for point in points if point.x is not None]
        self._numeric = len(self._xs) == len(points) and len(set(self._xs)) > 1
        low, high = min(self._xs, default=0.0), max(self._xs, default=1.0)
        self._log = self._numeric and low > 0.0 and high / low >= _LOG
        ends = [end for point in points for end in (point.value, point.low, point.high) if math.isfinite(end)]
        least, most = min([0.0, *ends]), max([*ends, 1e-9])
        self._ticks = nice_ticks(least, most, 5)
        self._low, self._high = min(least, self._ticks[0]), max(most, self._ticks[-1])

    def draw(self, over: str) -> None:
        """Draw axes and curves."""
        draw = ImageDraw.Draw(self._sheet)
        for tick in self._ticks:
            y = self._top + self._y(tick)
            draw.line((self._left, y, self._left + _WIDE, y), fill=CELL_LINE)
            words = f"{tick:g}"
            draw.text((self._left - 8 - text_width(words, 12), y - 8), words, font=font(12), fill=QUIET_INK)
        self._marks(draw)
        words = printable(over)
        middle = self._left + (_WIDE - text_width(words, 12)) / 2
        draw.text((middle, self._top + _TALL + 22), words, font=font(12), fill=QUIET_INK)
        # Drawn enlarged and scaled down, so that lines are smooth.
        box = (self._left, self._top - _RIM, self._left + _WIDE + 1, self._top + _TALL + _RIM)
        strip = self._sheet.crop(box).resize(((_WIDE + 1) * _FINE, (_TALL + 2 * _RIM) * _FINE))
        pen = ImageDraw.Draw(strip)
        for number, curve in enumerate(self._curves):
            shift = _APART * (number - (len(self._curves) - 1) / 2)
            self._curve(pen, curve, shift)
        self._sheet.paste(strip.reduce(_FINE), box[:2])

    def _marks(self, draw: ImageDraw.ImageDraw) -> None:
        """Label the values along the axis, skipping those that would overlap."""
        firsts = {point.label: point for curve in reversed(self._curves) for point in reversed(curve.points)}
        end = -math.inf
        for label in self._labels:
            words = printable(label, 24)
            x, half = self._left + self._x(firsts[label]), text_width(words, 12) / 2
            draw.line((x, self._top + _TALL, x, self._top + _TALL + 4), fill=QUIET_INK)
            if x - half > end:
                draw.text((x - half, self._top + _TALL + 6), words, font=font(12), fill=QUIET_INK)
                end = x + half + 4

    def _curve(self, pen: ImageDraw.ImageDraw, curve: ChartCurve, shift: float) -> None:
        colour, known = _colour(self._names, curve.name), [one for one in curve.points if math.isfinite(one.value)]
        places = [((self._x(one) + shift) * _FINE, (self._y(one.value) + _RIM) * _FINE) for one in known]
        if (self._numeric or curve.joined) and len(places) > 1:
            pen.line(places, fill=colour, width=2 * _FINE - 1, joint="curve")
        for (x, y), point in zip(places, known):
            if math.isfinite(point.low) and math.isfinite(point.high):
                low, high = ((self._y(end) + _RIM) * _FINE for end in (point.low, point.high))
                pen.line((x, low, x, high), fill=colour, width=_FINE)
                for end in (low, high):
                    pen.line((x - 3 * _FINE, end, x + 3 * _FINE, end), fill=colour, width=_FINE)
            pen.ellipse((x - 3 * _FINE, y - 3 * _FINE, x + 3 * _FINE, y + 3 * _FINE), fill=colour)

    def _x(self, point: ChartPoint) -> float:
        margin = 24.0
        if self._numeric and point.x is not None:
            ends = (min(self._xs), max(self._xs))
            low, here, high = (math.log(v) if self._log else v for v in (ends[0], point.x, ends[1]))
            return margin + (_WIDE - 2 * margin) * (here - low) / (high - low)
        return _WIDE * (self._labels[point.label] + 0.5) / len(self._labels)

    def _y(self, value: float) -> float:
        return _TALL * (1.0 - (value - self._low) / (self._high - self._low))
