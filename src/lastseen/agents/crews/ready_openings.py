"""Openings of fights: the best-ranked members stand and shoot at first while the others run to cover (chapter 36)."""

from __future__ import annotations

import math

import numpy as np

from ...kernels.sight_line import clear_lines
from ..bodies import STANCES
from ..limits import Count, FromZero, Metres
from .crew_mind import CrewMind
from .ranks import Opening, Ranking
from .words import Places, RoleWords

__all__ = ["add_openings", "covered", "opens_fight"]

_MOVED, _KEPT = 1.0, 1.0
"""Metres the target may move, and seconds, for which covered places are kept."""


def add_openings(words: RoleWords) -> None:
    """Add the words of openings."""
    words.member(opens_fight)
    words.place(covered, room=lambda level, walk, count: count)  # noqa: ARG005


def opens_fight(mind: CrewMind, member: int, shooters: Count = 2, seconds: FromZero = 3.0) -> tuple[bool, str]:
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
    if before is None or mind.time - before[0] >= _KEPT or math.dist(before[1], place) > _MOVED:
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
