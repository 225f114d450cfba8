"""Signs of a chase: where the target was last seen and its heading, the guess, and rival guesses."""

from __future__ import annotations

import math

import numpy as np

from ....conventions import Bools, Floats
from ....level.features import Spawn
from ..drawing.canvas import Canvas
from ..drawing.palette import BARRIER, DESTINATION, FRONT, GUARD, INK, LAST_SEEN, RIVAL, WALKABLE, Colour
from ..drawing.symbols import draw_spawn, symbol_size


def sign_size(canvas: Canvas) -> float:
    """Return half the height of a sign in finished pixels: close to a body's height, within limits."""
    return float(np.clip(0.42 * canvas.view.scale, 6.5, 13.0))


def sign_spots(
    canvas: Canvas, guard_at: Floats | None, seen_at: Floats | None, destination: Floats | None
) -> list[tuple[float, float, float]]:
    """Return x, y and radius in finished pixels of the guard, ghost and flag, for each that is given."""
    person, reach = symbol_size(canvas), sign_size(canvas)
    spots = []
    # Offset of the centre of each sign to the right and up from its position, and its radius.
    for place, right, up, radius in (
        (guard_at, 0.0, 0.0, 1.9 * person),
        (seen_at, 0.0, 0.0, 1.3 * reach),
        (destination, 0.7 * reach, 1.1 * reach, 1.5 * reach),
    ):
        if place is not None:
            x, y = canvas.view.pixels(np.asarray(place, dtype=np.float64)[None])[0].tolist()
            spots.append((x + right, y - up, radius))
    return spots


def draw_barred(canvas: Canvas, mask: Bools) -> None:
    """Hatch the pixels of the barrier: lines fall to the right, unlike those of cover."""
    canvas.blend(mask, WALKABLE)
    canvas.blend(mask & canvas.hatch(5.0, 1.2, falling=True), BARRIER)


def draw_closed(canvas: Canvas, mask: Bools) -> None:
    """Hatch the pixels of cells the target cannot have reached unseen, with crossed lines."""
    canvas.blend(mask, WALKABLE)
    lines = canvas.hatch(7.0, 1.0, falling=True) | canvas.hatch(7.0, 1.0)
    canvas.blend(mask & lines, BARRIER)


def draw_front(canvas: Canvas, mask: Bools) -> None:
    """Brighten the inner pixels of cells heated in the last step; their edge keeps the colour of their heat."""
    edge = max(1.0, min(3.5, 0.14 * canvas.view.scale))
    canvas.blend(~canvas.grown(~mask, edge), FRONT, 0.94)


def draw_guard(canvas: Canvas, xyz: Floats, looks: Floats | None) -> None:
    """Draw a guard as in pictures of levels, with a nose in its viewing direction unless it looks all around."""
    x, y, z = np.asarray(xyz).tolist()
    if looks is not None and np.asarray(looks)[:2].any():
        draw_spawn(canvas, Spawn((x, y, z), heading=float(np.arctan2(looks[1], looks[0]))))
    else:
        canvas.disc(np.array([x, y, z]), symbol_size(canvas) + 0.8, GUARD, WALKABLE, 0.9)


def draw_heading(
    canvas: Canvas, xyz: Floats, heading: Floats, start: float = 1.1, end: float = 3.6, colour: Colour = LAST_SEEN
) -> None:
    """Draw an arrow in the direction the target went; `start` and `end` are in half sign heights."""
    reach, metre = sign_size(canvas), 1.0 / canvas.view.scale
    way = np.asarray(heading, dtype=np.float64)[:2] / math.hypot(heading[0], heading[1])
    here = np.asarray(xyz, dtype=np.float64)[:2]
    tail, tip, head, rim = here + way * start * reach * metre, here + way * end * reach * metre, 0.72 * reach, 1.5
    canvas.arrow(tail, tip + way * 1.8 * rim * metre, WALKABLE, 0.0, head + 1.6 * rim)
    for ink, width in ((WALKABLE, 2.4 + 2 * rim), (colour, 2.4)):
        canvas.line(np.stack([tail, tip - way * head * metre]), ink, width)
    canvas.arrow(tail, tip, colour, 0.0, head)


