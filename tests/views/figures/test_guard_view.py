"""Views as they are drawn: without lines of no width."""

import numpy as np

from lastseen.views.figures.level.placement_figure import without_spikes

SQUARE = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)])


def test_a_spike_goes_and_nothing_else():
    spiked = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (9.0, 2.0), (4.0, 2.0), (4.0, 4.0), (0.0, 4.0)])
    kept = without_spikes(spiked)
    assert (9.0, 2.0) not in map(tuple, kept.tolist())
    assert {tuple(place) for place in SQUARE.tolist()} <= set(map(tuple, kept.tolist()))
    np.testing.assert_array_equal(without_spikes(SQUARE), SQUARE)


def test_a_spike_that_ends_between_two_corners_goes_too():
    along = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 7.0), (4.0, 4.0), (0.0, 4.0)])
    assert without_spikes(along)[:, 1].max() == 4.0
    assert len(without_spikes(np.array([(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]))) < 3
