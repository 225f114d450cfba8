"""Pictures of pursuits show the level where something happened, and no more paper than level."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.views.figures.research.episode_figures import _frame


@pytest.fixture(scope="module")
def hall() -> CellLayout:
    """60 m by 20 m."""
    return build_layout(build_navmesh(Level(Tiles((TileFloor(np.ones((20, 60), np.bool_)),))), Body(radius=0.0)))


def test_a_part_of_a_large_level_is_cut_out_but_no_paper_beyond_its_walls(hall: CellLayout) -> None:
    low, high = _frame(hall, np.array([[20.0, 1.0], [25.0, 4.0]]))
    assert low.tolist() == [14.0, -1.0]
    assert high.tolist() == [31.0, 10.0]


def test_a_level_little_larger_than_what_happened_is_shown_whole(hall: CellLayout) -> None:
    low, high = _frame(hall, np.array([[10.0, 5.0], [50.0, 15.0]]))
    assert low.tolist() == [-1.0, -1.0]
    assert high.tolist() == [61.0, 21.0]
