"""Turn the `patrol:` and `path:` lines of a text map into patrols and intended paths."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..features import IntendedPath, Patrol, PatrolStop
from .faults import FaultList
from .parts import Parts
from .text_syntax import Drawing, Order, heading_of, number_of
from .tile_features import PASSABLE_KINDS, TileGrid

__all__ = ["follow_orders"]


def follow_orders(
    drawing: Drawing, symbols: list[Array], grids: list[TileGrid], parts: Parts, faults: FaultList
) -> None:
    """Turn `patrol:` and `path:` lines into patrols and paths; record guards whose patrol is missing."""
    names: set[str] = set()
    for order in drawing.orders:
        if order.kind == "path":
            points = [_find(word, drawing, order, symbols, grids, faults) for word in order.words]
            parts.paths.append(IntendedPath(np.array(points, dtype=np.float64), order.name))
        elif order.name in names:
            faults.add(f"patrol {order.name!r} is declared twice", "choose another name", f"line {order.line}")
        else:
            names.add(order.name)
            parts.patrols.append(_patrol(order, drawing, symbols, grids, faults))
    for symbol, line in drawing.declared.items():
        patrol = drawing.legend[symbol].patrol
        if patrol and patrol not in names:
            faults.add(f"there is no patrol {patrol!r}", f"add a line 'patrol: {patrol} = …'", f"line {line}")


def _patrol(order: Order, drawing: Drawing, symbols: list[Array], grids: list[TileGrid], faults: FaultList) -> Patrol:
    stops: list[PatrolStop] = []
    words = list(order.words)
    where = f"line {order.line}"
    ends = words[-1] == "stop"
    if ends:
        words.pop()
    index = 0
    while index < len(words):
        word = words[index]
        if word not in ("wait", "look"):
            stops.append(PatrolStop(_find(word, drawing, order, symbols, grids, faults)))
            index += 1
            continue
        value = words[index + 1] if index + 1 < len(words) else ""
        number = number_of(value) if word == "wait" else heading_of(value)
        index += 2
        if not stops:
            faults.add(f"the patrol starts with {word!r}", "start with a tile to walk to", where)
        elif number is None or (word == "wait" and number < 0):
            allowed = "seconds, as in 'wait 3'" if word == "wait" else "a heading, as in 'look left'"
            faults.add(f"{word!r} is followed by {value!r}", f"give {allowed}", where)
        elif word == "wait":
            stops.append(PatrolStop(stops[-1].xyz, "wait", seconds=number))
        else:
            stops.append(PatrolStop(stops[-1].xyz, "turn", heading=number))
    if not stops:
        faults.add("the patrol has no stop", "name at least one tile to walk to", where)
    return Patrol(tuple(stops), order.name, None if ends else 0)


def _find(
    word: str, drawing: Drawing, order: Order, symbols: list[Array], grids: list[TileGrid], faults: FaultList
) -> tuple[float, float, float]:
    """Return the centre of the one tile drawn as `word`."""
    where = f"line {order.line}"
    meaning = drawing.legend.get(word)
    if meaning is None or meaning.kind not in PASSABLE_KINDS:
        faults.add(
            f"{word[:40]!r} is not a walkable symbol",
            f"declare it, as in 'legend: {word[:1]} = waypoint'",
            where,
        )
        return (0.0, 0.0, 0.0)
    found = [
        grid.centre(column, row)
        for drawn, grid in zip(symbols, grids)
        for row, column in np.argwhere(drawn == ord(word))[:2].tolist()
    ]
    if len(found) != 1:
        how = "is not drawn" if not found else "is drawn more than once"
        faults.add(f"{word!r} {how}", "draw it on exactly one tile", where)
    return found[0] if found else (0.0, 0.0, 0.0)
