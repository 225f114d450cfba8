import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.cells.layer_spread import add_influence, distances_from
from lastseen.kernels.cells.tile_spread import Links
from lastseen.layers.spread import Spread
from oracles import layers as layers_oracle
from specimens.layers import grid_layout


def _links(layout):
    arrays = layout.arrays
    return Links(arrays.link_start, arrays.link_cell, arrays.link_length, arrays.disabled, arrays.blocked)


def _work(layout):
    return Spread(layout)._work


def _rests(work):
    resting = [(work.distance == np.inf), (work.origin == -1), (work.bucket == 0)]
    return all(each.all() for each in resting)


def _distances(layout, sources, reach=np.inf):
    work = _work(layout)
    found = distances_from(_links(layout), np.array(sources, np.uint32), reach, work)
    assert _rests(work)
    return [array.tolist() for array in found]


def _influence(layout, sources, strengths, reach, exponent=1.0, halving=0.0, summed=False):
    work = _work(layout)
    arguments = np.array(sources, np.uint32), np.array(strengths, np.float64), reach, exponent, halving, summed, work
    count = add_influence(_links(layout), *arguments)
    assert _rests(work)
    cells = work.touched[:count].tolist()
    assert np.flatnonzero(work.marked).tolist() == sorted(cells)
    return {cell: work.total[cell] for cell in cells}


ROW = grid_layout(".....")


def test_distance_grows_along_a_row():
    assert _distances(ROW, [1]) == [[1, 0, 2, 3, 4], [0.0, 1.0, 1.0, 2.0, 3.0], [0] * 5]
    assert _distances(ROW, [1], reach=1.5)[0] == [1, 0, 2]


def test_each_cell_belongs_to_the_nearest_source():
    cells, metres, source = _distances(ROW, [0, 4])
    assert dict(zip(cells, source))[1] == 0
    assert dict(zip(cells, source))[3] == 1
    assert max(metres) == 2.0


def test_disabled_cells_and_blocked_links_stop_the_walk():
    assert _distances(grid_layout(".....", disabled=[2]), [0])[0] == [0, 1]
    assert _distances(grid_layout(".....", disabled=[0]), [0])[0] == []
    first = ROW.arrays.link_start[1]
    onwards = next(k for k in range(first, ROW.arrays.link_start[2]) if ROW.arrays.link_cell[k] == 2)
    assert _distances(grid_layout(".....", blocked=[onwards]), [0])[0] == [0, 1]


def test_influence_fades_by_its_formula():
    assert _influence(ROW, [0], [8.0], 4.0) == {0: 8.0, 1: 6.0, 2: 4.0, 3: 2.0, 4: 0.0}
    assert _influence(ROW, [0], [8.0], 2.0, exponent=2.0) == {0: 8.0, 1: 6.0, 2: 0.0}
    assert _influence(ROW, [0], [8.0], 2.0, halving=1.0) == {0: 8.0, 1: 4.0, 2: 2.0}


def test_sources_add_up_or_the_strongest_holds():
    assert _influence(ROW, [0, 2], [4.0, 4.0], 2.0, summed=True)[1] == 4.0
    assert _influence(ROW, [0, 2], [4.0, 4.0], 2.0)[1] == 2.0


tiles = st.lists(st.lists(st.sampled_from("..#"), min_size=6, max_size=6), min_size=2, max_size=6)


@pytest.mark.parametrize("ids", [np.uint16, np.uint32])
@given(tiles, st.data())
def test_distances_agree_with_the_slow_walk(ids, rows, data):
    text = "\n".join(["." * 6, *map("".join, rows)])
    plain = grid_layout(text)
    cell, link = st.integers(0, len(plain) - 1), st.integers(0, len(plain.arrays.link_cell) - 1)
    disabled, blocked = data.draw(st.sets(cell, max_size=4)), data.draw(st.sets(link, max_size=8))
    layout = grid_layout(text, ids=ids, disabled=disabled, blocked=blocked)
    sources, reach = data.draw(st.lists(cell, max_size=4)), data.draw(st.sampled_from([0.0, 2.0, 4.5, np.inf]))
    cells, metres, source = _distances(layout, sources, reach)
    slow = layers_oracle.distances(layout, sources, reach)
    assert dict(zip(cells, metres)) == pytest.approx(slow)
    assert metres == sorted(metres)
    for each, far, number in zip(cells, metres, source):
        assert layers_oracle.distances(layout, [sources[number]])[each] == pytest.approx(far)


@given(tiles, st.data(), st.booleans())
def test_influence_agrees_with_the_slow_walk(rows, data, summed):
    layout = grid_layout("\n".join(["." * 6, *map("".join, rows)]))
    sources = data.draw(st.lists(st.integers(0, len(layout) - 1), max_size=4))
    strengths = data.draw(st.lists(st.integers(0, 9), min_size=len(sources), max_size=len(sources)))
    felt = _influence(layout, sources, strengths, 3.5, exponent=2.0, summed=summed)
    worth = lambda metres: 1.0 - (metres / 3.5) ** 2.0  # noqa: E731
    combine = (lambda one, other: one + other) if summed else max
    assert felt == pytest.approx(layers_oracle.influence(layout, sources, strengths, worth, 3.5, combine))
