"""Somebody stands in a cell it can walk straight to, not in one behind a wall."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.cells.build import build_layout
from lastseen.cells.meshed_layout import standing_cells
from lastseen.cells.query import cells_at
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import raycasts


@pytest.fixture(scope="module")
def house():
    return build_layout(build_navmesh(sample("house")))


def floor_places(layout, count, seed):
    """Random places on the floor, by area of faces roughly: corners mixed with random weights."""
    random, mesh = np.random.default_rng(seed), layout.mesh
    faces = random.integers(0, mesh.face_count, count)
    places = []
    for face in faces.tolist():
        corners = mesh.face_xyz(face)
        places.append(random.dirichlet(np.ones(len(corners))) @ corners)
    return np.array(places)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_only_cells_behind_walls_are_replaced_and_by_nearer_ones_in_reach(house, seed):
    places = floor_places(house, 200, seed)
    own, found = cells_at(house, places), standing_cells(house, places)
    spots = house.arrays.cell_xyz[np.maximum(found, 0)].astype(float)
    reached = raycasts(house.mesh, places, spots, below=2.0, above=2.0).reached
    straight = raycasts(
        house.mesh, places, house.arrays.cell_xyz[np.maximum(own, 0)].astype(float), below=2.0, above=2.0
    ).reached
    assert (found[straight & (own >= 0)] == own[straight & (own >= 0)]).all()
    assert reached[(found != own)].all()
    assert (found >= 0).tolist() == (own >= 0).tolist()


def test_the_strip_along_a_thin_wall(house):
    place = np.array([[5.47, 9.24, 0.0]])
    assert house.arrays.cell_xyz[cells_at(house, place)[0], 0] < 5.0
    assert house.arrays.cell_xyz[standing_cells(house, place)[0], 0] > 5.5


def test_threads_change_nothing(house):
    places = floor_places(house, 3000, 3)
    assert (standing_cells(house, places, threads=3) == standing_cells(house, places)).all()


def test_nowhere_and_nobody(house):
    assert standing_cells(house, np.zeros((0, 3))).tolist() == []
    assert standing_cells(house, [[500.0, 500.0, 0.0]]).tolist() == [-1]
