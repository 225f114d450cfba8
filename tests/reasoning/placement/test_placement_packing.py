"""Packings and partitions: radii by hand, circles that fit and fill, storeys, and every fault."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.level.features import IntendedPath
from lastseen.level.level import Floor, Floors, Level
from lastseen.level.samples import sample
from lastseen.reasoning.placement.guard_ground import GuardGround
from lastseen.reasoning.placement.guard_routes import KINDS, GuardKind
from lastseen.reasoning.placement.place.packing import neighbourhood_growth, remainder_boundary
from lastseen.reasoning.placement.place.partition import _scattered, partition, radius_range, skeleton, voronoi
from lastseen.reasoning.placement.placement_settings import PACKINGS
from lastseen.rng import generator
from oracles.placement import box, hall

METHODS = {
    "remainder-boundary": remainder_boundary,
    "neighbourhood-growth": neighbourhood_growth,
    "voronoi": voronoi,
    "skeleton": skeleton,
}


def test_radii_by_hand():
    """Check radii by hand: a full view at rest, a half view at speed (its chord), a narrow view (the sine of half)."""
    turning = replace(KINDS["turning"], view_distance=6.0, passive=0.5)
    assert radius_range(turning) == (0.5, 6.0)
    wide = GuardKind(view_distance=5.0, view_angle=math.pi, speed=6.0, passive=0.5)
    assert radius_range(wide, notice=0.5) == (0.5, pytest.approx(4.0))
    narrow = GuardKind("standing", speed=0.0, view_distance=5.0, view_angle=math.radians(60.0), passive=0.5)
    assert radius_range(narrow) == (0.5, pytest.approx(2.5))
    assert radius_range([narrow, turning], coarseness=2.0) == (0.5, 12.0)
    assert radius_range(GuardKind(speed=50.0, passive=1.5)) == (1.5, 1.5)


@given(st.floats(0.1, 12.0), st.floats(0.2, 3.1), st.floats(0.1, 4.0))
def test_the_largest_radius_is_in_view_just_long_enough(distance, angle, speed):
    """Walk past a place at this distance in small steps, and count how long it is in view."""
    kind = GuardKind(view_distance=distance, view_angle=angle, speed=speed, passive=1e-6)
    _, aside = radius_range(kind, notice=0.5)
    if aside <= 1e-6:
        return
    ahead = np.linspace(-distance, distance, 20001)
    seen = (np.hypot(ahead, aside) <= distance) & (np.abs(np.arctan2(aside, ahead)) <= angle / 2)
    assert seen.mean() * 2.0 * distance / speed == pytest.approx(0.5, abs=0.01 + 4e-4 * distance / speed)


def rooms(crates) -> shapely.Geometry:
    return shapely.box(0, 0, 16, 12).difference(shapely.union_all([shapely.box(*crate) for crate in crates]))


crates = st.lists(
    st.tuples(st.integers(1, 10), st.integers(1, 8), st.integers(1, 4), st.integers(1, 4)).map(
        lambda c: (c[0], c[1], c[0] + c[2], c[1] + c[3])
    ),
    max_size=4,
)


@settings(max_examples=20)
@pytest.mark.parametrize("method", PACKINGS)
@given(crates, st.sampled_from([(0.5, 0.5), (0.5, 2.0), (0.8, 5.0)]), st.integers(0, 5))
def test_circles_neither_overlap_nor_leave_the_floor(method, around, radii, seed):
    shape = rooms(around)
    circles = METHODS[method](shape, *radii, generator(seed, method))
    assert len(circles) > 0
    assert (circles[:, 2] >= radii[0] * (1 - 5e-4)).all()
    assert (circles[:, 2] <= radii[1] * (1 + 1e-9)).all()
    middles = shapely.points(circles[:, :2])
    assert shapely.contains(shape, middles).all()
    assert (shapely.distance(shapely.boundary(shape), middles) >= circles[:, 2] - 1e-9).all()
    apart = np.hypot(*(circles[:, None, :2] - circles[None, :, :2]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    assert (apart >= circles[:, None, 2] + circles[None, :, 2] - 1e-9).all()
    again = METHODS[method](shape, *radii, generator(seed, method))
    assert np.array_equal(circles, again)


@settings(max_examples=10)
@given(crates, st.sampled_from([(0.5, 0.5), (0.5, 2.0), (0.8, 3.0)]), st.integers(0, 5))
def test_the_boundary_of_the_remainder_leaves_no_room_for_another(around, radii, seed):
    """Check the source's condition on polygons: the remainder, shrunk by the smallest radius, is empty."""
    shape = rooms(around)
    circles = remainder_boundary(shape, *radii, generator(seed, "test"))
    left = shape.difference(
        shapely.union_all(shapely.buffer(shapely.points(circles[:, :2]), circles[:, 2], quad_segs=32))
    )
    assert shapely.buffer(left, -1.02 * radii[0]).is_empty
    touching = _touches(circles, shape)
    assert touching.all()