def draw_start(canvas: Canvas, xyz: Floats, heading: Floats, *, border: bool = False) -> None:
    """Draw where the target was last seen as a ring instead of a ghost, so that a number in the cell stays readable.

    `border` adds a dotted line between what lies ahead and what lies behind.
    """
    radius, length = 0.44 * canvas.view.scale, math.hypot(heading[0], heading[1])
    if length > 0.0 and border:
        across, here = np.array([-heading[1], heading[0]]) / length, np.asarray(xyz, dtype=np.float64)[:2]
        for side in (-1.0, 1.0):
            ends = np.stack([here + across * side * 0.5, here + across * side * 3.4])
            canvas.dashes(ends, WALKABLE, 4.0, dash=4.0, gap=2.5)
            canvas.dashes(ends, LAST_SEEN, 1.8, dash=2.5, gap=4.0)
    if length > 0.0:
        start = radius / sign_size(canvas)
        draw_heading(canvas, xyz, heading, start, start + 1.9)
    canvas.disc(xyz, radius + 1.5, None, WALKABLE, 4.5)
    canvas.disc(xyz, radius, None, LAST_SEEN, 2.2)


def draw_ghost(canvas: Canvas, xyz: Floats, heading: Floats | None = None, colour: Colour = LAST_SEEN) -> None:
    """Draw where the target was last seen: a ghost, with an arrow in its direction if known."""
    reach = sign_size(canvas)
    here = np.asarray(xyz, dtype=np.float64)
    if heading is not None and np.hypot(heading[0], heading[1]) > 0.0:
        draw_heading(canvas, here, heading, colour=colour)
    dome = [(math.cos(angle), -0.25 + 0.85 * math.sin(angle)) for angle in np.linspace(-math.pi, 0.0, 13)]
    hem = [(0.75, 1.05), (0.45, 0.72), (0.0, 1.05), (-0.45, 0.72), (-0.75, 1.05)]
    body = [(0.82 * x * reach, y * reach) for x, y in [*dome, (1.0, 0.85), *hem, (-1.0, 0.85)]]
    canvas.marks([(1.22 * x, 1.18 * y) for x, y in body], here, WALKABLE)
    canvas.marks(body, here, colour)
    eye = 0.16 * reach
    for side in (-0.33, 0.33):
        corners = [(side * reach + dx * eye, -0.25 * reach + dy * 1.5 * eye) for dx, dy in _DIAMOND]
        canvas.marks(corners, here, WALKABLE)


def draw_flag(canvas: Canvas, xyz: Floats) -> None:
    """Draw the destination: a flag whose foot marks the place."""
    reach = sign_size(canvas)
    pole = [(-0.1, 0.0), (-0.1, -2.35), (0.14, -2.35), (0.14, 0.0)]
    cloth = [(0.14, -2.35), (1.75, -1.8), (0.14, -1.2)]
    for shape, colour in ((_grown(pole), WALKABLE), (_grown(cloth), WALKABLE), (pole, INK), (cloth, DESTINATION)):
        canvas.marks([(x * reach, y * reach) for x, y in shape], xyz, colour)
    canvas.disc(xyz, 0.34 * reach + 1.4, WALKABLE)
    canvas.disc(xyz, 0.34 * reach, DESTINATION)


def draw_mean(canvas: Canvas, mean: Floats, destination: Floats) -> None:
    """Draw the weighted mean if it lies outside the warm cells, and a line from it to the destination."""
    pair = np.stack([np.asarray(mean)[:2], np.asarray(destination)[:2]])
    canvas.dashes(pair, DESTINATION, 1.3, dash=3.0, gap=3.0)
    canvas.disc(mean, 0.3 * sign_size(canvas), WALKABLE, DESTINATION, 1.4)


def draw_rival(canvas: Canvas, seen_at: Floats, xyz: Floats) -> None:
    """Draw a rival guess: a dashed line to it from where the target was seen, and a cross."""
    pair = np.stack([np.asarray(seen_at)[:2], np.asarray(xyz)[:2]])
    canvas.line(pair, WALKABLE, 4.0)
    canvas.dashes(pair, RIVAL, 1.8, dash=6.0, gap=4.0)
    reach, arm = 0.75 * sign_size(canvas), 0.24 * sign_size(canvas)
    canvas.disc(xyz, reach + 2.0, WALKABLE, RIVAL, 1.5)
    for turn in (math.pi / 4, -math.pi / 4):
        cosine, sine = math.cos(turn), math.sin(turn)
        bar = [(-0.72 * reach, -arm / 2), (0.72 * reach, -arm / 2), (0.72 * reach, arm / 2), (-0.72 * reach, arm / 2)]
        canvas.marks([(x * cosine - y * sine, x * sine + y * cosine) for x, y in bar], xyz, RIVAL)


_DIAMOND = ((0, -1), (1, 0), (0, 1), (-1, 0))


def _grown(shape: list[tuple[float, float]], by: float = 0.16) -> list[tuple[float, float]]:
    """Return a shape enlarged a little around its centre, for a light rim."""
    x, y = (sum(values) / len(shape) for values in zip(*shape))
    return [(px + math.copysign(by, px - x), py + math.copysign(by, py - y)) for px, py in shape]
