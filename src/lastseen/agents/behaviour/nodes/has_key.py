"""HasKey: has anything been written to a key?"""

from __future__ import annotations

from typing import Any

from ..leaf import Leaf
from ..ports import Input
from ..status import FAILURE, SUCCESS, Status

__all__ = ["HasKey"]


class HasKey(Leaf):
    """Looks whether a key holds anything but nothing (None).

    | the key                 | has key |
    |-------------------------|---------|
    | was written, not None   | SUCCESS |
    | was not written, is None | FAILURE |
    """

    kind = "has_key"

    def __init__(self, key: Input[Any], *, name: str = ""):
        self.key = key
        self.name = name

    def details(self) -> str:
        """Return the key."""
        return f"key: {self.key}"

    def tick(self, context: Any) -> Status:
        """Look."""
        return FAILURE if context.blackboard.get(self.key.key) is None else SUCCESS
