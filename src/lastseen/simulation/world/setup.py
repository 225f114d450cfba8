"""Create the initial world of a scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Literal

import numpy as np

from ...agents.behaviour.files.build import build_tree
from ...agents.behaviour.tree import Tree
from ...agents.bodies.bodies import bodies, copy_of, set_mode
from ...agents.bodies.contacts import Contacts
from ...agents.bodies.crowd import Crowd
from ...agents.bodies.orders import Orders
from ...agents.brains.acts import Acts
from ...agents.brains.hunt import Hunt
from ...agents.brains.leaves.registry import BLACKBOARD
from ...agents.brains.mind import Mind
from ...agents.brains.relations import TEAMS
from ...agents.brains.shipped_brains import PUPPET
from ...agents.brains.surroundings import Cast, Reasoning, Scene
from ...agents.crews.crews import Crews
from ...agents.knowledge.knowledge import GRACES, Knowledge, sharing
from ...agents.knowledge.news import News
from ...agents.requests import RequestBoard
from ...agents.rules.language.rule import holds, parse_condition
from ...agents.senses.attention.anomalies import ChangedObjects, MissingColleague
from ...agents.senses.hearing.hearing import FAIR, Fairness, HearingModel, PathHearing, RadiusHearing
from ...agents.senses.hearing.sounds import MovementNoise
from ...cells.layout import CellLayout
from ...cells.live import DoorCells, LiveLayout
from ...checks import expect, seed_of
from ...compilation.preparation import kernels_on_demand, prepare
from ...conventions import Array, Bools, Floats, Ids
from ...kernels.arrays.agent_arrays import GONE, BodyArrays
from ...level.level import Level
from ...level.sight.query import sees
from ...level.sight.sight import Sight
from ...navmesh.body import Body
from ...navmesh.query import nearest_many
from ...reasoning.chase.chase_spec import ChaseSpec, chase_spec
from ...reasoning.chase.prediction import Predictor
from ...reasoning.locations.picker import Picker
from ...reasoning.search.coordinator.coordinator import SearchCoordinator
from ...reasoning.search.coordinator.spots import cover_points
from ...reasoning.search.gaps import GapDetector
from ...reasoning.search.map.destination import Scoring
from ...reasoning.search.map.search_map import SearchMap
from ...reasoning.search.search_settings import CoordinatorSettings
from ...reasoning.search.search_spec import SearchSpec, search_spec
from ...reasoning.search.sight import EYE, Sees
from ...reasoning.tactical.environment import Environment
from ...rng import generator
from ..scenario.crew_members import nodes_of
from ..scenario.reader import Setting
from ..scenario.scenario import AgentSpec, Scenario, chase_of, fact_paths, powers_of, sides_of, team_of
from ..scenario.scene_checks import scenes_of
from ..scenario.script_checks import fact_specs
from .combat import make_combat
from .floor_checks import ON_FLOOR, check_floor, make_states
from .hearing_areas import hearing_over
from .layer_work import make_layers
from .lighting import Lighting
from .objects import keyed_path, make_objects, watched_place
from .parts import CrewWork, DoorWork, Due, Episode, Motion, Noticing, Script, Sensing
from .reactions import Reacting
from .speech_setup import make_speech
from .swarms import make_swarms
from .territory import make_territory
from .traits import (
    ears_of,
    holds_of,
    looking_of,
    paces,
    reactions_of,
    relations_of,
    set_turn_speeds,
    spawn_of,
    starts_of,
    summoned_of,
    teams_of,
    views_of,
)
from .traps import make_traps
from .weather import Weather
from .world import World


def make_world(setting: Setting, *, cells: CellLayout | None = None, seed: int | None = None) -> World:
    """Create the initial world of a setting, with the kernels of its steps ready.

    Parameters
    ----------
    cells : layout of the level, baked with the scenario's radius and cell; default: it is baked now.
    seed : overrides that of the scenario.

    Raises
    ------
    ScenarioError
        A place at which agents stand is off the walkable floor.
    """
    expect(setting, Setting, "setting")
    with kernels_on_demand():  # all at once below
        world = _world(setting, cells, seed)
    prepare("play", "game", cells=len(world.cells))
    return world


def layout_of_setting(setting: Setting) -> CellLayout:
    """Return the cells of a scenario's level."""
    scenario = setting.scenario
    return CellLayout.from_level(setting.level, Body(radius=scenario.radius), cell=scenario.cell)


