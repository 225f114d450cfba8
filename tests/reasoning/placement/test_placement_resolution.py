"""Where random trees find a path that the exact search over cells misses, a note says so."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lastseen.reasoning.placement.guard_routes import GuardRoute
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify import verify as verifying
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.solver import ExactAnswer
from lastseen.reasoning.placement.verify.verify import verify
from oracles.space_time import tile_level
from specimens.space_time import PACER

QUICK = VerifySettings(seconds=12.0, runs=3, trees=4, nodes=120, solver="both", speed=1.0)


@pytest.fixture(scope="module")
def hall():
    return SneakGround(tile_level(["........."] * 3), cell=1.0)


@pytest.mark.parametrize(
    ("seconds", "words"), [(math.inf, "it found none"), (11.5, r"its path takes 11.5 s"), (8.0, None)]
)
def test_a_contradiction_is_said_to_be_of_the_cells(hall, monkeypatch, seconds, words):
    path = np.zeros((0, 4)) if seconds == math.inf else np.array([(0.5, 1.5, 0.0, 0.0), (8.5, 1.5, 0.0, seconds)])
    answer = ExactAnswer(path, seconds, np.zeros(1, np.bool_))
    monkeypatch.setattr(verifying, "search_exactly", lambda question: answer)
    guard = GuardRoute(replace(PACER, speed=0.0, view_distance=0.5), [(4.5, 2.9)], heading=math.pi / 2)
    found = verify(hall, [guard], (0.5, 1.5), (8.5, 1.5), settings=QUICK)
    assert found.success.hits == 3
    assert found.solvable is True
    told = [note for note in found.notes if "that the exact search misses" in note]
    if words is None:
        assert told == []
    else:
        assert words in told[0]
        assert "cells of 1 m are too coarse here; use smaller ones" in told[0]
