"""Shipped words for places to which members of a role may be sent."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ....errors import BehaviourError, InputError, did_you_mean
from ....level.features import Marker
from ....level.level import Level
from ....reasoning.chase.loss import View
from ....reasoning.tactical.area import area_within
from ....reasoning.tactical.exits import exits_of
from ....reasoning.tactical.slots import SLOT_REASONS, WIDENING, polled_slots
from ...brains.mind import Place
from ...limits import Count, Metres, NotNegative
from ..crew_mind import CrewMind
from ..roles.vocabulary import Places, RoleWords
from .paths import RINGS, Ring, is_kept, ring_walks, unbarred

_OLD = 3.0
"""Seconds for which slots displaced by walls are kept."""
_WIDENED = SLOT_REASONS.index("widened")
"""The last of the reasons that come with a place."""


def add_places(words: RoleWords) -> None:
    """Add the words for places."""
    words.place(slots, room=_room_round)
    words.place(exits, room=lambda level, within: _room_marked(level, "exit", None))  # noqa: ARG005
    words.place(openings)
    words.place(markers, names={"kind": "marker kind", "names": "marker"}, room=_room_marked)
    words.place(guess, names={"predictor": "predictor"}, room=lambda level, predictor: 1)  # noqa: ARG005


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
    at_own_angles = not reason.any()  # All slots are placed.
    kept_rings[asked] = (middle, math.inf if at_own_angles else mind.time + _OLD, found)
    return found


def _moved_along(mind: CrewMind, middle: Place, asked: tuple[Any, ...], ring: Ring) -> Places | None:
    """Return the slots of a ring at their present positions, or None if they must be polled again."""
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
    near = np.flatnonzero(np.linalg.norm(found.xyz - middle, axis=1) <= within)
    return Places(found.xyz[near], found.number[near], tuple(found.words[at] for at in near.tolist()))


def openings(mind: CrewMind, radius: Metres = 10.0, beyond: NotNegative = 20.0, guessed: bool = False) -> Places:
    """Find the openings of the area around where the target was last perceived, once per loss.

    Openings with less than `beyond` square metres behind them are left out, and those that the target could reach only
    past a member. Unless `guessed`, so is the one nearest to the predicted path, which is left to the pursuers.
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
        return Places.of([])  # The place is not walkable.
    on = np.flatnonzero(found.goes_on | (found.beyond >= beyond))
    words = tuple(f"way out {number + 1} of {len(on)}" for number in range(len(on)))
    return unbarred(mind, Places.of(found.xyz[on], on, words))


def guess(mind: CrewMind, predictor: str = "") -> Places:
    """Find the target's predicted destination from the newest record, once per loss."""
    known, world = mind.known, mind.world
    if known.by < 0:
        return Places.of([])
    guesses = mind.blackboard.setdefault("guessed", {})
    name = predictor or world.reasoning.chase
    before = guesses.get(name)
    if before is None or before[0] != known.time:
        if name not in world.reasoning.predictors:
            hint = did_you_mean(name, world.reasoning.predictors)
            raise BehaviourError(f"no predictor {name!r}{hint}; there are {', '.join(world.reasoning.predictors)}")
        row = int(world.cast.watcher_row[known.by])
        view = View((1.0, 0.0), world.cast.view_angle[row], world.cast.view_distance[row])
        loss = world.knowledge.loss(row, known.column, world.time, view=view)
        assert loss is not None
        x, y, z = world.reasoning.predictors[name].predict(loss).destination.tolist()
        before = guesses[name] = (known.time, (x, y, z))
    return Places.of([before[1]], words=(f"guess by {name}",))
