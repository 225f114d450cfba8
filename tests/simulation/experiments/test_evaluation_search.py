"""Evaluations of searches: paired, the same for any number of jobs; beginnings are fair, bounds hold."""

import dataclasses

import numpy as np
import pytest

from lastseen.agents.behaviour.leaf import Leaf
from lastseen.agents.behaviour.status import RUNNING
from lastseen.cells.build import build_layout
from lastseen.errors import BehaviourError, InputError
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.simulation.experiments.harness.summary import as_object, best_and_worst, summarise
from lastseen.simulation.experiments.search import trial
from lastseen.simulation.experiments.search.beginnings import (
    MODELS,
    USUAL_MODELS,
    Arena,
    TrialSettings,
    draw_beginning,
)
from lastseen.simulation.experiments.search.contenders import contenders
from lastseen.simulation.experiments.search.evaders import make_evader
from lastseen.simulation.experiments.search.experiment import SEARCHES, evaluate_search
from lastseen.simulation.experiments.search.trial import ENDINGS
from lastseen.views.cli.experiments.evaluation_report import as_text

NAMES = ("cheating", "influence", "coordinator", "random", "standing")
SHORT = TrialSettings(seconds=12.0, step=0.2)


def baked(level):
    return level, build_layout(build_navmesh(level, Body(radius=0.3)), cell=1.0)


@pytest.fixture(scope="module")
def levels():
    return {"rooms": baked(sample("rooms"))}


@pytest.fixture(scope="module")
def evaluation(levels):
    return evaluate_search(levels, contenders=NAMES, searchers=(1, 2), episodes=10, seed=5, settings=SHORT)


def arrays(outcome):
    return {field.name: getattr(outcome, field.name) for field in dataclasses.fields(outcome)}


@pytest.mark.long
def test_the_result_does_not_depend_on_jobs_nor_on_who_else_is_measured(levels, evaluation):
    again = evaluate_search(
        levels, contenders=["influence"], searchers=(1, 2), episodes=10, seed=5, jobs=2, settings=SHORT
    )
    assert again.names == ("influence", "random")
    columns = [NAMES.index(name) for name in again.names]
    one, other = arrays(evaluation.outcomes["rooms"]), arrays(again.outcomes["rooms"])
    for name, values in one.items():
        mine = values[:, columns] if values.ndim > 1 and values.shape[1] == len(NAMES) else values
        assert np.array_equal(mine, other[name], equal_nan=values.dtype.kind == "f"), name


class Mad(Leaf):
    """Raises after a second."""

    kind = "go mad"

    def tick(self, mind):
        if mind.time >= 1.0:
            raise ZeroDivisionError("upside down")
        return RUNNING


def evade_madly(mad_in):
    """Return a maker of evaders, those of some episodes mad."""

    def make(arena, beginning, draw):
        return Mad() if beginning.number in mad_in else make_evader(arena, beginning, draw)

    return make


def test_an_episode_with_a_brain_that_raises_is_named_and_the_others_are_as_without_it(levels, monkeypatch, evaluation):
    monkeypatch.setattr(trial, "make_evader", evade_madly({4}))
    asked = {"contenders": ["standing"], "searchers": (1, 2), "episodes": 10, "seed": 5, "settings": SHORT}
    found = evaluate_search(levels, **asked)
    outcome = found.outcomes["rooms"]
    assert outcome.episode.tolist() == [0, 1, 2, 3, 5, 6, 7, 8, 9]
    whole = evaluation.outcomes["rooms"]
    column = NAMES.index("standing")
    assert np.array_equal(outcome.seconds[:, 0], np.delete(whole.seconds[:, column], 4))
    assert [(one.case, one.episode, one.variant) for one in found.failures] == [
        ("rooms", 4, "standing"),
        ("rooms", 4, "random"),
    ]
    assert "evader: go mad: raised ZeroDivisionError: upside down" in found.failures[0].text
    assert "2 searches failed; their 1 episodes are left out" in as_text(found)
    assert as_object(found)["failures"][1]["contender"] == "random"
    assert evaluation.failures == ()


