"""The timer (chapter 34); tests named after its acceptance checks."""

from __future__ import annotations

import pytest

from lastseen.agents.senses.vision.look import COMBAT
from lastseen.agents.senses.vision.shapes import Narrowing, Sector
from lastseen.agents.senses.vision.sightings import VisionMemory
from lastseen.agents.senses.vision.vision import NarrowingVision
from lastseen.errors import InputError
from specimens.perception import block, hall, look, look_for, pair, sight_of

MODEL = NarrowingVision()


def test_34_5_1_wide_near_and_narrow_far():
    assert look(MODEL, pair(1.0, 70.0)).in_shape[0, 0]
    assert not look(MODEL, pair(15.0, 70.0)).in_shape[0, 0]
    assert look(MODEL, pair(15.0)).in_shape[0, 0]


def test_34_5_2_a_head_above_low_cover_is_seen_in_combat_only():
    cover = sight_of(hall(cover=[block(13.5, 18.0, 14.0, 22.0, 1.6)]))
    assert look(MODEL, pair(5.0), cover).why(0, 0) == "occluded"
    assert look(MODEL, pair(5.0), cover, alert=COMBAT).why(0, 0) == "seen"


def test_34_5_3_the_timer_goes_up_and_down():
    model = NarrowingVision(usual=1.0, never=1.5)
    memory = VisionMemory(1, 1)
    look_for(model, pair(5.0), 1.0, memory=memory)
    look_for(model, pair(5.0, 180.0), 0.5, memory=memory)
    look_for(model, pair(5.0), 0.5, memory=memory)
    assert memory.timer[0, 0] == pytest.approx(1.0)
    model, memory = NarrowingVision(usual=1.0, never=1.0), VisionMemory(1, 1)
    assert not look_for(model, pair(5.0), 0.9, memory=memory).identified[0, 0]
    assert not look_for(model, pair(5.0, 180.0), 0.5, memory=memory).identified[0, 0]
    assert not look_for(model, pair(5.0), 0.5, memory=memory).identified[0, 0]
    assert look(model, pair(5.0), memory=memory).identified[0, 0]


def test_34_5_3_thresholds_are_ordered():
    assert MODEL.combat < MODEL.usual < MODEL.never
    with pytest.raises(InputError, match="usual"):
        NarrowingVision(combat=2.0, usual=1.0)
    assert seconds_to_perceive(VisionMemory(1, 1)) == pytest.approx(2.0)
    assert seconds_to_perceive(VisionMemory(1, 1), alert=COMBAT) == pytest.approx(0.3)
    known = VisionMemory(1, 1)
    known.perceived[:] = 1
    assert seconds_to_perceive(known) == pytest.approx(1.0)


def seconds_to_perceive(memory, **options):
    for step in range(1, 100):
        if look(MODEL, pair(5.0), memory=memory, **options).identified[0, 0]:
            return step / 10.0
    return None


def test_a_timer_never_falls_below_0_nor_rises_above_threshold_and_surplus():
    memory = VisionMemory(1, 1)
    look_for(NarrowingVision(surplus=0.5), pair(5.0), 5.0, memory=memory)
    assert memory.timer[0, 0] == pytest.approx(1.5)  # 1 s once it has been perceived
    look_for(MODEL, pair(5.0, 180.0), 9.0, memory=memory)
    assert memory.timer[0, 0] == 0.0


def test_the_longer_wait_of_the_first_time_is_no_surplus():
    memory = VisionMemory(1, 1)
    assert look_for(MODEL, pair(5.0), 2.0, memory=memory).identified[0, 0]
    look(MODEL, pair(5.0, 180.0), memory=memory)
    assert memory.timer[0, 0] == pytest.approx(0.9), "1 s is what it takes from now on"


def test_the_angle_is_held_between_its_bounds():
    shape = Narrowing(constant=2.0, least=0.2, most=1.5, far=50.0)
    assert [shape.half_angle(metres) for metres in (0.0, 1.0, 2.0, 5.0, 40.0)] == [1.5, 1.5, 1.0, 0.4, 0.2]
    with pytest.raises(InputError, match="least"):
        Narrowing(least=1.0, most=0.5)
    with pytest.raises(InputError, match="Narrowing"):
        NarrowingVision(shape=Sector(1.0, 5.0))
