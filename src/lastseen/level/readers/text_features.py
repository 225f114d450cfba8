"""Patrols, intended paths and flights of stairs of a text map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...conventions import Array, Bools
from ..features import IntendedPath, Patrol, PatrolStop, Point
from ..level import Floor
from .faults import FaultList
from .parts import Parts
from .text_syntax import ARROWS, Drawing, Itinerary, Sheet, heading_of, number_of
from .tile_features import PASSABLE_KINDS, Rectangle, TileGrid, rectangle_outline, rectangles


def add_itineraries(
    drawing: Drawing, symbols: list[Array], grids: list[TileGrid], parts: Parts, faults: FaultList
) -> None:
    """Turn `patrol:` and `path:` lines into patrols and paths; record guards whose patrol is missing."""

    def find(word: str, where: str) -> Point:
        """Return the centre of the one tile drawn as `word`."""
        meaning = drawing.legend.get(word)
        if meaning is None or meaning.kind not in PASSABLE_KINDS:
            advice = f"declare it, as in 'legend: {word[:1]} = waypoint'"
            faults.add(f"{word[:40]!r} is not a walkable symbol", advice, where)
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

    names: set[str] = set()
    for line in drawing.itineraries:
        if line.kind == "path":
            points = [find(word, line.where) for word in line.words]
            parts.paths.append(IntendedPath(np.array(points, dtype=np.float64), line.name))
        elif line.name in names:
            faults.add(f"patrol {line.name!r} is declared twice", "choose another name", line.where)
        else:
            names.add(line.name)
            parts.patrols.append(_patrol(line, find, faults))
    for symbol, number in drawing.declared.items():
        patrol = drawing.legend[symbol].patrol
        if patrol and patrol not in names:
            faults.add(f"there is no patrol {patrol!r}", f"add a line 'patrol: {patrol} = …'", f"line {number}")


def _patrol(line: Itinerary, find: Callable[[str, str], Point], faults: FaultList) -> Patrol:
    stops: list[PatrolStop] = []
    ends = line.words[-1] == "stop"
    words = iter(line.words[:-1] if ends else line.words)
    for word in words:
        if word not in ("wait", "look"):
            stops.append(PatrolStop(find(word, line.where)))
            continue
        value = next(words, "")
        number = number_of(value) if word == "wait" else heading_of(value)
        if not stops:
            faults.add(f"the patrol starts with {word!r}", "start with a tile to walk to", line.where)
        elif number is None or (word == "wait" and number < 0):
            allowed = "seconds, as in 'wait 3'" if word == "wait" else "a heading, as in 'look left'"
            faults.add(f"{word!r} is followed by {value!r}", f"give {allowed}", line.where)
        elif word == "wait":
            stops.append(PatrolStop(stops[-1].xyz, "wait", seconds=number))
        else:
            stops.append(PatrolStop(stops[-1].xyz, "turn", heading=number))
    if not stops:
        faults.add("the patrol has no stop", "name at least one tile to walk to", line.where)
    return Patrol(tuple(stops), line.name, None if ends else 0)


def flights(sheets: list[Sheet], symbols: list[Array], grids: list[TileGrid], faults: FaultList) -> tuple[Floor, ...]:
    """Return one planar ramp per flight; record flights that lead nowhere or are covered as faults.

    `symbols[s]` is the (rows, columns) array of code points of storey `s`. Runs side by side with the same two
    ends form one wide flight.
    """
    ramps = []
    for storey, drawn in enumerate(symbols):
        for arrow, step in ARROWS.items():
            for rectangle in _runs(drawn == ord(arrow), step):
                where = _where(sheets[storey], rectangle)
                at = grids[storey].centre(rectangle[0], rectangle[1])
                if storey + 1 == len(sheets):
                    faults.add("stairs rise from the top storey", "add a storey above with a '==' header", where, at)
                    continue
                _check_ends(rectangle, step, grids[storey], grids[storey + 1], (where, at), faults)
                _check_opening(rectangle, symbols[storey + 1], sheets[storey + 1], grids[storey + 1], faults)
                ramps.append(_ramp(rectangle, step, grids[storey], grids[storey + 1], storey))
    return tuple(ramps)


def _runs(mask: Bools, step: tuple[int, int]) -> list[Rectangle]:
    """Return flights as rectangles; runs along the step are joined sideways only if both ends agree."""
    if step[1] == 0:
        return rectangles(mask)
    return [(row, column, row_end, column_end) for column, row, column_end, row_end in rectangles(mask.T)]


def _beyond(rectangle: Rectangle, step: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the tiles `(column, row)` just past the end of a flight in direction `step`."""
    left, low, right, high = rectangle
    if step[0]:
        column = right if step[0] > 0 else left - 1
        return [(column, row) for row in range(low, high)]
    row = high if step[1] > 0 else low - 1
    return [(column, row) for column in range(left, right)]


def _check_ends(
    rectangle: Rectangle,
    step: tuple[int, int],
    lower: TileGrid,
    upper: TileGrid,
    place: tuple[str, tuple[float, ...]],
    faults: FaultList,
) -> None:
    if not any(lower.can_stand(*tile) for tile in _beyond(rectangle, (-step[0], -step[1]))):
        faults.add("these stairs cannot be entered", "put floor before the first arrow", *place)
    if not any(upper.can_stand(*tile) for tile in _beyond(rectangle, step)):
        faults.add("these stairs lead nowhere", "put floor beyond the last arrow on the storey above", *place)


def _check_opening(rectangle: Rectangle, drawn: Array, sheet: Sheet, grid: TileGrid, faults: FaultList) -> None:
    """Record tiles of the storey above that close the stairwell; blank, wall and further stairs do not."""
    left, low, right, high = rectangle
    above = drawn[low:high, left:right]
    covered = ~np.isin(above, [ord(symbol) for symbol in (" ", "#", *ARROWS)])
    for row, column in np.argwhere(covered).tolist():
        symbol = chr(int(above[row, column]))
        place = f"line {sheet.lines[low + row]}, column {left + column + 1}"
        at = grid.centre(left + column, low + row)
        faults.add(f"{symbol!r} covers the stairs below", "leave the stairwell blank on the storey above", place, at)


def _ramp(rectangle: Rectangle, step: tuple[int, int], lower: TileGrid, upper: TileGrid, storey: int) -> Floor:
    outline = rectangle_outline(rectangle, lower.tile, lower.origin_xy)
    along = outline @ np.asarray(step, dtype=np.float64)
    z = np.where(along == along.max(), upper.z, lower.z)
    return Floor(np.column_stack([outline, z]), storey=storey, kind="stairs", name="stairs")


def _where(sheet: Sheet, rectangle: Rectangle) -> str:
    return f"line {sheet.lines[rectangle[1]]}, column {rectangle[0] + 1}"
