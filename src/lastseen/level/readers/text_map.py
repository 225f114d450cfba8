r"""Read a text map: a level drawn in characters, one per tile.

::

    ; a comment
    name: Two rooms and a loft
    legend: K = hiding place "closet"
    legend: 1 = guard "Anna" patrol="round" heading=right
    legend: a = waypoint
    legend: b = waypoint
    patrol: round = a wait 3 b look left

    == ground z=0 tile=1
    ##########
    #P..+.a.K#
    #...#.1..#
    #.>>>..b.#
    ##########
    == loft z=3

         ....
         .h..
         ....

======== ==========================================================================================
symbol   meaning
======== ==========================================================================================
`#`      wall
`.`      floor
blank    void: nothing is there. Short lines are padded with void
`+`      closed door; the tile is floor, its `Door` blocks while closed
`'` `/`  open door
`P`      player          `G`  guard
`h`      hiding place; the exit faces the first passable side (right, down, left, up)
`c`      cover: low (1 m) and impassable; adjacent tiles form rectangles
`E`      exit (a marker)
`^v<>`   stairs that rise in the direction of the arrow
======== ==========================================================================================

Coordinates
    x = column, y = row, both from 0, rows growing **downwards** on the page; tile `(column, row)` covers
    `[column, column + 1] × [row, row + 1]` times the tile size. So "down" on the page is +y, 90°.
Storeys
    `== name z=3` starts a storey; the next line is its row 0 (lines with `;` or a directive do not count).
    Storeys run from the bottom up and share columns and rows. Without z a storey is 3 m above the previous one.
    `tile=0.5` on any header sets the tile size in metres (default 1). A map without headers is one storey, z = 0;
    blank lines before its first row do not count.
Stairs
    A straight run of n arrows is one flight from its storey's z to that of the next storey over n tiles; equal
    runs side by side form one wide flight. The tile before the first arrow must be passable on this storey, the
    tile beyond the last arrow passable on the storey above; there, the tiles over the flight are the
    stairwell and must be blank (or wall, or stairs that continue up). Default bodies climb 45°: 3 tiles for 3 m.
`legend: S = kind "name" option=value …`
    Declares any character except `# . ; : =` and the arrows. Kinds: wall, floor, void, door (closed door, open door,
    locked door), player, guard, hiding place, cover, exit, marker, waypoint, zone. Options: `height` (door,
    cover, zone; metres), `kind` (zone, marker), `heading` (hiding place, player, guard: an arrow, left, right,
    up, down on the page, or degrees), `capacity` (hiding place), `patrol` (guard), `speed` (m/s), `turn_speed`
    (°/s), `view_angle` (°, the full opening), `view_distance` (m). A name used more than once is numbered.
    Tiles of one zone symbol that touch form one zone.
`patrol: name = a wait 3 b look left c`
    A sequence of orders: walk to the one tile drawn `a`, wait 3 s, walk to `b`, turn left, …; then start
    over, unless the last word is `stop`. Any passable symbol drawn exactly once can be walked to.
`path: name = P a b E`
    An intended path through tiles drawn once.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

import numpy as np

from ...conventions import Array, Bools
from ..features import IntendedPath, Patrol, PatrolStop, Point
from ..level import Floor, Level, TileFloor, Tiles
from .faults import MOST_TILES, FaultList
from .parts import Parts
from .text_syntax import ARROWS, DEFAULT_LEGEND, Drawing, Itinerary, Sheet, heading_of, number_of, parse
from .tile_features import PASSABLE_KINDS, Rectangle, TileGrid, place, rectangle_outline, rectangles

_LOOKALIKES = {"X": "#", "x": "#", "█": "#", "@": "#", "|": "#", "-": "#", "_": ".", ",": ".", "·": ".", "D": "+"}
_SNIFFED = frozenset("#. ")


def sniff(data: bytes, suffix: str) -> bool:
    """Return whether the bytes look like a text map: headers or directives, or mostly tiles of the legend."""
    head = data[:65536]
    if b"\0" in head:
        return False
    lines = head.decode("utf-8-sig", "replace").splitlines()
    if any(line.startswith(("== ", "legend:")) for line in lines):
        return True
    rows = [line for line in lines if line.strip() and not line.startswith(";")]
    drawn = sum(map(len, rows))
    plain = sum(symbol in _SNIFFED for row in rows for symbol in row)
    known = sum(symbol in DEFAULT_LEGEND for row in rows for symbol in row)
    walls = any("#" in row or ".." in row for row in rows)
    return walls and plain >= 0.5 * drawn and known >= (0.5 if suffix == ".txt" else 0.8) * drawn


def read(data: bytes, source: str) -> Level:
    """Return the level drawn in a text map; raise `LevelError` with all faults, each with line and column."""
    faults = FaultList(source)
    drawing = parse(_decode(data, faults), faults)
    symbols = _sheets_to_symbols(drawing, faults)
    grids = [_grid(drawing, sheet, drawn, faults) for sheet, drawn in zip(drawing.sheets, symbols)]
    if not any(grid.passable.any() for grid in grids) and not faults.count:
        faults.add("the map has no floor", "draw floor tiles as '.'")
    ramps = _flights(drawing.sheets, symbols, grids, faults)
    parts = Parts()
    for sheet_symbols, grid in zip(symbols, grids):
        for symbol in map(chr, np.unique(sheet_symbols).tolist()):
            if symbol in drawing.legend:
                place(parts, drawing.legend[symbol], sheet_symbols == ord(symbol), grid)
    _add_itineraries(drawing, symbols, grids, parts, faults)
    faults.stop_if_any()
    floors = tuple(
        TileFloor(grid.passable, grid.z, grid.tile, name=sheet.name) for grid, sheet in zip(grids, drawing.sheets)
    )
    return parts.level(Tiles(floors, ramps), drawing.name or PurePath(source).stem, source)


def _decode(data: bytes, faults: FaultList) -> str:
    if not data.strip():
        faults.add("the file is empty", "draw at least one row, such as '#..#'")
        faults.stop_if_any()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        faults.add(f"byte {error.start} is not UTF-8", "save the file as UTF-8 text", f"line {line}")
        faults.stop_if_any()
        raise AssertionError from None


def _sheets_to_symbols(drawing: Drawing, faults: FaultList) -> list[Array]:
    """Return one (rows, columns) array of code points per storey, all of the same shape, padded with void."""
    height = max((len(sheet.rows) for sheet in drawing.sheets), default=0)
    width = max((len(row) for sheet in drawing.sheets for row in sheet.rows), default=0)
    if height * width == 0:
        faults.add("no tile is drawn", "draw at least one row, such as '#..#'")
        faults.stop_if_any()
    if height * width * len(drawing.sheets) > MOST_TILES:
        faults.add(f"{len(drawing.sheets)} x {height} x {width} tiles are drawn", f"at most {MOST_TILES} are allowed")
        faults.stop_if_any()
    symbols = []
    for sheet in drawing.sheets:
        drawn = np.full((height, width), ord(" "), dtype=np.uint32)
        for index, row in enumerate(sheet.rows):
            drawn[index, : len(row)] = np.frombuffer(row.encode("utf-32-le"), dtype="<u4")
        symbols.append(drawn)
    return symbols


def _grid(drawing: Drawing, sheet: Sheet, drawn: Array, faults: FaultList) -> TileGrid:
    """Return the passable tiles of a storey; record undeclared symbols as faults."""
    grid = TileGrid(np.zeros(drawn.shape, np.bool_), drawing.tile or 1.0, sheet.z)
    known = np.array([ord(symbol) for symbol in drawing.legend], dtype=np.uint32)
    floor = [ord(symbol) for symbol, meaning in drawing.legend.items() if meaning.kind in PASSABLE_KINDS]
    grid.passable = np.isin(drawn, np.array(floor, dtype=np.uint32))
    rows, columns = np.nonzero(~np.isin(drawn, known))
    values, first, counts = np.unique(drawn[rows, columns], return_index=True, return_counts=True)
    for index, value, count in sorted(zip(first.tolist(), values.tolist(), counts.tolist())):
        row, column = int(rows[index]), int(columns[index])
        symbol = chr(value)
        hint = f" (did you mean {_LOOKALIKES[symbol]!r}?)" if symbol in _LOOKALIKES else ""
        advice = f"declare it, as in 'legend: {symbol} = floor'" if symbol.isprintable() else "use a space instead"
        where = f"line {sheet.lines[row]}, column {column + 1}"
        times = f" ({count} times)" if count > 1 else ""
        faults.add(f"symbol {symbol!r} is unknown{hint}{times}", advice, where, grid.centre(column, row))
    return grid


def _add_itineraries(
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


def _flights(sheets: list[Sheet], symbols: list[Array], grids: list[TileGrid], faults: FaultList) -> tuple[Floor, ...]:
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
