"""Platforms of a live layout: which are present, and the cuts that hold the floor of the others absent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..checks import shown
from ..conventions import Bools
from ..errors import QueryError, did_you_mean
from ..level.level import Level, Platform
from ..navmesh.body import Body
from ..navmesh.cut import Cut
from ..navmesh.platforms import Gap, sites_of


class LivePlatforms:
    """Follow platforms that come and go with cuts: one per site with absent platforms.

    Parameters
    ----------
    cut, lift : add the cut of a gap to a layout, and lift it again.
    """

    def __init__(self, level: Level, body: Body, cut: Callable[[Gap], Cut], lift: Callable[[Cut], None]):
        self._cut, self._lift = cut, lift
        self._sites = sites_of(level, body)
        self._gaps: dict[int, Cut] = {}
        self.present: Bools = np.ones(len(level.platforms), np.bool_)
        self.set([piece.present for piece in level.platforms])

    def set(self, present: Any) -> None:
        """Set which platforms are present; if the geometry library fails, the sites that follow stay as they were."""
        wanted = np.array(present, np.bool_)
        if wanted.shape != self.present.shape:
            raise QueryError(f"the platforms were given as {shown(present)}; give {len(self.present)} bools")
        for number, site in enumerate(self._sites):
            own = list(site.numbers)
            if (wanted[own] == self.present[own]).all():
                continue
            gap = site.gap(wanted)
            # The new gap comes first: if it cannot be cut, the old one still stands.
            new = None if gap is None else self._cut(gap)
            old = self._gaps.pop(number, None)
            if new is not None:
                self._gaps[number] = new
            if old is not None:
                self._lift(old)
            self.present[own] = wanted[own]


def platform_number(platforms: tuple[Platform, ...], name: Any, at: str | None) -> int:
    """Return the number of a platform in a position; without `at`, the only position, or that in which it is drawn.

    Raises
    ------
    QueryError
        No platform has that name, or none is in that position.
    """
    named = [number for number, piece in enumerate(platforms) if piece.name == name]
    if not named:
        names = sorted({piece.name for piece in platforms})
        raise QueryError(
            f"the level has no platform {shown(name)}{did_you_mean(name, names)}; its platforms: "
            f"{', '.join(names) or 'none'}"
        )
    if at is None:
        return next((number for number in named if platforms[number].present), named[0])
    found = [number for number in named if platforms[number].at == at]
    if not found:
        places = [platforms[number].at for number in named]
        known = ", ".join(map(repr, places))
        raise QueryError(f"platform {name!r} has no position {shown(at)}{did_you_mean(at, places)}; it has {known}")
    return found[0]
