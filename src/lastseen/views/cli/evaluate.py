"""`lastseen evaluate …`: how good is what guards believe?"""

from __future__ import annotations

from .main import LazyGroup

__all__ = ["command"]

command = LazyGroup(
    name="evaluate",
    homes={"chase": "evaluate_chase", "search": "evaluate_search"},
    help="Measure how well guards guess and search, in simulated pursuits and searches.",
)
