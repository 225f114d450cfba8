"""The inset traced along tiles is that of merging and buffering them, and the mesh on it covers the same floor."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays as any_arrays

from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh import tiles as builder
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.inset import ARC_SEGMENTS
from lastseen.navmesh.query import find_path
from lastseen.navmesh.tile_inset import inset_polygons, outlines_of

tiles = any_arrays(
    np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.sampled_from([True, True, False])
)


def _buffered(floor: TileFloor, radius: float) -> shapely.Geometry:
    row, column = np.nonzero(floor.passable)
    x, y = floor.origin_xy[0] + column * floor.tile, floor.origin_xy[1] + row * floor.tile
    merged = shapely.union_all(shapely.box(x, y, x + floor.tile, y + floor.tile))
    return shapely.buffer(merged, -radius, quad_segs=ARC_SEGMENTS)


@given(tiles, st.sampled_from([0.5, 1.0, 3.0]), st.floats(0.05, 0.49))
def test_the_inset_is_that_of_merged_and_buffered_tiles(passable, tile, share):
    passable[0, 0] = True
    floor = TileFloor(passable, tile=tile, origin_xy=(-3.0, 7.0))
    radius = share * tile
    traced = inset_polygons(outlines_of(passable), floor, radius, ARC_SEGMENTS)
    assert shapely.is_valid(traced).all()
    expected = _buffered(floor, radius)
    assert len(traced) == len(shapely.get_parts(expected))
    assert shapely.symmetric_difference(shapely.multipolygons(traced), expected).area < 1e-9


def test_a_wall_has_arcs_around_its_corners_and_a_room_has_none():
    passable = np.ones((5, 5), bool)
    passable[2, 2] = False
    (ring,) = inset_polygons(outlines_of(passable), TileFloor(passable), 0.25, 4)
    assert shapely.get_coordinates(ring.exterior)[:-1].tolist() == [
        [0.25, 0.25],
        [4.75, 0.25],
        [4.75, 4.75],
        [0.25, 4.75],
    ]
    (hole,) = ring.interiors
    arcs = shapely.get_coordinates(hole)[:-1]
    assert len(arcs) == 20
    corner = np.array([(2, 2), (3, 2), (3, 3), (2, 3)])
    away = np.sqrt(((arcs[:, None] - corner) ** 2).sum(axis=2)).min(axis=1)
    assert np.allclose(away, 0.25, atol=1e-12)


def test_tiles_that_meet_in_a_corner_have_outlines_of_their_own():
    outlines = outlines_of(np.array([[True, False], [False, True]]))
    assert np.diff(outlines.start).tolist() == [4, 4]
    assert outlines.turns_left.all()
    assert outlines.shell.tolist() == [0, 1]


def test_a_hole_within_a_yard_within_a_hole_belongs_to_the_yard():
    passable = np.ones((9, 9), bool)
    passable[1:8, 1:8] = False
    passable[2:7, 2:7] = True
    passable[4, 4] = False
    outlines = outlines_of(passable)
    assert outlines.shell.tolist() == [0, 0, 2, 2]


@given(tiles, st.sampled_from([0.2, 0.3, 0.45]))
def test_the_mesh_of_a_traced_inset_covers_the_floor_that_the_polygon_builder_leaves(passable, radius):
    passable[0, 0] = True
    level, body = Level(Tiles((TileFloor(passable),))), Body(radius=radius)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "LONG", 0)
        traced = build_navmesh(level, body)
    polygon = build_navmesh(level, body, builder="polygon")
    assert traced.face_area.sum() == pytest.approx(polygon.face_area.sum(), abs=1e-9)
    assert traced.face_component.max() == polygon.face_component.max()
    draw = np.random.default_rng(3)
    ends = [traced.arrays.vertex_xyz[draw.integers(len(traced.arrays.vertex_xyz), size=4)] for _ in range(2)]
    for start, end in zip(*ends):
        one, other = find_path(traced, start, end), find_path(polygon, start, end)
        assert one.reason == other.reason
        assert one.length == pytest.approx(other.length, abs=1e-6)


def test_floors_above_one_another_keep_their_storeys(monkeypatch):
    monkeypatch.setattr(builder, "LONG", 0)
    floors = TileFloor(np.ones((3, 4), bool)), TileFloor(np.ones((4, 3), bool), z=5.0)
    mesh = build_navmesh(Level(Tiles(floors)), Body(radius=0.3))
    assert np.unique(mesh.face_storey).tolist() == [0, 1]
    assert sorted({*mesh.arrays.vertex_xyz[:, 2].tolist()}) == [0.0, 5.0]
