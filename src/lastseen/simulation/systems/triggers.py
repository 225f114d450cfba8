"""Triggers: which rows of the script fire, by the events of the previous step, where agents are, and facts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...agents.rules.language.rule import holds
from ...conventions import Bools
from ...kernels.arrays.agent_arrays import GONE
from ...vocabulary.events import (
    AnyEvent,
    CrewChange,
    CrewChanged,
    Found,
    Lost,
    ObjectUsed,
    Sees,
    StateChanged,
    TrapSprung,
)
from ..scenario.scenario import Trigger
from ..world.lighting import within
from ..world.parts import Due
from ..world.world import World

_SILENCE = 2.0
"""Seconds without a sound after which it counts as heard again."""

Cause = tuple[int, int]
"""The agent that triggered a row, and the other one concerned; -1: none."""


def fired(world: World) -> list[Due]:
    """Return the rows that fire now; a row without `repeat` fires once."""
    own = world.script
    if not own.armed:
        return []
    found = []
    before, own.inside = own.inside, _inside(world)
    for row in tuple(own.armed):
        incident = own.rows[row]
        assert incident.when is not None
        if (incident.at or 0.0) > world.time + 1e-9:
            continue
        causes = list(_causes(world, row, incident.when, before))  # all of them, as sounds are noted on the way
        if causes:
            found.append(Due(world.time + incident.after, row, *causes[0]))
            if not incident.repeat:
                own.armed.remove(row)
    return found


def _inside(world: World) -> dict[str, Bools]:
    """Return the agents in each zone that a trigger names."""
    triggers = (world.script.rows[row].when for row in world.script.armed)
    names = dict.fromkeys(one.zone for one in triggers if one is not None and one.zone)
    here = world.bodies.mode != GONE
    return {
        name: here & np.any([within(zone, world.bodies.xyz) for zone in world.level.zones if zone.name == name], axis=0)
        for name in names
    }


def _causes(world: World, row: int, trigger: Trigger, before: dict[str, Bools]) -> Iterator[Cause]:
    """Yield everything that fires a trigger now."""
    if trigger.event == "fact holds":
        yield from _facts(world, row)
    elif trigger.event == "hears":
        yield from _sounds(world, row, trigger)
    elif trigger.event in ("enters", "leaves"):
        now = world.script.inside[trigger.zone]
        was = before.get(trigger.zone, now)
        changed = now & ~was if trigger.event == "enters" else was & ~now
        yield from ((agent, -1) for agent in np.flatnonzero(changed).tolist() if _does(world, trigger, agent))
    else:
        for event in world.earlier:
            yield from _event_causes(world, trigger, event)


def _does(world: World, trigger: Trigger, agent: int) -> bool:
    """Return whether a trigger waits for this agent."""
    named = not trigger.agent or world.names[agent] == trigger.agent
    return named and (not trigger.team or world.relations.teams[world.bodies.team[agent]] == trigger.team)


def _event_causes(world: World, trigger: Trigger, event: AnyEvent) -> Iterator[Cause]:
    match trigger.event, event:
        case ("sees", Sees()) | ("loses", Lost()) | ("finds body", Found(thing="body")):
            if trigger.target in ("", world.names[event.partner]) and _does(world, trigger, event.agent):
                yield event.agent, event.partner
        case "springs trap", TrapSprung(other=by):
            set_by = world.names[by] if by >= 0 else ""
            if trigger.target in ("", set_by) and _does(world, trigger, event.agent):
                yield event.agent, by
        case "reaches state", StateChanged(state=trigger.state):
            if _does(world, trigger, event.agent):
                yield event.agent, -1
        case "uses", ObjectUsed(object=trigger.object, step="done"):
            if _does(world, trigger, event.agent):
                yield event.agent, -1
        case "crew ends", CrewChanged(change=CrewChange.ENDED):
            if trigger.objective in ("", event.objective):
                yield from ((agent, -1) for agent in event.members if _does(world, trigger, agent))


def _sounds(world: World, row: int, trigger: Trigger) -> Iterator[Cause]:
    """Yield agents that hear a sound for which the row waits, unless a colleague made it without calling."""
    noted, last = world.attention.noted, world.script.heard_at
    if noted is None:
        return
    for number, sound in enumerate(noted.sounds):
        if sound.kind != trigger.sound:
            continue
        for agent in world.cast.watchers[noted.heard[number]].tolist():
            team = world.bodies.team
            ours = sound.made_by >= 0 and team[sound.made_by] == team[agent] and sound.kind != "shout"
            if ours or not _does(world, trigger, agent):
                continue
            is_new = world.time - last.get((row, agent), -np.inf) > _SILENCE
            last[row, agent] = world.time
            if is_new:
                yield agent, sound.made_by


def _facts(world: World, row: int) -> Iterator[Cause]:
    own = world.script
    condition, spec = own.conditions[row]
    if not holds(condition, own.facts.get(condition.variable), spec):
        own.held.discard(row)
    elif row not in own.held:
        own.held.add(row)
        yield -1, -1
