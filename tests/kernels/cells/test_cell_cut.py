"""Faces that lie askew on a grid are cut into the pieces that shapely finds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import shapely

from lastseen.kernels.cells.cell_cut import cut_faces

ORIGIN, SIZE, SHAPE = np.array([-3.3, 2.2, 0.0]), np.array([0.7, 0.9, 2.0]), np.array([12, 9, 1], np.uint32)
TINY = 1e-6 * 0.7


def _faces(random: np.random.Generator, count: int) -> list[np.ndarray]:
    """Return convex outlines, counter-clockwise, some of which reach out of the grid."""
    faces = []
    for _ in range(count):
        angle = np.sort(random.uniform(0.0, 2.0 * np.pi, int(random.integers(3, 8))))
        middle, size = random.uniform((-3.0, 2.5), (5.0, 10.0)), random.uniform(0.4, 2.5, 2)
        faces.append(np.column_stack([np.cos(angle), np.sin(angle)]) * size + middle)
    return faces


def _cut(faces: list[np.ndarray], first: int = 0, room: int = 900):
    start = np.cumsum([0, *map(len, faces)])
    flat = np.concatenate(faces)
    planes = np.array([(0.1 * n, -0.2, 3.0 + n) for n in range(len(faces))])
    scratch = np.empty((4, 16, 2))
    out = (np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room), np.empty((room, 3)), np.empty(room))
    reached = np.full(1, -1)
    written = cut_faces(
        np.column_stack([flat, np.zeros(len(flat))]), start[:-1], np.diff(start), np.arange(len(flat)), planes,
        ORIGIN, SIZE, SHAPE, first, *scratch, *out, reached,
    )  # fmt: skip
    return [each[:written] for each in out], int(reached[0])


def _column(column: int, row: int) -> shapely.Polygon:
    x, y = ORIGIN[:2] + (column, row) * SIZE[:2]
    return shapely.box(x, y, x + SIZE[0], y + SIZE[1])


@pytest.mark.parametrize("seed", range(10))
def test_pieces_are_those_of_shapely(seed):
    faces = _faces(np.random.default_rng(seed), 4)
    (column, face, area, xyz, centre), reached = _cut(faces)
    assert reached == 4
    assert face.tolist() == sorted(face.tolist())
    found = {(int(f), int(c)): n for n, (f, c) in enumerate(zip(face, column))}
    for number, (row, along) in itertools.product(range(4), np.ndindex(9, 12)):
        outline, box = shapely.Polygon(faces[number]), _column(along, row)
        part, middle = outline & box, box.centroid
        n = found.pop((number, row * 12 + along), None)
        if part.area < 1e-5:
            continue
        assert n is not None
        assert area[n] == pytest.approx(part.area, abs=1e-9)
        assert centre[n] == (outline.distance(middle) == 0.0)
        place = shapely.Point(xyz[n, :2])
        assert part.contains(place)
        assert xyz[n, 2] == pytest.approx(0.1 * number * place.x - 0.2 * place.y + 3.0 + number, abs=1e-6)
        if outline.contains(middle) and outline.exterior.distance(middle) > 2e3 * TINY:
            assert place.distance(middle) < 1e-6
        else:  # a quarter, a half, … of the way from the nearest point to the middle of the piece
            nearest = shapely.shortest_line(part, middle).coords[0]
            way = np.subtract(part.centroid.coords[0], nearest)
            share = way @ np.subtract(place.coords[0], nearest) / (way @ way)
            assert share == pytest.approx(0.25, abs=1e-4)
            assert place.distance(shapely.LineString([nearest, part.centroid.coords[0]])) < 1e-5
    assert not found


def test_faces_without_room_are_left_for_the_next_call():
    faces = _faces(np.random.default_rng(5), 6)
    whole, _ = _cut(faces)
    first, parts = 0, []
    while first < 6:
        pieces, reached = _cut(faces, first, room=60)
        assert reached > first
        parts, first = [*parts, pieces], reached
    assert len(parts) > 1
    for number, each in enumerate(whole):
        assert np.array_equal(each, np.concatenate([pieces[number] for pieces in parts]))
