"""Builders on levels nobody here drew, and against one another."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from lastseen.level.features import Obstacle
from lastseen.level.level import Floor, Floors, Level
from lastseen.level.readers import gram, polyanya
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.voxels.build import soup_of
from lastseen.navmesh.voxels.voxel_settings import VoxelSettings
from oracles.assembly import require_sound

GRAM = [
    "COD4Shipment_Explorability",
    "LevelDesigner1_3D_visualizer",
    "MGS_PCGEnemy",
    "Pedro_3D_visualizer",
    "Smith1_controller",
]


@pytest.mark.data
@pytest.mark.parametrize("radius", [0.0, 0.3])
@pytest.mark.parametrize("name", GRAM)
def test_research_levels_have_the_area_of_floor_without_walls(data, name, radius):
    path = data / "gram" / f"{name}.json"
    level = gram.read(path.read_bytes(), str(path))
    (floor,) = level.surface.polygons
    walls = shapely.union_all([shapely.Polygon(o.outline_xy) for o in (*level.obstacles, *level.cover)])
    free = shapely.difference(shapely.Polygon(floor.outline_xyz[:, :2]), walls)
    inset = shapely.buffer(free, -radius, quad_segs=4) if radius else free
    mesh = build_navmesh(level, Body(radius=radius))
    require_sound(mesh)
    assert mesh.face_area.sum() == pytest.approx(inset.area, rel=1e-6)


@pytest.mark.data
def test_a_ready_mesh_has_the_neighbours_its_file_names(data):
    path = data / "polyanya" / "arena-merged.mesh"
    level = polyanya.read(path.read_bytes(), str(path))
    mesh = build_navmesh(level, Body(radius=0.0))
    require_sound(mesh)
    lines = path.read_text().split("\n")
    vertices, faces = map(int, lines[2].split())
    assert mesh.face_count == faces
    for face, line in enumerate(lines[3 + vertices : 3 + vertices + faces]):
        words = list(map(int, line.split()))
        named = sorted(other for other in words[1 + words[0] :] if other >= 0)
        first, count = int(mesh.arrays.link_start[face]), int(mesh.arrays.link_count[face])
        assert sorted(mesh.arrays.link_face[first : first + count].tolist()) == named


def test_voxels_come_to_the_area_of_polygons_as_they_shrink():
    level, body = sample("hall"), Body(radius=0.3)
    exact = build_navmesh(level, body).face_area.sum()
    missing = [
        1.0
        - build_navmesh(
            level, body, builder="voxel", voxels=VoxelSettings(voxel=voxel, voxel_height=0.05, max_edge_error=voxel)
        ).face_area.sum()
        / exact
        for voxel in (0.1, 0.05)
    ]
    assert 0.0 < missing[1] < 0.6 * missing[0]
    assert missing[1] < 0.02


@pytest.mark.parametrize("voxel", [0.15, 0.1, 0.05])
def test_voxels_agree_that_the_house_hangs_together(voxel):
    body = Body(radius=0.3)
    exact = build_navmesh(sample("house"), body)
    voxels = build_navmesh(sample("house"), body, builder="voxel", voxels=VoxelSettings(voxel=voxel))
    assert exact.face_component.max() == voxels.face_component.max() == 0
    assert voxels.face_area.sum() == pytest.approx(exact.face_area.sum(), rel=0.1)
    assert voxels.name == exact.name


def test_an_extruded_obstacle_is_closed_and_nobody_stands_on_it():
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)], float)
    ground = Floor(np.array([(0, 0, 0), (9, 0, 0), (9, 9, 0), (0, 9, 0)], float))
    for ring in (outline, outline[::-1]):
        soup = soup_of(Level(Floors((ground,)), obstacles=(Obstacle(ring, 1.0, 2.0),)))
        corner = soup.vertices_xyz[soup.triangles]
        raised = corner[corner[:, :, 2].min(axis=1) >= 1.0]
        assert (np.cross(raised[:, 1] - raised[:, 0], raised[:, 2] - raised[:, 0])[:, 2] <= 0.0).all()
        raised = raised[(raised[:, :, 2].min(axis=1) != 2.0) | (raised[:, :, 2].max(axis=1) != 2.0)]
        top = raised[:, :, 2].min(axis=1) == 3.0
        raised[top] = raised[top][:, ::-1]
        volume = np.einsum("ij,ij->i", raised[:, 0], np.cross(raised[:, 1], raised[:, 2])).sum() / 6.0
        assert volume == pytest.approx(4 * 2.0)


@pytest.mark.parametrize("height", [0.2, 0.4, 1.8, 3.0, 9.0])
def test_walls_drawn_on_a_floor_carry_nobody(height):
    """Also low ones: for every builder an obstacle is in the way, however easily one might step on it."""
    ground = Floor(np.array([(0, 0, 0), (20, 0, 0), (20, 12, 0), (0, 12, 0)], float))
    wall = Obstacle([(6, 0), (12, 0), (12, 9), (6, 9)], 0.0, height)
    level = Level(Floors((ground,)), obstacles=(wall,))
    exact, voxels = (build_navmesh(level, builder=builder) for builder in ("polygon", "voxel"))
    assert voxels.face_area.sum() == pytest.approx(exact.face_area.sum(), rel=0.1)
    assert voxels.face_component.max() == exact.face_component.max() == 0


@pytest.mark.data
@pytest.mark.parametrize("name", GRAM)
def test_voxels_agree_with_polygons_on_levels_others_drew(data, name):
    path = data / "gram" / f"{name}.json"
    level = gram.read(path.read_bytes(), str(path))
    exact = build_navmesh(level)
    voxels = build_navmesh(level, builder="voxel", voxels=VoxelSettings(voxel=0.05))
    assert voxels.face_area.sum() == pytest.approx(exact.face_area.sum(), rel=0.1)
    assert voxels.face_component.max() == exact.face_component.max()


def test_tiles_and_their_polygons_give_the_same_ground():
    level = sample("warehouse")
    tiles = build_navmesh(level, Body(radius=0.0))
    polygons = build_navmesh(level, Body(radius=0.0), builder="polygon")
    require_sound(polygons)
    assert polygons.face_area.sum() == pytest.approx(tiles.face_area.sum())
    assert polygons.face_component.max() == tiles.face_component.max()