def _touches(circles, shape) -> np.ndarray:
    """Return whether each touches a wall or an earlier circle, to the precision of buffers."""
    walls = shapely.distance(shapely.boundary(shape), shapely.points(circles[:, :2])) - circles[:, 2]
    gap = walls.copy()
    for number in range(1, len(circles)):
        away = np.hypot(*(circles[:number, :2] - circles[number, :2]).T) - circles[:number, 2] - circles[number, 2]
        gap[number] = min(gap[number], away.min())
    return gap <= 0.02 * circles[:, 2]


def test_a_corridor_as_wide_as_the_smallest_circle_is_packed():
    """Pack a corridor of two metres with a radius of one: the shrunk floor is a line."""
    circles = remainder_boundary(shapely.box(0, 0, 20, 2), 1.0, 4.0, generator(0, "test"))
    assert len(circles) >= 6
    np.testing.assert_allclose(circles[:, 1:], 1.0, atol=1e-3)


def test_growth_uses_the_two_extreme_radii_and_touches_all_the_way_back():
    shape = rooms([(6, 4, 9, 7)])
    circles = neighbourhood_growth(shape, 0.5, 1.5, generator(0, "test"))
    extreme = np.minimum(np.abs(circles[:, 2] - 0.5), np.abs(circles[:, 2] - 1.5))
    assert (extreme < 1e-3).all()
    apart = np.hypot(*(circles[:, None, :2] - circles[None, :, :2]).transpose(2, 0, 1))
    touching = np.abs(apart - circles[:, None, 2] - circles[None, :, 2]) < 1e-6
    alone = [number for number in range(len(circles)) if not touching[number, :number].any()]
    assert alone[:3] == [0, 1, 2]
    assert len(alone) < len(circles) / 8


def test_growth_begins_again_in_rooms_it_cannot_grow_into():
    """Pack two rooms with a gap of half a metre between them, starting in one of them."""
    shape = shapely.union_all([shapely.box(0, 0, 5, 5), shapely.box(5, 2, 6, 2.5), shapely.box(6, 0, 11, 5)])
    for seed in range(6):
        x = neighbourhood_growth(shape, 0.5, 2.0, generator(seed, "test"))[:, 0]
        assert x.min() < 4.5
        assert x.max() > 6.5


def test_a_skeleton_lies_halfway_between_walls():
    circles = skeleton(shapely.box(0, 0, 20, 2), 0.5, 5.0, generator(0, "test"))
    np.testing.assert_allclose(circles[circles[:, 2] > 0.9, 1], 1.0, atol=0.15)
    assert (circles[:, 2] > 0.9).sum() >= 8


PATH = [(1, 1), (9, 1)]


@pytest.mark.parametrize("method", PACKINGS)
def test_storeys_are_packed_each_and_lie_on_their_floors(method):
    level = sample("house")
    start = level.spawns[0].xyz
    ground = GuardGround(level, [start, (start[0] + 0.3, start[1], start[2])])
    assert len(ground.storeys) >= 2
    found = partition(ground, 0.4, 2.0, method=method)
    assert set(found.storey.tolist()) == {plan.storey for plan in ground.storeys}
    assert ground.on_mesh(found.centres).all()
    shapes = {plan.storey: plan.shape for plan in ground.storeys}
    for xyz, storey in zip(found.centres, found.storey.tolist()):
        assert shapes[storey].contains(shapely.Point(xyz[:2]))
    assert 0.2 < found.filled < 0.95


