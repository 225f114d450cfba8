"""Where does a level say that players begin, and where they want to get?"""

from __future__ import annotations

import numpy as np

from ...conventions import Floats
from ...errors import InputError
from ...level.level import Level

__all__ = ["known_place"]

_GOALS = ("goal", "exit", "end")
"""Kinds of markers that are where players want to get."""


def known_place(level: Level, what: str, name: str, advice: str) -> Floats:
    """Return the only start or goal a level knows, (3,).

    Parameters
    ----------
    what : "start" or "goal".
    name : of the level, for messages.
    advice : what to do where it knows none or several; `{0}` stands for `what`.

    Raises
    ------
    InputError
        It knows none, or several.
    """
    if what == "start":
        known = [spawn.xyz for spawn in level.spawns if spawn.who == "player"]
    else:
        known = [mark.xyz for mark in level.markers if mark.kind in _GOALS]
    if len(known) != 1:
        many = "none" if not known else f"{len(known)} that may be it"
        raise InputError(f"where is the {what}? {name} says {many}; {advice.format(what)}")
    return np.array(known[0])
