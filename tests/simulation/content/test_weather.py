"""Weather limits how far agents see and how well they hear, outdoors."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies as make_bodies
from lastseen.errors import ScenarioError
from lastseen.level.features import Zone
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.simulation.world.weather import WEATHERS, Weather
from specimens.worlds import Play

HALL = """
level: hall
seconds: 4
ends: []
weather: {weather}
agents:
  - {{name: Ames, at: [4, 9], heading: 0, patrol: ""}}
  - {{name: player, brain: puppet, at: [{x}, 9]}}
"""


@pytest.mark.parametrize("weather", WEATHERS)
def test_targets_beyond_the_sight_of_the_weather_are_not_seen(weather: str) -> None:
    limit = WEATHERS[weather][0]
    for away in (3.0, 7.0, 10.0):
        play = Play(HALL.format(weather=weather, x=4 + away)).run(4.0)
        assert bool(play.of_kind("sees")) == (away <= limit), away


def test_rain_halves_how_far_a_bottle_is_heard() -> None:
    def heard(weather: str, x: float) -> bool:
        script = f"script: [{{at: 0.5, do: sound, kind: bottle, place: [{x}, 9]}}]\n"
        quiet = HALL.format(weather=weather, x=4).replace("heading: 0,", "heading: 3.14,") + script
        return bool(
            Play(quiet.replace("brain: puppet, at: [4, 9]", "brain: puppet, at: [4, 4]")).run(3.0).of_kind("heard")
        )

    far = [x for x in range(6, 20) if heard("clear", x)]
    wet = [x for x in range(6, 20) if heard("rain", x)]
    assert far[-1] == 18, "a bottle is heard 14 m away"
    assert wet == [x for x in far if x - 4 <= 7.0]


def test_walls_of_a_zone_keep_the_weather_out() -> None:
    yard = Zone(np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]), name="yard", kind="outdoors")
    bodies = make_bodies([(5, 5), (20, 5), (25, 5)])
    fog = Weather((yard,), "fog")
    assert fog.outdoors(bodies.xyz).tolist() == [True, False, False]
    rows = np.array([0, 1], np.int32), np.array([1, 2], np.int32)
    assert fog.farthest(bodies, *rows).tolist() == [[8.0, 8.0], [np.inf, np.inf]]
    assert Weather((yard,), "dust storm").hearing(bodies, rows[0]).tolist() == [0.4, 1.0]
    assert Weather((), "fog").outdoors(bodies.xyz).all()


def test_an_intruder_is_seen_when_the_storm_is_over() -> None:
    text = scenario_text("dust_storm")
    play, clear = Play(text).run(20.0), Play(text.replace("weather: dust storm", "weather: clear")).run(20.0)
    seen, at_once = ([event.tick * one.world.step for event in one.of_kind("sees")] for one in (play, clear))
    assert at_once[0] < 1.0
    assert 8.0 <= seen[0] < 9.0
    assert play.outcome.reason == clear.outcome.reason == "caught"


def test_unknown_weather_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ScenarioError, match=r"line 2 \(weather\): no weather 'fogg' \(did you mean 'fog'\?\)"):
        parse_scenario("level: rooms\nweather: fogg\n")
    with pytest.raises(ScenarioError, match=r"\(script\[1\]\.kind\): no weather 'bottle'"):
        parse_scenario("level: rooms\nscript: [{at: 1, do: weather, kind: bottle}]\n")
