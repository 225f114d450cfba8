from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.cells.query import cell_at, cells_at, cells_of_face, faces_without_cell, neighbours, positions
from lastseen.errors import BakeError, InputError
from lastseen.level.read import read_level
from lastseen.level.samples import SAMPLES, sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.navmesh import NavMesh
from oracles.cells import flood, inside_face, layout_links, octile_links
from specimens.cells import box, faces_mesh, passable, ramp, rooms_with_thin_wall, tile_layout, two_storeys

tile_maps = st.integers(1, 9).flatmap(
    lambda rows: st.integers(1, 9).flatmap(
        lambda columns: st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns).map(
            lambda bits: np.array(bits).reshape(rows, columns)
        )
    )
)


def assert_sound(layout: CellLayout) -> None:
    """What holds for every layout: positions on their face, order by face, symmetric links, lengths of a walk."""
    arrays, mesh = layout.arrays, layout.mesh
    x, y, z = arrays.cell_xyz.astype(np.float64).T
    plane = mesh.arrays.face_plane[layout.cell_face]
    np.testing.assert_allclose(z, plane[:, 0] * x + plane[:, 1] * y + plane[:, 2], atol=1e-4)
    assert all(inside_face(mesh, face, *xy) for face, *xy in zip(layout.cell_face.tolist(), x, y))
    assert (np.diff(layout.cell_face.astype(np.int64)) >= 0).all()
    for face in range(mesh.face_count):
        assert (layout.cell_face[list(cells_of_face(layout, face))] == face).all()
    assert len({tuple(grid) for grid in arrays.cell_grid.tolist()}) == len(layout)
    slot = np.floor((arrays.cell_xyz[:, :2] - arrays.origin_xyz[:2]) / arrays.size_xyz[:2])
    assert np.array_equal(slot, arrays.cell_grid[:, :2])
    np.testing.assert_array_equal(cells_at(layout, arrays.cell_xyz), np.arange(len(layout)))
    assert (np.abs(layout.cell_offset) <= arrays.size_xyz[2] * 0.502).all()
    start = np.repeat(np.arange(len(layout)), np.diff(arrays.link_start.astype(np.int64)))
    there = {(a, b): metres for a, b, metres in zip(start.tolist(), arrays.link_cell.tolist(), arrays.link_length)}
    assert len(there) == len(start)
    assert all(there[b, a] == metres for (a, b), metres in there.items())
    straight = np.linalg.norm(arrays.cell_xyz[start] - arrays.cell_xyz[arrays.link_cell], axis=1)
    assert (arrays.link_length >= straight * (1.0 - 1e-5)).all()
    assert not arrays.disabled.any()
    assert not arrays.blocked.any()


def pieces_of(layout: CellLayout) -> list[set[int]]:
    left, pieces = set(range(len(layout))), []
    while left:
        pieces.append(set(flood(layout, min(left))))
        left -= pieces[-1]
    return pieces


def test_a_square_of_four_cells_by_hand():
    layout = build_layout(faces_mesh(box(10, 20, 12, 22, 1.5)))
    assert layout.arrays.origin_xyz.tolist() == [10.0, 20.0, 1.5]
    assert layout.arrays.cell_grid.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    assert layout.arrays.cell_xyz.tolist() == [
        [10.5, 20.5, 1.5],
        [11.5, 20.5, 1.5],
        [10.5, 21.5, 1.5],
        [11.5, 21.5, 1.5],
    ]
    assert layout.cell_offset.tolist() == [-1.0] * 4
    other, length = neighbours(layout, 0)
    assert other.tolist() == [1, 3, 2]  # east, north-east, north
    assert length.tolist() == [1.0, np.float32(np.sqrt(2)), 1.0]
    assert layout.arrays.link_cell.dtype == np.uint16
    assert len(layout) == 4


@given(tile_maps)
def test_cells_of_a_tile_map_are_its_tiles_and_links_its_octile_moves(tiles):
    if not tiles.any():
        with pytest.raises(BakeError):
            tile_layout(tiles)
        return
    layout = tile_layout(tiles)
    rows, columns = np.nonzero(tiles)
    assert layout_links(layout, (columns.min(), rows.min())) == octile_links(tiles)
    assert_sound(layout)


