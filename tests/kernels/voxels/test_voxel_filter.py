from __future__ import annotations

import numpy as np

from lastseen.kernels.voxels.voxel_filter import connect, flag_walkable, keep_spans

HEIGHT, CLIMB = 1.8, 0.4


def field(columns, width):
    """Return start and spans of columns given as lists of (bottom, top); every top is walkable."""
    spans = [(low, high, high, high) for column in columns for low, high in column]
    start = np.cumsum([0, *map(len, columns)]).astype(np.uint32)
    return start, np.array(spans, np.float32).reshape(-1, 4), width, len(columns) // width


def walkable_of(columns, width, unwalkable=()):
    start, spans, width, depth = field(columns, width)
    spans[list(unwalkable), 3] = -np.inf
    return flag_walkable(start, spans, width, depth, HEIGHT, CLIMB, CLIMB)


def middle(columns, **options):
    """Return whether the middle of a field of three by three columns is walkable."""
    walkable, _, _ = walkable_of(columns, 3, **options)
    return bool(walkable[sum(map(len, columns[:4]))])


def surrounded(centre, around):
    return [around] * 4 + [centre] + [around] * 4


def test_level_ground_and_a_step_are_walkable():
    assert middle(surrounded([(-1, 0)], [(-1, 0)]))
    assert middle(surrounded([(-1, 0)], [(-1, -0.4)]))


def test_a_drop_higher_than_the_climb_is_a_ledge():
    assert not middle(surrounded([(-1, 0)], [(-1, -0.41)]))
    assert not middle(surrounded([(-1, 0)], []))


def test_a_drop_nobody_fits_into_is_none():
    low_gap = [(-3, -2), (-0.5, 0.5)]  # 1.5 m between floor and slab
    assert middle(surrounded([(-1, 0.2)], low_gap))


def test_the_floor_may_not_differ_too_much_across():
    tilted = [[(-1, 0)], [(-1, 0)], [(-1, 0)], [(-1, -0.3)], [(-1, 0)], [(-1, 0.3)], [(-1, 0)], [(-1, 0)], [(-1, 0)]]
    assert not middle(tilted)
    start, spans, width, depth = field(tilted, 3)
    assert flag_walkable(start, spans, width, depth, HEIGHT, CLIMB, 0.6)[0][4]


def test_clearance():
    assert middle(surrounded([(-1, 0), (1.8, 2)], [(-1, 0), (1.8, 2)]))
    assert not middle(surrounded([(-1, 0), (1.79, 2)], [(-1, 0), (1.79, 2)]))


def test_a_low_obstacle_above_walkable_ground_carries():
    ground = [(-1, 0)]
    assert not middle(surrounded([(-1, 0.3)], ground), unwalkable=[4])
    columns = surrounded([(-1, 0), (0.1, 0.3)], ground)
    walkable, _, tally = walkable_of(columns, 3, unwalkable=[5])
    assert walkable[5]
    assert tally.tolist() == [9, 10, 2, 1]


def test_a_low_obstacle_carries_no_other_one():
    """Of two obstacles above one another only the lower stands on ground that was walkable from the first."""
    walkable, _, tally = walkable_of(surrounded([(-1, 0), (0.1, 0.3), (0.4, 0.6)], [(-1, 0)]), 3, unwalkable=[5, 6])
    assert tally.tolist()[:2] == [9, 10]
    assert not walkable[6]


def test_the_tally_says_which_step_took_what():
    _, _, tally = walkable_of(surrounded([(-1, 0), (1, 1.2)], [(-1, 0), (1, 1.2)]), 3, unwalkable=range(1, 18, 2))
    assert tally.tolist() == [9, 9, 1, 0]


def connected(columns, ceilings, width, climb=CLIMB):
    start = np.cumsum([0, *map(len, columns)]).astype(np.uint32)
    column_of = np.repeat(np.arange(len(columns), dtype=np.uint32), [len(column) for column in columns])
    floor = np.array([z for column in columns for z in column], np.float32)
    ceiling = np.array([z for column in ceilings for z in column], np.float32)
    return connect(start, column_of, floor, ceiling, width, len(columns) // width, HEIGHT, climb)


def test_steps_lead_there_and_back():
    link = connected([[0.0], [0.4], [0.9]], [[9.0]] * 3, 3)
    assert link.tolist() == [[1, -1, -1, -1], [-1, -1, 0, -1], [-1, -1, -1, -1]]


def test_a_step_needs_room_on_the_way():
    assert connected([[0.0], [0.3]], [[2.0], [9.0]], 2)[0, 0] == -1
    assert connected([[0.0], [0.2]], [[2.0], [9.0]], 2)[0, 0] == 1


def test_of_several_floors_the_nearest_in_height_and_only_if_it_leads_back():
    link = connected([[0.0, 3.0], [0.9, 2.5]], [[2.9, 9.0], [2.4, 9.0]], 2, climb=1.0)
    assert link[:, 0].tolist() == [-1, 3, -1, -1]
    low = connected([[0.0], [0.1, 2.0]], [[9.0], [9.0, 9.0]], 2, climb=2.5)
    assert low[0, 0] == 1
    assert low[2, 2] == -1


def test_kept_spans_are_renamed():
    link = connected([[0.0], [0.0], [0.0]], [[9.0]] * 3, 3)
    kept, start, renamed = keep_spans(np.array([False, True, True]), np.arange(4, dtype=np.uint32), link)
    assert kept.tolist() == [1, 2]
    assert start.tolist() == [0, 0, 1, 2]
    assert renamed.tolist() == [[1, -1, -1, -1], [-1, -1, 0, -1]]
