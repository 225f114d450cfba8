"""Types of the parameters of words and leaves, with their ranges; checked when a tree is read."""

from __future__ import annotations

from typing import Annotated

import msgspec

Metres = Annotated[float, msgspec.Meta(gt=0.0, le=1000.0)]
"""Distance in metres, > 0."""
NotNegative = Annotated[float, msgspec.Meta(ge=0.0, le=100_000.0)]
"""Metres, square metres or seconds, ≥ 0."""
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=86_400.0)]
"""Time in seconds, ≥ 0, at most a day."""
Timespan = Annotated[float, msgspec.Meta(gt=0.0, le=86_400.0)]
"""Duration in seconds, > 0, at most a day."""
Count = Annotated[int, msgspec.Meta(ge=1, le=64)]
"""Number of places, 1 … 64."""
Members = Annotated[int, msgspec.Meta(ge=1, le=10)]
"""Number of members of a crew, 1 … 10."""
CrewSize = Annotated[int, msgspec.Meta(ge=2, le=10)]
"""Number of agents that form a crew, 2 … 10."""
Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
"""Fraction, 0 … 1."""
Ratio = Annotated[float, msgspec.Meta(ge=1.0, le=1000.0)]
"""Factor, 1 … 1000."""
Priority = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
"""Urgency; higher is more urgent."""
