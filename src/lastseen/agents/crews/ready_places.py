"""Places that come with lastseen: where members of a role may be sent."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ...errors import BehaviourError, InputError, did_you_mean
from ...level.features import Marker
from ...level.level import Level
from ...reasoning.chase.loss import View
from ...reasoning.tactical.area import area_within
from ...reasoning.tactical.exits import exits_of
from ...reasoning.tactical.slots import SLOT_REASONS, WIDENING, polled_slots
from ..brains.mind import Place
from ..limits import Count, FromZero, Metres
from .chase_words import unbarred
from .crew_mind import CrewMind
from .straight import RINGS, Ring, is_kept, ring_walks
from .words import Places, RoleWords

__all__ = ["add_places"]

_OLD = 3.0
"""Seconds for which slots that walls have moved are kept."""
_WIDENED = SLOT_REASONS.index("widened")
"""The last reason of those that have a place."""


def add_places(words: RoleWords) -> None:
    """Add the ways to find places."""
    words.place(slots, room=_room_round)
    words.place(exits, room=lambda level, within: _room_marked(level, "exit", None))  # noqa: ARG005
    words.place(openings)
    words.place(markers, names={"kind": "marker kind", "names": "marker"}, room=_room_marked)
    words.place(guess, names={"predictor": "predictor"}, room=lambda level, predictor: 1)  # noqa: ARG005


def _room_round(level: Level | None, around: str, radius: float, count: int, apart: float, rings: int) -> int:  # noqa: ARG001
    """How many fit round a target, so far apart? Only one where two on the widest ring, up and down a slope, do not."""
    widest = radius + WIDENING * (rings - 1)
    return 1 if apart > 2.0 * math.sqrt(2.0) * widest else count


def _room_marked(level: Level | None, kind: str, names: list[str] | None) -> int | None:
    return None if level is None else len(_marked(level, kind, names))


def _marked(level: Level, kind: str, names: list[str] | None) -> list[tuple[int, Marker]]:
    """Return the markers of a kind, or of given names, with their numbers."""
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
    apart: FromZero = 0.8,
    rings: Count = 2,
) -> Places:
    """Places round the target or the leader from which there is a straight walk to it, evenly spread.

    They move along with it, those to which there is a straight walk. They are polled from the navmesh anew when
    there is none to one that somebody has; and where walls are in the way of any, once it has come 1.5 m away, or after
    three seconds.
    """
    middle = _middle(mind, around)
    if middle is None:
        return Places.of([])
    asked = (around, radius, count, apart, rings)
    kept_rings: dict[Any, Ring] = mind.blackboard.setdefault(RINGS, {})
    before = kept_rings.get(asked)
    if before is not None and is_kept(mind, middle, before):
        kept = _moved_along(mind, middle, asked, before)
        if kept is not None:
            return kept
    xyz, reason = polled_slots(mind.world.cells, np.array([middle]), count, radius, apart, rings)
    there = np.flatnonzero(reason <= _WIDENED)
    words = tuple(f"slot {number + 1} of {count}" for number in there.tolist())
    found = Places.of(xyz[there], there, words)
    at_own_angles = not reason.any()  # all placed
    kept_rings[asked] = (middle, math.inf if at_own_angles else mind.time + _OLD, found)
    return found


def _moved_along(mind: CrewMind, middle: Place, asked: tuple[Any, ...], ring: Ring) -> Places | None:
    """Return the slots of a ring where they are now; None: they have to be polled anew."""
    _, until, found = ring
    free, xyz = ring_walks(mind, asked[0], middle, asked)
    if False not in free.tolist():
        return Places(xyz, found.number, found.words)
    there = np.flatnonzero(free)
    lost = mind.had.difference(found.number[there].tolist())
    if until == math.inf or not lost.isdisjoint(found.number.tolist()):
        return None
    return Places(xyz[there], found.number[there], tuple(found.words[at] for at in there.tolist()))


def markers(mind: CrewMind, kind: str = "", names: list[str] | None = None) -> Places:
    """Places the level's designer marked: all of a kind, or those of given names."""
    level = mind.world.level
    known = [marker.name for marker in level.markers]
    for name in names or ():
        if name not in known:
            raise BehaviourError(f"no marker {name!r}{did_you_mean(name, known)} in the level; there are {known}")
    chosen = _marked(level, kind, names)
    words = tuple(marker.name or marker.kind for _, marker in chosen)
    return Places.of([marker.xyz for _, marker in chosen], [number for number, _ in chosen], words)


def exits(mind: CrewMind, within: Metres = 60.0) -> Places:
    """Ways out of the level within so many metres, straight, of where the target was perceived last."""
    found, middle = markers(mind, "exit"), mind.known.place
    if middle is None or not len(found):
        return found
    near = np.flatnonzero(np.linalg.norm(found.xyz - middle, axis=1) <= within)
    return Places(found.xyz[near], found.number[near], tuple(found.words[at] for at in near.tolist()))


def openings(mind: CrewMind, radius: Metres = 10.0, beyond: FromZero = 20.0, guessed: bool = False) -> Places:
    """Ways out of the area round where the target was perceived last; asked once for each loss.

    Those behind which there are less than `beyond` square metres are left out, and those it could reach only past a
    member. So is the one next to where it probably ran, which is for who follows it; unless `guessed`.
    """
    known = mind.known
    if known.place is None:
        return Places.of([])
    before = mind.blackboard.get("openings")
    if before is None or before[0] != (known.time, radius, beyond):
        found = _ways_out(mind, known.place, radius, beyond)
        before = mind.blackboard["openings"] = ((known.time, radius, beyond), found)
    found = before[1]
    ran = Places.of([]) if guessed else guess(mind)
    if not len(ran) or len(found) < 2:
        return found
    taken = int(np.linalg.norm(found.xyz - ran.xyz[0], axis=1).argmin())
    keep = [at for at in range(len(found)) if at != taken]
    return Places(found.xyz[keep], found.number[keep], tuple(found.words[at] for at in keep))


def _ways_out(mind: CrewMind, place: Place, radius: float, beyond: float) -> Places:
    try:
        found = exits_of(area_within(mind.world.cells, place, radius))
    except InputError:
        return Places.of([])  # nobody can walk where it was
    on = np.flatnonzero(found.goes_on | (found.beyond >= beyond))
    words = tuple(f"way out {number + 1} of {len(on)}" for number in range(len(on)))
    return unbarred(mind, Places.of(found.xyz[on], on, words))


def guess(mind: CrewMind, predictor: str = "") -> Places:
    """Where the target ran, as a predictor guesses from the newest record; asked once for each loss."""
    known, world = mind.known, mind.world
    if known.by < 0:
        return Places.of([])
    guesses = mind.blackboard.setdefault("guessed", {})
    name = predictor or world.chase
    before = guesses.get(name)
    if before is None or before[0] != known.time:
        if name not in world.predictors:
            hint = did_you_mean(name, world.predictors)
            raise BehaviourError(f"no predictor {name!r}{hint}; there are {', '.join(world.predictors)}")
        row = int(world.watcher_row[known.by])
        view = View((1.0, 0.0), world.view_angle[row], world.view_distance[row])
        loss = world.knowledge.loss(row, known.column, world.time, view=view)
        assert loss is not None
        x, y, z = world.predictors[name].predict(loss).destination.tolist()
        before = guesses[name] = (known.time, (x, y, z))
    return Places.of([before[1]], words=(f"guess by {name}",))
