"""`lastseen guards …`: who guards a level, and can it still be sneaked through?"""

from __future__ import annotations

from .main import LazyGroup

__all__ = ["command"]

command = LazyGroup(
    name="guards",
    homes={
        "place": "guards_place",
        "verify": "guards_verify",
        "improve": "guards_improve",
        "experiment": "guards_experiment",
    },
    help="Place guards for a path players are meant to take, verify that players come through, improve guards.",
)
