"""Contenders: the search methods to measure, by name, and guides that replace the world's own search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ....agents.behaviour.leaf import Leaf
from ....agents.behaviour.status import FAILURE, SUCCESS, Status
from ....agents.brains.hunt import SearchOrder
from ....agents.brains.mind import Mind, Place
from ....conventions import Floats
from ....errors import InputError, did_you_mean
from ....reasoning.search.search_settings import PRESETS, SearchSettings
from ...world.world import World
from ..harness.parameters import changes_of

BASE = "random"
"""The baseline for comparisons."""

_Kind = Literal["search", "random", "cheating", "standing"]


@dataclass(frozen=True)
class Contender:
    """A named search method.

    Attributes
    ----------
    kind : "search": the world's own search; the others are directed by a guide.
    told : it knows where the evader really is, always or at first; an upper bound, not a rival.
    search : of the scenario; with a guide, its map is only used for measuring.
    settings : of the search map, instead of the preset's.
    """

    name: str
    kind: _Kind = "search"
    told: bool = False
    search: str = "influence"
    settings: SearchSettings | None = None


_OWN = {
    "cheating": Contender("cheating", "cheating", told=True),
    "coordinator": Contender("coordinator", search="coordinator"),
    "both": Contender("both", search="both"),
    "knowing coordinator": Contender("knowing coordinator", told=True, search="coordinator"),
    "random": Contender("random", "random"),
    "standing": Contender("standing", "standing"),
}

DEFAULT = ("cheating", "influence", "careful", "bleeding", "coordinator", "both", "knowing coordinator", "random",
           "standing")  # fmt: skip
"""Contenders measured by default."""


def contender_names() -> tuple[str, ...]:
    """Return the names that `contenders` knows: its own and every preset of the search map."""
    return tuple(dict.fromkeys([*DEFAULT, *PRESETS, *_OWN]))


def contenders(names: Sequence[str]) -> tuple[Contender, ...]:
    """Return contenders by name; settings can be modified: `influence:speed=2`.

    The random searcher is added if it is missing, as the baseline for comparisons.
    """
    known = contender_names()
    found = []
    for name in dict.fromkeys([*names, BASE]):
        head = name.split(":")[0]
        if head not in known:
            raise InputError(f"no contender {name!r}{did_you_mean(head, known)}; contenders: {', '.join(known)}")
        found.append(_contender(name, head))
    return tuple(found)


def _contender(name: str, head: str) -> Contender:
    changes = changes_of(name, "contender", "influence:speed=2")
    if head in PRESETS:
        return Contender(name, search=head, settings=PRESETS[head].but(**changes) if changes else None)
    if changes:
        raise InputError(f"contender {name!r}: only presets of the search map have settings; leave out the colon")
    return _OWN[head]


_RANDOM_REACH = 25.0


class Guide:
    """Give no directions: searchers stand and look around."""

    def choose(self, mind: Mind) -> Place | None:  # noqa: ARG002
        """Return where this searcher should look next, or None to stay and look around."""
        return None

    def update(self, world: World) -> None:
        """Advance before each step."""


class RandomGuide(Guide):
    """Choose a random place within 25 m."""

    def __init__(self, floor_xyz: Floats, draw: np.random.Generator):
        self._floor, self._draw = floor_xyz, draw

    def choose(self, mind: Mind) -> Place | None:
        """Draw a place."""
        near = self._floor[np.linalg.norm(self._floor - mind.xyz, axis=1) <= _RANDOM_REACH]
        x, y, z = near[self._draw.integers(len(near))].tolist()
        return x, y, z


class CheatingGuide(Guide):
    """Direct searchers to the evader's true position at all times."""

    def __init__(self, target: int):
        self._target = target

    def choose(self, mind: Mind) -> Place | None:
        """Return the true position."""
        x, y, z = mind.world.bodies.xyz[self._target].tolist()
        return x, y, z

    def update(self, world: World) -> None:
        """Update all searchers' goals."""
        for mind in world.minds[: self._target]:
            mind.blackboard["goal"] = self.choose(mind)


class NextPlace(Leaf):
    """Ask the guide and write the place to "goal"; FAILURE if it has none."""

    kind = "next_place"
    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, guide: Guide, *, name: str = ""):
        self.guide, self.name = guide, name

    def tick(self, mind: Mind) -> Status:
        """Ask the guide once."""
        found = self.guide.choose(mind)
        if found is None:
            self.reason = "told nothing"
            return FAILURE
        mind.blackboard["goal"] = found
        return SUCCESS


class SamePace(Leaf):
    """Set the same pace for any order, so that contenders differ only in where they look. Always SUCCESS."""

    kind = "same_pace"
    reads = {"order": SearchOrder}  # noqa: RUF012

    def __init__(self, pace: float, *, name: str = ""):
        self.pace, self.name = pace, name

    def tick(self, mind: Mind) -> Status:
        """Modify the order."""
        mind.blackboard["order"] = replace(mind.blackboard["order"], gait="walk", pace=self.pace)
        return SUCCESS
