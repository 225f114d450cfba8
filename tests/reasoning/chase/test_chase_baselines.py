import math

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.errors import InputError, QueryError
from lastseen.reasoning.chase.baselines import (
    Breadcrumbs,
    CrumbTrail,
    DeadReckoning,
    LastPosition,
    OmniscientTrail,
    ParticleFilter,
    StandStill,
)
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.loss import Loss, Trail
from lastseen.reasoning.chase.prediction import Predictor
from specimens.chase import cells_of, with_bits

CORRIDOR = cells_of("#" * 40 + "\n#" + "." * 38 + "#\n" + "#" * 40)
RAN = Trail(np.array([(2.0 + 4.0 * t, 1.5, 0.0) for t in range(9)]), np.arange(9.0))
LOSS = Loss((10.5, 1.5), (1, 0), seconds=0.5, guard_at=(5.5, 1.5), trail=RAN)


def predictors() -> list[Predictor]:
    kinds = (StandStill, LastPosition, DeadReckoning, Breadcrumbs, OmniscientTrail, ParticleFilter, Chase)
    return [kind(CORRIDOR) for kind in kinds]


@pytest.mark.parametrize("predictor", predictors(), ids=lambda one: type(one).__name__)
def test_every_predictor_answers_on_the_floor_alone_and_among_many(predictor):
    one = predictor.predict(LOSS)
    other = Loss((20.5, 1.5), (-1, 0), seconds=2.0, trail=RAN)
    many = predictor.predict_many([other, LOSS, other])
    assert many[1].destination.tolist() == one.destination.tolist()
    assert (many[1].cell, many[1].reason) == (one.cell, one.reason)
    away = CORRIDOR.arrays.cell_xyz[one.cell] - one.destination
    assert np.abs(away).max() <= 0.5 + 1e-6
    assert isinstance(one.reason, str)
    assert len(predictor.predict_many([])) == 0


def test_standing_still_and_the_last_position():
    assert StandStill(CORRIDOR).predict(LOSS).destination == pytest.approx((5.5, 1.5, 0.0))
    assert StandStill(CORRIDOR).predict(Loss((10.5, 1.5))).destination == pytest.approx((10.5, 1.5, 0.0))
    assert LastPosition(CORRIDOR).predict(LOSS).destination == pytest.approx((10.5, 1.5, 0.0))
    off = LastPosition(CORRIDOR).predict(Loss((10.5, 3.0, 0.0)))
    assert off.destination == pytest.approx((10.5, 2.0, 0.0), abs=1e-6)


def test_dead_reckoning_goes_straight_on_as_far_as_it_can():
    near, far = DeadReckoning(CORRIDOR, distance=7.0), DeadReckoning(CORRIDOR, distance=90.0)
    assert near.predict(LOSS).destination == pytest.approx((17.5, 1.5, 0.0))
    assert near.predict(LOSS).reason == "reached"
    assert far.predict(LOSS).destination == pytest.approx((39.0, 1.5, 0.0), abs=1e-6)
    assert far.predict(LOSS).reason == "wall"
    still = far.predict(Loss((10.5, 1.5)))
    assert (still.destination.tolist(), still.reason) == ([10.5, 1.5, 0.0], "no_heading")
    # A heading that points up as well is followed at full length.
    assert near.predict(Loss((10.5, 1.5), (1, 0, 5))).destination == pytest.approx((17.5, 1.5, 0.0))


def test_crumbs_are_dropped_followed_and_consumed():
    crumbs = CrumbTrail(spacing=2.0, most=4)
    dropped = [crumbs.drop((x, 0.0)) for x in (0.0, 1.0, 2.0, 3.9, 4.0, 6.5, 8.5)]
    assert dropped == [True, False, True, False, True, True, True]
    assert crumbs.crumbs_xyz[:, 0].tolist() == [2.0, 4.0, 6.5, 8.5]
    assert crumbs.follow((0.0, 0.0)).tolist() == [2.0, 0.0, 0.0]
    assert crumbs.follow((2.5, 0.0)).tolist() == [4.0, 0.0, 0.0]
    assert crumbs.follow((6.0, 0.0), reach=0.7).tolist() == [8.5, 0.0, 0.0]
    assert len(crumbs) == 1
    assert crumbs.follow((8.5, 0.5)) is None


