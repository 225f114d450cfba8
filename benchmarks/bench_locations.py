"""Location queries over all cells of the 20,000-cell sample, against the same written in numpy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.layers.layer import Layer
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees_each
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.locations.criteria import Angle, Crowd, Distance, LayerValue, Seen
from lastseen.reasoning.locations.curve import Curve
from lastseen.reasoning.locations.picker import Picker
from lastseen.reasoning.locations.query import Pick, Query
from lastseen.reasoning.locations.query_places import Place
from lastseen.rng import generator

from .harness import Comparison

ASKERS = 16
QUERY = Query(
    [
        Distance("asker", curve=Curve(linear=(100, 0))),
        Distance("threats", curve=Curve(smoothstep=(3, 15))),
        Angle("threats", curve=Curve(linear=(0, 90), low=0.2)),
        LayerValue("danger", curve=Curve(linear=(1, 0))),
    ]
)


def comparisons() -> Iterator[Comparison | str]:
    level = sample("complex")
    layout = build_layout(build_navmesh(level))
    random = generator(0, "bench locations")
    danger = Layer.of(layout, "danger", random.random(len(layout)).astype(np.float32))
    picker = Picker(layout, sight=Sight.from_level(level), layers=[danger])
    spots = layout.arrays.cell_xyz[random.integers(0, len(layout), (64, ASKERS))].astype(np.float64)
    threats = Place(spots[0, :4], heading=random.uniform(-3.0, 3.0, 4))
    yield _one(layout, picker, danger, spots, threats)
    yield _many(layout, picker, danger, spots, threats)
    yield _near(picker, spots, threats)
    yield _unseen(layout, picker, spots, Sight.from_level(level))


def _plain(layout: CellLayout, danger: Layer, asker: np.ndarray, threats: Place) -> int:
    """Answer QUERY in numpy, whole arrays at a time."""
    xyz = layout.arrays.cell_xyz.astype(np.float64)
    near = np.clip(1.0 - np.linalg.norm(xyz - asker, axis=1) / 100.0, 0.0, 1.0)
    away = xyz[:, None] - threats.xyz[None]
    share = np.clip((np.linalg.norm(away, axis=2).min(axis=1) - 3.0) / 12.0, 0.0, 1.0)
    far = share * share * (3.0 - 2.0 * share)
    turn = np.arctan2(away[..., 1], away[..., 0]) - threats.heading
    off = np.degrees(np.abs((turn + np.pi) % (2.0 * np.pi) - np.pi)).min(axis=1)
    behind = 0.2 + 0.8 * np.clip(off / 90.0, 0.0, 1.0)
    return int(np.argmax(near * far * behind * np.clip(1.0 - danger.values, 0.0, 1.0)))


def _one(layout: CellLayout, picker: Picker, danger: Layer, spots: np.ndarray, threats: Place) -> Comparison:
    name = f"locations: best of {len(layout):,} cells by 4 criteria, explained"

    def plain(number: int) -> object:
        return _plain(layout, danger, spots[number % 64, 0], threats)

    def ours(number: int) -> object:
        return picker.pick(QUERY, spots[number % 64, 0], places={"threats": threats})

    return Comparison(name, ours, plain, 0.7, "numpy, not explained", rounds=30)


def _many(layout: CellLayout, picker: Picker, danger: Layer, spots: np.ndarray, threats: Place) -> Comparison:
    name = f"locations: the same for {ASKERS} askers at once, per asker"

    def plain(number: int) -> object:
        return _plain(layout, danger, spots[number % 64, 0], threats)

    def ours(number: int) -> object:
        return picker.pick_many(QUERY, spots[number % 64], places={"threats": threats})

    return Comparison(name, ours, plain, 0.7, "numpy, not explained", items=ASKERS, rounds=10)


def _near(picker: Picker, spots: np.ndarray, threats: Place) -> Comparison:
    """Cost follows the candidates: a bounded query does not look at the whole map."""
    near = Distance("asker", at_most=10, curve=Curve(linear=(10, 0)))
    bounded = QUERY.but(criteria=(near, *QUERY.criteria[1:], Crowd("askers", at_most=0)), pick=Pick(apart=2.0))
    every = np.arange(len(picker.layout.arrays.cell_grid))

    def whole(number: int) -> object:
        return picker.pick_many(bounded, spots[number % 64], places={"threats": threats}, candidates=every)

    def ours(number: int) -> object:
        return picker.pick_many(bounded, spots[number % 64], places={"threats": threats})

    return Comparison(f"locations: {ASKERS} askers within 10 m, apart", ours, whole, 0.3, "over all cells", rounds=20)


def _unseen(layout: CellLayout, picker: Picker, spots: np.ndarray, sight: Sight) -> Comparison:
    """What is dear looks at what is left: rays only to cells that may be reached in time."""
    query = Query(
        [
            Distance("asker", how="walking", at_most=15, curve=Curve(linear=(15, 0))),
            Seen("threats", at_most=0),
            Distance("threats", curve=Curve(linear=(3, 5))),
        ]
    )
    xyz = layout.arrays.cell_xyz.astype(np.float64)
    chests = xyz + np.array([0.0, 0.0, 1.0])

    def plain(number: int) -> object:
        asker, threats = spots[number % 64, 0], spots[number % 64, 1:4]
        unseen = ~sees_each(sight, threats + np.array([0.0, 0.0, 1.6]), chests).any(axis=0)
        far = np.clip((np.linalg.norm(xyz[:, None] - threats[None], axis=2).min(axis=1) - 3.0) / 2.0, 0.0, 1.0)
        return int(np.argmax(np.where(unseen, far, 0.0) * np.clip(1 - np.linalg.norm(xyz - asker, axis=1) / 15, 0, 1)))

    def ours(number: int) -> object:
        return picker.pick(query, spots[number % 64, 0], places={"threats": spots[number % 64, 1:4]})

    return Comparison(
        "locations: hide from 3 threats within a walk of 15 m", ours, plain, 0.25, "numpy, all rays first", rounds=30
    )
