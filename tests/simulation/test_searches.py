"""Kinds of search in a scenario: influence, the coordinator, and both."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.reasoning.search import gaps
from lastseen.simulation.world.world import World
from specimens.worlds import Play

FIVE = """
level: warehouse
seconds: 120
step: 0.1
search: {search}
search_seconds: 12
sharing: broadcast
agents:
  - {{name: Ames, at: [10, 16]}}
  - {{name: Bell, at: [12, 14]}}
  - {{name: Cole, at: [14, 16]}}
  - {{name: Dane, at: [10, 18]}}
  - {{name: Evan, at: [8, 14]}}
  - {{name: you, brain: puppet, at: [22, 16]}}
script:
  - {{at: 1.5, do: remove, agent: you}}
"""
GUARDS = ("Ames", "Bell", "Cole", "Dane", "Evan")


@pytest.fixture(scope="module", params=["gain", "influence", "careful", "bleeding", "coordinator", "both"])
def play(request: pytest.FixtureRequest) -> Play:
    return Play(FIVE.format(search=request.param)).run(60.0)


def test_everybody_searches_gives_up_at_its_own_time_and_goes_back(play: Play) -> None:
    for name in GUARDS:
        order = [state for state in play.states[name] if state in ("search", "return", "patrol")]
        assert order[-3:] == ["search", "return", "patrol"]
    times = [event.tick for event in play.of_kind("gives up")]
    assert len(times) == len(GUARDS)
    assert len(set(times)) == len(GUARDS)
    assert (max(times) - min(times)) * play.world.step > 1.0


def test_the_layer_is_clean_and_nobody_is_left_in_the_search_after_its_end(play: Play) -> None:
    assert not play.world.hunt.search.layer.values.any()
    assert play.world.hunt.members == ()
    assert len(play.of_kind("search over")) == 1


def test_in_the_first_phase_three_investigate_and_the_others_cover_from_where_they_see_the_place() -> None:
    play = Play(FIVE.format(search="coordinator")).run(2.4)
    coordinator = play.world.hunt.coordinator
    assert coordinator is not None
    assert coordinator.phase == 1
    roles = sorted(coordinator.order(agent).role for agent in coordinator.members)
    assert roles == ["investigate"] * 3 + ["support"] * 2
    covers = [event for event in play.of_kind("searches") if event.role == "support"]
    assert len(covers) == 2
    places = np.array([event.at for event in covers])
    away = np.linalg.norm(places - coordinator.estimate_xyz, axis=1)
    assert ((away >= 2.5) & (away <= 14.0)).all()
    assert np.linalg.norm(places[0] - places[1]) > 1.0


def test_all_sweep_from_the_same_step_and_never_two_at_one_spot() -> None:
    play = Play(FIVE.format(search="coordinator"))
    shared = []

    def watch(world: World) -> None:
        assert world.hunt.coordinator is not None
        pool = world.hunt.coordinator.spots
        owners = pool.owner[pool.owner >= 0].tolist()
        shared.append(len(owners) != len(set(owners)))

    play.run(20.0, watch)
    advanced = play.of_kind("phase advanced")
    assert len({event.tick for event in advanced}) == 1
    assert len(advanced) == len(GUARDS)
    assert not any(shared)


def test_searchers_of_a_coordinator_glance_into_gaps_they_pass() -> None:
    play = Play(FIVE.format(search="coordinator"))
    glances: set[int] = set()
    play.run(20.0, lambda world: glances.update(world.hunt.glances))
    assert glances
    reasons = {tree.find("go_searching").reason for tree in play.world.trees[:5] if tree is not None}
    assert reasons


@pytest.mark.parametrize("response", ["walk over", "glance"])
def test_who_walks_over_to_a_gap_comes_there_and_looks_in_before_it_goes_on(
    response: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "RESPONSES", (response,))
    play = Play(FIVE.format(search="coordinator"))
    walked: dict[tuple[float, ...], float] = {}
    looked_in: list[float] = []

    def note(world: World) -> None:
        for number, (gap, until) in world.hunt.glances.items():
            tree = world.trees[number]
            reason = tree.find("go_searching").reason if tree is not None else ""
            away = math.dist(world.bodies.xyz[number].tolist(), gap.xyz.tolist())
            if world.time < until and reason.startswith("walks over"):
                walked[tuple(gap.xyz.tolist())] = away
            if world.time < until and gap.response == "turn" and away <= 0.7:
                looked_in.append(math.cos(float(world.bodies.gaze[number]) - gap.heading))

    play.run(25.0, note)
    if response == "glance":
        assert not walked
        assert not looked_in
        return
    assert len(walked) >= 3
    assert np.mean([away <= 0.8 for away in walked.values()]) >= 0.5, "most come there"
    assert max(looked_in) > 0.9, "and look straight in"
    assert play.of_kind("gives up"), "the search goes on to its end"


def test_both_lasts_its_time_where_the_coordinator_alone_runs_out_of_spots() -> None:
    ends = {}
    for search in ("coordinator", "both"):
        text = (
            FIVE.format(search=search)
            .replace("level: warehouse", "level: corridor")
            .replace("at: [10, 16]", "at: [4, 4]")
        )
        for old, new in (("[12, 14]", "[5, 3]"), ("[14, 16]", "[6, 4]"), ("[10, 18]", "[3, 3]"), ("[8, 14]", "[2, 4]")):
            text = text.replace(old, new)
        play = Play(text.replace("at: [22, 16]", "at: [11, 4]")).run(30.0)
        ended = play.of_kind("search ended")
        ends[search] = (ended[0].tick * play.world.step, ended[0].reason)
    assert "time is up" in ends["both"][1]
    assert ends["both"][0] >= 12.0
    assert ends["coordinator"][0] < ends["both"][0]


@pytest.mark.parametrize(("grace", "near"), [("frozen", 0.5), ("followed", 12.0)])
def test_the_estimate_stays_or_follows_the_truth_for_a_while(grace: str, near: float) -> None:
    text = FIVE.format(search="coordinator").split("script")[0] + f"grace: {grace}\n"
    play = Play(text)

    def vanish(world: World) -> None:
        if world.time >= 1.5:
            # Out of sight in the offices, further away at every step.
            world.bodies.xyz[5] = (24.0 + 2.0 * (world.time - 1.5), 2.5, 0.0)

    play.run(6.0, vanish)
    coordinator = play.world.hunt.coordinator
    assert coordinator is not None
    lost = next(event for event in play.events if event.kind == "lost")
    first = next(event for event in play.events if event.kind == "search started")
    assert lost.at is not None
    assert first.at is not None
    believed = coordinator.estimate_xyz if coordinator.estimate_xyz is not None else np.array(first.at)
    moved = math.dist(believed.tolist(), lost.at)
    assert moved <= near
    assert (moved > 4.0) == (grace == "followed")


def test_gunfire_begins_an_aggressive_search_and_a_bottle_does_not() -> None:
    for kind, wanted in (("gunshot", "search"), ("bottle", "suspicious")):
        text = f"""
