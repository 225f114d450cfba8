"""Sight: what stands in the way of looks on a level, and which doors are closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import shown
from ...conventions import Bools
from ...errors import QueryError, did_you_mean
from ...kernels.sight_arrays import SightArrays
from ..level import Level

__all__ = ["Sight"]


@dataclass(frozen=True, eq=False)
class Sight:
    """What blocks sight on a level; only the doors change.

    One writer: set no door while another thread asks.

    Attributes
    ----------
    arrays : all that kernels need; `shut` is written by `set_door`, the others are read-only.
    door_names : names of the level's doors, in its order.
    wall_height : metres walls rise above the floor they border.
    """

    arrays: SightArrays
    door_names: tuple[str, ...]
    wall_height: float

    @classmethod
    def from_level(cls, level: Level, *, wall_height: float = 3.0) -> Sight:
        """Collect what blocks sight on a level; doors are as the level says at the start.

        Parameters
        ----------
        wall_height : how tall walls stand where the floor ends, 0.1 … 1000 m.
        """
        from .build import build_sight

        return build_sight(level, wall_height=wall_height)

    @property
    def closed(self) -> Bools:
        """Whether each door is closed now, (doors,), a copy."""
        return self.arrays.shut[1:] != 0

    def set_door(self, door: str | int, closed: bool) -> None:
        """Close or open a door, by name or number.

        Raises
        ------
        QueryError
            No door has that name or number, or several share the name: say which by its number.
        """
        self.arrays.shut[1 + _number(self.door_names, door)] = bool(closed)

    def set_doors(self, closed: Any) -> None:
        """Close and open all doors at once: one truth value each, or one for all."""
        try:
            self.arrays.shut[1:] = np.asarray(closed, dtype=np.bool_)
        except (TypeError, ValueError):
            raise QueryError(
                f"the doors were given as {shown(closed)}; give {len(self.door_names)} truth values"
            ) from None


def _number(names: tuple[str, ...], door: object) -> int:
    if isinstance(door, str):
        found = [number for number, name in enumerate(names) if name == door]
        if len(found) == 1:
            return found[0]
        if found:
            raise QueryError(f"{len(found)} doors are named {door!r}: say which by its number, one of {found}")
        raise QueryError(f"there is no door {door!r}{did_you_mean(door, names)}; the level has {_listed(names)}")
    if isinstance(door, int | np.integer) and not isinstance(door, bool) and 0 <= door < len(names):
        return int(door)
    raise QueryError(f"there is no door {shown(door)}; the level has {_listed(names)}, numbered from 0")


def _listed(names: tuple[str, ...]) -> str:
    if not names:
        return "no doors"
    words = ", ".join(repr(name) for name in names[:8] if name) + (" …" if len(names) > 8 else "")
    return f"{len(names)} doors" + (f": {words}" if words else "")
