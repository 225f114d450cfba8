"""Contenders: the search methods to measure, by name, and guides that replace the world's own search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ....agents.behaviour.leaf import Leaf
from ....agents.behaviour.status import FAILURE, SUCCESS, Status
from ....agents.brains.hunt import SearchOrder
from ....agents.brains.mind import Mind, Place, as_place
from ....cells.live import LiveLayout
from ....conventions import Array, Floats
from ....errors import InputError, did_you_mean
from ....level.level import Level
from ....reasoning.input_checks import changes_in
from ....reasoning.search.map.destination import Scoring
from ....reasoning.search.map.search_map import SearchMap
from ....reasoning.search.search_settings import SearchSettings, SpotWeights
from ....reasoning.search.search_spec import SEARCHES, SearchSpec, search_spec
from ...world.world import World

BASE = "random"
"""The baseline for comparisons."""

_Kind = Literal["search", "random", "cheating", "ideal", "standing"]


@dataclass(frozen=True)
class Contender:
    """A named search method.

    Attributes
    ----------
    kind : "search": the world's own search; the others are directed by a guide.
    told : it knows where the evader really is, always or at first; an upper bound, not a rival.
    search : its search with settings; with a guide, its map is only used for measuring.
    """

    name: str
    kind: _Kind = "search"
    told: bool = False
    search: SearchSpec = search_spec("influence")  # noqa: RUF009 - frozen

    @property
    def has_map(self) -> bool:
        """Whether an influence map directs its search."""
        return self.kind == "search" and self.search.has_map

    @property
    def has_coordinator(self) -> bool:
        """Whether a coordinator directs its search."""
        return self.kind == "search" and self.search.has_coordinator


_OWN = {
    "cheating": Contender("cheating", "cheating", told=True),
    "knowing coordinator": Contender("knowing coordinator", told=True, search=search_spec("coordinator")),
    "ideal": Contender("ideal", "ideal", told=True),
    "random": Contender("random", "random"),
    "standing": Contender("standing", "standing"),
}

DEFAULT = ("cheating", "gain", "influence", "careful", "bleeding", "coordinator", "both", "knowing coordinator",
           "random", "standing")  # fmt: skip
"""Contenders measured by default."""


def contender_names() -> tuple[str, ...]:
    """Return the names that `contenders` knows: its own and every kind of search."""
    return tuple(dict.fromkeys([*DEFAULT, *SEARCHES, *_OWN]))


def contenders(names: Sequence[str], changes: Mapping[str, Any] | None = None) -> tuple[Contender, ...]:
    """Return contenders by name; settings can be modified: `influence:speed=2`.

    The random searcher is added if it is missing, as the baseline for comparisons. `changes` are settings of all maps
    ("search"), coordinators ("coordinator") and their weights ("spot").
    """
    known = contender_names()
    found = []
    for name in dict.fromkeys([*names, BASE]):
        head = name.split(":")[0]
        if head not in known:
            raise InputError(f"no contender {name!r}{did_you_mean(head, known)}; contenders: {', '.join(known)}")
        found.append(_contender(name, head, changes or {}))
    _require_use(found, changes or {})
    return tuple(found)


def _require_use(found: Sequence[Contender], changes: Mapping[str, Any]) -> None:
    """Raise if settings are changed that no contender has."""
    maps, coordinators = any(one.has_map for one in found), any(one.has_coordinator for one in found)
    for prefix, is_used in (("search", maps), ("coordinator", coordinators), ("spot", coordinators)):
        if not is_used and changes.get(prefix):
            name = f"{prefix}_{next(iter(changes[prefix]))}"
            raise InputError(f"no contender uses {name}; leave it out, or add a contender such as 'both'")


def _contender(name: str, head: str, common: Mapping[str, Any]) -> Contender:
    if head in _OWN and name != head:
        raise InputError(f"contender {name!r}: only searches have settings; leave out the colon")
    changes = changes_in(name, "contender", "influence:speed=2")
    found = _OWN[head] if head in _OWN else Contender(name, search=search_spec(name))
    of_map = common.get("search", {}) if found.has_map else {}
    orders = dict(common.get("coordinator", {})) if found.has_coordinator else {}
    if found.has_coordinator and common.get("spot"):
        orders["weights"] = SpotWeights(**common["spot"])
    for prefix, settings in (("search", of_map), ("coordinator", orders)):
        if twice := [one for one in changes if one in settings]:
            raise InputError(f"{twice[0]} is set by contender {name!r} and by {prefix}_{twice[0]}; set it in one place")
    search = found.search
    return replace(
        found,
        search=replace(search, settings=search.settings.but(**of_map), coordinator={**search.coordinator, **orders}),
    )


_RANDOM_REACH = 25.0
_ALL_ROUND = Scoring(by="gain", view=12.0, stale=0.0, looks=400)
"""How an ideal searcher chooses: by all that it sees within 12 m."""


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


class IdealGuide(Guide):
    """Send searchers where a look shows most of the places where the evader may be; they see all around.

    Parameters
    ----------
    holding, everywhere : the cells where it may be at the beginning, and all cells, for when these were searched.
    """

    def __init__(self, level: Level, cells: LiveLayout, holding: Array, everywhere: Array):
        spots = {f"{number} {place.name}".strip(): place.xyz for number, place in enumerate(level.hiding_places)}
        self._map = SearchMap(cells, SearchSettings(speed=0.0, returns="never"), spots=spots)
        self._map.seed(holding.astype(np.int32))
        self._everywhere, self._goals = everywhere.astype(np.int32), dict[int, Place]()

    def choose(self, mind: Mind) -> Place | None:
        """Return the place from which most is seen per metre of walking."""
        others = [place for agent, place in self._goals.items() if agent != mind.number]
        found = self._map.destination(mind.xyz, others, scoring=_ALL_ROUND)
        if not found:
            self._map.seed(self._everywhere)
            found = self._map.destination(mind.xyz, others, scoring=_ALL_ROUND)
        self._goals[mind.number] = as_place(found.xyz) if found else mind.xyz
        return self._goals[mind.number]

    def update(self, world: World) -> None:
        """Clear what the searchers see."""
        for xyz in world.bodies.xyz[:-1]:
            self._map.dismiss(xyz, scoring=_ALL_ROUND)


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
