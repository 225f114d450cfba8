"""What parts of cuts leave of faces is what the geometry library finds, whichever way it is computed."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.navmesh import remainder
from lastseen.navmesh.remainder import Part, convex_ring, polygons_left
from oracles.queries import box_mesh

MESH = box_mesh([(0, 0, 4, 4), (4, 0, 6, 1)]).arrays
SHAPES = np.array([shapely.box(0, 0, 4, 4), shapely.box(4, 0, 6, 1)])

quarters = st.integers(-2, 26).map(lambda k: k / 4)
places = st.tuples(quarters, quarters)
boxes = st.tuples(places, st.integers(1, 10), st.integers(1, 10)).map(
    lambda row: shapely.box(*row[0], row[0][0] + row[1] / 4, row[0][1] + row[2] / 4)
)
hulls = st.lists(places, min_size=3, max_size=6).map(lambda points: shapely.MultiPoint(points).convex_hull)
rounded = st.tuples(boxes, st.sampled_from([0.25, 0.3])).map(lambda row: shapely.buffer(*row, quad_segs=3))
bent = st.tuples(boxes, boxes).map(lambda pair: shapely.union_all(pair))
outlines = st.one_of(boxes, hulls, rounded, bent).filter(lambda shape: shape.area > 0.0)


def parts_of(shapes: list[shapely.Geometry]) -> tuple[Part, ...]:
    return tuple(Part(number, shape, convex_ring(shape)) for number, shape in enumerate(shapes))


def left_of(faces: list[int], shapes: list[shapely.Geometry]) -> tuple[np.ndarray, np.ndarray]:
    standing = [parts_of(shapes)] * len(faces)
    return polygons_left(MESH, np.array(faces), SHAPES[faces], standing)


@given(st.lists(outlines, min_size=1, max_size=9))
def test_the_polygons_left_are_those_of_the_geometry_library(shapes):
    polygons, owner = left_of([0, 1], shapes)
    assert shapely.is_valid(polygons).all()
    assert (np.diff(owner) >= 0).all()
    for face in (0, 1):
        expected = shapely.difference(SHAPES[face], shapely.union_all(shapes))
        wrong = shapely.symmetric_difference(shapely.union_all(polygons[owner == face]), expected)
        assert wrong.area < 2e-5
        # No two polygons overlap.
        assert shapely.area(polygons[owner == face]).sum() == pytest.approx(expected.area, abs=2e-5)


def test_several_convex_parts_need_no_geometry_library(monkeypatch):
    monkeypatch.setattr(shapely, "difference", None)
    sides = [(1, 1, 3, 1.5), (1, 2.5, 3, 3), (1, 1, 1.5, 3), (2.5, 1, 3, 3)]
    polygons, owner = left_of([0], [shapely.box(*side) for side in sides])
    assert owner.tolist() == [0, 0]
    assert sorted(shapely.area(polygons).tolist()) == pytest.approx([1.0, 12.0])
    assert sorted(shapely.get_num_interior_rings(polygons).tolist()) == [0, 1]


@pytest.mark.parametrize(
    "shapes",
    [
        # A corner touches an edge of the face between its ends: the ring would touch itself.
        [shapely.Polygon([(0, 2), (1, 1), (1, 3)]), shapely.box(-1, 2.5, 2, 3.5)],
        # Not convex, and with a hole.
        [shapely.buffer(shapely.LineString([(1, 1), (3, 1), (3, 3), (1, 3), (1, 1.5)]), 0.3), shapely.box(2, 2, 5, 3)],
    ],
)
def test_other_parts_are_overlaid(shapes, monkeypatch):
    calls = []
    difference = shapely.difference
    monkeypatch.setattr(shapely, "difference", lambda *given: calls.append(1) or difference(*given))
    polygons, _ = left_of([0], shapes)
    assert calls == [1]
    assert shapely.area(polygons).sum() == pytest.approx(difference(SHAPES[0], shapely.union_all(shapes)).area)


def test_rings_that_do_not_close_are_overlaid(monkeypatch):
    shapes = [shapely.box(1, 1, 2, 2), shapely.box(1.5, 1.5, 3, 3)]
    expected, _ = left_of([0], shapes)
    monkeypatch.setattr(remainder, "rings_left", lambda *_: -1)
    polygons, _ = left_of([0], shapes)
    assert shapely.equals(polygons[0], expected[0])


def test_convex_rings_run_counter_clockwise_from_either_side():
    corners = [(0, 0), (2, 0), (2, 1), (1, 1), (0, 1)]
    for outline in (corners, corners[::-1]):
        ring = convex_ring(shapely.Polygon(outline))
        assert shapely.Polygon(ring).area == pytest.approx(2.0)
        assert shapely.is_ccw(shapely.LinearRing(ring))
    assert convex_ring(shapely.Polygon([(0, 0), (2, 0), (2, 2), (1, 0.5)])) is None
    assert convex_ring(shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(2, 2, 3, 3)])) is None
    assert convex_ring(shapely.box(0, 0, 1, 1).difference(shapely.box(0.2, 0.2, 0.4, 0.4))) is None
