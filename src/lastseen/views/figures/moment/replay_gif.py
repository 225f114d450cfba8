"""A stretch of a recording as an animation: the level is drawn once, agents and beliefs frame by frame."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from PIL import Image

from ....errors import InputError
from ...scene.film import Film
from ..drawing.page import fit
from ..drawing.palette import scale_colours
from .agent_signs import CREW_COLOURS, STATE_COLOURS
from .replay_figure import ReplayMap
from .replay_key import Contents

FRAME_RATE = 10.0
"""Frames per second of the animation."""
MOST_FRAMES = 400
"""Most frames; longer stretches skip more steps."""

_LARGEST = 1000
_END_MS = 2000
_SAMPLES = 9

Progress = Callable[[str, float], None]


class Reel:
    """Steps to show and milliseconds for each; `thinned` explains in words if steps are skipped."""

    def __init__(self, ticks: Sequence[int], milliseconds: int, thinned: str = ""):
        self.ticks = tuple(ticks)
        self.milliseconds = milliseconds
        self.thinned = thinned


def reel_of(film: Film, start: float, end: float, speed: float = 1.0) -> Reel:
    """Choose the steps from `start` to `end`, in seconds, shown at `speed` times real time."""
    recording = film.recording
    if not end > start:
        raise InputError(f"from {start:g} s to {end:g} s is empty; the end must be after the start")
    if not 0.01 <= speed <= 100.0:
        raise InputError(f"speed is {speed:g}; give 0.01 to 100, where 1 is real time")
    first, last = recording.tick_at(start), recording.tick_at(end)
    seconds = (last - first + 1) * recording.about.step
    wanted = max(2, round(seconds / speed * FRAME_RATE))
    # No step is shown twice, and there are never more frames than a viewer can handle.
    count = min(wanted, MOST_FRAMES, last - first + 1)
    ticks = np.unique(np.linspace(first, last, count).round().astype(int)).tolist()
    shown = max(20, round(seconds / speed / len(ticks) * 100.0) * 10)
    thinned = ""
    if wanted > MOST_FRAMES:
        thinned = (
            f"{seconds:.0f} s would be {wanted} frames; shows {len(ticks)}, one every {seconds / len(ticks):.2f} s "
            "(choose a shorter stretch or a higher speed for a smoother animation)"
        )
    return Reel(ticks, shown, thinned)


def draw_replay_gif(
    film: Film, reel: Reel, *, scale: float | None = None, storey: int | None = None, progress: Progress | None = None
) -> bytes:
    """Return an animated GIF of limited size; the bytes are deterministic."""
    chart = ReplayMap(film, scale=scale, storey=storey, largest=None if scale else _LARGEST, finest=2)
    moments = (film.moment(tick) for tick in reel.ticks)
    contents = Contents.of(moments)
    chosen = np.unique(np.linspace(0, len(reel.ticks) - 1, _SAMPLES).round().astype(int)).tolist()
    samples = [chart.sheet(film.moment(reel.ticks[number]), contents) for number in chosen]
    size = max(sheet.width for sheet in samples), max(sheet.height for sheet in samples)
    palette = _palette(samples)

    def frames() -> Iterator[Image.Image]:
        for number, tick in enumerate(reel.ticks):
            if progress is not None:
                progress(f"frame {number + 1} of {len(reel.ticks)}", number / len(reel.ticks))
            sheet = fit(chart.sheet(film.moment(tick), contents), size)
            yield sheet.quantize(palette=palette, dither=Image.Dither.NONE)

    film_strip = frames()
    buffer = io.BytesIO()
    next(film_strip).save(
        buffer,
        "GIF",
        save_all=True,
        append_images=film_strip,
        duration=[*([reel.milliseconds] * (len(reel.ticks) - 1)), _END_MS],
        loop=0,
        optimize=False,
        disposal=1,
    )
    return buffer.getvalue()


def _palette(sheets: Sequence[Image.Image]) -> Image.Image:
    """Return one palette for all frames: the scales, the colours of states and crews, and the commonest colours."""
    scales = np.concatenate([scale_colours("flame", 40), scale_colours("search", 40)])
    states = np.array(sorted({*STATE_COLOURS.values(), *CREW_COLOURS}), np.uint8)
    fixed = np.concatenate([scales, states])
    pixels = np.concatenate([np.asarray(sheet, dtype=np.uint32).reshape(-1, 3) for sheet in sheets])
    colour, count = np.unique(pixels @ np.array([65536, 256, 1], dtype=np.uint32), return_counts=True)
    common = colour[np.argsort(-count, kind="stable")]
    # Nearly identical shades count as one, so that rare signs keep their own colour.
    _, first = np.unique(common & 0xF8F8F8, return_index=True)
    common = common[np.sort(first)[: 256 - len(fixed)]]
    rest = np.column_stack([common >> 16, common >> 8 & 255, common & 255]).astype(np.uint8)
    palette = Image.new("P", (1, 1))
    palette.putpalette(np.concatenate([rest, fixed]).tobytes())
    return palette
