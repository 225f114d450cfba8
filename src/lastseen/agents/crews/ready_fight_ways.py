"""Ways of a fight: where to shoot from, which way round, and where one stays."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array, Bools, Floats
from ...kernels.nearness import spots_in_view
from ...reasoning.tactical.avenue import avenue
from ...reasoning.tactical.combat_line import combat_line
from ...reasoning.tactical.flank import flank_routes
from ..bodies import STANCES
from ..brains.mind import Place
from ..limits import FromZero, Metres
from .crew_mind import CrewMind
from .words import Places, RoleWords

__all__ = ["add_fight_ways"]

_ASKED_AGAIN = 2.0
"""Seconds after which other places to shoot from are looked for."""
_SLACK = 1.0
"""Metres by which a target may come too near to a place to shoot from, or get too far, before it is given up."""
_MOVED = 3.0
"""Metres a target may move before a way round it is found anew."""
_PASSED = 1.2
"""Metres from a bend of a way round at which the next one is made for."""
_LATELY = 5.0
"""Seconds for which an attack counts where the line of combat is that of those who attack."""
_Begun = tuple[str, float]
_SECTORS = 16
"""Directions round the target, in each of which there is one place to shoot from."""


def add_fight_ways(words: RoleWords) -> None:
    """Add the places and values."""
    words.place(firing, room=lambda level, near, far, walk: 0 if near > far else None)  # noqa: ARG005
    words.value(_way_round, name="way_round")
    words.value(_here, name="here")


def firing(mind: CrewMind, near: FromZero = 5.0, far: Metres = 9.0, walk: Metres = 15.0) -> Places:
    """Places from which the target can be shot at: between two distances of it, no wall or cover between, one in each
    of 16 directions round it, not more than so many metres to walk for some member.

    They stay where they are while the target moves: one is given up when a wall comes between, or the target has come
    a metre nearer than that, or got a metre further. Others are looked for when who had such a place lost it, after a
    second if there are not enough, and after two; who has one keeps it.
    """
    place = mind.known.place
    if place is None:
        return Places.of([])
    target = np.asarray(place)
    before = mind.blackboard.setdefault("firing", {}).get((near, far, walk))
    since, found = (-math.inf, Places.of([])) if before is None else before
    had = mind.had.intersection(found.number.tolist())
    good, away = _can_be_shot_from(mind, found.xyz, target, near - _SLACK, far + _SLACK)
    if False in good.tolist():
        found, away = Places(found.xyz[good], found.number[good]), away[good]
    held = [number in had for number in found.number.tolist()]
    after = _ASKED_AGAIN if len(found) >= len(mind.members) else 0.5 * _ASKED_AGAIN
    if sum(held) < len(had) or mind.time - since >= after:
        kept = np.array(held, np.bool_)
        since, found = mind.time, _firing(mind, target, near, far, walk, Places(found.xyz[kept], found.number[kept]))
        away = np.linalg.norm(found.xyz - target, axis=1)
    mind.blackboard["firing"][near, far, walk] = since, found
    words = tuple(f"a place to shoot from, {metres:.0f} m off" for metres in away.tolist())
    return Places(found.xyz, found.number, words)


def _can_be_shot_from(mind: CrewMind, spots: Floats, target: Floats, near: float, far: float) -> tuple[Bools, Floats]:
    """Which spots (n, 3) lie between two distances of a target, no wall or cover between? (n,) bool; and metres."""
    good, away = np.empty(len(spots), np.bool_), np.empty(len(spots))
    eye, chest = STANCES[0].eye, STANCES[0].chest
    spots_in_view(mind.world.sight.arrays, spots, target[None], eye, chest, near, far, away, good)
    return good, away


def _firing(mind: CrewMind, target: Floats, near: float, far: float, walk: float, held: Places) -> Places:
    """Return the places that are held, and one in each direction in which none of these lies, nearest the middle."""
    spots = mind.ground.near(mind.known.xyz, walk)
    good, away = _can_be_shot_from(mind, spots, target, near, far)
    spots, off = spots[good], np.abs(away[good] - 0.5 * (near + far))
    sector = _sectors(spots, target)
    order = np.lexsort((off, sector))
    done, rows = set(_sectors(held.xyz, target).tolist()), []
    for row, at in zip(order.tolist(), sector[order].tolist()):
        if at not in done:
            done.add(at)
            rows.append(row)
    used = set(held.number.tolist())
    free = [number for number in range(len(rows) + len(held)) if number not in used]
    number = np.array(free[: len(rows)], np.int64)
    return Places(np.concatenate([held.xyz, spots[rows]]), np.concatenate([held.number, number]))


def _sectors(spots: Floats, target: Floats) -> Array:
    """In which of 16 directions round a target does each of spots (n, 3) lie? (n,) int64."""
    turn = np.arctan2(spots[:, 1] - target[1], spots[:, 0] - target[0]) / (2.0 * np.pi)
    return np.asarray(np.floor((turn % 1.0) * _SECTORS), np.int64) % _SECTORS


def _way_round(
    mind: CrewMind,
    member: int,
    xyz: Place | None,  # noqa: ARG001
    excluded: bool = False,
    by_attacks: bool = False,
) -> Place | None:
    """Where to go next on the way round the line of combat to the target.

    `excluded`: keep out of the ground between the target and those who fight it, whatever the detour, where there is
    another way at all. `by_attacks`: the line is that of those who attacked lately; where nobody did, of all others.
    """
    target = mind.known.place
    if target is None:
        return None
    ways: dict[int, tuple[_Begun, Place, list[Place]]] = mind.blackboard.setdefault("ways round", {})
    begun, kept = _begun(mind, member), ways.get(member)
    if kept is None or kept[0] != begun or math.dist(kept[1], target) > _MOVED:
        kept = ways[member] = (begun, target, _flank(mind, member, target, excluded, by_attacks))
    bends, here = kept[2], mind.place_of(member)
    while len(bends) > 1 and math.dist(here, bends[0]) <= _PASSED:
        bends.pop(0)
    return target if len(bends) == 1 else bends[0]


def _flank(mind: CrewMind, member: int, target: Place, excluded: bool = False, by_attacks: bool = False) -> list[Place]:
    """Return the bends of a way to the target that keeps from the line of combat, the target last."""
    role = mind.new_role_of(member)
    others = [other for other in mind.members if other != member and mind.new_role_of(other) != role]
    fighters = others or list(mind.members)
    feet, weights = mind.world.bodies.xyz[fighters], _attacks(mind, fighters) if by_attacks else np.ones(len(fighters))
    line, ground = combat_line(target, feet, weights), None
    if excluded and line.has_direction:
        middle = np.average(feet, axis=0, weights=weights if weights.any() else None)
        ground = avenue(mind.world.cells.mesh, target, middle)
    route = flank_routes(mind.ground.ways, line, [mind.place_of(member)], excluded=ground).routes[0]
    if not route.reached:
        return [target]
    return [*((x, y, z) for x, y, z in route.points_xyz[1:-1].tolist()), target]


def _attacks(mind: CrewMind, fighters: list[int]) -> Floats:
    """Return who of some has attacked lately: (n,) float64, 1 or 0; a shot that was held is none."""
    ended = {} if mind.world.combat is None else mind.world.combat.ended
    last = [ended.get(one, (-math.inf, "held")) for one in fighters]
    return np.array([float(how != "held" and mind.time - when <= _LATELY) for when, how in last])


def _here(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    """Where it was when it was told to stay there."""
    stays: dict[int, tuple[_Begun, Place]] = mind.blackboard.setdefault("stays here", {})
    begun = _begun(mind, member)
    if member not in stays or stays[member][0] != begun:
        stays[member] = (begun, mind.place_of(member))
    return stays[member][1]


def _begun(mind: CrewMind, member: int) -> _Begun:
    """Return the role a member has from this thought on, and since when: what was kept with another is over."""
    role = mind.new_role_of(member)
    return role, mind.role_since(member, role)
