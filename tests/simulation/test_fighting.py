"""Strikes and shots: wind-up, reach, rest, lines of fire, health, and going down."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.arrays.agent_arrays import ACTIVE, BODY
from lastseen.simulation.game_loop import step
from lastseen.simulation.systems.act import set_door
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from specimens.duels import STEP, duel, order, ticks
from specimens.worlds import Play


def test_a_strike_takes_its_time_and_costs_health() -> None:
    play = duel("name: Ames, at: [10.5, 9]")
    order(play, "strike")
    play.run(1.0)
    assert ticks(play, "attack") == [0]
    assert [tick * STEP for tick in ticks(play, "hit")] == [pytest.approx(0.4)]
    assert play.world.combat.health.tolist() == [100.0, 80.0]
    (hit,) = play.of_kind("hit")
    assert (hit.agent, hit.other, hit.health) == (0, 1, 80.0)


def test_who_steps_back_in_time_is_missed() -> None:
    play = duel("name: Ames, at: [10.5, 9]")
    order(play, "strike")
    play.run(1.0, lambda world: apply_input(world, 1, PlayerInput((1.0, 0.0), "run")))
    assert [event.reason for event in play.of_kind("missed")] == ["out of reach"]
    assert play.world.combat.health.tolist() == [100.0, 100.0]


@pytest.mark.parametrize(
    ("at", "begins"), [("[10.21, 9]", True), ("[10.19, 9]", False), ("[12, 10.79]", True), ("[12, 10.81]", False)]
)
def test_one_strikes_within_reach_only(at: str, begins: bool) -> None:
    play = duel(f"name: Ames, at: {at}")
    order(play, "strike")
    assert bool(play.run(0.2).of_kind("attack")) is begins


@pytest.mark.parametrize(("arms", "kind"), [("melee", "strike"), ("ranged", "shoot")])
@pytest.mark.parametrize(("y", "begins"), [(5.5, True), (2.5, False)])
def test_nobody_strikes_or_shoots_through_a_wall(arms: str, kind: str, y: float, begins: bool) -> None:
    """The same distance once through an open door and once through the wall beside it."""
    play = _two_rooms(arms, y)
    order(play, kind)
    assert bool(play.run(0.2).of_kind("attack")) is begins


def _two_rooms(arms: str, y: float) -> Play:
    play = Play(f"""
level: rooms
rules: none
combat: true
agents:
  - {{name: Ames, brain: puppet, team: guards, at: [10.65, {y}], attack: {arms}}}
  - {{name: you, brain: puppet, at: [12.35, {y}]}}
