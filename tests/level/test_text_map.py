"""Text maps: hand-worked drawings, every fault with its line, and a property over random drawings."""

from __future__ import annotations

import contextlib
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import LevelError
from lastseen.level.features import PatrolStop
from lastseen.level.readers import text_map
from lastseen.level.readers.tile_features import rectangles


def read(text: str):
    return text_map.read(text.encode(), "drawn.txt")


def faults_of(text: str | bytes) -> list[str]:
    with pytest.raises(LevelError) as caught:
        text_map.read(text if isinstance(text, bytes) else text.encode(), "drawn.txt")
    return [str(fault) for fault in caught.value.faults]


def test_columns_are_x_and_rows_are_y():
    level = read("####\n#P.#\n#.E#\n####\n")
    (floor,) = level.surface.floors
    assert floor.passable.tolist() == [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
    assert level.spawns[0].xyz == (1.5, 1.5, 0.0)
    assert level.spawns[0].who == level.spawns[0].name == "player"
    assert level.markers[0].xyz == (2.5, 2.5, 0.0)
    assert level.markers[0].kind == "exit"
    assert level.name == "drawn"


def test_ragged_lines_are_filled_up_with_void():
    level = read("#.\n#...\n\n.\n")
    assert level.surface.floors[0].passable.tolist() == [[0, 1, 0, 0], [0, 1, 1, 1], [0, 0, 0, 0], [1, 0, 0, 0]]


def test_a_file_from_windows_reads_the_same():
    text = "\ufeffname: Shed\n== ground z=1\n#.G#\n#..#\n"
    assert read(text.replace("\n", "\r\n")) == read(text.removeprefix("\ufeff"))


def test_doors_are_passable_tiles_with_a_footprint():
    level = read(".+.\n.'.\n./.\n")
    assert level.surface.floors[0].passable.all()
    assert [door.open for door in level.doors] == [True, False, True]
    closed = next(door for door in level.doors if not door.open)
    assert closed.outline_xy.tolist() == [[1, 0], [2, 0], [2, 1], [1, 1]]


def test_cover_is_impassable_and_low_and_adjoining_tiles_are_one():
    level = read("......\n.cc...\n.cc.c.\n......\n")
    assert level.surface.floors[0].passable.sum() == 24 - 5
    assert sorted(cover.outline_xy.tolist() for cover in level.cover) == [
        [[1, 1], [3, 1], [3, 3], [1, 3]],
        [[4, 2], [5, 2], [5, 3], [4, 3]],
    ]
    assert {cover.height for cover in level.cover} == {1.0}


def test_one_leaves_a_hiding_place_by_its_open_side():
    level = read("#####\n#h.h#\n#.#.#\n##h##\n#####\n")
    headings = {place.xyz[:2]: place.heading for place in level.hiding_places}
    assert headings == {(1.5, 1.5): 0.0, (3.5, 1.5): math.pi / 2, (2.5, 3.5): 0.0}


TWO_STOREYS = """
== ground z=0.5 tile=2
#######
#.>>>.#
#######
== upper z=3.5
#######
#    .#
#######
"""


def test_stairs_rise_over_their_tiles_to_the_next_storey():
    level = read(TWO_STOREYS)
    (ramp,) = level.surface.ramps
    assert ramp.kind == "stairs"
    assert ramp.outline_xyz.tolist() == [[4, 2, 0.5], [10, 2, 3.5], [10, 4, 3.5], [4, 4, 0.5]]
    ground, upper = level.surface.floors
    assert (ground.z, upper.z, ground.tile) == (0.5, 3.5, 2.0)
    assert ground.passable[1].tolist() == [0, 1, 0, 0, 0, 1, 0]
    assert upper.passable[1].tolist() == [0, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("drawing", "high_side"),
    [
        ("== a\n.>>>\n== b\n    .\n", "x"),
        ("== a\n    \n<<<.\n== b\n\n", None),
        ("== a\n\n.\nv\nv\nv\n== b\n\n\n\n\n\n.\n", "y"),
        ("== a\n\n^\n^\n^\n.\n== b\n.\n", "-y"),
    ],
)
def test_arrows_point_uphill(drawing, high_side):
    if high_side is None:
        assert any("lead nowhere" in fault for fault in faults_of(drawing))
        return
    outline = read(drawing).surface.ramps[0].outline_xyz
    top = outline[outline[:, 2] == 3.0]
    bottom = outline[outline[:, 2] == 0.0]
    assert len(top) == len(bottom) == 2
    difference = top[:, :2].mean(axis=0) - bottom[:, :2].mean(axis=0)
    assert difference.tolist() == {"x": [3, 0], "y": [0, 3], "-y": [0, -3]}[high_side]


def test_equal_runs_side_by_side_are_one_wide_flight():
    level = read("== a\n.>>.\n.>>.\n.>..\n== b\n   .\n   .\n  .\n")
    widths = sorted(np.ptp(ramp.outline_xyz[:, 1]) for ramp in level.surface.ramps)
    assert widths == [1.0, 2.0]


def test_flights_may_lie_above_one_another():
    level = read("== a\n.>>>.\n== b\n.>>>.\n== c\n    .\n")
    assert [ramp.outline_xyz[:, 2].max() for ramp in level.surface.ramps] == [3.0, 6.0]


def test_each_faulty_flight_is_reported():
    faults = faults_of("== a\n#>>.\n== b\n #.#\n")
    assert faults == [
        "line 2, column 2 at (1.5, 0.5, 0): these stairs cannot be entered; put floor before the first arrow",
        "line 2, column 2 at (1.5, 0.5, 0): these stairs lead nowhere; "
        "put floor beyond the last arrow on the storey above",
        "line 4, column 3 at (2.5, 0.5, 3): '.' covers the stairs below; leave the stairwell blank on the storey above",
    ]
    assert "top storey" in faults_of(".>>>.\n")[0]


def test_legend_patrols_and_paths():
    level = read(
        "; a comment\n"
        'legend: A = guard "Anna" patrol="the round" heading=down speed=1.5 view_angle=90 '
        "turn_speed=180 view_distance=9\n"
        'legend: K = hiding place "closet" heading=left capacity=2\n'
        'legend: Z = zone "vault" kind=restricted height=2\n'
        "legend: a = waypoint\n"
        "legend: X = locked door\n"
        "patrol: the round = a wait 2.5 look ^ A stop\n"
        "path: in = P a\n"
        "PaKX\n"
        "AZZK\n"
        ".Z..\n"
    )
    guard = next(spawn for spawn in level.spawns if spawn.who == "guard")
    assert (guard.name, guard.patrol, guard.heading, guard.speed) == ("Anna", "the round", math.pi / 2, 1.5)
    assert (guard.view_angle, guard.turn_speed, guard.view_distance) == (math.pi / 2, math.pi, 9.0)
    assert [(place.name, place.heading, place.capacity) for place in level.hiding_places] == [
        ("closet", math.pi, 2),
        ("closet 2", math.pi, 2),
    ]
    (patrol,) = level.patrols
    at = (1.5, 0.5, 0.0)
    assert patrol.loop_to is None
    assert patrol.stops == (
        PatrolStop(at),
        PatrolStop(at, "wait", seconds=2.5),
        PatrolStop(at, "turn", heading=-math.pi / 2),
        PatrolStop((0.5, 1.5, 0.0)),
    )
    assert level.paths[0].points_xyz.tolist() == [[0.5, 0.5, 0], [1.5, 0.5, 0]]
    assert (level.doors[0].locked, level.doors[0].open) == (True, False)
    (zone,) = level.zones
    assert (zone.name, zone.kind, zone.height, len(zone.outline_xy)) == ("vault", "restricted", 2.0, 6)
    assert level.surface.floors[0].passable.all()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file is empty"),
        ("  \n\n", "the file is empty"),
        ("; only words\n", "no tile is drawn"),
        ("###\n", "the map has no floor"),
        ("#.x#\n", "line 1, column 3 at (2.5, 0.5, 0): symbol 'x' is unknown (did you mean '#'?)"),
        (".\t.\n", "use a space instead"),
        ("legnd: K = door\n...\n", "line 1: 'legnd:' is unknown (did you mean 'legend'?)"),
        ("legend: K = dor\nK..\n", "kind 'dor' is unknown (did you mean 'door'?)"),
        ("legend: # = door\n...\n", "cannot be redeclared"),
        ("legend: K door\n...\n", "is not valid"),
        ("legend: K = door\nlegend: K = wall\n...\n", "is declared on line 1"),
        ("legend: K = guard speed=fast\nK..\n", "speed is 'fast'"),
        ("legend: K = guard speed=-1\nK..\n", "speed is -1"),
        ("legend: K = guard heading=nan\nK..\n", "heading is 'nan'"),
        ("legend: K = guard hight=2\nK..\n", "option 'hight' does not fit a guard"),
        ('legend: K = guard patrol="beat"\nK..\n', "there is no patrol 'beat'"),
        ("patrol: beat = G\n..G\n..G\n", "'G' is drawn more than once"),
        ("patrol: beat = E\n...\n", "'E' is not drawn"),
        ("patrol: beat = wait 3 G\n..G\n", "starts with 'wait'"),
        ("patrol: beat = G wait\n..G\n", "'wait' is followed by ''"),
        ("patrol: beat = G look there\n..G\n", "'look' is followed by 'there'"),
        ("patrol: beat = stop\n..G\n", "the patrol has no stop"),
        ("patrol: beat\n..G\n", "line is incomplete"),
        ("patrol: beat = G\npatrol: beat = G\n..G\n", "declared twice"),
        ("== a z=high\n...\n", "z is 'high'"),
        ("== a z=inf\n...\n", "z is 'inf'"),
        ("== a z=0 tile=0\n...\n", "from 0.01 to 1000"),
        ("== a tile=1\n...\n== b tile=2\n...\n", "one tile size per file"),
        ("== a z=3\n...\n== b z=3\n...\n", "from the bottom up"),
        ("== a size=3\n...\n", "header option 'size' is unknown"),
        (b"...\n\xff..\n", "line 2: byte 4 is not UTF-8"),
    ],
)
def test_each_fault_says_what_and_where(text, told):
    assert any(told in fault for fault in faults_of(text))


