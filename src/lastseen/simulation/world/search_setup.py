"""The search of a scenario: which kind its name means, and what it is made of."""

from __future__ import annotations

import numpy as np

from ...agents.brains.hunt import Hunt
from ...agents.knowledge.knowledge import GRACES
from ...cells.live import LiveLayout
from ...conventions import Bools, Floats
from ...level.level import Level
from ...level.sight.query import sees
from ...level.sight.sight import Sight
from ...reasoning.search.coordinator.coordinator import SearchCoordinator
from ...reasoning.search.coordinator.spots import cover_points
from ...reasoning.search.gaps import GapDetector
from ...reasoning.search.map.search_map import SearchMap
from ...reasoning.search.search_settings import PRESETS, CoordinatorSettings
from ...reasoning.search.sight import EYE, Sees
from ...rng import generator
from ..scenario.scenario import Scenario

_OPENED_WITHIN = 1.5
"""Metres from which one can tell whether somebody is in a hiding place."""


def grace_of(scenario: Scenario) -> str:
    """What is known after the loss of sight: as the scenario says, else as the source of its kind of search has it."""
    return scenario.grace or ("frozen" if scenario.search in PRESETS else "followed")


def make_hunt(scenario: Scenario, level: Level, cells: LiveLayout, sight: Sight, seed: int, count: int) -> Hunt:
    """Make the search of a world with `count` agents.

    "both" is the coordinator over influence: spots weigh more where influence is, and where they run out the places of
    most influence become new ones, so that the search lasts its time.
    """
    names = {f"{number} {place.name}".strip(): place.xyz for number, place in enumerate(level.hiding_places)}
    influence = SearchMap(cells, scenario.search if scenario.search in PRESETS else "influence", spots=names)
    draws = generator(seed, "giving up").random(count)
    if scenario.search in PRESETS:
        return Hunt(influence, scenario.search_seconds, draws, cells=scenario.search_cells, lines=scenario.search_lines)
    settings = CoordinatorSettings(
        grace=GRACES[grace_of(scenario)],
        time_limit=scenario.search_seconds,
        recycle="oldest" if scenario.search == "both" else "off",
    )
    coordinator = SearchCoordinator(
        cells,
        settings,
        cover=cover_points(cells, level),
        sees=_sees(sight, level),
        search_map=influence if scenario.search == "both" else None,
        seed=seed,
    )
    gaps = GapDetector(cells.mesh, count, seed=seed)
    spreads = scenario.search == "both"
    return Hunt(
        influence,
        scenario.search_seconds,
        draws,
        coordinator=coordinator,
        spreads=spreads,
        gaps=gaps,
        cells=scenario.search_cells,
        lines=scenario.search_lines,
    )


def _sees(sight: Sight, level: Level) -> Sees:
    """Return sight by which a hiding place is not cleared from afar: somebody must go and open it."""
    places = np.array([place.xyz for place in level.hiding_places]).reshape(-1, 3)

    def test(eyes: Floats, points: Floats) -> Bools:
        seen = np.array(sees(sight, eyes, points))
        if len(places) and len(points):
            feet = points - EYE
            closed = (np.linalg.norm(feet[:, None] - places[None], axis=2) < 1.0).any(axis=1)
            seen &= ~closed | (np.linalg.norm(eyes - points, axis=1) <= _OPENED_WITHIN)
        return seen

    return test
