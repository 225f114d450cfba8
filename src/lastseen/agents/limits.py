"""Limits of what words and leaves are given: checked when a tree is read."""

from __future__ import annotations

from typing import Annotated

import msgspec

Metres = Annotated[float, msgspec.Meta(gt=0.0, le=1000.0)]
"""A distance that cannot be nothing."""
FromZero = Annotated[float, msgspec.Meta(ge=0.0, le=100_000.0)]
"""Metres or square metres that may be nothing."""
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=86_400.0)]
"""A time that may be nothing."""
Spell = Annotated[float, msgspec.Meta(gt=0.0, le=86_400.0)]
"""Seconds for which something stands: never none."""
Count = Annotated[int, msgspec.Meta(ge=1, le=64)]
"""How many places are looked for."""
Members = Annotated[int, msgspec.Meta(ge=1, le=10)]
"""How many of a crew."""
Crowd = Annotated[int, msgspec.Meta(ge=2, le=10)]
"""How many make a crew."""
Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
"""Of all."""
Ratio = Annotated[float, msgspec.Meta(ge=1.0, le=1000.0)]
"""How many times as long."""
Priority = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
"""How urgent."""
