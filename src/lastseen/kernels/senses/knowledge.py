"""Update what agents know of sights and sounds, share it, and choose targets from it."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE, NOTHING, SIGHT, SOUND, TOLD, BodyArrays, KnowledgeArrays
from ..jit import jit

SOUND_SPEED, RADIO = 343.0, 0.3
"""Metres per second of a voice, and seconds that a message by radio takes."""


@jit
def remember_sights(
    know: KnowledgeArrays,
    bodies: BodyArrays,
    observers: Array,
    targets: Array,
    seen: Array,
    identified: Array,
    certainty: Array,
    now: float,
    grace: float,
    halving: float,
    faded: float,
) -> None:
    """Write the true position of every target that is seen or was lost no more than `grace` seconds ago.

    Targets are assumed to have moved straight since the last step, so that the knowledge at the end of the grace
    period does not depend on the step length. The certainty of other knowledge halves every `halving` seconds
    (0: never); `faded` is the time up to which that has been applied.
    """
    for i in range(len(observers)):
        observer = observers[i]
        for j in range(len(targets)):
            target = targets[j]
            x, y, z = bodies.xyz[target, 0], bodies.xyz[target, 1], bodies.xyz[target, 2]
            vx, vy = bodies.velocity_xy[target, 0], bodies.velocity_xy[target, 1]
            if seen[i, j]:
                know.perceived[i, j] = now
                know.source[i, j] = SIGHT
                know.certainty[i, j] = certainty[i, j]
                know.identified[i, j] |= np.uint8(identified[i, j])
                know.from_xyz[i, j, 0] = bodies.xyz[observer, 0]
                know.from_xyz[i, j, 1] = bodies.xyz[observer, 1]
                know.from_xyz[i, j, 2] = bodies.xyz[observer, 2]
                know.from_gaze[i, j] = bodies.gaze[observer]
                know.time[i, j] = now
            else:
                until = know.perceived[i, j] + grace
                before = know.time[i, j]
                if grace <= 0.0 or know.source[i, j] != SIGHT or before >= until:
                    if halving > 0.0 and know.source[i, j] != NOTHING:
                        know.certainty[i, j] *= 0.5 ** ((now - max(before, faded)) / halving)
                    continue
                share = min(1.0, (until - before) / max(now - before, 1e-12))
                x = know.xyz[i, j, 0] + share * (x - know.xyz[i, j, 0])
                y = know.xyz[i, j, 1] + share * (y - know.xyz[i, j, 1])
                z = know.xyz[i, j, 2] + share * (z - know.xyz[i, j, 2])
                know.time[i, j] = min(now, until)
            know.xyz[i, j, 0], know.xyz[i, j, 1], know.xyz[i, j, 2] = x, y, z
            speed = np.sqrt(vx * vx + vy * vy)
            know.speed[i, j] = speed
            know.direction_xy[i, j, 0] = vx / speed if speed > 0.0 else 0.0
            know.direction_xy[i, j, 1] = vy / speed if speed > 0.0 else 0.0


@jit
def remember_sounds(
    know: KnowledgeArrays,
    suspects: Array,
    bodies: BodyArrays,
    observers: Array,
    xyz: Array,
    column: Array,
    heard: Array,
    loudness: Array,
    infers: Array,
    now: float,
) -> None:
    """Write the origin of each sound for the observers that heard it and do not see its maker now.

    `heard` and `loudness` are (s, n). `column` (s,) is the target that a sound gives away; a sound with -1 only makes
    observers suspicious that infer (`infers`, (n,)).
    """
    for s in range(len(column)):
        j = np.int64(column[s])
        for i in range(len(observers)):
            if not heard[s, i]:
                continue
            if infers[i]:
                suspects[i] = now
            if j < 0 or not know.time[i, j] < now:  # seen now: sight is more accurate
                continue
            one = np.int64(observers[i])
            for axis in range(3):
                know.xyz[i, j, axis] = xyz[s, axis]
                know.from_xyz[i, j, axis] = bodies.xyz[one, axis]
            know.direction_xy[i, j, 0], know.direction_xy[i, j, 1] = 0.0, 0.0
            know.speed[i, j] = 0.0
            know.time[i, j] = now
            know.perceived[i, j] = now
            know.source[i, j] = SOUND
            know.certainty[i, j] = loudness[s, i]
            know.from_gaze[i, j] = bodies.gaze[one]


@jit
def _newest_of_team(know: KnowledgeArrays, bodies: BodyArrays, observers: Array, teller: Array) -> None:
    """Fill `teller` with the row of each observer's team that has the newest record; ties: the first row."""
    best = np.full((256, teller.shape[1]), -1, np.int32)
    for i in range(len(observers)):
        if bodies.mode[observers[i]] != ACTIVE:
            continue
        team = np.int64(bodies.team[observers[i]])
        for j in range(teller.shape[1]):
            held = best[team, j]
            if know.source[i, j] != NOTHING and (held < 0 or know.time[i, j] > know.time[held, j]):
                best[team, j] = i
    for i in range(len(observers)):
        team = np.int64(bodies.team[observers[i]])
        for j in range(teller.shape[1]):
            teller[i, j] = best[team, j]


