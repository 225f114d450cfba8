"""A verified level as an animation: guards on their routes, what they see, and players on unseen paths."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from PIL import Image

from ....conventions import Floats
from ....reasoning.placement.verify.verify import Solution, Verification
from ..drawing.canvas import Canvas
from ..drawing.page import fit
from ..drawing.palette import GUARD, PLAYER, WALKABLE
from ..drawing.symbols import symbol_size
from .placement_figure import GUARD_COLOURS
from .verification_figure import VerificationMap, VerificationScene

MOST_FRAMES = 300
MOST_PLAYERS = 12
_RATE = 10.0
_LARGEST = 900
_TAIL = 2.0
"""Seconds of the path drawn behind a player."""
_END_MS = 1500

Progress = Callable[[str, float], None]


def draw_verification_gif(
    scene: VerificationScene, *, scale: float | None = None, storey: int | None = None, progress: Progress | None = None
) -> bytes:
    """Return an animated GIF, ten frames per second up to `MOST_FRAMES`; the bytes are deterministic.

    It ends when the last of the players shown (the first `MOST_PLAYERS` solutions) reaches the goal.
    """
    chart = VerificationMap(scene, scale=scale, storey=storey, largest=None if scale else _LARGEST, finest=2)
    players = shown_players(scene.verification)
    seconds = max((player.seconds for player in players), default=min(20.0, scene.verification.settings.seconds))
    count = min(MOST_FRAMES, max(2, math.ceil(seconds * _RATE) + 1))
    moments = np.linspace(0.0, seconds, count)
    milliseconds = max(20, round(seconds / (count - 1) * 100.0) * 10)
    samples = [_frame(chart, players, moments[index]) for index in (0, count // 2, count - 1)]
    palette = _palette(samples)

    def frames() -> Iterator[Image.Image]:
        for number, moment in enumerate(moments.tolist()):
            if progress is not None:
                progress(f"frame {number + 1} of {count}", number / count)
            sheet = fit(_frame(chart, players, moment), samples[0].size)
            yield sheet.quantize(palette=palette, dither=Image.Dither.NONE)

    strip, buffer = frames(), io.BytesIO()
    next(strip).save(
        buffer,
        "GIF",
        save_all=True,
        append_images=strip,
        duration=[*([milliseconds] * (count - 1)), _END_MS],
        loop=0,
        optimize=False,
        disposal=1,
    )
    return buffer.getvalue()


def shown_players(found: Verification) -> tuple[Solution, ...]:
    """Return the players to show: the first solutions, or the exact one if there are none."""
    if found.solutions or found.exact is None or not found.exact.found:
        return found.solutions[:MOST_PLAYERS]
    return (Solution(-1, found.exact.path),)


def _frame(chart: VerificationMap, players: Sequence[Solution], seconds: float) -> Image.Image:
    storeys, routes = chart.storeys, chart.scene.routes

    def draw(canvas: Canvas, storey: int) -> None:
        chart.draw_views(canvas, storey, seconds)
        chart.draw_ends(canvas, storey)
        reach = symbol_size(canvas)
        for number, route in enumerate(routes):
            pose = route.pose_at(seconds)
            if storeys.at(float(pose[2])) == storey:
                canvas.disc(pose[:2], reach + 1.0, GUARD, WALKABLE, 1.2)
                canvas.disc(pose[:2], 0.62 * reach, GUARD_COLOURS[number % len(GUARD_COLOURS)])
        for player in players:
            place = player.at(seconds)
            if storeys.at(float(place[2])) == storey:
                tail = _tail(player, seconds)
                if len(tail) > 1:
                    canvas.line(tail, PLAYER, 1.2)
                canvas.disc(place[:2], 0.8 * reach, PLAYER, WALKABLE, 1.2)

    there = sum(player.seconds <= seconds + 1e-9 for player in players)
    return chart.sheet(draw, f"{seconds:5.1f} s · {there} of {len(players)} players shown are through", moving=True)


def _tail(player: Solution, seconds: float) -> Floats:
    times = player.path[:, 3]
    inner = times[(times > seconds - _TAIL) & (times < seconds)]
    return np.array([player.at(when) for when in (max(0.0, seconds - _TAIL), *inner.tolist(), seconds)])


def _palette(sheets: Sequence[Image.Image]) -> Image.Image:
    """Return one palette for all frames, from a few of them stacked in one image."""
    wide, tall = max(sheet.width for sheet in sheets), sum(sheet.height for sheet in sheets)
    whole, top = Image.new("RGB", (wide, tall)), 0
    for sheet in sheets:
        whole.paste(sheet, (0, top))
        top += sheet.height
    return whole.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
