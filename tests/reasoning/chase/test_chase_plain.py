"""Plain places are found by one kernel, others by further ones, with the same results as calling all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.live import LiveLayout
from lastseen.errors import QueryError
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.flood import flood_run
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.loss import Loss


def _cells(name: str, radius: float, cuts: int) -> LiveLayout:
    live = LiveLayout(build_layout(build_navmesh(sample(name), Body(radius=radius))))
    random = np.random.default_rng(cuts)
    xyz = live.arrays.cell_xyz.astype(float)
    for x, y, z in xyz[random.integers(0, len(xyz), cuts)] + random.uniform(-0.3, 0.3, (cuts, 3)):
        live.cut([(x, y), (x + 0.9, y + 0.2), (x + 0.4, y + 1.1)], z - 0.5, z + 1.0)
    return live


def _places(live: LiveLayout, random: np.random.Generator) -> np.ndarray:
    """Return places in cells, on their borders, on corners of faces, and a little off the mesh."""
    xyz, mesh = live.arrays.cell_xyz.astype(float), live.mesh.arrays
    near = xyz[random.integers(0, len(xyz), 250)] + random.uniform(-0.6, 0.6, (250, 3)) * (1.0, 1.0, 0.2)
    size, origin = live.arrays.size_xyz, live.arrays.origin_xyz
    rims = near[:60].copy()
    rims[:, :2] = np.round((rims[:, :2] - origin[:2]) / size[:2]) * size[:2] + origin[:2]
    used = mesh.face_vertex[: int(mesh.face_start[0] + mesh.face_count.sum())]
    corners = mesh.vertex_xyz[random.choice(used, 60)]
    corners = corners if corners.shape[1] == 3 else np.column_stack([corners, np.zeros(60)])
    return np.concatenate([near, rims, corners])


@pytest.mark.parametrize(("name", "radius", "cuts"), [("warehouse", 0.0, 0), ("house", 0.3, 0), ("rooms", 0.3, 12)])
def test_plain_places_and_others_are_answered_as_by_all_kernels(
    name: str, radius: float, cuts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    further = {"start_cells": 0, "on_floor": 0}

    def counted(function: str) -> None:
        plain = getattr(flood_run, function)

        def wrapper(*given: Any) -> Any:
            further[function] += 1
            return plain(*given)

        monkeypatch.setattr(flood_run, function, wrapper)

    live, random = _cells(name, radius, cuts), np.random.default_rng(7)
    chase, asked = Chase(live), 0
    for function in further:
        counted(function)
    for place in _places(live, random):
        loss = Loss(place, random.normal(size=2))
        try:
            one = chase.predict(loss)
        except QueryError:
            with pytest.raises(QueryError, match="seen_at"):
                chase.predict_many([loss])
            continue
        # batches call `stood_in` and `places_on_floor` for every place
        many = chase.predict_many([loss])
        assert (one.start, one.cell, one.steps) == (many.start[0], many.cell[0], many.steps[0])
        assert one.destination.tolist() == many.destination[0].tolist()
        assert one.mean.tolist() == many.mean[0].tolist()
        asked += 1
    assert asked > 100
    assert 0 < further["start_cells"] < asked
    assert further["on_floor"] < asked
    assert further["on_floor"] or name == "warehouse"  # its faces are large
