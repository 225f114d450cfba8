"""Light, camouflage, smoke, the player's view and ways to hear change what guards at work perceive."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from lastseen.errors import ScenarioError
from lastseen.level.features import Door, Zone
from lastseen.level.level import Level
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import parse_scenario, setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Incident, PlayerView, Scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from specimens.perception import block, door, hall

GUARD = AgentSpec("Cole", at=(10.0, 20.0), heading=0.0)
THIEF = AgentSpec("you", "puppet", at=(15.0, 20.0))
BOX = np.array([(13.0, 18.0), (18.0, 18.0), (18.0, 22.0), (13.0, 22.0)])


def level(kind: str = "room", **parts: tuple[Door, ...]) -> Level:
    return dataclasses.replace(hall(**parts), zones=(Zone(BOX, 0.0, 3.0, "shed", kind),))


def world_of(scenario: dict[str, object], place: Level | None = None, thief: AgentSpec = THIEF) -> World:
    keys: dict[str, object] = {"ends": (), "reaction": "at once", "rules": "none", **scenario}
    agents = keys.pop("agents", (GUARD, thief))
    return make_world(setting_of(Scenario("here", agents, **keys), level=place or level()))  # type: ignore[arg-type]


def seen(world: World) -> tuple[float, str]:
    """Certainty of the guard after a step, and why."""
    step(world)
    assert world.senses.sightings is not None
    return round(float(world.senses.sightings.certainty[0, 0]), 3), world.senses.sightings.why(0, 0)


def test_zones_and_scenarios_say_how_lit_somebody_is() -> None:
    assert seen(world_of({})) == (1.0, "seen")
    assert seen(world_of({}, level("dark"))) == (0.76, "seen")
    assert seen(world_of({"light": 0.0})) == (0.7, "seen")
    assert seen(world_of({"light": 0.0}, level("lit"))) == (1.0, "seen")
    assert seen(world_of({"lights": {"shed": 0.5}}, level("dark"))) == (0.85, "seen")
    assert seen(world_of({"light": 0.05, "vision": "coffin"})) == (0.0, "dark")
    outside = world_of({"lights": {"shed": 0.0}}, thief=AgentSpec("you", "puppet", at=(12.0, 20.0)))
    assert seen(outside) == (1.0, "seen")
    assert outside.senses.light.tolist() == [1.0, 1.0]


def test_a_light_may_be_switched() -> None:
    world = world_of({"script": (Incident("light", 0.1, zone="shed", value=0.0),)})
    assert seen(world)[0] == 1.0
    for _ in range(4):
        step(world)
    assert seen(world)[0] == pytest.approx(0.7)


def test_camouflage_is_a_trait() -> None:
    hidden = AgentSpec("you", "puppet", at=(15.0, 20.0), camouflage=1.0)
    assert seen(world_of({}, thief=hidden)) == (0.7, "seen")


def test_smoke_hides_and_deafens_until_it_is_gone() -> None:
    cloud = Incident("smoke", 0.0, place=(12.5, 20.0), radius=1.0, seconds=1.0)
    world = world_of({"script": (cloud,)})
    assert seen(world) == (0.0, "smoke")
    while world.time < 1.05:
        step(world)
    assert seen(world)[1] == "seen"
    bang = Incident("sound", 0.2, place=(9.0, 21.0), kind="gunshot")
    for place, hears in (((10.0, 20.0), False), ((30.0, 20.0), True)):
        world = world_of({"script": (Incident("smoke", 0.0, place=place, radius=2.0), bang), "agents": (GUARD,)})
        heard = []
        for _ in range(12):
            step(world)
            heard += [event for event in world.events if event.kind == "heard"]
        assert bool(heard) == hears


def test_a_body_in_smoke_is_not_found() -> None:
    fallen = AgentSpec("Dane", at=(16.0, 20.0))
    for place, finds in (((13.0, 20.0), False), ((40.0, 20.0), True)):
        script = (Incident("smoke", 0.0, place=place, radius=1.0), Incident("fell", 0.1, agent="Dane"))
        world = world_of({"script": script, "agents": (GUARD, fallen)})
        kinds = []
        for _ in range(9):
            step(world)
            kinds += [event.kind for event in world.events]
        assert ("found" in kinds) == finds


@pytest.mark.parametrize(
    ("heading", "view", "hears"),
    [
        (0.0, None, True),
        (0.0, PlayerView("you"), False),  # the guard is behind the player's back
        (np.pi, PlayerView("you"), True),
        (0.0, PlayerView("you", angle=6.2832), True),
        (np.pi, PlayerView("you", distance=5.0), False),
        (0.0, PlayerView("you", factor=1.0), True),
        (0.0, PlayerView("you", beyond=14.0), True),
    ],
)
def test_far_guards_the_player_does_not_see_hear_half_as_well(
    heading: float, view: PlayerView | None, hears: bool
) -> None:
    player = AgentSpec("you", "puppet", at=(30.0, 20.0), heading=heading)
    deaf_to_breath = AgentSpec("Cole", at=(10.0, 20.0), heading=np.pi)
    bottle = Incident("sound", 0.0, place=(23.0, 20.0), kind="bottle")
    world = world_of({"player": view, "script": (bottle,), "agents": (deaf_to_breath, player)})
    step(world)
    assert world.senses.heard is not None
    assert bool(world.senses.heard.heard[0, 0]) == hears


WALL = (block(29.7, 0.0, 30.3, 9.5), block(29.7, 11.0, 30.3, 40.0))
GATE = (door(29.7, 9.5, 30.3, 11.0, "gate"),)


def test_hearing_may_go_by_areas_whose_doors_open_and_shut() -> None:
    place = dataclasses.replace(level(), obstacles=WALL, doors=GATE)
    listener, other = AgentSpec("Cole", at=(25.0, 20.0)), AgentSpec("Dane", at=(35.0, 20.0))
    script = (
        Incident("sound", 0.1, place=(28.0, 20.0), kind="gunshot"),
        Incident("close door", 0.5, door="gate"),
        Incident("sound", 0.8, place=(28.0, 20.0), kind="gunshot"),
    )
    found = {}
    for model in ("area", "radius", "path"):
        world = world_of({"hearing": model, "script": script, "agents": (listener, other)}, place)
        heard = []
        while world.time < 1.0:
            step(world)
            assert world.senses.heard is not None
            for number, one in enumerate(world.senses.heard.sounds):
                if one.kind == "gunshot":
                    heard.append([round(float(metres), 1) for metres in world.senses.heard.metres[number]])
        found[model] = heard
    # From the shot to the gate and on to the ear, straight each; through a shut gate not at all.
    there, on = float(np.hypot(2.0, 9.75)), float(np.hypot(5.0, 9.75))
    assert found["area"][0] == [3.0, round(there + on, 1)]
    assert found["area"][1][1] == np.inf
    assert found["radius"][1][1] == np.inf
    assert found["path"][0][1] > 15.0


def test_what_is_not_there_or_makes_no_sense_is_named() -> None:
    for text, words in (
        ("lights: {attic: 0.5}", "line 3 .*no zone 'attic'"),
        ("lights: {yard: 2}", "lights"),
        ("light: -1", "light"),
        ("player: {agent: Ames}", "no intruder 'Ames'.*there are player"),
        ("hearing: ear", "hearing"),
        ("script:\n  - {at: 1, do: smoke}", "'smoke' needs 'place'"),
        ("script:\n  - {at: 1, do: light, zone: yrad, value: 0}", "did you mean 'yard'"),
        ("script:\n  - {at: 1, do: light, zone: yard, value: dim}", "light 'dim' is not a number"),
        ("agents:\n  - {name: A, at: [7, 2], camouflage: 1.5}", "camouflage"),
        ("fading: -1", "fading"),
    ):
        with pytest.raises(ScenarioError, match=words):
            parse_scenario(f"level: house\nseconds: 5\n{text}\n")
    assert parse_scenario("level: house\nlights: {yard: 0.1}\nplayer: {agent: player}\n").scenario.player is not None
