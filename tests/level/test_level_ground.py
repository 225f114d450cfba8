"""Is there floor below a point? Compared with a slow look at every triangle; the nearest place is always floor."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.level.floor_plans import REACH, floor_index
from lastseen.level.level import ConvexFaces, Floor, Floors, Surface, TileFloor, Tiles, TriangleSoup

whole = st.integers(-6, 6).map(float)
places = st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.floats(-3, 3))


@st.composite
def triangles(draw: st.DrawFn) -> np.ndarray:
    """Draw a counter-clockwise triangle that is not steep, (3, 3)."""
    corners = np.array([draw(st.tuples(whole, whole, st.integers(0, 1).map(float))) for _ in range(3)])
    twice = _twice(corners)
    if abs(twice) < 1:
        return np.array([[0.0, 0, 0], [5, 0, 0], [0, 5, 0]])
    return corners if twice > 0 else corners[::-1]


def _twice(corners: np.ndarray) -> float:
    (ax, ay), (bx, by) = corners[1, :2] - corners[0, :2], corners[2, :2] - corners[0, :2]
    return float(ax * by - ay * bx)


def stands_on(corners: np.ndarray, place: tuple[float, float, float]) -> bool | None:
    """Return whether a point is over a triangle and within reach, None where it is too close to tell."""
    weights = []
    for k in range(3):
        part = corners.copy()
        part[k, :2] = place[:2]
        weights.append(_twice(part) / _twice(corners))
    height = float(np.dot(weights, corners[:, 2]))
    margin = min(*weights, REACH - abs(height - place[2]))
    return None if abs(margin) < 1e-6 else margin > 0


def surfaces(some: list[np.ndarray]) -> list[Surface]:
    vertices, numbers = np.concatenate(some), np.arange(3 * len(some))
    return [
        Floors(tuple(Floor(corners) for corners in some)),
        TriangleSoup(vertices, numbers.reshape(-1, 3)),
        ConvexFaces(vertices, np.arange(0, 3 * len(some) + 1, 3), numbers),
        Tiles((TileFloor(np.ones((1, 1), bool), z=50.0, origin_xy=(50.0, 50.0)),), tuple(Floor(c) for c in some)),
    ]


@given(st.lists(triangles(), min_size=1, max_size=4), st.lists(places, min_size=1, max_size=8))
def test_covers_agrees_with_a_look_at_every_triangle(some: list[np.ndarray], points: list[tuple]) -> None:
    for surface in surfaces(some):
        found = floor_index(surface).covers(np.array(points))
        for place, covered in zip(points, found.tolist(), strict=True):
            answers = [stands_on(corners, place) for corners in some]
            if None not in answers:
                assert covered == any(answers)


@given(st.lists(triangles(), min_size=1, max_size=4), places)
def test_the_nearest_place_is_floor(some: list[np.ndarray], place: tuple) -> None:
    for surface in surfaces(some):
        ground = floor_index(surface)
        nearest = ground.nearest(np.array(place))
        # A breath towards the middle of a triangle, as a corner in floating point may lie just outside.
        middles = np.array([corners.mean(axis=0) for corners in some])
        inwards = nearest + (middles - nearest) * 1e-6
        assert ground.covers(inwards).any()


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=2, max_size=4), places)
def test_tiles_are_found_by_their_corners(rows: list[list[bool]], place: tuple) -> None:
    passable = np.array(rows)
    if not passable.any():
        passable[0, 0] = True
    ground = floor_index(Tiles((TileFloor(passable, tile=2.0, origin_xy=(-3.0, -4.0)),)))
    column, row = (place[0] + 3) / 2, (place[1] + 4) / 2
    if min(abs(column - round(column)), abs(row - round(row)), abs(abs(place[2]) - REACH)) > 1e-6:
        inside = 0 <= column < passable.shape[1] and 0 <= row < passable.shape[0]
        expected = inside and bool(passable[int(row), int(column)]) and abs(place[2]) < REACH
        assert ground.covers(np.array([place])).tolist() == [expected]
    assert ground.covers(ground.nearest(np.array(place))[None]).all()
