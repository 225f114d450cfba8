import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import ChaseSettings
from lastseen.reasoning.chase.loss import Loss
from oracles.chase import nearest_warm, neighbours_of, plain_flood, plain_mean
from specimens.chase import cells_of, picture, with_bits

OPEN_7 = "\n".join(["." * 7] * 7)
OPEN_12 = "\n".join(["." * 12] * 12)


def flooded(layout, heading, steps, start=(3.5, 3.5), **changes):
    chosen = ChaseSettings(**{"hot": 9, "max_steps": steps, **changes})
    return Chase(layout, settings=chosen).predict(seen_at=start, heading=heading)


def test_figure_2a_seeds_the_cell_and_a_barrier_behind_it():
    layout = cells_of(OPEN_7)
    run = Chase(layout, settings=ChaseSettings(hot=9)).start(Loss((3.5, 3.5), (1, -1)))
    assert picture(layout, run.result(), 7, 7) == [
        ".......",
        ".......",
        ".......",
        "..#9...",
        "..##...",
        ".......",
        ".......",
    ]


def test_figure_2b_heats_all_round_and_lets_the_barrier_grow_back():
    layout = cells_of(OPEN_7)
    assert picture(layout, flooded(layout, (1, -1), 1), 7, 7) == [
        ".......",
        ".......",
        "..999..",
        ".##89..",
        ".###9..",
        ".###...",
        ".......",
    ]


def test_figure_3_walls_shape_the_flood():
    text = """
    .......
    .......
    ..###..
    .......
    .......
    .......
    .......
    """
    layout = cells_of(text)
    flood = flooded(layout, (1, 0), 3, start=(3.5, 3.5))
    assert picture(layout, flood, 7, 7) == [
        ".......",
        ".......",
        "#.   99",
        "###6789",
        "###7789",
        "##88889",
        "#999999",
    ]
    assert flood.heated.tolist() == [3, 6, 11]


@pytest.mark.parametrize(
    ("shape", "barred"),
    [
        # Heading east from (3, 3); the wedge behind spans columns 0 to 2 of the picture's rows 1 to 5.
        ("circle", {(2, 3), (1, 3), (2, 2), (2, 4)}),
        ("square", {(2, 3), (1, 3), (2, 2), (2, 4), (1, 2), (1, 4), (1, 1), (1, 5)}),
        (
            "strip",
            {(2, 3), (1, 3), (0, 3), (2, 2), (2, 4), (1, 2), (1, 4), (0, 2), (0, 4), (1, 1), (1, 5), (0, 1), (0, 5)},
        ),
    ],
)
def test_a_barrier_is_bounded_by_distance_and_shape(shape, barred):
    layout = cells_of(OPEN_7)
    flood = flooded(layout, (1, 0), 5, barrier_reach=2.0, barrier_shape=shape, max_heated=1000)
    cells = {tuple(np.floor(layout.arrays.cell_xyz[cell, :2]).astype(int).tolist()) for cell in flood.barrier}
    assert cells == barred
    assert len(flooded(layout, (1, 0), 5, max_heated=1000).barrier) > len(barred) or shape == "strip"


@st.composite
def worlds(draw):
    """Return a random map with disabled cells and blocked links, a start and a heading."""
    rows = draw(st.lists(st.text(".....#", min_size=9, max_size=9), min_size=7, max_size=9))
    rows[3] = rows[3][:4] + "." + rows[3][5:]
    layout = cells_of("\n".join(rows))
    count, links = len(layout), len(layout.arrays.link_cell)
    start = draw(st.integers(0, count - 1))
    disabled = draw(st.sets(st.integers(0, count - 1), max_size=3)) - {start}
    blocked = draw(st.sets(st.integers(0, links - 1), max_size=6)) if links else set()
    angle = draw(st.none() | st.sampled_from(range(0, 360, 45)) | st.floats(0, 360))
    heading = None if angle is None else (math.cos(math.radians(angle)), math.sin(math.radians(angle)), 0.0)
    return with_bits(layout, disabled, blocked), start, heading


