"""MovingAI grids: a hand-worked map, every fault, and the maps of shipped games."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import LevelError
from lastseen.level.readers import movingai

SMALL = b"type octile\nheight 3\nwidth 4\nmap\n@.GT\nS@.O\nWWW.\n"


def told(data: bytes) -> list[str]:
    with pytest.raises(LevelError) as caught:
        movingai.read(data, "x.map")
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("data", [SMALL, SMALL[:-1], SMALL.replace(b"\n", b"\r\n"), SMALL + b"\n \n"])
def test_passable_tiles(data):
    (floor,) = movingai.read(data, "small.map").surface.floors
    assert floor.passable.tolist() == [[0, 1, 1, 0], [1, 0, 1, 0], [0, 0, 0, 1]]
    assert (floor.tile, floor.origin_xy, floor.z) == (1.0, (0.0, 0.0), 0.0)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty"),
        (b"type octile\nheight 3\n", "there is no 'map' line"),
        (b"type octile\nmap\n..\n", "no height is declared"),
        (SMALL.replace(b"octile", b"hex"), "type is 'hex'"),
        (SMALL.replace(b"height 3", b"height -3"), "height is '-3'"),
        (SMALL.replace(b"height 3", b"height 99999999"), "from 1 to 64000000"),
        (SMALL.replace(b"height 3", b"height 9000000").replace(b"width 4", b"width 9000000"), "at most 64000000 tiles"),
        (SMALL.replace(b"height 3", b"hieght 3"), "is not valid"),
        (SMALL.replace(b"height 3", b"height 4"), "3 rows follow 'map' but height is 4"),
        (SMALL.replace(b"S@.O", b"S@.OO"), "line 6: the row has 5 tiles but width is 4"),
        (SMALL.replace(b"S@.O", b"S@xO"), "line 6, column 3 at (2.5, 1.5): tile 'x' is unknown"),
        (b"type octile\nheight 1\nwidth 2\nmap\n@@\n", "no tile is passable"),
        (b"type octile\nheight 1\nwidth 2\nmap\n\xff\x00\n", "is unknown"),
    ],
)
def test_each_fault_says_what_and_where(data, expected):
    assert any(expected in fault for fault in told(data))


def test_all_rows_of_the_wrong_length_are_reported():
    assert len(told(SMALL.replace(b"@.GT", b"@").replace(b"WWW.", b"WW"))) == 2


def test_sniff():
    assert movingai.sniff(SMALL, "")
    assert not movingai.sniff(b"mesh\n2\n", ".mesh")
    assert not movingai.sniff(b"###\n", ".txt")


@given(st.data())
def test_any_grid_is_read_tile_by_tile(data):
    width, height = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 12))
    rows = data.draw(st.lists(st.text(".GS@OTW", min_size=width, max_size=width), min_size=height, max_size=height))
    rows[0] = "." + rows[0][1:]
    text = f"type octile\nheight {height}\nwidth {width}\nmap\n" + "\n".join(rows) + "\n"
    passable = movingai.read(text.encode(), "x.map").surface.floors[0].passable
    assert passable.tolist() == [[symbol in ".GS" for symbol in row] for row in rows]


@given(st.data())
def test_mutated_maps_never_leave_the_error_tree(data):
    text = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=4))
    with contextlib.suppress(LevelError):
        movingai.read(bytes(text), "mutated.map")


@pytest.mark.data
def test_maps_of_shipped_games(data):
    sizes = {"arena": (49, 49, 2054), "orz900d": (656, 1491, 96603), "brc202d": (481, 530, 43151)}
    for name, (height, width, floor) in sizes.items():
        path = data / "movingai" / f"{name}.map"
        passable = movingai.read(path.read_bytes(), str(path)).surface.floors[0].passable
        assert passable.shape == (height, width)
        assert int(np.count_nonzero(passable)) == floor
