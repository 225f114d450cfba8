"""Vocabulary of fights: distant or abandoned targets, clear lines of fire, and the opening (chapter 36)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....conventions import Floats
from ....kernels.bodies import fire_lines as lines
from ....kernels.bodies.fire_lines import lines_near, without_bodies
from ....kernels.sight.sight_line import clear_lines
from ....reasoning.tactical.far_targets import detours
from ...bodies.bodies import STANCES
from ...brains.mind import Place
from ...limits import Count, Metres, NotNegative, Ratio, Seconds, Share
from ..crew_mind import CrewMind
from ..roles.vocabulary import Asked, Places, RoleWords
from ..shipped.paths import members_walk_straight
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
    of_crews: tuple[Any, ...] = (people_fight, far_target, target_unreachable)
    for condition in of_crews:
        words.crew(condition)
    words.crew(lost_from, names={"role": "role"})
    words.member(is_up)
    words.score(clear_line, says=_say_clear)
    words.score(out_of_lines)
    words.score(short_way, says=_say_way)
    words.score(armed_with_blade)


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
        return False, "somebody is there" if held else "somebody is near it"
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
        far = detours(mind.ground.ways, mind.known.xyz, ends, ratio=ratio, extra=extra).far
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
    given_up = mind.ground.given_up
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


def _say_clear(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    return "a clear line" if value >= 1.0 else ""


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
    ways = np.array([mind.walk(member) for member in members])
    return np.repeat((10.0 / (10.0 + ways))[:, None], asked.count, axis=1)


def _say_way(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    return f"{mind.walk(member):.0f} m to walk"


def armed_with_blade(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score members with a blade, which have to come close."""
    combat = mind.world.combat
    has = [combat is not None and combat.attack[member] == "melee" for member in members]
    return np.repeat(np.array(has, np.float64)[:, None], asked.count, axis=1)


_COVER_MOVED, _COVER_KEPT = 1.0, 1.0
"""Metres the target may move, and seconds, for which covered places are kept."""


def add_openings(words: RoleWords) -> None:
    """Add the words of openings."""
    words.member(opens_fight)
    words.place(covered, room=lambda level, walk, count: count)  # noqa: ARG005


def opens_fight(mind: CrewMind, member: int, shooters: Count = 2, seconds: NotNegative = 3.0) -> tuple[bool, str]:
    """Return whether the member stands and shoots during the first seconds of the crew.

    Members are ranked once, at the beginning, by their distance to the target and whether they see it.
    """
    ranks: dict[int, int] | None = mind.blackboard.get("opening ranks")
    if ranks is None:
        known = mind.known
        metres = np.where(np.isfinite(known.metres), known.metres, 1e6)
        seen = [one in known.seen_by for one in mind.members]
        ranks = mind.blackboard["opening ranks"] = Ranking().ranks(mind.members, metres, mind.time, visible=seen)
    rank = ranks.get(member, math.inf)
    part = Opening(shooters, min(seconds, 3600.0)).part(rank, mind.crew.since, mind.time)
    if part == "free":
        return False, "the opening is over"
    return part == "shoot", f"rank {rank:g}" if math.isfinite(rank) else "came later"


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
    spots = mind.ground.near(mind.known.xyz, walk)
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
