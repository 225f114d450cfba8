"""`lastseen guards …`: place guards in a level and check whether players can still sneak through."""

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
    help="Place guards around an intended path, verify and improve them.",
)
