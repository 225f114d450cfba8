"""Which guard cleared which cells, and the paths of agents: in a live run and in a recording."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.level.samples import sample
from lastseen.simulation.scenario.reader import setting_of
from lastseen.simulation.scenario.scenario import Scenario
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.views.scene.paths import Paths
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.search_progress import SearchProgress
from lastseen.views.studio.session.stage import stage_of_level, stage_of_setting
from lastseen.views.studio.session.stage_opening import opened, request_for

FAR_OFF = (41.5, 2.5, 0.0)


def searched(game: Game, ticks: int) -> Game:
    """Run into the guards of the warehouse, then be far away: they search."""
    for tick in range(ticks):
        game.advance(PlayerInput((0.0, 1.0), "run") if tick < 120 else PlayerInput())
        if tick == 125:
            game.place(game.stage.player, FAR_OFF)
    return game


@pytest.fixture(scope="module")
def game():
    return searched(Game(stage_of_level(sample("warehouse"), "warehouse", "hard")), 700)


def test_every_cleaned_cell_has_somebody_who_cleaned_it(game):
    """Check that cells cleared in a step were in front of, or around, the guard that cleared them."""
    named = 0
    for tick in range(1, game.ticks):
        before, after = (game.recording.frame(one).layers["search"] & 127 for one in (tick - 1, tick))
        cells = np.flatnonzero((before > 0) & (after == 0))
        if not len(cells) or not after.any():
            continue
        owners = game.searching.cleaned(tick)[cells]
        assert owners.all()
        feet = game.recording.frame(tick - 1).columns["xyz"][owners - 1]
        assert (np.linalg.norm(feet - game.stage.layout.arrays.cell_xyz[cells], axis=1) < 12.0).all()
        named += len(cells)
    assert named > 100
    assert len(np.unique(game.searching.cleaned(game.ticks - 1))) == 3  # none, and both guards


def test_a_recording_says_the_same(game):
    read = SearchProgress(game.stage)
    read.read(game.recording, game.paths.mesh)
    for tick in (*range(0, game.ticks, 50), 30, game.ticks - 1):
        np.testing.assert_array_equal(read.cleaned(tick), game.searching.cleaned(tick))


def test_an_opened_recording_is_read_when_asked(tmp_path, game):
    (tmp_path / "run.rec").write_bytes(game.file())
    other = Game(opened(Folder(tmp_path), request_for("run.rec")))
    other.seek(other.ticks - 1)
    assert other.searching is None
    assert not other.now()[1][1].any()
    other.read_search()
    np.testing.assert_array_equal(other.now()[1][1], game.now()[1][1])


def test_spots_of_a_coordinator_are_noted_with_who_goes_there():
    level = sample("warehouse")
    agents = stage_of_level(level, "warehouse").setting.agents
    scenario = Scenario("warehouse", agents=agents, vision="zones", search="both", seconds=100.0)
    game = searched(Game(stage_of_setting(setting_of(scenario, level=level), "warehouse")), 900)
    told = [spot for tick in range(0, game.ticks, 10) for spot in game.searching.spots(tick)]
    assert {state for *_, state, _ in told} == {0, 1, 2}
    assert {owner for *_, state, owner in told if state == 1} == {0, 1}
    assert {owner for *_, state, owner in told if state != 1} == {-1}
    assert game.searching.spots(10) == ()


def test_ways_lead_from_everybody_to_its_goal_over_the_floor(game):
    from lastseen.navmesh.query import raycasts

    for tick in (game.ticks - 1, game.ticks - 200, 60):
        game.seek(tick)
        columns, _ = game.now()
        ways = game.ways(columns)
        assert ways
        for agent, way in ways.items():
            np.testing.assert_allclose(way[0], columns["xyz"][agent], atol=1e-3)
            np.testing.assert_allclose(way[-1, :2], columns["goal"][agent][:2], atol=0.6)
            assert (raycasts(game.stage.layout.mesh, way[:-1], way[1:]).fraction > 0.98).all()
    game.seek(game.ticks - 1)


def test_ways_found_anew_are_as_long_as_those_followed(game):
    columns, _ = game.now()
    followed, found = (
        game.ways(columns),
        Paths(game.stage.layout, game.stage.setting.level, game.stage.player).of(columns),
    )
    assert set(followed) == set(found)
    for agent in followed:
        lengths = [np.linalg.norm(np.diff(way, axis=0), axis=1).sum() for way in (followed[agent], found[agent])]
        assert lengths[0] == pytest.approx(lengths[1], rel=0.05, abs=0.5)
