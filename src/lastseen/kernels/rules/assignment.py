"""Who takes which place, so that the sum of values is as high as it can be?"""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit

NEVER = np.iinfo(np.int64).min
"""The value of what may not be."""


@jit
def _open_places(value: Array, room: Array, role: Array, chosen: Array, used: Array, best: Array, where: Array) -> None:
    """Fill used (p,), and for each member and role the best place with room, with its value."""
    used[:] = 0
    for member in range(len(chosen)):
        if chosen[member] >= 0:
            used[chosen[member]] += 1
    best[:] = NEVER
    where[:] = -1
    for place in range(len(room)):
        if used[place] >= room[place]:
            continue
        of = role[place]
        for member in range(len(chosen)):
            if value[member, place] > best[member, of]:
                best[member, of], where[member, of] = value[member, place], place


@jit
def _exchanges(
    value: Array,
    room: Array,
    role: Array,
    chosen: Array,
    used: Array,
    best: Array,
    where: Array,
    newcomer: int,
    gain: Array,
    path: Array,
) -> None:
    """Fill gain (m,): what is won if a newcomer comes in and somebody else is left without a place at its end.

    path (m, 3): who comes in its stead, -1: it is the newcomer; which place that one takes; how many have moved.
    """
    gain[:] = NEVER
    gain[newcomer] = 0
    path[newcomer, 0], path[newcomer, 2] = -1, 0
    changed = True
    while changed:
        changed = False
        for giver in range(newcomer + 1):
            if gain[giver] == NEVER:
                continue
            for taker in range(newcomer):
                place = chosen[taker]
                if taker == giver or place < 0:
                    continue
                # Either to where the other is, or to a free place of its role: the role has as many as before.
                worth, to = best[giver, role[place]], where[giver, role[place]]
                if used[place] >= room[place] and value[giver, place] > worth:
                    worth, to = value[giver, place], place
                if worth != NEVER and gain[giver] + worth - value[taker, place] > gain[taker]:
                    gain[taker] = gain[giver] + worth - value[taker, place]
                    path[taker, 0], path[taker, 1], path[taker, 2] = giver, to, path[giver, 2] + 1
                    changed = True


@jit
def assign_members(
    scores: Array, finest: float, room: Array, role: Array, least: Array, most: Array, chosen: Array
) -> tuple[int, float]:
    """Fill `chosen` with each member's place, -1: none.

    Return by how many members roles fall short of their least, and the sum of scores. As few as can be are short; then
    the sum of scores, rounded to `finest`, is the highest there is. Having no place counts 0.

    Parameters
    ----------
    scores : (m, p) float64, -inf where a member may not be; others below 2⁵⁰ / (m + 1) times `finest` in size.
    room : (p,) int64, how many fit in a place.
    role : (p,) int64, which role a place is of.
    least, most : (r,) int64, how many a role needs and takes.
    chosen : (m,) int64; written.

    Notes
    -----
    Members come in one after another, each by the exchanges that gain most (successive shortest paths: what is reached
    so far is optimal, and whole numbers leave no room for rounding). The first `least` of a role are worth more than
    all values together. Of equal gains the one with fewer exchanges is taken, then the first.
    """
    members, roles = scores.shape[0], len(least)
    value = np.empty(scores.shape, np.int64)
    highest = np.int64(1)
    for member in range(members):
        for place in range(scores.shape[1]):
            if scores[member, place] == -np.inf:
                value[member, place] = NEVER
            else:
                value[member, place] = np.int64(np.rint(scores[member, place] / finest))
                highest = max(highest, abs(value[member, place]))
    bonus = highest * 2 * (members + 1)
    chosen[:] = -1
    used, filled = np.zeros(len(room), np.int64), np.zeros(roles, np.int64)
    best, where = np.empty((members, roles), np.int64), np.empty((members, roles), np.int64)
    gain, path = np.empty(members, np.int64), np.empty((members, 3), np.int64)
    for newcomer in range(members):
        _open_places(value, room, role, chosen, used, best, where)
        _exchanges(value, room, role, chosen, used, best, where, newcomer, gain, path)
        top, last, end = NEVER, newcomer, np.int64(-1)
        for member in range(newcomer + 1):
            if gain[member] == NEVER:
                continue
            for of in range(-1, roles):
                total, to = gain[member], np.int64(-1)
                if of >= 0:
                    if best[member, of] == NEVER or filled[of] >= most[of]:
                        continue
                    total += best[member, of] + (bonus if filled[of] < least[of] else 0)
                    to = where[member, of]
                if total > top or (total == top and path[member, 2] < path[last, 2]):
                    top, last, end = total, member, to
        if end >= 0:
            filled[role[end]] += 1
        # Who is last on the path goes to its end; each before it takes what was given up.
        while last >= 0:
            chosen[last], end, last = end, path[last, 1], path[last, 0]
    short, sum_of_scores = 0, 0.0
    for of in range(roles):
        short += max(0, least[of] - filled[of])
    for member in range(members):
        if chosen[member] >= 0:
            sum_of_scores += scores[member, chosen[member]]
    return short, sum_of_scores


@jit
def settle_scores(scores: Array, owner: Array, may: Array, highest: float, lift: float) -> None:
    """Make `scores` (m, p) ready for `assign_members`: within bounds, -inf who may not, none against having a role.

    Parameters
    ----------
    owner : (p,) int64, which role a column is of.
    may : (r, m) bool, who may have it.
    highest : what scores are held within, either side of 0.
    lift : where the lowest of those who may is not above 0, all are raised alike until it is this.
    """
    lowest = lift
    for member in range(scores.shape[0]):
        for place in range(scores.shape[1]):
            if not may[owner[place], member]:
                scores[member, place] = -np.inf
                continue
            if scores[member, place] > highest:
                scores[member, place] = highest
            elif scores[member, place] < -highest:
                scores[member, place] = -highest
            lowest = min(lowest, scores[member, place])
    if lowest > 0.0:
        return
    for member in range(scores.shape[0]):
        for place in range(scores.shape[1]):
            scores[member, place] += lift - lowest
