"""Places for searches and society: gathering points, exits to hold, overlooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from ....conventions import Array
from ....errors import InputError
from ....kernels.sight.sight_line import clear_lines
from ....reasoning.tactical.area import area_within
from ....reasoning.tactical.chokepoints import find_chokepoints
from ....reasoning.tactical.exits import exits_of
from ....reasoning.tactical.slots import slots_around
from ...bodies.bodies import STANCES
from ...brains.mind import Place
from ...brains.shipped_brains import place_query
from ...limits import Count, Metres, NotNegative
from ..crew_mind import CrewMind
from ..roles.vocabulary import Places, RoleWords
from .society import spot_of

_SAME = 2.0
"""Distance in metres within which two exits count as one."""
_OVERLOOKS = 14.0
"""Maximum distance in metres of an overlook."""
_ASIDE = np.array([(0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (-0.4, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, -0.4, 0.0)])
"""Offsets at which a member may stand after arriving at a place."""


def add_society_places(words: RoleWords) -> None:
    """Add the words for places."""
    words.place(gathering, room=lambda level, radius, count, apart: count)  # noqa: ARG005
    words.place(ways_out)
    words.place(chokepoints)
    words.place(overlooks, room=lambda level, around, count, clear: count)  # noqa: ARG005


def gathering(mind: CrewMind, radius: Metres = 1.5, count: Count = 8, apart: NotNegative = 0.8) -> Places:
    """Find evenly spread places around the crew's place, each with a straight path to it; computed once."""

    def find() -> Places:
        polled = slots_around(mind.world.cells, [spot_of(mind)], count, radius, apart=apart)
        there = np.flatnonzero(polled.found[0])
        return Places.of(polled.xyz[0, there], there, tuple(f"place {number + 1}" for number in there.tolist()))

    return _kept(mind, ("gathering", radius, count, apart), spot_of(mind), find)


def ways_out(mind: CrewMind, radius: Metres = 12.0, beyond: NotNegative = 20.0) -> Places:
    """Find the exits of the area where the search began, except those with less than `beyond` m² behind them."""
    middle = _middle(mind)

    def find() -> Places:
        try:
            found = exits_of(area_within(mind.world.cells, middle, radius))
        except InputError:
            return Places.of([])  # The place is not walkable.
        on = np.flatnonzero(found.goes_on | (found.beyond >= beyond))
        words = tuple(f"way out {number + 1} of {len(on)}" for number in range(len(on)))
        return Places.of(found.xyz[on], on, words)

    return _kept(mind, ("ways out", radius, beyond), middle, find)


def chokepoints(mind: CrewMind, radius: Metres = 20.0, widest: Metres = 2.5, detour: NotNegative = 20.0) -> Places:
    """Find narrow passages within a straight-line distance of where the search began.

    They are computed once per crew, so doors that open later are ignored.
    """
    middle = _middle(mind)

    def find() -> Places:
        cells = mind.world.cells
        found = find_chokepoints(cells, widest=widest, detour=detour, apart=_SAME, around=middle, radius=radius)
        words = tuple(f"chokepoint, {width:.1f} m wide" for width in found.width.tolist())
        return Places.of(found.xyz, words=words)

    return _kept(mind, ("chokepoints", radius, widest, detour), middle, find)


def overlooks(
    mind: CrewMind, around: Literal["search", "spot"] = "search", count: Count = 4, clear: bool = False
) -> Places:
    """Find places that overlook the start of the search, or the crew's place: not too near, and apart.

    If members are far from all such places, others count too; but not if the view has to be `clear`, so that the place
    is also seen from a step aside.
    """
    middle = _middle(mind) if around == "search" else spot_of(mind)

    def find() -> Places:
        query, chosen = place_query("support"), list[Place]()
        cells = _in_clear_view(mind, middle) if clear else None
        for member in mind.members[:count]:
            where = {"place": np.array([middle]), "colleagues": np.array(chosen).reshape(-1, 3)}
            choice = mind.world.reasoning.picker.pick(
                query, np.array(mind.place_of(member)), places=where, candidates=cells
            )
            if choice.cell >= 0:
                x, y, z = choice.xyz[0].tolist()
                chosen.append((x, y, z))
        return Places.of(chosen, words=tuple(f"overlook {number + 1}" for number in range(len(chosen))))

    return _kept(mind, ("overlooks", around, count, clear), middle, find)


def _in_clear_view(mind: CrewMind, middle: Place) -> Array:
    """Return the cells from which a place is seen even from a little aside."""
    xyz = mind.world.cells.arrays.cell_xyz
    near = np.flatnonzero(np.linalg.norm(xyz - middle, axis=1) <= _OVERLOOKS)
    stands = (xyz[near, None] + _ASIDE).reshape(-1, 3)
    stands[:, 2] += STANCES[0].eye
    points = np.tile(np.add(middle, (0.0, 0.0, STANCES[0].chest)), (len(stands), 1))
    clear = np.zeros(len(stands), np.bool_)
    clear_lines(mind.world.sight.arrays, stands, points, clear)
    return near[clear.reshape(-1, len(_ASIDE)).all(axis=1)]


def _middle(mind: CrewMind) -> Place:
    return mind.world.hunt.place or spot_of(mind)


def _kept(mind: CrewMind, asked: tuple[object, ...], middle: Place, find: Callable[[], Places]) -> Places:
    """Return the cached places for the same middle, or find them now."""
    known = mind.blackboard.setdefault("places of society", {})
    if asked not in known or known[asked][0] != middle:
        known[asked] = (middle, find())
    places: Places = known[asked][1]
    return places
