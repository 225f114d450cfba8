"""Traps: places that fell, snare or give away the first agent of another team that comes near."""

from __future__ import annotations

import math
from dataclasses import replace

from ...agents.bodies.orders import Act
from ...agents.senses.hearing.sounds import sound
from ...kernels.arrays.agent_arrays import ACTIVE
from ...level.features import Trap
from ...vocabulary.events import SetTrap, TrapSprung
from ...vocabulary.words import TrapEffect
from .combat import go_down
from .parts import TrapWork
from .powers import use_power
from .world import World

_STOREY = 1.0
"""Largest difference in height, in metres, at which a trap is triggered."""


def make_traps(traps: tuple[Trap, ...]) -> TrapWork:
    """Return the traps of a level, all of them set."""
    return TrapWork(traps=list(traps), is_set=[True] * len(traps), set_by=[-1] * len(traps))


def set_trap(world: World, agent: int, order: Act) -> None:  # noqa: ARG001
    """Set a trap where an agent stands, which fells the first agent of another team that comes near."""
    if not use_power(world, agent, "trap"):
        return
    trap = Trap(world.place_of(agent), team=world.relations.teams[world.bodies.team[agent]])
    world.traps.traps.append(trap)
    world.traps.is_set.append(True)
    world.traps.set_by.append(agent)
    world.happened(SetTrap(world.tick, agent, at=trap.xyz, radius=trap.radius))


def spring_traps(world: World) -> None:
    """Spring the traps that agents of other teams step into, in the order of traps and agents; hold those snared.

    An agent in a snare neither walks nor blinks nor appears elsewhere.
    """
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
            _spring(world, number, trap, victim)


def _victim(world: World, trap: Trap) -> int:
    """Return the first agent within reach of a trap that its owners did not warn; -1 if none."""
    owner = world.relations.teams.index(trap.team) if trap.team else -1
    for agent in range(len(world.names)):
        x, y, z = world.place_of(agent)
        near = math.hypot(x - trap.xyz[0], y - trap.xyz[1]) <= trap.radius and abs(z - trap.xyz[2]) <= _STOREY
        if near and world.bodies.mode[agent] == ACTIVE and world.bodies.team[agent] != owner:
            return agent
    return -1


def _spring(world: World, number: int, trap: Trap, victim: int) -> None:
    by = world.traps.set_by[number]
    effect = TrapEffect(trap.effect)
    world.happened(TrapSprung(world.tick, victim, at=trap.xyz, other=by, trap=trap.name, number=number, effect=effect))
    if effect is TrapEffect.FELL:
        go_down(world, victim)
    elif effect is TrapEffect.SNARE:
        world.traps.held[victim] = world.time + trap.seconds
        world.orders.halt(victim)
        for power in ("blink", "travel"):
            rested = max(world.acts.rested.get((power, victim), 0.0), world.traps.held[victim])
            world.acts.rested[power, victim] = rested
    world.senses.sounds.append(replace(sound(trap.sound, trap.xyz, created=world.time), known_to=victim))
