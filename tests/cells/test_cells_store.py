from __future__ import annotations

import contextlib
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen import arrayfile
from lastseen.cells.build import build_layout
from lastseen.cells.cell_file import _About, load_layout, load_stored, save_layout
from lastseen.cells.file_check import unsound_part
from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import cell_at, cells_at, cells_within_many, nearest_cells, neighbours
from lastseen.errors import CellFileError, InputError, LastSeenError
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import find_path, raycasts
from specimens.cells import box, faces_mesh, tile_layout, two_storeys


def assert_same(one: CellLayout, other: CellLayout) -> None:
    for mine, theirs in zip((*one.arrays, *one.mesh.arrays), (*other.arrays, *other.mesh.arrays)):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)
        assert not theirs.flags.writeable
    for name in ("face_storey", "face_component"):
        np.testing.assert_array_equal(getattr(one.mesh, name), getattr(other.mesh, name))
    np.testing.assert_array_equal(one.cell_face, other.cell_face)
    np.testing.assert_array_equal(one.face_cells, other.face_cells)
    assert (one.mesh.body, one.mesh.name, one.shadowed) == (other.mesh.body, other.mesh.name, other.shadowed)


@pytest.mark.parametrize("name", ["house", "warehouse"])
def test_a_layout_survives_a_save_and_load(tmp_path, name):
    layout = build_layout(build_navmesh(sample(name), Body(radius=0.25, climb=0.35)))
    layout.save(tmp_path / "level.cells")
    back = CellLayout.load(tmp_path / "level.cells")
    assert_same(layout, back)
    save_layout(back, tmp_path / "again.cells")
    assert (tmp_path / "again.cells").read_bytes() == (tmp_path / "level.cells").read_bytes()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["again.cells", "level.cells"]


def test_a_sparse_layout_with_shadows_survives(tmp_path):
    layout = build_layout(faces_mesh(box(0, 0, 4, 4), box(1, 1, 1.9, 1.9, 1.0), box(5000, 3000, 5001, 3001, 70.0)))
    assert layout.shadowed == 1
    assert len(layout.arrays.hash_cell)
    save_layout(layout, tmp_path / "x")
    assert_same(layout, load_layout(tmp_path / "x"))


def test_further_arrays_and_a_note_ride_along(tmp_path):
    layout = build_layout(faces_mesh(box(0, 0, 4, 4)))
    danger = np.arange(16, dtype=np.int8)
    save_layout(layout, tmp_path / "x", extra={"danger": danger}, note="danger: 0 … 100")
    stored = load_stored(tmp_path / "x")
    assert list(stored.extra) == ["danger"]
    np.testing.assert_array_equal(stored.extra["danger"], danger)
    assert stored.note == "danger: 0 … 100"
    with pytest.raises(InputError, match="dtype"):
        save_layout(layout, tmp_path / "y", extra={"no": np.array(["text"])})


def test_a_file_of_another_kind_is_told(tmp_path):
    arrayfile.write(tmp_path / "x", "recording", 1, {}, _About("", 0, 1, 0, 0, 0))
    with pytest.raises(CellFileError, match=r"holds a 'recording', expected a 'cell layout'"):
        load_layout(tmp_path / "x")
    arrayfile.write(tmp_path / "x", "cell layout", 2, {}, _About("", 0, 1, 0, 0, 0))
    with pytest.raises(CellFileError, match=r"version 2.*update lastseen"):
        load_layout(tmp_path / "x")
    arrayfile.write(tmp_path / "x", "cell layout", 1, {}, _About("", 0, 1, 0, 0, 0))
    with pytest.raises(CellFileError, match=r"no array 'mesh\.vertex_xyz'"):
        load_layout(tmp_path / "x")


