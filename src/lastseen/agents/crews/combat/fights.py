"""Vocabulary of fights: distant targets, lines of fire, openings (chapter 36), firing positions and flanking."""

from __future__ import annotations

import math

import numpy as np

from ....conventions import Array, Bools, Floats
from ....kernels.bodies import fire_lines as lines
from ....kernels.bodies.fire_lines import lines_near, without_bodies
from ....kernels.sight.exposure import spots_in_view
from ....kernels.sight.sight_line import clear_lines
from ....reasoning.tactical.far_targets import detours
from ....reasoning.tactical.flank import avenue, combat_line, flank_paths
from ...bodies.bodies import STANCES
from ...brains.mind import Place
from ...limits import Count, Metres, NotNegative, Ratio, Seconds, Share
from ..crew_mind import Begun, CrewMind
from ..roles.vocabulary import Asked, Places, RoleWords
from ..shipped.destinations import members_walk_straight
from ..shipped.general import falling, in_columns, says
from .ranks import Opening, Ranking

Answer = tuple[bool, str]
_ASKED_AGAIN = 1.0
"""Seconds for which results of level queries are kept."""
_MOVED = 2.0
"""Metres the target may move before a level query is repeated."""
_KEPT = 0.6
"""Factor on the ratio at which a target stops being far, for hysteresis."""
_PATIENCE, _ALMOST = 1.0, 0.99
"""Seconds a line may be crossed before its place counts as bad, and its score until then."""
_CLEAR = 0.55
"""Distance in metres from the centre of a line of fire within which a body obstructs it."""


def add_fights(words: RoleWords) -> None:
    """Add the words of fights."""
    words.crew(people_fight)
    words.crew(far_target)
    words.crew(target_unreachable)
    words.crew(target_has_gun)
    words.crew(lost_from, names={"role": "role"})
    words.member(is_up)
    words.score(clear_line, says=says("a clear line"))
    words.score(out_of_lines)
    words.score(short_way, says=_say_way)
    words.score(armed_with_blade)
    words.place(firing, room=lambda level, near, far, walk: 0 if near > far else None)  # noqa: ARG005
    words.value(_way_round, name="way_round")
    words.value(_here, name="here")
    words.member(opens_fight)
    words.place(covered, room=lambda level, walk, count: count)  # noqa: ARG005


def people_fight(mind: CrewMind) -> Answer:
    """Return whether the scenario has combat rather than capture."""
    fights = mind.world.combat is not None
    return fights, "people fight" if fights else "nobody fights here"


def far_target(
    mind: CrewMind,
    ratio: Ratio = 2.5,
    extra: NotNegative = 5.0,
    share: Share = 0.0,
    near: NotNegative = 8.0,
    reached: NotNegative = 3.0,
) -> Answer:
    """Return whether a member's path to the target exceeds `ratio` times the straight line plus `extra` metres.

    This must hold for a `share` of members, 0 … 1, and for at least one; members whose direction says `sent` count, as
    they are under way because of it. It does not hold while any member is within `near` metres of the target. Once it
    holds, it does so while any member's path is nearly as long, until one comes within `reached` metres.
    """
    place, members = mind.known.place, mind.members
    if place is None:
        return False, "nobody knows where it is"
    held = mind.time - mind.blackboard.get("far since", -math.inf) <= _ASKED_AGAIN
    close = reached if held else near
    if _is_within(mind, place, close):
        return False, "a member is there" if held else "a member is near it"
    share = 0.0 if held else share
    ratio = max(1.0, _KEPT * ratio) if held else ratio
    asked = (ratio, extra, members)
    before = mind.blackboard.get("detours")
    if (
        before is None
        or before[0] != asked
        or mind.time - before[1] >= _ASKED_AGAIN
        or math.dist(before[3], place) > _MOVED
    ):
        ends = np.tile(np.asarray(place), (len(members), 1))
        far = detours(mind.paths.cheapest, mind.known.xyz, ends, ratio=ratio, extra=extra).far
        before = mind.blackboard["detours"] = (asked, mind.time, far, place)
    far = before[2]
    count = sum(bool(far[row]) or _is_sent(mind, member) for row, member in enumerate(members))
    is_far = count >= max(1, math.ceil(share * len(members)))
    if is_far:
        mind.blackboard["far since"] = mind.time
    return is_far, f"a long way for {count} of {len(members)}"


def _is_within(mind: CrewMind, place: Place, close: float) -> bool:
    """Return whether any member is this close to a place, with a path at most half as long again."""
    near = [row for row, metres in enumerate(mind.known.metres.tolist()) if metres <= close]
    if not near:
        return False
    # Most nearby members can walk straight; only if none can, search the level for paths.
    straight = members_walk_straight(mind, place).tolist()
    if any(straight[row] for row in near):
        return True
    return any(mind.walk(mind.members[row], 1.5 * close) <= 1.5 * close for row in near)


def _is_sent(mind: CrewMind, member: int) -> bool:
    given = mind.crew.given.get(member)
    return given is not None and bool(given.values.get("sent"))


