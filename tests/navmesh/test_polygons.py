from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import BakeError, InputError
from lastseen.level.features import Door, Obstacle
from lastseen.level.level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.voxels.voxel_settings import VoxelSettings
from oracles.assembly import require_sound

THIN = Body(radius=0.0)


def floor(left, low, right, high, z=0.0, z_right=None, **options):
    z_right = z if z_right is None else z_right
    corners = [(left, low, z), (right, low, z_right), (right, high, z_right), (left, high, z)]
    return Floor(np.array(corners, float), **options)


def box(left, low, right, high, z=0.0, height=3.0):
    return Obstacle(np.array([(left, low), (right, low), (right, high), (left, high)], float), z, height)


def build(*floors, body=THIN, **options):
    mesh = build_navmesh(Level(Floors(tuple(floors)), **options), body)
    require_sound(mesh)
    return mesh


def components(mesh):
    return int(mesh.face_component.max()) + 1


def shape_of(mesh, faces=None):
    chosen = range(mesh.face_count) if faces is None else faces
    return shapely.union_all([shapely.Polygon(mesh.face_xyz(face)[:, :2]) for face in chosen])


def require_flat_storeys(mesh):
    for storey in range(mesh.face_storey.max() + 1):
        faces = np.flatnonzero(mesh.face_storey == storey)
        assert shape_of(mesh, faces).area == pytest.approx(mesh.face_area[faces].sum(), abs=1e-4)


def test_a_room_is_inset_to_a_smaller_rectangle():
    mesh = build(floor(0, 0, 4, 3), body=Body(radius=0.5))
    assert mesh.face_count == 1
    assert mesh.bounds_xyz.tolist() == [[0.5, 0.5, 0], [3.5, 2.5, 0]]


def test_a_pillar_is_walked_around():
    mesh = build(floor(0, 0, 6, 6), body=Body(radius=0.5), obstacles=(box(2, 2, 4, 4),))
    around = 4 + 4 * 2 * 0.5 + math.pi * 0.25
    assert mesh.face_area.sum() == pytest.approx(25 - around, abs=0.03)
    assert mesh.face_area.sum() >= 25 - around
    assert components(mesh) == 1


def test_holes_and_islands():
    hole = np.array([(1, 1, 0), (1, 3, 0), (3, 3, 0), (3, 1, 0)], float)
    ring = Floor(floor(0, 0, 4, 4).outline_xyz, (hole,))
    mesh = build(ring, floor(1.5, 1.5, 2.5, 2.5))
    assert components(mesh) == 2
    assert mesh.face_area.sum() == pytest.approx(12 + 1)


def test_adjoining_floors_of_one_height_have_no_seam():
    mesh = build(floor(0, 0, 2, 2), floor(2, 0, 4, 2), body=Body(radius=0.5))
    assert mesh.face_count == 1
    assert mesh.face_area.sum() == pytest.approx(3.0)


def test_a_step_within_the_climb_stays_open_and_a_higher_one_is_a_wall():
    low = build(floor(0, 0, 2, 2), floor(2, 0, 4, 2, z=0.3), body=Body(radius=0.5))
    high = build(floor(0, 0, 2, 2), floor(2, 0, 4, 2, z=0.6), body=Body(radius=0.5))
    assert (components(low), components(high)) == (1, 2)
    assert low.face_area.sum() == pytest.approx(3.0, abs=1e-5)
    assert high.face_area.sum() == pytest.approx(2.0, abs=1e-5)


@pytest.mark.parametrize("radius", [0.0, 0.3, 0.6])
def test_a_ramp_joins_two_floors(radius):
    """The ramp is 2 m wide between halls 6 m wide: its mouths are as wide as the body leaves them."""
    mesh = build(
        floor(0, 0, 6, 6), floor(6, 2, 10, 4, 0, 2, kind="ramp"), floor(10, 0, 14, 6, 2), body=Body(radius=radius)
    )
    assert components(mesh) == 1
    sloped = np.flatnonzero(mesh.arrays.face_plane[:, 0] > 0.1)
    assert mesh.face_area[sloped].sum() == pytest.approx(4 * (2 - 2 * radius), abs=1e-4)
    width = [
        np.linalg.norm(np.subtract(*portal)[:2])
        for portal, other in zip(mesh.arrays.link_portal, mesh.arrays.link_face)
        if abs(portal[0, 0] - 6) < 1e-5 and abs(portal[1, 0] - 6) < 1e-5 and other in sloped
    ]
    assert sum(width) == pytest.approx(2 - 2 * radius, abs=1e-4)


