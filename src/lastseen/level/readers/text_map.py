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

from pathlib import PurePath

import numpy as np

from ...conventions import Array
from ..level import Level, TileFloor, Tiles
from .faults import MOST_TILES, FaultList
from .parts import Parts
from .text_features import add_itineraries, flights
from .text_syntax import DEFAULT_LEGEND, Drawing, Sheet, parse
from .tile_features import PASSABLE_KINDS, TileGrid, place

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
    ramps = flights(drawing.sheets, symbols, grids, faults)
    parts = Parts()
    for sheet_symbols, grid in zip(symbols, grids):
        for symbol in map(chr, np.unique(sheet_symbols).tolist()):
            if symbol in drawing.legend:
                place(parts, drawing.legend[symbol], sheet_symbols == ord(symbol), grid)
    add_itineraries(drawing, symbols, grids, parts, faults)
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