def test_all_faults_come_at_once():
    faults = faults_of("legend: K = dor\n== a\n#?.\n#K!\n.>>>\n")
    assert [re.match(r"line \d+", fault)[0] for fault in faults] == ["line 1", "line 3", "line 4", "line 5"]


def test_garbage_gives_a_bounded_number_of_faults():
    assert len(faults_of("".join(map(chr, range(0x3000, 0x3800))))) == 101


def test_absurdly_long_lines_are_refused_before_anything_is_allocated():
    assert "at most 64000000 are allowed" in faults_of("." * 20_000 + "\n." * 20_000)[0]


def test_sniff():
    assert text_map.sniff(b"###\n#.#\n###\n", "")
    assert text_map.sniff(TWO_STOREYS.encode(), ".dat")
    assert not text_map.sniff(b"v 0.0 1.0 2.0\nf 1 2 3\n", ".obj")
    assert not text_map.sniff(b'{"type": "FeatureCollection"}', ".json")
    assert not text_map.sniff(b"glTF\0\0", ".glb")
    assert not text_map.sniff(b"", ".txt")


def test_the_drawing_in_the_docstring_is_a_level():
    block = text_map.__doc__.split("::\n\n", 1)[1].split("\n\n====", 1)[0]
    drawing = "\n".join(line.removeprefix("    ") for line in block.split("\n"))
    level = read(drawing)
    assert (level.name, len(level.surface.ramps), len(level.patrols)) == ("Two rooms and a loft", 1, 1)


