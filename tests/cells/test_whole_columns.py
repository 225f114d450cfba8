"""Tile maps are cut without clipping and connected without casting rays, and no differently than with both."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays as any_arrays

from lastseen.cells import access
from lastseen.cells import build as building
from lastseen.cells import connectivity as connecting
from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.cells.tile_columns import WholeColumns
from lastseen.kernels.cells.cell_walk import UNCERTAIN
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.navmesh import NavMesh
from specimens.cells import box, faces_mesh, ramp, tile_mesh


def _with_rays(mesh: NavMesh, **settings: float) -> CellLayout:
    """The layout where nothing is known of whole columns: every face is clipped, every pair is tried by a ray."""

    def unknown(self: WholeColumns, cell: np.ndarray, *_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(len(cell), bool), np.zeros(len(cell), bool)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WholeColumns, "walks", unknown)
        patch.setattr(building, "rectangles_on_lines", lambda *_: None)
        return build_layout(mesh, **settings)


def _with_rays_only(mesh: NavMesh, **settings: float) -> CellLayout:
    """The layout where every pair on different faces is tried by a ray that looks at corners."""

    def uncertain(mesh, cell_xyz, cell_face, start_cell, end_cell, tolerance, out):
        out[:] = UNCERTAIN

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connecting, "clear_walks", uncertain)
        return build_layout(mesh, **settings)


def _bits(layout: CellLayout) -> list[bytes]:
    return [array.tobytes() for array in (*layout.arrays, layout.cell_face, layout.face_cells)]


tiles = any_arrays(
    np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.sampled_from([True, True, False])
)


@given(tiles, st.sampled_from([0.5, 1.0, 1.3, 2.0]))
def test_tile_maps_are_cut_and_connected_as_by_clipping_and_rays(passable, cell):
    passable[0, 0] = True
    mesh = tile_mesh(passable)
    assert _bits(build_layout(mesh, cell=cell)) == _bits(_with_rays(mesh, cell=cell))


@given(tiles, st.sampled_from([0.5, 0.7, 1.0]), st.sampled_from([0.0, 0.2, 0.3]))
def test_walks_away_from_corners_are_those_that_rays_find(passable, cell, radius):
    passable[0, 0] = True
    mesh = build_navmesh(Level(Tiles((TileFloor(passable),))), Body(radius=radius))
    assert _bits(build_layout(mesh, cell=cell)) == _bits(_with_rays_only(mesh, cell=cell))


@pytest.mark.parametrize("name", ["house", "complex"])
def test_walks_on_stairs_are_those_that_rays_find(name):
    mesh = build_navmesh(Level.sample(name))
    assert _bits(build_layout(mesh)) == _bits(_with_rays_only(mesh))


def test_few_walks_are_left_to_rays():
    mesh = build_navmesh(Level.sample("warehouse"))
    cast, pairs = [], []
    with pytest.MonkeyPatch.context() as patch:
        rays, clear = connecting.straight_walks, connecting.clear_walks
        patch.setattr(connecting, "straight_walks", lambda *given: cast.append(len(given[-1])) or rays(*given))
        patch.setattr(connecting, "clear_walks", lambda *given: pairs.append(len(given[-1])) or clear(*given))
        build_layout(mesh)
    assert sum(cast) < 0.1 * sum(pairs)


@pytest.mark.parametrize("name", ["warehouse", "house"])
def test_neighbours_are_found_alike_with_and_without_a_dense_table(name, monkeypatch):
    mesh = build_navmesh(Level.sample(name))
    dense = build_layout(mesh)
    monkeypatch.setattr(access, "LEAST_SLOTS", 0)
    monkeypatch.setattr(access, "DENSE_SHARE", 0)
    sparse = build_layout(mesh)
    assert len(dense.arrays.dense)
    assert len(sparse.arrays.hash_cell)
    for name in ("link_start", "link_cell", "link_length"):
        assert np.array_equal(getattr(dense.arrays, name), getattr(sparse.arrays, name))


def test_nothing_is_clipped_and_no_ray_is_cast_where_cells_are_tiles(monkeypatch):
    def refuse(*_):
        raise AssertionError("a kernel was called that tile maps do without")

    for module, name in ((connecting, "straight_walks"), (building, "cut_faces"), (building, "choose_cells")):
        monkeypatch.setattr(module, name, refuse)
    passable = np.random.default_rng(3).random((20, 20)) < 0.7
    assert len(build_layout(tile_mesh(passable))) == passable.sum()


@pytest.mark.parametrize(
    "faces",
    [
        [box(0, 0, 2, 1), [(0, 1, 0), (2, 1, 0), (2, 2, 0)], box(2, 0, 3, 3)],  # half a column is floor
        [box(0, 0, 1, 1), box(1, 0, 2, 1, 0.5), box(0, 1, 2, 2), box(2, 0, 3, 2, 0.5)],  # steps too high to climb
        [box(0, 0, 2, 2), ramp(2, 0, 3, 2, 0.0, 1.0), box(3, 0, 4, 2, 1.0), box(0, 2, 1, 3), box(1, 2, 2, 3, 1.0)],
    ],
)
def test_half_columns_steps_and_ramps_are_connected_as_by_rays(faces):
    mesh = faces_mesh(*faces)
    assert _bits(build_layout(mesh)) == _bits(_with_rays(mesh))
