"""A chart of curves with intervals."""

import io
import math

import numpy as np
from PIL import Image

from lastseen.views.figures.step_curves import StepCurve, draw_step_curves

FIRST, SECOND = (22, 122, 142), (178, 58, 46)


def pixels(data: bytes, colour) -> np.ndarray:
    """Rows and columns in a colour, (n, 2)."""
    return np.argwhere((np.asarray(Image.open(io.BytesIO(data)).convert("RGB")) == colour).all(axis=2))


def test_a_rising_curve_rises_and_its_intervals_stand_up():
    steps = ["0", "1", "2"]
    bare = draw_step_curves({"share": [StepCurve("one", [0.1, 0.5, 0.9])]}, steps, title="t", x_title="cost")
    spots = pixels(bare, FIRST)
    spots = spots[spots[:, 0] > 110]  # below the names of curves
    left, right = (spots[spots[:, 1] == column][:, 0].mean() for column in (spots[:, 1].min(), spots[:, 1].max()))
    assert right < left
    spread = draw_step_curves(
        {"share": [StepCurve("one", [0.1, 0.5, 0.9], [0.0, 0.3, 0.8], [0.3, 0.7, 1.0])]}, steps, title="t"
    )
    assert len(pixels(spread, FIRST)) > len(pixels(bare, FIRST)) * 0.8
    assert spread != bare


def test_panels_and_names_are_drawn_and_what_is_not_known_is_left_out():
    curves = [StepCurve("one", [1.0, math.nan, 2.0]), StepCurve("other", [math.nan] * 3)]
    data = draw_step_curves({"a": curves, "b": curves, "c": []}, ["x"] * 3, title="t")
    image = Image.open(io.BytesIO(data))
    assert image.width > 2 * 460
    assert len(pixels(data, SECOND)) > 0
    assert draw_step_curves({"a": curves}, [str(n) for n in range(200)], title="many")
