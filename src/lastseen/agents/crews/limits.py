"""Limits of what words are given: checked when a tree is read."""

from __future__ import annotations

from typing import Annotated

import msgspec

__all__ = ["Count", "FromZero", "Metres"]

Metres = Annotated[float, msgspec.Meta(gt=0.0, le=1000.0)]
"""A distance that cannot be nothing."""
FromZero = Annotated[float, msgspec.Meta(ge=0.0, le=100_000.0)]
"""Metres or square metres that may be nothing."""
Count = Annotated[int, msgspec.Meta(ge=1, le=64)]
"""How many places are looked for."""
