"""Traits of agents: start, speed, view and hearing, from the scenario, else from the spawn in the level."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...agents.bodies.crowd import Crowd
from ...agents.bodies.orders import SPEEDS
from ...agents.brains.relations import TEAMS, Relations, attitude_table
from ...agents.senses.hearing.hearing import Ears
from ...agents.senses.vision.look import RayBudget
from ...agents.senses.vision.sightings import VisionMemory
from ...agents.senses.vision.vision import VIEW_ANGLE, VIEW_DISTANCE, VisionModel, stretched, vision
from ...conventions import Array, Floats
from ...errors import Fault, ScenarioError
from ...level.features import Spawn
from ..scenario.reader import Setting
from ..scenario.scenario import AgentSpec, sides_of, team_of
from .parts import Looking

_PREDICTED = math.radians(120.0), 20.0
"""View that predictors assume for a guard with unmodified vision: radians and metres."""


def spawn_of(setting: Setting, spec: AgentSpec) -> Spawn | None:
    """Return the spawn with the agent's name, or None."""
    return next((spawn for spawn in setting.level.spawns if (spawn.name or spawn.who) == spec.name), None)


def _trait(setting: Setting, spec: AgentSpec, name: str) -> float | None:
    """Return a number from the agent's spec, else from its spawn, else None."""
    own: float | None = getattr(spec, name)
    return own if own is not None else getattr(spawn_of(setting, spec), name, None)


def starts_of(setting: Setting) -> tuple[Floats, Floats]:
    """Return the starting places, (n, 3) metres, and headings, (n,) radians."""
    places, headings = [], []
    for spec in setting.agents:
        spawn = spawn_of(setting, spec)
        at = spec.at if spec.at is not None else spawn.xyz if spawn is not None else (0.0, 0.0)
        places.append((*at, 0.0)[:3])
        usual = spawn.heading if spawn is not None else 0.0
        headings.append(usual if spec.heading is None else spec.heading)
    return np.array(places, np.float64).reshape(-1, 3), np.array(headings, np.float64)


def paces(setting: Setting) -> tuple[float, ...]:
    """Return the speed of each agent relative to the default gaits."""
    speeds = [_trait(setting, spec, "speed") for spec in setting.agents]
    return tuple(1.0 if speed is None else speed / SPEEDS["walk"] for speed in speeds)


def set_turn_speeds(setting: Setting, crowd: Crowd) -> None:
    """Set the turn speeds of agents that have their own."""
    for number, spec in enumerate(setting.agents):
        speed = _trait(setting, spec, "turn_speed")
        if speed is not None:
            crowd.turn_speed[number] = speed


def views_of(setting: Setting, watchers: Array) -> tuple[Floats, Floats]:
    """Return the view angle in radians and the view distance in metres that predictors assume, per watcher."""
    angle, distance = np.full(len(watchers), _PREDICTED[0]), np.full(len(watchers), _PREDICTED[1])
    for row, number in enumerate(watchers.tolist()):
        opening, reach = view_of(setting, setting.agents[number])
        angle[row] = min(angle[row] * (opening or VIEW_ANGLE) / VIEW_ANGLE, 2.0 * math.pi)
        distance[row] *= (reach or VIEW_DISTANCE) / VIEW_DISTANCE
    return angle, distance


def view_of(setting: Setting, spec: AgentSpec) -> tuple[float | None, float | None]:
    """Return an agent's own view angle in radians and view distance in metres; None: those of its model."""
    return _trait(setting, spec, "view_angle"), _trait(setting, spec, "view_distance")


def looking_of(setting: Setting, watchers: Array, rows: Array, targets: int) -> list[Looking]:
    """Return watchers, grouped by vision model."""
    alike: dict[Any, list[int]] = {} if len(watchers) else {(setting.scenario.vision, None, None): []}
    for number in watchers.tolist():
        spec = setting.agents[number]
        alike.setdefault((spec.vision or setting.scenario.vision, *view_of(setting, spec)), []).append(number)
    models = [stretched(vision(name), angle, distance) for name, angle, distance in alike]
    shares = _ray_shares(setting, models, [len(numbers) for numbers in alike.values()])
    return [
        Looking(model, rows[numbers], np.array(numbers, np.int32), VisionMemory(len(numbers), targets), share)
        for model, numbers, share in zip(models, alike.values(), shares)
    ]