@lru_cache
def parts() -> dict[str, np.ndarray]:
    """The arrays of a sound file."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        save_layout(build_layout(two_storeys()), Path(folder) / "x")
        return arrayfile.read(Path(folder) / "x", "cell layout", 1, _About).arrays


def test_a_sound_file_is_sound():
    assert unsound_part(parts()) == ""


@settings(max_examples=60)
@given(st.data())
def test_a_sealed_file_with_wrong_numbers_is_refused_or_harmless(tmp_path_factory, data):
    """A file somebody made on purpose, digest and all, must not lead kernels out of their arrays."""
    arrays = dict(parts())
    for name in data.draw(st.lists(st.sampled_from(sorted(arrays)), min_size=1, max_size=4, unique=True)):
        forge(arrays, name, data)
    path = tmp_path_factory.mktemp("sealed") / "x"
    arrayfile.write(path, "cell layout", 1, arrays, _About("", 0.3, 1.8, 0.4, 0.7, 0))
    refusal = ""
    try:
        layout = load_layout(path)
    except CellFileError as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith(str(path))
        assert "bake the level again" in refusal
        return
    ask_everything(layout)


def ask_everything(layout: CellLayout) -> None:
    points = np.array([(0.5, 0.5, 0.0), (9.5, 1.5, 4.0), (3.0, 5.0, 2.0), (-50, 0, 0)])
    cells_at(layout, points)
    nearest_cells(layout, points, 20.0)
    cells_within_many(layout, points, 5.0)
    for cell in range(len(layout)):
        neighbours(layout, cell)
    # A mesh that makes no sense may be refused when asked, as long as it is refused in our words.
    with contextlib.suppress(LastSeenError):
        raycasts(layout.mesh, points, points[::-1])
        find_path(layout.mesh, points[0], points[1])
    with contextlib.suppress(LastSeenError):
        LiveLayout(layout).cut([(1, 1), (3, 1), (3, 3)], 0.0, 1.0)


@pytest.mark.parametrize("width", [0.0, 1e-170, 1e-10])
def test_portals_and_edges_of_vanishing_width_are_refused(width):
    portal = parts()["mesh.link_portal"].copy()
    portal[0, 1, :2] = portal[0, 0, :2] = 0.0
    portal[0, 1, 0] = width
    assert unsound_part({**parts(), "mesh.link_portal": portal}) == "a portal has no width"
    vertex = parts()["mesh.vertex_xyz"].copy()
    one, other = parts()["mesh.face_vertex"][:2]
    vertex[other], vertex[one] = 0.0, 0.0
    vertex[other, 1] = width
    assert unsound_part({**parts(), "mesh.vertex_xyz": vertex}) == "a face has an edge of no length"


def forge(arrays: dict[str, np.ndarray], name: str, data: st.DataObject) -> None:
    """Put something wrong into one array."""
    array = arrays[name].copy()
    kind = data.draw(st.sampled_from(["value", "shorter", "longer", "dtype", "gone"]))
    if kind == "value" and array.size:
        at = data.draw(st.integers(0, array.size - 1))
        if array.dtype.kind == "f":
            array.flat[at] = data.draw(st.sampled_from([np.nan, np.inf, -1e30, 1e9, 0.0, 1e-170, 1e-8, 3.0, -7.0]))
        else:
            limits = np.iinfo(array.dtype)
            array.flat[at] = data.draw(st.sampled_from([limits.min, limits.max, 0, 1, 2, 5, 100]))
    elif kind == "shorter":
        array = array[: len(array) // 2]
    elif kind == "longer":
        array = np.concatenate([array, array[:1]])
    elif kind == "dtype":
        array = array.astype(data.draw(st.sampled_from([np.uint8, np.int32, np.float32, np.uint64])))
    if kind == "gone":
        del arrays[name]
    else:
        arrays[name] = array


def test_a_layout_of_20000_cells_with_twelve_layers_takes_less_than_two_megabytes():
    random = np.random.default_rng(7)
    for layout in (
        tile_layout(random.random((160, 156)) < 0.8),
        tile_layout(np.ones((100, 200), bool)),
        build_layout(build_navmesh(sample("complex"), Body(radius=0.3))),
    ):
        assert 19_000 < len(layout) < 22_000
        memory = layout.memory()
        assert set(memory) == {"cells", "faces", "connectivity", "access", "disabled"}
        assert sum(memory.values()) + 12 * len(layout) <= 2_000_000
        counted = sum(array.nbytes for array in (*layout.arrays, layout.cell_face, layout.face_cells))
        assert sum(memory.values()) == counted


def test_from_navmesh_is_build_layout():
    mesh = faces_mesh(box(0, 0, 4, 4))
    layout = CellLayout.from_navmesh(mesh, cell=2.0, height=1.0)
    assert len(layout) == 4
    assert cell_at(layout, (3, 3, 0)) == 3
