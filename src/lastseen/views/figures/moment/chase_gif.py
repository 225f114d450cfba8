"""An animated flood: one frame per step with a bright front, then the destination."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PIL import Image

from ....reasoning.chase.prediction import Flood
from ..drawing.palette import PAGE, scale_colours
from .chase_figure import ChaseMap, ChaseScene
from .chase_key import words_of

MOST_FRAMES = 122
"""Most frames; longer floods skip steps evenly."""

_LARGEST = 900
_SEED_MS, _STEP_MS, _END_MS = 900, 140, 3000


def shown_steps(steps: int) -> list[int]:
    """Return the steps of a flood to show: all from 0 (the seed) on, or evenly spaced ones if there are too many."""
    stride = -(-(steps + 1) // (MOST_FRAMES - 1))
    shown = list(range(0, steps + 1, stride))
    return shown if shown[-1] == steps else [*shown, steps]


def draw_chase_gif(scene: ChaseScene, floods: Sequence[Flood], *, storey: int | None = None, title: str = "") -> bytes:
    """Return an animated GIF of limited size; the bytes are deterministic.

    Parameters
    ----------
    scene : the end of the flood.
    floods : states of the flood, from the seed to the end; one frame each, and one more with the destination.
    """
    name = title or scene.layout.mesh.name or "chase"
    chart = ChaseMap(scene, storey=storey, largest=_LARGEST)
    moments = [replace(scene, prediction=flood, front=True, flag=False) for flood in floods]
    sheets = [chart.sheet(one, title=name, subtitle=_words(flood)) for one, flood in zip(moments, floods)]
    sheets.append(chart.sheet(replace(scene, front=False), title=name, subtitle=words_of(scene.prediction)))
    size = max(sheet.width for sheet in sheets), max(sheet.height for sheet in sheets)
    sheets = [_padded(sheet, size) for sheet in sheets]
    palette = _palette(sheets)
    frames = [sheet.quantize(palette=palette, dither=Image.Dither.NONE) for sheet in sheets]
    buffer = io.BytesIO()
    frames[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[_SEED_MS, *([_STEP_MS] * (len(frames) - 2)), _END_MS],
        loop=0,
        optimize=False,
        disposal=1,
    )
    return buffer.getvalue()


def _words(flood: Flood) -> str:
    if flood.steps == 0:
        return "seed: the cell where the target was last seen is hot" + (
            ", those behind it are barred" if len(flood.barrier) else ""
        )
    now = int(flood.heated[-1])
    return f"step {flood.steps} · {now} cell{'' if now == 1 else 's'} heated"


def _padded(sheet: Image.Image, size: tuple[int, int]) -> Image.Image:
    if sheet.size == size:
        return sheet
    page = Image.new("RGB", size, PAGE)
    page.paste(sheet, (0, 0))
    return page


def _palette(sheets: Sequence[Image.Image]) -> Image.Image:
    """Return one palette for all frames, so that only changes are stored: the heat scale and the commonest colours."""
    chosen = [sheets[0], sheets[len(sheets) // 2], sheets[-2], sheets[-1]]
    pixels = np.concatenate([np.asarray(sheet, dtype=np.uint32).reshape(-1, 3) for sheet in chosen])
    colour, count = np.unique(pixels @ np.array([65536, 256, 1], dtype=np.uint32), return_counts=True)
    common = colour[np.argsort(-count, kind="stable")[:191]]
    rest = np.column_stack([common >> 16, common >> 8 & 255, common & 255]).astype(np.uint8)
    palette = Image.new("P", (1, 1))
    palette.putpalette(np.concatenate([rest, scale_colours("flame", 64)]).tobytes())
    return palette
