"""Shipped words for places to which members of a role may be sent, and their paths there."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ....conventions import Bools, Floats
from ....errors import BehaviourError, InputError, did_you_mean
from ....level.features import Marker
from ....level.level import Level
from ....reasoning.chase.loss import View
from ....reasoning.tactical.area import area_within
from ....reasoning.tactical.exits import exits_of
from ....reasoning.tactical.slots import SLOT_REASONS, WIDENING, polled_slots, walks_from
from ...brains.mind import Place
from ...limits import Count, Metres, NotNegative
from ..crew_mind import CrewMind
from ..roles.vocabulary import Asked, Places, RoleWords
from .general import says

_OLD = 3.0
"""Seconds for which slots displaced by walls are kept."""
_BLOCKED = 2.0
"""Seconds for which a member keeps a slot that a wall blocks."""
_WIDENED = SLOT_REASONS.index("widened")
"""The last of the reasons that come with a place."""


def add_places(words: RoleWords) -> None:
    """Add the words for places."""
    words.place(slots, room=_room_round)
    words.place(exits, room=lambda level, within: _room_marked(level, "exit", None))  # noqa: ARG005
    words.place(openings)
    words.place(markers, names={"kind": "marker kind", "names": "marker"}, room=_room_marked)
    words.place(guess, names={"predictor": "predictor"}, room=lambda level, predictor: 1)  # noqa: ARG005
    words.score(before_it, says=says("there before it"))


def _room_round(level: Level | None, around: str, radius: float, count: int, apart: float, rings: int) -> int:  # noqa: ARG001
    """Return how many slots fit around a target; only one if two on the widest ring are not `apart` even on a slope."""
    widest = radius + WIDENING * (rings - 1)
    return 1 if apart > 2.0 * math.sqrt(2.0) * widest else count


def _room_marked(level: Level | None, kind: str, names: list[str] | None) -> int | None:
    return None if level is None else len(_marked(level, kind, names))


def _marked(level: Level, kind: str, names: list[str] | None) -> list[tuple[int, Marker]]:
    """Return the markers of a kind, or with given names, with their numbers."""
    return [
        (number, marker)
        for number, marker in enumerate(level.markers)
        if (not kind or marker.kind == kind) and (names is None or marker.name in names)
    ]


def _middle(mind: CrewMind, around: str) -> Place | None:
    return mind.known.place if around == "target" else mind.place_of(mind.crew.leader)


def slots(
    mind: CrewMind,
    around: Literal["target", "leader"] = "target",
    radius: Metres = 1.5,
    count: Count = 8,
    apart: NotNegative = 0.8,
    rings: Count = 2,
) -> Places:
    """Find evenly spread places around the target or the leader, each with a straight path to it.

    Places move along with it as long as the straight path is free. They are polled from the navmesh again when a place
    in use loses it, and, if walls displace any of them, after the middle has moved 1.5 m or after three seconds.
    """
    middle = _middle(mind, around)
    if middle is None:
        return Places.of([])
    asked = (around, radius, count, apart, rings)
    return _with_blocked(mind, middle, asked, _free_slots(mind, middle, asked))


def _free_slots(mind: CrewMind, middle: Place, asked: tuple[Any, ...]) -> Places:
    """Return the slots of a ring that have a straight path."""
    _, radius, count, apart, rings = asked
    kept_rings: dict[Any, _Ring] = mind.blackboard.setdefault(_RINGS, {})
    before = kept_rings.get(asked)
    if before is not None and _is_kept(mind, middle, before):
        kept = _moved_along(mind, middle, asked, before)
        if kept is not None:
            return kept
    xyz, reason = polled_slots(mind.world.cells, np.array([middle]), count, radius, apart, rings)
    there = np.flatnonzero(reason <= _WIDENED)
    words = tuple(f"slot {number + 1} of {count}" for number in there.tolist())
    found = Places.of(xyz[there], there, words)
    at_own_angles = not reason.any()  # All slots are placed.
    kept_rings[asked] = (middle, math.inf if at_own_angles else mind.time + _OLD, found)
    return found


def _with_blocked(mind: CrewMind, middle: Place, asked: tuple[Any, ...], found: Places) -> Places:
    """Add the slots in use that a wall blocks for a moment, at the middle: their members run on instead of changing."""
    blocked: dict[Any, float] = mind.blackboard.setdefault("blocked slots", {})
    there = set(found.number.tolist())
    for number in there:
        blocked.pop((asked, number), None)
    gone = [number for number in sorted(mind.had - there) if number >= 0]
    kept = [one for one in gone if mind.time - blocked.setdefault((asked, one), mind.time) <= _BLOCKED]
    if not kept:
        return found
    xyz = np.concatenate([found.xyz, np.tile(np.asarray(middle), (len(kept), 1))])
    words = (*found.words, *(f"slot {number + 1} of {asked[2]}, blocked" for number in kept))
    return Places.of(xyz, np.array([*found.number.tolist(), *kept]), words)


def _moved_along(mind: CrewMind, middle: Place, asked: tuple[Any, ...], ring: _Ring) -> Places | None:
    """Return the slots of a ring at their present positions, or None if they must be polled again."""
    _, until, found = ring
    free, xyz = _ring_walks(mind, asked[0], middle, asked)
    if False not in free.tolist():
        return Places(xyz, found.number, found.words)
    there = np.flatnonzero(free)
    lost = mind.had.difference(found.number[there].tolist())
    if until == math.inf or not lost.isdisjoint(found.number.tolist()):
        return None
    return replace(found.take(there), xyz=xyz[there])


def markers(mind: CrewMind, kind: str = "", names: list[str] | None = None) -> Places:
    """Find the places marked by the level designer: all of a kind, or those with given names."""
    level = mind.world.level
    known = [marker.name for marker in level.markers]
    for name in names or ():
        if name not in known:
            raise BehaviourError(f"no marker {name!r}{did_you_mean(name, known)} in the level; there are {known}")
    chosen = _marked(level, kind, names)
    words = tuple(marker.name or marker.kind for _, marker in chosen)
    return Places.of([marker.xyz for _, marker in chosen], [number for number, _ in chosen], words)


def exits(mind: CrewMind, within: Metres = 60.0) -> Places:
    """Find the level's exits within a straight-line distance of where the target was last perceived."""
    found, middle = markers(mind, "exit"), mind.known.place
    if middle is None or not len(found):
        return found
    return found.take(np.linalg.norm(found.xyz - middle, axis=1) <= within)


