"""Pick places by weighted criteria, from code or from query files."""

from __future__ import annotations

from .reasoning.locations.choice import Choice, Choices
from .reasoning.locations.criteria import (
    Angle,
    Cover,
    Crowd,
    Distance,
    Height,
    InZone,
    LayerValue,
    Lead,
    PathClearance,
    Seen,
)
from .reasoning.locations.curve import Curve
from .reasoning.locations.picker import Picker
from .reasoning.locations.query import Pick, Query, parse_query, read_query, shipped_queries, shipped_query
from .reasoning.locations.query_places import Place, places_of

__all__ = [
    "Angle",
    "Choice",
    "Choices",
    "Cover",
    "Crowd",
    "Curve",
    "Distance",
    "Height",
    "InZone",
    "LayerValue",
    "Lead",
    "PathClearance",
    "Pick",
    "Picker",
    "Place",
    "Query",
    "Seen",
    "parse_query",
    "places_of",
    "read_query",
    "shipped_queries",
    "shipped_query",
]
