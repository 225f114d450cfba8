"""The drawbridge: platforms in scenarios, from the script to the recording and its picture."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from lastseen.errors import ScenarioError
from lastseen.level.level import Level
from lastseen.navmesh.query import faces_at
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text, shipped_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.views.figures.moment.replay_figure import ReplayMap
from lastseen.views.figures.moment.replay_key import Contents
from lastseen.views.scene.recorded_scene import RecordedScene
from specimens.worlds import Play

LIFT = """{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"kind":"floor"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,8],[0,8],[0,0]]]}},
{"type":"Feature","properties":{"kind":"floor","z":3,"storey":1},"geometry":{"type":"Polygon","coordinates":[[[13,0],[20,0],[20,8],[13,8],[13,0]]]}},
{"type":"Feature","properties":{"kind":"platform","name":"lift","at":"bottom"},"geometry":{"type":"Polygon","coordinates":[[[10,2],[13,2],[13,5],[10,5],[10,2]]]}},
{"type":"Feature","properties":{"kind":"platform","name":"lift","at":"top","z":3,"storey":1,"present":false},"geometry":{"type":"Polygon","coordinates":[[[10,2],[13,2],[13,5],[10,5],[10,2]]]}}]}"""

RIDE = """
level: lift.geojson
seconds: 5
agents: [{name: Ames, at: [11.5, 3.5], patrol: ""}]
script: [{do: %s, at: 1}]
"""


def ride(tmp_path, row: str) -> Play:
    (tmp_path / "lift.geojson").write_text(LIFT)
    return Play(RIDE % row, folder=tmp_path).run(2.0)


def test_the_guards_cannot_follow_until_the_bridge_comes_down():
    play = Play(scenario_text("drawbridge"))
    across = {True: [], False: []}

    def watch(world):
        across[bool(world.cells.platforms[0])].append(float(world.bodies.xyz[:2, 0].max()))

    play.run(60.0, watch)
    rows = [(event.action, event.subject) for event in play.of_kind("script")]
    assert rows == [("remove platform", "drawbridge"), ("add platform", "drawbridge")]
    assert max(across[False]) < 16.0 < 22.0 < max(across[True])
    assert "caught player" in play.ending


def test_a_lift_takes_its_agents_along(tmp_path):
    play = ride(tmp_path, "move platform, platform: lift, to: top")
    assert play.world.bodies.xyz[0] == pytest.approx([11.5, 3.5, 3.0], abs=1e-6)
    assert play.world.cells.platforms.tolist() == [False, True]


THINGS = """objects:
  - {name: lathe, kind: workbench, place: [12.4, 4.5], slots: [[12, 4]]}
  - {name: vase, kind: item, place: [11, 2.6]}
  - {name: box, kind: item, place: [5, 4]}
"""


def test_objects_ride_a_platform_with_the_places_of_their_users(tmp_path):
    (tmp_path / "lift.geojson").write_text(LIFT)
    text = RIDE % "move platform, platform: lift, to: top"
    play = Play(text + THINGS, folder=tmp_path)
    play.world.objects.lay(2, (12.0, 3.0, 0.0))
    play.run(2.0)
    own = play.world.objects
    assert own.places == [(12.4, 4.5, 3.0), (11.0, 2.6, 3.0), (12.0, 3.0, 3.0)]
    assert own.slots(0) == ((12.0, 4.0, 3.0),)
    assert own.states(play.world.time) == [0, 0, 1]  # the box does not belong there
    assert play.world.attention.changed.xyz[2].tolist() == pytest.approx([11.0, 2.6, 3.0])  # after agent and lathe


def test_an_item_whose_floor_is_gone_lies_on_the_nearest_floor(tmp_path):
    (tmp_path / "lift.geojson").write_text(LIFT)
    play = Play(RIDE % "remove platform, platform: lift" + THINGS, folder=tmp_path).run(2.0)
    assert play.world.objects.places[1][0] < 10.0
    assert play.world.objects.states(play.world.time) == [0, 1, 0]


def test_an_agent_whose_floor_is_gone_gets_off_to_the_nearest_floor(tmp_path):
    play = ride(tmp_path, "remove platform, platform: lift")
    assert faces_at(play.world.cells.mesh, play.world.bodies.xyz).tolist()[0] >= 0
    assert play.world.bodies.xyz[0, 0] < 10.0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("add platform, platform: drawbrige", "did you mean 'drawbridge'"),
        ("move platform, platform: drawbridge", "'move platform' needs 'to'"),
        ("move platform, platform: drawbridge, to: up", "position of 'drawbridge'"),
        ("remove platform", "'remove platform' needs 'platform'"),
    ],
)
def test_bad_rows_are_named_at_load(row, message):
    with pytest.raises(ScenarioError, match=message):
        parse_scenario(f"level: moat\nscript:\n  - {{do: {row}, at: 1}}\n")


def test_a_recording_has_the_platforms_of_every_step_and_pictures_show_them(tmp_path):
    world = make_world(shipped_scenario("drawbridge"))
    record(world, tmp_path / "run.lsrec")
    recording = Recording.read(tmp_path / "run.lsrec")
    there = np.array([recording.frame(tick).columns["platforms"][0] for tick in range(len(recording))])
    assert set(there.tolist()) == {0, 1}
    up = int(np.flatnonzero(there == 0)[3])
    scene = RecordedScene(recording)
    assert scene.moment(up).platforms == (False,)
    shown = scene.moment(up)
    with_bridge = dataclasses.replace(shown, platforms=(True,))
    chart = ReplayMap(scene, scale=8.0)
    panels = [chart.sheet(one, Contents.of([one])).tobytes() for one in (shown, with_bridge)]
    assert panels[0] != panels[1]


def test_the_sample_has_its_bridge():
    assert [piece.name for piece in Level.sample("moat").platforms] == ["drawbridge"]