def test_where_every_search_fails_that_is_said(levels, monkeypatch):
    monkeypatch.setattr(trial, "make_evader", evade_madly(range(10)))
    with pytest.raises(BehaviourError, match="level 'rooms': every search failed, first with standing: evader: go mad"):
        evaluate_search(levels, contenders=["standing"], searchers=(1,), episodes=2, seed=5, settings=SHORT)


def test_another_seed_is_another_evaluation(levels):
    arena = Arena("rooms", *levels["rooms"])
    places = {tuple(draw_beginning(arena, 0, (1,), (1,), SHORT, seed).lost_xyz.tolist()) for seed in range(6)}
    assert len(places) > 1


@pytest.mark.parametrize("model", range(len(MODELS)))
def test_beginnings_are_out_of_sight_and_as_far_as_said(levels, model):
    arena = Arena("rooms", *levels["rooms"])
    begun = draw_beginning(arena, 3, (model,), (2,), SHORT, 1)
    metres = arena.metres_from(begun.lost_xyz)
    assert len(begun.searchers_xyz) == 2
    assert (metres[arena.cell_of(begun.searchers_xyz)] >= SHORT.first_away[0]).all()
    walked = float(metres[arena.cell_of(begun.evader_xyz[None])[0]])
    assert begun.since == pytest.approx(walked / SHORT.run_speed)
    assert not arena.is_seen(begun.searchers_xyz, begun.evader_xyz[None]).any()
    assert (begun.place >= 0) == (MODELS[model] == "hider")


def test_models_and_numbers_of_searchers_take_turns(evaluation):
    outcome = evaluation.outcomes["rooms"]
    assert outcome.episode.tolist() == list(range(10))
    assert outcome.model.tolist() == [0, 1, 2, 3, 4] * 2
    assert outcome.searchers.tolist() == [1] * 5 + [2] * 5


def test_bounds_hold(evaluation):
    pooled = summarise(evaluation)[0]
    seconds = {row.variant: row.estimates["seconds"].value for row in pooled.rows}
    assert seconds["cheating"] < min(seconds[name] for name in NAMES if name != "cheating")
    assert seconds["influence"] < seconds["standing"]
    assert pooled.row("standing").estimates["metres"].value < 0.1
    assert pooled.row("standing").estimates["opened"].value == 0.0
    outcome = evaluation.outcomes["rooms"]
    assert ((outcome.searched > 0.0) & (outcome.searched <= 1.0)).all()
    assert (outcome.off > 0.0).all()
    assert ((outcome.truth >= 0.0) & (outcome.truth <= 1.0)).all()
    assert (outcome.seconds[~outcome.found] == SHORT.seconds).all()
    assert (outcome.seconds[outcome.found] <= SHORT.seconds).all()


def test_one_in_a_hiding_place_is_found_by_opening_it_only(evaluation):
    outcome = evaluation.outcomes["rooms"]
    hidden = outcome.model == MODELS.index("hider")
    assert set(outcome.ending[hidden].ravel().tolist()) <= {ENDINGS.index("opened"), ENDINGS.index("time over")}
    assert (outcome.opened[outcome.ending == ENDINGS.index("opened")] >= 1).all()
    assert outcome.found[hidden, NAMES.index("cheating")].all()


def test_tables_count_every_search(evaluation):
    pooled, rooms = summarise(evaluation)
    assert (pooled.count, rooms.count) == (10, 10)
    for row in pooled.rows:
        assert sum(row.counts.values()) == 10
        assert set(row.groups["by_evader"]) == set(USUAL_MODELS)
        for name in (one.metric for one in SEARCHES.measures):
            difference = row.estimates[name].value - pooled.row("random").estimates[name].value
            assert row.gains[name].value == pytest.approx(difference)
        for label, found in row.part_gains["by_searchers"].items():
            means = [one.groups["by_searchers"][label][1] for one in (row, pooled.row("random"))]
            assert found["seconds"].value == pytest.approx(means[0] - means[1])
            assert found["seconds"].low <= found["seconds"].value <= found["seconds"].high
    assert set(pooled.rows[0].part_gains) == {"by_searchers"}
    written = pooled.as_object()["contenders"][0]
    assert set(written["by_searchers_above_random"]) == set(written["by_searchers"])


