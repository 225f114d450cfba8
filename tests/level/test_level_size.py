"""Levels no bake takes with its usual settings: the check knows the builders' limits."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest

from lastseen import conventions
from lastseen.cells import build as cells
from lastseen.cells.build import build_layout, lay_grid
from lastseen.cells.layout import CellLayout
from lastseen.errors import BakeError
from lastseen.level import check_size
from lastseen.level.check import find_faults
from lastseen.level.check_size import size_faults
from lastseen.level.features import Obstacle
from lastseen.level.level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup
from lastseen.level.samples import SAMPLES, sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.voxels import voxel_settings as voxels


def strip(long: float, deep: float = 2.0, x: float = 0.0, high: float = 0.0) -> np.ndarray:
    return np.array([[x, 0, 0], [x + long, 0, high], [x + long, deep, high], [x, deep, 0]], dtype=float)


def floor(*args: float) -> Level:
    return Level(Floors((Floor(strip(*args)),)))


def ready(*args: float) -> Level:
    return Level(ConvexFaces(strip(*args), np.array([0, 4]), np.arange(4)))


def soup(*args: float) -> Level:
    return Level(TriangleSoup(strip(*args), np.array([[0, 1, 2], [0, 2, 3]])))


def test_the_limits_are_those_of_the_builders() -> None:
    assert conventions.MOST_COLUMNS == voxels.MOST_COLUMNS
    assert conventions.MOST_PIECES == cells.MOST_PIECES
    assert voxels.VoxelSettings().voxel == check_size.USUAL_VOXEL
    assert signature(CellLayout.from_level).parameters["height"].default == check_size.USUAL_HEIGHT


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_can_be_baked(name: str) -> None:
    assert size_faults(sample(name)) == []


@pytest.mark.parametrize(
    ("level", "advice"),
    [
        (ready(65_536.5), "--cell"),
        (ready(9.0, 2.0, 300_000.0), "nearer to the origin"),
        (ready(65_535.0), ""),
        (ready(9.0, 2.0, 262_000.0), ""),
        (ready(9.0, 2.0, 0.0, 140_000.0), "--height"),
    ],
)
def test_the_check_and_the_grid_of_cells_agree(level: Level, advice: str) -> None:
    faults = size_faults(level)
    assert all(fault.severity == "error" for fault in faults)
    mesh = build_navmesh(level, Body(radius=0.0))
    if advice:
        assert any(advice in fault.advice for fault in faults)
        with pytest.raises(BakeError):
            lay_grid(mesh, 1.0, 2.0)
    else:
        assert faults == []
        lay_grid(mesh, 1.0, 2.0)


def test_too_much_floor_is_told_with_a_cell_that_would_do() -> None:
    (fault,) = size_faults(floor(10_000.0, 10_000.0))
    assert "cells wider than 1.42 m" in fault.advice
    mesh = build_navmesh(ready(10_000.0, 10_000.0), Body(radius=0.0))  # in one face: parting it takes long
    with pytest.raises(BakeError, match="larger than 1 m"):
        build_layout(mesh)
    covered = Obstacle(strip(10_000.0, 6_000.0)[:, :2], 0.0, 3.0)
    assert size_faults(Level(Floors((Floor(strip(10_000.0, 10_000.0)),)), obstacles=(covered,))) == []
    (fault,) = size_faults(floor(9e6, 9e6, -4.5e6))[1:]
    assert fault.advice == "split it"


def test_a_mesh_in_millimetres_has_too_many_voxels() -> None:
    assert size_faults(soup(1_000.0, 1_000.0)) == []
    (fault,) = size_faults(soup(50_000.0, 50_000.0))
    assert "voxels of at least 7.072 m (`--voxel`); is it in metres?" in fault.advice
    with pytest.raises(BakeError, match=r"at least 7\.072 m"):
        build_navmesh(soup(50_000.0, 50_000.0))


def test_cells_of_a_tile_map_are_its_tiles() -> None:
    tiles = Tiles((TileFloor(np.ones((1, 70_000), dtype=np.bool_), tile=2.0),))
    (fault,) = size_faults(Level(tiles))
    assert "65535 cells of 2 m" in fault.what
    wide = Level(Tiles((TileFloor(np.ones((2, 2), dtype=np.bool_), tile=200.0),)))
    assert find_faults(wide) == ()
    (fault,) = size_faults(wide)
    assert "cells are 0.05 to 100 m" in fault.what
    assert size_faults(Level(Floors(()))) == []
