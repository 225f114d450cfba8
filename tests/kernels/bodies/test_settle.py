"""Bodies do not overlap and stay on the floor; who stands alone costs nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.bodies.crowd import Crowd
from lastseen.agents.bodies.orders import Orders
from lastseen.kernels.arrays.agent_arrays import GONE
from lastseen.kernels.bodies.contact import settle
from lastseen.kernels.bodies.neighbours import find_nearby
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import faces_at, nearest_many, tolerances
from oracles.movement import settled_in_room
from specimens.cells import passable, tile_mesh

ROOM = (8.0, 6.0)
RADIUS = 0.3
PLACES = st.tuples(st.floats(0.05, 7.95), st.floats(0.05, 5.95))
SPEEDS = st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))


OPEN = tile_mesh(passable("\n".join(["........"] * 6)))
WALLED = tile_mesh(passable("........\n...##...\n...##...\n........\n.######.\n........"))


def settled(
    mesh: NavMesh,
    places: Sequence[Sequence[float]],
    velocity: Sequence[Sequence[float]],
    going: Sequence[int],
    *,
    seconds: float = 0.1,
    gone: Sequence[int] = (),
) -> tuple[np.ndarray, int]:
    """Return the next places (n, 3), and for how many bodies rays were cast."""
    count = len(places)
    table, orders, crowd = bodies(places, radius=RADIUS), Orders.none(count), Crowd(mesh, count)
    table.mode[list(gone)] = GONE
    orders.arrays.going[:] = going
    find_nearby(table, 3.0, 1.2, *crowd._grid, crowd.near)
    place, low_high = np.zeros((count, 3)), tolerances(mesh, None, None)
    cast = settle(
        mesh.arrays,
        table,
        orders.arrays,
        crowd.near,
        np.array(velocity, np.float64).reshape(-1, 2),
        *low_high,
        seconds,
        place,
        crowd._work,
    )
    return place, int(cast)


def test_two_who_overlap_go_half_the_way_each_and_one_who_stands_less() -> None:
    still = [(0.0, 0.0), (0.0, 0.0)]
    place, cast = settled(OPEN, [(4.0, 3.0), (4.4, 3.0)], still, [0, 0])
    assert place[:, 0] == pytest.approx([3.9, 4.5])
    assert cast == 2
    place, _ = settled(OPEN, [(4.0, 3.0), (4.4, 3.0)], still, [1, 0])
    assert place[:, 0] == pytest.approx([4.0 - 0.8 * 0.2, 4.4 + 0.2 * 0.2])
    place, _ = settled(OPEN, [(4.0, 3.0), (4.0, 3.0)], still, [0, 0])
    assert place[:, 0] == pytest.approx([4.3, 3.7]), "on one spot: the first to the right"


def test_what_a_wall_leaves_of_a_way_goes_along_it() -> None:
    place, _ = settled(OPEN, [(7.9, 3.0)], [(4.0, 3.0)], [1])
    assert place[0, :2] == pytest.approx([8.0, 3.3])


def test_rays_are_cast_for_those_who_walk_or_overlap_only() -> None:
    far = [(1.0, 1.0), (3.0, 1.0), (5.0, 1.0), (7.0, 1.0)]
    still = [(0.0, 0.0)] * 4
    assert settled(OPEN, far, still, [0] * 4)[1] == 0
    assert settled(OPEN, far, [(1.0, 0.0), *still[1:]], [1, 0, 0, 0])[1] == 1
    assert settled(OPEN, far, [(1.0, 0.0)] * 4, [1] * 4, gone=[1, 2])[1] == 2
    # Two of four overlap: a round of two, not three of four.
    place, cast = settled(OPEN, [(1.0, 1.0), (1.5, 1.0), (5.0, 1.0), (7.0, 1.0)], still, [0] * 4)
    assert cast == 2
    assert place[2:, :2].tolist() == [[5.0, 1.0], [7.0, 1.0]]


@given(st.lists(st.tuples(PLACES, SPEEDS, st.integers(0, 1)), min_size=1, max_size=6))
def test_it_equals_pushing_and_clamping_in_an_empty_room(crowd: list) -> None:
    xy, velocity, going = (list(column) for column in zip(*crowd))
    place, _ = settled(OPEN, xy, velocity, going)
    expected = settled_in_room(np.array(xy), np.array(velocity), going, RADIUS, ROOM, 0.1)
    assert place[:, :2] == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.tuples(PLACES, SPEEDS, st.integers(0, 1)), min_size=1, max_size=8))
def test_nobody_leaves_the_floor_or_jumps(crowd: list) -> None:
    xy, velocity, going = (list(column) for column in zip(*crowd))
    on = nearest_many(WALLED, np.array([(*each, 0.0) for each in xy]), 3.0).xyz
    place, _ = settled(WALLED, on, velocity, going)
    assert (faces_at(WALLED, place) >= 0).all()
    pushed = 3 * len(crowd) * 2.0 * RADIUS
    assert (np.hypot(*(place - on)[:, :2].T) <= 0.1 * np.hypot(*np.array(velocity).T) + pushed + 1e-9).all()


@given(PLACES, st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.integers(0, 1), st.integers(0, 1))
def test_two_who_stand_never_overlap_more_than_before(
    place: tuple[float, float], dx: float, dy: float, one: int, other: int
) -> None:
    both = np.array([(*place, 0.0), (place[0] + dx, place[1] + dy, 0.0)])
    on = nearest_many(WALLED, both, 3.0).xyz
    after, _ = settled(WALLED, on, [(0.0, 0.0)] * 2, [one, other])
    before = np.hypot(*(on[0] - on[1])[:2])
    assert np.hypot(*(after[0] - after[1])[:2]) >= min(before, 2.0 * RADIUS) - 1e-6
