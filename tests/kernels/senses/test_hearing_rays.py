"""How much of a source lies open, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.kernels.senses.hearing_pairs import cast_to_sounds
from specimens.perception import block, hall, sight_of


def test_the_share_of_rays_that_pass():
    # A wall up to x = 10.2: the ray a metre to the right of the source passes it, those above and to the left do not.
    sight = sight_of(hall(obstacles=[block(5, 10, 10.2, 10.5)]))
    sources = np.array([(10.0, 12.0, 0.3)])
    ears = np.array([(10.0, 8.0, 1.6), (10.0, 14.0, 1.6), (10.0, 8.0, 1.6)])
    in_reach = np.array([[True, True, False]])
    share = np.full((1, 3), np.nan)
    cast_to_sounds(sight, sources, ears, in_reach, 0.0, share)
    assert share[0, :2].tolist() == [0.0, 1.0]
    assert np.isnan(share[0, 2])
    cast_to_sounds(sight, sources, ears, in_reach, 1.0, share)
    assert share[0, :2].tolist() == [0.25, 1.0]