def _world(setting: Setting, cells: CellLayout | None, seed: int | None) -> World:
    scenario, level = setting.scenario, setting.level
    seed = seed_of(scenario.seed if seed is None else seed)
    layout = layout_of_setting(setting) if cells is None else expect(cells, CellLayout, "cells")
    live, air = LiveLayout.at_start(layout, level), DoorCells(layout, level)
    sight = Sight.from_level(level)
    shut = np.array([door.starts_closed for door in level.doors], np.bool_)
    for number in np.flatnonzero(shut).tolist():
        air.set_door(number, True)
    environment = cache(partial(Environment.from_level, level, layout))  # made when first needed
    team, side = teams_of(setting)
    relations = relations_of(setting, team, side)
    check_floor(setting, layout.mesh)
    states = make_states(setting, layout, sight)
    table = _bodies(setting, layout, team)
    for number in (one for waiting in summoned_of(setting).values() for one in waiting):
        set_mode(table, number, GONE)
    count, watchers, targets = len(setting.agents), relations.watchers, relations.targets
    powers = tuple(powers_of(scenario, spec) for spec in setting.agents)
    watcher_row = np.full(count, -1, np.int32)
    watcher_row[watchers] = np.arange(len(watchers))
    layers, script = make_layers(setting, live, layout, watchers, targets), _script(setting)
    view_angle, view_distance = views_of(setting, watchers)
    knowledge = Knowledge(table, watchers, targets, grace=grace_of(scenario), fading=scenario.fading)
    world = World(
        level=level,
        cells=live,
        sight=sight,
        names=tuple(spec.name for spec in setting.agents),
        cast=Cast(
            watchers,
            targets,
            watcher_row,
            side,
            home=table.xyz.copy(),
            home_heading=table.heading.copy(),
            view_angle=view_angle,
            view_distance=view_distance,
            pace=paces(setting),
            seed=seed,
            summoned=summoned_of(setting),
            genders=tuple(spec.gender for spec in setting.agents),
        ),
        relations=relations,
        bodies=table,
        crowd=Crowd(live.mesh, count),
        orders=Orders.none(count),
        state=np.zeros(count, np.uint8),
        senses=_senses(setting, environment, air, shut, watchers, watcher_row, len(targets)),
        attention=_attention(setting, table, side, knowledge, shut, seed),
        knowledge=knowledge,
        teamwork=CrewWork(
            requests=RequestBoard(is_read=bool(setting.crews), served=tuple(setting.crews or ())),
            directions=[None] * count,
            crews=Crews(setting.crews, setting.crew_leaves) if setting.crews else None,
            scenes=_scenes(setting, script.facts),
        ),
        hunt=_hunt(setting, live, sight, seed, environment),
        reasoning=Reasoning(
            *_predictors(setting, live),
            Picker(live, level=level, sight=sight, layers=tuple(layers.named.values())),
            setting.queries,
            environment,
        ),
        layers=layers,
        doors=DoorWork(shut=shut, middles=_middles(level), air=air),
        acts=Acts(hidden_in=np.full(count, -1, np.int32), powers=powers),
        traps=make_traps(level.traps),
        objects=make_objects(setting, layout.mesh),
        territory=make_territory(scenario, level, targets),
        level_states=states,
        swarms=make_swarms(setting, relations.teams, layout, seed),
        combat=make_combat(setting, side, seed),
        step=scenario.step,
        scenario=scenario,
        trees=[_tree(setting, spec) for spec in setting.agents],
        motion=Motion(copy_of(table), Contacts() if scenario.combat or scenario.crews else None),
        script=script,
        episode=Episode(np.array([marker.xyz for marker in level.markers if marker.kind == "exit"]).reshape(-1, 3)),
    )
    set_turn_speeds(setting, world.crowd)
    if any(one.opens for one in scenario.objects):
        world.crowd.reroute = partial(keyed_path, world)
    world.minds += [_mind(world, setting, number) for number in range(count)]
    if setting.rules is not None:
        world.talk = make_speech(world, world.minds, setting.rules, setting, facts=world.script.facts)
    return world


def _script(setting: Setting) -> Script:
    scenario, rows = setting.scenario, setting.scenario.script
    specs = fact_specs(scenario, setting.rules)
    conditions = {
        row: parse_condition(one.when.fact) for row, one in enumerate(rows) if one.when is not None and one.when.fact
    }
    return Script(
        due=sorted(Due(one.at or 0.0, row) for row, one in enumerate(rows) if one.when is None),
        lighting=Lighting(setting.level.zones, scenario.light, scenario.lights),
        weather=Weather(setting.level.zones, scenario.weather),
        rows=rows,
        facts=dict.fromkeys(fact_paths(scenario)) | dict(scenario.facts),
        conditions={row: (one, specs[one.variable]) for row, one in conditions.items()},
        armed=[row for row, one in enumerate(rows) if one.when is not None],
    )