def test_a_ramp_drawn_over_its_floor_takes_the_place_of_it():
    """Under the ramp the floor is closed until there is headroom; at its foot one walks on."""
    mesh = build(floor(0, 0, 10, 4), floor(4, 1, 10, 3, 0, 3), floor(10, 0, 12, 4, 3, storey=1))
    assert components(mesh) == 1
    flat = (mesh.arrays.face_plane[:, 0] == 0.0) & (mesh.face_storey == 0)
    assert mesh.face_area[flat].sum() == pytest.approx(40 - 2 * 3.6, abs=1e-4)
    require_flat_storeys(mesh)


def test_storeys_are_kept_and_do_not_touch():
    mesh = build(floor(0, 0, 4, 4), floor(0, 0, 4, 4, z=3.0, storey=1))
    assert components(mesh) == 2
    assert sorted(mesh.face_storey.tolist()) == [0, 1]
    assert mesh.face_area.sum() == pytest.approx(32)


def test_a_low_ceiling_closes_the_floor_below():
    mesh = build(floor(0, 0, 4, 4), floor(0, 0, 2, 4, z=1.5, storey=1))
    assert mesh.face_area[mesh.face_storey == 0].sum() == pytest.approx(8)
    assert mesh.face_area[mesh.face_storey == 1].sum() == pytest.approx(8)


def test_the_same_floor_drawn_twice_counts_once():
    mesh = build(floor(0, 0, 4, 4), floor(2, 0, 6, 4, storey=1), floor(1, 1, 2, 2))
    assert mesh.face_area.sum() == pytest.approx(24)
    assert components(mesh) == 1


def test_an_obstacle_blocks_only_its_own_storey():
    mesh = build(floor(0, 0, 4, 4), floor(0, 0, 4, 4, z=3.0, storey=1), obstacles=(box(0, 0, 2, 4, z=3.0, height=1.0),))
    assert mesh.face_area[mesh.face_storey == 0].sum() == pytest.approx(16)
    assert mesh.face_area[mesh.face_storey == 1].sum() == pytest.approx(8)


def test_a_beam_over_a_ramp_blocks_where_the_head_would_hit():
    """Ramp z = x, beam from z = 3 up: a head at z = x + 1.8 hits it beyond x = 1.2."""
    mesh = build(floor(0, 0, 4, 1, 0, 4), obstacles=(box(0, 0, 4, 1, z=3.0, height=9.0),))
    assert mesh.face_area.sum() == pytest.approx(1.2, abs=1e-5)


def test_a_warped_floor_is_split_into_flat_triangles():
    corners = np.array([(0, 0, 0), (4, 0, 0), (4, 4, 1), (0, 4, 0)], float)
    mesh = build(Floor(corners))
    assert mesh.face_count == 2
    assert mesh.face_area.sum() == pytest.approx(16)
    assert components(mesh) == 1
    inset = build(Floor(corners), body=Body(radius=0.5))
    assert inset.face_area.sum() == pytest.approx(9, abs=1e-4)
    assert components(inset) == 1


@pytest.mark.parametrize(
    ("floors", "body", "options", "words"),
    [
        ([], THIN, {}, "no floor with any area"),
        ([floor(0, 0, 1, 1, 0, 5)], THIN, {}, "gentlest floor rises 78.7°, the body's slope is 45°"),
        ([floor(0, 0, 1, 1)], THIN, {"obstacles": (box(-1, -1, 2, 2),)}, "obstacles and low ceilings leave nothing"),
        ([floor(0, 0, 1, 9)], Body(radius=0.8), {}, r"largest radius that fits is about 0.\d+ m"),
        ([floor(0, 0, 1e8, 9)], THIN, {}, "at most 1e[+]07 m"),
    ],
)
def test_a_level_without_walkable_place_says_why(floors, body, options, words):
    with pytest.raises(BakeError, match=words):
        build(*floors, body=body, **options)


