"""What a look is worth, worked by hand: zones, bars, timers."""

from __future__ import annotations

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
