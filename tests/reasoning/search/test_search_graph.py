"""The search graph of chapter 33."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.query import neighbours
from lastseen.errors import InputError
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import raycasts
from lastseen.reasoning.search.coordinator.search_graph import search_graph
from lastseen.reasoning.search.sight import walkable_lines
from specimens.cells import box, faces_mesh
from specimens.chase import cell_of, cells_of


def everything_is_seen(layout, graph, centres):
    looked = np.flatnonzero(graph.seen_from >= 0)
    return raycasts(layout.mesh, graph.points_xyz[graph.seen_from[looked]], centres[looked]).reached.all()


@pytest.mark.parametrize("over", ["faces", "cells"])
def test_33_7_search_graph_of_a_corner_in_a_corridor(over):
    """Return two legs of squares, 8 along x and 8 more along y; the target was last seen in the first."""
    squares = [box(column, 0, column + 1, 1) for column in range(8)]
    squares += [box(7, row, 8, row + 1) for row in range(1, 9)]
    layout = build_layout(faces_mesh(*squares))
    graph = search_graph(layout, (0.5, 0.5), over=over, most=5)
    assert graph.points_xyz[0].tolist() == [0.5, 0.5, 0.0]
    assert graph.points_xyz[1].tolist() == pytest.approx([7.5, 0.5, 0.0]), "the last that still sees the first"
    assert graph.previous.tolist() == [-1, 0]
    assert len(graph) <= 5
    assert graph.whole
    assert (graph.seen_from >= 0).all()
    centres = np.array([np.mean(square, axis=0) for square in squares])
    if over == "cells":
        centres = layout.arrays.cell_xyz.astype(float)
    assert everything_is_seen(layout, graph, centres)


def test_points_see_the_ones_they_were_found_from_and_together_all_cells():
    layout = build_layout(build_navmesh(sample("corridor")))
    graph = search_graph(layout, (16.5, 3.5), most=40)
    assert graph.whole
    assert (graph.seen_from >= 0).all()
    assert everything_is_seen(layout, graph, layout.arrays.cell_xyz.astype(float))
    chain = raycasts(layout.mesh, graph.points_xyz[1:], graph.points_xyz[graph.previous[1:]]).reached
    for point in np.flatnonzero(~chain) + 1:
        assert graph.node[graph.previous[point]] in neighbours(layout, int(graph.node[point]))[0]
    assert chain.mean() > 0.7


def test_the_number_of_points_is_limited_and_so_may_be_the_radius():
    text = """
        .#.#.#.#.
        .#.#.#.#.
        .........
        #.#.#.#.#
    """
    layout = cells_of(text)
    graph = search_graph(layout, (0.5, 0.5), most=3)
    assert len(graph) == 3
    assert not graph.whole
    assert (graph.seen_from == -1).any()
    near = search_graph(layout, (0.5, 0.5), most=30, radius=3.0)
    assert near.seen_from[cell_of(layout, 8, 0)] == -1
    assert near.seen_from[cell_of(layout, 2, 2)] >= 0
    with pytest.raises(InputError, match="'faces' or 'cells'"):
        search_graph(layout, (0.5, 0.5), over="face")


@pytest.mark.parametrize("barred", ["link", "cell"])
def test_a_graph_over_cells_passes_neither_blocked_links_nor_disabled_cells(barred):
    layout = cells_of("......")
    arrays, cells = layout.arrays, [cell_of(layout, column, 0) for column in range(6)]
    disabled, blocked = arrays.disabled.copy(), arrays.blocked.copy()
    if barred == "cell":
        disabled[cells[3] >> 3] |= 1 << (cells[3] & 7)
    for one, other in ((2, 3), (3, 2)) if barred == "link" else ():
        links = range(int(arrays.link_start[cells[one]]), int(arrays.link_start[cells[one] + 1]))
        [link] = [link for link in links if arrays.link_cell[link] == cells[other]]
        blocked[link >> 3] |= 1 << (link & 7)
    changed = replace(layout, arrays=arrays._replace(disabled=disabled, blocked=blocked))
    assert (search_graph(layout, (0.5, 0.5), over="cells").seen_from[cells] >= 0).all()
    reached = search_graph(changed, (0.5, 0.5), over="cells").seen_from[cells] >= 0
    assert reached.tolist() == [True] * 3 + [False] * 3


def test_lines_need_a_mesh():
    with pytest.raises(InputError, match=r"mesh is 'mesh'; make one with NavMesh\.from_level"):
        walkable_lines("mesh")
