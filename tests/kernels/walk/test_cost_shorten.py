"""Ways drawn straight: what a line costs by hand, and never a dearer or a walled leg."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.walk.cost_field import BAR_COLUMNS, LINE, SHAPE_COLUMNS, FieldArrays, shape_cost
from lastseen.kernels.walk.cost_shortcut import line_cost
from lastseen.layers.layer import Layer
from lastseen.navmesh.query import raycasts
from lastseen.reasoning.tactical.cheapest_paths import CheapestPaths
from lastseen.reasoning.tactical.cost_field import CostField
from oracles.tactical import line_value
from specimens.cells import passable, tile_layout

FLOOR = tile_layout(
    passable("""
    ..........
    ..##...#..
    ..##...#..
    .......#..
    ...#......
    ...#...##.
    ..........
    """)
)


def field_of(base, shape=()):
    shapes = np.array(shape, float).reshape(-1, SHAPE_COLUMNS)
    return FieldArrays(np.asarray(base, float), shapes, np.zeros((0, BAR_COLUMNS)))


def along(field, start, end, step=0.05):
    return line_cost(FLOOR.arrays, field, np.array([*start, 0.0]), np.array([*end, 0.0]), step)


def test_a_line_costs_its_metres_and_what_lies_under_it():
    base = np.zeros(len(FLOOR))
    assert along(field_of(base), (0.5, 0.5), (3.5, 4.5)) == pytest.approx(5.0)
    xyz = FLOOR.arrays.cell_xyz
    base[(xyz[:, 0] > 4) & (xyz[:, 0] < 6) & (xyz[:, 1] < 1)] = 3.0
    assert along(field_of(base), (2.5, 0.5), (8.5, 0.5)) == pytest.approx(6.0 + 2 * 3.0)
    # Across the middle of a strip 4 m wide on either side: its mean is a half.
    shape = [LINE, 5.0, -2.0, 0, 0, 1, 20, 1, 4, 8, 3]
    assert along(field_of(0 * base, shape), (1.0, 0.5), (9.0, 0.5), 0.01) == pytest.approx(8.0 + 8 * 4.0, rel=1e-3)


def test_a_line_that_climbs_costs_its_metres_in_space_and_what_is_under_its_samples():
    random = np.random.default_rng(4)
    base = random.integers(0, 9, len(FLOOR)).astype(float)
    field = field_of(base, [LINE, 5.0, 3.0, 0.0, 0.6, 0.8, 3.0, 1.0, 2.0, 4.0, 0.9])
    of_tile = {(int(x), int(y)): cell for cell, (x, y, _) in enumerate(FLOOR.arrays.cell_xyz.tolist())}
    for _ in range(30):
        start, end = random.uniform(
            (0.0, 0.0, 0.0), (12.0, 9.0, 1.5), (2, 3)
        )  # also beyond the grid, where there is no cell
        parts = max(int(np.ceil(np.linalg.norm(end - start) / 0.3)), 1)
        costs, last = [], 0.0
        for share in (np.arange(parts) + 0.5) / parts:
            x, y, z = start + share * (end - start)
            last = base[of_tile[int(x), int(y)]] if (int(x), int(y)) in of_tile else last
            costs.append(last + shape_cost(field.shape, x, y, z))
        found = line_cost(FLOOR.arrays, field, start, end, 0.3)
        assert found == pytest.approx(np.linalg.norm(end - start) * (1.0 + np.mean(costs)))


def test_a_straight_line_does_not_cut_into_danger_that_the_steps_pass_at_a_corner():
    danger = Layer(FLOOR, "danger", "float32")
    danger.set([34, 38], 9.0)  # the diagonal from (5.5, 5.5) to (4.5, 6.5) passes between these two cells
    field = CostField.of_layer(danger)
    [way] = CheapestPaths(FLOOR).find([(5.5, 5.5, 0.0)], [(3.5, 6.5, 0.0)], field, straight=True)
    assert way.points_xyz[:, :2].tolist() == [[5.5, 5.5], [4.5, 6.5], [3.5, 6.5]]


@given(st.data())
def test_routes_drawn_straight_are_walkable_and_cost_no_more(data):
    some = st.integers(0, len(FLOOR) - 1)
    start, goal = data.draw(some), data.draw(some)
    danger = Layer(FLOOR, "danger", "float32")
    danger.set(data.draw(st.lists(some, max_size=20, unique=True)), data.draw(st.sampled_from([0.0, 2.0, 9.0])))
    angle = data.draw(st.floats(0.0, 6.28))
    origin, to = (5.0, 3.5), (np.cos(angle), np.sin(angle))
    shape = np.array([[LINE, *origin, 0, *to, 4, 2, 3, 6, 3]], float)
    field = CostField.of_layer(danger) + CostField.of_shapes(shape)
    places = FLOOR.arrays.cell_xyz[[start, goal]].astype(float)
    ways = CheapestPaths(FLOOR)
    straight, stepped = (ways.find(places[:1], places[1:], field, straight=flag)[0] for flag in (True, False))
    assert straight.cost == stepped.cost
    assert len(straight.points_xyz) <= len(stepped.points_xyz)
    assert (straight.points_xyz[[0, -1]] == places).all()
    assert raycasts(FLOOR.mesh, straight.points_xyz[:-1], straight.points_xyz[1:]).reached.all()
    assert straight.length <= stepped.length + 1e-9 or paid(straight, danger, shape) <= paid(stepped, danger, shape)
    # A line along the border of two cells may be counted to either.
    assert paid(straight, danger, shape) <= paid(stepped, danger, shape) * 1.1 + 0.6


def test_no_leg_is_drawn_straight_across_a_bar():
    bar = (4.2, 6.4), (4.8, 2.6)
    field = CostField.barred([(*bar[0], 0.0)], [(*bar[1], 0.0)])
    [way] = CheapestPaths(FLOOR).find([(2.5, 6.5, 0.0)], [(6.5, 5.5, 0.0)], field, straight=True)
    legs = list(zip(way.points_xyz[:-1, :2], way.points_xyz[1:, :2], strict=True))
    assert len(legs) > 1
    assert not any(shapely.LineString(leg).intersects(shapely.LineString(bar)) for leg in legs)


def paid(route, danger, shape):
    """What a route costs, summed up in small steps by plain words."""
    table = {tuple(place): cell for cell, place in enumerate(FLOOR.arrays.cell_grid[:, :2].tolist())}
    _, x, y, _, to_x, to_y, ahead, behind, half, strength, _ = shape[0]
    total = 0.0
    for one, other in zip(route.points_xyz[:-1], route.points_xyz[1:], strict=True):
        length, parts = float(np.linalg.norm(other - one)), 60
        for k in range(parts):
            px, py, _ = one + (k + 0.5) / parts * (other - one)
            cell = table.get((int(px), int(py)))
            here = 0.0 if cell is None else float(danger.values[cell])
            here += line_value(px, py, (x, y), (to_x, to_y), half, ahead, behind, strength)
            total += length / parts * (1.0 + here)
    return total
