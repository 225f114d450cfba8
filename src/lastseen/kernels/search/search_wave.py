"""Waves of influence that spread over cells at walking pace, and the influence they leave."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import inner, jit

FLAG, VALUE = 128, 127
"""Bits of a byte of the layer: a wave has been here; remaining influence."""

IS_TOUCHED, IS_QUEUED, IS_REGROWING, IS_SPOT = 1, 2, 4, 8
"""Bits of `WaveArrays.state`."""

TOUCHED, WAITING, BUCKET, REGROWING, BEHIND, TICK = 0, 1, 2, 3, 4, 5
"""Indices in `WaveArrays.count`: lengths of lists, current bucket, whether the wave is behind, number of the step."""

_STRONGER = np.float32(0.5)
"""Margin by which a wave must be stronger to pass a cell that an equally new wave has passed."""


class WaveArrays(NamedTuple):
    """Work arrays for N cells. Cells of a bucket form a doubly linked list of ids plus one; 0 ends it.

    Buckets are ordered by metres the wave has travelled, so a change of speed has no effect here.
    """

    byte: Array  # uint8 (N,)  the layer itself: FLAG and VALUE; resting: 0
    state: Array  # uint8 (N,)  bits; resting: 0, or IS_SPOT
    due: Array  # float64 (N,)  metres travelled when the wave arrives; resting: inf
    wave: Array  # uint32 (N,)  number of the newest wave that was, or will be, here; resting: 0
    strength: Array  # float32 (N,)  strength of that wave, 0 … 127; resting: 0
    source: Array  # uint32 (N,)  cell it comes from; the cell itself if seeded
    following: Array  # uint32 (N,)
    previous: Array  # uint32 (N,)
    bucket: Array  # uint32 (power of two,)  resting: 0
    touched: Array  # uint32 (N,)  every cell not in its resting state
    regrowing: Array  # uint32 (N,)
    cleaned: Array  # uint32 (N,)  step in which a searcher last saw a cell; never reset, as steps only increase
    count: Array  # int64 (6,)
    width: Array  # float64 (2,)  metres of a bucket, less than the shortest link; buckets per metre


class Spreading(NamedTuple):
    """Rules by which a wave spreads."""

    fade: float  # strength lost per metre
    diagonals: bool  # also over links that change both column and row
    hold: bool  # a cell that is being watched stops the wave
    bleed: bool  # cleaned cells are reached again from their neighbours


@inner
def touch(wave: WaveArrays, cell: np.uint64) -> None:
    """Record that a cell has left its resting state."""
    if not wave.state[cell] & IS_TOUCHED:
        wave.state[cell] |= IS_TOUCHED
        wave.touched[np.uint64(wave.count[TOUCHED])] = cell
        wave.count[TOUCHED] += 1


@inner
def schedule(wave: WaveArrays, cell: np.uint64, metres: float) -> None:
    """Put a cell that is not queued into the bucket of `metres`."""
    wave.due[cell] = metres
    wave.state[cell] |= IS_QUEUED
    slot = np.uint64(metres * wave.width[1]) & np.uint64(len(wave.bucket) - 1)
    behind = np.uint64(wave.bucket[slot])
    wave.following[cell] = behind
    wave.previous[cell] = 0
    if behind != np.uint64(0):
        wave.previous[behind - np.uint64(1)] = cell + np.uint64(1)
    wave.bucket[slot] = cell + np.uint64(1)
    wave.count[WAITING] += 1


@jit
def _unchain(wave: WaveArrays, cell: np.uint64) -> None:
    """Remove a queued cell from its bucket."""
    one, none = np.uint64(1), np.uint64(0)
    ahead, behind = np.uint64(wave.previous[cell]), np.uint64(wave.following[cell])
    if ahead != none:
        wave.following[ahead - one] = behind
    else:
        wave.bucket[np.uint64(wave.due[cell] * wave.width[1]) & np.uint64(len(wave.bucket) - 1)] = behind
    if behind != none:
        wave.previous[behind - one] = ahead
    wave.count[WAITING] -= 1


@jit
def start_wave(cells: CellArrays, wave: WaveArrays, ids: Array, strengths: Array, number: int, metres: float) -> None:
    """Queue seeds `ids` (n,) with `strengths` (n,) 0 … 127 as part of wave `number`, due at `metres` travelled.

    `metres` lies in the current bucket or later, less than one turn of the ring of buckets ahead.
    """
    if wave.count[WAITING] == 0:
        wave.count[BUCKET] = np.int64(metres * wave.width[1])
    for each in range(len(ids)):
        cell = np.uint64(ids[each])
        if bit(cells.disabled, np.int64(cell)):
            continue
        touch(wave, cell)
        if wave.state[cell] & IS_QUEUED:
            _unchain(wave, cell)
            wave.strength[cell] = max(wave.strength[cell], strengths[each])
        else:
            wave.strength[cell] = strengths[each]
        wave.wave[cell] = number
        wave.source[cell] = cell
        schedule(wave, cell, metres)


@jit
def _source_of(cells: CellArrays, wave: WaveArrays, cell: np.uint64, rule: Spreading) -> bool:
    """Find the strongest neighbour that can feed a cell, when bleeding; return whether there is one."""
    one = np.uint64(1)
    before = np.uint64(wave.source[cell])
    if before == cell or wave.byte[before] & VALUE:
        return True
    best = np.float32(0.0)
    for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
        other = np.uint64(cells.link_cell[link])
        if not rule.diagonals and is_diagonal(cells, cell, other):
            continue
        if not wave.byte[other] & VALUE or bit(cells.blocked, np.int64(link)):
            continue
        strength = np.float32(wave.byte[other] & VALUE) - np.float32(rule.fade * cells.link_length[link])
        if strength > best:
            best = strength
            wave.source[cell] = other
            wave.wave[cell] = wave.wave[other]
    wave.strength[cell] = best
    return best >= np.float32(0.5)


@inner
def is_diagonal(cells: CellArrays, one: np.uint64, other: np.uint64) -> bool:
    """Return whether two cells differ in both column and row."""
    return cells.cell_grid[one, 0] != cells.cell_grid[other, 0] and cells.cell_grid[one, 1] != cells.cell_grid[other, 1]


@jit
def run_wave(cells: CellArrays, wave: WaveArrays, limit: float, budget: int, rule: Spreading) -> int:
    """Spread the wave up to `limit` metres over at most `budget` cells; return how many cells it took.

    `count[BEHIND]` tells whether the budget ran out before the limit. No cell feeds another of its own bucket, so a
    wave arrives everywhere at the same metre however the work is divided; only where two waves meet within one bucket
    may they join a link earlier or later.
    """
    # One flat loop, as calls that pass arrays count references.
    byte, state, due, number, strength = wave.byte, wave.state, wave.due, wave.wave, wave.strength
    source, following, previous, bucket, count = wave.source, wave.following, wave.previous, wave.bucket, wave.count
    link_start, link_cell, link_length = cells.link_start, cells.link_cell, cells.link_length
    one, none = np.uint64(1), np.uint64(0)
    mask = np.uint64(len(bucket) - 1)
    width, per_metre = wave.width[0], wave.width[1]
    now, last = np.uint64(count[BUCKET]), np.uint64(limit * per_metre)
    tick = count[TICK]
    done = 0
    count[BEHIND] = 0
    while count[WAITING] > 0 and now <= last:
        chain = np.uint64(bucket[now & mask])
        if chain == none:
            now += one
            continue
        bucket[now & mask] = 0
        kept = none
        while chain != none:
            cell = chain - one
            chain = np.uint64(following[cell])
            metres = due[cell]
            if metres > limit or done >= budget:
                if metres <= limit:
                    count[BEHIND] = 1
                following[cell] = kept
                previous[cell] = 0
                if kept != none:
                    previous[kept - one] = cell + one
                kept = cell + one
                continue
            done += 1
            count[WAITING] -= 1
            state[cell] &= np.uint8(255 - IS_QUEUED)
            if bit(cells.disabled, np.int64(cell)):
                due[cell], number[cell], strength[cell] = np.inf, 0, 0.0
                continue
            if rule.bleed and not _source_of(cells, wave, cell, rule):
                due[cell], number[cell], strength[cell] = np.inf, 0, 0.0
                continue
            watched = np.int64(wave.cleaned[cell]) + 1 >= tick and not state[cell] & IS_SPOT
            if rule.hold and watched and np.uint64(source[cell]) != cell:
                # Well into the next bucket, as this one is being written.
                schedule(wave, cell, limit + 1.5 * width)
                continue
            power = strength[cell]
            value = np.uint8(np.rint(power))
            if value > byte[cell] & VALUE:
                byte[cell] = value | FLAG
            else:
                byte[cell] |= FLAG
            mine = number[cell]
            for link in range(np.uint64(link_start[cell]), np.uint64(link_start[cell + one])):
                other = np.uint64(link_cell[link])
                further = metres + link_length[link]
                left = power - np.float32(rule.fade * link_length[link])
                waits = state[other] & IS_QUEUED
                # Skip if neither newer nor stronger than the wave that was here, nor earlier than a queued one.
                no_more = mine <= number[other] and left <= strength[other] + _STRONGER
                if no_more and (not waits or due[other] <= further):
                    continue
                if left < np.float32(0.5) or bit(cells.blocked, np.int64(link)):
                    continue
                if bit(cells.disabled, np.int64(other)) or (not rule.diagonals and is_diagonal(cells, cell, other)):
                    continue
                if waits:
                    # Waves that meet continue as one, with the newest number, greatest strength and earliest arrival.
                    strength[other] = max(strength[other], left)
                    number[other] = max(number[other], mine)
                    if due[other] <= further:
                        continue
                    _unchain(wave, other)
                else:
                    strength[other] = left
                    number[other] = max(number[other], mine)
                    if not state[other] & IS_TOUCHED:
                        state[other] |= IS_TOUCHED
                        wave.touched[np.uint64(count[TOUCHED])] = other
                        count[TOUCHED] += 1
                source[other] = cell
                due[other] = further
                state[other] |= IS_QUEUED
                slot = np.uint64(further * per_metre) & mask
                behind = np.uint64(bucket[slot])
                following[other] = behind
                previous[other] = 0
                if behind != none:
                    previous[behind - one] = other + one
                bucket[slot] = other + one
                count[WAITING] += 1
        bucket[now & mask] = kept
        if count[BEHIND] or now == last:
            break
        now += one
    # One back: by rounding, a seed planted at this moment may belong to the previous bucket.
    count[BUCKET] = now if count[BEHIND] else max(last, one) - one
    return done


@jit
def regrow(wave: WaveArrays, units: int, top: int) -> None:
    """Raise the influence of cleaned cells by `units` of 127, up to `top`."""
    place = np.uint64(0)
    one = np.uint64(1)
    while place < np.uint64(wave.count[REGROWING]):
        cell = np.uint64(wave.regrowing[place])
        value = np.int64(wave.byte[cell] & VALUE)
        if value < top:
            value = min(value + units, top)
            wave.byte[cell] = np.uint8(value | FLAG)
        if value >= top:
            wave.state[cell] &= np.uint8(255 - IS_REGROWING)
            wave.count[REGROWING] -= 1
            wave.regrowing[place] = wave.regrowing[np.uint64(wave.count[REGROWING])]
        else:
            place += one


@jit
def forget_wave(wave: WaveArrays) -> None:
    """Reset every touched cell, so that the layer is clear."""
    for place in range(np.uint64(wave.count[TOUCHED])):
        cell = np.uint64(wave.touched[place])
        wave.byte[cell] = 0
        wave.state[cell] &= np.uint8(IS_SPOT)
        wave.due[cell] = np.inf
        wave.wave[cell] = 0
        wave.strength[cell] = 0.0
    wave.bucket[:] = 0
    wave.count[TOUCHED] = 0
    wave.count[WAITING] = 0
    wave.count[REGROWING] = 0
    wave.count[BEHIND] = 0
