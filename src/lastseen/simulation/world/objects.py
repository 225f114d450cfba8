"""Smart objects: what agents do with them, their effects, barriers, and paths through doors they have the key of."""

from __future__ import annotations

import math

import numpy as np

from ...agents.bodies.orders import Act
from ...agents.brains.objects import IN_LOCKER, USAGES, Objects, SmartObject, Task, Use
from ...agents.brains.relations import TEAMS
from ...agents.senses.hearing.sounds import sound
from ...checks import point_xyz
from ...conventions import Floats
from ...kernels.arrays.agent_arrays import ACTIVE, BODY
from ...level.features import door_number
from ...level.level import Level
from ...navmesh.navmesh import AnyMesh
from ...navmesh.query import find_paths, nearest_many
from ...navmesh.results import Paths
from ...vocabulary.events import AlarmRaised, ObjectUsed, Place, TrapSprung
from ...vocabulary.words import Attitude, ObjectKind
from ..scenario.object_specs import ObjectSpec, TaskSpec
from ..scenario.reader import Setting
from ..scenario.scenario import Scenario
from .combat import go_down
from .lighting import DARK, within
from .world import World

_INTRUDERS = TEAMS.index("intruders")
_REACH = 1.2
"""Metres from a slot within which an object can be used, and from a place within which an item is put down there."""
_DRAWS = 12.0
"""Metres within which guards run to an alarm, unless the scenario says otherwise."""
_AT_HOME = 0.5
"""Metres within which an item that is put down is back where it belongs."""


def make_objects(setting: Setting, mesh: AnyMesh) -> Objects | None:
    """Return the objects of a scenario as they are at first; None if there are none."""
    scenario, level, names = setting.scenario, setting.level, [spec.name for spec in setting.agents]
    if not scenario.objects:
        return None
    stored = {spec.holds for spec in scenario.objects if spec.holds}
    carriers = [
        names.index(spec.held_by) if spec.held_by else IN_LOCKER if spec.name in stored else -1
        for spec in scenario.objects
    ]
    things = tuple(_thing(spec, level, mesh) for spec in scenario.objects)
    return Objects(
        things=things,
        places=[thing.xyz for thing in things],
        carrier=carriers,
        is_on=[_light(scenario, thing) > DARK for thing in things],
        owner=[spec.team for spec in scenario.objects],
        rung=[-math.inf] * len(things),
        tasks={
            number: tuple(_task(one, level) for one in spec.tasks)
            for number, spec in enumerate(setting.agents)
            if spec.tasks
        },
    )


def _thing(spec: ObjectSpec, level: Level, mesh: AnyMesh) -> SmartObject:
    kind = ObjectKind(spec.kind)
    xyz = place_named(spec.marker if spec.marker else spec.place, level)
    wanted = np.array([place_named(slot, level) for slot in spec.slots] or [xyz])
    found = nearest_many(mesh, wanted)
    doors = [door.name for door in level.doors]
    return SmartObject(
        name=spec.name,
        kind=kind,
        xyz=xyz,
        slots=tuple((x, y, z) for x, y, z in found.xyz.tolist()),
        animation=spec.animation or USAGES[kind].animation,
        seconds=USAGES[kind].seconds if spec.seconds is None else spec.seconds,
        users=spec.users,
        key=spec.key,
        opens=tuple(door_number(doors, door) for door in spec.opens),
        holds=spec.holds,
        zones=tuple(zone for zone in level.zones if spec.zone and zone.name == spec.zone),
        team=spec.team,
        draws=_DRAWS if spec.draws is None else spec.draws,
    )


def place_named(given: str | tuple[float, ...] | None, level: Level) -> Place:
    """Return a place in metres, given as such or as the name of a marker."""
    if isinstance(given, str):
        given = next(marker.xyz for marker in level.markers if marker.name == given)
    x, y, z = point_xyz(given or (0.0, 0.0)).tolist()
    return x, y, z


