"""Statuses that nodes return when they are ticked."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Status of a node; IDLE means not reached. Recordings store the numbers."""

    IDLE = 0
    RUNNING = 1
    SUCCESS = 2
    FAILURE = 3

    def __str__(self) -> str:
        return self.name.lower()


IDLE = Status.IDLE
"""The node was not reached."""
RUNNING = Status.RUNNING
"""The node needs more ticks."""
SUCCESS = Status.SUCCESS
"""The node has ended and achieved its purpose."""
FAILURE = Status.FAILURE
"""The node has ended and did not achieve its purpose."""
