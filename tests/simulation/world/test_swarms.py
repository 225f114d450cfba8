"""Swarms: what they attack, how they flow, what their stings do, and how others keep away."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lastseen.agents.brains.swarms import Swarm, Swarms
from lastseen.errors import ScenarioError
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario, shipped_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.swarms import next_cells
from lastseen.views.prose.sentences import Sentences
from specimens.worlds import Play

HIVE = """
level: corridor
seconds: 60
step: 0.05
ends: []
swarms:
  - {{name: bees, place: [20, 4], count: 20, range: 4, fells: 2{swarm}}}
agents:
  - {{name: you, brain: puppet, at: {you}}}
{more}
"""
GUARD = '  - {name: Ames, at: [5, 4], heading: 3.14, patrol: ""}'


def play_of(*, you: str = "[18, 4]", swarm: str = "", more: str = GUARD) -> Play:
    return Play(HIVE.format(you=you, swarm=swarm, more=more))


def bees(play: Play) -> Swarm:
    assert play.world.swarms is not None
    return play.world.swarms.each[0]


def steps_of(play: Play) -> list[str]:
    return [event.step for event in play.of_kind("swarm")]


def test_an_agent_in_reach_is_attacked_and_goes_down_after_some_seconds_in_their_midst() -> None:
    play = play_of().run(10.0)
    assert steps_of(play) == ["attacks", "fells"]
    attack, fell = play.of_kind("swarm")
    # The first creatures have 2 m to fly at 3.5 m/s before the two seconds begin.
    assert 2.0 + 0.1 <= (fell.tick - attack.tick) * play.world.step <= 2.0 + 2.0
    assert play.states["you"][-1] == "down"
    assert bees(play).prey == -1
    assert np.linalg.norm(bees(play).xyz - bees(play).nest, axis=1).max() < 2.5  # and they fly home


def test_an_agent_out_of_reach_is_left_alone_and_the_creatures_stay_about_their_nest() -> None:
    play, seen = play_of(you="[15, 4]"), []
    play.run(5.0, each=lambda world: seen.append(bees(play).xyz.copy()))
    assert not play.of_kind("swarm")
    assert np.linalg.norm(np.array(seen) - bees(play).nest, axis=2).max() < 2.5
    assert np.abs(np.diff(np.array(seen), axis=0)).max() <= 3.5 * play.world.step + 1e-9  # no faster than their speed
    assert np.ptp(np.array(seen), axis=0).max() > 0.5  # but they move


@pytest.mark.parametrize(("swarm", "attacked"), [(", team: intruders", False), (", team: guards", True), ("", True)])
def test_a_swarm_leaves_its_own_team_alone(swarm: str, attacked: bool) -> None:
    assert bool(play_of(swarm=swarm).run(2.0).of_kind("swarm")) is attacked


def test_it_lets_off_what_is_twice_as_far_from_its_nest_as_it_reaches() -> None:
    rows = [f"{{at: {at}, do: place, agent: you, place: [{x}, 4]}}" for at, x in ((1, 26), (2, 30))]
    more = f"{GUARD}\nscript: [{', '.join(rows)}]"
    play = play_of(swarm=", speed: 0.5", more=more).run(1.9)
    assert steps_of(play) == ["attacks"]
    assert steps_of(play.run(1.0)) == ["attacks", "lets off"]


def test_an_agent_in_a_hiding_place_is_not_attacked() -> None:
    play = play_of(more=GUARD)
    play.world.bodies.mode[0] = 1  # hidden
    assert not play.run(2.0).of_kind("swarm")


def test_a_shut_door_keeps_creatures_in_and_stings_are_counted_side_by_side() -> None:
    door = """