@given(st.lists(st.text("#. Ghc", min_size=1, max_size=9), min_size=1, max_size=9))
def test_every_tile_is_read_where_it_is_drawn(rows):
    if not any(symbol in row for row in rows for symbol in ".Gh") or not rows[0].strip():
        rows = [".", *rows]
    level = read("\n".join(rows) + "\n")
    passable = level.surface.floors[0].passable
    drawn = {(x, y): symbol for y, row in enumerate(rows) for x, symbol in enumerate(row)}
    assert {(x, y) for y, x in np.argwhere(passable).tolist()} == {k for k, v in drawn.items() if v in ".Gh"}
    assert {spawn.xyz for spawn in level.spawns} == {(x + 0.5, y + 0.5, 0.0) for (x, y), v in drawn.items() if v == "G"}
    covered = {
        (x, y)
        for cover in level.cover
        for x in range(int(cover.outline_xy[0, 0]), int(cover.outline_xy[2, 0]))
        for y in range(int(cover.outline_xy[0, 1]), int(cover.outline_xy[2, 1]))
    }
    assert covered == {k for k, v in drawn.items() if v == "c"}


@given(st.lists(st.lists(st.booleans(), min_size=7, max_size=7), min_size=1, max_size=7))
def test_rectangles_cover_each_tile_once(rows):
    mask = np.array(rows)
    count = np.zeros(mask.shape, dtype=int)
    for left, low, right, high in rectangles(mask):
        count[low:high, left:right] += 1
    assert np.array_equal(count, mask.astype(int))


@given(st.data())
def test_mutated_maps_never_leave_the_error_tree(data):
    path = Path(text_map.__file__).parents[1] / "samples" / "warehouse.txt"
    text = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 20))] = data.draw(st.binary(max_size=4))
    with contextlib.suppress(LevelError):
        text_map.read(bytes(text), "mutated.txt")
