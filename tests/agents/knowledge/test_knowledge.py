"""What is known of targets; tests named after the acceptance checks of chapters 27, 33 and 34."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import SOURCES, Knowledge
from lastseen.agents.senses.hearing.hearing import RadiusHearing
from lastseen.agents.senses.hearing.sounds import sound
from lastseen.agents.senses.vision.sightings import VisionMemory
from lastseen.agents.senses.vision.vision import ZoneVision, vision
from lastseen.errors import InputError, QueryError
from lastseen.reasoning.chase.loss import View
from specimens.perception import OPEN, block, hall, sight_of

WALL = sight_of(hall(obstacles=[block(12, 0, 12.5, 40)]))


def scene(grace=0.0, guards=1):
    """Guards at (10, 20) that face a target at (15, 20), which runs up at 2 m/s."""
    table = bodies([(10, 20)] * guards + [(15, 20)], 0.0, team=[0] * guards + [1])
    table.velocity_xy[-1] = 0.0, 2.0
    return table, Knowledge(table, range(guards), [guards], grace=grace)


def sightings(table, know, sight=OPEN, model=None):
    memory = VisionMemory(len(know.observers), 1)
    return (model or vision("zones")).look(table, sight, know.observers, know.targets, memory, 0.1)


def step(table, know, now, sight=OPEN, **options):
    """One step of a tenth: the target moves on, then guards look."""
    table.xyz[-1, 1] = 20.0 + 2.0 * now
    know.remember(sightings(table, know, sight, **options), table, now)


def test_27_5_3_the_true_place_stays_known_for_the_grace_and_then_freezes():
    table, know = scene(grace=2.5)
    step(table, know, 0.0)
    for tick in range(1, 51):
        step(table, know, tick / 10.0, WALL)
        if tick == 24:
            assert know.arrays.xyz[0, 0].tolist() == pytest.approx([15.0, 24.8, 0.0])
    assert know.arrays.xyz[0, 0].tolist() == pytest.approx([15.0, 25.0, 0.0])
    assert know.arrays.time[0, 0] == pytest.approx(2.5)
    assert know.arrays.perceived[0, 0] == 0.0


def test_the_end_of_the_grace_does_not_depend_on_the_step():
    table, know = scene(grace="followed")
    step(table, know, 0.0)
    for now in (0.7, 1.4, 2.1, 2.8, 3.5):
        step(table, know, now, WALL)
    assert know.arrays.xyz[0, 0, 1] == pytest.approx(25.0)


def test_34_5_4_without_grace_the_place_freezes_at_once():
    table, know = scene(grace="frozen")
    step(table, know, 0.0)
    for tick in range(1, 30):
        step(table, know, tick / 10.0, WALL)
    assert know.arrays.xyz[0, 0].tolist() == [15.0, 20.0, 0.0]
    assert know.age(2.9)[0, 0] == pytest.approx(2.9)


@pytest.mark.parametrize(("moved", "due"), [(5.1, True), (4.9, False)])
def test_34_5_5_a_target_5_metres_off_is_approached_at_once(moved, due):
    table, know = scene()
    assert not know.approach_due(table, 100.0).any()
    step(table, know, 0.0)
    table.xyz[1, 1] = 20.0 + moved
    assert know.approach_due(table, 0.1)[0, 0] == due
    assert not know.approach_due(table, 0.1, moved=None)[0, 0]
    assert not know.approach_due(table, 9.9, moved=None)[0, 0]
    assert know.approach_due(table, 10.0, moved=None)[0, 0]
    assert know.astray(table)[0, 0] == due


def test_a_sight_says_where_which_way_how_fast_when_and_how_surely():
    table, know = scene()
    step(table, know, 0.5)
    record = know.arrays
    assert record.xyz[0, 0].tolist() == [15.0, 21.0, 0.0]
    assert record.direction_xy[0, 0].tolist() == [0.0, 1.0]
    assert (record.speed[0, 0], record.time[0, 0], record.identified[0, 0]) == (2.0, 0.5, 1)
    assert SOURCES[record.source[0, 0]] == "sight"
    assert record.certainty[0, 0] > 0.5
    assert record.from_xyz[0, 0].tolist() == [10.0, 20.0, 0.0]


def test_a_glance_is_not_knowledge():
    table, know = scene()
    table.gaze[0] = math.radians(-80.0)
    assert sightings(table, know, model=ZoneVision(movement=0.0)).visible[0, 0]
    step(table, know, 0.0, model=ZoneVision(movement=0.0))
    assert know.arrays.source[0, 0] == SOURCES.index("nothing")


def test_33_5_6_a_bottle_tells_a_hunter_that_somebody_is_near_and_an_infected_nothing():
    table, know = scene(guards=2)
    bottle = sound("bottle", (12, 20), made_by=2)
    know.hear(RadiusHearing().listen([bottle], table, [0, 1]), table, 4.0, infers=[True, False])
    assert know.suspects.tolist() == [4.0, -np.inf]
    assert (know.arrays.source == 0).all()


def test_a_footstep_gives_its_maker_away_unless_it_is_seen():
    table, know = scene(guards=2)
    table.gaze[1] = math.pi
    table.gaze[0] = 0.0
    know.remember(sightings(table, know), table, 1.0)
    step_at = sound("footstep", (14, 21), made_by=2)
    know.hear(RadiusHearing().listen([step_at], table, [0, 1]), table, 1.0)
    assert [SOURCES[source] for source in know.arrays.source[:, 0]] == ["sight", "sound"]
    assert know.arrays.xyz[1, 0].tolist() == [14.0, 21.0, 0.0]
    assert know.arrays.certainty[1, 0] == pytest.approx(1.0 - math.hypot(4.0, 1.0) / 12.0)
    assert not know.arrays.identified[1, 0]


def test_certainty_is_that_of_what_was_perceived_last():
    table, know = scene()
    know.touch(0, 0, table, 1.0)
    table.xyz[1] = 20.0, 20.0, 0.0
    know.hear(RadiusHearing().listen([sound("footstep", (20.0, 20.0), made_by=1)], table, [0]), table, 1.1)
    assert SOURCES[know.arrays.source[0, 0]] == "sound"
    assert know.arrays.certainty[0, 0] == pytest.approx(1.0 - 10.0 / 12.0)
    assert know.arrays.identified[0, 0], "it still knows who that is"
    table.xyz[1] = 15.0, 20.0, 0.0
    for now, gaze, sure in ((2.0, 0.0, 1.0), (2.1, 40.0, 0.8), (2.2, 0.0, 1.0)):
        table.gaze[0] = math.radians(gaze)
        know.remember(sightings(table, know), table, now)
        assert know.arrays.certainty[0, 0] == pytest.approx(sure)


@pytest.mark.parametrize("steps", [1, 7, 300])
def test_certainty_halves_in_so_many_seconds_whatever_the_step(steps):
    table, know = scene()
    assert know.fading == 30.0
    know.touch(0, 0, table, 0.0)
    know.arrays.certainty[0, 0] = 0.8
    for number in range(1, steps + 1):
        know.remember(sightings(table, know, WALL), table, 60.0 * number / steps)
    assert know.arrays.certainty[0, 0] == pytest.approx(0.2, rel=1e-3)


def test_certainty_does_not_fade_in_sight_in_the_grace_or_where_it_shall_not():
    table, know = scene(grace=2.0)
    step(table, know, 0.0)
    sure = float(know.arrays.certainty[0, 0])
    step(table, know, 1.5, WALL)
    assert know.arrays.certainty[0, 0] == sure
    know.remember(sightings(table, know, WALL), table, 5.0)
    know.remember(sightings(table, know, WALL), table, 6.0)
    assert know.arrays.certainty[0, 0] < sure
    table.xyz[1] = 15.0, 20.0, 0.0
    know.remember(sightings(table, know), table, 9.0)
    assert know.arrays.certainty[0, 0] == sure
    still = Knowledge(table, [0], [1], fading=0.0)
    still.touch(0, 0, table, 0.0)
    still.remember(sightings(table, still, WALL), table, 500.0)
    assert still.arrays.certainty[0, 0] == 1.0
    assert still.copy().fading == 0.0


def test_a_touch_tells_all():
    table, know = scene()
    know.touch(0, 0, table, 2.0)
    record = know.arrays
    assert (SOURCES[record.source[0, 0]], record.certainty[0, 0], record.identified[0, 0]) == ("touch", 1.0, 1)
    assert record.direction_xy[0, 0].tolist() == [0.0, 1.0]


def test_a_loss_holds_what_a_predictor_may_know():
    table, know = scene()
    assert know.loss(0, 0, 1.0) is None
    step(table, know, 0.0)
    table.xyz[0] = 3.0, 3.0, 0.0
    loss = know.loss(0, 0, 1.5, view=View(angle=1.0, distance=9.0), running=3.5)
    assert loss.seen_at.tolist() == [15.0, 20.0, 0.0]
    assert loss.heading.tolist() == [0.0, 1.0, 0.0]
    assert (loss.speed, loss.seconds) == (3.5, 1.5)
    assert loss.guard_at.tolist() == [10.0, 20.0, 0.0]
    assert loss.guard_view.heading.tolist() == [1.0, 0.0, 0.0]
    assert (loss.guard_view.angle, loss.guard_view.distance) == (1.0, 9.0)


def test_what_is_too_old_is_forgotten_and_a_copy_is_not():
    table, know = scene()
    step(table, know, 0.0)
    kept = know.copy()
    know.forget(10.0, 10.0)
    assert know.arrays.source[0, 0] == SOURCES.index("sight")
    know.forget(10.1, 10.0)
    assert know.arrays.source[0, 0] == SOURCES.index("nothing")
    assert know.loss(0, 0, 10.1) is None
    assert kept.arrays.source[0, 0] == SOURCES.index("sight")


def test_bad_input_is_named():
    table, know = scene()
    for make, words in (
        (lambda: Knowledge(table, [5], [1]), "names body 5"),
        (lambda: Knowledge(table, [0], [1], grace="long"), "no grace 'long'"),
        (lambda: Knowledge(table, [0], [1], grace=-1.0), "grace"),
        (lambda: know.loss(1, 0, 0.0), "observer 1"),
        (lambda: know.touch(0, "x", table, 0.0), "target"),
    ):
        with pytest.raises(InputError, match=words):
            make()
    other = Knowledge(table, [1], [0])
    with pytest.raises(QueryError, match="other observers"):
        other.remember(sightings(table, know), table, 0.0)
    with pytest.raises(QueryError, match="listeners differ"):
        other.hear(RadiusHearing().listen([], table, [0]), table, 0.0)
