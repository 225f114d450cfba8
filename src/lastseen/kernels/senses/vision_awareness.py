"""Convert sight to certainty: by zones, by bars that fill, or by timers that count up and down."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import BodyArrays
from ..jit import jit
from .vision_shapes import BLENDED, DARK

_NEARLY = 1e-9
"""Rounding tolerance for sums of steps, in seconds: ten steps of 0.1 s make one second."""


@jit
def _band(value: float, investigate: float, is_full: bool) -> int:
    if is_full:
        return 3
    if value <= 0.0:
        return 0
    return 2 if value >= investigate - 1e-6 else 1


@jit
def weigh_zones(
    bodies: BodyArrays,
    targets: Array,
    shape: Array,
    visible: Array,
    reason: Array,
    worth: Array,
    numbers: Array,
    seconds: float,
    timer: Array,
    perceived: Array,
    certainty: Array,
    awareness: Array,
    band: Array,
) -> None:
    """Fill certainty by zones: the worth of the zone, plus a bonus for movement, minus a malus for camouflage.

    With a dwell time, targets are identified only after it has passed. `numbers`: movement bonus; metres per second
    that count as movement; camouflage malus; certainties at which an observer investigates and identifies; seconds of
    dwell; 1 if the certainty sets how fast they pass.
    """
    bonus, moving, malus, investigate, identify = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    dwell, by_certainty = numbers[5], numbers[6] > 0.0
    for i in range(shape.shape[0]):
        for j in range(shape.shape[1]):
            value = 0.0
            if visible[i, j]:
                body = targets[j]
                vx, vy = bodies.velocity_xy[body, 0], bodies.velocity_xy[body, 1]
                value = worth[shape[i, j]]
                if vx * vx + vy * vy >= moving * moving:
                    value += bonus
                # Poor light also counts as camouflage.
                value -= malus * max(bodies.camouflage[body], 1.0 - bodies.light[body])
                value = min(max(value, 0.0), 1.0)
                if value < 1e-6:
                    value = 0.0
                    visible[i, j] = 0
                    reason[i, j] = BLENDED
            is_sure = value >= identify - 1e-6
            certainty[i, j] = value
            if dwell > 0.0:
                rate = value if by_certainty else (1.0 if is_sure else 0.0)
                timer[i, j] = min(timer[i, j] + seconds * rate, dwell) if rate > 0.0 else 0.0
                awareness[i, j] = timer[i, j] / dwell
                is_sure = rate > 0.0 and timer[i, j] >= dwell - _NEARLY
            else:
                awareness[i, j] = min(value / identify, 1.0)
            perceived[i, j] |= np.uint8(is_sure)
            band[i, j] = _band(value, investigate, is_sure)


@jit
def fill_bars(
    bodies: BodyArrays,
    targets: Array,
    alert: Array,
    shape: Array,
    metres: Array,
    visible: Array,
    reason: Array,
    times: Array,
    numbers: Array,
    seconds: float,
    timer: Array,
    perceived: Array,
    certainty: Array,
    awareness: Array,
    band: Array,
) -> None:
    """Fill certainty by bars: full after the seconds the shape sets at that distance, longer in the dark.

    `times` (s, 3): seconds at distance 0 and at the far end, metres to the far end. `numbers`: least light; factor on
    the time in least light; factors on the time by alert (three); share of the bar at which an observer investigates;
    seconds in which a full bar empties (0: at once).
    """
    least_light, dark, investigate, empties = numbers[0], numbers[1], numbers[5], numbers[6]
    for i in range(shape.shape[0]):
        for j in range(shape.shape[1]):
            light = bodies.light[targets[j]]
            if visible[i, j] and light < least_light:
                visible[i, j] = 0
                reason[i, j] = DARK
            if visible[i, j]:
                number = shape[i, j]
                share = min(metres[i, j] / times[number, 2], 1.0)
                length = times[number, 0] + share * (times[number, 1] - times[number, 0])
                length *= numbers[2 + np.int64(alert[i])]
                if least_light < 1.0:
                    length *= 1.0 + (dark - 1.0) * (1.0 - light) / (1.0 - least_light)
                timer[i, j] = min(timer[i, j] + seconds / length, 1.0) if length > 0.0 else 1.0
            else:
                timer[i, j] = max(timer[i, j] - seconds / empties, 0.0) if empties > 0.0 else 0.0
            is_full = visible[i, j] == 1 and timer[i, j] >= 1.0 - _NEARLY
            perceived[i, j] |= np.uint8(is_full)
            certainty[i, j] = awareness[i, j] = 1.0 if is_full else timer[i, j]
            band[i, j] = _band(timer[i, j], investigate, is_full)


@jit
def run_timers(
    alert: Array,
    visible: Array,
    numbers: Array,
    seconds: float,
    timer: Array,
    perceived: Array,
    certainty: Array,
    awareness: Array,
    band: Array,
) -> None:
    """Fill certainty by timers: up while seen, down while not; a target is perceived at a threshold.

    `numbers`: threshold in seconds in combat, for targets perceived before, and for targets never perceived; share of
    the threshold at which an observer investigates; most seconds above the threshold.
    """
    for i in range(timer.shape[0]):
        for j in range(timer.shape[1]):
            threshold = numbers[2]
            if alert[i] >= 2:
                threshold = numbers[0]
            elif perceived[i, j]:
                threshold = numbers[1]
            # The threshold may have fallen since the last step; time beyond the new maximum must not count later.
            most = threshold + numbers[4]
            if visible[i, j]:
                timer[i, j] = min(timer[i, j] + seconds, most)
            else:
                timer[i, j] = max(min(timer[i, j], most) - seconds, 0.0)
            is_full = visible[i, j] == 1 and timer[i, j] >= threshold - _NEARLY
            perceived[i, j] |= np.uint8(is_full)
            share = min(timer[i, j] / threshold, 1.0) if threshold > 0.0 else 1.0
            certainty[i, j] = awareness[i, j] = share
            band[i, j] = _band(share, numbers[3], is_full)
