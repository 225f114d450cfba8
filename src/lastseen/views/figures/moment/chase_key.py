"""Captions and the key of a chase picture: the meaning of its signs, and why the flood stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from ....reasoning.chase.prediction import Flood, Prediction
from ..drawing.canvas import Canvas
from ..drawing.heat import Heat, draw_legend
from ..drawing.page import KeyEntry
from ..drawing.palette import scale_colours
from ..drawing.viewport import View
from .flood_signs import (
    draw_barred,
    draw_closed,
    draw_flag,
    draw_front,
    draw_ghost,
    draw_guard,
    draw_mean,
    draw_rival,
    draw_start,
)

if TYPE_CHECKING:
    from .chase_figure import ChaseScene

_STOPPED = {
    "running": "still running",
    "no_cells": "stopped: no cells left to heat",
    "too_many": "stopped: too wide to guess further",
    "max_steps": "stopped: step limit reached",
}


def words_of(prediction: Prediction) -> str:
    """Return a one-line summary of a guess."""
    x, y, z = prediction.destination.tolist()
    place = f"run to ({x:.1f}, {y:.1f}, {z:.1f})"
    if not isinstance(prediction, Flood):
        return f"{place} · {prediction.reason.replace('_', ' ')}"
    steps = f"{prediction.steps} step{'' if prediction.steps == 1 else 's'}"
    return f"{steps} · {len(prediction.warm)} warm cells · {_STOPPED[prediction.reason]} · {place}"


def heat_legend(hot: int) -> Image.Image:
    """Return the legend for the heat of a flood."""
    return draw_legend(Heat(np.array([0.0, float(hot)]), "heat", "steps until cold", scale="flame"))


def chase_key(scene: ChaseScene) -> list[KeyEntry]:
    """Return the key of the signs a scene uses."""
    flood = scene.flood
    key: list[KeyEntry] = []

    def add(present: bool, words: str, draw: Callable[[Canvas], None]) -> None:
        if present:
            # Small enough for each sign at its smallest to fit a line of text.
            canvas = Canvas(View((-1.5, -0.85), (1.5, 0.85), 12.0))
            draw(canvas)
            key.append(KeyEntry(canvas.finished(), words))

    middle = np.array([0.0, 0.0, 0.0])
    box = np.array([[-1.2, -0.7], [1.2, -0.7], [1.2, 0.7], [-1.2, 0.7]])
    has_heading = bool(np.asarray(scene.heading).any())
    ghost = "last seen, and its heading" if has_heading else "last seen"
    heading = np.array([1.0, 0.0, 0.0]) * has_heading
    sign = draw_start if scene.numbers else draw_ghost
    add(True, ghost, lambda canvas: sign(canvas, np.array([-0.9, 0.0, 0.0]), heading))
    add(scene.flag, "run to", lambda canvas: draw_flag(canvas, np.array([-0.3, -0.55, 0.0])))
    looks = scene.guard_looks is not None and bool(np.asarray(scene.guard_looks).any())
    guard = "guard, and where it looked" if looks else "guard"
    nose = np.array([1.0, 0.0, 0.0]) * looks
    add(scene.guard_at is not None, guard, lambda canvas: draw_guard(canvas, np.array([-0.4, 0.0, 0.0]), nose))
    for name in scene.rivals:
        add(True, name, lambda canvas: draw_rival(canvas, np.array([-1.5, 0.0, 0.0]), np.array([0.8, 0.0, 0.0])))
    if flood is None:
        return key
    add(scene.shows_mean, "mean of the heat", lambda canvas: draw_mean(canvas, middle, np.array([1.2, 0.0, 0.0])))
    add(scene.front, "heated in this step", lambda canvas: _front(canvas, box))
    add(bool(len(flood.barrier)), "barrier: no turning back", lambda canvas: draw_barred(canvas, canvas.mask([box])))
    closed = "closed: the guard would get there first, or saw it empty"
    add(bool(len(flood.closed)), closed, lambda canvas: draw_closed(canvas, canvas.mask([box])))
    return key


def _front(canvas: Canvas, box: np.ndarray) -> None:
    mask = canvas.mask([box])
    canvas.blend(mask, tuple(scale_colours("flame")[-1].tolist()))
    draw_front(canvas, mask)
