"""Contacts are told once, when they begin."""

from __future__ import annotations

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.bodies.contacts import Contacts
from lastseen.kernels.arrays.agent_arrays import GONE
from lastseen.kernels.bodies.neighbours import Nearby
from specimens.worlds import Play


def near(count: int) -> Nearby:
    """Everybody is near everybody."""
    other = [j for i in range(count) for j in range(count) if j != i]
    return Nearby(np.arange(count + 1, dtype=np.int32) * (count - 1), np.array(other, np.int32))


def test_a_contact_is_told_at_its_beginning_and_again_after_they_were_apart():
    contacts, told = Contacts(), []
    for gap in (0.3, 0.0, 0.005, 0.1, 0.0, 0.2, 0.0):
        table = bodies([(0, 0, 0), (0.6 + gap, 0, 0)], velocity_xy=(1.0, 0.0))
        told.append(contacts.update(table, near(2), np.ones(2, np.bool_)))
    assert told == [[], [(0, 1)], [], [], [], [], [(0, 1)]]


def test_those_who_stand_still_side_by_side_run_into_nobody():
    assert Contacts().update(bodies([(0, 0, 0), (0.6, 0, 0)]), near(2), np.ones(2, np.bool_)) == []


def test_only_one_team_counts_and_only_those_who_are_there():
    table = bodies([(0, 0, 0), (0.6, 0, 0), (0.3, 0.5, 0)], velocity_xy=(1.0, 0.0), team=[0, 1, 0])
    assert Contacts().update(table, near(3), table.team == 0) == [(0, 2)]
    table.mode[2] = GONE
    assert Contacts().update(table, near(3), table.team == 0) == []


def test_guards_who_run_into_one_another_are_told_of_where_people_fight_or_do_things_together():
    text = """
level: corridor
rules: none
{key}
agents:
  - {{name: Ames, brain: puppet, team: guards, at: [4, 4]}}
  - {{name: Bell, brain: puppet, team: guards, at: [8, 4]}}
  - {{name: you, brain: puppet, at: [20, 4]}}
"""

    def walk(world):
        orders = world.orders.arrays
        orders.goal_xyz[:2] = world.bodies.xyz[[1, 0]]
        orders.going[:2], orders.speed[:2] = 1, 1.6
        orders.toward[:2] = [1, 0]

    for key in ("combat: true", "crews: true"):
        told = Play(text.format(key=key)).run(4.0, walk).of_kind("contact")
        assert [(event.agent, event.other) for event in told] == [(0, 1)]
    assert Play(text.format(key="combat: false")).run(4.0, walk).of_kind("contact") == []
