from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lastseen.kernels.voxels.voxel_contours import chain_corners, find_chains, find_edges, find_rings
from lastseen.kernels.voxels.voxel_simplification import pin_farthest, simplify
from oracles.voxels import flat_links


class Traced:
    """Everything the contour kernels say about a flat field of region numbers (-1: not walkable)."""

    def __init__(self, field, error=1e-6):
        field = np.array(field)
        depth, width = field.shape
        walkable = field >= 0
        link = flat_links(walkable)
        self.region = field[walkable].astype(np.int32)
        start = np.r_[0, np.cumsum(walkable.ravel())].astype(np.uint32)
        column_of = np.flatnonzero(walkable.ravel()).astype(np.uint32)
        edges = find_edges(start, column_of, link, self.region, width, depth)
        self.side, self.following, self.twin, self.node = edges
        self.chain_start, self.chain_edge, chain_of = find_chains(*edges, self.region, column_of, width)
        self.xy, self.z, self.span = chain_corners(
            self.chain_start, self.chain_edge, self.side, self.following, column_of, link,
            np.zeros(len(link), np.float32), width,
        )  # fmt: skip
        at_wall = self.twin[self.chain_edge[self.chain_start[:-1]]] < 0
        pinned = np.zeros(len(self.xy), bool)
        keep = simplify(self.xy, self.z, self.chain_start, at_wall, pinned, error, error, 1.0, np.inf)
        start, corner, _, region = find_rings(*edges, self.region, chain_of, self.chain_start, keep)
        self.rings = [
            (int(own), [tuple(p) for p in self.xy[corner[a:b]].tolist()])
            for own, a, b in zip(region, start[:-1], start[1:])
        ]

    def area(self, own):
        return sum(_area(ring) for region, ring in self.rings if region == own)


def _area(ring):
    x, y = np.array(ring, dtype=float).T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2.0


def turned(ring):
    """Return a ring from its least point on."""
    at = ring.index(min(ring))
    return ring[at:] + ring[:at]


def test_one_voxel():
    traced = Traced([[0]])
    assert [(own, turned(ring)) for own, ring in traced.rings] == [(0, [(0, 0), (1, 0), (1, 1), (0, 1)])]


def test_two_regions_share_one_chain():
    traced = Traced([[0, 0, 1], [0, 0, 1]])
    assert len(traced.chain_start) - 1 == 3
    rings = {own: turned(ring) for own, ring in traced.rings}
    assert rings[0] == [(0, 0), (2, 0), (2, 2), (0, 2)]
    assert rings[1] == [(2, 0), (3, 0), (3, 2), (2, 2)]


def test_an_island_and_its_lake_share_one_loop():
    traced = Traced([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    assert traced.area(0) == 8.0
    assert traced.area(1) == 1.0
    hole = next(ring for own, ring in traced.rings if own == 0 and _area(ring) < 0)
    island = next(ring for own, ring in traced.rings if own == 1)
    assert set(hole) == set(island)


def test_a_region_that_touches_itself_keeps_that_point():
    traced = Traced([[0, 0, 0], [0, -1, 0], [-1, 0, 0]])
    (ring,) = (ring for _, ring in traced.rings)
    assert ring.count((1, 2)) == 2


def test_a_stair_of_voxels_becomes_a_slope():
    field = np.tril(np.zeros((6, 6), int)) - np.triu(np.ones((6, 6), int), 1)
    traced = Traced(field, error=1.0)
    ((_, ring),) = traced.rings
    assert len(ring) <= 5
    assert abs(_area(ring) - 21.0) <= 3.0


def test_long_walls_are_divided():
    traced = Traced([[0] * 20])
    at_wall = np.ones(len(traced.chain_start) - 1, bool)
    none = np.zeros(len(traced.xy), bool)
    keep = simplify(traced.xy, traced.z, traced.chain_start, at_wall, none, 0.5, 0.5, 1.0, 6.0)
    kept = traced.xy[keep].astype(float)
    assert np.hypot(*np.diff(kept, axis=0).T).max() <= 6.0


def test_a_rise_is_kept():
    xy = np.column_stack([np.arange(7), np.zeros(7)]).astype(np.int32)
    z = np.array([0, 0, 0, 1, 1, 1, 1], float)
    none = np.zeros(7, bool)
    keep = simplify(xy, z, np.array([0, 6], np.uint32), np.array([False]), none, 1.0, 1.0, 0.2, np.inf)
    assert keep[[2, 3]].all()


def test_pinning_takes_the_farthest_corner():
    xy = np.array([[0, 0], [1, 0], [2, 0], [2, 1], [3, 1], [4, 1]], np.int32)
    pinned = np.zeros(6, bool)
    assert pin_farthest(xy, np.zeros(6), np.array([5], np.uint32), np.array([0], np.uint32), 5.0, 1.0, pinned) == 1
    assert np.flatnonzero(pinned).tolist() == [2]
    assert pin_farthest(xy, np.zeros(6), np.array([2], np.uint32), np.array([3], np.uint32), 5.0, 1.0, pinned) == 0


@given(hnp.arrays(np.int8, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.integers(-1, 2)))
def test_unsimplified_outlines_enclose_exactly_their_voxels(field):
    assume((field >= 0).any())
    traced = Traced(field)
    for own in set(field[field >= 0].tolist()):
        assert sum(_area(ring) for region, ring in traced.rings if region == own) == (field == own).sum()


@given(
    hnp.arrays(np.int8, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.integers(-1, 2)),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_borders_are_the_same_line_on_both_sides(field, error):
    """However much is dropped, the areas of all regions add up to that of the outer walls."""
    assume((field >= 0).any())
    traced = Traced(field, error)
    stretches = [(ring[k], ring[(k + 1) % len(ring)]) for _, ring in traced.rings for k in range(len(ring))]
    walls = set()
    for chain, (begin, end) in enumerate(zip(traced.chain_start[:-1], traced.chain_start[1:])):
        if traced.twin[traced.chain_edge[begin]] < 0:
            walls |= {tuple(p) for p in traced.xy[begin + chain : end + chain + 1].tolist()}
    for begin, end in stretches:
        assert (end, begin) in stretches or (begin in walls and end in walls)


def test_outlines_stray_less_outwards_than_inwards():
    """The same dent of one voxel, seen from either side: left of the line it lies in the region."""
    xy = np.array([(0, 0), (3, 0), (3, 1), (6, 1), (6, 0), (9, 0)], np.int32)
    start, none = np.array([0, 5], np.uint32), np.zeros(6, np.bool_)
    for line, wall, straight in ((xy, True, False), (xy, False, True), (xy[::-1].copy(), True, True)):
        keep = simplify(line, np.zeros(6), start, np.array([wall]), none, 1.3, 0.75, 1.0, np.inf)
        assert (keep.sum() == 2) == straight
