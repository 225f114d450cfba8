"""Read a Polyanya `.mesh` (version 2): a navmesh made by another tool.

The words `mesh` and `2`, the counts `V P`, V lines `x y n neighbours…`, P lines `n vertices… neighbours…`.
Neighbours are checked for range and otherwise ignored: they follow from the shared edges.
"""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from ...conventions import Floats, Ids
from ...errors import Fault, LevelError
from ..level import ConvexFaces, Level
from .faults import MOST_LINES, FaultList


def sniff(data: bytes, suffix: str) -> bool:
    """Return whether the file opens with the word `mesh` and a version number."""
    del suffix
    words = data[:200].split(None, 2)
    return len(words) >= 2 and words[0] == b"mesh" and words[1].isdigit()


def read(data: bytes, source: str) -> Level:
    """Return the faces of a Polyanya mesh as a level at z = 0, every face counter-clockwise."""
    lines = [(number, line.split()) for number, line in enumerate(data.splitlines(), start=1) if line.strip()]
    vertex_count, face_count = _counts(lines, source)
    faults = FaultList(source, MOST_LINES)
    vertices = np.zeros((vertex_count, 3))
    for row, (number, words) in enumerate(lines[3 : 3 + vertex_count]):
        try:
            vertices[row, :2] = _vertex(words, face_count)
        except ValueError as error:
            faults.add(str(error), "a vertex is `x y n` and n face numbers", f"line {number}")
    faces: list[list[int]] = []
    for number, words in lines[3 + vertex_count : 3 + vertex_count + face_count]:
        try:
            faces.append(_face(words, vertex_count, face_count))
        except ValueError as error:
            faults.add(str(error), "a face is `n`, n vertex numbers and n face numbers", f"line {number}")
    if len(lines) > 3 + vertex_count + face_count:
        extra = lines[3 + vertex_count + face_count][0]
        faults.add("lines follow the last face", "correct the counts in line 3", f"line {extra}")
    faults.stop_if_any()
    face_start = np.cumsum([0, *map(len, faces)])
    corners = np.array([corner for face in faces for corner in face], dtype=np.int32)
    surface = ConvexFaces(vertices, face_start, _counter_clockwise(vertices, face_start, corners))
    return Level(surface, name=PurePath(source).stem, source=source)


def _counts(lines: list[tuple[int, list[bytes]]], source: str) -> tuple[int, int]:
    """Return the announced numbers of vertices and faces, or raise a fault of the first three lines."""
    version = lines[1][1][0] if len(lines) > 1 else b""
    if not lines or lines[0][1] != [b"mesh"] or version != b"2":
        what = f"it is not a Polyanya mesh of version 2 (version {version.decode('ascii', 'replace')[:20]!r})"
        raise LevelError(source, [Fault(what, "the first line must be `mesh`, the second `2`", "line 1")])
    try:
        vertex_count, face_count = (int(word) for word in lines[2][1])
        if min(vertex_count, face_count) < 1:
            raise ValueError
    except (IndexError, ValueError):
        what = "the counts of vertices and faces are missing"
        raise LevelError(source, [Fault(what, "the third line must be two numbers above 0", "line 3")]) from None
    if len(lines) - 3 < vertex_count + face_count:
        what = f"it announces {vertex_count} vertices and {face_count} faces, but has {len(lines) - 3} lines for them"
        raise LevelError(source, [Fault(what, "the file is truncated: copy it again", f"line {lines[-1][0]}")])
    return vertex_count, face_count


def _vertex(words: list[bytes], face_count: int) -> tuple[float, float]:
    try:
        x, y, count = float(words[0]), float(words[1]), int(words[2])
        neighbours = [int(word) for word in words[3:]]
    except (ValueError, IndexError):
        raise ValueError("a vertex is not made of numbers") from None
    if not (np.isfinite(x) and np.isfinite(y)):
        raise ValueError(f"a vertex has position ({x:g}, {y:g}), which is not finite")
    if count != len(neighbours):
        raise ValueError(f"a vertex announces {count} neighbouring faces but lists {len(neighbours)}")
    _check_range(neighbours, -1, face_count, "face")
    return x, y


def _face(words: list[bytes], vertex_count: int, face_count: int) -> list[int]:
    try:
        count = int(words[0])
        numbers = [int(word) for word in words[1:]]
    except ValueError:
        raise ValueError("a face is not made of whole numbers") from None
    if count < 3:
        raise ValueError(f"a face has {count} corners; at least 3 are needed")
    if len(numbers) != 2 * count:
        raise ValueError(f"a face of {count} corners lists {len(numbers)} numbers instead of {2 * count}")
    _check_range(numbers[:count], 0, vertex_count, "vertex")
    _check_range(numbers[count:], -1, face_count, "face")
    return numbers[:count]


def _check_range(numbers: list[int], low: int, high: int, what: str) -> None:
    for number in numbers:
        if not low <= number < high:
            raise ValueError(f"there is no {what} {number}; they run from {low} to {high - 1}")


def _counter_clockwise(vertices: Floats, face_start: Ids, corners: Ids) -> Ids:
    """Return the corners with clockwise faces reversed, each still starting at the same vertex."""
    result = corners.copy()
    for start, end in zip(face_start[:-1].tolist(), face_start[1:].tolist(), strict=True):
        x, y = vertices[corners[start:end], :2].T
        if np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)) < 0:
            result[start + 1 : end] = corners[start + 1 : end][::-1]
    return result
