"""Wide faces are parted: the same floor in pieces no wider than asked for."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.navmesh import convex
from lastseen.navmesh.convex import part_wide_faces


def faces_of(*rings):
    vertices = np.concatenate([np.array(ring, float) for ring in rings])
    start = np.cumsum([0, *map(len, rings)])
    return vertices, start, np.arange(len(vertices)), np.arange(len(rings)) + 5


def rings_of(parted):
    vertices, start, corners, _ = parted
    return [vertices[corners[a:b]] for a, b in itertools.pairwise(start)]


def area(ring):
    x, y = ring[:, 0], ring[:, 1]
    return 0.5 * float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def rectangle(x0, y0, x1, y1, z=0.0):
    return [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]


def test_a_hall_is_parted_into_equal_strips_both_ways():
    parted = part_wide_faces(*faces_of(rectangle(0, 0, 40, 20)))
    boxes = [(*ring.min(axis=0)[:2].tolist(), *ring.max(axis=0)[:2].tolist()) for ring in rings_of(parted)]
    thirds = [0.0, 40 / 3, 80 / 3, 40.0]
    expected = [(a, c, b, c + 10.0) for a, b in itertools.pairwise(thirds) for c in (0.0, 10.0)]
    assert np.allclose(boxes, expected)
    assert parted[3].tolist() == [5] * 6


def test_a_face_just_as_wide_as_allowed_is_left_alone_and_order_is_kept():
    given_ = faces_of(rectangle(0, 0, 16, 16), rectangle(20, 0, 36.5, 1), rectangle(40, 0, 41, 1))
    parted = part_wide_faces(*given_)
    rings = rings_of(parted)
    assert [len(ring) for ring in rings] == [4, 4, 4, 4]
    assert parted[3].tolist() == [5, 6, 6, 7]
    assert rings[0].tolist() == given_[0][:4].tolist()
    assert rings[3].tolist() == given_[0][8:].tolist()
    assert rings[1][:, 0].max() == rings[2][:, 0].min() == 28.25
    untouched = faces_of(rectangle(0, 0, 16, 16))
    assert all(one is other for one, other in zip(part_wide_faces(*untouched), untouched))
    nothing = (np.zeros((0, 3)), np.zeros(1, int), np.zeros(0, int), np.zeros(0, int))
    assert len(part_wide_faces(*nothing)[2]) == 0


def test_a_slope_keeps_its_heights():
    slope = [(0, 0, 0), (30, 0, 15), (30, 4, 15), (0, 4, 0)]
    for ring in rings_of(part_wide_faces(*faces_of(slope))):
        assert np.allclose(ring[:, 2], ring[:, 0] / 2)


def test_neighbours_get_the_same_points_whichever_way_their_edges_run():
    """Two triangles of one slanted quadrilateral: the points on their common edge must be equal to the last bit."""
    a, b, c, d = (0.1, 0.3, 0.0), (37.7, 0.9, 1.0), (41.3, 9.1, 2.0), (3.3, 8.9, 3.0)
    one, other = [a, b, c], [c, d, a]
    parted = part_wide_faces(*faces_of(one, other), widest=100.0 / 7)
    along = np.array(c) - a
    found = []
    for owner in (5, 6):
        points = np.concatenate([ring for ring, face in zip(rings_of(parted), parted[3]) if face == owner])
        off = np.linalg.norm(np.cross(along, points - a), axis=1) / np.linalg.norm(along)
        found.append({tuple(point) for point in points[off < 1e-9].tolist()})
    assert found[0] == found[1]
    cuts = {0.1 + (41.3 - 0.1) * number / 3 for number in (1, 2)}
    assert {point[0] for point in found[0]} == {0.1, 41.3} | cuts
    assert set(parted[0][:, 0].tolist()) == {0.1, 37.7, 41.3, 3.3} | cuts  # on the very line, whatever the slant


def test_no_face_is_cut_into_more_parts_than_memory_allows(monkeypatch):
    monkeypatch.setattr(convex, "MOST_PARTS", 8)
    parted = part_wide_faces(*faces_of(rectangle(0, 0, 1e6, 1)))
    assert len(rings_of(parted)) == 8
    assert 4 <= len(rings_of(part_wide_faces(*faces_of(rectangle(0, 0, 1e6, 1e6))))) <= 16


@given(
    st.lists(st.tuples(st.floats(-60, 60), st.floats(-60, 60)), min_size=3, max_size=9),
    st.sampled_from([3.0, 10.0, 16.0]),
)
def test_parts_cover_the_same_floor_and_are_narrow(points, widest):
    angle = np.sort(np.unique([np.arctan2(y, x) for x, y in points]))
    ring = np.column_stack([50 * np.cos(angle), 31 * np.sin(angle), angle])  # on an ellipse: convex
    if len(ring) < 3 or area(ring) < 1.0:
        return
    parted = part_wide_faces(*faces_of(ring), widest=widest)
    rings = rings_of(parted)
    assert sum(map(area, rings)) == pytest.approx(area(ring), rel=1e-9)
    for part in rings:
        assert (np.ptp(part[:, :2], axis=0) <= widest + 1e-9).all()
        step, following = np.roll(part, -1, axis=0) - part, np.roll(part, -2, axis=0) - np.roll(part, -1, axis=0)
        turn = step[:, 0] * following[:, 1] - step[:, 1] * following[:, 0]
        assert (turn >= -1e-9).all()