@pytest.mark.parametrize(
    ("level", "words"),
    [
        (
            Level(Floors((Floor(np.zeros((2, 3)), name="sliver"),))),
            "floor 'sliver' has 2 corners; a polygon needs at least 3",
        ),
        (Level(Floors((floor(0, 0, np.nan, 1),))), "floor '' has a corner at .*nan.*must be finite"),
        (Level(Floors((floor(0, 0, 1, 1),)), obstacles=(box(0, 0, np.inf, 1),)), "obstacle '' has a corner .*inf"),
        (Level(Floors((floor(0, 0, 1, 1),)), cover=(Obstacle(np.zeros((1, 2))),)), "cover '' has 1 corners"),
        (Level(Floors((floor(0, 0, 1, 1),)), cover=(box(0, 0, 1, 1, np.nan),)), "cover '' stands on z = nan"),
        (Level(Tiles((TileFloor(np.ones((2, 2), bool), tile=0.0),))), "tiles of storey 0 are 0 m wide"),
        (Level(Tiles((TileFloor(np.ones((2, 2), bool), z=np.nan),))), "storey 0 lies at z = nan"),
    ],
)
def test_what_no_reader_would_let_through_is_refused_by_name(level, words):
    with pytest.raises(BakeError, match=words):
        build_navmesh(level, THIN)


def test_the_widest_radius_named_does_fit():
    """In the bend of an L 1.3 m and 1 m wide: (1.3 - r)² + (1 - r)² = r²."""
    with pytest.raises(BakeError) as caught:
        build(floor(0, 0, 1.3, 9), floor(0, 0, 9, 1), body=Body(radius=2.0))
    widest = float(str(caught.value).split("about ")[1].split(" m")[0])
    assert widest == pytest.approx(0.6875, rel=0.02)
    assert build(floor(0, 0, 1.3, 9), floor(0, 0, 9, 1), body=Body(radius=widest * 0.98)).face_count


def test_a_builder_that_does_not_fit_names_those_that_do():
    soup = Level(TriangleSoup(np.zeros((3, 3)), np.zeros((1, 3), np.int32)))
    with pytest.raises(InputError, match="'polygon' does not support a surface of TriangleSoup; use 'voxel'"):
        build_navmesh(soup, builder="polygon")
    with pytest.raises(InputError, match="did you mean 'polygon'"):
        build_navmesh(soup, builder="polygons")
    with pytest.raises(InputError, match="voxels apply to the voxel builder"):
        build_navmesh(Level(Floors((floor(0, 0, 1, 1),))), voxels=VoxelSettings())


def test_ready_faces_are_taken_as_they_are():
    faces = ConvexFaces(np.array(floor(0, 0, 2, 2).outline_xyz), [0, 4], [0, 1, 2, 3])
    assert build_navmesh(Level(faces), Body(radius=0.5)).face_area.tolist() == [4]
    with pytest.raises(BakeError, match="1 obstacles stand on a ready-made mesh"):
        build_navmesh(Level(faces, obstacles=(box(0, 0, 1, 1),)))


def test_doors_are_walkable_open_or_closed():
    outline = np.array([(1, 0), (1.2, 0), (1.2, 1), (1, 1)])
    doors = (Door(outline, 0.5, 2.0, open=False), Door(outline + 1))
    level = Level(Floors((floor(0, 0, 4, 1),)), doors=doors)
    assert build_navmesh(level, THIN).face_area.sum() == pytest.approx(4)


def test_progress_runs_forward():
    seen = []
    build_navmesh(Level(Floors((floor(0, 0, 4, 1),))), THIN, progress=lambda stage, share: seen.append((stage, share)))
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


