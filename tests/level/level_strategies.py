"""Hypothesis strategies for levels of every kind of surface: sound in form, not always in geometry."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lastseen.level.features import (
    Door,
    HidingPlace,
    IntendedPath,
    Marker,
    Obstacle,
    Patrol,
    PatrolStop,
    Spawn,
    Zone,
)
from lastseen.level.level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup

numbers = st.floats(-1e6, 1e6) | st.integers(-9, 9).map(float) | st.sampled_from([0.1, -0.0, 5e-324, 1 / 3])
names = st.text(st.characters(codec="utf-8"), max_size=6)
positions = st.tuples(numbers, numbers, numbers)


def points(columns: int, least: int = 0, most: int = 6) -> st.SearchStrategy[np.ndarray]:
    shape = st.tuples(st.integers(least, most), st.just(columns))
    return arrays(np.float64, shape, elements=numbers)


@st.composite
def rings(draw: st.DrawFn, turn: int = 1) -> np.ndarray:
    ring = draw(points(3))
    x, y = ring[:, 0], ring[:, 1]
    area = np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))
    return ring[::-1] if area * turn < 0 else ring


floor_polygons = st.builds(
    Floor,
    rings(),
    st.lists(rings(turn=-1), max_size=2).map(tuple),
    names,
    st.integers(0, 9),
    st.sampled_from(["floor", "ramp", "stairs"]),
)
tile_floors = st.builds(
    TileFloor,
    arrays(np.bool_, st.tuples(st.integers(0, 5), st.integers(0, 5))),
    numbers,
    st.floats(1e-3, 100),
    st.tuples(numbers, numbers),
    names,
)


@st.composite
def soups(draw: st.DrawFn) -> TriangleSoup:
    vertices = draw(points(3))
    if not len(vertices):
        return TriangleSoup(vertices, np.zeros((0, 3), np.int32))
    shape = st.tuples(st.integers(0, 6), st.just(3))
    return TriangleSoup(vertices, draw(arrays(np.int32, shape, elements=st.integers(0, len(vertices) - 1))))


@st.composite
def face_sets(draw: st.DrawFn) -> ConvexFaces:
    vertices = draw(points(3))
    lengths = draw(st.lists(st.integers(0, 5), max_size=4)) if len(vertices) else []
    starts = np.cumsum([0, *lengths])
    corner = st.integers(0, max(len(vertices) - 1, 0))
    return ConvexFaces(vertices, starts, draw(arrays(np.int32, int(starts[-1]), elements=corner)))


surfaces = st.one_of(
    st.lists(floor_polygons, max_size=3).map(lambda floors: Floors(tuple(floors))),
    st.builds(Tiles, st.lists(tile_floors, max_size=2).map(tuple), st.lists(floor_polygons, max_size=2).map(tuple)),
    soups(),
    face_sets(),
)


def some(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(strategy, max_size=2).map(tuple)


maybe = st.none() | numbers
stops = st.builds(PatrolStop, positions, st.sampled_from(["move", "wait", "turn"]), numbers, numbers)
levels = st.builds(
    Level,
    surfaces,
    name=names,
    obstacles=some(st.builds(Obstacle, points(2), numbers, numbers, names)),
    cover=some(st.builds(Obstacle, points(2), numbers, numbers, names)),
    doors=some(st.builds(Door, points(2), numbers, numbers, names, open=st.booleans(), locked=st.booleans())),
    hiding_places=some(st.builds(HidingPlace, positions, names, numbers, st.integers(-5, 2**40))),
    spawns=some(st.builds(Spawn, positions, names, names, numbers, names, maybe, maybe, maybe, maybe)),
    patrols=some(st.builds(Patrol, some(stops), names, st.none() | st.integers(-3, 9))),
    zones=some(st.builds(Zone, points(2), numbers, numbers, names, kind=names)),
    paths=some(
        st.builds(IntendedPath, points(3), names, arrays(np.float64, st.integers(0, 4), elements=numbers)),
    ),
    markers=some(st.builds(Marker, positions, names, names)),
)
