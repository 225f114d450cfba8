"""Measure a level: exits, chokepoints, flanks, cover, exposure and cheapest paths."""

from __future__ import annotations

from .reasoning.tactical.area import area_reached, area_within
from .reasoning.tactical.cheapest_paths import CheapestPaths
from .reasoning.tactical.chokepoints import find_chokepoints
from .reasoning.tactical.cost_field import CostField
from .reasoning.tactical.environment import Environment
from .reasoning.tactical.exits import cells_closing, exits_of
from .reasoning.tactical.exposure import cells_seen, cover_against, cover_towards, expose, posts_watching
from .reasoning.tactical.far_targets import UnreachableAreas, detours
from .reasoning.tactical.flank import avenue, combat_line, flank_paths
from .reasoning.tactical.slots import slots_around

__all__ = [
    "CheapestPaths",
    "CostField",
    "Environment",
    "UnreachableAreas",
    "area_reached",
    "area_within",
    "avenue",
    "cells_closing",
    "cells_seen",
    "combat_line",
    "cover_against",
    "cover_towards",
    "detours",
    "exits_of",
    "expose",
    "find_chokepoints",
    "flank_paths",
    "posts_watching",
    "slots_around",
]