@pytest.mark.data
@pytest.mark.parametrize("name", ["arena", "lak303d"])
def test_cells_of_a_game_map_are_its_tiles_and_links_its_octile_moves(data, name):
    level = read_level(data / "movingai" / f"{name}.map")
    tiles = level.surface.floors[0].passable
    layout = build_layout(build_navmesh(level, Body(radius=0.0)))
    rows, columns = np.nonzero(tiles)
    assert layout_links(layout, (columns.min(), rows.min())) == octile_links(tiles)


@given(
    st.floats(0.3, 2.5),
    st.lists(st.tuples(st.floats(0, 6), st.floats(0, 6)), min_size=3, max_size=8),
    st.floats(-1, 1),
    st.floats(-1, 1),
)
def test_a_convex_face_gives_a_cell_wherever_it_holds_a_centre_or_covers_a_tenth(cell, points, slope_x, slope_y):
    outline = shapely.MultiPoint(points).convex_hull.buffer(0.05)
    corners = np.array(shapely.geometry.polygon.orient(outline).exterior.coords)[:-1]
    heights = slope_x * corners[:, 0] + slope_y * corners[:, 1]
    layout = build_layout(faces_mesh([tuple(row) for row in np.column_stack([corners, heights])]), cell=cell)
    assert_sound(layout)
    low = corners.min(axis=0)
    have = {(column, row) for column, row, _ in layout.arrays.cell_grid.tolist()}
    for column in range(int(layout.arrays.shape[0])):
        for row in range(int(layout.arrays.shape[1])):
            centre = low + (np.array([column, row]) + 0.5) * cell
            square = shapely.box(*(centre - cell / 2), *(centre + cell / 2))
            share = shapely.intersection(square, outline).area / cell**2
            deep = shapely.Point(centre).distance(outline.exterior) > 1e-5
            if share > 0.1 + 1e-5 or (deep and outline.contains(shapely.Point(centre))):
                assert (column, row) in have
            elif share < 0.1 - 1e-5 and deep and len(layout) > 1:
                assert (column, row) not in have
    assert len(pieces_of(layout)) == 1


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "complex"])
@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_samples_give_sound_layouts_in_one_piece_per_piece_of_floor(name, radius):
    mesh = build_navmesh(sample(name), Body(radius=radius))
    layout = build_layout(mesh)
    assert_sound(layout)
    assert len(pieces_of(layout)) == len(set(mesh.face_component.tolist()))
    for face in faces_without_cell(layout):
        x, y, _ = mesh.face_xyz(face).mean(axis=0)
        assert cell_at(layout, mesh.face_xyz(face).mean(axis=0)) >= 0, (face, x, y)


def test_stacked_storeys_are_joined_by_the_ramp_only():
    layout = build_layout(two_storeys())
    assert_sound(layout)
    assert len(pieces_of(layout)) == 1
    below, above = cell_at(layout, (9.5, 1.5, 0.0)), cell_at(layout, (9.5, 1.5, 4.0))
    assert below >= 0
    assert above >= 0
    assert layout.arrays.cell_grid[[below, above], 2].tolist() == [0, 2]
    assert flood(layout, below)[above] > 8
    assert layout.shadowed == 0


def test_without_the_ramp_the_storeys_are_apart():
    layout = build_layout(faces_mesh(box(0, 0, 4, 4), box(0, 0, 4, 4, 2.2)))
    assert len(layout) == 32
    assert [len(piece) for piece in pieces_of(layout)] == [16, 16]


def test_of_two_floors_in_one_slot_the_larger_wins():
    layout = build_layout(faces_mesh(box(0, 0, 4, 4), box(1, 1, 1.9, 1.9, 1.0)))
    assert len(layout) == 16
    assert set(layout.cell_face.tolist()) == {0}
    assert layout.shadowed == 1
    assert faces_without_cell(layout).tolist() == [1]
    assert build_layout(faces_mesh(box(0, 0, 4, 4), box(1, 1, 1.9, 1.9, 1.0)), height=1.0).shadowed == 0