def test_omniscient_predictors_know_the_trail():
    assert OmniscientTrail(CORRIDOR, ahead=3.0).predict(LOSS).destination == pytest.approx((16.0, 1.5, 0.0))
    late = Loss((10.5, 1.5), (1, 0), seconds=3.0, trail=RAN)
    assert Breadcrumbs(CORRIDOR).predict(late).destination == pytest.approx((14.0, 1.5, 0.0))
    assert Breadcrumbs(CORRIDOR, ahead=2.0).predict(late).destination == pytest.approx((22.0, 1.5, 0.0))
    for kind in (OmniscientTrail, Breadcrumbs):
        with pytest.raises(QueryError, match="loss 1 has no trail"):
            kind(CORRIDOR).predict_many([LOSS, Loss((3.5, 1.5))])
    assert RAN.at(-1.0).tolist() == [2.0, 1.5, 0.0]
    assert RAN.at(99.0).tolist() == [34.0, 1.5, 0.0]


def test_particles_run_on_where_the_target_went():
    crowd = ParticleFilter(CORRIDOR, momentum=6.0)
    east = crowd.predict(LOSS)
    # 1.5 s at 4 m/s, and the five metres the guard needs to get there.
    assert east.destination[0] == pytest.approx(10.5 + 4.0 * 1.5 + 5.0, abs=2.5)
    later = crowd.predict(Loss((10.5, 1.5), (1, 0), seconds=2.5, guard_at=(5.5, 1.5)))
    assert later.destination[0] == pytest.approx(east.destination[0] + 4.0 * 2.0, abs=2.0)
    west = crowd.predict(Loss((20.5, 1.5), (-1, 0)))
    assert west.destination[0] < 20.0
    again = ParticleFilter(CORRIDOR, momentum=6.0).predict(LOSS)
    assert again.destination.tolist() == east.destination.tolist()
    walled = with_bits(CORRIDOR, [cell_at(CORRIDOR, (13.5, 1.5))])
    assert ParticleFilter(walled).predict(LOSS).destination[0] < 13.0


def test_particles_with_nowhere_to_go_stay():
    alone = cells_of("###\n#.#\n###")
    guess = ParticleFilter(alone).predict(Loss((1.5, 1.5), (1, 0)))
    assert guess.destination == pytest.approx((1.5, 1.5, 0.0))


def test_particles_leave_an_open_floor_evenly_without_a_heading():
    floor = cells_of("\n".join(["." * 41] * 41))
    guess = ParticleFilter(floor, particles=2000, momentum=0.0).predict(Loss((20.5, 20.5), speed=3.0))
    assert np.hypot(*(guess.destination[:2] - 20.5)) < 1.5


def test_parameters_of_baselines_are_checked():
    with pytest.raises(InputError, match="distance"):
        DeadReckoning(CORRIDOR, distance=math.nan)
    with pytest.raises(InputError, match="particles"):
        ParticleFilter(CORRIDOR, particles=0)
    with pytest.raises(InputError, match="give at most 100000"):
        ParticleFilter(CORRIDOR, particles=100_001)
    with pytest.raises(InputError, match="spacing"):
        CrumbTrail(spacing=0.0)
    with pytest.raises(InputError, match="ahead"):
        OmniscientTrail(CORRIDOR, ahead=-1.0)
    with pytest.raises(InputError, match="loss 0 is"):
        LastPosition(CORRIDOR).predict_many([(1, 2)])


@pytest.mark.parametrize("kind", [LastPosition, DeadReckoning, StandStill, ParticleFilter])
def test_places_off_the_mesh_are_refused_by_every_predictor(kind):
    layout = cells_of("#####\n#...#\n#####")
    with pytest.raises(QueryError, match=r"seen_at \(700, 1.5, 0\) is off the mesh: the nearest cell is .* m away"):
        kind(layout).predict(Loss((700, 1.5), (1, 0)))
    shut = with_bits(layout, disabled=[1])
    with pytest.raises(QueryError, match="disabled"):
        kind(shut).predict(Loss((2.5, 1.5), (1, 0)))


def test_standing_still_needs_a_guard_near_the_floor():
    with pytest.raises(QueryError, match=r"guard_at .* is off the mesh"):
        StandStill(cells_of("#####\n#...#\n#####")).predict(Loss((1.5, 1.5), (1, 0), guard_at=(900, 0)))
