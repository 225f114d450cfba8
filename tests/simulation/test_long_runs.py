"""Long seeded runs on every sample level: nobody gets stuck, overlaps or flaps, and each ends for a named reason."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen import Level
from lastseen.agents.senses.vision.vision import ZoneVision, stretched, vision
from lastseen.kernels.arrays.agent_arrays import ACTIVE
from lastseen.level.samples import SAMPLES
from lastseen.simulation.world.world import World
from specimens.worlds import Play

SECONDS = 75.0
SEARCHES = ("influence", "coordinator", "both")


def _text(level: str, number: int) -> str:
    who = [
        f"  - {{name: {spawn.name}, brain: {'guard' if spawn.who == 'guard' else 'roamer, speed: 2.0'}}}"
        for spawn in Level.sample(level).spawns
    ]
    head = f"level: {level}\nseconds: {SECONDS}\nstep: 0.1\nseed: {number}\nends: []\nsearch: {SEARCHES[number % 3]}"
    return "\n".join([head, "agents:", *who, ""])


class _Watch:
    """Counts what must not happen."""

    def __init__(self, world: World):
        self.place, self.still = world.bodies.xyz.copy(), np.zeros(len(world.names))
        self.longest, self.nearest = 0.0, np.inf

    def __call__(self, world: World) -> None:
        bodies = world.bodies
        moved = np.linalg.norm(bodies.xyz - self.place, axis=1) > 0.3
        idle = moved | (world.orders.arrays.going == 0) | (bodies.mode != ACTIVE)
        self.still = np.where(idle, 0.0, self.still + world.step)
        self.place[idle] = bodies.xyz[idle]
        self.longest = max(self.longest, float(self.still.max()))
        here = np.flatnonzero(bodies.mode == ACTIVE)
        away = np.linalg.norm(bodies.xyz[here][:, None] - bodies.xyz[here][None], axis=2)
        away /= bodies.radius[here][:, None] + bodies.radius[here][None]
        self.nearest = min(self.nearest, float((away + 9.0 * np.eye(len(here))).min()))


@pytest.mark.parametrize(
    ("number", "level"),
    [
        pytest.param(number, level, marks=[pytest.mark.long] * (level == "complex"))
        for number, level in enumerate(SAMPLES)
    ],
)
def test_a_long_run_ends_for_a_named_reason_with_nobody_stuck_overlapping_or_flapping(number: int, level: str) -> None:
    play = Play(_text(level, number))
    watch = _Watch(play.world)
    play.run(SECONDS, watch)
    assert play.outcome.reason == "time over"
    assert watch.longest <= 4.0, "somebody who walks gets on"
    assert watch.nearest >= 0.95
    for name, brain in ((spec.name, spec.brain) for spec in play.world.scenario.agents):
        if brain == "guard":
            assert len(play.states[name]) <= SECONDS / 2.0, (name, play.states[name])


def test_what_a_level_says_of_bodies_and_eyes_is_honoured_and_the_scenario_has_the_last_word() -> None:
    text = """
level: corridor
agents:
  - {name: Ames}
  - {name: Bell, at: [4, 4], speed: 3.2, turn_speed: 1.0, view_distance: 24, sensitivity: 0.0}
  - {name: you, brain: puppet, at: [30, 4]}
"""
    world = Play(text).world
    assert world.cast.pace[:2] == pytest.approx((1.4 / 1.6, 2.0))
    assert world.crowd.turn_speed[:2] == pytest.approx([np.radians(120.0), 1.0])
    assert world.cast.view_distance == pytest.approx([20.0, 40.0])
    assert len(world.senses.looking) == 2
    assert world.senses.ears.sensitivity.tolist() == [1.0, 0.0]


def test_stretching_a_model_stretches_lengths_and_angles_and_nothing_else() -> None:
    zones = vision("zones")
    assert isinstance(zones, ZoneVision)
    further = stretched(zones, distance=24.0)
    wider = stretched(zones, angle=np.radians(120.0))
    assert isinstance(further, ZoneVision)
    assert isinstance(wider, ZoneVision)
    assert [zone.shape.far for zone in further.zones] == pytest.approx([2.0 * zone.shape.far for zone in zones.zones])
    assert further.zones[1].shape.half_angle == zones.zones[1].shape.half_angle  # type: ignore[union-attr]
    assert wider.zones[1].shape.half_angle == pytest.approx(2.0 * zones.zones[1].shape.half_angle)  # type: ignore[union-attr]
    assert stretched(zones) is zones
    for name in ("coffin", "boxes", "narrowing"):
        assert stretched(vision(name), np.radians(90.0), 6.0) != vision(name)
