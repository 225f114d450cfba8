"""Views of a placement over time: samples, finer looks, danger, and what is refused."""

import math

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.placement.detection import GuardViews, guard_label
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute, Placement
from oracles.space_time import tile_level
from specimens.space_time import CORRIDOR, pacer


@pytest.fixture(scope="module")
def sight():
    return Sight.from_level(tile_level(CORRIDOR))


def test_moments_are_even_and_reach_the_end(sight):
    views = GuardViews(sight, [pacer()], seconds=1.04, step=0.1, substeps=2)
    assert views.steps == 11
    assert views.seconds == pytest.approx(np.arange(23) * 0.05)
    assert views.arrays.look.shape == (23, 1, 5)


def test_the_corridor_is_seen_when_the_guard_comes_down(sight):
    views = GuardViews(sight, Placement((pacer(),)), seconds=8.0)
    place = np.array([[8.5, 0.5, 0.0]])
    seen = [t for t in np.arange(0.0, 8.01, 0.25).tolist() if views.seen(place, t)[0] == 0]
    assert seen == [7.25, 7.5, 7.75, 8.0]  # from y = 4.5, passed at 7.003 s


def test_a_glance_between_steps_is_found_by_looking_closer(sight):
    # The guard that turns in full circles of 1 s looks east at every full second, west in between.
    kind = GuardKind("turning", speed=0.0, view_distance=3.0, view_angle=1.0, turn_speed=2 * math.pi, sweep=2 * math.pi)
    views = GuardViews(sight, [GuardRoute(kind, [(5.5, 0.5)])], seconds=4.0, step=1.0, substeps=1, touch=None)
    wait = [(4.5, 0.5, 0.0, 0.0), (4.5, 0.5, 0.0, 3.0)]
    assert views.first_seen(wait) is None
    found = views.first_seen(wait, substeps=2)
    assert found is not None
    assert (found.seconds, found.xyz, found.guard) == (0.5, (4.5, 0.5, 0.0), 0)


def test_views_are_checked_between_steps_and_contact_counts_by_default(sight):
    # It turns in full circles of 1 s and looks west only between the steps; then it is blind and stands close by.
    kind = GuardKind("turning", speed=0.0, view_distance=3.0, view_angle=1.0, turn_speed=2 * math.pi, sweep=2 * math.pi)
    wait = [(3.0, 0.5, 0.0, 0.0), (3.0, 0.5, 0.0, 3.0)]
    found = GuardViews(sight, [GuardRoute(kind, [(5.5, 0.5)])], seconds=4.0, step=1.0).first_seen(wait)
    assert found is not None
    assert found.seconds == pytest.approx(0.5, abs=0.1)
    blind = GuardKind("standing", speed=0.0, view_distance=0.05, view_angle=0.1, passive=1.0)
    guard = [GuardRoute(blind, [(5.5, 0.5)])]
    past = [(3.5, 0.5, 0.0, 0.0), (5.0, 0.5, 0.0, 1.5)]
    assert GuardViews(sight, guard, seconds=4.0).first_seen(past).seconds == pytest.approx(1.0, abs=0.011)
    assert GuardViews(sight, guard, seconds=4.0, touch=1.5).first_seen(past).seconds == pytest.approx(0.5, abs=0.011)
    assert GuardViews(sight, guard, seconds=4.0, touch=None).first_seen(past) is None


def test_danger_counts_places_and_moments(sight):
    views = GuardViews(sight, [pacer()], seconds=8.0, step=1.0, substeps=3)
    places = np.array([(x + 0.5, 0.5, 0.0) for x in range(13)])
    danger = views.danger(places)
    assert danger.seconds.tolist() == list(range(9))
    assert danger.share == pytest.approx([0.0] * 8 + [1 / 13])
    assert danger.places == pytest.approx([1 / 9 if x == 8 else 0.0 for x in range(13)])


def test_no_guards_see_nobody(sight):
    views = GuardViews(sight, [], seconds=2.0)
    assert views.seen([(0.5, 0.5, 0.0)], 1.0).tolist() == [-1]
    assert views.danger([(0.5, 0.5, 0.0)]).share.max() == 0.0


def test_guards_are_called_by_number_kind_and_name():
    named = GuardRoute(pacer().kind, [(0, 0)], name="Bob")
    assert guard_label([pacer(), named], 0) == "guard 1 (walking)"
    assert guard_label([pacer(), named], 1) == "guard 2 'Bob' (walking)"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"step": 0.0}, "step is 0 s; it must be at least 0.01"),
        ({"seconds": math.inf}, "seconds is inf"),
        ({"substeps": 0}, "substeps is 0; give a whole number, at least 1"),
        ({"seconds": 86_400.0, "substeps": 10}, "moments of 1 guards exceed"),
        ({"seen_at": -1}, "seen_at is -1 m"),
    ],
)
def test_bad_times_are_refused(sight, change, words):
    with pytest.raises(InputError) as caught:
        GuardViews(sight, [pacer()], **change)
    assert words in str(caught.value)


def test_bad_guards_and_paths_are_refused(sight):
    with pytest.raises(InputError, match=r"guards\[0\] is 3; give a Placement, or GuardRoutes"):
        GuardViews(sight, [3])
    with pytest.raises(InputError, match="guards is None"):
        GuardViews(sight, None)
    with pytest.raises(InputError, match="create one with"):
        GuardViews(None, [pacer()])
    views = GuardViews(sight, [pacer()])
    with pytest.raises(InputError, match=r"path\[1\] is earlier than path\[0\]"):
        views.first_seen([(0, 0, 0, 2), (1, 0, 0, 1)])
    with pytest.raises(InputError, match="shape"):
        views.first_seen([(0, 0, 0)])
    with pytest.raises(InputError, match="one finite moment"):
        views.seen([(0, 0, 0)], [1.0, 2.0])