def _scenes(setting: Setting, facts: Mapping[str, Any]) -> dict[str, Scene]:
    """Return the scenes of a setting; conditions on facts read `facts` whenever they are asked."""
    if not setting.scenario.scenes:
        return {}
    specs = fact_specs(setting.scenario, setting.rules)

    def asked(text: str) -> Callable[[], bool]:
        condition = parse_condition(text)
        spec = specs[condition.variable]
        return lambda: holds(condition, facts.get(condition.variable), spec)

    return scenes_of(setting.scenario, [spec.name for spec in setting.agents], setting.level, asked)


def _bodies(setting: Setting, layout: CellLayout, team: Array) -> BodyArrays:
    places, headings = starts_of(setting)
    found = nearest_many(layout.mesh, places, ON_FLOOR)
    hidden = [spec.camouflage for spec in setting.agents]
    return bodies(found.xyz, headings, gaze=headings, team=team, radius=setting.scenario.radius, camouflage=hidden)


def _tree(setting: Setting, spec: AgentSpec) -> Tree | None:
    return None if spec.brain == PUPPET else build_tree(setting.brains[spec.brain], setting.leaves)


def _mind(world: World, setting: Setting, number: int) -> Mind:
    return Mind(world, number, blackboard_of(setting, number, world.trees[number]))


def blackboard_of(setting: Setting, number: int, tree: Tree | None) -> dict[str, Any]:
    """Return the initial blackboard of an agent with a tree."""
    spec = setting.agents[number]
    blackboard = dict(BLACKBOARD) | (tree.blackboard() if tree is not None else {}) | dict(spec.settings)
    spawn = spawn_of(setting, spec)
    blackboard["patrol"] = spec.patrol if spec.patrol is not None else spawn.patrol if spawn is not None else ""
    return blackboard


def _senses(
    setting: Setting,
    environment: Callable[[], Environment],
    air: DoorCells,
    shut: Bools,
    watchers: Ids,
    watcher_row: Ids,
    targets: int,
) -> Sensing:
    scenario = setting.scenario
    fairness = FAIR if scenario.player is None else Fairness(scenario.player.factor, scenario.player.beyond)
    areas = environment() if scenario.hearing == "area" else None
    hearing: HearingModel
    if areas is not None:
        hearing = hearing_over(areas, shut, fairness)
    else:
        hearing = PathHearing(air, fairness) if scenario.hearing == "path" else RadiusHearing(fairness)
    return Sensing(
        looking=looking_of(setting, watchers, watcher_row, targets),
        hearing=hearing,
        ears=ears_of(setting, watchers),
        noise=MovementNoise(),
        areas=areas,
        fairness=fairness,
        doors_heard=shut.tobytes(),
    )


def _attention(
    setting: Setting, table: BodyArrays, side: Array, knowledge: Knowledge, shut: Bools, seed: int
) -> Noticing:
    watchers, targets = knowledge.observers, len(knowledge.targets)
    things = len(shut) + len(setting.agents) + len(setting.scenario.objects)
    reacting = Reacting(reactions_of(setting, watchers), targets, things, seed)
    return Noticing(
        acted_on=np.full((len(watchers), targets), -np.inf),
        seen=[-1] * len(watchers),
        sharing=sharing(setting.scenario.sharing),
        reacting=reacting,
        news=News(knowledge, reacting.to_news),
        changed=_changed(setting, table.xyz, shut),
        missing=MissingColleague(int((side[watchers] == TEAMS.index("guards")).sum())),
        holds=holds_of(setting, watchers),
        glimpses=np.zeros((len(watchers), targets)),
        glimpsed=np.zeros((len(watchers), targets), np.bool_),
        knows_out=np.zeros((len(watchers), targets), np.bool_),
    )


class _Predictors(dict[str, tuple[ChaseSpec, Predictor]]):
    """Predictors of one world by spec, those that only crews name created when they are first used."""

    def __init__(self, cells: LiveLayout, level: Level):
        super().__init__()
        self._cells, self._level = cells, level

    def __missing__(self, text: str) -> tuple[ChaseSpec, Predictor]:
        spec = chase_spec(text)
        self[text] = spec, spec.made(self._cells, self._level)
        return self[text]


def _predictors(setting: Setting, cells: LiveLayout) -> tuple[_Predictors, tuple[str, ...]]:
    """Return the predictors of a world, those of watchers and trees made at once, and the spec of each agent's."""
    found = _Predictors(cells, setting.level)
    specs = tuple(chase_of(setting.scenario, spec) for spec in setting.agents)
    sides = sides_of(setting.scenario)
    used = [text for text, spec in zip(specs, setting.agents) if sides[team_of(spec)] != "intruders"]
    used += [
        node.parameters["predictor"]
        for file in setting.brains.values()
        for node in nodes_of(file)
        if node.kind == "predict" and isinstance(node.parameters.get("predictor"), str)
    ]
    for text in dict.fromkeys(used):
        found.__missing__(text)
    return found, specs