def test_a_floor_on_the_border_between_levels_stays_on_one_level():
    floors = [box(x, 0, x + 3, 3, 2.0 - (1e-9 if x % 2 else 0.0)) for x in range(0, 9, 3)]
    layout = build_layout(faces_mesh(box(0, 10, 3, 13, 0.0), *floors))
    assert {level for _, row, level in layout.arrays.cell_grid.tolist() if row < 5} == {1}


def test_a_corridor_too_narrow_for_centres_still_has_cells():
    layout = build_layout(faces_mesh(box(0, 0, 8, 0.2)))
    assert len(layout) == 8
    assert len(flood(layout, 0)) == 8
    zigzag = faces_mesh(box(0, 0, 0.3, 5), box(0.3, 4.7, 4, 5), box(4, 0, 4.3, 5))
    assert len(pieces_of(build_layout(zigzag))) == 1


def test_a_sliver_of_a_face_gets_a_free_slot_and_no_taken_one():
    layout = build_layout(faces_mesh(box(0, 0, 3, 3), box(3, 1, 3.05, 1.9)))
    assert faces_without_cell(layout).tolist() == []
    assert len(cells_of_face(layout, 1)) == 1
    inside = build_layout(faces_mesh(box(0, 0, 2.9, 3), box(2.9, 1, 2.95, 1.9)))
    assert faces_without_cell(inside).tolist() == [1]


def test_a_door_beside_the_centres_joins_two_rooms():
    layout = rooms_with_thin_wall()
    assert_sound(layout)
    assert len(pieces_of(layout)) == 1
    bent = layout.arrays.link_length > 1.5
    assert (layout.arrays.link_length <= 3.0).all()
    assert bent.sum() < len(bent) / 10


def test_no_link_passes_a_wall():
    """Every straight link of a layout with walls lies on the mesh; none crosses a pillar."""
    tiles = passable("....\n.##.\n....")
    layout = tile_layout(tiles, cell=0.5)
    pillar = shapely.box(1, 1, 3, 2)
    for cell in range(len(layout)):
        for other in neighbours(layout, cell)[0].tolist():
            line = shapely.LineString(positions(layout, [cell, other])[:, :2])
            assert not line.intersects(pillar)


def test_the_ramp_of_two_levels_is_walked_without_a_gap():
    layout = build_layout(faces_mesh(ramp(0, 0, 10, 2, 0.0, 6.0)))
    assert_sound(layout)
    assert sorted({level for _, _, level in layout.arrays.cell_grid.tolist()}) == [0, 1, 2]
    steps = flood(layout, cell_at(layout, (0.5, 0.5, 0.3)))
    assert steps[cell_at(layout, (9.5, 0.5, 5.7))] == 9


def slope_of_45_degrees() -> NavMesh:
    """A floor, a ramp up to another floor 8 m above, in strips as assembled from triangles."""
    return faces_mesh(box(0, 0, 4, 4), ramp(4, 0, 7, 4, 0.0, 3.0), ramp(7, 0, 12, 4, 3.0, 8.0), box(12, 0, 16, 4, 8.0))


SHAPES = [(1.0, 2.0), (1.0, 1.0), (2.0, 2.0), (2.0, 1.0), (1.0, 0.5), (3.0, 2.0), (3.0, 0.4), (0.5, 0.1), (0.7, 3.0)]


@pytest.mark.parametrize(("cell", "height"), SHAPES)
def test_a_slope_of_45_degrees_stays_in_one_piece_whatever_the_cell(cell, height):
    layout = build_layout(slope_of_45_degrees(), cell=cell, height=height)
    assert_sound(layout)
    assert len(pieces_of(layout)) == 1
    # Row by row, each cell is linked to the next one up the slope.
    order = np.lexsort([layout.arrays.cell_grid[:, 0], layout.arrays.cell_grid[:, 1]])
    for one, other in pairwise(order):
        if layout.arrays.cell_grid[one, 1] == layout.arrays.cell_grid[other, 1]:
            assert other in neighbours(layout, one)[0]


