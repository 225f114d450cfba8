"""Outlines of vision models are the models' own shapes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.senses.vision.vision import VISIONS, NarrowingVision, ZoneVision
from lastseen.views.scene.sights import view_shape


@pytest.mark.parametrize("name", VISIONS)
def test_ready_models_have_outlines_to_both_sides(name: str) -> None:
    shape = view_shape(VISIONS[name])
    assert shape.outer
    assert shape.far == pytest.approx(max(np.hypot(*outline.T).max() for outline in shape.outer))
    for outline in (*shape.inner, *shape.outer):
        assert outline[:, 1].max() == pytest.approx(-outline[:, 1].min())


def test_the_inner_zones_are_those_in_which_somebody_is_identified() -> None:
    model = ZoneVision()
    shape = view_shape(model)
    sure = [zone for zone in model.zones if zone.certainty >= model.identified_at]
    assert (len(shape.inner), len(shape.outer)) == (len(sure), len(model.zones))
    assert 0 < len(sure) < len(model.zones)


def test_the_outline_of_a_narrowing_view_has_its_angle_at_every_distance() -> None:
    model = NarrowingVision()
    (outline,) = view_shape(model).outer
    metres = np.hypot(*outline.T)
    side = (outline[:, 1] > 0.0) & (metres < model.shape.far - 1e-6)
    angles = np.arctan2(outline[side, 1], outline[side, 0])
    assert angles == pytest.approx([model.shape.half_angle(far) for far in metres[side].tolist()])


def test_a_view_turns_with_the_head() -> None:
    shape = view_shape(ZoneVision())
    inner, outer = shape.turned(np.array([5.0, 2.0]), math.pi / 2)
    assert len(inner) == len(shape.inner)
    for before, after in zip(shape.outer, outer):
        assert after[:, 0] == pytest.approx(5.0 - before[:, 1])
        assert after[:, 1] == pytest.approx(2.0 + before[:, 0])


def test_of_a_model_of_ones_own_nothing_is_known() -> None:
    shape = view_shape(object())  # type: ignore[arg-type]
    assert (shape.inner, shape.outer, shape.far) == ((), (), 0.0)