@jit
def _newest_in_reach(
    know: KnowledgeArrays, bodies: BodyArrays, observers: Array, reach: float, hears: Array, teller: Array
) -> None:
    """Fill `teller` with the team member within `reach` metres that has the newest record; ties: the first row.

    `hears` (n, n) says which observer (row) hears which (column); if it is empty, all hear each other.
    """
    teller[:] = -1
    # Sorted from west to east, so that each observer is compared only with those within reach of its x.
    east = np.empty(len(observers))
    for i in range(len(observers)):
        east[i] = bodies.xyz[observers[i], 0]
    order = np.argsort(east)
    first = 0
    for at in range(len(order)):
        i = order[at]
        one = observers[i]
        while east[order[first]] < east[i] - reach:
            first += 1
        for place in range(first, len(order)):
            k = order[place]
            if east[k] > east[i] + reach:
                break
            other = observers[k]
            if k == i or bodies.mode[other] != ACTIVE or bodies.team[other] != bodies.team[one]:
                continue
            dx = bodies.xyz[one, 0] - bodies.xyz[other, 0]
            dy = bodies.xyz[one, 1] - bodies.xyz[other, 1]
            dz = bodies.xyz[one, 2] - bodies.xyz[other, 2]
            if dx * dx + dy * dy + dz * dz > reach * reach or (len(hears) > 0 and not hears[i, k]):
                continue
            for j in range(teller.shape[1]):
                if know.source[k, j] == NOTHING:
                    continue
                held = teller[i, j]
                newer = held < 0 or know.time[k, j] > know.time[held, j]
                if newer or (know.time[k, j] == know.time[held, j] and k < held):
                    teller[i, j] = k


@jit
def share_newest(know: KnowledgeArrays, bodies: BodyArrays, observers: Array, reach: float) -> int:
    """Copy newer records between observers of a team; return the number of records copied.

    `reach` is in metres; infinite means the whole team. Observers share what they knew before the call, so news
    travels one contact per call and the order of rows does not matter.
    """
    count, width = know.time.shape
    teller = np.empty((count, width), np.int32)
    if reach == np.inf:
        _newest_of_team(know, bodies, observers, teller)
    else:
        _newest_in_reach(know, bodies, observers, reach, np.empty((0, 0), np.bool_), teller)
    xyz, direction, speed, time = know.xyz.copy(), know.direction_xy.copy(), know.speed.copy(), know.time.copy()
    certainty, identified = know.certainty.copy(), know.identified.copy()
    told = 0
    for i in range(count):
        if bodies.mode[observers[i]] != ACTIVE:
            continue
        for j in range(width):
            k = teller[i, j]
            if k < 0 or k == i or time[k, j] <= time[i, j]:
                continue
            told += 1
            for axis in range(3):
                know.xyz[i, j, axis] = xyz[k, j, axis]
            know.direction_xy[i, j, 0], know.direction_xy[i, j, 1] = direction[k, j, 0], direction[k, j, 1]
            know.speed[i, j] = speed[k, j]
            know.time[i, j] = time[k, j]
            know.source[i, j] = TOLD
            know.certainty[i, j] = certainty[k, j]
            know.identified[i, j] = identified[k, j] | identified[i, j]
            for axis in range(3):
                know.from_xyz[i, j, axis] = bodies.xyz[observers[i], axis]
            know.from_gaze[i, j] = bodies.gaze[observers[i]]
    return told


