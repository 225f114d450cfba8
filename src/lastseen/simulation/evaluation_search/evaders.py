"""Evaders: what somebody who is searched for does, as the one leaf of its tree."""

from __future__ import annotations

import numpy as np

from ...agents.behaviour.leaf import Leaf
from ...agents.behaviour.status import RUNNING, SUCCESS, Status
from ...agents.brains.mind import Mind, Place
from ...agents.brains.ready import place_query
from ...conventions import Floats
from .arena import Arena
from .beginnings import MODELS, Beginning

__all__ = ["make_evader"]

_FEARED = 20.0
"""Metres within which a searcher in sight is run from."""
_THINKS = 1.0
"""Seconds between two choices of one that runs."""
_OUT = 1.2
"""Metres from the exit at which one is out."""


class _Stayer(Leaf):
    """Stays low where it is; in a hiding place: in it."""

    kind = "stay low"

    def tick(self, mind: Mind) -> Status:
        """Stay."""
        mind.stand()
        mind.world.orders.arrays.stance[mind.number] = 1
        return RUNNING


class _SightBreaker(_Stayer):
    """Stays low until it sees a searcher near, then runs to where none of those it sees would see it."""

    kind = "break sight"

    def __init__(self) -> None:
        self._query = place_query("escape")
        self._goal: Place | None = None
        self._thinks = 0.0

    def tick(self, mind: Mind) -> Status:
        """Run, or stay low."""
        world = mind.world
        feet = world.bodies.xyz[world.watchers[world.spotted[0]]] if len(world.spotted) else np.zeros((0, 3))
        threats = feet[np.linalg.norm(feet - mind.xyz, axis=1) <= _FEARED]
        if len(threats) and world.time >= self._thinks:
            self._thinks = world.time + _THINKS
            choice = world.picker.pick(self._query, np.array(mind.xyz), places={"threats": threats})
            if choice.cell >= 0:
                self._goal = _place(choice.xyz[0])
        if self._goal is None or (mind.has_arrived and not len(threats)):
            self._goal = None
            return super().tick(mind)
        mind.go(self._goal, "run")
        return RUNNING


class _Roamer(Leaf):
    """Walks from one far place to another, as if nobody were after it."""

    kind = "roam"

    def __init__(self, floor_xyz: Floats, draw: np.random.Generator):
        self._floor, self._draw = floor_xyz, draw
        self._goal: Place | None = None

    def tick(self, mind: Mind) -> Status:
        """Walk on."""
        if self._goal is None or mind.has_arrived or mind.is_stopped:
            few = self._floor[self._draw.integers(len(self._floor), size=3)]
            self._goal = _place(few[int(np.linalg.norm(few - mind.xyz, axis=1).argmax())])
        mind.go(self._goal, "walk")
        return RUNNING


class _Sneaker(Leaf):
    """Sneaks to the exit; SUCCESS: it is out."""

    kind = "sneak out"

    def __init__(self, exit_xyz: Floats):
        self._exit = _place(exit_xyz)

    def tick(self, mind: Mind) -> Status:
        """Sneak on."""
        mind.go(self._exit, "sneak", pace=1.3)
        return SUCCESS if mind.distance_to(self._exit) <= _OUT else RUNNING


def make_evader(arena: Arena, beginning: Beginning, draw: np.random.Generator) -> Leaf:
    """Return what the evader of an episode does, SUCCESS once it is out; its draws do not depend on who searches."""
    name = MODELS[beginning.model]
    if name == "sight breaker":
        return _SightBreaker()
    if name == "roamer":
        return _Roamer(arena.floor_xyz, draw)
    return _Sneaker(beginning.exit_xyz) if name == "sneaker" else _Stayer()


def _place(xyz: Floats) -> Place:
    x, y, z = xyz.tolist()
    return x, y, z
