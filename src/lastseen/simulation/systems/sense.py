"""Sense: sight and hearing of all agents."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np

from ...agents.bodies.bodies import STANCES
from ...agents.senses.hearing.hearing import Ears, Heard
from ...agents.senses.vision.sightings import Sightings
from ...checks import read_only
from ...conventions import Array, Bools
from ...kernels.senses.vision_rays import find_spotted
from ...vocabulary.words import AgentState, AlertLevel
from ..world.combat import bodies_in_sight
from ..world.hearing_areas import hearing_over
from ..world.layer_work import refresh
from ..world.possession import suspended_rows
from ..world.survey import Moment
from ..world.world import World

_EYES = np.array([stance.eye for stance in STANCES])
_ALERT = {
    AgentState.SUSPICIOUS: AlertLevel.SUSPICIOUS,
    AgentState.SEARCH: AlertLevel.SUSPICIOUS,
    AgentState.ENGAGE: AlertLevel.COMBAT,
    AgentState.CHASE: AlertLevel.COMBAT,
}
_ALERTNESS = np.array([_ALERT.get(state, AlertLevel.CALM) for state in AgentState], np.uint8)
_SPOTTED_WITHIN = 30.0
"""Metres within which a target sees its watchers, whichever way it faces."""


def sense(world: World) -> None:
    """Update light, sightings and heard sounds."""
    senses = world.senses
    senses.light = world.script.lighting.at(world.bodies.xyz)
    senses.spotted = _spot(world)
    if world.acts.stopper >= 0:
        return
    senses.sightings = _look(world)
    _hear_doors(world)
    sounds = senses.sounds + [one for one in senses.lasting if one.lasts(world.time)]
    senses.lasting = [one for one in sounds if one.lifetime > 0.0]
    sounds += senses.noise.sounds(world.bodies, world.cast.targets, world.time)
    heard = senses.hearing.listen(sounds, world.bodies, world.cast.watchers, _ears(world), sight=world.sight.arrays)
    if rows := suspended_rows(world):
        known = np.array(heard.heard)
        known[:, rows] = False
        heard = replace(heard, heard=read_only(known))
    senses.heard = _without_others(world, heard) if world.relations.is_mixed else heard
    senses.sounds = []
    if world.layers.specs:
        refresh_layers(world)


def refresh_layers(world: World) -> None:
    """Bring the layers that agents read up to date, within their budgets."""
    bodies = world.bodies

    def moment() -> Moment:
        columns = {"xyz": bodies.xyz, "gaze": bodies.gaze, "mode": bodies.mode, "stance": bodies.stance}
        columns |= {"state": world.state, "doors": world.doors.shut}
        columns["weather"] = np.array([world.script.weather.number], np.uint8)
        clouds = world.script.clouds if world.script.smoke else None
        return Moment({name: column.copy() for name, column in columns.items()}, copy(world.script.lighting), clouds)

    refresh(world.layers, world.time, moment)


def _hear_doors(world: World) -> None:
    """Update area hearing when a door has opened or shut."""
    senses, shut = world.senses, world.doors.shut
    if senses.areas is not None and shut.tobytes() != senses.doors_heard:
        senses.hearing, senses.doors_heard = hearing_over(senses.areas, shut, senses.fairness), shut.tobytes()


def _look(world: World) -> Sightings:
    """Return the sightings of all watchers in one table, whatever their models."""
    alert, bodies = _alert(world), bodies_in_sight(world)._replace(light=world.senses.light)
    weather = world.script.weather
    parts = [
        group.model.look(
            bodies,
            world.sight.arrays,
            group.observers,
            world.cast.targets,
            group.memory,
            world.step,
            alert=alert[group.rows],
            rays=group.rays,
            clouds=world.script.clouds if world.script.smoke else None,
            farthest=None if weather.is_clear else weather.farthest(bodies, group.observers, world.cast.targets),
        )
        for group in world.senses.looking
    ]
    found = parts[0] if len(parts) == 1 else _merged(world, parts)
    if rows := suspended_rows(world):
        awake = np.ones((len(world.cast.watchers), 1), np.bool_)
        awake[rows] = False
        found = _where(found, awake, found.reason)
    if not world.relations.is_mixed:
        return found
    hostile = world.relations.hostile
    world.senses.passers = found.visible & ~hostile
    return _where(found, hostile, world.relations.reasons)


def _where(found: Sightings, holds: Bools, reasons: Array) -> Sightings:
    """Return sightings where a condition holds; elsewhere there are none, for these reasons."""
    return replace(
        found,
        visible=read_only(found.visible & holds),
        band=read_only(np.where(holds, found.band, 0).astype(np.uint8)),
        awareness=read_only(np.where(holds, found.awareness, 0.0).astype(np.float32)),
        reason=read_only(np.where(holds, found.reason, reasons)),
    )


def _without_others(world: World, heard: Heard) -> Heard:
    """Return the sounds without those that give away an agent to a watcher that is not hostile to it."""
    targets = world.cast.targets.tolist()
    known, hostile = np.array(heard.heard), world.relations.hostile
    for number, one in enumerate(heard.sounds):
        if one.gives_away and one.made_by in targets:
            known[number] &= hostile[:, targets.index(one.made_by)]
    return replace(heard, heard=read_only(known))


def _ears(world: World) -> Ears:
    """Return the hearing of watchers: none in smoke, less in bad weather and, for some sounds, out of the view."""
    weather, sensitivity = world.script.weather, world.senses.ears.sensitivity
    if not world.script.smoke and world.scenario.player is None and weather.is_clear:
        return world.senses.ears
    if not weather.is_clear:
        sensitivity = sensitivity * weather.hearing(world.bodies.xyz[world.cast.watchers])
    return Ears(sensitivity, _offscreen(world), world.script.clouds)


def _offscreen(world: World) -> Array:
    """Return which watchers are outside the player's view, (watchers,) bool."""
    player, bodies = world.scenario.player, world.bodies
    if player is None:
        return np.zeros(len(world.cast.watchers), np.bool_)
    me = world.names.index(player.agent)
    offset = bodies.xyz[world.cast.watchers] - bodies.xyz[me]
    off = np.abs(np.angle(np.exp(1j * (np.arctan2(offset[:, 1], offset[:, 0]) - bodies.gaze[me]))))
    near = np.linalg.norm(offset, axis=1) <= player.distance
    return ~(world.senses.spotted[world.cast.targets.tolist().index(me)] & near & (off <= player.angle / 2.0))


