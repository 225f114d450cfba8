"""Charts of measurements: bars and curves with intervals, heat maps, and danger over time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from ...reasoning.placement.verify.verify import Verification
from .drawing.heat import nice_ticks
from .drawing.page import png_bytes
from .drawing.palette import CELL_LINE, FACE_LINE, INK, PAGE, QUIET_INK, SOURCE, Colour, scale_colours
from .drawing.text import font, printable, text_width

_EDGE, _HEAD, _LEFT = 24, 64, 64
_FINE = 3
"""Enlargement of what is drawn and then scaled down, so that lines are smooth."""


def _sheet(width: int, height: int, title: str, subtitle: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """Return an empty chart with its title, and what draws on it."""
    sheet = Image.new("RGB", (width, height), PAGE)
    draw = ImageDraw.Draw(sheet)
    draw.text((_EDGE, _EDGE - 8), printable(title, 100), font=font(20), fill=INK)
    draw.text((_EDGE, _EDGE + 20), printable(subtitle, 200), font=font(13), fill=QUIET_INK)
    return sheet, draw


def _write(
    draw: ImageDraw.ImageDraw,
    x: float,
    y: float,
    words: str,
    *,
    size: int = 12,
    ink: Colour = QUIET_INK,
    at: float = 0.5,
) -> None:
    """Write words so that `x` is the given fraction `at` of their width."""
    draw.text((x - at * text_width(words, size), y), words, font=font(size), fill=ink)


_BAR, _BAR_WIDE = 22, 420
"""Pixels: height and greatest length of a bar."""


@dataclass(frozen=True)
class Bar:
    """One bar: a proportion of 0 … 1 with its interval; quiet ones are drawn grey."""

    name: str
    value: float
    low: float
    high: float
    quiet: bool = False


def draw_bars(groups: Mapping[str, Sequence[Bar]], *, title: str, subtitle: str = "") -> bytes:
    """Return a PNG with one panel per group, two in a row, each from 0 to a round value above its highest."""
    names = [printable(bar.name, 40) for bars in groups.values() for bar in bars]
    label = int(max((text_width(name, 13) for name in names), default=0.0)) + 14
    wide = label + _BAR_WIDE + 96
    tall = max((len(bars) for bars in groups.values()), default=0) * _BAR + 54
    down = -(-len(groups) // 2)
    across = min(2, max(len(groups), 1))
    sheet, _ = _sheet(2 * _EDGE + across * wide, _HEAD + _EDGE + down * tall, title, subtitle)
    for number, (name, bars) in enumerate(groups.items()):
        left, top = _EDGE + number % 2 * wide, _HEAD + number // 2 * tall + 8
        _draw_bars(sheet, left, top, label, name, bars)
    return png_bytes(sheet, title)


def _draw_bars(sheet: Image.Image, left: int, top: int, label: int, name: str, bars: Sequence[Bar]) -> None:
    draw = ImageDraw.Draw(sheet)
    draw.text((left, top), printable(name), font=font(15), fill=INK)
    most = _round_up(max((bar.high for bar in bars), default=1.0))
    start, top = left + label, top + 26
    for tick in range(5):
        x = start + _BAR_WIDE * tick / 4
        draw.line((x, top, x, top + _BAR * len(bars)), fill=CELL_LINE)
        _write(draw, x, top + _BAR * len(bars) + 3, f"{100 * most * tick / 4:g} %", size=11)
    strip = Image.new("RGB", ((_BAR_WIDE + 8) * _FINE, _BAR * _FINE), PAGE)
    for row, bar in enumerate(bars):
        y = top + row * _BAR
        _write(draw, start - 8, y + 3, printable(bar.name, 40), size=13, ink=INK, at=1.0)
        strip.paste(sheet.crop((start, y, start + _BAR_WIDE + 8, y + _BAR)).resize(strip.size), (0, 0))
        pen = ImageDraw.Draw(strip)
        unit = _BAR_WIDE * _FINE / most
        pen.rectangle((0, 4 * _FINE, bar.value * unit, 17 * _FINE), fill=FACE_LINE if bar.quiet else SOURCE)
        middle = 11 * _FINE
        pen.line((bar.low * unit, middle, bar.high * unit, middle), fill=INK, width=4)
        for end in (bar.low, bar.high):
            pen.line((end * unit, middle - 9, end * unit, middle + 9), fill=INK, width=4)
        sheet.paste(strip.reduce(_FINE), (start, y))
        draw.text((start + _BAR_WIDE + 14, y + 3), f"{100 * bar.value:.1f} %", font=font(13), fill=INK)


def _round_up(share: float) -> float:
    """Return the end of the axis: a round proportion not below the given one."""
    return next((end for end in (0.01, 0.02, 0.04, 0.1, 0.2, 0.4) if share <= end), 1.0)


_WIDE, _TALL, _FOOT, _GAP, _RIM = 440, 180, 52, 28, 5
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
    sheet, draw = _sheet(width, _HEAD + down * tall + 22 * len(rows) + _EDGE, title, subtitle)
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
            _write(draw, self._left - 8, y - 8, f"{tick:g}", at=1.0)
        self._marks(draw)
        _write(draw, self._left + _WIDE / 2, self._top + _TALL + 22, printable(over))
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
                _write(draw, x, self._top + _TALL + 6, words)
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


_TILE_WIDE, _TILE_TALL = 58, 30
"""Pixels of one value of a heat map."""


@dataclass(frozen=True, eq=False)
class HeatMap:
    """Values (rows, columns) with labels of columns and rows; NaN is left empty.

    Maps of one `scale`, such as a measure of several predictors, have the same colour for the same value.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    values: npt.NDArray[np.float64]
    scale: str = ""