""")
    set_door(play.world, 0, shut=False, by=-1)
    return play


def test_one_rests_after_a_blow() -> None:
    play = duel("name: Ames, at: [10.5, 9]")
    play.run(4.0, lambda world: order(play, "strike"))
    began = ticks(play, "attack")
    assert len(began) == 3
    assert np.diff(began).tolist() == [round(1.4 / STEP)] * 2


def test_arms_decide_what_one_can_do() -> None:
    play = duel(
        "name: Ames, at: [10.5, 9]; name: Bell, at: [12, 7.5], attack: ranged; name: Cole, at: [13, 9], attack: none"
    )
    for agent in range(3):
        for kind in ("strike", "shoot"):
            order(play, kind, agent)
    play.run(0.2)
    assert [(event.agent, event.blow) for event in play.of_kind("attack")] == [(0, "strike"), (1, "shoot")]


def test_shots_reach_as_far_as_their_range_and_are_heard() -> None:
    play = duel("name: Ames, at: [4, 9], attack: ranged", combat="{range: 8.1, near_chance: 1, far_chance: 1}")
    order(play, "shoot")
    play.run(1.0)
    assert play.world.combat.health.tolist() == [100.0, 88.0]
    far = duel("name: Ames, at: [4, 9], attack: ranged", combat="{range: 7.9}")
    order(far, "shoot")
    assert not far.run(1.0).of_kind("attack")


def test_shots_hit_by_chance_and_the_same_seed_draws_the_same() -> None:
    def shares(seed: int) -> tuple[int, int, str]:
        play = duel(
            "name: Ames, at: [4, 9], attack: ranged",
            you="at: [12, 9], health: 100000",
            combat="{near_chance: 0.5, far_chance: 0.5, shot_seconds: 0.0, shot_rest: 0.0}",
            more=f"seed: {seed}",
        )
        play.run(10.0, lambda world: order(play, "shoot"))
        return len(play.of_kind("hit")), len(play.of_kind("missed")), play.outcome.digest

    hits, misses, digest = shares(1)
    assert hits + misses == 300
    assert 110 < hits < 190
    assert shares(1) == (hits, misses, digest)
    assert shares(2)[2] != digest


def test_a_shot_is_held_while_a_colleague_is_in_its_line() -> None:
    play = duel("name: Ames, at: [4, 9], attack: ranged; name: Bell, at: [8, 9.2]")
    play.run(0.5, lambda world: order(play, "shoot"))
    (crossed,) = play.of_kind("line crossed")
    assert (crossed.agent, crossed.other, crossed.held) == (0, 1, True)
    assert not play.of_kind("attack")
    assert play.world.combat.health.tolist() == [100.0] * 3


def test_one_who_comes_into_the_line_while_somebody_aims_holds_the_shot() -> None:
    play = duel("name: Ames, at: [4, 9], attack: ranged; name: Bell, at: [8, 7.6]")
    order(play, "shoot")

    def step_in(world) -> None:
        if world.time > 0.3:
            world.bodies.xyz[1, 1] = 9.1

    play.run(0.8, step_in)
    assert len(play.of_kind("attack")) == len(play.of_kind("line crossed")) == 1
    assert not play.of_kind("hit")
    assert not play.of_kind("missed")


def test_with_friendly_fire_the_colleague_is_hit() -> None:
    rules = "{friendly_fire: true, near_chance: 1, far_chance: 1}"
    play = duel("name: Ames, at: [4, 9], attack: ranged; name: Bell, at: [8, 9.2]", combat=rules)
    order(play, "shoot")
    play.run(1.0)
    assert [event.held for event in play.of_kind("line crossed")] == [False]
    assert play.world.combat.health.tolist() == [100.0, 88.0, 100.0]


def test_at_no_health_one_goes_down_and_the_last_intruder_ends_it() -> None:
    play = duel("name: Ames, at: [10.5, 9]", you="at: [12, 9], health: 20")
    order(play, "strike")
    play.run(2.0)
    assert play.outcome.reason == "beaten"
    (fell,) = play.of_kind("fell")
    assert (fell.agent, fell.other) == (1, 0)
    assert play.world.bodies.mode.tolist() == [ACTIVE, BODY]
    assert play.world.state_of(1) == "down"
    apply_input(play.world, 1, PlayerInput((1.0, 0.0), "run", use=True))
    step(play.world)


def test_it_goes_on_while_another_intruder_stands_or_where_it_should() -> None:
    two = duel("name: Ames, at: [10.5, 9]", you="at: [12, 9], health: 20}\n  - {name: two, brain: puppet, at: [20, 9]")
    order(two, "strike", 0, 1)
    assert two.run(2.0).outcome.reason == "stopped"
    assert two.of_kind("fell")
    on = duel("name: Ames, at: [10.5, 9]", you="at: [12, 9], health: 20", more="ends: [caught]")
    order(on, "strike")
    assert on.run(2.0).outcome.reason == "stopped"


def test_blows_of_one_moment_all_come() -> None:
    play = duel("name: Ames, at: [10.5, 9], health: 20", you="at: [12, 9], health: 20")
    order(play, "strike", 0, 1)
    order(play, "strike", 1, 0)
    play.run(1.0)
    assert sorted(event.agent for event in play.of_kind("fell")) == [0, 1]


def test_who_went_down_strikes_nobody() -> None:
    play = duel("name: Ames, at: [10.5, 9], health: 20; name: Bell, at: [12, 7.5]")
    order(play, "strike", 2, 0)
    play.run(0.2)
    order(play, "strike", 0, 2)
    play.run(1.0)
    assert [event.agent for event in play.of_kind("hit")] == [2]


def test_a_guard_that_is_hit_from_behind_turns_and_strikes_back() -> None:
    play = Play("""
level: hall
rules: none
combat: true
agents:
  - {name: Ames, at: [10.5, 9], heading: 3.14, patrol: ""}
  - {name: you, brain: puppet, at: [12, 9]}
""")
    order(play, "strike", 1, 0)
    play.run(0.5)
    assert play.world.knowledge.arrays.identified[0, 0] == 1
    assert math.cos(play.world.bodies.heading[0]) < 0.0
    headings = []
    play.run(2.0, lambda world: headings.append(world.bodies.heading[0]))
    hit, (back, *_) = play.of_kind("hit")[0], [event for event in play.of_kind("attack") if event.agent == 0]
    assert hit.tick < back.tick
    assert abs(headings[back.tick - 15]) <= math.radians(60.0)
