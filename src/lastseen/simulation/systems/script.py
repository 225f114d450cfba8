"""Script: carry out rows of the script that are due, and watch for what triggers others."""

from __future__ import annotations

from bisect import insort

from ...agents.bodies.bodies import put, set_mode
from ...agents.senses.hearing.sounds import sound
from ...checks import point_xyz
from ...kernels.arrays.agent_arrays import BODY, GONE
from ...vocabulary.events import Place, Scripted
from ..scenario.scenario import Incident
from ..world.combat import set_attitude
from ..world.parts import Due
from ..world.platforms import set_platform
from ..world.powers import cross_over
from ..world.world import World
from .act import set_door
from .triggers import fired

_MIDDLE = 1.0
"""Height in metres of the centre of a cloud of smoke above the floor."""


def script(world: World) -> None:
    """Carry out every row that is due, and clear old smoke."""
    own = world.script
    for due in fired(world):
        insort(own.due, due)
    while own.due and own.due[0].at <= world.time + 1e-9:
        _carry_out(world, own.due.pop(0))
    own.smoke = [cloud for cloud in own.smoke if cloud[4] > world.time + 1e-9]


def _carry_out(world: World, due: Due) -> None:
    incident = world.script.rows[due.row]
    agent = world.names.index(incident.agent) if incident.agent else -1
    place: Place | None = None
    if incident.place is not None:
        x, y, z = point_xyz(incident.place).tolist()
        place = (x, y, z)
    if incident.do in ("sound", "alarm"):
        kind = "alarm" if incident.do == "alarm" else incident.kind
        world.senses.sounds.append(sound(kind, place, created=world.time, made_by=agent))
    elif incident.do in ("open door", "close door"):
        number = [door.name for door in world.level.doors].index(incident.door)
        set_door(world, number, shut=incident.do == "close door", by=agent)
    elif incident.do == "fell":
        set_mode(world.bodies, agent, BODY)
    elif incident.do == "remove":
        set_mode(world.bodies, agent, GONE)
    elif incident.do == "place":
        put(world.bodies, agent, place)
        world.crowd.forget_path(agent)
    elif incident.do == "travel":
        cross_over(world, agent)
    elif incident.do == "smoke":
        assert place is not None
        x, y, z = place
        world.script.smoke.append((x, y, z + _MIDDLE, incident.radius, world.time + incident.seconds))
    elif incident.do == "light":
        assert isinstance(incident.value, int | float)
        world.script.lighting.switch(incident.zone, float(incident.value))
    elif incident.do == "weather":
        world.script.weather.kind = incident.kind
    elif incident.platform:
        set_platform(world, incident.platform, incident.to, present=incident.do != "remove platform")
    elif incident.do in ("request", "end request"):
        _ask(world, incident, place)
    elif incident.fact:
        world.script.facts[incident.fact] = incident.value
    elif incident.do == "attitude":
        teams = world.relations.teams
        set_attitude(world, teams.index(incident.team), teams.index(incident.toward), str(incident.value))
    elif incident.do == "set":
        world.minds[agent].blackboard[incident.key] = incident.value
    world.happened(_event(world, incident, due, agent, place))


def _event(world: World, incident: Incident, due: Due, agent: int, place: Place | None) -> Scripted:
    when = incident.when
    return Scripted(
        world.tick,
        agent,
        at=place,
        other=due.agent,
        action=incident.do,
        subject=_about(incident),
        value=incident.to or incident.value,
        row=due.row,
        toward=incident.toward,
        trigger="" if when is None else when.event,
        target=due.target,
        detail=""
        if when is None
        else when.zone or when.sound or when.state or when.object or when.objective or when.fact,
    )


def _about(incident: Incident) -> str:
    names = (incident.kind, incident.agent, incident.door, incident.zone, incident.objective, incident.fact)
    return next(filter(None, (*names, incident.team, incident.platform)), "")


def _ask(world: World, incident: Incident, place: tuple[float, float, float] | None) -> None:
    """Post a request on behalf of agents, or withdraw it."""
    target = world.names.index(incident.target) if incident.target else -1
    for name in incident.agents:
        agent = world.names.index(name)
        if incident.do == "end request":
            world.teamwork.requests.withdraw(agent, incident.objective or None)
        else:
            world.teamwork.requests.post(
                agent,
                incident.objective,
                target,
                priority=incident.priority,
                seconds=incident.seconds,
                now=world.time,
                place=place,
                draws=incident.draws,
                wants=incident.wants,
            )
