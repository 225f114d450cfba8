"""Surveyed layers, compared with what the simulation computes for an agent in each cell."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import copy_of
from lastseen.agents.senses.hearing.sounds import sound
from lastseen.agents.senses.vision.sightings import VisionMemory
from lastseen.cells.query import nearest_cell, neighbours
from lastseen.simulation.scenario.reader import parse_scenario, shipped_scenario
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.simulation.world.survey import EARSHOT
from lastseen.views.studio.answers.export_jobs import frozen
from lastseen.views.studio.answers.survey import PastEvents, Survey, frame_to_survey
from lastseen.views.studio.protocol.layers import RECORDED, layer_kinds, packed_values
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage import stage_of_setting
from lastseen.views.studio.session.stage_opening import opened, request_for
from studio.server import resume


def survey_of(game: Game) -> Survey:
    notes = game.recording.about.notes
    return Survey(game.stage, *(np.array(notes[name], np.int32) for name in ("watchers", "targets")))


@pytest.fixture(scope="module")
def game(tmp_path_factory) -> Game:
    found = Game(opened(Folder(tmp_path_factory.mktemp("survey")), request_for("warehouse", "normal")))
    for _ in range(45):
        found.advance(PlayerInput((1.0, 0.3), "walk"))
    return found


@pytest.fixture(scope="module")
def survey(game) -> Survey:
    return survey_of(game)


@pytest.fixture(scope="module")
def some(game) -> list[int]:
    return list(range(0, len(game.stage.layout), 23))


def test_walks_are_the_shortest_through_all_but_locked_doors(game, survey):
    found = survey.values("walk", frame_to_survey(game))
    cells, start = game.world.cells, game.world.bodies.xyz[game.stage.player]
    metres = {nearest_cell(cells, start): 0.0}
    waiting = [(0.0, nearest_cell(cells, start))]
    while waiting:
        far, cell = heapq.heappop(waiting)
        for other, length in zip(*(part.tolist() for part in neighbours(cells, cell))):
            if far + length < metres.get(other, np.inf) - 1e-12:
                metres[other] = far + length
                heapq.heappush(waiting, (far + length, other))
    expected = np.array([metres.get(cell, np.nan) for cell in range(len(found))])
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert np.isnan(expected).any()  # behind the locked door


def test_exposure_is_what_guards_would_see_of_whoever_stood_there(game, survey, some):
    exposure, danger = (survey.values(name, frame_to_survey(game)) for name in ("exposure", "danger"))
    some = [*some, *np.flatnonzero(exposure > 0)[::5].tolist()]
    world, me = game.world, game.stage.player
    table = copy_of(world.bodies)
    for cell in some:
        table.xyz[me] = game.stage.layout.arrays.cell_xyz[cell]
        table.velocity_xy[me], table.stance[me], table.light[me] = 0.0, 0, 1.0
        count, aware = 0, 0.0
        for group in world.senses.looking:
            memory = VisionMemory(len(group.observers), 1)
            seen = group.model.look(table, world.sight.arrays, group.observers, [me], memory, 1.0)
            count += int(seen.visible.sum())
            aware = max(aware, float(np.where(seen.visible, seen.awareness, 0.0).max()))
        assert np.nan_to_num(exposure[cell]) == count, cell
        assert np.nan_to_num(danger[cell]) == pytest.approx(aware, abs=1e-5), cell
    assert np.nanmax(exposure) >= 1


def test_sound_goes_as_far_as_guards_hear_it(game, survey, some):
    noise = survey.values("noise", frame_to_survey(game))
    world = game.world
    places = game.stage.layout.arrays.cell_xyz[some].astype(float)
    sounds = [sound("footstep", place, radius=EARSHOT) for place in places]
    heard = world.senses.hearing.listen(
        sounds, world.bodies, world.cast.watchers, world.senses.ears, sight=world.sight.arrays
    )
    metres = np.where(heard.heard, heard.metres, np.inf).min(axis=1)
    known = np.isfinite(metres)
    assert known.sum() > 20
    assert (~known).any()
    np.testing.assert_array_equal(~np.isnan(noise[some]), known)
    np.testing.assert_allclose(noise[some][known], metres[known], atol=game.stage.layout.arrays.size_xyz[0])


def test_hiding_places_are_out_of_sight(game, survey):
    hiding, exposure = (survey.values(name, frame_to_survey(game)) for name in ("hiding", "exposure"))
    assert np.isnan(exposure[hiding > 0.0]).all()
    assert (hiding > 0.05).sum() > 50


def test_clearance_is_half_a_cell_beside_walls_and_grows_away_from_them(game, survey):
    found = survey.values("clearance", frame_to_survey(game))
    arrays = game.stage.layout.arrays
    beside = np.diff(arrays.link_start.astype(int)) < 8
    half = arrays.size_xyz[0] / 2
    np.testing.assert_allclose(found[beside], half)
    assert found[~beside].min() > half
    assert found.max() == pytest.approx(2.76, abs=0.01)  # the middle of the widest aisle


def test_the_heat_is_that_of_the_last_flood_before_the_step_shown(tmp_path):
    game = Game(opened(Folder(tmp_path), request_for("warehouse", "hard")))
    for _ in range(120):
        game.advance(PlayerInput((0.0, 1.0), "run"))
    game.place(game.stage.player, (41.5, 2.5, 0.0))
    for _ in range(30):
        game.advance(PlayerInput())
    flood = next(event for event in game.events() if event.kind == "flood")
    survey, past = survey_of(game), PastEvents()
    game.seek(flood.tick - 1)
    assert np.isnan(survey.values("heat", frame_to_survey(game, past))).all()
    game.seek(flood.tick)
    heat = survey.values("heat", frame_to_survey(game, past))
    assert np.flatnonzero(heat > 0).tolist() == sorted(flood.warm)
    np.testing.assert_array_equal(heat[list(flood.warm)], list(flood.values))
    # A run that continues from an earlier step has no later floods.
    game.seek(flood.tick - 1)
    resume(game)
    assert past.last_flood(game) is None
    game.place(game.stage.player, (41.5, 2.5, 0.0))
    while past.last_flood(game) is None and game.ticks < 400:
        game.advance(PlayerInput())
    assert past.last_flood(game) == next(event for event in game.events() if event.kind == "flood")


SCENARIO = """
level: hall
seconds: 9
light: 0.6
agents:
  - {name: Ames, at: [3.5, 3.5], heading: 0.0}
  - {name: you, brain: puppet, at: [27.5, 14.5]}
