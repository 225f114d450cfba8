"""Straight walks of a thought: asked of the level once, and as if each had been asked alone."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.crews.shipped import destinations
from lastseen.agents.crews.shipped.destinations import members_walk_straight, slots
from lastseen.reasoning.tactical.slots import straight_walks, walks_from
from specimens.crews import crew_of

RINGS = ({"radius": 1.5, "count": 8, "apart": 1.0}, {"radius": 3.5, "count": 6, "apart": 1.2})


def test_rings_and_members_of_a_thought_are_asked_for_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, mind = crew_of([(4, 6), (5, 7), (6, 4)])
    polled = [slots(mind, **ring) for ring in RINGS]
    hall.world.bodies.xyz[hall.target] += (-0.5, 0.25, 0.0)
    hall.see()
    mind.begin()
    asked = []

    def counted(*given):
        asked.append(len(given[2]))
        return walks_from(*given)

    monkeypatch.setattr(destinations, "walks_from", counted)
    place = mind.known.place
    assert place is not None
    assert members_walk_straight(mind, place).all()
    for before, ring in zip(polled, RINGS):
        moved = slots(mind, **ring)
        alone = straight_walks(hall.world.cells, place, before.xyz + np.array((-0.5, 0.25, 0.0)))[1]
        assert np.array_equal(moved.xyz, alone)
        assert moved.number.tolist() == before.number.tolist()
    assert asked == [3 + 8 + 6]


def test_a_ring_polled_in_this_thought_is_not_taken_for_the_one_before() -> None:
    hall, mind = crew_of([(4, 6), (5, 7)])
    hall.world.bodies.xyz[hall.target] = (1.0, 6.0, 0.0)
    hall.see()
    mind.begin()
    slots(mind, **RINGS[1])
    hall.world.bodies.xyz[hall.target] = (10.0, 6.0, 0.0)
    hall.see()
    mind.begin()
    first = slots(mind, **RINGS[1])
    again = slots(mind, **RINGS[1])
    assert len(first) == 6, "polled anew: at the wall some had been turned"
    assert np.array_equal(again.xyz, first.xyz)