def watched_place(spec: ObjectSpec, level: Level) -> Place:
    """Return the place where a change of an object is seen: where it belongs, or the middle of the zone it lights."""
    lit = next((zone for zone in level.zones if spec.kind == ObjectKind.SWITCH and zone.name == spec.zone), None)
    if lit is None:
        return place_named(spec.marker or spec.place, level)
    x, y = lit.outline_xy.mean(axis=0).tolist()
    return x, y, lit.z


def _task(given: str | TaskSpec, level: Level) -> Task:
    if isinstance(given, str):
        return Task(given)
    return Task(given.use, given.seconds, None if given.to is None else place_named(given.to, level))


def _light(scenario: Scenario, thing: SmartObject) -> float:
    """Return the light of the zone of a switch while it is on; 0 for other objects."""
    if thing.kind is not ObjectKind.SWITCH or not thing.zones:
        return 0.0
    zone = thing.zones[0]
    usual = {"dark": DARK, "lit": 1.0}.get(zone.kind, scenario.light)
    return scenario.lights.get(zone.name, usual)


def use_object(world: World, agent: int, order: Act) -> None:
    """Begin or continue the use of an object, if a slot is free and in reach; it has to be ordered in every step."""
    own, number = world.objects, order.number
    if own is None or not 0 <= number < len(own.things) or world.bodies.mode[agent] != ACTIVE:
        return
    thing, place, team = own.things[number], world.place_of(agent), world.relations.teams[world.bodies.team[agent]]
    slot = -1 if own.obstacle(number, agent, team) else own.claim(number, agent, place)
    if slot < 0 or math.dist(place, own.slots(number)[slot]) > _REACH:
        return
    use = own.uses.get(agent)
    if use is None or use.thing != number:
        seconds = thing.seconds if order.seconds is None else order.seconds
        own.uses[agent] = Use(number, world.time, world.time + seconds)
        _tell(world, agent, number, "begins")
    own.renewed.add(agent)


def put_down(world: World, agent: int, order: Act) -> None:
    """Let an agent put down an item that it carries, at a place in reach or here."""
    own, number = world.objects, order.number
    if own is None or not 0 <= number < len(own.things) or own.carrier[number] != agent:
        return
    here = world.place_of(agent)
    place = here if order.xyz is None or math.dist(here, order.xyz) > _REACH else order.xyz
    is_home = math.dist(place, own.things[number].xyz) <= _AT_HOME
    own.carrier[number] = -1
    own.places[number] = own.things[number].xyz if is_home else place
    _tell(world, agent, number, "put")
    _note_change(world, agent, number, 0 if is_home else 1)


def drop_all(world: World, agent: int) -> None:
    """Let an agent put down all that it carries, where it is."""
    for number in range(0 if world.objects is None else len(world.objects.things)):
        put_down(world, agent, Act("put down", number))


def run_objects(world: World) -> None:
    """Finish or break off uses, let carried items move with their carriers, and let barriers work."""
    own = world.objects
    assert own is not None
    led = {held.host for held in world.acts.possessed.values()}
    for agent, use in list(own.uses.items()):
        # A puppet goes on until it moves, and so does an agent led by another; all others order it in every step.
        is_puppet = world.trees[agent] is None or agent in led
        is_held = agent in own.renewed or (is_puppet and not world.orders.arrays.going[agent])
        is_held &= _is_at(world, agent, use.thing)  # it may have blinked away, or been placed elsewhere
        if not is_held or world.bodies.mode[agent] != ACTIVE:
            del own.uses[agent]
            own.release(agent)
            _tell(world, agent, use.thing, "breaks off")
        elif world.time >= use.until - 1e-9:
            del own.uses[agent]
            own.release(agent)
            own.done[agent] = use.thing, world.time
            _finish(world, agent, use.thing)
    own.renewed.clear()
    for agent in [one for one in own.claims if world.bodies.mode[one] != ACTIVE]:
        own.release(agent)  # it fell or left on its way to the object
    for number, agent in enumerate(own.carrier):
        if agent >= 0 and world.bodies.mode[agent] == BODY:
            put_down(world, agent, Act("put down", number))
        elif agent >= 0:
            own.places[number] = world.place_of(agent)
    for number, thing in enumerate(own.things):
        if thing.kind is ObjectKind.BARRIER:
            _strike(world, number, thing)