def test_best_and_worst_are_sooner_and_later_than_chance(evaluation):
    own, base = (evaluation.names.index(name) for name in ("influence", "random"))
    picks = best_and_worst(evaluation, "influence")
    assert picks
    for pick in picks:
        seconds = evaluation.outcomes[pick.case].seconds[pick.row]
        assert (seconds[own] < seconds[base]) == (pick.why == "best")


def test_a_level_without_hiding_places_gets_some_far_apart():
    floor = np.ones((14, 14), np.bool_)
    floor[2:12, 7] = False
    arena = Arena("bare", *baked(Level(Tiles((TileFloor(floor),)))))
    places = np.array([place.xyz for place in arena.level.hiding_places])
    away = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert len(places) >= 2
    assert away[~np.eye(len(places), dtype=bool)].min() > 5.0


def test_a_level_where_nobody_can_hide_says_so():
    hall = {"hall": baked(Level(Tiles((TileFloor(np.ones((8, 8), np.bool_)),))))}
    with pytest.raises(InputError, match=r"level 'hall': an evader cannot get out of sight"):
        evaluate_search(hall, contenders=["random"], episodes=2, settings=SHORT)


def test_variants_of_presets_are_contenders():
    found = contenders(["bleeding:speed=2.5"])
    assert [one.name for one in found] == ["bleeding:speed=2.5", "random"]
    assert found[0].search.settings.speed == 2.5
    assert found[0].search.settings.returns == "bleed"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contenders": ["influense"]}, r"no contender 'influense' \(did you mean 'influence'\?\)"),
        ({"contenders": ["influence:sped=1"]}, r"no setting 'sped' \(did you mean 'speed'\?\)"),
        ({"contenders": ["influence:speed"]}, "'speed' in contender 'influence:speed' is no setting"),
        ({"contenders": ["random:speed=1"]}, "only searches have settings"),
        ({"evaders": ["hidder"]}, r"no evader 'hidder' \(did you mean 'hider'\?\)"),
        ({"evaders": []}, "no evader given"),
        ({"searchers": [0]}, "searchers is 0"),
        ({"searchers": [99]}, "searchers is 99"),
        ({"searchers": []}, "no number of searchers"),
        ({"episodes": 0}, "episodes is 0"),
        ({"episodes": 2.5}, "episodes is 2.5"),
        ({"jobs": 0}, "jobs is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"levels": {}}, "no level given"),
    ],
)
def test_bad_questions_are_refused(levels, change, message):
    given = change.pop("levels", levels)
    with pytest.raises(InputError, match=message):
        evaluate_search(given, **change)


def test_settings_are_checked():
    with pytest.raises(InputError, match="seconds is -1 s"):
        TrialSettings(seconds=-1.0)
    with pytest.raises(InputError, match="away is"):
        TrialSettings(away=(5.0, 2.0))


def test_an_ideal_searcher_knows_where_evaders_may_be_and_finds_sooner_than_chance(levels):
    arena = Arena("rooms", *levels["rooms"])
    settings = TrialSettings(seconds=20.0, step=0.2)
    for number in range(5):
        begun = draw_beginning(arena, number, (0, 1, 2, 3, 4), (2,), settings, 3)
        assert begun is not None
        assert arena.cell_of(begun.evader_xyz[None])[0] in arena.refuges(begun, settings)
    found = evaluate_search(levels, contenders=["ideal"], searchers=(1,), episodes=5, settings=settings)
    row = summarise(found)[0].row("ideal")
    assert row.told
    assert row.gains["seconds"].value < 0.0