def _ray_shares(setting: Setting, models: list[VisionModel], counts: list[int]) -> list[RayBudget | None]:
    """Return the ray budget of each group: enough for one pair, and a share of the rest by its size."""
    rays = setting.scenario.rays
    if rays is None:
        return [None] * len(models)
    needs = [model.rays_per_pair for model in models]
    if rays < sum(needs):
        what = f"rays is {rays}, but one pair of each of {len(models)} vision models may need {sum(needs)}"
        raise ScenarioError(setting.source, [Fault(what, f"give at least {sum(needs)}, or leave it out", "rays")])
    rest, heads = rays - sum(needs), max(1, sum(counts))
    return [RayBudget(need + rest * count // heads) for need, count in zip(needs, counts)]


def ears_of(setting: Setting, watchers: Array) -> Ears:
    """Return the sensitivity of each watcher's hearing."""
    return Ears(np.array([setting.agents[number].sensitivity for number in watchers.tolist()]))


def reactions_of(setting: Setting, watchers: Array) -> list[str]:
    """Return the name of each watcher's reaction time, see `REACTIONS`."""
    return [setting.agents[number].reaction or setting.scenario.reaction for number in watchers.tolist()]


def holds_of(setting: Setting, watchers: Array) -> tuple[float, ...]:
    """Return for how many seconds each watcher acts on a target that it no longer sees."""
    scenario, found = setting.scenario, []
    for number in watchers.tolist():
        spec = setting.agents[number]
        team = scenario.teams.get(team_of(spec))
        given = (spec.sighting_hold, None if team is None else team.sighting_hold, scenario.sighting_hold)
        found.append(next(seconds for seconds in given if seconds is not None))
    return tuple(found)


def teams_of(setting: Setting) -> tuple[Array, Array]:
    """Return the number of each agent's team, and its side as an index into `TEAMS`, (n,) uint8 each."""
    sides, given = sides_of(setting.scenario), [team_of(spec) for spec in setting.agents]
    team = np.array([list(sides).index(name) for name in given], np.uint8)
    return team, np.array([TEAMS.index(sides[name]) for name in given], np.uint8)


def summoned_of(setting: Setting) -> dict[int, tuple[int, ...]]:
    """Return by summoner the agents that wait outside the world for it."""
    names = [spec.name for spec in setting.agents]
    waiting: dict[int, tuple[int, ...]] = {}
    for number, spec in enumerate(setting.agents):
        if spec.summoned_by:
            summoner = names.index(spec.summoned_by)
            waiting[summoner] = (*waiting.get(summoner, ()), number)
    return waiting


def relations_of(setting: Setting, team: Array, side: Array) -> Relations:
    """Return the initial attitudes of all teams, with the agents that watch and those that may become targets.

    Watchers are guards and civilians. Targets are intruders, and all members of teams to which the scenario states an
    attitude or changes it by its script.
    """
    scenario, sides = setting.scenario, sides_of(setting.scenario)
    names = tuple(sides)
    stated = {
        (names.index(one), names.index(other)): attitude
        for one, spec in scenario.teams.items()
        for other, attitude in spec.attitudes.items()
    }
    changed = [(names.index(one.team), names.index(one.toward)) for one in scenario.script if one.do == "attitude"]
    pairs = {pair for one, other in (*stated, *changed) for pair in ((one, other), (other, one))}
    intruders = side == TEAMS.index("intruders")
    watchers = np.flatnonzero(~intruders).astype(np.int32)
    watching = set(team[watchers].tolist())
    meant = {other for one, other in pairs if one in watching}
    targets = np.flatnonzero(intruders | np.isin(team, sorted(meant))).astype(np.int32)
    return Relations(names, team, watchers, targets, attitude_table(list(sides.values()), stated), frozenset(pairs))
