"""Soups with a known answer, through the whole voxel builder."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from lastseen.errors import BakeError, InputError
from lastseen.level.level import TriangleSoup
from lastseen.level.readers import mesh_file
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.voxels.build import build_from_soup, soup_of, walkable_voxels
from lastseen.navmesh.voxels.voxel_settings import VoxelSettings
from oracles.assembly import require_sound
from specimens.soups import box, join, plate, quad, ramp, room, stairs

AGENT = Body()
BODY = Body(radius=0.6, height=2.0, climb=0.9)


def islands(mesh):
    """Return the area of each component, largest first."""
    return sorted(np.bincount(mesh.face_component, mesh.face_area), reverse=True)


def at(mesh, x, y):
    """Return heights of the faces over (x, y)."""
    heights = []
    for face in range(mesh.face_count):
        corners = mesh.face_xyz(face)[:, :2]
        onward = np.roll(corners, -1, axis=0) - corners
        if (onward[:, 0] * (y - corners[:, 1]) - onward[:, 1] * (x - corners[:, 0]) >= 0).all():
            a, b, c = mesh.arrays.face_plane[face]
            heights.append(a * x + b * y + c)
    return sorted(heights)


def test_an_empty_room_is_one_face_on_the_floor():
    mesh = build_from_soup(room(0, 0, 9, 6), AGENT)
    assert mesh.face_count == 1
    assert mesh.face_area.sum() == pytest.approx(8.4 * 5.4)
    assert mesh.bounds_xyz.tolist() == pytest.approx(np.array([[0.3, 0.3, 0.0], [8.7, 5.7, 0.0]]))


def test_two_floors_joined_by_stairs():
    soup = join(room(0, 0, 12, 10, height=6), box(5.1, 0, 2.8, 12, 10, 3.0), stairs(1.4, 4, 2, 0, 15, 0.2, 0.25))
    mesh = build_from_soup(soup, AGENT)
    require_sound(mesh)
    assert len(islands(mesh)) == 1
    assert at(mesh, 8, 5) == pytest.approx([0.0, 3.0])
    assert at(mesh, 3.275, 5) == pytest.approx([1.6], abs=0.2)
    assert set(mesh.face_storey) == {0, 1}


def test_two_floors_joined_by_a_ramp():
    soup = join(room(0, 0, 14, 10, height=6), box(7, 0, 2.8, 14, 10, 3.0), ramp(1, 4, 7, 6, 0, 3.0))
    mesh = build_from_soup(soup, AGENT)
    assert len(islands(mesh)) == 1
    assert at(mesh, 5, 5) == pytest.approx([0.0, 2.0], abs=0.03) or at(mesh, 5, 5) == pytest.approx([2.0], abs=0.03)


def test_a_bridge_over_a_floor():
    slope_down = quad((9, 4, 2.5), (13, 4, 0), (13, 6, 0), (9, 6, 2.5))
    soup = join(room(0, 0, 14, 10, height=6), ramp(1, 4, 5, 6, 0, 2.5), box(5, 4, 2.3, 9, 6, 2.5), slope_down)
    mesh = build_from_soup(soup, AGENT)
    assert len(islands(mesh)) == 1
    assert at(mesh, 7, 5) == pytest.approx([0.0, 2.5])


def test_nobody_stands_below_a_table():
    soup = join(room(0, 0, 6, 6), box(2.1, 2.1, 1.35, 3.9, 3.9, 1.4))
    assert at(build_from_soup(soup, AGENT, VoxelSettings(min_region_area=0.0)), 3, 3) == pytest.approx([1.4])
    assert at(build_from_soup(soup, AGENT), 3, 3) == []
    assert at(build_from_soup(soup, Body(height=1.2)), 3, 3) == pytest.approx([0.0])


def test_a_high_step_parts_and_a_low_one_does_not():
    parts = islands(build_from_soup(join(room(0, 0, 6, 6), box(3, 0, 0, 6, 6, 0.6)), AGENT))
    assert parts == pytest.approx([2.4 * 5.4, 2.25 * 5.4])
    mesh = build_from_soup(join(room(0, 0, 6, 6), box(3, 0, 0, 6, 6, 0.4)), AGENT, VoxelSettings(height_error=0.1))
    assert len(islands(mesh)) == 1
    assert at(mesh, 2, 3) == pytest.approx([0.0], abs=0.1)
    assert at(mesh, 4, 3) == pytest.approx([0.4], abs=0.1)


@pytest.mark.parametrize("radius", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("voxel", [0.3, 0.1, 0.05])
@pytest.mark.parametrize(("ceiling", "parts"), [(1.9, 2), (2.2, 1)])
def test_a_step_up_needs_headroom(radius, voxel, ceiling, parts):
    """Both floors have room, and touch within a step; where one climbs there is 1.6 m, or 1.9 m."""
    floors = join(box(0, 0, -1, 5, 6, 0), box(5, 0, -1, 10, 6, 0.3))
    soup = join(floors, box(0, 0, ceiling, 5, 6, 4), box(5, 0, 2.2, 10, 6, 4))
    mesh = build_from_soup(soup, Body(radius=radius), VoxelSettings(voxel=voxel, min_region_area=0.5))
    below = [mesh.face_xyz(face)[:, 2].max() < 1.0 for face in range(mesh.face_count)]
    assert len(set(mesh.face_component[below])) == parts


@pytest.mark.parametrize(("degrees", "parts"), [(44, 1), (46, 2)])
def test_slopes_up_to_the_limit_are_walked(degrees, parts):
    top = 4 * math.tan(math.radians(degrees))
    soup = join(plate(0, 0, 4, 6), ramp(4, 0, 8, 6, 0, top), plate(8, 0, 12, 6, top))
    assert len(islands(build_from_soup(soup, AGENT))) == parts


@pytest.mark.parametrize(("width", "parts"), [(0.59, 2), (0.95, 1)])
def test_a_gap_narrower_than_the_body_is_closed(width, parts):
    soup = join(room(0, 0, 10, 6), box(4.8, 0, 0, 5.2, 3 - width / 2, 3), box(4.8, 3 + width / 2, 0, 5.2, 6, 3))
    assert len(islands(build_from_soup(soup, AGENT))) == parts


def test_a_spiral_winds_over_itself_in_one_piece():
    turns = np.arange(0, 14, 0.25)
    soup = join(
        *(
            box(
                4 * math.cos(a) - 1.2,
                4 * math.sin(a) - 1.2,
                a * 0.6 - 0.2,
                4 * math.cos(a) + 1.2,
                4 * math.sin(a) + 1.2,
                a * 0.6,
            )
            for a in turns
        )
    )
    mesh = build_from_soup(soup, AGENT)
    assert len(islands(mesh)) == 1
    assert mesh.face_area.sum() == pytest.approx(walkable_voxels(soup, AGENT).walkable_area, rel=0.03)
    assert len(at(mesh, 4, 0.3)) == 3


def test_the_order_of_triangles_and_a_second_run_change_nothing():
    soup = join(room(0, 0, 8, 6), box(2, 2, 0, 3, 3.5, 2), box(5, 1, 0, 6.2, 2, 0.3))
    order = np.random.default_rng(5).permutation(len(soup.triangles))
    first, second = (build_from_soup(s, AGENT) for s in (soup, TriangleSoup(soup.vertices_xyz, soup.triangles[order])))
    for one, other in zip(first.arrays, second.arrays):
        assert np.array_equal(one, other)


def test_triangles_without_area_and_stray_vertices_are_ignored():
    soup = plate(0, 0, 6, 6)
    spoilt = TriangleSoup(np.r_[soup.vertices_xyz, [(1e6, 1e6, 1e6)]], np.r_[soup.triangles, [[0, 0, 1], [0, 1, 1]]])
    assert np.array_equal(
        build_from_soup(spoilt, AGENT).arrays.vertex_xyz, build_from_soup(soup, AGENT).arrays.vertex_xyz
    )


def test_progress_names_every_stage():
    told = []
    build_from_soup(plate(0, 0, 6, 6), AGENT, progress=lambda stage, share: told.append((stage, share)))
    assert [stage for stage, _ in told] == [
        "rasterise", "filter", "erode", "regions", "contours", "polygons", "links", "done",
    ]  # fmt: skip
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("soup", "body", "settings", "says"),
    [
        (ramp(0, 0, 3, 3, 0, 6), AGENT, {}, "no triangle faces up within a slope of 45 degrees"),
        (plate(0, 6, 6, 0), AGENT, {}, "z is up"),
        (plate(0, 0, 0.2, 0.2), AGENT, {}, "ledges higher than the climb of 0.4 m"),
        (join(plate(0, 0, 6, 6), box(0, 0, 1, 6, 6, 9)), Body(radius=0), {"min_region_area": 1e9}, "largest island"),
        (
            join(plate(0, 0, 6, 6), quad((0, 0, 1.5), (0, 6, 1.5), (6, 6, 1.5), (6, 0, 1.5))),
            AGENT,
            {},
            "1.8 m of room above",
        ),
        (room(0, 0, 2, 9), Body(radius=1.2), {}, "wider than every passage"),
        (plate(0, 0, 9000, 9000), AGENT, {"voxel": 0.05}, "at least 1.273 m"),
        (TriangleSoup(np.zeros((0, 3)), np.zeros((0, 3))), AGENT, {}, "no triangles"),
        (TriangleSoup(np.zeros((3, 3)), np.array([[0, 1, 2]])), AGENT, {}, "has an area"),
        (TriangleSoup(np.zeros((3, 3)), np.array([[0, 1, 3]])), AGENT, {}, r"\[0, 1, 3\]; allowed: 0 … 2"),
        (TriangleSoup(np.full((3, 3), np.nan), np.array([[0, 1, 2]])), AGENT, {}, "finite"),
    ],
)
def test_nothing_to_walk_on_says_why(soup, body, settings, says):
    with pytest.raises(BakeError, match=says):
        build_from_soup(soup, body, VoxelSettings(**settings))


@pytest.mark.parametrize(
    "settings",
    [
        {"voxel": 0.0}, {"voxel": "x"}, {"voxel_height": np.nan}, {"max_edge_error": -1}, {"max_edge_length": np.inf},
        {"min_region_area": -0.1}, {"height_error": 0.0}, {"max_corners": 2}, {"max_corners": 6.5},
    ],
)  # fmt: skip
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(InputError, match=next(iter(settings))):
        VoxelSettings(**settings)


@pytest.mark.data
@pytest.mark.parametrize(("name", "area"), [("dungeon", 1580.8), ("nav_test", 4001.0)])
def test_real_soups_have_the_walkable_area_recast_finds(data, name, area):
    """Areas as Recast 1.5.1 gives them for its demo's parameters (measured again in benchmarks)."""
    soup = mesh_file.read((data / "recast" / f"{name}.obj").read_bytes(), f"{name}.obj", up="y").surface
    settings = VoxelSettings(voxel=0.3, voxel_height=0.2, max_edge_error=0.39, min_region_area=5.76, max_corners=6)
    mesh = build_from_soup(soup, BODY, settings)
    assert mesh.face_area.sum() == pytest.approx(area, rel=0.03)
    assert walkable_voxels(soup, BODY, settings).walkable_area == pytest.approx(area, rel=0.03)