def openings(mind: CrewMind, radius: Metres = 10.0, beyond: NotNegative = 20.0, guessed: bool = False) -> Places:
    """Find the openings of the area around where the target was last perceived; they stay while it moves little.

    Openings with less than `beyond` square metres behind them are left out, and those that the target could reach only
    past a member. Unless `guessed`, so is the one nearest to the predicted path, which is left to the pursuers.
    """
    known = mind.known
    if known.place is None:
        return Places.of([])
    asked, before = (radius, beyond, guessed), mind.blackboard.get("openings")
    if before is None or before[0] != asked or math.dist(before[1], known.place) > _SAME_AREA:
        found = _unbarred(mind, area_exits(mind, known.place, radius, beyond))
        ran = Places.of([]) if guessed else guess(mind)
        if len(ran) and len(found) > 1:
            taken = int(np.linalg.norm(found.xyz - ran.xyz[0], axis=1).argmin())
            found = found.take(np.flatnonzero(np.arange(len(found)) != taken))
        before = mind.blackboard["openings"] = (asked, known.place, found)
    opened: Places = before[2]
    return opened


def area_exits(mind: CrewMind, place: Place, radius: float, beyond: float) -> Places:
    """Return the exits of the area around a place with at least `beyond` m² behind them."""
    try:
        found = exits_of(area_within(mind.world.cells, place, radius))
    except InputError:
        return Places.of([])  # The place is not walkable.
    on = np.flatnonzero(found.goes_on | (found.beyond >= beyond))
    words = tuple(f"way out {number + 1} of {len(on)}" for number in range(len(on)))
    return Places.of(found.xyz[on], on, words)


def guess(mind: CrewMind, predictor: str = "") -> Places:
    """Find the target's predicted destination from the newest record, once per loss."""
    known, world = mind.known, mind.world
    if known.by < 0:
        return Places.of([])
    guesses = mind.blackboard.setdefault("guessed", {})
    name = predictor or world.reasoning.chase[known.by]
    before = guesses.get(name)
    if before is None or before[0] != known.time:
        row = int(world.cast.watcher_row[known.by])
        view = View((1.0, 0.0), world.cast.view_angle[row], world.cast.view_distance[row])
        loss = world.knowledge.loss(row, known.column, world.time, view=view)
        assert loss is not None
        spec, made = world.reasoning.predictors[name]
        if spec.kind.is_omniscient:
            x, y, z = world.snapshot.places[int(world.cast.targets[known.column])]
        else:
            x, y, z = made.predict(loss).destination.tolist()
        before = guesses[name] = (known.time, (x, y, z))
    return Places.of([before[1]], words=(f"guess by {name}",))


_SAME_AREA = 10.0
"""Metres that the target may move while the openings around it stay the same."""
_FAR = 40.0
"""Metres to an exit within which the target's walking distance is measured."""
_LATE = 2.0
"""Members whose path is more than this many times as long as the target's are always too late."""
_PAST = 2.0
"""Metres by which a detour past a member may exceed the target's path for the member to count as on it."""


