"""Views made wider or longer: every shape scales alike, and nothing else changes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from lastseen.agents.senses.vision.shapes import Narrowing, Outline, Sector
from lastseen.agents.senses.vision.vision import (
    CoffinVision,
    NarrowingVision,
    TimedShape,
    VisionZone,
    ZoneVision,
    stretched,
)
from specimens.perception import look_for, pair

SHAPES = [Sector(0.5, 8.0, near=1.0), Outline(((0.0, 0.6), (7.0, 3.0), (14.0, 1.2))), Narrowing(1.5, 0.2, 1.2, 24.0)]


def scaled(shape, angle: float, distance: float):
    """Return the only shape of a model of one zone that opens by `angle` and reaches `distance`."""
    model = stretched(ZoneVision(zones=(VisionZone(shape, 0.7),)), angle, distance)
    assert isinstance(model, ZoneVision)
    assert model.zones[0].certainty == 0.7
    return model.zones[0].shape


def test_worked_by_hand_at_a_third_wider_and_three_times_as_far():
    sector, outline, narrowing = (scaled(shape, math.radians(80.0), 36.0) for shape in SHAPES)
    assert (sector.half_angle, sector.far, sector.near) == pytest.approx((0.5 * 4 / 3, 24.0, 3.0))
    assert [list(knot) for knot in outline.knots] == [pytest.approx(k) for k in ([0, 2.4], [21, 12], [42, 4.8])]
    expected = (1.5 * 4, 0.2 * 4 / 3, 1.2 * 4 / 3, 72.0)
    assert (narrowing.constant, narrowing.least, narrowing.most, narrowing.far) == pytest.approx(expected)


@pytest.mark.parametrize("metres", [0.5, 2.0, 6.0, 20.0])
def test_a_narrowing_view_has_the_same_angle_at_the_same_share_of_its_reach(metres):
    before, after = SHAPES[2], scaled(SHAPES[2], math.radians(60.0), 24.0)
    assert after.half_angle(2.0 * metres) == pytest.approx(before.half_angle(metres))


def test_no_angle_passes_a_full_turn():
    sector, _, narrowing = (scaled(shape, 7.0, 12.0) for shape in SHAPES)
    assert sector.half_angle == math.pi
    assert narrowing.most == math.pi
    assert narrowing.least == pytest.approx(0.2 * 7.0 / math.radians(60.0))


@pytest.mark.parametrize("model", [ZoneVision(), CoffinVision(), NarrowingVision()])
def test_every_model_is_stretched_and_keeps_its_other_numbers(model):
    wider = stretched(model, distance=24.0)
    for name in ("zones", "shapes", "shape"):
        if hasattr(model, name):
            assert getattr(wider, name) != getattr(model, name)
            assert replace(wider, **{name: getattr(model, name)}) == model
    assert stretched(model) is model
    assert stretched(model, math.radians(60.0), 12.0) is model
    assert stretched(model, math.radians(60.0), 13.0) is not model
    assert stretched(model, math.radians(61.0), 12.0) is not model


def test_times_of_shapes_stay():
    model = CoffinVision(shapes=(TimedShape(SHAPES[0], 0.3, 1.5),))
    [timed] = stretched(model, distance=6.0).shapes
    assert (timed.fast, timed.slow, timed.shape.far) == (0.3, 1.5, 4.0)


@pytest.mark.parametrize(("light", "seen"), [(1.0, True), (0.99, False)])
def test_where_only_full_light_will_do_it_is_as_quick_as_by_day(light, seen):
    model = CoffinVision(shapes=(TimedShape(Sector(0.8, 20.0), 1.0, 1.0),), least_light=1.0)
    table = pair(5.0)
    table.light[:] = light
    assert look_for(model, table, 0.5).awareness[0, 0] == pytest.approx(0.5 if seen else 0.0, abs=0.06)