def _merged(world: World, parts: list[Sightings]) -> Sightings:
    columns: dict[str, Array] = {}
    order = np.argsort(np.concatenate([group.rows for group in world.senses.looking]))
    for name in ("shape", "visible", "certainty", "awareness", "band", "reason", "metres"):
        # Read-only like those of a single model, so that kernels are compiled only once.
        columns[name] = read_only(np.concatenate([getattr(part, name) for part in parts])[order])
    return Sightings(world.cast.watchers, world.cast.targets, rays=sum(part.rays for part in parts), **columns)


def _alert(world: World) -> Array:
    """Return the alertness of watchers."""
    return _ALERTNESS[world.state[world.cast.watchers]]


def _spot(world: World) -> Array:
    """Return which watchers each target sees, (targets, watchers) bool."""
    spotted = np.empty((len(world.cast.targets), len(world.cast.watchers)), np.bool_)
    find_spotted(
        world.bodies, world.sight.arrays, world.cast.targets, world.cast.watchers, _EYES, _SPOTTED_WITHIN, spotted
    )
    weather, bodies = world.script.weather, world.bodies
    if not weather.is_clear:
        apart = bodies.xyz[world.cast.targets][:, None] - bodies.xyz[world.cast.watchers][None]
        away = np.linalg.norm(apart, axis=2)
        spotted &= away <= weather.farthest(bodies, world.cast.targets, world.cast.watchers)
    return spotted
