"""Vision zones (chapter 4); tests named after its acceptance checks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.vision.shapes import Outline, Sector
from lastseen.agents.senses.vision.sightings import BANDS, VisionMemory
from lastseen.agents.senses.vision.vision import ZONES, VisionZone, ZoneVision
from lastseen.errors import InputError
from specimens.perception import GUARD, OPEN, block, hall, look, look_for, pair, sight_of

CORNER = VisionZone(Sector(math.radians(95.0), 12.0), 0.3)
FRONT = VisionZone(Sector(math.radians(20.0), 12.0), 0.8)
MODEL = ZoneVision(zones=(CORNER, FRONT))
MOVING = (1.0, 0.0)


def certainty(table, model=MODEL, **options):
    return float(look(model, table, **options).certainty[0, 0])


def test_4_5_1_camouflage_in_the_corner_of_the_eye_is_invisible():
    assert certainty(pair(5.0, 80.0)) == pytest.approx(0.3)
    found = look(MODEL, pair(5.0, 80.0, camouflage=1.0))
    assert found.certainty[0, 0] == 0.0
    assert BANDS[found.band[0, 0]] == "nothing"
    assert found.why(0, 0) == "camouflaged"
    assert not found.visible[0, 0]


def test_4_5_2_movement_adds_and_camouflage_takes_off():
    assert certainty(pair(5.0, 80.0, velocity_xy=MOVING)) == pytest.approx(0.6)
    assert certainty(pair(5.0, 80.0, velocity_xy=MOVING, camouflage=1.0)) == pytest.approx(0.3)


def test_4_5_3_behind_a_wall_or_too_far_is_nothing_whatever_the_modifiers():
    wall = sight_of(hall(obstacles=[block(12.0, 18.0, 12.5, 22.0)]))
    behind = look(MODEL, pair(5.0, velocity_xy=MOVING), wall)
    assert behind.certainty[0, 0] == 0.0
    assert behind.why(0, 0) == "occluded"
    far = look(MODEL, pair(12.1, velocity_xy=MOVING))
    assert far.certainty[0, 0] == 0.0
    assert far.why(0, 0) == "too far"


@pytest.mark.parametrize("front", [0.8, 1.0])
def test_4_5_4_turning_the_head_is_enough(front):
    model = ZoneVision(zones=(CORNER, VisionZone(FRONT.shape, front)))
    table = pair(5.0, 80.0)
    assert certainty(table, model) == pytest.approx(0.3)
    table.gaze[0] = math.radians(80.0)
    assert certainty(table, model) == pytest.approx(front)
    assert table.heading[0] == 0.0


def test_turning_the_body_turns_the_head():
    table = pair(5.0, 80.0)
    assert certainty(table, ZoneVision()) == pytest.approx(0.3)
    table.heading[0] = math.radians(80.0)
    assert certainty(table, ZoneVision()) == pytest.approx(1.0)


@pytest.mark.parametrize("velocity", [(0.0, 0.0), MOVING])
@pytest.mark.parametrize("degrees", [0.0, 10.0])
def test_4_5_5_coming_nearer_passes_a_band_between_nothing_and_identified(velocity, degrees):
    bands = [
        int(look(ZoneVision(), pair(metres, degrees, velocity_xy=velocity)).band[0, 0])
        for metres in np.arange(30.0, 1.0, -0.05)
    ]
    assert bands[0] == 0
    assert 3 in bands
    before = bands[: bands.index(3)]
    assert {1, 2} & set(before)
    assert before == sorted(before)


def bands_along(path, velocity):
    """Bands of a target at each of the places (k, 3) from the head, one after another."""
    table = bodies(np.vstack([[(0.0, 0.0, 20.0)], path + np.array([0.0, 0.0, 20.0])]), 0.0, team=[0] + [1] * len(path))
    table.velocity_xy[1:] = velocity
    return look(ZoneVision(), table).band[0].astype(int)


@pytest.mark.parametrize("velocity", [(0.0, 0.0), MOVING])
def test_4_5_5_no_boundary_leads_from_nothing_to_identified(velocity):
    paths = []
    for degrees in np.arange(-180.0, 180.0, 2.5):  # straight at the head from every side and height
        for rise in (0.0, 3.0, 6.0, 10.0):
            away, turn = np.arange(30.0, 0.5, -0.02), math.radians(degrees)
            paths.append(np.column_stack([away * math.cos(turn), away * math.sin(turn), np.full(len(away), rise)]))
    for metres in np.arange(1.0, 28.0, 0.5):  # and round it
        turns = np.linspace(-math.pi, math.pi, 1500)
        paths.append(np.column_stack([metres * np.cos(turns), metres * np.sin(turns), np.zeros(1500)]))
    reached = set()
    for path in paths:
        bands = bands_along(path, velocity)
        reached |= set(bands.tolist())
        jumps = np.flatnonzero(np.abs(np.diff(bands)) == 3)
        assert not len(jumps), (path[jumps[0]].tolist(), path[jumps[0] + 1].tolist())
    assert reached == {0, 1, 2, 3} if velocity == (0.0, 0.0) else {0, 2, 3}


@pytest.mark.parametrize(
    ("metres", "degrees", "sure"),
    [(13.9, 0.0, 1.0), (11.9, 29.0, 0.8), (14.9, 44.0, 0.5), (11.9, 94.0, 0.3), (17.9, 49.0, 0.3), (25.9, 0.0, 0.3)],
)
def test_the_usual_zones_are_as_sure_as_they_say(metres, degrees, sure):
    assert certainty(pair(metres, degrees), ZoneVision()) == pytest.approx(sure)


def test_nobody_straight_above_is_seen_and_who_is_steeply_above_only_from_the_corner_of_the_eye():
    def seen(away, rise):
        table = bodies([(10, 20, 0), (10 + away, 20, rise)], 0.0, team=[0, 1])
        return certainty(table, ZoneVision())

    assert seen(0.0, 10.0) == 0.0
    assert seen(3.0, 8.0) == 0.0  # 65 degrees above shoulders
    assert seen(4.0, 6.5) == pytest.approx(0.3)  # 51 degrees
    assert seen(5.0, 3.0) == pytest.approx(1.0)
    assert seen(0.2, 1.0) == pytest.approx(1.0), "on the same stairs"


def test_4_5_6_certainty_is_no_dice_roll():
    faint = ZoneVision(zones=(VisionZone(CORNER.shape, 0.1),))
    table = bodies([GUARD] * 100 + [pair(5.0, 80.0).xyz[1, :2]], 0.0, team=[0] * 100 + [1])
    memory = VisionMemory(100, 1)
    seen = set()
    for _ in range(100):
        found = faint.look(table, OPEN, np.arange(100), [100], memory, 0.1)
        seen |= set(zip(found.certainty.ravel().tolist(), found.band.ravel().tolist()))
    assert seen == {(float(np.float32(0.1)), 1)}


def test_4_5_7_the_sweet_spot_widens_and_narrows():
    best = max(ZONES, key=lambda zone: zone.certainty)
    near, middle, far = (best.shape.half_width(metres) for metres in (1.0, 7.0, 13.0))
    assert near < middle > far


def test_4_5_8_dwell():
    model = ZoneVision(dwell=1.5)
    memory = VisionMemory(1, 1)
    assert not look_for(model, pair(5.0), 1.4, memory=memory).identified[0, 0]
    assert not look(model, pair(5.0, 170.0), memory=memory).identified[0, 0]
    assert not look_for(model, pair(5.0), 1.4, memory=memory).identified[0, 0]
    assert look(model, pair(5.0), memory=memory).identified[0, 0]


def test_dwell_by_certainty_takes_longer_where_one_is_less_sure():
    model = ZoneVision(zones=(CORNER, FRONT), dwell=0.8, dwell_by="certainty")
    assert not look_for(model, pair(5.0), 0.9).identified[0, 0]
    assert look_for(model, pair(5.0), 1.0).identified[0, 0]
    assert not look_for(model, pair(5.0, 80.0), 2.6).identified[0, 0]
    assert look_for(model, pair(5.0, 80.0), 2.7).identified[0, 0]


def test_darkness_is_camouflage():
    assert certainty(pair(5.0, 80.0, light=0.5)) == pytest.approx(0.15)
    assert certainty(pair(5.0, 80.0, light=0.5, camouflage=1.0)) == 0.0


def test_the_surest_of_overlapping_zones_holds_whatever_their_order():
    for zones in ((CORNER, FRONT), (FRONT, CORNER)):
        assert certainty(pair(5.0), ZoneVision(zones=zones)) == pytest.approx(0.8)


@pytest.mark.parametrize(
    "wrong",
    [
        {"movement": -0.1},
        {"movement": float("nan")},
        {"identified_at": 0.2},
        {"dwell": -1.0},
        {"dwell_by": "magic"},
        {"zones": ()},
        {"investigate_at": 0.0, "identified_at": 0.0},
    ],
)
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(InputError):
        ZoneVision(**wrong)


def test_a_guard_does_not_see_itself_friends_the_hidden_or_the_gone():
    table = pair(5.0)
    memory = VisionMemory(1, 2)
    found = MODEL.look(table, sight_of(hall()), [0], [0, 1], memory, 0.1)
    assert [found.why(0, 0), found.why(0, 1)] == ["absent", "seen"]
    table.team[1] = 0
    assert look(MODEL, table).why(0, 0) == "friend"
    table.mode[1] = 2
    assert look(MODEL, table).why(0, 0) == "seen"
    table.team[1], table.mode[1] = 1, 1
    assert look(MODEL, table).why(0, 0) == "hidden"
    table.mode[:] = 3, 0
    assert look(MODEL, table).why(0, 0) == "absent"


def test_an_outline_is_as_wide_as_its_knots_say():
    shape = Outline(((0.0, 1.0), (10.0, 3.0), (20.0, 0.0)))
    model = ZoneVision(zones=(VisionZone(shape, 1.0),))
    for ahead in (0.5, 5.0, 10.0, 15.0, 19.0):
        for side in (-1, 1):
            for off, inside in ((-0.01, True), (0.01, False)):
                aside = side * (shape.half_width(ahead) + off)
                table = pair(math.hypot(ahead, aside), math.degrees(math.atan2(aside, ahead)), guard=GUARD)
                assert look(model, table).in_shape[0, 0] == inside, (ahead, side, off)
