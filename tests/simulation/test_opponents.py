"""Intruders worth chasing: they know only guards they saw or heard, keep ahead of them, and use doors and tricks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.brains.leaves.evasion import known_guards
from lastseen.agents.brains.shipped_brains import STYLES
from lastseen.cells.layout import CellLayout
from lastseen.errors import InputError
from lastseen.level.level import Level
from lastseen.level.samples import sample
from lastseen.simulation.experiments.crews.beginnings import CrewTrialSettings
from lastseen.simulation.experiments.opponents.experiment import (
    TOWARDS,
    OpponentSettings,
    evaluate_opponents,
    metres_towards,
)
from lastseen.simulation.experiments.search.beginnings import TrialSettings
from lastseen.simulation.experiments.search.experiment import evaluate_search
from specimens.worlds import Play

LOOP = """
level: loop
step: 0.1
seconds: 30
agents:
  - {{name: Ames, at: [{guard}], heading: {heading}, patrol: ""}}
  - {{name: Vera, brain: {brain}, at: [{at}]}}
"""


def hunted(brain: str, seconds: float = 6.0) -> Play:
    """A guard 7 m away in the corridor of the loop sees the intruder."""
    text = LOOP.format(guard="5, 2.5", heading=0.0, brain=brain, at="12, 2.5")
    return Play(text).run(seconds)


def test_a_guard_behind_a_wall_is_known_by_its_steps_only():
    text = LOOP.format(guard="2, 5.5", heading=1.57, brain="ghost", at="7, 6.5")
    play = Play(text)
    play.run(0.3)
    vera = play.world.minds[1]
    assert not known_guards(vera).lately(play.world.time).any(), "it stands still, out of sight"
    play.world.bodies.velocity_xy[0] = (4.0, 0.0)
    known_guards(vera).update(vera)
    assert known_guards(vera).lately(play.world.time).tolist() == [True]
    assert known_guards(vera).xyz[0] == pytest.approx(play.world.bodies.xyz[0])


@pytest.mark.parametrize("brain", STYLES)
def test_a_hunted_intruder_keeps_away_from_its_guard(brain):
    play, apart = Play(LOOP.format(guard="5, 2.5", heading=0.0, brain=brain, at="12, 2.5")), []
    play.run(6.0, each=lambda world: apart.append(math.dist(world.place_of(0), world.place_of(1))))
    assert play.world.ending is None or play.ending.startswith("Vera")
    assert min(apart) > 3.0
    assert "flee" in play.states["Vera"]


def test_the_same_seed_gives_the_same_chase():
    assert hunted("deceiver").outcome.digest == hunted("deceiver").outcome.digest


HALL = """\
##########################
#...........'............#
#...........#............#
#...........#............#
##########################
"""


def test_a_door_is_shut_behind_an_intruder_that_is_followed(tmp_path):
    Level.from_text(HALL, kind="text").write(tmp_path / "two.geojson")
    text = f"""
level: {tmp_path / "two.geojson"}
step: 0.1
seconds: 20
agents:
  - {{name: Ames, at: [1.5, 1.5], heading: 0.0}}
  - {{name: Vera, brain: outrunner, at: [9.5, 1.5]}}
"""
    play = Play(text).run(6.0)
    shut = [event for event in play.events if event.kind == "door" and event.shut and event.agent == 1]
    assert shut
    assert play.world.level.doors[shut[0].door] is play.world.level.doors[0]


def test_a_deceiver_leaves_a_decoy_and_blinks_away():
    assert {"left decoy", "blinked"} <= set(hunted("deceiver").kinds("Vera"))


def test_what_counts_as_running_towards_a_catcher():
    still = np.zeros((3, 2, 3))
    still[:, 1, 0] = (6.0, 4.0, 2.0)
    assert metres_towards(still, 0, 1) == 0.0, "the guard moved, the intruder did not"
    meets = still.copy()
    meets[:, 0, 0] = (0.0, 0.6, 1.2)
    assert metres_towards(meets, 0, 1) == pytest.approx(1.2)
    assert metres_towards(meets, 0, 1) >= TOWARDS
    flees = still.copy()
    flees[:, 0, 0] = (0.0, -0.6, -1.2)
    assert metres_towards(flees, 0, 1) == pytest.approx(-1.2)


def test_opponents_are_compared_on_the_same_chases():
    level = sample("rooms")
    case = {"rooms": (level, CellLayout.from_level(level))}
    found = evaluate_opponents(case, brains=["ghost"], episodes=3, settings=OpponentSettings(seconds=8.0))
    outcome = found.outcomes["rooms"]
    assert [variant.name for variant in found.variants] == ["roamer", "ghost"]
    assert outcome.guards.tolist() == [1, 2, 4]
    starts = np.array([[trial.tracks[0] for trial in row] for row in outcome.trials.tolist()], object)
    for one, other in starts:
        assert np.array_equal(one, other)
    assert ((outcome.free >= 0.0) & (outcome.free <= 8.0)).all()
    with pytest.raises(InputError, match="did you mean 'ghost'"):
        evaluate_opponents(case, brains=["gost"])


def test_styles_are_evaders_of_searches_and_crews():
    level = sample("rooms")
    case = {"rooms": (level, CellLayout.from_level(level))}
    settings = TrialSettings(seconds=5.0)
    found = evaluate_search(
        case, contenders=["influence"], evaders=STYLES, episodes=3, searchers=(1,), settings=settings
    )
    assert not found.failures
    assert CrewTrialSettings(evaders=STYLES).evaders == STYLES
    with pytest.raises(InputError, match="no brain of an intruder 'guard'"):
        CrewTrialSettings(evaders=("guard",))
