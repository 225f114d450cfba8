"""A chart of grouped horizontal bars with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from ..drawing.page import png_bytes
from ..drawing.palette import CELL_LINE, FACE_LINE, INK, PAGE, QUIET_INK, SOURCE
from ..drawing.text import font, printable, text_width

_EDGE, _ROW, _WIDE, _HEAD = 24, 22, 420, 64
_FINE = 3


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
    wide = label + _WIDE + 96
    tall = max((len(bars) for bars in groups.values()), default=0) * _ROW + 54
    down = -(-len(groups) // 2)
    across = min(2, max(len(groups), 1))
    sheet = Image.new("RGB", (2 * _EDGE + across * wide, _HEAD + _EDGE + down * tall), PAGE)
    draw = ImageDraw.Draw(sheet)
    draw.text((_EDGE, _EDGE - 8), printable(title), font=font(20), fill=INK)
    draw.text((_EDGE, _EDGE + 20), printable(subtitle, 200), font=font(13), fill=QUIET_INK)
    for number, (name, bars) in enumerate(groups.items()):
        left, top = _EDGE + number % 2 * wide, _HEAD + number // 2 * tall + 8
        _panel(sheet, left, top, label, name, bars)
    return png_bytes(sheet, title)


def _panel(sheet: Image.Image, left: int, top: int, label: int, name: str, bars: Sequence[Bar]) -> None:
    draw = ImageDraw.Draw(sheet)
    draw.text((left, top), printable(name), font=font(15), fill=INK)
    most = _round_up(max((bar.high for bar in bars), default=1.0))
    start, top = left + label, top + 26
    for tick in range(5):
        x = start + _WIDE * tick / 4
        draw.line((x, top, x, top + _ROW * len(bars)), fill=CELL_LINE)
        words = f"{100 * most * tick / 4:g} %"
        draw.text((x - text_width(words, 11) / 2, top + _ROW * len(bars) + 3), words, font=font(11), fill=QUIET_INK)
    # Bars are drawn enlarged and scaled down, so that thin intervals are anti-aliased.
    strip = Image.new("RGB", ((_WIDE + 8) * _FINE, _ROW * _FINE), PAGE)
    for row, bar in enumerate(bars):
        y = top + row * _ROW
        words = printable(bar.name, 40)
        draw.text((start - 8 - text_width(words, 13), y + 3), words, font=font(13), fill=INK)
        strip.paste(sheet.crop((start, y, start + _WIDE + 8, y + _ROW)).resize(strip.size), (0, 0))
        pen = ImageDraw.Draw(strip)
        unit = _WIDE * _FINE / most
        pen.rectangle((0, 4 * _FINE, bar.value * unit, 17 * _FINE), fill=FACE_LINE if bar.quiet else SOURCE)
        middle = 11 * _FINE
        pen.line((bar.low * unit, middle, bar.high * unit, middle), fill=INK, width=4)
        for end in (bar.low, bar.high):
            pen.line((end * unit, middle - 9, end * unit, middle + 9), fill=INK, width=4)
        sheet.paste(strip.reduce(_FINE), (start, y))
        draw.text((start + _WIDE + 14, y + 3), f"{100 * bar.value:.1f} %", font=font(13), fill=INK)


def _round_up(share: float) -> float:
    """Return the end of the axis: a round proportion not below the given one."""
    return next((end for end in (0.01, 0.02, 0.04, 0.1, 0.2, 0.4) if share <= end), 1.0)
