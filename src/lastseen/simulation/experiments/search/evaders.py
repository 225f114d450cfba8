"""Evaders: behaviour of the searched target, as the single leaf of its tree."""

from __future__ import annotations

import numpy as np

from ....agents.behaviour.files.build import build_tree
from ....agents.behaviour.leaf import Leaf
from ....agents.behaviour.status import RUNNING, SUCCESS, Status
from ....agents.brains.leaves.registry import brain_leaves
from ....agents.brains.mind import Mind, Place
from ....agents.brains.shipped_brains import STYLES, place_query, shipped_brain
from ....conventions import Floats
from .beginnings import MODELS, Arena, Beginning

_FEARED = 20.0
"""Distance in metres within which the evader runs from a visible searcher."""
_THINKS = 1.0
"""Seconds between two decisions of a running evader."""
_OUT = 1.2
"""Distance in metres from the exit at which the evader has escaped."""


class _Stayer(Leaf):
    """Stay low in place, or in a hiding place."""

    kind = "stay low"

    def tick(self, mind: Mind) -> Status:
        """Stay in place."""
        mind.stand()
        mind.world.orders.crouch(mind.number)
        return RUNNING


class _SightBreaker(_Stayer):
    """Stay low until a searcher comes into view nearby, then run out of sight of all visible searchers."""

    kind = "break sight"

    def __init__(self) -> None:
        self._query = place_query("escape")
        self._goal: Place | None = None
        self._thinks = 0.0

    def tick(self, mind: Mind) -> Status:
        """Run, or stay low."""
        world = mind.world
        spotted = mind.senses.spotted
        feet = world.bodies.xyz[world.cast.watchers[spotted[0]]] if len(spotted) else np.zeros((0, 3))
        threats = feet[np.linalg.norm(feet - mind.xyz, axis=1) <= _FEARED]
        if len(threats) and world.time >= self._thinks:
            self._thinks = world.time + _THINKS
            choice = world.reasoning.picker.pick(self._query, np.array(mind.xyz), places={"threats": threats})
            if choice.cell >= 0:
                self._goal = _place(choice.xyz[0])
        if self._goal is None or (mind.has_arrived and not len(threats)):
            self._goal = None
            return super().tick(mind)
        mind.go(self._goal, "run")
        return RUNNING


class _Roamer(Leaf):
    """Walk from one distant place to another, as if not pursued."""

    kind = "roam"

    def __init__(self, floor_xyz: Floats, draw: np.random.Generator):
        self._floor, self._draw = floor_xyz, draw
        self._goal: Place | None = None

    def tick(self, mind: Mind) -> Status:
        """Keep walking."""
        if self._goal is None or mind.has_arrived or mind.is_stopped:
            few = self._floor[self._draw.integers(len(self._floor), size=3)]
            self._goal = _place(few[int(np.linalg.norm(few - mind.xyz, axis=1).argmax())])
        mind.go(self._goal, "walk")
        return RUNNING


class _Sneaker(Leaf):
    """Sneak to the exit; SUCCESS once outside."""

    kind = "sneak out"

    def __init__(self, exit_xyz: Floats):
        self._exit = _place(exit_xyz)

    def tick(self, mind: Mind) -> Status:
        """Keep sneaking."""
        mind.go(self._exit, "sneak", pace=1.3)
        return SUCCESS if mind.distance_to(self._exit) <= _OUT else RUNNING


class _Style(Leaf):
    """The tree of a shipped brain; SUCCESS once at an exit, or where a sneaker would go on a level without any."""

    kind = "style"

    def __init__(self, brain: str, exits_xyz: Floats):
        self._tree, self._exits_xyz = build_tree(shipped_brain(brain), brain_leaves()), exits_xyz

    def tick(self, mind: Mind) -> Status:
        """Tick the tree."""
        self._tree.tick(mind)
        return SUCCESS if np.linalg.norm(self._exits_xyz - mind.xyz, axis=1).min() <= _OUT else RUNNING


def make_evader(arena: Arena, beginning: Beginning, draw: np.random.Generator) -> Leaf:
    """Return the evader of an episode, SUCCESS once it has escaped; its draws do not depend on the contender."""
    name = MODELS[beginning.model]
    if name in STYLES:
        exits = arena.exits_xyz if len(arena.exits_xyz) else beginning.exit_xyz[None]
        return _Style(name, exits)
    if name == "sight breaker":
        return _SightBreaker()
    if name == "roamer":
        return _Roamer(arena.floor_xyz, draw)
    return _Sneaker(beginning.exit_xyz) if name == "sneaker" else _Stayer()


def _place(xyz: Floats) -> Place:
    x, y, z = xyz.tolist()
    return x, y, z