def draw_heat_maps(maps: Sequence[HeatMap], *, across: str, down: str, title: str, subtitle: str = "") -> bytes:
    """Return a PNG of heat maps over the same two variables, two in a row."""
    axes = printable(f"{down} (rows) by {across} (columns)", 80)
    label = int(max(text_width(printable(row, 20), 12) for one in maps for row in one.rows)) + 14
    wide = label + max(len(one.columns) for one in maps) * _TILE_WIDE + _GAP + 20
    wide = max(wide, int(max(text_width(axes, 12), *(text_width(printable(one.name), 15) for one in maps))) + _GAP)
    tall = 46 + max(len(one.rows) for one in maps) * _TILE_TALL + _FOOT
    beside, below = min(2, len(maps)), -(-len(maps) // 2)
    width = max(2 * _EDGE + beside * wide, 2 * _EDGE + math.ceil(text_width(printable(subtitle, 200), 13)))
    sheet, draw = _sheet(width, _HEAD + below * tall + _EDGE, title, subtitle)
    for number, one in enumerate(maps):
        left, top = _EDGE + number % 2 * wide, _HEAD + number // 2 * tall
        draw.text((left, top), printable(one.name), font=font(15), fill=INK)
        draw.text((left, top + 24), axes, font=font(12), fill=QUIET_INK)
        _draw_tiles(draw, left + label, top + 46, one, _ends([each for each in maps if each.scale == one.scale]))
    return png_bytes(sheet, title)


def _ends(maps: Sequence[HeatMap]) -> tuple[float, float]:
    """Return the least and the greatest of all values that are known."""
    values = np.concatenate([one.values.ravel() for one in maps])
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)


def _draw_tiles(draw: ImageDraw.ImageDraw, left: int, top: int, one: HeatMap, ends: tuple[float, float]) -> None:
    low, high = ends
    colours = scale_colours()
    for row, name in enumerate(one.rows):
        y = top + row * _TILE_TALL
        _write(draw, left - 8, y + 8, printable(name, 20), at=1.0)
        for column, value in enumerate(one.values[row].tolist()):
            x = left + column * _TILE_WIDE
            box = (x, y, x + _TILE_WIDE - 2, y + _TILE_TALL - 2)
            if math.isnan(value):
                draw.rectangle(box, outline=CELL_LINE)
                continue
            fill = tuple(colours[round(255 * (value - low) / (high - low)) if high > low else 128].tolist())
            draw.rectangle(box, fill=fill)
            bright = 0.299 * fill[0] + 0.587 * fill[1] + 0.114 * fill[2] > 140.0
            _write(draw, x + _TILE_WIDE / 2 - 1, y + 7, f"{value:.3g}", ink=INK if bright else PAGE)
    for column, name in enumerate(one.columns):
        middle = left + column * _TILE_WIDE + _TILE_WIDE / 2 - 1
        _write(draw, middle, top + len(one.rows) * _TILE_TALL + 4, printable(name, 8))


_CAUGHT = (190, 34, 40)


def draw_danger(found: Verification, *, title: str = "") -> bytes:
    """Return a PNG of the share of the floor in view over time, with a red tick when each failing run was seen."""
    danger, (wide, tall, top, fine) = found.danger, (860, 220, 78, 2)
    last = max(float(danger.seconds[-1]), 1e-9)
    ticks = nice_ticks(0.0, max(float(danger.share.max()) * 1.1, 0.01), 5)
    most = max(ticks[-1], float(danger.share.max()))
    words = "share of the floor in view; red: when failed runs were first seen"
    sheet, draw = _sheet(_EDGE + _LEFT + wide + _EDGE, top + tall + 58, title or "Danger over time", words)
    x0, y1 = _EDGE + _LEFT, top + tall
    for tick in ticks:
        y = y1 - tall * tick / most
        draw.line((x0, y, x0 + wide, y), fill=CELL_LINE)
        _write(draw, x0 - 8, y - 8, f"{100 * tick:g} %", at=1.0)
    for tick in nice_ticks(0.0, last, 9):
        x = x0 + wide * tick / last
        draw.line((x, y1, x, y1 + 4), fill=QUIET_INK)
        _write(draw, x, y1 + 16, f"{tick:g} s")
    strip = Image.new("RGB", ((wide + 1) * fine, (tall + 1) * fine))
    strip.paste(sheet.crop((x0, top, x0 + wide + 1, y1 + 1)).resize(strip.size))
    points = np.column_stack([danger.seconds / last * wide, (1.0 - danger.share / most) * tall]) * fine
    ImageDraw.Draw(strip).line([(x, y) for x, y in points.tolist()], fill=SOURCE, width=2 * fine, joint="curve")
    sheet.paste(strip.reduce(fine), (x0, top))
    for one in found.caught:
        if one is not None:
            x = x0 + wide * one.seconds / last
            draw.line((x, y1 + 5, x, y1 + 13), fill=_CAUGHT)
    return png_bytes(sheet, title or "danger over time")