@jit
def send_news(
    know: KnowledgeArrays,
    bodies: BodyArrays,
    observers: Array,
    reach: float,
    hears: Array,
    barred: Array,
    voice: float,
    now: float,
    news: KnowledgeArrays,
    due: Array,
    sent: Array,
) -> int:
    """Send newer records to the observers of a team that wait for no other message; return how many were sent.

    `reach` and `hears` are as in `share_newest` and `_newest_in_reach`. A message is a copy of the teller's record in
    `news`; `due` (n, m) is when it is there, infinite if none is under way: by voice within `voice` metres if it is
    heard, else by radio. No message is sent where `barred` (n, m). `sent` (n·m,) gets the numbers of the pairs.
    """
    count, width = know.time.shape
    teller = np.empty((count, width), np.int32)
    if reach == np.inf:
        _newest_of_team(know, bodies, observers, teller)
    else:
        _newest_in_reach(know, bodies, observers, reach, hears, teller)
    told = 0
    for i in range(count):
        one = observers[i]
        if bodies.mode[one] != ACTIVE:
            continue
        for j in range(width):
            k = np.int64(teller[i, j])
            if k < 0 or k == i or due[i, j] < np.inf or barred[i, j] or know.time[k, j] <= know.time[i, j]:
                continue
            other = observers[k]
            dx = bodies.xyz[one, 0] - bodies.xyz[other, 0]
            dy = bodies.xyz[one, 1] - bodies.xyz[other, 1]
            dz = bodies.xyz[one, 2] - bodies.xyz[other, 2]
            metres = np.sqrt(dx * dx + dy * dy + dz * dz)
            heard = metres <= voice and (len(hears) == 0 or hears[i, k])
            due[i, j] = now + (metres / SOUND_SPEED if heard or reach < np.inf else RADIO)
            for axis in range(3):
                news.xyz[i, j, axis] = know.xyz[k, j, axis]
            news.direction_xy[i, j, 0], news.direction_xy[i, j, 1] = (
                know.direction_xy[k, j, 0],
                know.direction_xy[k, j, 1],
            )
            news.speed[i, j] = know.speed[k, j]
            news.time[i, j] = know.time[k, j]
            news.certainty[i, j] = know.certainty[k, j]
            news.identified[i, j] = know.identified[k, j]
            sent[told] = i * width + j
            told += 1
    return told


@jit
def choose_targets(
    know: KnowledgeArrays,
    bodies: BodyArrays,
    watchers: Array,
    acting: Array,
    visible: Array,
    band: Array,
    metres: Array,
    glance: int,
    now: float,
    forgotten: float,
    acted_on: Array,
    best: Array,
) -> None:
    """Fill `best` (4, n) with columns of targets, -1: none; ties: the first column.

    Row 0: the nearest target the watcher may act on (`acting` (n, m)); row 1: the nearest it sees in a band of at least
    `glance` but may not act on; row 2: the identified target with the newest record, less than `forgotten` seconds old;
    row 3: among those it does not see, the one it could act on most recently. `acted_on` (n, m) holds the time of that,
    -inf: never, and is updated.
    """
    best[:] = -1
    for i in range(len(watchers)):
        if bodies.mode[watchers[i]] != ACTIVE:
            continue
        least = np.full(4, np.inf)
        for j in range(acting.shape[1]):
            if acting[i, j]:
                acted_on[i, j] = now
                if metres[i, j] < least[0]:
                    least[0], best[0, i] = metres[i, j], j
            elif visible[i, j] and band[i, j] >= glance and metres[i, j] < least[1]:
                least[1], best[1, i] = metres[i, j], j
            age = now - know.time[i, j]
            if know.identified[i, j] != 1 or not age < forgotten:
                continue
            if age < least[2]:
                least[2], best[2, i] = age, j
            since = now - acted_on[i, j]
            if not visible[i, j] and since < least[3]:
                least[3], best[3, i] = since, j
