"""Positions in a fight: where to shoot from, how to flank, and where to stay."""

from __future__ import annotations

import math

import numpy as np

from ....conventions import Array, Bools, Floats
from ....kernels.sight.exposure import spots_in_view
from ....reasoning.tactical.flank import avenue, combat_line, flank_routes
from ...bodies.bodies import STANCES
from ...brains.mind import Place
from ...limits import Metres, NotNegative
from ..crew_mind import CrewMind
from ..roles.vocabulary import Places, RoleWords

_ASKED_AGAIN = 2.0
"""Seconds after which new firing positions are searched."""
_SLACK = 1.0
"""Metres by which the target may come too near to a firing position, or get too far, before it is given up."""
_MOVED = 3.0
"""Metres the target may move before a flanking path is replanned."""
_PASSED = 1.2
"""Distance in metres to a corner of a flanking path at which it counts as passed."""
_LATELY = 5.0
"""Seconds for which an attack counts in the line of combat of attackers."""
_Begun = tuple[str, float]
_SECTORS = 16
"""Directions around the target, each with one firing position."""


def add_fight_ways(words: RoleWords) -> None:
    """Add the places and values of fights."""
    words.place(firing, room=lambda level, near, far, walk: 0 if near > far else None)  # noqa: ARG005
    words.value(_way_round, name="way_round")
    words.value(_here, name="here")


def firing(mind: CrewMind, near: NotNegative = 5.0, far: Metres = 9.0, walk: Metres = 15.0) -> Places:
    """Find firing positions between two distances from the target, with a clear line to it.

    There is at most one in each of 16 directions around it, within `walk` metres of path length for some member.
    Positions stay fixed while the target moves. One is given up if a wall comes between, or if the target comes a metre
    nearer than `near` or gets a metre further than `far`. New ones are searched when a member has lost its position,
    after a second if there are not enough, and after two otherwise; members keep the positions they have.
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
    """Return which spots (n, 3) lie between two distances from a target with a clear line, (n,) bool, and metres."""
    good, away = np.empty(len(spots), np.bool_), np.empty(len(spots))
    eye, chest = STANCES[0].eye, STANCES[0].chest
    spots_in_view(mind.world.sight.arrays, spots, target[None], eye, chest, near, far, away, good)
    return good, away


def _firing(mind: CrewMind, target: Floats, near: float, far: float, walk: float, held: Places) -> Places:
    """Return the positions held, and in each other direction the one nearest the middle of the range."""
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
    """Return the sector of 16 around a target for each of spots (n, 3), (n,) int64."""
    turn = np.arctan2(spots[:, 1] - target[1], spots[:, 0] - target[0]) / (2.0 * np.pi)
    return np.asarray(np.floor((turn % 1.0) * _SECTORS), np.int64) % _SECTORS


def _way_round(
    mind: CrewMind,
    member: int,
    xyz: Place | None,  # noqa: ARG001
    excluded: bool = False,
    by_attacks: bool = False,
) -> Place | None:
    """Return the next point of a path to the target around the line of combat.

    `excluded`: stay out of the ground between the target and its attackers, however long the detour, if there is
    another path. `by_attacks`: base the line on members that attacked recently, or on all others if none did.
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
    """Return the corners of a path to the target that avoids the line of combat, ending at the target."""
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
    """Return which fighters attacked recently, (n,) float64, 1 or 0; shots that were held do not count."""
    ended = {} if mind.world.combat is None else mind.world.combat.ended
    last = [ended.get(one, (-math.inf, "held")) for one in fighters]
    return np.array([float(how != "held" and mind.time - when <= _LATELY) for when, how in last])


def _here(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    """Return the position of a member at the time it was told to stay."""
    stays: dict[int, tuple[_Begun, Place]] = mind.blackboard.setdefault("stays here", {})
    begun = _begun(mind, member)
    if member not in stays or stays[member][0] != begun:
        stays[member] = (begun, mind.place_of(member))
    return stays[member][1]


def _begun(mind: CrewMind, member: int) -> _Begun:
    """Return a member's role from this tick on and its start; data cached under another role is obsolete."""
    role = mind.new_role_of(member)
    return role, mind.role_since(member, role)
