"""Small levels with guards for tests of views and of ways through space and time."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute

CORRIDOR = [
    "########.####",
    "########.####",
    "########.####",
    "########.####",
    "########.####",
    "########.####",
    "########.####",
    ".............",
]
"""A corridor along x, and at x = 8.5 a side way up from it: a guard pacing there looks into the corridor at times."""

PACER = GuardKind("walking", speed=1.0, view_distance=4.0, view_angle=math.radians(60.0), turn_speed=1000.0)


def pacer() -> GuardRoute:
    """Walks up the side way from y = 3.5 to 7.5 and down again: 4 s each, 8 s a round but for turns of 3 ms.

    It looks down from second 4 on; from y = 4.5, where the corridor's middle is 4 m away, to 3.5 it sees x = 8.5 there.
    """
    return GuardRoute(PACER, [(8.5, 3.5), (8.5, 7.5)])


@st.composite
def rooms(draw) -> list[str]:
    """Small maps with some pillars; their corners are free."""
    wide, tall = draw(st.integers(3, 6)), draw(st.integers(3, 6))
    marks = [[draw(st.sampled_from("...#")) for _ in range(wide)] for _ in range(tall)]
    for row, column in ((0, 0), (tall - 1, wide - 1)):
        marks[row][column] = "."
    return ["".join(row) for row in marks]


@st.composite
def guards(draw, rows: list[str]) -> list[GuardRoute]:
    """One or two guards who stand, look about or walk to and fro between free tiles in a line."""
    free = [
        (column + 0.5, len(rows) - row - 0.5)
        for row, line in enumerate(rows)
        for column, mark in enumerate(line)
        if mark != "#"
    ]
    found = []
    for _ in range(draw(st.integers(1, 2))):
        x, y = draw(st.sampled_from(free))
        kind = GuardKind(
            "sentry",
            speed=draw(st.sampled_from([0.0, 1.0, 2.0])),
            view_distance=draw(st.sampled_from([1.3, 2.7, 9.0])),
            view_angle=draw(st.sampled_from([0.7, 1.9, 4.0, 2 * math.pi])),
            turn_speed=draw(st.sampled_from([0.9, 3.0])),
            sweep=draw(st.sampled_from([0.0, 1.0, 2 * math.pi])),
        )
        line = [place for place in free if place[0] == x or place[1] == y]
        points = [(x, y), draw(st.sampled_from(line))] if kind.walks else [(x, y)]
        # Odd phases and headings keep sight lines off corners and edges of views, where roundings decide.
        turn, phase = draw(st.floats(0, 6)), draw(st.floats(0, 6))
        found.append(GuardRoute(kind, np.array(points), phase + 0.0137, turn + 0.0271))
    return found
