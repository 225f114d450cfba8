"""Find where a level lets players start, and where they must get to."""

from __future__ import annotations

import numpy as np

from ...conventions import Floats
from ...errors import InputError
from ...level.level import Level

__all__ = ["known_place"]

_GOALS = ("goal", "exit", "end")
"""Kinds of markers that mark a goal of players."""


def known_place(level: Level, what: str, name: str, advice: str) -> Floats:
    """Return the only start or goal of a level, (3,).

    Parameters
    ----------
    what : "start" or "goal".
    name : name of the level, for messages.
    advice : what to do if there is none or more than one; `{0}` stands for `what`.

    Raises
    ------
    InputError
        There is none, or more than one.
    """
    if what == "start":
        known = [spawn.xyz for spawn in level.spawns if spawn.who == "player"]
    else:
        known = [mark.xyz for mark in level.markers if mark.kind in _GOALS]
    if len(known) != 1:
        many = "none" if not known else f"{len(known)}"
        raise InputError(f"{name} must have exactly one {what}, but has {many}; {advice.format(what)}")
    return np.array(known[0])
