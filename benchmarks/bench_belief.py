"""Belief floods in batches against the article's floods of the same losses, on samples and real maps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.level.read import read_level
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.loss import Losses
from lastseen.rng import generator

from .bench_chase import MAPS
from .harness import Comparison

FLOODS = 256
SETS = 8
SAMPLES = ("house", "warehouse", "complex")
REAL = ("arena", "brc202d", "lak303d", "orz900d", "AR0011SR")


def comparisons() -> Iterator[Comparison | str]:
    for name in SAMPLES:
        yield _compared(name, build_layout(build_navmesh(sample(name))))
    for name in REAL:
        found = sorted(MAPS.rglob(f"{name}.map"))
        if not found:
            yield f"belief floods on {name}: the real maps are not here"
            continue
        yield _compared(name, build_layout(build_navmesh(read_level(found[0]), Body(radius=0.0))))


def _compared(name: str, layout: CellLayout) -> Comparison:
    belief, article = Chase(layout, "belief"), Chase(layout)
    sets = [seen_losses(layout, FLOODS, seed) for seed in range(SETS)]

    def ours(number: int) -> object:
        return belief.predict_many(sets[number % SETS], threads=1)

    def peer(number: int) -> object:
        return article.predict_many(sets[number % SETS], threads=1)

    title = f"a belief flood in a batch on {name}"
    return Comparison(title, ours, peer, 8.0, "the article's", items=FLOODS, peer_items=FLOODS, rounds=24)


def seen_losses(layout: CellLayout, count: int, seed: int) -> Losses:
    """Random places and headings; each guard stands up to 15 links away and looks at where the runner was seen."""
    random, arrays = generator(seed, "bench belief"), layout.arrays
    starts, links = arrays.link_start.astype(np.int64), arrays.link_cell.astype(np.int64)
    xyz = arrays.cell_xyz.astype(np.float64)
    seen = random.integers(0, len(layout), count)
    guards = seen.copy()
    for row, steps in enumerate(random.integers(3, 16, count).tolist()):
        way = random.normal(size=2)
        for _ in range(steps):
            near = links[starts[guards[row]] : starts[guards[row] + 1]]
            if len(near):
                ahead = (xyz[near, :2] - xyz[guards[row], :2]) @ way + random.normal(size=len(near)) * 0.3
                guards[row] = near[ahead.argmax()]
    angle = random.uniform(0.0, 2.0 * np.pi, count)
    view = xyz[seen] - xyz[guards]
    view[(view[:, :2] == 0.0).all(axis=1)] = (1.0, 0.0, 0.0)
    return Losses(
        seen_at=xyz[seen],
        heading=np.column_stack([np.cos(angle), np.sin(angle)]),
        speed=random.uniform(2.0, 5.0, count),
        seconds=random.choice([0.1, 0.2, 0.5, 1.0], count),
        guard_at=xyz[guards],
        view_heading=view,
        view_angle=np.radians(110.0),
        view_distance=20.0,
    )
