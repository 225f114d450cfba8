"""Stages: their agents and difficulty, and which recordings fit them."""

from __future__ import annotations

import base64

import msgspec
import numpy as np
import pytest
import shapely
from click.testing import CliRunner

from lastseen.agents.senses.vision.vision import VIEW_DISTANCE
from lastseen.errors import InputError, RecordingError
from lastseen.level.level import Level
from lastseen.level.samples import SAMPLES, sample
from lastseen.simulation.recording.format import HEAD, MAGIC, VERSION, About, digest_of
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.scenario.reader import parse_scenario, shipped_scenarios
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.views.cli.app.main import cli
from lastseen.views.cli.run.play import _requested
from lastseen.views.scene.timings import TIMINGS
from lastseen.views.studio.protocol.greeting_builder import greeting_of
from lastseen.views.studio.protocol.level_outline import drawing_of
from lastseen.views.studio.protocol.messages import Open
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage import DIFFICULTIES, stage_of_level, stage_of_setting
from lastseen.views.studio.session.stage_opening import opened, request_for
from studio.server import resume


@pytest.fixture(scope="module")
def rooms():
    return stage_of_level(sample("rooms"), "rooms")


def without_player(level: Level) -> Level:
    from dataclasses import replace

    return replace(level, spawns=tuple(spawn for spawn in level.spawns if spawn.who == "guard"))


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "complex"])
def test_every_sample_can_be_played(name):
    stage = stage_of_level(sample(name), name)
    game = Game(stage)
    for _ in range(3):
        game.advance(PlayerInput((1.0, 0.0), "run"))
    assert game.mode == "play"
    assert game.world.trees[stage.player] is None
    drawn = drawing_of(stage.setting.level, stage.layout.mesh)
    assert {shape.storey for shape in drawn.shapes} == set(range(len(drawn.storeys)))


def test_storeys_of_a_mesh_that_cannot_be_told_by_height_are_shown_as_one():
    # A spiral: from a room over a ramp up to a ring that ends above the room. Its floor overlaps, so the navmesh has
    # two storeys, but most of both is 3 m high; a player on the ring stands on floor that is drawn.
    plates = [((0, 4), (0, 4), 0, 0), ((4, 10), (0, 4), 0, 3), ((10, 20), (0, 4), 3, 3), ((10, 20), (4, 14), 3, 3)]
    plates += [((0, 10), (4, 14), 3, 3), ((0, 4), (0, 4), 3, 3)]
    corners, triangles = [], []
    for (west, east), (south, north), low, high in plates:
        n = len(corners)
        corners += [(west, south, low), (east, south, high), (east, north, high), (west, north, low)]
        triangles += [(n, n + 1, n + 2), (n, n + 2, n + 3)]
    level = Level.from_mesh(corners, triangles)
    stage = stage_of_level(level, "spiral")
    assert len(np.unique(stage.layout.mesh.face_storey)) == 2
    hello = greeting_of(Game(stage))
    assert [round(storey.z, 6) for storey in hello.level.storeys] == [3.0]
    assert {shape.storey for shape in hello.level.shapes} == {0}
    assert set(np.frombuffer(base64.b64decode(hello.cells.storey), np.uint8).tolist()) == {0}
    floor = shapely.union_all([shapely.Polygon(one.outline, one.holes) for one in hello.level.shapes])
    assert floor.covers(shapely.points([[15.0, 9.0], [5.0, 9.0], [2.0, 2.0], [15.0, 2.0]])).all()


def test_where_no_player_is_spawned_it_starts_away_from_guards():
    level = without_player(sample("rooms"))
    stage = stage_of_level(level, "rooms")
    you = stage.setting.agents[stage.player]
    guards = [np.array(spec.at) for spec in stage.setting.agents if spec.brain == "guard"]
    assert you.name == "you"
    assert min(np.linalg.norm(np.array(you.at) - guard) for guard in guards) > 10.0


def test_difficulties_differ_in_what_guards_can(rooms):
    found = {}
    for name in DIFFICULTIES:
        scenario = stage_of_level(sample("rooms"), "rooms", name, rooms).setting.scenario
        assert scenario.chase == name
        found[name] = (scenario.chase, scenario.vision, scenario.hearing, scenario.sharing, scenario.search_seconds)
    assert len(set(found.values())) == 3
    with pytest.raises(InputError, match="did you mean 'easy'"):
        stage_of_level(sample("rooms"), "rooms", "esay", rooms)


def test_the_same_level_is_not_baked_again(rooms):
    assert stage_of_level(sample("rooms"), "rooms", "hard", rooms).layout is rooms.layout
    assert stage_of_level(sample("corridor"), "corridor", "hard", rooms).layout is not rooms.layout