def _is_at(world: World, agent: int, number: int) -> bool:
    """Return whether an agent is in reach of a slot of an object."""
    own, place = world.objects, world.place_of(agent)
    return own is not None and any(math.dist(place, slot) <= _REACH for slot in own.slots(number))


def _finish(world: World, agent: int, number: int) -> None:
    """Carry out the effect of an object."""
    own = world.objects
    assert own is not None
    thing, detail = own.things[number], ""
    if thing.kind is ObjectKind.ALARM:
        own.rung[number] = world.time
        world.senses.sounds.append(sound("alarm", thing.xyz, created=world.time))
        world.happened(AlarmRaised(world.tick, agent, at=thing.xyz))
    elif thing.kind is ObjectKind.SWITCH:
        own.is_on[number] = not own.is_on[number]
        detail = thing.zones[0].name
        on = max(_light(world.scenario, thing), world.scenario.light)
        world.script.lighting.switch(detail, on if own.is_on[number] else DARK)
        _note_change(world, agent, number, 0 if own.is_on[number] else 1)
    elif thing.kind is ObjectKind.ITEM:
        own.carrier[number] = agent
        _note_change(world, agent, number, 1)
    elif thing.kind is ObjectKind.LOCKER and thing.holds:
        item = own.number(thing.holds)
        if own.carrier[item] == IN_LOCKER:
            own.carrier[item], detail = agent, thing.holds
    elif thing.kind is ObjectKind.BARRIER:
        own.owner[number] = detail = world.relations.teams[world.bodies.team[agent]]
    _tell(world, agent, number, "done", detail)


def _tell(world: World, agent: int, number: int, step: str, detail: str = "") -> None:
    own = world.objects
    assert own is not None
    thing = own.things[number]
    world.happened(
        ObjectUsed(
            world.tick,
            agent,
            at=own.places[number],
            object=thing.name,
            thing=thing.kind,
            animation=thing.animation,
            step=step,  # type: ignore[arg-type]
            detail=detail,
            is_on=own.is_on[number],
        )
    )


def _note_change(world: World, agent: int, number: int, state: int) -> None:
    """Note that an object is not as it was, so that guards may notice; what other sides do is in order."""
    if state == 0 or world.cast.side[agent] == _INTRUDERS:
        world.attention.changed.change(len(world.doors.shut) + len(world.names) + number, state, world.time)


def _strike(world: World, number: int, thing: SmartObject) -> None:
    """Fell agents in the zone of a barrier that are enemies of the team it serves."""
    own = world.objects
    assert own is not None
    inside = np.any([within(zone, world.bodies.xyz) for zone in thing.zones], axis=0)
    owner = world.relations.teams.index(own.owner[number])
    enemy = world.relations.attitude[owner, world.bodies.team] == Attitude.HOSTILE.number
    for victim in np.flatnonzero(inside & enemy & (world.bodies.mode == ACTIVE)).tolist():
        place = world.place_of(victim)
        world.happened(TrapSprung(world.tick, victim, at=place, trap=thing.name, number=-1))
        world.senses.sounds.append(sound("body fall", place, created=world.time))
        go_down(world, victim)


def has_key(world: World, agent: int, door: int) -> bool:
    """Return whether an agent carries the key of a locked door."""
    return world.objects is not None and door in world.objects.opened_by(agent)


def keyed_path(world: World, agent: int, start: Floats, goal: Floats) -> Paths | None:
    """Return an agent's path through shut doors it has the key of; None if it has none."""
    if world.objects is None:
        return None
    doors = [door for door in world.objects.opened_by(agent) if world.doors.shut[door]]
    if not doors:
        return None
    with world.cells.mesh_without(doors) as mesh:
        return find_paths(mesh, start[None], goal[None])
