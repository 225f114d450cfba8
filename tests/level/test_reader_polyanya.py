"""Polyanya meshes: faces as they stand, counter-clockwise, or the line that is wrong."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lastseen.errors import LevelError
from lastseen.level.check import find_faults
from lastseen.level.level import ConvexFaces
from lastseen.level.readers import polyanya

TWO_FACES = """mesh
2
5 2
0 0 2 0 -1
4 0 3 0 1 -1
4 4 3 0 -1 1
0 4 2 0 -1
8 2 2 1 -1
4 0 1 2 3 -1 1 -1 -1
3 1 2 4 0 -1 -1
"""


def faces(text: str) -> ConvexFaces:
    level = polyanya.read(text.encode(), "two.mesh")
    assert level.name == "two"
    assert isinstance(level.surface, ConvexFaces)
    return level.surface


def test_faces_are_turned_counter_clockwise() -> None:
    surface = faces(TWO_FACES)
    assert surface.face_start.tolist() == [0, 4, 7]
    assert surface.corners.tolist() == [0, 1, 2, 3, 1, 4, 2]
    assert surface.vertices_xyz.tolist() == [[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0], [8, 2, 0]]


def test_blank_lines_and_windows_line_ends_do_not_matter() -> None:
    again = faces(TWO_FACES.replace("\n", "\r\n\r\n"))
    assert again.corners.tolist() == faces(TWO_FACES).corners.tolist()


def test_only_its_own_files_are_recognised() -> None:
    assert polyanya.sniff(TWO_FACES.encode(), "")
    assert not polyanya.sniff(b"meshes 2", ".mesh")
    assert not polyanya.sniff(b"", ".mesh")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("mesh\n2", "mesh\n3", "version '3'"),
        ("mesh\n2\n5 2", "mesh\n2\n5", "line 3: the counts"),
        ("5 2", "0 0", "line 3: the counts"),
        ("5 2", "5 1", "line 10: lines follow"),
        ("5 2", "500 2", "truncated"),
        ("5 2", f"{10**30} 2", "truncated"),
        ("0 4 2 0 -1", "0 nan 2 0 -1", "line 7: a vertex has position"),
        ("0 4 2 0 -1", "0 x 2 0 -1", "line 7: a vertex is not"),
        ("0 4 2 0 -1", "0", "line 7: a vertex is not"),
        ("0 4 2 0 -1", "0 4 3 0 -1", "line 7: a vertex announces 3"),
        ("0 4 2 0 -1", "0 4 2 0 7", "there is no face 7"),
        ("3 1 2 4 0 -1 -1", "3 1 2 5 0 -1 -1", "line 10: there is no vertex 5"),
        ("3 1 2 4 0 -1 -1", "3 1 2 -1 0 -1 -1", "there is no vertex -1"),
        ("3 1 2 4 0 -1 -1", "3 1 2 4 0 -1", "5 numbers instead of 6"),
        ("3 1 2 4 0 -1 -1", "2 1 2 0 -1", "2 corners"),
        ("3 1 2 4 0 -1 -1", "3 1 2 4.5 0 -1 -1", "whole numbers"),
    ],
)
def test_faults_name_their_line(old: str, new: str, what: str) -> None:
    assert old in TWO_FACES
    with pytest.raises(LevelError, match=what):
        faces(TWO_FACES.replace(old, new))


def test_all_faults_come_at_once() -> None:
    with pytest.raises(LevelError) as error:
        faces(TWO_FACES.replace("0 0 2 0 -1", "a b 0").replace("3 1 2 4 0", "3 1 2 9 0"))
    assert [fault.where for fault in error.value.faults] == ["line 4", "line 10"]


@pytest.mark.data
def test_the_arena(data: Path) -> None:
    level = polyanya.read((data / "polyanya" / "arena-merged.mesh").read_bytes(), "arena-merged.mesh")
    assert isinstance(level.surface, ConvexFaces)
    assert len(level.surface.face_start) - 1 == 55
    assert find_faults(level) == ()
    starts = level.surface.face_start
    x, y, _ = level.surface.vertices_xyz[level.surface.corners].T
    area = 0.0
    for start, end in pairwise(starts.tolist()):
        rows = slice(start, end)
        area += 0.5 * float(x[rows] @ np.roll(y[rows], -1) - y[rows] @ np.roll(x[rows], -1))
    passable = (data / "movingai" / "arena.map").read_bytes().partition(b"map\n")[2].count(b".")
    assert area == passable
