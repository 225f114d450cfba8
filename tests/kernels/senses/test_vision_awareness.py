"""What a look is worth, worked by hand: zones, bars, timers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.kernels.senses.vision_awareness import fill_bars, run_timers, weigh_zones
from lastseen.kernels.senses.vision_shapes import BLENDED, DARK

TARGETS = np.array([0, 1, 2], np.int32)


def _columns(count: int) -> list[np.ndarray]:
    size = (1, count)
    return [np.zeros(size, np.float32), np.zeros(size, np.float32), np.zeros(size, np.uint8)]


def test_zones_count_movement_for_one_and_camouflage_against():
    table = bodies(
        [(0, 0)] * 3, velocity_xy=[(0, 0), (3, 4), (0, 0)], camouflage=[0.0, 0.0, 1.0], light=[0.5, 1.0, 1.0]
    )
    shape, visible, reason = np.array([[0, 0, 1]], np.int8), np.ones((1, 3), np.uint8), np.zeros((1, 3), np.uint8)
    numbers = np.array([0.3, 5.0, 0.4, 0.5, 0.8, 0.0, 0.0])
    certainty, awareness, band = _columns(3)
    memory = np.zeros((1, 3)), np.zeros((1, 3), np.uint8)
    worth = np.array([0.6, 0.3])
    weigh_zones(table, TARGETS, shape, visible, reason, worth, numbers, 0.1, *memory, certainty, awareness, band)
    # 0.6 - 0.4 x half dark; 0.6 + 0.3 at five metres a second; 0.3 - 0.4 is nothing.
    assert certainty[0].tolist() == pytest.approx([0.4, 0.9, 0.0])
    assert awareness[0].tolist() == pytest.approx([0.5, 1.0, 0.0])
    assert band[0].tolist() == [1, 3, 0]
    assert visible[0].tolist() == [1, 1, 0]
    assert reason[0, 2] == BLENDED
    assert memory[1][0].tolist() == [0, 1, 0]


@pytest.mark.parametrize("by_certainty", [0.0, 1.0])
def test_with_a_dwell_time_zones_are_sure_only_after_it(by_certainty):
    """Three targets worth 0.9, 0.4 and 0.8; half a second passes of one and a half, or as much as each is worth."""
    table = bodies([(0, 0)] * 3)
    numbers = np.array([0.0, 5.0, 0.0, 0.4, 0.8, 1.5, by_certainty])
    timer, perceived, shape = np.zeros((1, 3)), np.zeros((1, 3), np.uint8), np.array([[0, 1, 2]], np.int8)
    certainty, awareness, band = _columns(3)

    def step(seconds: float, seen: tuple[int, int, int] = (1, 1, 1)) -> None:
        visible, reason = np.array([seen], np.uint8), np.zeros((1, 3), np.uint8)
        memory = timer, perceived, certainty, awareness, band
        weigh_zones(table, TARGETS, shape, visible, reason, np.array([0.9, 0.4, 0.8]), numbers, seconds, *memory)

    step(0.5)
    rate = np.array([0.9, 0.4, 0.8]) if by_certainty else np.array([1.0, 0.0, 1.0])
    assert timer[0] == pytest.approx(0.5 * rate)
    assert awareness[0] == pytest.approx(timer[0] / 1.5)
    assert band[0].tolist() == [2, 2, 2]
    assert not perceived.any()
    step(1.0 / 0.9)
    assert timer[0] == pytest.approx(np.minimum((0.5 + 1.0 / 0.9) * rate, 1.5))
    step(2.0, (1, 0, 1))
    assert timer[0].tolist() == [1.5, 0.0, 1.5]
    assert awareness[0].tolist() == [1.0, 0.0, 1.0]
    assert perceived[0].tolist() == [1, 0, 1]
    assert band[0].tolist() == [3, 0, 3]
    step(0.5, (0, 0, 1))
    assert timer[0].tolist() == [0.0, 0.0, 1.5]
    assert (band[0].tolist(), perceived[0].tolist()) == ([0, 0, 3], [1, 0, 1])


def test_a_bar_fills_by_distance_alert_and_light_and_empties():
    table = bodies([(0, 0)] * 3, light=[1.0, 0.6, 0.1])
    visible, reason = np.ones((1, 3), np.uint8), np.zeros((1, 3), np.uint8)
    metres = np.array([[5.0, 5.0, 5.0]], np.float32)
    numbers = np.array([0.2, 3.0, 1.0, 0.5, 0.25, 0.5, 2.0])
    certainty, awareness, band = _columns(3)
    timer, perceived = np.array([[0.0, 0.0, 0.9]]), np.zeros((1, 3), np.uint8)
    args = np.array([1], np.uint8), np.zeros((1, 3), np.int8), metres
    times = np.array([[1.0, 3.0, 10.0]])
    fill_bars(table, TARGETS, *args, visible, reason, times, numbers, 0.5, timer, perceived, certainty, awareness, band)
    # Half way out a bar takes 2 s, 1 s for who is suspicious, twice that in the half dark; 2 s empty a full one.
    assert timer[0].tolist() == pytest.approx([0.5, 0.25, 0.65])
    assert band[0].tolist() == [2, 1, 2]
    assert visible[0].tolist() == [1, 1, 0]
    assert reason[0, 2] == DARK
    fill_bars(table, TARGETS, *args, visible, reason, times, numbers, 0.5, timer, perceived, certainty, awareness, band)
    assert band[0].tolist() == [3, 2, 1]
    assert perceived[0].tolist() == [1, 0, 0]
    assert certainty[0, 0] == 1.0


def test_a_timer_goes_up_while_seen_and_down_while_not():
    numbers = np.array([0.2, 1.0, 2.0, 0.5, 0.5])
    timer, perceived = np.array([[1.5, 1.5, 0.0]]), np.array([[0, 0, 1]], np.uint8)
    certainty, awareness, band = _columns(3)
    visible = np.array([[1, 0, 1]], np.uint8)
    run_timers(np.zeros(1, np.uint8), visible, numbers, 0.5, timer, perceived, certainty, awareness, band)
    assert timer[0].tolist() == [2.0, 1.0, 0.5]
    assert certainty[0].tolist() == [1.0, 0.5, 0.5]
    assert band[0].tolist() == [3, 2, 2]
    assert perceived[0].tolist() == [1, 0, 1]
    run_timers(np.array([2], np.uint8), visible, numbers, 0.5, timer, perceived, certainty, awareness, band)
    # No more than half a second above the threshold of combat, seen or not.
    assert timer[0].tolist() == pytest.approx([0.7, 0.2, 0.7])
    assert band[0].tolist() == [3, 2, 3]


def band_of(value, investigate, is_full):
    return 3 if is_full else 0 if value <= 0.0 else 2 if value >= investigate - 1e-6 else 1


class Row:
    """What three observers hold of four targets, and columns for what a look is worth."""

    def __init__(self, rng):
        size = (3, 4)
        self.timer, self.perceived = rng.uniform(0.0, 0.5, size), rng.integers(0, 2, size).astype(np.uint8)
        self.certainty, self.awareness = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.band = np.zeros(size, np.uint8)

    def columns(self):
        return self.timer, self.perceived, self.certainty, self.awareness, self.band

    def check(self, expected):
        """Compare with rows of (timer, newly perceived, certainty, awareness, band) by pair."""
        for at, (timer, is_new, certainty, awareness, band) in expected.items():
            assert self.timer[at] == pytest.approx(timer)
            assert self.perceived[at] == (self.before[at] | is_new)
            assert (self.certainty[at], self.awareness[at]) == pytest.approx((certainty, awareness))
            assert self.band[at] == band

    def look(self, rng):
        """Return which targets are visible, and remember what was known."""
        self.before, self.was = self.perceived.copy(), self.timer.copy()
        return (rng.random((3, 4)) < 0.8).astype(np.uint8)


def crowd(rng):
    light, velocity = rng.uniform(0.0, 1.0, 6), rng.uniform(-2.0, 2.0, (6, 2))
    return bodies(rng.normal(size=(6, 2)), light=light, camouflage=rng.uniform(0.0, 1.0, 6), velocity_xy=velocity)


@pytest.mark.parametrize("seed", range(8))
def test_zones_of_many_pairs_are_weighed_one_by_one(seed):
    rng, dwell, by_certainty = np.random.default_rng(seed), (0.0, 0.7)[seed % 2], seed % 4 > 1
    table, targets, row = crowd(rng), np.array([4, 0, 5, 2], np.int32), Row(rng)
    shape, worth, seconds = rng.integers(0, 3, (3, 4)).astype(np.int8), np.array([0.95, 0.6, 0.3]), 0.25
    for _ in range(5):
        visible, reason, expected = row.look(rng), np.zeros((3, 4), np.uint8), {}
        seen = visible.copy()
        weigh_zones(
            table, targets, shape, visible, reason, worth, np.array([0.2, 1.5, 0.7, 0.35, 0.6, dwell, by_certainty]),
            seconds, *row.columns(),
        )  # fmt: skip
        for at in np.ndindex(3, 4):
            body, value = targets[at[1]], 0.0
            if seen[at]:
                hidden = max(table.camouflage[body], 1.0 - table.light[body])
                moves = math.hypot(*table.velocity_xy[body]) >= 1.5
                value = min(max(worth[shape[at]] + 0.2 * moves - 0.7 * hidden, 0.0), 1.0)
            assert (visible[at], reason[at]) == ((1, 0) if value > 0.0 else (0, BLENDED if seen[at] else 0))
            rate = value if by_certainty else float(value >= 0.6)
            timer = min(row.was[at] + seconds * rate, dwell) if rate else 0.0
            is_sure = timer >= dwell - 1e-9 and rate > 0.0 if dwell else value >= 0.6
            aware = timer / dwell if dwell else min(value / 0.6, 1.0)
            expected[at] = timer if dwell else row.was[at], is_sure, value, aware, band_of(value, 0.35, is_sure)
        row.check(expected)


@pytest.mark.parametrize("seed", range(8))
def test_bars_of_many_pairs_fill_one_by_one(seed):
    rng, empties, least = np.random.default_rng(seed), (0.0, 1.3)[seed % 2], (0.2, 1.0)[seed % 4 > 2]
    table, targets, row = crowd(rng), np.array([4, 0, 5, 2], np.int32), Row(rng)
    shape, alert = rng.integers(0, 2, (3, 4)).astype(np.int8), np.array([2, 0, 1], np.uint8)
    metres = rng.uniform(1.0, 14.0, (3, 4)).astype(np.float32)
    times, by_alert = np.array([(0.4, 2.0, 12.0), (0.0, 0.0, 5.0)]), np.array([1.0, 0.6, 0.3])
    for _ in range(5):
        visible, reason, expected = row.look(rng), np.zeros((3, 4), np.uint8), {}
        seen = visible.copy()
        fill_bars(
            table, targets, alert, shape, metres, visible, reason, times,
            np.array([least, 2.5, *by_alert, 0.55, empties]), 0.1, *row.columns(),
        )  # fmt: skip
        for at in np.ndindex(3, 4):
            light = table.light[targets[at[1]]]
            sees = seen[at] and light >= least
            assert (visible[at], reason[at]) == (sees, DARK if seen[at] and not sees else 0)
            near, far, reach = times[shape[at]]
            length = (near + min(metres[at] / reach, 1.0) * (far - near)) * by_alert[alert[at[0]]]
            length *= 1.0 + 1.5 * (1.0 - light) / (1.0 - least) if least < 1.0 else 1.0
            timer = max(row.was[at] - 0.1 / empties, 0.0) if empties else 0.0
            if sees:
                timer = min(row.was[at] + 0.1 / length, 1.0) if length else 1.0
            is_full = bool(sees and timer >= 1.0 - 1e-9)
            share = 1.0 if is_full else timer
            expected[at] = timer, is_full, share, share, band_of(timer, 0.55, is_full)
        row.check(expected)


@pytest.mark.parametrize("seed", range(8))
def test_timers_of_many_pairs_run_one_by_one(seed):
    rng, alert = np.random.default_rng(seed), np.array([2, 0, 1], np.uint8)
    row, combat = Row(rng), (0.0, 0.3)[seed % 2]
    for _ in range(6):
        visible, expected = row.look(rng), {}
        run_timers(alert, visible, np.array([combat, 0.6, 1.1, 0.4, 0.2]), 0.25, *row.columns())
        for at in np.ndindex(3, 4):
            threshold = combat if alert[at[0]] == 2 else 0.6 if row.before[at] else 1.1
            most = threshold + 0.2
            timer = min(row.was[at] + 0.25, most) if visible[at] else max(min(row.was[at], most) - 0.25, 0.0)
            is_full = bool(visible[at] and timer >= threshold - 1e-9)
            share = min(timer / threshold, 1.0) if threshold else 1.0
            expected[at] = timer, is_full, share, share, band_of(share, 0.4, is_full)
        row.check(expected)
