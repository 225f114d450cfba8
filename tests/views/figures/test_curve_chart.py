"""A chart of curves with intervals."""

import io
import math
from dataclasses import replace

import numpy as np
from PIL import Image

from lastseen.views.figures.charts import ChartCurve, ChartPoint, HeatMap, draw_curves, draw_heat_maps, steps

FIRST, SECOND = (22, 122, 142), (196, 92, 30)
LABELS = ["0", "1", "2"]


def pixels(data: bytes, colour, *, below: int = 10_000) -> np.ndarray:
    """Rows and columns in a colour, (n, 2), above a row."""
    found = np.argwhere((np.asarray(Image.open(io.BytesIO(data)).convert("RGB")) == colour).all(axis=2))
    return found[found[:, 0] < below]


def chart(*curves: ChartCurve, **given) -> bytes:
    return draw_curves({"share": curves}, **({"over": "cost", "title": "t"} | given))


def test_a_rising_curve_rises_and_its_intervals_stand_up():
    bare = chart(steps("one", LABELS, [0.1, 0.5, 0.9]))
    spots = pixels(bare, FIRST, below=280)  # above the names of curves
    left, right = (spots[spots[:, 1] == column][:, 0].mean() for column in (spots[:, 1].min(), spots[:, 1].max()))
    assert right < left
    spread = chart(steps("one", LABELS, [0.1, 0.5, 0.9], [0.0, 0.3, 0.8], [0.3, 0.7, 1.0]))
    high = pixels(spread, FIRST, below=280)
    # A point is 7 pixels high, its interval at least 20 % of 180.
    first = high[high[:, 1] < spots[:, 1].min() + 7]
    assert np.ptp(spots[spots[:, 1] < spots[:, 1].min() + 7][:, 0]) < 12
    assert np.ptp(first[:, 0]) > 30


def test_panels_and_names_are_drawn_and_what_is_not_known_is_left_out():
    curves = [steps("one", LABELS, [1.0, math.nan, 2.0]), steps("other", LABELS, [math.nan] * 3)]
    data = draw_curves({"a": curves, "b": curves, "c": []}, over="x", title="t")
    single = draw_curves({"a": curves}, over="x", title="t")
    assert Image.open(io.BytesIO(data)).width > 1.8 * Image.open(io.BytesIO(single)).width
    assert len(pixels(data, SECOND)) == 19 * 3  # the line before its name
    assert chart(steps("many", [str(n) for n in range(200)], [1.0] * 200))
    assert draw_curves({}, over="x", title="nothing")[:4] == b"\x89PNG"


def test_numbers_stand_where_they_are_and_far_ones_on_a_logarithmic_axis():
    def middle(*xs: float) -> float:
        points = tuple(ChartPoint(f"{x:g}", 0.5, x=x) for x in xs)
        dots = pixels(chart(ChartCurve("", points, joined=True)), FIRST)
        # The middle point is lifted, so that it alone is in its rows.
        lifted = chart(ChartCurve("", (points[0], replace(points[1], value=1.0), points[2])))
        spots = pixels(lifted, FIRST)
        left, right = dots[:, 1].min(), dots[:, 1].max()
        top = spots[spots[:, 0] <= spots[:, 0].min() + 2]
        return float((top[:, 1].mean() - left) / (right - left))

    assert abs(middle(0.0, 1.0, 10.0) - 0.1) < 0.02
    assert abs(middle(1.0, 10.0, 100.0) - 0.5) < 0.02


def test_names_are_not_joined_and_steps_are():
    points = (ChartPoint("a", 0.4), ChartPoint("b", 0.4))
    apart, joined = (len(pixels(chart(ChartCurve("", points, joined=one)), FIRST)) for one in (False, True))
    assert joined > 3 * apart


def test_heat_maps_of_one_scale_share_their_colours():
    one, other = np.array([[0.2, 0.5]]), np.array([[0.5, 0.8]])

    def colours(*scales):
        maps = [HeatMap(str(n), ("a", "b"), ("r",), each, scales[n]) for n, each in enumerate((one, other))]
        sheet = Image.open(io.BytesIO(draw_heat_maps(maps, across="a", down="r", title="t"))).convert("RGB")
        width, tile = sheet.width // 2, np.asarray(sheet)[:, :, :]
        row = next(y for y in range(60, sheet.height) if len({*map(tuple, tile[y, :width])}) == 3)
        return [list(dict.fromkeys(map(tuple, tile[row, half]))) for half in (slice(0, width), slice(width, None))]

    (_, low, middle), (_, same, high) = colours("share", "share")
    assert middle == same
    assert len({low, middle, high}) == 3
    (_, low, high), (_, other_low, other_high) = colours("share", "metres")
    assert (low, high) == (other_low, other_high)
