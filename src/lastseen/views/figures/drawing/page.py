"""The sheet: title, panels side by side, scale bar, axes, legend and key."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, PngImagePlugin

from .palette import INK, PAGE, QUIET_INK
from .text import font, printable, text_width
from .viewport import Viewport

_EDGE, _GAP, _TITLE = 24, 24, 24


@dataclass(frozen=True)
class Panel:
    """The finished picture of one storey and the title above it."""

    image: Image.Image
    title: str


@dataclass(frozen=True)
class KeyEntry:
    """One sign of the key and what it means."""

    sign: Image.Image
    words: str


def compose(
    panels: Sequence[Panel],
    across: int,
    view: Viewport,
    *,
    title: str,
    subtitle: str,
    legend: Image.Image | None = None,
    key: Sequence[KeyEntry] = (),
) -> Image.Image:
    """Return the whole sheet, with `across` panels in a row."""
    floor_width, maps_height = _extent(panels, across)
    inner = max(floor_width, 420, math.ceil(text_width(printable(title), 20)), math.ceil(text_width(subtitle, 13)))
    if legend is not None:
        inner = max(inner, 250 + legend.width)
    rows = _key_rows(key, inner)
    maps_top = _EDGE + 56
    foot_top = maps_top + maps_height + 14
    height = foot_top + 62 + 24 * len(rows) + 8
    sheet = Image.new("RGB", (inner + 2 * _EDGE, height), PAGE)
    draw = ImageDraw.Draw(sheet)
    draw.text((_EDGE, _EDGE - 4), printable(title), font=font(20), fill=INK)
    draw.text((_EDGE, _EDGE + 24), printable(subtitle, 200), font=font(13), fill=QUIET_INK)
    _place_panels(sheet, panels, across, _EDGE + (inner - floor_width) // 2, maps_top)
    _scale_bar(draw, view, _EDGE + 44, foot_top + 22)
    _axes(draw, view, _EDGE + 6, foot_top + 22)
    if legend is not None:
        sheet.paste(legend, (sheet.width - _EDGE - legend.width, foot_top))
    for line, row in enumerate(rows):
        _draw_key_row(sheet, draw, row, foot_top + 62 + 24 * line)
    return sheet


def compose_bare(panels: Sequence[Panel], across: int, caption: str) -> Image.Image:
    """Return the panels under one line of text, without title, scale, legend and key."""
    width, height = _extent(panels, across)
    sheet = Image.new("RGB", (width, _TITLE + height), PAGE)
    ImageDraw.Draw(sheet).text((8, 3), printable(caption, 200), font=font(14), fill=INK)
    _place_panels(sheet, panels, across, 0, _TITLE)
    return sheet


def _extent(panels: Sequence[Panel], across: int) -> tuple[int, int]:
    """Return width and height of all panels with their titles and the gaps between them."""
    (wide, tall), down = panels[0].image.size, -(-len(panels) // across)
    return across * (wide + _GAP) - _GAP, down * (tall + _head(panels) + _GAP) - _GAP


def _head(panels: Sequence[Panel]) -> int:
    """Return the height of the titles above panels."""
    return _TITLE if any(panel.title for panel in panels) else 0


def _place_panels(sheet: Image.Image, panels: Sequence[Panel], across: int, left: int, top: int) -> None:
    (wide, tall), head, draw = panels[0].image.size, _head(panels), ImageDraw.Draw(sheet)
    for number, panel in enumerate(panels):
        x, y = left + (number % across) * (wide + _GAP), top + (number // across) * (tall + head + _GAP)
        draw.text((x, y), printable(panel.title), font=font(14), fill=INK)
        sheet.paste(panel.image, (x, y + head))


def fit(sheet: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return the sheet at a width and height: padded with page colour, or cropped."""
    if sheet.size == size:
        return sheet
    page = Image.new("RGB", size, PAGE)
    page.paste(sheet, (0, 0))
    return page


def png_bytes(sheet: Image.Image, description: str) -> bytes:
    """Return the sheet as deterministic PNG bytes, with a description as metadata."""
    words = PngImagePlugin.PngInfo()
    words.add_text("Software", "lastseen")
    words.add_text("Description", description.encode("latin-1", "replace").decode("latin-1"))
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG", pnginfo=words, compress_level=6)
    return buffer.getvalue()


def _scale_bar(draw: ImageDraw.ImageDraw, view: Viewport, left: int, top: int) -> None:
    rough = 190.0 / view.scale
    power = 10.0 ** math.floor(math.log10(rough))
    metres = max(factor * power for factor in (1.0, 2.0, 5.0) if factor * power <= rough * (1 + 1e-9))
    length = metres * view.scale
    draw.rectangle((left, top, left + length, top + 5), fill=PAGE, outline=INK)
    for quarter in (0, 2):
        draw.rectangle((left + length * quarter / 4, top, left + length * (quarter + 1) / 4, top + 5), fill=INK)
    draw.text((left, top + 9), "0", font=font(12), fill=QUIET_INK)
    words = f"{metres:g} m"
    draw.text((left + length - text_width(words, 12) / 2, top + 9), words, font=font(12), fill=QUIET_INK)


def _axes(draw: ImageDraw.ImageDraw, view: Viewport, left: int, top: int) -> None:
    """Draw the directions of x and y: tile maps count their rows downwards."""
    way = 1 if view.y_down else -1
    start = top - 8 if view.y_down else top + 14
    tip = start + way * 22
    draw.line((left, start, left + 20, start), fill=QUIET_INK, width=1)
    draw.polygon([(left + 24, start), (left + 18, start - 3), (left + 18, start + 3)], fill=QUIET_INK)
    draw.line((left, start, left, tip), fill=QUIET_INK, width=1)
    draw.polygon([(left, tip + way * 3), (left - 3, tip - way * 3), (left + 3, tip - way * 3)], fill=QUIET_INK)
    draw.text((left + 22, start - 16 if view.y_down else start + 1), "x", font=font(12), fill=QUIET_INK)
    draw.text((left + 5, tip - 8), "y", font=font(12), fill=QUIET_INK)


def _key_rows(key: Sequence[KeyEntry], width: int) -> list[list[KeyEntry]]:
    rows: list[list[KeyEntry]] = []
    used = float(width)
    for entry in key:
        needs = entry.sign.width + 6 + text_width(entry.words, 12) + 20
        if used + needs > width and (used > 0.0 or not rows):
            rows.append([])
            used = 0.0
        rows[-1].append(entry)
        used += needs
    return rows


def _draw_key_row(sheet: Image.Image, draw: ImageDraw.ImageDraw, row: Sequence[KeyEntry], top: int) -> None:
    left = float(_EDGE)
    for entry in row:
        sheet.paste(entry.sign, (round(left), top))
        draw.text((left + entry.sign.width + 6, top + 3), entry.words, font=font(12), fill=QUIET_INK)
        left += entry.sign.width + 6 + text_width(entry.words, 12) + 20
