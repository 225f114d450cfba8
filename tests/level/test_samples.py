"""Sample levels: sound, connected, peopled; the complex of every seed has about 20,000 tiles."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError, LevelError
from lastseen.level.check import find_faults
from lastseen.level.level import Floors, Tiles
from lastseen.level.samples import SAMPLES, describe, sample


def all_connected(passable: np.ndarray) -> bool:
    """Flood by sides from the first passable tile."""
    reached = np.zeros_like(passable)
    start = tuple(np.argwhere(passable)[0])
    reached[start] = True
    stack = [start]
    while stack:
        row, column = stack.pop()
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if passable[near] and not reached[near]:
                reached[near] = True
                stack.append(near)
    return bool((reached == passable).all())


def test_the_names_promised():
    assert SAMPLES == ("corridor", "rooms", "loop", "hall", "warehouse", "yard", "moat", "manor", "house", "complex")
    assert all(describe(name) for name in SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_is_sound_and_peopled(name):
    level = sample(name)
    assert find_faults(level) == ()
    guards = [spawn for spawn in level.spawns if spawn.who == "guard"]
    patrols = {patrol.name for patrol in level.patrols}
    assert guards
    assert all(guard.patrol in patrols for guard in guards)
    assert sum(spawn.who == "player" for spawn in level.spawns) == 1
    assert any(marker.kind == "exit" for marker in level.markers)
    assert sample(name) == level


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in ("house", "moat", "manor")])
def test_every_tile_can_be_reached(name):
    surface = sample(name).surface
    assert isinstance(surface, Tiles)
    assert all_connected(surface.floors[0].passable)


@pytest.mark.parametrize("name", ["corridor", "warehouse"])
def test_intended_paths_stay_on_the_floor(name):
    level = sample(name)
    passable = level.surface.floors[0].passable
    (path,) = level.paths
    for one, other in zip(path.points_xyz[:-1], path.points_xyz[1:]):
        way = one + np.linspace(0.0, 1.0, 500)[:, None] * (other - one)
        assert passable[way[:, 1].astype(int), way[:, 0].astype(int)].all()


def test_the_warehouse_is_worth_playing():
    level = sample("warehouse")
    assert level.surface.floors[0].passable.shape == (29, 44)
    assert len(level.cover) >= 10
    assert len(level.hiding_places) >= 5
    assert len(level.doors) >= 8
    assert sum(spawn.who == "guard" for spawn in level.spawns) == 2
    assert {zone.name for zone in level.zones} == {"loading dock", "control room"}


def test_floors_of_the_house_meet_where_one_walks_from_one_to_the_next():
    level = sample("house")
    assert isinstance(level.surface, Floors)
    ground, yard, ramp, stairs, upper = level.surface.polygons
    assert [floor.kind for floor in level.surface.polygons] == ["floor", "floor", "ramp", "stairs", "floor"]
    assert (ground.storey, upper.storey) == (0, 1)

    def height_between(one, other):
        """Return the heights two floors have at the middle of the edge they share."""
        edge = shapely.intersection(_boundary(one), _boundary(other))
        x, y = edge.interpolate(0.5, normalized=True).coords[0]
        return [_height(floor, x, y) for floor in (one, other)]

    assert height_between(yard, ramp) == pytest.approx([-0.6, -0.6])
    assert height_between(ramp, ground) == pytest.approx([0.0, 0.0])
    foot = _height(stairs, 5.7, 4.5), _height(stairs, 5.7, 8.5)
    assert foot == pytest.approx((0.0, 3.0))
    # The stairwell is open on both storeys, so nobody walks under or above the flight.
    flight = shapely.Polygon(stairs.outline_xyz[:, :2])
    for floor in (ground, upper):
        holes = [shapely.Polygon(hole[:, :2]) for hole in floor.holes_xyz]
        assert shapely.union_all(holes).buffer(1e-9).covers(flight)


def _boundary(floor):
    return shapely.Polygon(floor.outline_xyz[:, :2]).exterior


def _height(floor, x: float, y: float) -> float:
    """Height of the plane through the first three corners."""
    a, b, c = floor.outline_xyz[:3]
    normal = np.cross(b - a, c - a)
    return float(a[2] - (normal[0] * (x - a[0]) + normal[1] * (y - a[1])) / normal[2])


@settings(max_examples=10)
@given(st.integers(0, 2**63))
def test_the_complex_of_any_seed(seed):
    level = sample("complex", seed=seed)
    passable = level.surface.floors[0].passable
    assert 19_000 <= np.count_nonzero(passable) <= 21_000
    assert all_connected(passable)
    assert sum(spawn.who == "guard" for spawn in level.spawns) == 8
    points = [spawn.xyz for spawn in level.spawns] + [stop.xyz for patrol in level.patrols for stop in patrol.stops]
    points += [place.xyz for place in level.hiding_places] + [marker.xyz for marker in level.markers]
    columns, rows = np.array(points)[:, :2].astype(int).T
    assert passable[rows, columns].all()
    assert len(level.doors) > 100


def test_seeds_give_different_complexes_and_nothing_else():
    assert sample("complex", seed=1) != sample("complex", seed=2)
    assert sample("hall", seed=1) == sample("hall", seed=2)


def test_wrong_names_and_seeds_are_told():
    with pytest.raises(LevelError, match=r"did you mean 'warehouse'\?"):
        sample("werehouse")
    with pytest.raises(LevelError, match="use one of: corridor"):
        describe("")
    for seed in (-1, 1.5, True, "7"):
        with pytest.raises(InputError, match="whole number, at least 0"):
            sample("complex", seed=seed)
