"""From a setting to a world at its first moment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..agents.behaviour.build import build_tree
from ..agents.behaviour.tree import Tree
from ..agents.bodies import bodies, copy_of
from ..agents.brains.hunt import Hunt
from ..agents.brains.leaves.registry import BLACKBOARD, brain_leaves
from ..agents.brains.mind import Mind
from ..agents.brains.ready import BRAINS, PUPPET
from ..agents.brains.surroundings import TEAMS
from ..agents.knowledge.knowledge import Knowledge
from ..agents.knowledge.sharing import sharing
from ..agents.movement.crowd import Crowd
from ..agents.orders import Orders
from ..agents.perception.changed_objects import ChangedObjects
from ..agents.perception.hearing import HearingModel, PathHearing, RadiusHearing
from ..agents.perception.hearing_case import Ears
from ..agents.perception.missing_colleague import MissingColleague
from ..agents.perception.reaction import ReactionQueue, ReactionTime
from ..agents.perception.sightings import VisionMemory
from ..agents.perception.sounds import MovementNoise
from ..agents.perception.stimuli import StimulusBoard
from ..agents.perception.vision import vision
from ..cells.build import build_layout
from ..cells.layout import CellLayout
from ..cells.live import LiveLayout
from ..conventions import Array, Floats
from ..errors import Fault, ScenarioError
from ..level.level import Level
from ..level.sight.sight import Sight
from ..navmesh.agent import Agent
from ..navmesh.build import build_navmesh
from ..navmesh.locate import nearest_many
from ..reasoning.chase.chase import Chase
from ..reasoning.chase.dead_reckoning import DeadReckoning
from ..reasoning.chase.places import LastPosition
from ..reasoning.chase.prediction import Predictor
from ..reasoning.locations.picker import Picker
from ..reasoning.search.influence import SearchMap
from ..rng import generator
from .scenario.read import Setting
from .scenario.scenario import AgentSpec
from .world import Looking, World

__all__ = ["make_world"]

_ON_MESH = 1.0
"""Metres from the walkable floor within which a starting place is put on it."""
_TEAMS = BRAINS | {PUPPET: "intruders"}


def make_world(setting: Setting, *, cells: CellLayout | None = None, seed: int | None = None) -> World:
    """Make a world at its first moment.

    Parameters
    ----------
    cells : a layout of the level baked before, with the scenario's radius and cell; else it is baked now.
    seed : in place of the scenario's.

    Raises
    ------
    ScenarioError
        An agent starts off the walkable floor.
    """
    scenario, level = setting.scenario, setting.level
    seed = scenario.seed if seed is None else seed
    layout = cells or build_layout(build_navmesh(level, Agent(radius=scenario.radius)), cell=scenario.cell)
    live, air = LiveLayout(layout), LiveLayout(layout)
    sight = Sight.from_level(level)
    shut = np.array([not door.open or door.locked for door in level.doors], np.bool_)
    for number in np.flatnonzero(shut).tolist():
        sight.set_door(number, True)
        air.close_door(level, number)
        if level.doors[number].locked:
            live.close_door(level, number)
    table, team = _bodies(setting, layout)
    count = len(setting.agents)
    watchers = np.flatnonzero(team != TEAMS.index("intruders")).astype(np.int32)
    targets = np.flatnonzero(team == TEAMS.index("intruders")).astype(np.int32)
    watcher_row = np.full(count, -1, np.int32)
    watcher_row[watchers] = np.arange(len(watchers))
    search = SearchMap(live, scenario.search, spots=_spots(level))
    pairs = (len(watchers), len(targets))
    world = World(
        level=level,
        cells=live,
        sight=sight,
        names=tuple(spec.name for spec in setting.agents),
        bodies=table,
        orders=Orders.none(count),
        crowd=Crowd(live.mesh, count),
        watchers=watchers,
        targets=targets,
        watcher_row=watcher_row,
        knowledge=Knowledge(table, watchers, targets),
        stimuli=StimulusBoard(),
        hunt=Hunt(search, scenario.search_seconds, generator(seed, "giving up").random(count)),
        predictors=_predictors(live, scenario.chase),
        picker=Picker(live, level=level, sight=sight),
        chase=scenario.chase,
        home=table.xyz.copy(),
        home_heading=table.heading.copy(),
        view_angle=np.full(len(watchers), math.radians(120.0)),
        view_distance=np.full(len(watchers), 20.0),
        step=scenario.step,
        state=np.zeros(count, np.uint8),
        seen=[-1] * len(watchers),
        door_shut=shut,
        hidden_in=np.full(count, -1, np.int32),
        scenario=scenario,
        following=copy_of(table),
        trees=[_tree(setting, spec) for spec in setting.agents],
        looking=_looking(setting, watchers, watcher_row, len(targets)),
        hearing=_hearing(scenario.hearing, air),
        ears=Ears(),
        noise=MovementNoise(),
        air=air,
        sharing=sharing(scenario.sharing),
        reaction=ReactionTime(),
        reactions=ReactionQueue(*pairs),
        reaction_delay=_delays(seed, pairs),
        changed=_changed(level, table.xyz, shut),
        missing=MissingColleague(int((team[watchers] == TEAMS.index("guards")).sum())),
        incidents=sorted(scenario.script, key=lambda incident: incident.at),
        door_middles=_middles(level),
        exits=np.array([marker.xyz for marker in level.markers if marker.kind == "exit"]).reshape(-1, 3),
    )
    world.minds += [_mind(world, number, spec) for number, spec in enumerate(setting.agents)]
    return world


def _bodies(setting: Setting, layout: CellLayout) -> tuple[Any, Array]:
    spawns = {spawn.name or spawn.who: spawn for spawn in setting.level.spawns}
    places, headings, teams = [], [], []
    for spec in setting.agents:
        spawn = spawns.get(spec.name)
        at = spec.at if spec.at is not None else spawn.xyz if spawn is not None else (0.0, 0.0)
        places.append((*at, 0.0)[:3])
        usual = spawn.heading if spawn is not None else 0.0
        headings.append(usual if spec.heading is None else spec.heading)
        teams.append(TEAMS.index(spec.team or _TEAMS.get(spec.brain, "guards")))
    found = nearest_many(layout.mesh, np.array(places), _ON_MESH)
    advice = f"put it within {_ON_MESH:g} m of the floor"
    faults = [
        Fault(f"{spec.name!r} starts off the walkable floor", advice, f"agents[{number + 1}]", at=place)
        for number, (spec, place, on) in enumerate(zip(setting.agents, places, found.found))
        if not on
    ]
    if faults:
        raise ScenarioError(setting.scenario.name or "scenario", faults)
    team = np.array(teams, np.uint8)
    return bodies(found.xyz, headings, team=team, radius=setting.scenario.radius), team


def _tree(setting: Setting, spec: AgentSpec) -> Tree | None:
    return None if spec.brain == PUPPET else build_tree(setting.brains[spec.brain], brain_leaves())


def _mind(world: World, number: int, spec: AgentSpec) -> Mind:
    tree: Tree | None = world.trees[number]
    blackboard = dict(BLACKBOARD) | (tree.blackboard() if tree is not None else {}) | dict(spec.settings)
    spawn = next((spawn for spawn in world.level.spawns if (spawn.name or spawn.who) == spec.name), None)
    blackboard["patrol"] = spec.patrol if spec.patrol is not None else spawn.patrol if spawn is not None else ""
    return Mind(world, number, blackboard)


def _looking(setting: Setting, watchers: Array, rows: Array, targets: int) -> list[Looking]:
    by_model: dict[str, list[int]] = {} if len(watchers) else {setting.scenario.vision: []}
    for number in watchers.tolist():
        by_model.setdefault(setting.agents[number].vision or setting.scenario.vision, []).append(number)
    return [
        Looking(vision(name), rows[numbers], np.array(numbers, np.int32), VisionMemory(len(numbers), targets))
        for name, numbers in by_model.items()
    ]


def _hearing(name: str, air: LiveLayout) -> HearingModel:
    return PathHearing(air) if name == "path" else RadiusHearing()


def _predictors(cells: LiveLayout, chase: str) -> dict[str, Predictor]:
    """The usual predictor, and the plain ones to compare with."""
    found: dict[str, Predictor] = {"last position": LastPosition(cells), "dead reckoning": DeadReckoning(cells)}
    if chase not in found:
        found[chase] = Chase(cells, chase)
    return found


def _delays(seed: int, pairs: tuple[int, int]) -> Floats:
    reaction = ReactionTime(spread=0.08)
    chance = generator(seed, "reactions").random((*pairs, 2))
    return np.asarray(reaction.delay("go/no-go", chance=chance), np.float64)


def _changed(level: Level, places: Floats, shut: Array) -> ChangedObjects:
    """Doors, then agents: those who lie down are found like a door left open."""
    return ChangedObjects(np.concatenate([_middles(level), places]), [*shut.astype(int).tolist(), *([0] * len(places))])


def _middles(level: Level) -> Floats:
    middles = [(*door.outline_xy.mean(axis=0).tolist(), door.z) for door in level.doors]
    return np.array(middles, np.float64).reshape(-1, 3)


def _spots(level: Level) -> dict[str, tuple[float, float, float]]:
    return {f"{number} {place.name}".strip(): place.xyz for number, place in enumerate(level.hiding_places)}
