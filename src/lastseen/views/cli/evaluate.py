"""`lastseen evaluate …`: how good is what guards believe, and do together?"""

from __future__ import annotations

from .main import LazyGroup

__all__ = ["command"]

command = LazyGroup(
    name="evaluate",
    homes={"chase": "evaluate_chase", "crews": "evaluate_crews", "search": "evaluate_search"},
    help="Measure how well guards guess, search and act together, in simulated pursuits, searches and fights.",
)
