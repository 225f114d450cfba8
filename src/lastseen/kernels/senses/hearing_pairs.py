"""Match sounds and calls with listeners: distance, openness, and which call to follow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE, BodyArrays
from ..arrays.level_arrays import SightArrays
from ..jit import jit
from ..sight.sight_line import is_clear


class SoundArrays(NamedTuple):
    """Table of s sounds."""

    xyz: Array  # float64 (s, 3)
    radius: Array  # float64 (s,)  metres
    maker: Array  # int32 (s,)  row in the table of bodies, -1: none
    among_friends: Array  # bool (s,)  also heard by the maker's team
    fair: Array  # bool (s,)  reaches distant offscreen listeners less well


@jit
def pair_sounds(
    sounds: SoundArrays, ears: Array, sensitivity: Array, reach: Array, away: Array, towards: Array
) -> None:
    """Fill the reach in metres, the straight distance and the direction of each sound for each ear (n, 3)."""
    for s in range(len(sounds.xyz)):
        for i in range(len(ears)):
            dx, dy = sounds.xyz[s, 0] - ears[i, 0], sounds.xyz[s, 1] - ears[i, 1]
            dz = sounds.xyz[s, 2] - ears[i, 2]
            flat = np.sqrt(dx * dx + dy * dy)
            reach[s, i] = sounds.radius[s] * sensitivity[i]
            away[s, i] = np.sqrt(dx * dx + dy * dy + dz * dz)
            towards[s, i, 0] = dx / flat if flat > 0.0 else 0.0
            towards[s, i, 1] = dy / flat if flat > 0.0 else 0.0


@jit
def judge_sounds(
    bodies: BodyArrays,
    listeners: Array,
    sounds: SoundArrays,
    clouds: Array,
    offscreen: Array,
    factor: float,
    plausible: float,
    reach: Array,
    metres: Array,
    heard: Array,
    loudness: Array,
) -> None:
    """Fill which listeners hear which sounds, and how loudly, given the distance each sound travelled.

    Agents do not hear themselves or everyday sounds of their team, and hear nothing inside a cloud (k, 4: x, y, z,
    radius). The reach of fair sounds is multiplied by `factor` for offscreen listeners beyond `plausible` metres.
    """
    for i in range(len(listeners)):
        one = listeners[i]
        is_deaf = bodies.mode[one] != ACTIVE
        for k in range(len(clouds)):
            dx, dy = bodies.xyz[one, 0] - clouds[k, 0], bodies.xyz[one, 1] - clouds[k, 1]
            dz = bodies.xyz[one, 2] - clouds[k, 2]
            is_deaf |= dx * dx + dy * dy + dz * dz <= clouds[k, 3] * clouds[k, 3]
        for s in range(len(sounds.xyz)):
            heard[s, i] = False
            loudness[s, i] = 0.0
            maker = sounds.maker[s]
            if is_deaf or maker == one:
                continue
            if maker >= 0 and bodies.team[maker] == bodies.team[one] and not sounds.among_friends[s]:
                continue
            limit = reach[s, i]
            if sounds.fair[s] and offscreen[i] and metres[s, i] > plausible:
                limit *= factor
            if metres[s, i] <= limit:
                heard[s, i] = True
                loudness[s, i] = 1.0 - metres[s, i] / limit if limit > 0.0 else 1.0


@jit
def cast_to_sounds(
    sight: SightArrays, sources: Array, ears: Array, in_reach: Array, aside: float, share: Array
) -> None:
    """Fill `share` (s, n) with the share of unblocked rays from each ear to each source within reach.

    One ray goes to the source; if `aside` is not 0, two more go to points `aside` metres to either side of it, and one
    to a point above.
    """
    for number in range(len(sources)):
        x, y, z = sources[number, 0], sources[number, 1], sources[number, 2]
        for i in range(len(ears)):
            if not in_reach[number, i]:
                continue
            ex, ey, ez = ears[i, 0], ears[i, 1], ears[i, 2]
            passed = np.float64(is_clear(sight, ex, ey, ez, x, y, z))
            if aside == 0.0:
                share[number, i] = passed
                continue
            dx, dy = x - ex, y - ey
            length = np.sqrt(dx * dx + dy * dy)
            sx, sy = (-dy / length * aside, dx / length * aside) if length > 0.0 else (aside, 0.0)
            passed += np.float64(is_clear(sight, ex, ey, ez, x + sx, y + sy, z))
            passed += np.float64(is_clear(sight, ex, ey, ez, x - sx, y - sy, z))
            passed += np.float64(is_clear(sight, ex, ey, ez, x, y, z + aside))
            share[number, i] = passed / 4.0


_STEP = 1e6
"""Weight of one step of priority, in metres: more than any distance."""


@jit
def choose_calls(places: Array, priority: Array, may: Array, xyz: Array, who: Array, chosen: Array) -> None:
    """Fill `chosen` (n,) with the row of the call at `places` (c, 3) that each agent in `who` (n,) follows; -1: none.

    Among the calls an agent `may` (c, n) follow, it chooses the highest `priority` (c,), then the nearest along the
    longest axis, then the first.
    """
    for i in range(len(who)):
        chosen[i], best = -1, -np.inf
        one = np.int64(who[i])
        for c in range(len(priority)):
            if not may[c, i]:
                continue
            away = 0.0
            for axis in range(3):
                away = max(away, abs(places[c, axis] - xyz[one, axis]))
            worth = priority[c] * _STEP - away
            if worth > best:
                chosen[i], best = c, worth
