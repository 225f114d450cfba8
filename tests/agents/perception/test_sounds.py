"""Kinds of sounds, and how loud movement is."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.hearing.sounds import SOUNDS, MovementNoise, Sound, SoundKind, sound
from lastseen.errors import InputError
from lastseen.kernels.arrays.agent_arrays import BODY, HIDDEN


def test_33_5_3_who_stands_only_breathes_and_who_is_faster_is_louder():
    table = bodies(np.zeros((4, 3)), velocity_xy=[(0, 0), (1, 0), (2, 0), (4, 0)])
    radius = MovementNoise().radii(table)
    assert radius[0] == SOUNDS["breathing"].radius
    assert (np.diff(radius) > 0.0).all()
    assert radius[2] == radius[3] / 2.0
    kinds = [one.kind for one in MovementNoise().sounds(table, range(4), 3.0)]
    assert kinds == ["breathing", "footstep", "footstep", "footstep"]


def test_crouching_is_softer_unless_told_otherwise():
    table = bodies(np.zeros((2, 3)), velocity_xy=(2, 0), stance=[0, 1])
    soft, hard = MovementNoise().radii(table), MovementNoise(softer=(1, 1, 1, 1)).radii(table)
    assert soft[1] < soft[0]
    assert hard[1] == hard[0]


def test_the_hidden_and_the_dead_are_silent():
    table = bodies(np.zeros((3, 3)))
    table.mode[:] = HIDDEN, BODY, 0
    made = MovementNoise().sounds(table, [0, 1, 2], 1.0)
    assert [one.made_by for one in made] == [2]


def test_a_sound_lasts_as_long_as_its_kind():
    ring = sound("alarm", (1, 2), created=5.0)
    assert [ring.lasts(now) for now in (4.9, 5.0, 25.0, 25.1)] == [False, True, True, False]
    shot = sound("gunshot", (1, 2, 3), created=5.0, made_by=4, radius=10.0)
    assert (shot.lasts(5.0), shot.lasts(5.1)) == (True, False)
    assert (shot.radius, shot.made_by, shot.nature, shot.xyz.tolist()) == (10.0, 4, "hostile", [1, 2, 3])


def test_bad_sounds_are_refused():
    with pytest.raises(InputError, match="did you mean 'gunshot'"):
        sound("gunshoot", (0, 0))
    with pytest.raises(InputError, match="radius"):
        Sound("x", (0, 0), -1.0, 1.0)
    with pytest.raises(InputError, match="nature"):
        SoundKind(1.0, 1.0, nature="odd")
    with pytest.raises(InputError, match="full_speed"):
        MovementNoise(full_speed=0.0)