script:
  - {at: 0.5, do: smoke, place: [6.5, 3.5], radius: 2, seconds: 0.5}
"""


def test_smoke_hides_while_it_lasts():
    game = Game(stage_of_setting(parse_scenario(SCENARIO), "smoke.yaml"))
    survey, seen = survey_of(game), []
    for tick in (10, 20, 40):
        while game.ticks <= tick:
            game.advance(PlayerInput())
        seen.append(int((survey.values("exposure", frame_to_survey(game)) > 0).sum()))
    assert seen[1] < 0.7 * seen[0]
    assert seen[2] == pytest.approx(seen[0], rel=0.2)
    assert (survey.values("light", frame_to_survey(game)) == 0.6).all()


def test_light_that_a_trigger_switched_on_is_shown_from_then_on():
    game = Game(stage_of_setting(shipped_scenario("tripwire"), "tripwire.yaml"))
    while not any(event.kind == "script" and event.action == "light" for event in game.events()):
        game.advance(PlayerInput())
    survey, lit = survey_of(game), []
    for tick in (game.ticks - 2, game.ticks - 1):
        game.seek(tick)
        lit.append(int((survey.values("light", frame_to_survey(game)) == 1.0).sum()))
    assert lit[0] == 0
    assert lit[1] > 20


def test_an_opened_recording_says_the_same(game):
    again = Game(frozen(game))
    again.seek(game.shown)
    one, other = survey_of(game), survey_of(again)
    for kind in layer_kinds(game.stage)[len(RECORDED) :]:
        first, second = one.values(kind.name, frame_to_survey(game)), other.values(kind.name, frame_to_survey(again))
        same = np.isclose(first, second, atol=1e-3, equal_nan=True)
        assert same.mean() > 0.99, kind.name  # recorded places are rounded to single precision


def test_bytes_run_evenly_from_one_end_of_the_scale_to_the_other(game):
    kind = next(kind for kind in layer_kinds(game.stage) if kind.name == "walk")
    values = np.array([np.nan, kind.low, (kind.low + kind.high) / 2, kind.high, 10 * kind.high])
    assert packed_values(kind, values).tolist() == [0, 1, 64, 127, 127]
