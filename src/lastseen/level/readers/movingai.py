"""Read a MovingAI benchmark grid (`.map`).

::

    type octile
    height 3
    width 4
    map
    @@@@
    @..T
    @@@@

`.` `G` `S` are passable; `@` `O` (out of bounds), `T` (trees) and `W` (water) are not. The tile in column c of
row r covers `[c, c + 1] × [r, r + 1]` metres, so coordinates in scenario files name tiles directly.
"""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from ...conventions import Array
from ..level import Level, TileFloor, Tiles
from .faults import MOST_TILES, FaultList

PASSABLE, BLOCKED = b".GS", b"@OTW"
HEADER_BYTES = 4096

_UNKNOWN = 2
_MEANING = np.full(256, _UNKNOWN, dtype=np.uint8)
_MEANING[list(BLOCKED)] = 0
_MEANING[list(PASSABLE)] = 1


def sniff(data: bytes, suffix: str) -> bool:
    """Return whether the bytes look like a MovingAI grid."""
    head = data[:200].lstrip().lower()
    return head.startswith(b"type ") or (suffix == ".map" and head.startswith((b"height", b"width", b"map")))


def read(data: bytes, source: str) -> Level:
    """Return the grid as a level of one storey of 1 m tiles; raise `LevelError` with all faults."""
    faults = FaultList(source)
    height, width, body, first_line = _header(data, faults)
    faults.stop_if_any()
    grid = _grid(body, height, width, first_line, faults)
    faults.stop_if_any()
    meaning = _MEANING[grid]
    _report_unknown(grid, meaning, first_line, faults)
    if not (meaning == 1).any() and not faults.count:
        faults.add("no tile is passable", "draw at least one '.' tile")
    faults.stop_if_any()
    return Level(Tiles((TileFloor(meaning == 1),)), name=PurePath(source).stem, source=source)


def _header(data: bytes, faults: FaultList) -> tuple[int, int, bytes, int]:
    """Return height, width, everything after the `map` line, and the line number of the first row."""
    sizes = {b"height": 0, b"width": 0}
    if not data.strip():
        faults.add("the file is empty", "give a MovingAI map that starts with 'type octile'")
        return 0, 0, b"", 1
    start = 0
    for line_number in range(1, 20):
        end = data.find(b"\n", start, start + HEADER_BYTES)
        line = data[start : end if end >= 0 else start + HEADER_BYTES]
        words = line.split()
        place = f"line {line_number}"
        if words == [b"map"]:
            for key, size in sizes.items():
                if size == 0:
                    faults.add(f"no {key.decode()} is declared", f"add a line '{key.decode()} N' before 'map'", place)
            return sizes[b"height"], sizes[b"width"], data[end + 1 :] if end >= 0 else b"", line_number + 1
        if len(words) == 2 and words[0] in sizes:
            sizes[words[0]] = _size(words[1], words[0].decode(), place, faults)
        elif len(words) == 2 and words[0] == b"type":
            if words[1] != b"octile":
                faults.add(f"type is {_shown(words[1])}", "only 'type octile' is supported", place)
        elif words:
            faults.add(f"header line {_shown(line)} is not valid", "use type, height, width, then map", place)
        if end < 0:
            break
        start = end + 1
    faults.add("there is no 'map' line", "put 'map' on its own line between the header and the rows")
    return 0, 0, b"", 1


def _size(word: bytes, name: str, place: str, faults: FaultList) -> int:
    if not word.isdigit() or len(word) > 9 or not 1 <= int(word) <= MOST_TILES:
        faults.add(f"{name} is {_shown(word)}", f"give a whole number from 1 to {MOST_TILES}", place)
        return -1
    return int(word)


def _grid(body: bytes, height: int, width: int, first_line: int, faults: FaultList) -> Array:
    """Return the rows as a (height, width) uint8 array; record rows of the wrong length as faults."""
    if height * width > MOST_TILES:
        faults.add(f"{width} x {height} tiles are declared", f"at most {MOST_TILES} tiles are allowed")
        return np.zeros((0, 0), np.uint8)
    if b"\r" in body:
        body = body.replace(b"\r\n", b"\n")
    if len(body) == height * (width + 1) - 1:
        body += b"\n"
    # One reshape reads a well-formed file; otherwise go row by row to find the faulty one.
    if len(body) == height * (width + 1):
        rows = np.frombuffer(body, np.uint8).reshape(height, width + 1)
        if (rows[:, width] == ord("\n")).all() and (rows[:, :width] != ord("\n")).all():
            return rows[:, :width]
    lines = body.rstrip(b"\n \t").split(b"\n") if body.strip() else []
    if len(lines) != height:
        faults.add(f"{len(lines)} rows follow 'map' but height is {height}", "correct the height or the rows")
    for number, line in enumerate(lines[:height]):
        if len(line) != width:
            place = f"line {first_line + number}"
            faults.add(f"the row has {len(line)} tiles but width is {width}", "make every row that long", place)
    if faults.count:
        return np.zeros((0, 0), np.uint8)
    return np.frombuffer(b"".join(lines), np.uint8).reshape(height, width)


def _report_unknown(grid: Array, meaning: Array, first_line: int, faults: FaultList) -> None:
    rows, columns = np.nonzero(meaning == _UNKNOWN)
    values, first, counts = np.unique(grid[rows, columns], return_index=True, return_counts=True)
    for value, index, count in zip(values.tolist(), first.tolist(), counts.tolist()):
        row, column = int(rows[index]), int(columns[index])
        faults.add(
            f"tile {_shown(bytes([value]))} is unknown" + (f" ({count} times)" if count > 1 else ""),
            "use . G S for passable tiles and @ O T W for blocked ones",
            f"line {first_line + row}, column {column + 1}",
            (column + 0.5, row + 0.5),
        )


def _shown(text: bytes) -> str:
    """Return bytes of a file as short quoted text, whatever their encoding."""
    return repr(text[:40].decode("utf-8", "replace")) + ("…" if len(text) > 40 else "")
