"""Bins: amounts of resources held by a player, a unit or the tiles of a map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, shown, table_of, text_of, whole_number
from ....conventions import Floats, Ids
from ....errors import RuleError, did_you_mean

BINS = ("unit", "map", "player")
"""Bin names in a rule: the unit that runs it, the tiles under that unit, and the player's single inventory."""

_MOST_TILES = 10_000_000


class Unit:
    """A unit that runs rules, with its own amounts and the tiles it stands on."""

    def __init__(self, name: str, kind: str, amounts: Floats, tiles: Ids):
        self.name, self.kind, self.amounts, self.tiles = name, kind, amounts, tiles


class Bins:
    """All amounts: one row of floats per bin, one column per resource.

    Parameters
    ----------
    resources : their names.
    tiles : number of tiles of the map.
    spread : where a unit on several tiles puts its output on the map: all on the "first", or "evenly" on all of them.

    Attributes
    ----------
    reads : number of tiles read so far.

    Notes
    -----
    Chapter 8 of Game AI Pro 2 (Zubek). A rule takes resources from the map tile by tile, in the order of the unit's
    tiles, until it has enough; the chapter leaves this open.
    """

    def __init__(self, resources: Iterable[str], *, tiles: int = 0, spread: Literal["first", "evenly"] = "first"):
        names = [text_of(name, "a resource") for name in _listed(resources, "resources")]
        if len(set(names)) < len(names) or not all(names):
            raise RuleError("a resource has no name or is listed twice; give each a unique name")
        if whole_number(tiles, "tiles") > _MOST_TILES:
            raise RuleError(f"tiles is {tiles}; give at most {_MOST_TILES}")
        if not isinstance(spread, str) or spread not in ("first", "evenly"):
            raise RuleError(f"spread is {shown(spread)}; give 'first' or 'evenly'")
        self.number_of = {name: number for number, name in enumerate(names)}
        self.player = np.zeros(len(names))
        self.map = np.zeros((tiles, len(names)))
        self.spread, self.reads = spread, 0

    def resource(self, name: Any) -> int:
        """Return the number of a resource."""
        if not isinstance(name, str) or name not in self.number_of:
            hint = did_you_mean(name, self.number_of)
            raise RuleError(f"no resource {shown(name)}{hint}; there are {', '.join(self.number_of)}")
        return self.number_of[name]

    def unit(self, name: str, kind: str, tiles: Sequence[int] = (), amounts: Mapping[str, float] | None = None) -> Unit:
        """Return a unit that stands on the given tiles and holds the given amounts."""
        held = np.zeros(len(self.number_of))
        for resource, amount in table_of(amounts, "amounts").items():
            held[self.resource(resource)] = finite_number(amount, resource)
        places = [whole_number(tile, "a tile") for tile in _listed(tiles, "tiles")]
        if any(tile >= len(self.map) for tile in places):
            raise RuleError(f"tiles of {name!r} are {places}; there are {len(self.map)}, from 0")
        return Unit(text_of(name, "name"), text_of(kind, "kind"), held, np.array(places, np.int32))

    def amount(self, unit: Unit, where: str, resource: int, *, most: bool = False) -> float:
        """Return the amount in a bin; on the map, the sum over the unit's tiles or the largest single tile (`most`)."""
        if where == "unit":
            return float(unit.amounts[resource])
        if where == "player":
            return float(self.player[resource])
        self.reads += len(unit.tiles)
        there = self.map[unit.tiles, resource]
        return float((there.max() if most else there.sum()) if len(there) else 0.0)

    def add(self, unit: Unit, where: str, resource: int, amount: float) -> None:
        """Add an amount to a bin; a negative amount is taken out of the map's tiles as far as they hold it."""
        if where != "map":
            (unit.amounts if where == "unit" else self.player)[resource] += amount
        elif amount < 0.0:
            self._take_from_tiles(unit, resource, -amount)
        elif len(unit.tiles):
            onto = unit.tiles[:1] if self.spread == "first" else unit.tiles
            self.map[onto, resource] += amount / len(onto)

    def _take_from_tiles(self, unit: Unit, resource: int, amount: float) -> None:
        for tile in unit.tiles.tolist():
            taken = min(amount, float(self.map[tile, resource]))
            self.map[tile, resource] -= taken
            amount -= taken


def _listed(values: Any, name: str) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise RuleError(f"{name} are {shown(values)}; give a list")
    return list(values)
