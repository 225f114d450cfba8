"""Sounds come to mind after the reaction time (chapter 5), each event with a delay of its own."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.attention.reaction import SoundQueue
from lastseen.agents.senses.hearing.hearing import RadiusHearing
from lastseen.agents.senses.hearing.sounds import sound
from lastseen.errors import InputError

TABLE = bodies([(0, 0), (4, 0), (90, 90), (1, 1)], team=[0, 0, 0, 1])


def heard(*sounds):
    return RadiusHearing().listen(list(sounds), TABLE, [0, 1, 2])


def fixed(*seconds):
    """Delays of listeners, and a list of what was asked for."""
    asked = []

    def delay(listeners, loudness):
        asked.append(list(zip(listeners.tolist(), loudness.astype(float).round(2).tolist())))
        return np.array(seconds)[listeners]

    return delay, asked


def test_a_shot_that_is_over_is_reacted_to_by_each_in_its_time_and_once():
    queue, (delay, asked) = SoundQueue(3), fixed(0.2, 0.3, 0.2)
    shot = sound("gunshot", (2, 0), made_by=3)
    assert queue.step(heard(shot), delay, 0.0).sounds == ()
    assert queue.waiting.tolist() == [True, True, False]
    found = []
    for tick in range(1, 20):
        now = queue.step(heard(), delay, tick / 10)
        found += [(tick, one.kind, row.tolist()) for one, row in zip(now.sounds, now.heard)]
    assert found == [(2, "gunshot", [True, False, False]), (3, "gunshot", [False, True, False])]
    assert asked == [[(0, 0.95), (1, 0.95)]]
    assert not queue.waiting.any()


def test_what_was_heard_keeps_how_loud_how_far_and_from_where_it_came():
    queue, (delay, _) = SoundQueue(3), fixed(0.1, 0.1, 0.1)
    raw = heard(sound("bottle", (0, 7)))
    queue.step(raw, delay, 0.0)
    now = queue.step(heard(), delay, 0.1)
    assert now.loudness[0, 0] == raw.loudness[0, 0] == 0.5
    assert now.metres[0, 0] == 7.0
    assert now.direction_xy[0, 0].tolist() == [0.0, 1.0]
    assert now.loudness[0, 2] == 0.0
    assert now.sounds[0].xyz.tolist() == [0.0, 7.0, 0.0]


def test_steps_of_one_are_one_event_which_is_followed_at_once():
    queue, (delay, asked) = SoundQueue(3), fixed(0.2, 0.2, 0.2)
    kinds = []
    for tick in range(6):
        step = sound("footstep", (1 + tick, 0), made_by=3)
        kinds.append([one.xyz[0] for one in queue.step(heard(step), delay, tick / 10).sounds])
    assert kinds == [[], [], [3.0], [4.0], [5.0], [6.0]]
    assert len(asked) == 1
    queue.step(heard(), delay, 5.0)
    assert queue.step(heard(sound("footstep", (1, 0), made_by=3)), delay, 5.1).sounds == (), "it begins anew"
    assert len(asked) == 2


def test_two_bottles_are_two_events_and_a_lasting_one_is_one():
    queue, (delay, asked) = SoundQueue(3), fixed(0.2, 0.2, 0.2)
    one, other = sound("bottle", (1, 0)), sound("bottle", (2, 0))
    assert [len(queue.step(heard(one), delay, now).sounds) for now in (0.0, 0.1, 0.2, 0.3)] == [0, 0, 1, 1]
    assert queue.step(heard(one, other), delay, 0.4).sounds == (one,)
    assert queue.step(heard(other), delay, 0.6).sounds == (other,)
    assert len(asked) == 2


def test_with_no_delay_everything_is_as_it_was_heard():
    queue, (delay, _) = SoundQueue(3), fixed(0.0, 0.0, 0.0)
    raw = heard(sound("bottle", (1, 0)), sound("voice", (0, 1), made_by=3))
    now = queue.step(raw, delay, 3.0)
    assert now.sounds == raw.sounds
    assert (now.heard == raw.heard).all()
    assert (now.loudness == raw.loudness).all()


def test_bad_input_is_named():
    queue = SoundQueue(2)
    for make in (
        lambda: queue.step(heard(), lambda *_: 0.0, 0.0),
        lambda: queue.step("x", lambda *_: 0.0, 0.0),
        lambda: SoundQueue(3).step(heard(), 0.1, 0.0),
        lambda: SoundQueue(-1),
        lambda: SoundQueue(1, keeps=-1.0),
    ):
        with pytest.raises(InputError):
            make()