def _changed(setting: Setting, places: Floats, shut: Array) -> ChangedObjects:
    """Return the things that may change: doors, agents, as a body is found like an open door, and objects."""
    objects = setting.scenario.objects
    at = np.array([watched_place(one, setting.level) for one in objects]).reshape(-1, 3)
    found = ChangedObjects(
        np.concatenate([_middles(setting.level), places, at]),
        [*shut.astype(int).tolist(), *([0] * (len(places) + len(objects)))],
    )
    if objects:  # What was stolen stays stolen.
        found.lifetime = np.where(np.arange(len(found.state)) < len(shut) + len(places), found.lifetime, np.inf)
    return found


def _middles(level: Level) -> Floats:
    middles = [(*door.outline_xy.mean(axis=0).tolist(), door.z) for door in level.doors]
    return np.array(middles, np.float64).reshape(-1, 3)


_OPENED_WITHIN = 1.5
"""Metres within which an agent can tell whether a hiding place is occupied."""


def grace_of(scenario: Scenario) -> str:
    """Return what stays known after a loss of sight: as in the scenario, else as in the source of its search."""
    return scenario.grace or ("followed" if search_spec(scenario.search).has_coordinator else "frozen")


def coordinator_settings(search: SearchSpec, seconds: float, grace: str) -> CoordinatorSettings:
    """Return the settings of the coordinator of a search."""
    recycle: Literal["oldest", "off"] = "oldest" if search.kind == "both" else "off"
    return CoordinatorSettings(grace=GRACES[grace], time_limit=seconds, recycle=recycle).but(**search.coordinator)


def _hunt(setting: Setting, cells: LiveLayout, sight: Sight, seed: int, environment: Callable[[], Environment]) -> Hunt:
    """Create the search of a setting, in which agents may choose their places in their own way."""
    scenario, search = setting.scenario, search_spec(setting.scenario.search)
    scoring = [search.scoring if one.search is None else search.scoring_of(one.search) for one in setting.agents]
    return make_hunt(scenario, setting.level, cells, sight, seed, len(setting.agents), search, scoring, environment)


def make_hunt(
    scenario: Scenario,
    level: Level,
    cells: LiveLayout,
    sight: Sight,
    seed: int,
    count: int,
    search: SearchSpec,
    scoring: Sequence[Scoring] = (),
    environment: Callable[[], Environment] | None = None,
) -> Hunt:
    """Create the search of a world with `count` agents.

    "both" is the coordinator over influence: spots weigh more where influence is high, and when they run out, the
    places of most influence become new spots, so that the search lasts its full time.
    """
    names = {f"{number} {place.name}".strip(): place.xyz for number, place in enumerate(level.hiding_places)}
    influence = SearchMap(cells, search.settings, spots=names, threads=scenario.search_threads)
    draws = generator(seed, "giving up").random(count)
    budgets: dict[str, Any] = {"cells": scenario.search_cells, "lines": scenario.search_lines}
    if not search.has_coordinator:
        return Hunt(influence, scenario.search_seconds, draws, scoring=scoring, environment=environment, **budgets)
    coordinated = SearchCoordinator(
        cells,
        coordinator_settings(search, scenario.search_seconds, grace_of(scenario)),
        cover=cover_points(cells, level),
        sees=_sees(sight, level),
        search_map=influence if search.has_map else None,
        seed=seed,
    )
    return Hunt(
        influence,
        scenario.search_seconds,
        draws,
        coordinator=coordinated,
        spreads=search.has_map,
        gaps=GapDetector(cells.mesh, count, seed=seed, is_drawn_down=level.is_drawn_down),
        scoring=scoring,
        **budgets,
    )


def _sees(sight: Sight, level: Level) -> Sees:
    """Return a test of sight that does not clear hiding places from a distance, as an agent must open them."""
    places = np.array([place.xyz for place in level.hiding_places]).reshape(-1, 3)

    def test(eyes: Floats, points: Floats) -> Bools:
        seen = np.array(sees(sight, eyes, points))
        if len(places) and len(points):
            feet = points - EYE
            closed = (np.linalg.norm(feet[:, None] - places[None], axis=2) < 1.0).any(axis=1)
            seen &= ~closed | (np.linalg.norm(eyes - points, axis=1) <= _OPENED_WITHIN)
        return seen

    return test