def rise_of_steep_faces(mesh):
    """Return how far the face rises across its width, of those steeper than the body walks: steps, cut in faces."""
    steepness = np.hypot(*mesh.arrays.face_plane[:, :2].T)
    girth = [np.hypot(*np.diff(mesh.face_xyz(f)[:, :2], axis=0, append=mesh.face_xyz(f)[:1, :2]).T).sum()
             for f in range(mesh.face_count)]  # fmt: skip
    across = 2.0 * mesh.face_area / np.array(girth)
    return max((steepness * across)[steepness > 1.05], default=0.0)


@pytest.mark.data
@pytest.mark.parametrize("voxel", [0.3, 0.15, 0.1, 0.06])
@pytest.mark.parametrize("name", ["nav_test", "dungeon"])
def test_no_face_bridges_a_cliff(data, name, voxel):
    """In nav_test a floor 10 m up ends above another, and a ramp elsewhere joins the two: no face may do so here."""
    soup = mesh_file.read((data / "recast" / f"{name}.obj").read_bytes(), f"{name}.obj", up="y").surface
    mesh = build_from_soup(soup, Body(), VoxelSettings(voxel=voxel))
    assert rise_of_steep_faces(mesh) <= Body().climb + VoxelSettings().height_error


@pytest.mark.parametrize("radius", [0.0, 0.3])
@pytest.mark.parametrize("voxel", [0.03, 0.05, 0.08, 0.1, 0.12, 0.15])
def test_no_face_of_the_house_is_a_wall(voxel, radius):
    mesh = build_from_soup(soup_of(sample("house")), Body(radius=radius), VoxelSettings(voxel=voxel))
    assert rise_of_steep_faces(mesh) <= Body().climb + VoxelSettings().height_error


