"""What a node answers when it is ticked."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["FAILURE", "IDLE", "RUNNING", "SUCCESS", "Status"]


class Status(IntEnum):
    """IDLE: not reached; the others are answers. The numbers are those of recordings."""

    IDLE = 0
    RUNNING = 1
    SUCCESS = 2
    FAILURE = 3

    def __str__(self) -> str:
        return self.name.lower()


IDLE = Status.IDLE
RUNNING = Status.RUNNING
SUCCESS = Status.SUCCESS
FAILURE = Status.FAILURE
