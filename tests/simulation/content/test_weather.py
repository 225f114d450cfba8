"""Weather limits how far agents see and how well they hear, outdoors."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import shapely

from lastseen.agents.bodies.bodies import bodies as make_bodies
from lastseen.errors import ScenarioError
from lastseen.level.features import Zone
from lastseen.level.level import Level
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text, setting_of
from lastseen.simulation.world.lighting import Lighting
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.survey import Moment, Survey, clouds_of
from lastseen.simulation.world.weather import WEATHERS, Weather
from lastseen.views.scene.recorded_scene import RecordedScene
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
    assert Weather((yard,), "dust storm").hearing(bodies.xyz[rows[0]]).tolist() == [0.4, 1.0]
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


HOUSE = [(0.0, 0.0), (10.0, 0.0), (10.0, 18.0), (0.0, 18.0)]
"""The west of the sample "hall" lies indoors, with a strip of house in the yard at 20 … 22 m."""
YARDS = [[(10.0, 0.0), (20.0, 0.0), (20.0, 18.0), (10.0, 18.0)], [(22.0, 0.0), (32.0, 0.0), (32.0, 18.0), (22.0, 18.0)]]


def foggy(tmp_path, x: float, more: str = "weather: fog") -> RecordedScene:
    """Return a recording of a guard at (x, 9) that looks east, in a hall whose east lies outdoors."""
    yards = tuple(Zone(np.array(one), name="yard", kind="outdoors") for one in YARDS)
    level = dataclasses.replace(Level.sample("hall"), zones=yards)
    text = HALL.format(weather="clear", x=30).replace("seconds: 4", "seconds: 0.5").replace("weather: clear", more)
    scenario = parse_scenario(
        text.replace("at: [4, 9]", f"at: [{x}, 9]").replace("at: [30, 9]", "at: [30, 17]")
    ).scenario
    world = make_world(setting_of(scenario, level=level))
    record(world, tmp_path / "fog.rec")
    return RecordedScene(Recording.read(tmp_path / "fog.rec"))


def seen_now(scene: RecordedScene, places: np.ndarray) -> np.ndarray:
    """Return which places (n, 2) lie in the view that is drawn."""
    seen = scene.moment(10).people[0].seen
    if seen is None:
        return np.zeros(len(places), np.bool_)
    free = shapely.contains_xy(shapely.Polygon(seen.area).buffer(0), *places.T)
    return free & np.logical_or.reduce([shapely.contains_xy(shapely.Polygon(one), *places.T) for one in seen.outer])


@pytest.mark.parametrize("x", [4.0, 9.0, 12.0, 21.0])
@pytest.mark.parametrize("more", ["weather: fog", "script: [{at: 0, do: smoke, place: [14.5, 9.4], radius: 1.5}]"])
def test_the_view_that_is_drawn_is_what_a_guard_sees_in_fog_and_smoke(tmp_path, x: float, more: str) -> None:
    scene = foggy(tmp_path, x, more)
    setting = scene.setting
    layout, columns = scene.layout, scene.recording.frame(10).columns
    numbers = (np.array([0], np.int32), np.array([1], np.int32))
    moment = Moment(columns, Lighting(setting.level.zones, 1.0, {}), clouds_of(columns))
    exposed = Survey(setting, layout, *numbers).all("exposure", moment) > 0
    cells = layout.arrays.cell_xyz[:, :2].astype(np.float64)
    drawn = seen_now(scene, cells)
    inside, outside = (seen_now(scene, cells + np.array(aside)) for aside in ((0.6, 0.0), (-0.6, 0.0)))
    edge = (inside != outside) | (drawn != inside)  # bodies are wide, and seen by their shoulders
    for aside in ((0.0, 0.6), (0.0, -0.6)):
        edge |= seen_now(scene, cells + np.array(aside)) != drawn
    assert (drawn & ~edge).sum() > 10
    np.testing.assert_array_equal(drawn[~edge], exposed[~edge])


def test_fog_lies_between_two_houses(tmp_path) -> None:
    yards = tuple(Zone(np.array(one), kind="outdoors") for one in YARDS)
    places = np.array([(9.0, 9.0, 0.0), (21.0, 9.0, 0.0), (5.0, 9.0, 0.0)])
    assert Weather(yards, "fog").sight(places[:1], places[1:]).tolist() == [[8.0, np.inf]]
    up = places + np.array((0.0, 0.0, 9.0))
    assert Weather(yards, "fog").sight(up[:1], up[1:]).tolist() == [[np.inf, np.inf]]  # on the storey above


def test_layers_of_agents_end_where_the_weather_ends_sight_and_hearing() -> None:
    def layer(name: str, weather: str) -> tuple[np.ndarray, np.ndarray]:
        world = make_world(parse_scenario(f"layers: {{{name}: {{}}}}\n" + HALL.format(weather=weather, x=30)))
        step(world)
        away = np.linalg.norm(world.cells.arrays.cell_xyz - world.bodies.xyz[0], axis=1)
        return away, world.layers.named[name].values

    for name in ("exposure", "danger"):
        away, seen = layer(name, "fog")
        assert 7.0 < away[seen > 0].max() <= 8.1, name
    quiet, (_, stormy) = layer("noise", "clear")[1], layer("noise", "dust storm")
    np.testing.assert_allclose(stormy[stormy < 30], (quiet / 0.4)[stormy < 30], rtol=1e-5)


def test_in_fog_guards_find_no_body_that_is_too_far_away() -> None:
    def finds(weather: str) -> bool:
        fallen = "script: [{at: 0.2, do: fell, agent: Bell}]\n"
        text = HALL.format(weather=weather, x=30) + '  - {name: Bell, at: [15, 9], patrol: ""}\n' + fallen
        return any(event.thing == "body" for event in Play(text).run(4.0).of_kind("found"))

    assert finds("clear")
    assert not finds("fog")
