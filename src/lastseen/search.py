"""Search for a target that may be hiding: influence, destinations, modes and how searchers share the work."""

from __future__ import annotations

from .reasoning.search.coordinator.coordinator import SearchCoordinator
from .reasoning.search.coordinator.search_graph import search_graph
from .reasoning.search.coordinator.spots import cover_points
from .reasoning.search.gaps import GapDetector
from .reasoning.search.map.destination import Destination, Scoring
from .reasoning.search.map.search_map import SearchMap
from .reasoning.search.search_settings import CoordinatorSettings, SearchSettings

__all__ = [
    "CoordinatorSettings",
    "Destination",
    "GapDetector",
    "Scoring",
    "SearchCoordinator",
    "SearchMap",
    "SearchSettings",
    "cover_points",
    "search_graph",
]
