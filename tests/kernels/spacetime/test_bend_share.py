"""Where a line passes from one face to another that slopes."""

from __future__ import annotations

import pytest

from lastseen.kernels.spacetime.space_time_floor import bend_share, floor_at
from specimens.cells import box, faces_mesh, ramp

FOOT = 2.0


@pytest.mark.parametrize(
    ("start", "end", "share"),
    [
        ((0.0, 1.0, 0.0), (4.0, 1.0, 1.0), 0.5),
        ((1.0, 0.5, 0.0), (5.0, 1.5, 1.5), 0.25),
        ((0.0, 1.0, 0.0), (FOOT, 1.0, 0.0), 1.0),
        ((FOOT, 1.0, 0.0), (4.0, 1.0, 1.0), 0.0),
        ((0.0, 1.0, 0.0), (1.5, 1.0, 0.0), -1.0),
        ((3.0, 1.0, 0.5), (4.0, 1.0, 1.0), -1.0),
        ((0.0, 0.5, 0.0), (0.0, 1.5, 0.0), -1.0),
    ],
)
def test_a_line_bends_where_the_planes_meet_and_its_ends_may_lie_there(start, end, share):
    arrays = faces_mesh(box(0, 0, FOOT, 2), ramp(FOOT, 0, 6, 2, 0.0, 2.0)).arrays
    assert bend_share(arrays, 0, 1, start, end) == pytest.approx(share, abs=1e-12)
    assert bend_share(arrays, 1, 0, start, end) == pytest.approx(share, abs=1e-12)


def test_the_floor_of_a_face_goes_on_beyond_it():
    arrays = faces_mesh([(0, 0, 1), (4, 0, 3), (4, 2, 4), (0, 2, 2)]).arrays
    assert floor_at(arrays, 0, 2.0, 1.0) == pytest.approx(2.5)
    assert floor_at(arrays, 0, 8.0, -2.0) == pytest.approx(4.0)