@pytest.mark.parametrize("voxel", [0.05, 0.1, 0.15])
def test_bodies_keep_their_radius_from_obstacles(voxel):
    level = sample("house")
    obstacles = shapely.union_all([shapely.Polygon(o.outline_xy) for o in level.obstacles if o.z < 0.5])
    mesh = build_from_soup(soup_of(level), Body(radius=0.3), VoxelSettings(voxel=voxel))
    corners = [mesh.face_xyz(face) for face in range(mesh.face_count)]
    ground = shapely.union_all([shapely.Polygon(xyz[:, :2]) for xyz in corners if xyz[:, 2].max() < 0.05])
    assert ground.distance(obstacles) >= 0.8 * 0.3


def test_a_region_that_cannot_be_triangulated_keeps_all_its_corners(monkeypatch):
    """GEOS gives up on some outlines; those along voxel edges are drawn anew."""
    real = shapely.constrained_delaunay_triangles

    def touchy(polygons):
        if np.min(shapely.get_num_coordinates(polygons)) < 40:
            raise shapely.errors.GEOSException("Unable to find a convex corner")
        return real(polygons)

    monkeypatch.setattr(shapely, "constrained_delaunay_triangles", touchy)
    assert build_from_soup(room(0, 0, 9, 6), AGENT).face_area.sum() == pytest.approx(8.4 * 5.4)
    with pytest.raises(BakeError, match="could not be outlined"):
        build_from_soup(room(0, 0, 2, 2), AGENT, VoxelSettings(voxel=0.3, min_region_area=0.1))