@pytest.mark.parametrize(("cell", "height"), SHAPES)
def test_stairs_and_storeys_stay_in_one_piece_per_piece_of_floor(cell, height):
    for mesh in (build_navmesh(sample("house"), Body(radius=0.3)), two_storeys()):
        layout = build_layout(mesh, cell=cell, height=height)
        assert len(pieces_of(layout)) == len(set(mesh.face_component.tolist())), mesh.name


@pytest.mark.data
@pytest.mark.parametrize("name", ["dungeon", "nav_test"])
@pytest.mark.parametrize(("cell", "height"), [(0.5, 2.0), (1.0, 2.0), (1.0, 0.5), (0.5, 0.3)])
def test_cells_of_a_game_mesh_come_in_as_many_pieces_as_the_mesh(data, name, cell, height):
    mesh = game_mesh(data / "recast" / f"{name}.obj")
    layout = build_layout(mesh, cell=cell, height=height)
    assert len(pieces_of(layout)) == len(set(mesh.face_component.tolist()))


@lru_cache
def game_mesh(path: Path) -> NavMesh:
    return build_navmesh(read_level(path), Body())


@pytest.mark.parametrize(("side", "dtype"), [(255, np.uint16), (256, np.uint32)])
def test_ids_widen_beyond_65535_cells(side, dtype):
    tiles = np.ones((side, 257 if side == 255 else 256), bool)
    layout = tile_layout(tiles)
    assert len(layout) == tiles.size in (65535, 65536)
    assert layout.arrays.link_cell.dtype == layout.arrays.dense.dtype == dtype
    last = len(layout) - 1
    assert cell_at(layout, layout.arrays.cell_xyz[last]) == last
    corner = np.array(tiles.shape[::-1]) - 0.5
    assert cell_at(layout, corner) == last
    beside = [cell_at(layout, corner - step) for step in ((1, 0), (0, 1), (1, 1))]
    assert sorted(neighbours(layout, last)[0].tolist()) == sorted(beside)
    assert cell_at(layout, (-3.0, 0.0, 0.0)) == -1


def test_the_same_mesh_gives_the_same_bits():
    mesh = build_navmesh(sample("warehouse"), Body(radius=0.3))
    one, other = build_layout(mesh), build_layout(mesh)
    assert all(np.array_equal(a, b) for a, b in zip(one.arrays, other.arrays))


def test_arrays_are_read_only():
    layout = build_layout(faces_mesh(box(0, 0, 2, 2)))
    assert not any(array.flags.writeable for array in (*layout.arrays, layout.cell_face, layout.face_cells))


def test_progress_names_its_stages():
    heard = []
    build_layout(faces_mesh(box(0, 0, 2, 2)), progress=lambda stage, share: heard.append((stage, share)))
    assert heard == [("cells", 1.0), ("connectivity", 1.0)]


@pytest.mark.parametrize(
    ("settings", "word"),
    [({"cell": 0.0}, "cell"), ({"cell": np.nan}, "cell"), ({"height": -1}, "height"), ({"min_cover": 2}, "min_cover")],
)
def test_settings_out_of_range_say_what_is_allowed(settings, word):
    with pytest.raises(InputError, match=f"{word}.* must be"):
        build_layout(faces_mesh(box(0, 0, 2, 2)), **settings)


def test_a_grid_too_large_says_so():
    with pytest.raises(BakeError, match="at most 65535 along each axis"):
        build_layout(faces_mesh(box(0, 0, 5000, 1)), cell=0.05)
    with pytest.raises(BakeError, match="use a cell larger than"):
        build_layout(faces_mesh(box(0, 0, 3000, 3000)), cell=0.1)
    with pytest.raises(BakeError, match="closer to the origin"):
        build_layout(faces_mesh(box(1e6, 0, 1e6 + 2, 2)), cell=0.1)
