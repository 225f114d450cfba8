"""Layers follow a live layout: closed doors bar what spreads, and opening them restores it to the last bit."""

import numpy as np
import pytest

from lastseen import CellLayout, Level, NavMesh
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import nearest_cell
from lastseen.layers.combination import normalise
from lastseen.layers.layer import Layer, enabled_cells
from lastseen.layers.selection import best_cells, cells_where
from lastseen.layers.spread import Falloff, Spread

LEVEL = Level.sample("rooms")


@pytest.fixture(scope="module")
def layout():
    return CellLayout.from_navmesh(NavMesh.from_level(LEVEL))


@pytest.fixture
def live(layout):
    return LiveLayout(layout)


def test_a_closed_door_bars_distance_and_influence_until_it_opens(live):
    west, east = nearest_cell(live, (2.5, 2.5)), nearest_cell(live, (20.5, 6.5))
    walk, heat = Spread(live), Layer(live, "heat", "float32")
    before = walk.distances([west])
    assert east in before.cells
    live.close_doors(LEVEL)
    assert east not in walk.distances([west]).cells
    walk.influence(heat, [west], Falloff.linear(100.0))
    assert heat.values[east] == 0.0
    live.open_door(LEVEL, 0)
    after = walk.distances([west])
    assert np.array_equal(before.cells, after.cells)
    assert np.array_equal(before.metres, after.metres)


def test_cells_under_a_crate_are_not_scored_while_it_stands(live):
    score = Layer.of(live, "score", np.arange(len(live), dtype=np.int16))
    crate = live.cut([(18, 2), (21, 2), (21, 5), (18, 5)], 0.0, 2.0)
    covered = np.flatnonzero(~enabled_cells(live))
    assert len(covered) >= 9
    assert not set(covered) & set(best_cells(score, len(live)).tolist())
    assert not set(covered) & set(cells_where(score, at_least=0).tolist())
    assert (normalise(score, fill=-1).values[covered] == -1).all()
    live.lift(crate)
    assert set(covered) <= set(best_cells(score, len(live)).tolist())


def test_layers_of_a_live_layout_and_its_base_go_together(live, layout):
    heat = Layer(layout, "heat", "float32")
    touched = Spread(live).influence(heat, [0], Falloff.linear(5.0))
    assert len(touched) > 0
