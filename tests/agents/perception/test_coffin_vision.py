"""The bar (chapter 28); tests named after its acceptance checks."""

from __future__ import annotations

import math

import pytest

from lastseen.agents.bodies.bodies import STANCES
from lastseen.agents.senses.vision.look import BONES, bone_points
from lastseen.agents.senses.vision.shapes import Outline, Sector
from lastseen.agents.senses.vision.sightings import VisionMemory
from lastseen.agents.senses.vision.vision import BOXES, CoffinVision, TimedShape, vision
from lastseen.errors import InputError
from specimens.perception import block, hall, look, look_for, pair, sight_of

AHEAD = TimedShape(Sector(math.radians(45.0), 20.0), 1.0, 3.0)
PLAIN = CoffinVision(shapes=(AHEAD,))
IN_COVER = [stance.name for stance in STANCES].index("in cover")


def slit(count: int) -> float:
    """Height of cover right before a target in cover over which exactly so many of its parts stand out."""
    heights = sorted(bone_points(PLAIN.needed).point[IN_COVER, :, 2], reverse=True)
    return (heights[count - 1] + heights[count]) / 2.0


def test_28_5_1_two_parts_of_somebody_in_cover_are_not_enough():
    table = pair(5.0, stance=IN_COVER)
    table.stance[0] = IN_COVER
    model = CoffinVision(shapes=(AHEAD,), needed=(2, 2, 3, 2))
    # A wall that leaves the left shoulder and the left knee, then cover over which head and shoulders show.
    wall = sight_of(hall(obstacles=[block(14.5, 18.0, 14.7, 20.1)]))
    assert look_for(CoffinVision(shapes=(AHEAD,), needed=(2, 2, 2, 2)), table, 0.5, wall).awareness[0, 0] > 0.0
    assert look_for(model, table, 0.5, wall).awareness[0, 0] == 0.0
    cover = sight_of(hall(cover=[block(14.0, 18.0, 14.2, 22.0, slit(3))]))
    assert look_for(model, table, 0.5, cover).awareness[0, 0] > 0.0


def test_28_5_2_a_range_of_1_to_3_seconds_over_20_metres_takes_2_seconds_at_10():
    memory = VisionMemory(1, 1)
    assert not look_for(PLAIN, pair(10.0), 1.9, memory=memory).identified[0, 0]
    assert look(PLAIN, pair(10.0), memory=memory).identified[0, 0]
    memory = VisionMemory(1, 1)
    wall = sight_of(hall(obstacles=[block(12.0, 18.0, 12.5, 22.0)]))
    look_for(PLAIN, pair(10.0), 1.9, memory=memory)
    assert not look_for(PLAIN, pair(10.0), 0.1, wall, memory).identified[0, 0]
    assert not look(PLAIN, pair(10.0), memory=memory).identified[0, 0]


def test_28_5_3_a_coffin_narrows_where_a_cone_widens():
    coffin = Outline.coffin(0.5, 10.0, 4.0, 20.0, 1.0)
    cone = Sector(math.atan2(4.0, 10.0), 30.0)
    for shape, answers in ((coffin, [False, True, False]), (cone, [False, True, True])):
        model = CoffinVision(shapes=(TimedShape(shape, 1.0, 1.0),))
        inside = []
        for ahead in (2.0, 10.0, 19.0):
            table = pair(math.hypot(ahead, 3.9), math.degrees(math.atan2(3.9, ahead)))
            inside.append(bool(look(model, table).in_shape[0, 0]))
        assert inside == answers


def test_the_quickest_of_the_shapes_counts():
    slow = TimedShape(Sector(math.radians(45.0), 20.0), 4.0, 4.0)
    for shapes in ((AHEAD, slow), (slow, AHEAD)):
        assert look(CoffinVision(shapes=shapes), pair(10.0)).awareness[0, 0] == pytest.approx(0.05)


def test_the_bar_fills_slower_in_the_dark_and_faster_when_alert():
    def share(**options):
        light = options.pop("light", 1.0)
        return float(look(PLAIN, pair(10.0, light=light), **options).awareness[0, 0])

    assert share() == pytest.approx(0.05)
    assert share(light=0.1) == pytest.approx(0.05 / 3.0)
    assert share(alert=1) == pytest.approx(0.05 / 0.6)
    assert share(alert=[2]) == pytest.approx(0.2)
    dark = look(PLAIN, pair(10.0, light=0.05))
    assert dark.why(0, 0) == "dark"
    assert not dark.visible[0, 0]
    assert dark.awareness[0, 0] == 0.0


@pytest.mark.parametrize(("empties", "left"), [(0.0, 0.0), (2.0, 0.25), (10.0, 0.45)])
def test_a_bar_empties_at_once_or_slowly(empties, left):
    model = CoffinVision(shapes=(AHEAD,), empties=empties)
    memory = VisionMemory(1, 1)
    assert look_for(model, pair(10.0), 1.0, memory=memory).awareness[0, 0] == pytest.approx(0.5)
    assert look_for(model, pair(30.0), 0.5, memory=memory).awareness[0, 0] == pytest.approx(left)


def test_half_a_bar_is_worth_a_look():
    memory = VisionMemory(1, 1)
    assert not look_for(PLAIN, pair(10.0), 0.9, memory=memory).noticed[0, 0]
    found = look(PLAIN, pair(10.0), memory=memory)
    assert found.noticed[0, 0]
    assert not found.identified[0, 0]


def test_boxes_are_as_wide_far_as_near():
    assert vision("boxes") == CoffinVision(shapes=BOXES)
    table = pair(math.hypot(18.0, 3.9), math.degrees(math.atan2(3.9, 18.0)))
    assert look(vision("boxes"), table).in_shape[0, 0]
    assert not look(vision("coffin"), table).in_shape[0, 0]


def test_one_sees_over_low_cover_who_stands_and_not_who_crouches():
    cover = sight_of(hall(cover=[block(13.0, 18.0, 13.5, 22.0, 1.2)]))
    assert look(PLAIN, pair(5.0), cover).visible[0, 0]
    assert not look(PLAIN, pair(5.0, stance=1), cover).visible[0, 0]


def test_points_of_bodies_lie_within_them():
    table = bone_points((1, 1, 1, 1))
    assert table.point.shape == (len(STANCES), len(BONES), 3)
    assert (table.point[..., 2] > 0.0).all()
    assert all((table.point[k, :, 2] < stance.head).all() for k, stance in enumerate(STANCES))


@pytest.mark.parametrize(
    "wrong",
    [
        {"shapes": ()},
        {"needed": (1, 2, 3)},
        {"needed": (0, 1, 1, 1)},
        {"needed": (9, 1, 1, 1)},
        {"least_light": 2.0},
        {"dark_factor": 0.5},
        {"alert_factors": (1.0, 1.0)},
        {"empties": float("nan")},
    ],
)
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(InputError):
        CoffinVision(**wrong)


def test_a_slow_time_below_the_fast_one_is_refused():
    with pytest.raises(InputError, match="slow"):
        TimedShape(Outline.box(2.0, 5.0), 2.0, 1.0)
