"""Traps: places that fell, snare or give away the first agent of another team that comes near."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...agents.senses.hearing.sounds import sound
from ...kernels.arrays.agent_arrays import ACTIVE
from ...level.level import Level
from ...vocabulary.events import Place, TrapSprung
from ..scenario.scenario import Scenario, TrapSpec
from .combat import go_down
from .parts import TrapWork
from .world import World

_STOREY = 1.0
"""Largest difference in height, in metres, at which a trap is triggered."""


@dataclass(frozen=True)
class Trap:
    """A trap with its place in metres, and whether it is still set (`TrapWork.is_set`)."""

    spec: TrapSpec
    xyz: Place


def make_traps(scenario: Scenario, level: Level) -> TrapWork:
    """Return the traps of a scenario, all of them set."""
    found = []
    for spec in scenario.traps:
        markers = {marker.name: marker.xyz for marker in level.markers}
        x, y, z = markers[spec.marker] if spec.marker else (*(spec.place or (0.0, 0.0)), 0.0)[:3]
        found.append(Trap(spec, (float(x), float(y), float(z))))
    return TrapWork(traps=tuple(found), is_set=[True] * len(found))


def spring_traps(world: World) -> None:
    """Spring the traps that agents of other teams step into, in the order of traps and agents; hold those snared."""
    own = world.traps
    for agent, until in list(own.held.items()):
        if world.time >= until - 1e-9 or world.bodies.mode[agent] != ACTIVE:
            del own.held[agent]
        else:
            world.orders.halt(agent)
    for number, trap in enumerate(own.traps):
        victim = _victim(world, trap) if own.is_set[number] else -1
        if victim >= 0:
            own.is_set[number] = False
            _spring(world, trap, victim)


def _victim(world: World, trap: Trap) -> int:
    """Return the first agent within reach of a trap that its owners did not warn; -1 if none."""
    owner = world.relations.teams.index(trap.spec.team)
    for agent in range(len(world.names)):
        x, y, z = world.place_of(agent)
        near = math.hypot(x - trap.xyz[0], y - trap.xyz[1]) <= trap.spec.radius and abs(z - trap.xyz[2]) <= _STOREY
        if near and world.bodies.mode[agent] == ACTIVE and world.bodies.team[agent] != owner:
            return agent
    return -1


def _spring(world: World, trap: Trap, victim: int) -> None:
    spec = trap.spec
    world.happened(TrapSprung(world.tick, victim, at=trap.xyz, trap=spec.marker, effect=spec.effect))
    if spec.effect == "fell":
        go_down(world, victim)
    elif spec.effect == "snare":
        world.traps.held[victim] = world.time + spec.seconds
        world.orders.halt(victim)
    world.senses.sounds.append(sound(spec.sound, trap.xyz, created=world.time))