blocks = st.lists(
    st.tuples(st.floats(-1, 9), st.floats(-1, 9), st.floats(0.1, 4), st.floats(0.1, 4), st.floats(0, 1.5)), max_size=8
)


@given(blocks, st.sampled_from([0.0, 0.1, 0.45]))
def test_area_is_that_of_the_inset_polygon(blocks, radius):
    """Turned rectangles in a room, against one buffer of the whole."""
    outlines = []
    for x, y, w, h, angle in blocks:
        turned = np.array([(0, 0), (w, 0), (w, h), (0, h)]) @ np.array(
            [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
        )
        outlines.append(turned + np.array([x, y]))
    free = shapely.difference(shapely.box(0, 0, 8, 8), shapely.union_all([shapely.Polygon(o) for o in outlines]))
    inset = shapely.buffer(free, -radius, quad_segs=4) if radius else free
    obstacles = tuple(Obstacle(outline) for outline in outlines)
    if inset.area < 1e-3:
        return
    mesh = build(floor(0, 0, 8, 8), body=Body(radius=radius), obstacles=obstacles)
    assert mesh.face_area.sum() == pytest.approx(inset.area, rel=1e-4, abs=1e-3)
    assert shapely.area(shape_of(mesh)) == pytest.approx(mesh.face_area.sum(), abs=1e-4)


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5), st.sampled_from([0.0, 0.2]))
def test_a_staircase_of_steps_is_one_component(widths, radius):
    floors, left = [], 0.0
    for n, width in enumerate(widths):
        floors.append(floor(left, 0, left + width, 2, z=0.25 * n))
        left += width
    mesh = build(*floors, body=Body(radius=radius))
    assert components(mesh) == 1
    assert mesh.face_area.sum() == pytest.approx((left - 2 * radius) * (2 - 2 * radius), abs=1e-3)


@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_the_sample_house_is_one_component_of_two_storeys(radius):
    mesh = build_navmesh(sample("house"), Body(radius=radius))
    require_sound(mesh)
    assert components(mesh) == 1
    assert sorted(set(mesh.face_storey.tolist())) == [0, 1]
    require_flat_storeys(mesh)


def turned(random, width, depth):
    angle = random.choice([0.0, 0.0, random.uniform(0.0, 6.0)])
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return np.array([(0, 0), (width, 0), (width, depth), (0, depth)]) @ turn


@given(st.integers(0, 2**32 - 1))
def test_any_heap_of_floors_ramps_and_obstacles_gives_a_sound_mesh(seed):
    """Turned, sloped, warped and overlapping floors: what is left is convex, linked both ways and flat by storey."""
    random = np.random.default_rng(seed)
    floors, obstacles = [], []
    for _ in range(random.integers(1, 7)):
        z = random.choice([0.0, 0.2, 1.0, 3.0, random.uniform(0.0, 3.0)])
        rise = random.choice([0.0, 0.0, random.uniform(-2.0, 2.0)])
        size = random.choice([random.integers(1, 6, 2), random.uniform(0.1, 6.0, 2)])
        corners = turned(random, *size) + random.choice([random.integers(0, 8, 2), random.uniform(0.0, 8.0, 2)])
        heights = [z, z + rise + random.choice([0.0, 0.0, 0.0, 0.7]), z + rise, z]
        floors.append(Floor(np.column_stack([corners, heights]), storey=int(z // 3)))
    for _ in range(random.integers(0, 5)):
        corners = turned(random, *random.uniform(0.1, 3.0, 2)) + random.uniform(0.0, 8.0, 2)
        obstacles.append(
            Obstacle(corners, random.choice([0.0, 1.0, random.uniform(0.0, 4.0)]), random.uniform(0.2, 3.0))
        )
    body = Body(radius=random.choice([0.0, 0.1, 0.3, 0.5]), climb=random.choice([0.0, 0.2, 0.4]))
    try:
        mesh = build(*floors, body=body, obstacles=tuple(obstacles))
    except BakeError as error:
        if "no walkable place" not in str(error):
            raise
        return
    require_flat_storeys(mesh)
