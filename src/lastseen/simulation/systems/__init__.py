"""The systems of a step, in their order: each reads the present generation and writes its own part of the world."""

from __future__ import annotations

from .act import act, move
from .coordinate import coordinate
from .referee import referee
from .remember import remember
from .script import script
from .sense import sense
from .speak import speak
from .think import crews, think

__all__ = ["SYSTEMS"]

SYSTEMS = (script, sense, remember, crews, think, coordinate, act, speak, move, referee)
"""What happens in a step, one after another."""
