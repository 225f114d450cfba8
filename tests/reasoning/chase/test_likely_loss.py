"""Where a target is likely to be lost: at a corner on its way, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.level.features import Marker, Spawn
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.likely_loss import likely_loss
from specimens.cells import POINT, passable

HOOK = """
    ..............
    .############.
    .############.
    .############.
    ..............
"""


def lost(
    text: str, start: tuple[float, float], marker: tuple[str, float, float] | None
) -> tuple[list[float], list[float]]:
    """Return the place of the loss and the heading."""
    markers = () if marker is None else (Marker((*marker[1:], 0.0), marker[0]),)
    spawns = (Spawn((0.5, 0.5, 0.0)), Spawn((*start, 0.0), who="player"))
    level = Level(Tiles((TileFloor(passable(text)),)), spawns=spawns, markers=markers)
    loss = likely_loss(build_layout(build_navmesh(level, POINT)), level)
    heading = [] if loss.heading is None else np.asarray(loss.heading)[:2].tolist()
    return np.asarray(loss.seen_at)[:2].tolist(), heading


def test_it_is_the_first_corner_after_a_third_of_the_way() -> None:
    # From (0.5, 4.5) east, and down at x = 13: the corner at 12.5 of 16.6 m is the first after a third.
    place, heading = lost(HOOK, (5.5, 4.5), ("exit", 13.5, 0.5))
    assert place == pytest.approx([13.5, 4.5], abs=1.0)
    assert heading[0] > 5.0 * abs(heading[1])
    # The first corner, at one of eleven metres, is too early; the second is at four.
    place, heading = lost(HOOK, (12.5, 4.5), ("exit", 6.5, 0.5))
    assert place == pytest.approx([13.5, 0.5], abs=1.0)
    assert heading[1] < -5.0 * abs(heading[0])


def test_on_a_straight_way_it_is_half_way() -> None:
    place, heading = lost("." * 14, (1.5, 0.5), ("exit", 11.5, 0.5))
    assert place == pytest.approx([6.5, 0.5], abs=0.51)
    assert heading[0] > 0.0
    assert heading[1] == pytest.approx(0.0, abs=1e-9)


def test_without_an_exit_the_way_leads_to_the_furthest_cell() -> None:
    for marker in (None, ("lamp", 2.5, 0.5)):
        place, _ = lost("." * 14, (3.5, 0.5), marker)
        assert place[0] == pytest.approx(8.5, abs=0.51)