@st.composite
def rules(draw):
    behind = draw(st.sampled_from(["strict", "inclusive", "cone"]))
    return ChaseSettings(
        hot=draw(st.sampled_from([1, 2, 3, 5, 20, 127])),
        max_heated=draw(st.sampled_from([2, 5, 12, 1000])),
        max_steps=draw(st.integers(1, 15)),
        max_total=draw(st.none() | st.integers(1, 40)),
        behind=behind,
        cone=draw(st.sampled_from([0.0, 0.8, math.radians(75), 2.0, math.pi])) if behind == "cone" else None,
        barrier_reach=draw(st.none() | st.sampled_from([0.0, 1.0, 2.0, 3.3])),
        barrier_shape=draw(st.sampled_from(["circle", "square", "strip"])),
        claims=draw(st.sampled_from(["untouched", "warm"])),
        cooled=draw(st.sampled_from(["untouched", "spent"])),
        excess=draw(st.sampled_from(["made", "undone"])),
        weights=draw(st.sampled_from(["value", "even", "front"])),
    )


@settings(max_examples=75)
@given(worlds(), rules())
def test_a_flood_equals_the_article_in_plain_python(world, chosen):
    layout, start, heading = world
    position = {cell: tuple(map(float, xyz)) for cell, xyz in enumerate(layout.arrays.cell_xyz)}
    flood = Chase(layout, settings=chosen).predict(seen_at=position[start], heading=heading)
    plain = plain_flood(position, neighbours_of(layout.arrays), start, heading, chosen)
    assert (flood.start, flood.reason, flood.steps) == (start, plain.reason, plain.steps)
    assert flood.heated.tolist() == plain.heated
    assert dict(zip(flood.warm.tolist(), flood.values.tolist())) == plain.warm
    assert dict(zip(flood.warm.tolist(), flood.heated_in.tolist())) == {
        cell: plain.heated_in[cell] for cell in plain.warm
    }
    cold = {cell: step for cell, step in plain.heated_in.items() if plain.value[cell] == 0}
    told = dict(zip(flood.cold.tolist(), flood.cold_in.tolist()))
    # Cells heated again in a step that was undone are restored.
    assert told.items() <= cold.items()
    assert told == cold or flood.reason == "too_many"
    assert set(flood.barrier.tolist()) == plain.barrier
    assert len(flood.barrier) == len(plain.barrier)
    mean = plain_mean(plain, position, chosen)
    if mean is None:
        assert (flood.cell, flood.in_warm) == (start, False)
        return
    assert flood.mean == pytest.approx(mean, abs=1e-9)
    if chosen.weights != "front":  # quotients of whole numbers: the means agree except for the last bit
        inside = [
            cell for cell in plain.warm if np.floor(flood.mean[:2]).tolist() == np.floor(position[cell][:2]).tolist()
        ]
        assert flood.in_warm == bool(inside)
        assert flood.cell == (inside[0] if inside else nearest_warm(plain, position, flood.mean))
    expected = (*flood.mean[:2], 0.0) if flood.in_warm else position[flood.cell]
    assert flood.destination == pytest.approx(expected, abs=1e-9)
    assert flood.has_barrier == (heading is not None)


def test_nothing_is_left_behind_between_floods():
    layout = cells_of(OPEN_12)
    chase = Chase(layout, settings=ChaseSettings(max_heated=1000, max_steps=6))
    first = chase.predict(seen_at=(2.5, 2.5), heading=(1, 0))
    chase.predict(seen_at=(9.5, 9.5), heading=(0, -1))
    again = chase.predict(seen_at=(2.5, 2.5), heading=(1, 0))
    assert again.warm.tolist() == first.warm.tolist()
    assert again.values.tolist() == first.values.tolist()
    assert again.barrier.tolist() == first.barrier.tolist()


def test_without_a_heading_there_is_no_barrier_and_the_result_says_so():
    layout = cells_of(OPEN_7)
    for heading in (None, (0, 0), (0.0, 0.0, 0.0)):
        flood = flooded(layout, heading, 2)
        assert (flood.has_barrier, len(flood.barrier)) == (False, 0)
        assert flood.destination == pytest.approx((3.5, 3.5, 0.0))
    assert flooded(layout, (1e-200, 0), 2).has_barrier


def test_a_heading_of_any_length_gives_the_same_flood():
    layout = cells_of(OPEN_7)
    short, long = (flooded(layout, heading, 3) for heading in ((1e-300, 2e-300), (1e200, 2e200)))
    assert short.barrier.tolist() == long.barrier.tolist() == flooded(layout, (1, 2), 3).barrier.tolist()
