"""A chart of danger over time: the share of the floor in view, and when runs were first seen."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from ....reasoning.placement.verify.verify import Verification
from ..drawing.heat import nice_ticks
from ..drawing.page import png_bytes
from ..drawing.palette import CELL_LINE, INK, PAGE, QUIET_INK, SOURCE
from ..drawing.text import font, printable, text_width

_EDGE, _LEFT, _WIDE, _TALL, _HEAD = 24, 64, 860, 220, 78
_CAUGHT = (190, 34, 40)
_FINE = 2


def draw_danger(found: Verification, *, title: str = "") -> bytes:
    """Return a PNG of the share of the floor in view over time, with a red tick when each failing run was seen."""
    danger = found.danger
    last = max(float(danger.seconds[-1]), 1e-9)
    ticks = nice_ticks(0.0, max(float(danger.share.max()) * 1.1, 0.01), 5)
    most = max(ticks[-1], float(danger.share.max()))
    sheet = Image.new("RGB", (_EDGE + _LEFT + _WIDE + _EDGE, _HEAD + _TALL + 58), PAGE)
    draw = ImageDraw.Draw(sheet)
    draw.text((_EDGE, _EDGE - 8), printable(title or "Danger over time"), font=font(20), fill=INK)
    words = "share of the floor in view; red: when failed runs were first seen"
    draw.text((_EDGE, _EDGE + 20), words, font=font(13), fill=QUIET_INK)
    x0, y1 = _EDGE + _LEFT, _HEAD + _TALL
    for tick in ticks:
        y = y1 - _TALL * tick / most
        draw.line((x0, y, x0 + _WIDE, y), fill=CELL_LINE)
        label = f"{100 * tick:g} %"
        draw.text((x0 - 8 - text_width(label, 12), y - 8), label, font=font(12), fill=QUIET_INK)
    for tick in nice_ticks(0.0, last, 9):
        x = x0 + _WIDE * tick / last
        draw.line((x, y1, x, y1 + 4), fill=QUIET_INK)
        label = f"{tick:g} s"
        draw.text((x - text_width(label, 12) / 2, y1 + 16), label, font=font(12), fill=QUIET_INK)
    # Drawn enlarged and scaled down, so that the line is smooth.
    strip = Image.new("RGB", ((_WIDE + 1) * _FINE, (_TALL + 1) * _FINE))
    strip.paste(sheet.crop((x0, _HEAD, x0 + _WIDE + 1, y1 + 1)).resize(strip.size))
    points = np.column_stack([danger.seconds / last * _WIDE, (1.0 - danger.share / most) * _TALL]) * _FINE
    ImageDraw.Draw(strip).line([(x, y) for x, y in points.tolist()], fill=SOURCE, width=2 * _FINE, joint="curve")
    sheet.paste(strip.reduce(_FINE), (x0, _HEAD))
    for one in found.caught:
        if one is not None:
            x = x0 + _WIDE * one.seconds / last
            draw.line((x, y1 + 5, x, y1 + 13), fill=_CAUGHT)
    return png_bytes(sheet, title or "danger over time")
