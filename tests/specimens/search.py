"""Maps of a search that several tests fill and let spread."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from lastseen.cells.build import build_layout
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.search.map.search_map import SearchMap

HALL = "\n".join(["." * 41] * 41)
PILLARS = """
    ............
    ..##....#...
    ..##....#...
    ........#...
    ...#........
    ............
    .....###....
    ............
"""
CORRIDOR = "." * 40


@lru_cache
def level_cells(name):
    return build_layout(build_navmesh(sample(name)))


def filled(layout, settings="influence", **more):
    """A map on which every cell holds full influence."""
    search = SearchMap(layout, settings, **more)
    search.seed(np.arange(len(layout)))
    return search


def step_until(search, seconds, tick=0.1):
    for _ in range(round(seconds / tick)):
        search.advance(tick)
