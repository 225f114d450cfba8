"""Search for a target that may be hiding: influence, destinations, modes and how searchers share the work."""

from __future__ import annotations

from .reasoning.search.coordinator import SearchCoordinator
from .reasoning.search.destination import Destination, Scoring
from .reasoning.search.gaps import GapDetector
from .reasoning.search.graph import search_graph
from .reasoning.search.influence import SearchMap
from .reasoning.search.modes import CoordinatorSettings
from .reasoning.search.settings import SearchSettings
from .reasoning.search.spot_sources import cover_points

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
