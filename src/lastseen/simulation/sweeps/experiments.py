"""Which experiments can be swept, by name."""

from __future__ import annotations

from .chase import CHASE
from .experiment import Experiment
from .placement import PLACEMENT
from .search import SEARCH
from .verification import VERIFICATION

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: dict[str, Experiment] = {one.name: one for one in (CHASE, SEARCH, PLACEMENT, VERIFICATION)}
