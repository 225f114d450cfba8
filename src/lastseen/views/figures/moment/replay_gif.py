"""A stretch of a recording as an animation: the level is drawn once, agents and beliefs frame by frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image

from ....errors import InputError
from ...scene.recorded_scene import RecordedScene
from ..drawing.gif import Progress, drawn_frames, gif_bytes, shared_palette
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
_SAMPLES = 25


class Reel:
    """Steps to show and milliseconds for each; `thinned` explains in words if steps are skipped."""

    def __init__(self, ticks: Sequence[int], milliseconds: int, thinned: str = ""):
        self.ticks = tuple(ticks)
        self.milliseconds = milliseconds
        self.thinned = thinned


def reel_of(scene: RecordedScene, start: float, end: float, speed: float = 1.0) -> Reel:
    """Choose the steps from `start` to `end`, in seconds, shown at `speed` times real time."""
    recording = scene.recording
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
    scene: RecordedScene,
    reel: Reel,
    *,
    scale: float | None = None,
    storey: int | None = None,
    bare: bool = False,
    progress: Progress | None = None,
) -> bytes:
    """Return an animated GIF of limited size; the bytes are deterministic. `bare` leaves out all but the map."""
    largest = None if scale else _LARGEST
    chart = ReplayMap(scene, scale=scale, storey=storey, largest=largest, finest=2, bare=bare)
    contents = Contents.of(scene.moment(tick) for tick in reel.ticks)

    def draw(number: int) -> Image.Image:
        return chart.sheet(scene.moment(reel.ticks[number]), contents)

    count = len(reel.ticks)
    samples = [draw(number) for number in np.unique(np.linspace(0, count - 1, _SAMPLES).round().astype(int)).tolist()]
    size = max(sheet.width for sheet in samples), max(sheet.height for sheet in samples)
    states = np.array(sorted({*STATE_COLOURS.values(), *CREW_COLOURS}), np.uint8)
    palette = shared_palette(samples, np.concatenate([scale_colours("flame", 40), scale_colours("search", 40), states]))
    durations = [*([reel.milliseconds] * (count - 1)), _END_MS]
    return gif_bytes(drawn_frames(draw, count, size, progress), palette, durations)