level: rooms
seconds: 30
step: 0.05
ends: []
swarms: [{name: bees, place: [9, 4], count: 10, range: 10, fells: 60}]
agents: [{name: you, brain: puppet, at: [16, 3]}]
"""
    play = Play(door)
    shut = [number for number, one in enumerate(play.world.level.doors) if one.starts_closed]
    assert shut
    west = float(np.mean([play.world.level.doors[number].outline_xy[:, 0].mean() for number in shut]))
    play.run(8.0)
    assert not play.of_kind("swarm")
    assert (bees(play).xyz[:, 0] < west).all()
    # With the door open the same agent is in reach.
    row = f"{{at: 0, do: open door, door: {play.world.level.doors[shut[0]].name}}}"
    assert Play(door.replace("ends: []", f"ends: []\nscript: [{row}]")).run(8.0).of_kind("swarm")


def test_guards_and_civilians_that_see_it_run_from_it_and_return() -> None:
    people = """  - {name: Ames, at: [16, 4], heading: 0, patrol: ""}
  - {name: Wren, brain: civilian, at: [24.5, 4], patrol: ""}"""
    play = play_of(you="[2, 4]", swarm=", team: intruders", more=people).run(25.0)
    of = Sentences.of_world(play.world)
    assert of(play.of_kind("swarm")[0]) == "bees: the swarm attacks Ames"
    assert {"flee"} <= set(play.states["Ames"]) & set(play.states["Wren"])
    assert "fells" not in steps_of(play)  # they run faster than it flies
    assert [event.query for event in play.of_kind("picks place")].count("shun") >= 2
    assert play.states["Ames"][-1] in ("patrol", "return")


def test_the_nearest_agent_to_walk_is_attacked_worked_by_hand() -> None:
    more = f"{GUARD}\n  - {{name: near, brain: puppet, at: [22, 4]}}"
    play = play_of(you="[17, 4]", more=more).run(0.1)
    assert [play.world.names[event.agent] for event in play.of_kind("swarm")] == ["near"]


def slow_next(swarms: Swarms, swarm: Swarm, cell: int) -> set[int]:
    """Return the cells to which a creature may fly on: described plainly."""
    best: dict[int, float] = {}
    for other, length in zip(swarms.links[cell].tolist(), swarms.lengths[cell].tolist()):
        there, here = swarm.metres[other], swarm.metres[cell]
        if np.isfinite(there) and np.isfinite(here) and abs(there - here) <= length + 1e-6:
            best[other] = there
    about = 0.8 if swarm.prey >= 0 else 1.5
    close = {other for other, metres in best.items() if metres <= about}
    if close or not best:
        return close or {cell}
    least = min(best.values())
    return {other for other, metres in best.items() if metres <= least + 0.3}


@pytest.mark.parametrize("seed", range(4))
def test_creatures_fly_on_as_plain_python_says(seed: int) -> None:
    world = make_world(parse_scenario(HIVE.format(you="[18, 4]", swarm="", more=GUARD)))
    swarms, random = world.swarms, np.random.default_rng(seed)
    assert swarms is not None
    swarm = swarms.each[0]
    swarm.prey = seed % 2 - 1
    swarm.metres = np.where(random.random(len(world.cells)) < 0.1, np.inf, random.uniform(0.0, 4.0, len(world.cells)))
    cells = random.integers(0, len(world.cells), 300).astype(np.int32)
    for cell, chosen in zip(cells.tolist(), next_cells(swarms, swarm, cells).tolist()):
        assert chosen in slow_next(swarms, swarm, cell)


def test_swarms_are_recorded_explained_and_run_the_same_again(tmp_path: Path) -> None:
    setting = shipped_scenario("beekeeper")
    worlds: list[SimpleNamespace] = []
    outcome = record(make_world(setting), tmp_path / "bees.rec", each=lambda now: worlds.append(
        SimpleNamespace(xyz=now.swarms.each[0].xyz.copy(), prey=now.swarms.each[0].prey)
    ))  # fmt: skip
    recording = Recording.read(tmp_path / "bees.rec")
    assert recording.about.notes["swarms"] == [{"name": "bees", "count": 40}]
    for tick in (0, 60, len(recording) - 1):
        columns = recording.frame(tick).columns
        assert columns["swarm_xyz"] == pytest.approx(worlds[tick].xyz, abs=1e-4)
        assert columns["swarm_prey"].tolist() == [worlds[tick].prey]
    attack = next(event for event in recording.events() if event.kind == "swarm")
    tree = account_of(recording, "Ames", attack.tick * recording.about.step + 0.3).tree
    assert any("is_swarmed" in line.text and line.status == "success" for line in tree)
    again = make_world(setting)
    while again.ending is None:
        step(again)
    assert again.trace.digest.hexdigest() == outcome.digest


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("name: bees, ", "name: '', ", "its name is empty"),
        ("place: [20, 4], ", "", "a nest is at one place"),
        ("place: [20, 4], ", "marker: hive, ", "no marker 'hive'"),
        ("place: [20, 4], ", "place: [20, 40], ", "the nest is off the walkable floor"),
        ("count: 20", "count: 0", "count"),
        ("count: 20", "count: 100000", "count"),
        ("range: 4", "range: 0", "range"),
        ("range: 4", "rnage: 4", "did you mean 'range'"),
        ("fells: 2", "fells: -1", "fells"),
        ("fells: 2", "fells: 2, speed: fast", "speed"),
        ("fells: 2", "fells: 2, team: intruder", "no team 'intruder' (did you mean 'intruders'?)"),
        ("fells: 2}", "fells: 2}\n  - {name: bees, place: [10, 4]}", "there already is a swarm 'bees'"),
    ],
)
def test_bad_swarms_are_reported_with_line_and_advice(old: str, new: str, words: str) -> None:
    text = HIVE.format(you="[18, 4]", swarm="", more=GUARD)
    assert old in text
    with pytest.raises(ScenarioError) as error:
        make_world(parse_scenario(text.replace(old, new, 1)))
    assert words in str(error.value)
    assert "line " in str(error.value)