def test_random_sites_are_uniform_over_the_area():
    parts = {shapely.box(1, 0, 4, 1): 3.0, shapely.box(0, 0, 1, 1): 1.0, shapely.box(0, 1, 1, 5): 4.0}
    sites = _scattered(shapely.union_all(list(parts)), 8000, generator(1, "sites"))
    for part, area in parts.items():
        assert np.mean(shapely.contains_xy(part, sites[:, 0], sites[:, 1])) == pytest.approx(area / 8.0, abs=0.02)


def test_the_same_seed_packs_the_same_and_another_seed_else():
    ground = GuardGround(hall(12, 9, (4, 3, 6, 5)), PATH)
    one, same, other = (partition(ground, 0.5, 2.0, seed=seed) for seed in (7, 7, 8))
    assert np.array_equal(one.centres, same.centres)
    assert not np.array_equal(one.centres[:5], other.centres[:5])
    assert one.level is ground.level


@pytest.mark.data
@pytest.mark.parametrize("name", ["MGS_PCGEnemy", "Smith1_controller", "COD4Shipment_Explorability"])
def test_levels_of_the_research_group_are_packed(data, name):
    level = Level.read(data / "gram" / f"{name}.json")
    middle = np.array([(0.5, -0.2, 0.0)]) if not level.spawns else np.array([level.spawns[0].xyz])
    ground = GuardGround(level, np.concatenate([middle, middle + np.array([0.1, 0.0, 0.0])]))
    for method in PACKINGS:
        found = partition(ground, 0.4, 2.0, method=method)
        assert len(found) >= 8
        assert found.filled > 0.3


def test_a_path_drawn_flat_finds_a_floor_at_any_height():
    ground = GuardGround(hall(10, 5, z=4.0), PATH)
    assert ground.path[:, 2].tolist() == [4.0, 4.0]
    assert GuardGround(hall(10, 5), IntendedPath(np.array([(1, 1, 0), (2, 2, 0)], float))).area == pytest.approx(50.0)


def test_pieces_without_the_path_are_left_out():
    island = Floor(np.column_stack([box(20, 0, 25, 4), np.zeros(4)]))
    level = hall(10, 5)
    two = replace(level, surface=Floors((*level.surface.polygons, island)))
    ground = GuardGround(two, PATH)
    assert (ground.area, ground.left_out) == (pytest.approx(50.0), pytest.approx(20.0))
    assert (partition(ground, 0.5, 1.0).centres[:, 0] < 10.0).all()
    with pytest.raises(InputError, match=r"separate piece.*point 2.*join the pieces"):
        GuardGround(two, [(1, 1), (22, 1)])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ([(1, 1), (30, 1)], r"point 2 of the intended path, \(30, 1\), is off the floor.* 18 m away"),
        ([(1, 1), (5, 4)], "inside an obstacle"),
        ([(1, 4), (9, 4)], r"crosses a wall or locked door at \(4, 4\), between its points 1.*more points"),
        ([(1, 1)], "has 1 distinct points"),
        ([(1, 1), (1, 1)], "has 1 distinct points"),
        ([], "has 0 distinct points"),
        ([(1, 1), (math.nan, 2)], r"path\[1\].*finite"),
        ("along the wall", "path must be numbers"),
    ],
)
def test_a_path_that_leaves_the_level_is_told_where(path, words):
    with pytest.raises(InputError, match=words):
        GuardGround(hall(12, 9, (4, 3, 6, 5)), path)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda g: partition(g, 6.0, 7.0), "no circle of 6 m fits"),
        (lambda g: partition(g, 0.001, 7.0), "too small for a level of 104 m²"),
        (lambda g: partition(g, 2.0, 1.0), "largest is 1 m; it must be at least 2"),
        (lambda g: partition(g, 0.5, 1.0, method="skelton"), "did you mean 'skeleton'"),
        (lambda g: partition("here", 0.5, 1.0), "create one with GuardGround"),
        (lambda g: radius_range([]), r"kinds is \[\]; give at least one"),
        (lambda g: radius_range(["walking"]), "give GuardKinds"),
        (lambda g: GuardGround("warehouse", PATH), r"call Level\.read"),
        (lambda g: GuardGround(hall(5, 5), PATH, body=-1), "body is -1 m"),
    ],
)
def test_what_cannot_be_packed_is_said_in_words(ask, words):
    with pytest.raises(InputError, match=words):
        ask(GuardGround(hall(12, 9, (4, 3, 6, 5)), PATH))