def target_unreachable(mind: CrewMind) -> Answer:
    """Return whether the target is in an abandoned area."""
    place = mind.known.place
    given_up = mind.paths.given_up
    area = given_up.area_at(place, mind.time) if place is not None and len(given_up) else None
    if area is None:
        return False, "not given up"
    return True, f"given up for {area.until - mind.time:.0f} s more: {area.reason}"


def lost_from(mind: CrewMind, role: str, within: Seconds = 5.0) -> Answer:
    """Return whether a member with this role was lost in the last `within` seconds."""
    for member, (had, when) in mind.crew.lost_as.items():
        if had == role and mind.time - when <= within:
            return True, f"{mind.name_of(member)} was lost"
    return False, f"nobody was lost as {role}"


def is_up(mind: CrewMind, member: int) -> Answer:
    """Return whether the member's path to the target is nearly straight, so that it can soon attack."""
    walk, straight = mind.walk(member), mind.straight(member)
    return walk <= 1.5 * straight + 3.0, f"{walk:.0f} m to walk"


def clear_line(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score places, or present positions, by whether no colleague is in the line to the target.

    At a member's own place, only a colleague that stays in the line for a second counts, not one that passes.
    """
    table = np.ones((len(members), asked.count))
    place = mind.known.place
    if place is None:
        return table
    own, feet = mind.rows(members), mind.known.xyz
    if asked.places is None:
        near = np.empty((len(members), len(feet)), np.bool_)
        lines_near(feet[own], place[0], place[1], feet, _CLEAR, near)
        table[near.any(axis=1)] = 0.0
        return table
    without_bodies(asked.places.xyz, place[0], place[1], feet, own, _CLEAR, table)
    return _with_patience(mind, members, asked, table)


def out_of_lines(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score places by whether they are out of others' lines of fire; with the patience of `clear_line`."""
    combat, place = mind.world.combat, mind.known.place
    if combat is None or place is None or asked.places is None:
        return np.ones((len(members), asked.count))
    table = np.empty((len(members), asked.count))
    shoots, own = mind.asked.get("shoots"), mind.rows(members)
    if shoots is None:
        shoots = mind.asked["shoots"] = np.array([combat.attack[member] == "ranged" for member in mind.members])
    lines.out_of_lines(mind.known.xyz, shoots, place[0], place[1], asked.places.xyz, own, _CLEAR, table)
    return _with_patience(mind, members, asked, table)


def _with_patience(mind: CrewMind, members: tuple[int, ...], asked: Asked, table: Floats) -> Floats:
    """Score a member's own place as almost clear until its line has been crossed for a while."""
    assert asked.places is not None
    since: dict[int, float] = mind.blackboard.setdefault("line crossed since", {})
    numbers = asked.places.number.tolist()
    for row, member in enumerate(members):
        given = mind.crew.given.get(member)
        if given is None or given.role != asked.role or given.slot not in numbers:
            continue
        column = numbers.index(given.slot)
        if table[row, column] == 1.0:
            since.pop(member, None)
        elif mind.time - since.setdefault(member, mind.time) < _PATIENCE:
            table[row, column] = _ALMOST
    return table


def short_way(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score members by the shortness of their path to the target."""
    return in_columns(falling(np.array([mind.walk(member) for member in members])), asked)


def _say_way(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    return f"{mind.walk(member):.0f} m to walk"


def armed_with_blade(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score members with a blade, which have to come close."""
    combat = mind.world.combat
    return in_columns([combat is not None and combat.attack[member] == "melee" for member in members], asked)


_SCREEN = 1.75
"""Angle in radians of what the target has on its screen, as in `PlayerView`."""
_COVER_MOVED, _COVER_KEPT = 1.0, 1.0
"""Metres the target may move, and seconds, for which covered places are kept."""


def opens_fight(mind: CrewMind, member: int, shooters: Count = 2, seconds: NotNegative = 3.0) -> tuple[bool, str]:
    """Return whether the member stands and shoots during the first seconds of the crew.

    Members with a gun are ranked once, at the beginning, by their distance to the target and by what it sees: the one
    in the middle of its screen opens the fight, not the one behind its back.
    """
    ranks: dict[int, int] | None = mind.blackboard.get("opening ranks")
    if ranks is None:
        combat, metres = mind.world.combat, np.where(np.isfinite(mind.known.metres), mind.known.metres, 1e6)
        rows = [row for row, one in enumerate(mind.members) if combat is None or combat.attack[one] == "ranged"]
        able = tuple(mind.members[row] for row in rows)
        ranks = Ranking().ranks(able, metres[rows], mind.time, **_seen_by_target(mind, able))
        mind.blackboard["opening ranks"] = ranks
    rank = ranks.get(member, math.inf)
    part = Opening(shooters, min(seconds, 3600.0)).part(rank, mind.crew.since, mind.time)
    if part == "free":
        return False, "the opening is over"
    return part == "shoot", f"rank {rank:g}" if math.isfinite(rank) else "came later"


def _seen_by_target(mind: CrewMind, members: tuple[int, ...]) -> dict[str, list[bool]]:
    """Return which members the target sees, has on its screen, and aims at, for `Ranking`."""
    world, target, column = mind.world, mind.crew.target, mind.known.column
    rows, spotted = world.cast.watcher_row[list(members)].tolist(), world.senses.spotted
    visible = [0 <= column < len(spotted) and row >= 0 and bool(spotted[column, row]) for row in rows]
    offset = world.bodies.xyz[list(members)] - world.bodies.xyz[target]
    off = np.angle(np.exp(1j * (np.arctan2(offset[:, 1], offset[:, 0]) - world.bodies.gaze[target])))
    blow = None if world.combat is None else world.combat.blows.get(target)
    return {
        "visible": visible,
        "on_screen": [seen and abs(angle) <= _SCREEN / 2.0 for seen, angle in zip(visible, off.tolist())],
        "aimed_at": [blow is not None and blow.target == one for one in members],
    }


def target_has_gun(mind: CrewMind) -> Answer:
    """Return whether a member sees the target with a gun."""
    combat, target = mind.world.combat, mind.crew.target
    held = combat is not None and target >= 0 and bool(mind.known.seen_by) and combat.attack[target] == "ranged"
    return held, "it has a gun" if held else "nobody sees it with a gun"


def covered(mind: CrewMind, walk: Metres = 8.0, count: Count = 12) -> Places:
    """Find places where a standing member is hidden from the target, nearest to any member, within a path length."""
    place = mind.known.place
    if place is None:
        return Places.of([])
    before = mind.blackboard.setdefault("covered", {}).get((walk, count))
    if before is None or mind.time - before[0] >= _COVER_KEPT or math.dist(before[1], place) > _COVER_MOVED:
        found = _covered(mind, np.asarray(place), walk, count)
        mind.blackboard["covered"][walk, count] = (mind.time, place, found)
        return found
    kept: Places = before[2]
    return kept


def _covered(mind: CrewMind, target: np.ndarray, walk: float, count: int) -> Places:
    spots = mind.paths.near(mind.known.xyz, walk)
    points, eyes = spots.copy(), np.tile(target, (len(spots), 1))
    points[:, 2] += STANCES[0].chest
    eyes[:, 2] += STANCES[0].eye
    clear = np.zeros(len(spots), np.bool_)
    clear_lines(mind.world.sight.arrays, eyes, points, clear)
    spots = spots[~clear]
    away = np.linalg.norm(spots[:, None] - mind.known.xyz[None], axis=2).min(axis=1, initial=np.inf)
    spots = spots[np.sort(np.argsort(away, kind="stable")[:count])]
    # Places keep their numbers, so that members keep the place they run to.
    numbers: dict[tuple[float, ...], int] = mind.blackboard.setdefault("numbers of cover", {})
    number = [numbers.setdefault(tuple(spot), len(numbers)) for spot in spots.tolist()]
    return Places.of(spots, number, ("behind cover",) * len(spots))


_FIRING_KEPT = 2.0
"""Seconds after which new firing positions are searched."""
_SLACK = 1.0
"""Metres by which the target may come too near to a firing position, or get too far, before it is given up."""
_FLANK_MOVED = 3.0
"""Metres the target may move before a flanking path is replanned."""
_PASSED = 1.2
"""Distance in metres to a corner of a flanking path at which it counts as passed."""
_LATELY = 5.0
"""Seconds for which an attack counts in the line of combat of attackers."""
_SECTORS = 16
"""Directions around the target, each with one firing position."""


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
        found, away = found.take(good), away[good]
    held = [number in had for number in found.number.tolist()]
    after = _FIRING_KEPT if len(found) >= len(mind.members) else 0.5 * _FIRING_KEPT
    if sum(held) < len(had) or mind.time - since >= after:
        since, found = mind.time, _firing(mind, target, near, far, walk, found.take(np.array(held, np.bool_)))
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
    spots = mind.paths.near(mind.known.xyz, walk)
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
    ways: dict[int, tuple[Begun, Place, list[Place]]] = mind.blackboard.setdefault("ways round", {})
    begun, kept = mind.begun(member), ways.get(member)
    if kept is None or kept[0] != begun or math.dist(kept[1], target) > _FLANK_MOVED:
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
    path = flank_paths(mind.paths.cheapest, line, [mind.place_of(member)], excluded=ground).paths[0]
    if not path.reached:
        return [target]
    return [*((x, y, z) for x, y, z in path.points_xyz[1:-1].tolist()), target]


def _attacks(mind: CrewMind, fighters: list[int]) -> Floats:
    """Return which fighters attacked recently, (n,) float64, 1 or 0; shots that were held do not count."""
    ended = {} if mind.world.combat is None else mind.world.combat.ended
    last = [ended.get(one, (-math.inf, "held")) for one in fighters]
    return np.array([float(how != "held" and mind.time - when <= _LATELY) for when, how in last])


def _here(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    return mind.stay_of(member)
