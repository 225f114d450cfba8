"""Bins: amounts of resources that a player, a unit or the tiles of a map hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ...checks import finite_number, shown, table_of, text_of, whole_number
from ...conventions import Floats, Ids
from ...errors import RuleError, did_you_mean

__all__ = ["BINS", "Bins", "Unit"]

BINS = ("unit", "map", "player")
"""Names in the context of a rule: the unit that runs it, the tiles under that unit, the one inventory of the player."""

_MOST_TILES = 10_000_000


class Unit:
    """Somebody or something that runs rules: its own amounts, and the tiles it stands on."""

    def __init__(self, name: str, kind: str, amounts: Floats, tiles: Ids):
        self.name, self.kind, self.amounts, self.tiles = name, kind, amounts, tiles


class Bins:
    """All amounts: a row of floats for each bin, one number for each resource.

    Parameters
    ----------
    resources : names.
    tiles : number of tiles of the map.
    spread : where a unit on several tiles puts what it makes for the map: all on its "first", or "evenly" on all.

    Attributes
    ----------
    reads : tiles looked at so far.

    Notes
    -----
    Chapter 8 of Game AI Pro 2 (Zubek). What a rule takes from the map is taken tile by tile, in the order of the unit's
    tiles, until it is enough: the chapter leaves that open.
    """

    def __init__(self, resources: Iterable[str], *, tiles: int = 0, spread: Literal["first", "evenly"] = "first"):
        names = [text_of(name, "a resource") for name in _listed(resources, "resources")]
        if len(set(names)) < len(names) or not all(names):
            raise RuleError("a resource is there twice, or has no name; name each once")
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
        """Return a unit that stands on these tiles and holds these amounts."""
        held = np.zeros(len(self.number_of))
        for resource, amount in table_of(amounts, "amounts").items():
            held[self.resource(resource)] = finite_number(amount, resource)
        places = [whole_number(tile, "a tile") for tile in _listed(tiles, "tiles")]
        if any(tile >= len(self.map) for tile in places):
            raise RuleError(f"tiles of {name!r} are {places}; there are {len(self.map)}, from 0")
        return Unit(text_of(name, "name"), text_of(kind, "kind"), held, np.array(places, np.int32))

    def amount(self, unit: Unit, where: str, resource: int, *, most: bool = False) -> float:
        """How much is there: on the map the sum over the unit's tiles, or the most on one of them?"""
        if where == "unit":
            return float(unit.amounts[resource])
        if where == "player":
            return float(self.player[resource])
        self.reads += len(unit.tiles)
        there = self.map[unit.tiles, resource]
        return float((there.max() if most else there.sum()) if len(there) else 0.0)

    def add(self, unit: Unit, where: str, resource: int, amount: float) -> None:
        """Put something into a bin; what is less than nothing is taken, as far as it is there."""
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