def saved(tmp_path, rooms, change=lambda about: about):
    """Write a short run whose head says something else; return the folder and the name."""
    game = Game(rooms)
    for _ in range(4):
        game.advance(PlayerInput((0.0, 1.0)))
    data = game.file()
    length = HEAD.unpack(data[: HEAD.size])[2]
    about = change(msgspec.json.decode(data[HEAD.size : HEAD.size + length], type=About))
    head = msgspec.json.encode(about)
    made = HEAD.pack(MAGIC, VERSION, len(head), digest_of(head)) + head + data[HEAD.size + length :]
    (tmp_path / "run.rec").write_bytes(made)
    return Folder(tmp_path)


def test_a_recording_is_opened_as_it_was_played(tmp_path, rooms):
    stage = opened(saved(tmp_path, rooms), request_for("run.rec"))
    assert (stage.kind, stage.player, stage.difficulty) == ("recording", rooms.player, "normal")
    game = Game(stage)
    assert (game.mode, game.ticks, game.has_ended()) == ("watch", 5, True)


CHANGES = {
    "no columns": lambda about: msgspec.structs.replace(about, columns=about.columns[1:]),
    "other names": lambda about: msgspec.structs.replace(about, agents=tuple(reversed(about.agents))),
    "no notes": lambda about: msgspec.structs.replace(about, notes={}),
    "odd watchers": lambda about: msgspec.structs.replace(about, notes={**about.notes, "watchers": [99]}),
    "other cells": lambda about: msgspec.structs.replace(
        about, layers=(msgspec.structs.replace(about.layers[0], cells=3),)
    ),
    "no layers": lambda about: msgspec.structs.replace(about, layers=()),
    "no level": lambda about: msgspec.structs.replace(about, level="{}"),
    "no scenario": lambda about: msgspec.structs.replace(about, scenario="[]"),
    "other step": lambda about: msgspec.structs.replace(about, step=0.5),
    "fewer trees": lambda about: msgspec.structs.replace(about, trees=()),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_recording_that_does_not_fit_itself_is_refused(tmp_path, rooms, name):
    with pytest.raises(RecordingError):
        opened(saved(tmp_path, rooms, CHANGES[name]), request_for("run.rec"))


def test_odd_players_and_difficulties_are_passed_over(tmp_path, rooms):
    def change(about):
        return msgspec.structs.replace(about, notes={**about.notes, "player": "x", "difficulty": 7})

    stage = opened(saved(tmp_path, rooms, change), request_for("run.rec"))
    assert (stage.player, stage.difficulty) == (None, "normal")


def test_a_run_that_comes_out_otherwise_is_not_gone_on_with(tmp_path, rooms):
    """Recorded with another seed than it says: the first steps may agree, in the end they do not."""
    level = sample("warehouse")
    stage = stage_of_level(level, "warehouse")
    game = Game(stage)
    for _ in range(30):
        game.advance(PlayerInput((0.0, 1.0), "run"))
    game.inputs.changes.clear()
    game.seek(20)
    with pytest.raises(RecordingError, match="came out differently"):
        resume(game)
    assert (game.ticks, game.shown, game.mode) == (31, 20, "watch")


def test_a_run_with_another_seed_is_repeated_with_it(tmp_path):
    from lastseen.simulation.recording.world_columns import record
    from lastseen.simulation.scenario.reader import setting_of
    from lastseen.simulation.scenario.scenario import Scenario
    from lastseen.simulation.world.setup import make_world

    setting = setting_of(Scenario("rooms", seconds=1.0, name="night"))
    record(make_world(setting, seed=7), tmp_path / "run.rec", seed=7)
    game = Game(opened(Folder(tmp_path), request_for("run.rec")))
    game.seek(20)
    resume(game)
    assert game.ticks == 21
    assert Recording.read(tmp_path / "run.rec").about.seed == game.recording.about.seed == 7


def test_a_shipped_scenario_is_opened_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder, request = _requested("brawl", None)
    assert (folder.root, request) == (tmp_path, Open(scenario="brawl"))
    stage = opened(folder, request)
    assert (stage.kind, stage.source) == ("scenario", "brawl")
    assert not set(shipped_scenarios()) & set(SAMPLES)  # one menu names both
    result = CliRunner().invoke(cli, ["play", "brawl", "--difficulty", "hard"])
    assert result.exit_code == 2
    assert "brawl is not a level" in result.output


def test_the_page_learns_each_agents_own_view_and_the_timings():
    text = "level: hall\nagents: [{name: A, at: [4.5, 4.5]}, {name: B, at: [6.5, 4.5], view_distance: 6}]"
    greeting = greeting_of(Game(stage_of_setting(parse_scenario(text), "views.yaml")))
    far = [agent.view.far for agent in greeting.agents]
    assert far[1] == pytest.approx(far[0] * 6.0 / VIEW_DISTANCE)
    assert greeting.timings == TIMINGS
