"""What a node answers when it is ticked."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """IDLE: not reached; the others are answers. The numbers are those of recordings."""

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
"""The node is done and did what it was for."""
FAILURE = Status.FAILURE
"""The node is done and did not do what it was for."""
