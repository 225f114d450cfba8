"""Puppets: agents moved by a player or a program, through inputs that can be replayed exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import msgspec
import numpy as np

from ...agents.bodies.orders import SPEEDS, Act, ActKind, Gait
from ...checks import expect, instance_of, real_number, shown, whole_number
from ...errors import InputError, did_you_mean
from ...kernels.arrays.agent_arrays import ACTIVE
from .combat import can_hit
from .world import World

_AHEAD = 1.2
"""Metres to a puppet's next goal, far enough not to slow down before it."""
_DOOR_REACH, _HIDE_REACH, _OBJECT_REACH = 1.6, 1.5, 1.2


class PlayerInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player's input for one step.

    Attributes
    ----------
    move : direction on the map, any length; (0, 0): stand.
    gait : of the movement.
    use : use the nearest object, open or shut the nearest door, or enter or leave the nearest hiding place. An object
        is in use until the puppet moves or is done; the last item taken is put down where there is nothing to use.
    throw : place in metres to throw an object to.
    strike : attack the nearest foe in reach with the agent's weapon; ignored without combat.
    blink : place in metres to blink to, within sight and 8 m.
    decoy, trap : leave a decoy, set a trap.
    time_stop : stop time for all others.
    possess : take control of the nearest agent of another team in reach, or let go of it. While the puppet has control
        of it, `move` and `use` apply to its body, and nothing else does.
    travel : go over to the same place in the other state of the level.
    """

    move: tuple[float, float] = (0.0, 0.0)
    gait: Gait = "walk"
    use: bool = False
    throw: tuple[float, float, float] | None = None
    strike: bool = False
    blink: tuple[float, float, float] | None = None
    decoy: bool = False
    trap: bool = False
    time_stop: bool = False
    possess: bool = False
    travel: bool = False

    def __post_init__(self) -> None:
        _require_numbers(self.move, 2, "move")
        for name in ("throw", "blink"):
            if getattr(self, name) is not None:
                _require_numbers(getattr(self, name), 3, name)
        if not isinstance(self.gait, str) or self.gait not in SPEEDS:
            raise InputError(f"gait is {shown(self.gait)}{did_you_mean(self.gait, SPEEDS)}; give {', '.join(SPEEDS)}")


def apply_input(world: World, agent: int, wanted: PlayerInput) -> None:
    """Set a puppet's orders for the next step; call it before `step`."""
    if whole_number(agent, "agent") >= len(expect(world, World, "world").names):
        raise InputError(f"agent is {shown(agent)}; there are {len(world.names)}, numbered from 0")
    wanted = instance_of(wanted, PlayerInput, "wanted", "give PlayerInput(…)")
    orders = world.orders.arrays
    x, y = wanted.move
    length = math.hypot(x, y)
    body = world.acts.body_of(agent)
    if not (math.isfinite(length) and length > 0.0) or world.bodies.mode[body] != ACTIVE:
        orders.going[agent] = 0
    else:
        place = world.bodies.xyz[agent]
        orders.goal_xyz[agent] = place + np.array([x, y, 0.0]) * (_AHEAD / length)
        orders.going[agent] = 1
        orders.speed[agent] = SPEEDS[wanted.gait]
    orders.stance[agent] = 1 if wanted.gait == "sneak" else 0
    orders.face[agent] = orders.gaze[agent] = np.nan
    if wanted.use:
        _use(world, body, may_hide=body == agent)
    if wanted.throw is not None and all(map(math.isfinite, wanted.throw)):
        world.acts.outside.append((agent, Act("throw", xyz=wanted.throw)))
    if wanted.strike:
        _strike(world, agent)
    if wanted.blink is not None and all(map(math.isfinite, wanted.blink)):
        world.acts.outside.append((agent, Act("blink", xyz=wanted.blink)))
    for kind, is_wanted in _AT_ONCE.items():
        if is_wanted(wanted):
            world.acts.outside.append((agent, Act(kind)))


_AT_ONCE: dict[ActKind, Callable[[PlayerInput], bool]] = {
    "decoy": lambda wanted: wanted.decoy,
    "set trap": lambda wanted: wanted.trap,
    "stop time": lambda wanted: wanted.time_stop,
    "possess": lambda wanted: wanted.possess,
    "travel": lambda wanted: wanted.travel,
}
"""Powers that need no place, and the inputs that use them."""


def _require_numbers(values: Any, count: int, name: str) -> None:
    if not isinstance(values, tuple | list) or len(values) != count:
        raise InputError(f"{name} is {shown(values)}; give {count} numbers")
    for value in values:
        real_number(value, name)


def _use(world: World, agent: int, *, may_hide: bool) -> None:
    """Leave hiding; else use the nearest object, hide, or use the nearest door, if in reach; else put an item down."""
    if world.acts.hidden_in[agent] >= 0:
        world.acts.outside.append((agent, Act("leave hiding")))
        return
    place = world.bodies.xyz[agent].tolist()
    own = world.objects
    if own is not None:
        near = [
            (math.dist(place, slot), number)
            for number in range(len(own.things))
            for slot in own.slots(number)
            if own.carrier[number] == -1
        ]
        metres, number = min(near, default=(math.inf, -1))
        if metres <= _OBJECT_REACH:
            world.acts.outside.append((agent, Act("use", number)))
            return
    spots = [(math.dist(place, spot.xyz), number) for number, spot in enumerate(world.level.hiding_places)]
    metres, number = min(spots, default=(math.inf, -1))
    if metres <= _HIDE_REACH and may_hide:
        world.acts.outside.append((agent, Act("hide", number)))
        return
    doors = [(math.dist(place, middle), number) for number, middle in enumerate(world.doors.middles.tolist())]
    metres, number = min(doors, default=(math.inf, -1))
    if metres <= _DOOR_REACH:
        kind: Literal["open door", "close door"] = "open door" if world.doors.shut[number] else "close door"
        world.acts.outside.append((agent, Act(kind, number)))
    elif own is not None and agent in own.carrier:
        last = max(number for number, carrier in enumerate(own.carrier) if carrier == agent)
        world.acts.outside.append((agent, Act("put down", last)))


def _strike(world: World, agent: int) -> None:
    """Begin an attack on the nearest foe that can be hit."""
    combat, bodies = world.combat, world.bodies
    if combat is None or combat.attack[agent] == "none":
        return
    kind: Literal["strike", "shoot"] = "strike" if combat.attack[agent] == "melee" else "shoot"
    place = bodies.xyz[agent].tolist()
    foes = np.flatnonzero(bodies.team != bodies.team[agent]).tolist()
    near = sorted((math.dist(place, bodies.xyz[foe].tolist()), foe) for foe in foes)
    foe = next((foe for _, foe in near if can_hit(world, agent, foe, kind)), None)
    if foe is not None:
        world.acts.outside.append((agent, Act(kind, foe)))
