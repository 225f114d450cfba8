"""Tell: let news of targets and alarms reach those that can hear them, when they can."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...agents.brains.surroundings import AlarmCause
from ...kernels.senses.knowledge import RADIO
from ...vocabulary.events import AlarmRaised
from ...vocabulary.words import AgentState
from ..world.world import World

_CALM = [AgentState.PATROL.number, AgentState.RETURN.number]
_LASTS = 20.0
"""Seconds for which an agent that stays calm knows that an alarm was raised."""
_SHOUT = "shout"


def spread_news(world: World) -> None:
    """Pass on what colleagues know of targets, and note who knows of which alarm."""
    attention = world.attention
    rows, columns = attention.news.spread(
        world.knowledge, world.bodies, attention.sharing, world.time, attention.knows_out
    )
    for row, column in zip(rows.tolist(), columns.tolist()):
        about = "target", int(world.cast.targets[column])
        if about in attention.alarms:
            _know(world, about, row)
    raised, row_of = world.acts.alarms, world.cast.watcher_row
    for event in world.earlier:
        if isinstance(event, AlarmRaised) and event.agent in raised and row_of[event.agent] >= 0:
            _know(world, raised[event.agent], int(row_of[event.agent]))
            if attention.sharing.reach == math.inf:
                _radio(world, event.agent)
    for row, (due, about) in list(attention.radioed.items()):
        if due <= world.time + 1e-9:
            _know(world, about, row)
            del attention.radioed[row]
    assert attention.noted is not None
    for number, one in enumerate(attention.noted.sounds):
        if one.kind == _SHOUT and one.made_by in raised:
            alike = world.bodies.team[world.cast.watchers] == world.bodies.team[one.made_by]
            _know(world, raised[one.made_by], attention.noted.heard[number] & alike)
    if attention.alarms:
        _keep_alarms(world)


def _radio(world: World, agent: int) -> None:
    """Let colleagues learn by radio that an agent raised the alarm."""
    watchers = world.cast.watchers
    rows = np.flatnonzero((world.bodies.team[watchers] == world.bodies.team[agent]) & (watchers != agent))
    for row, reaction in zip(rows.tolist(), world.attention.reacting.to_news(rows).tolist()):
        world.attention.radioed[row] = world.time + RADIO + reaction, world.acts.alarms[agent]


def _know(world: World, cause: AlarmCause, rows: Any) -> None:
    """Note that watchers know of the alarm about a cause."""
    known = world.attention.alarms.setdefault(cause, np.full(len(world.cast.watchers), -np.inf))
    known[rows] = world.time


def _keep_alarms(world: World) -> None:
    """Let watchers remember alarms while they are not calm; those that return to their patrol forget them."""
    state, now = world.state[world.cast.watchers], world.time
    is_busy, returns = ~np.isin(state, _CALM), state == AgentState.RETURN.number
    for cause, known in list(world.attention.alarms.items()):
        known[returns | (known < now - _LASTS)] = -np.inf
        known[is_busy & (known > -np.inf)] = now
        if not (known > -np.inf).any():
            del world.attention.alarms[cause]