level: warehouse
step: 0.1
seconds: 60
search: coordinator
agents:
  - {{name: Ames, at: [10, 16], heading: 3.14}}
  - {{name: Bell, at: [12, 14], heading: 3.14}}
script:
  - {{at: 1.0, do: sound, kind: {kind}, place: [20, 16]}}
"""
        play = Play(text).run(4.0)
        busy = [name for name in ("Ames", "Bell") if wanted in play.states[name]]
        assert len(busy) == (2 if kind == "gunshot" else 1)
        assert bool(play.of_kind("search started")) == (kind == "gunshot")


def test_one_in_a_wardrobe_is_found_by_a_coordinated_search_too() -> None:
    text = """
level: corridor
seconds: 200
step: 0.1
search: coordinator
search_seconds: 120
ends: [found, caught]
agents:
  - {name: Ames, at: [6, 4], heading: 0.0}
  - {name: you, brain: puppet, at: [14, 4]}
"""
    play = Play(text)
    hiding = play.world.level.hiding_places[0]

    def hide(world: World) -> None:
        if world.time > 1.2 and world.bodies.mode[1] == 0:
            world.bodies.xyz[1] = hiding.xyz
            world.bodies.mode[1] = 1
            world.acts.hidden_in[1] = 0

    play.run(150.0, hide)
    assert play.outcome.reason == "found"
