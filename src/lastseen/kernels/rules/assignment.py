"""Assign members to places so that the sum of values is as high as possible."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit

NEVER = np.iinfo(np.int64).min
"""Value of a forbidden assignment."""


@jit
def _open_places(value: Array, room: Array, role: Array, chosen: Array, used: Array, best: Array, where: Array) -> None:
    """Fill `used` (p,), and for each member and role the best place with room (`where`) and its value (`best`)."""
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
    """Fill `gain` (m,) with the gain if the newcomer enters and, after exchanges, a member is left without a place.

    `path` (m, 3) holds the member that replaces it, or -1 for the newcomer; the place which that member takes; and the
    number of members moved.
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
                # Move to the other's place, or to a free place of its role: the role keeps its number of members.
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

    Return the number of members that roles are short of their minimum, and the sum of scores. The shortage is minimal;
    then the sum of scores, rounded to `finest`, is maximal. Having no place counts 0.

    Parameters
    ----------
    scores : (m, p) float64, -inf where forbidden; otherwise below 2⁵⁰ / (m + 1) times `finest` in magnitude.
    room : (p,) int64, capacity of each place.
    role : (p,) int64, role of each place.
    least, most : (r,) int64, minimum and maximum number of members of each role.
    chosen : (m,) int64; written.

    Notes
    -----
    Members enter one after another, each by the exchanges with the highest gain (successive shortest paths: every
    intermediate assignment is optimal, and integers avoid rounding). The first `least` members of a role are worth more
    than all values together. Ties: fewer exchanges, then the first.
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
        # The last member on the path takes its end; each earlier one takes the place that was vacated.
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
    """Prepare `scores` (m, p) for `assign_members`: within bounds, -inf where forbidden, the others above 0.

    Parameters
    ----------
    owner : (p,) int64, role of each column.
    may : (r, m) bool, whether a member may have a role.
    highest : largest magnitude of a score; scores are clamped to it.
    lift : if the lowest permitted score is not above 0, all scores are raised equally until it has this value.
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