def _unbarred(mind: CrewMind, found: Places) -> Places:
    """Return the exits that the target can reach without passing a member; all exits if there are none."""
    place = mind.known.place
    if place is None or not len(found):
        return found
    own, its = _walks(mind, place, found.xyz)
    to_target = mind.paths.metres(place, mind.known.xyz, _FAR)[:, None]
    barred = ((own < its) & (own + to_target <= its + _PAST)).any(axis=0)
    return found if barred.all() else found.take(np.flatnonzero(~barred))


def before_it(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score which members reach each place before the target could, from where it was last perceived.

    The score is 1 for members whose path is no longer than the target's, less for longer ones, and 0 from twice its
    length on. It is measured once per perception of the target, so that members keep the goal they set out for.
    """
    place, places = mind.known.place, asked.places
    if place is None or places is None or not len(places):
        return np.ones((len(members), asked.count))
    own, its = _walks(mind, place, places.xyz)
    own = own[mind.rows(members)]
    table = (own <= its).astype(np.float64)
    table[np.isinf(own)] = 0.0
    later = np.isfinite(own) & (own > its)
    table[later] = np.broadcast_to(its, own.shape)[later] / own[later]
    return table


def _walks(mind: CrewMind, place: Place, xyz: Floats) -> tuple[Floats, Floats]:
    """Return path lengths in metres to xyz (n, 3): (m, n) of members and (n,) of the target; infinite if too far.

    Each is measured once, from the positions at that time, until the target is perceived again or members change.
    """
    since = (mind.known.time, mind.members)
    kept = mind.blackboard.get("walks out")
    if kept is None or kept[0] != since:
        kept = mind.blackboard["walks out"] = (since, {})
    found: dict[Place, tuple[Floats, float]] = kept[1]
    ends: list[Place] = [(x, y, z) for x, y, z in xyz.tolist()]
    new = [end for end in ends if end not in found]
    for end, far in zip(new, mind.paths.metres(place, np.array(new).reshape(-1, 3), _FAR).tolist()):
        late = math.isinf(far)
        own = np.full(len(mind.members), math.inf) if late else mind.paths.metres(end, mind.known.xyz, _LATE * far)
        found[end] = own, far
    return np.array([found[end][0] for end in ends]).T, np.array([found[end][1] for end in ends])


_Ring = tuple[Place, float, Places]
"""Position of the middle when the ring was polled, the time in seconds until which it is valid, and its places."""
_RINGS = "slots"
"""Blackboard key of a crew's rings, which are stored by query."""
_MOVED = 1.5
"""Metres the middle may move while a ring displaced by walls is kept."""
_MEMBERS = "members"


def _is_kept(mind: CrewMind, middle: Place, ring: _Ring) -> bool:
    """Return whether a ring may still move along with its middle."""
    at, until, _ = ring
    return mind.time <= until and (until == math.inf or math.dist(at, middle) <= _MOVED)


def _ring_walks(mind: CrewMind, around: str, middle: Place, asked: Any) -> tuple[Bools, Floats]:
    """Return which places of a moved ring have a straight path, (n,) bool, and the places on the floor, (n, 3)."""
    found = _straight_walks(mind, around, middle)
    if asked not in found:  # The ring was polled in this tick.
        return walks_from(mind.world.cells, np.array([middle]), _along(middle, mind.blackboard[_RINGS][asked]))
    return found.pop(asked)


def members_walk_straight(mind: CrewMind, place: Place) -> Bools:
    """Return which members can walk straight to where the target was last perceived, (m,) bool."""
    return _straight_walks(mind, "target", place)[_MEMBERS][0]


def _along(middle: Place, ring: _Ring) -> Floats:
    (x, y, z), (old_x, old_y, old_z) = middle, ring[0]
    return ring[2].xyz + np.array((x - old_x, y - old_y, z - old_z))


def _straight_walks(mind: CrewMind, around: str, middle: Place) -> dict[Any, tuple[Bools, Floats]]:
    """Return the results of this tick for the members and all rings around one middle."""
    known = mind.asked.get(around)
    if known is None:
        ends = {_MEMBERS: mind.known.xyz} if around == "target" else {}
        for asked, ring in mind.blackboard.get(_RINGS, {}).items():
            if asked[0] == around and _is_kept(mind, middle, ring):
                ends[asked] = _along(middle, ring)
        known = mind.asked[around] = {}
        if ends:
            free, xyz = walks_from(mind.world.cells, np.array([middle]), np.concatenate(list(ends.values())))
            first = 0
            for asked, of in ends.items():
                known[asked] = free[first : first + len(of)], xyz[first : first + len(of)]
                first += len(of)
    return known
