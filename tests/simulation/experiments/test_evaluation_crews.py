"""Evaluations of crews: paired, the same for any number of jobs, alone the same to the bit; the gauge counts right."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from lastseen.agents.bodies.combat import PendingAttack
from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.errors import InputError
from lastseen.estimates import Estimate
from lastseen.kernels.arrays.agent_arrays import BODY, GONE
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.simulation.experiments.crews.beginnings import CrewTrialSettings, Drawn, Field, Given, Source
from lastseen.simulation.experiments.crews.experiment import CREW_TRIALS, CrewOutcome, evaluate_crews
from lastseen.simulation.experiments.crews.trial import METRICS, Gauge, run_trial
from lastseen.simulation.experiments.harness.summary import Change, as_object, summarise
from lastseen.simulation.experiments.harness.trials import Evaluation
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.views.cli.experiments.evaluation_report import as_text
from lastseen.vocabulary.events import Contact
from specimens.worlds import Play

SHORT = CrewTrialSettings(seconds=7.0, sizes=(1, 4))
SCENE = """
level: hall
combat: true
crews: true
seconds: 8
agents:
  - {name: Ames, at: [8, 8], patrol: ""}
  - {name: Bell, at: [8, 9], patrol: "", attack: ranged}
  - {name: Cole, at: [8, 10], patrol: ""}
  - {name: Vera, brain: brawler, at: [14, 9], heading: 3.14, health: 500}
"""


def baked(name: str) -> CellLayout:
    return build_layout(build_navmesh(sample(name), Body(radius=0.3)), cell=1.0)


@pytest.fixture(scope="module")
def sources() -> dict[str, Source]:
    layout = baked("hall")
    scenario = parse_scenario(SCENE).scenario
    return {"hall": Drawn(sample("hall"), layout), "scene": Given(scenario, ".", layout)}


@pytest.fixture(scope="module")
def evaluation(sources: dict[str, Source]) -> Evaluation:
    return evaluate_crews(sources, episodes=6, seed=3, settings=SHORT)


def values(outcome: CrewOutcome) -> np.ndarray:
    return np.stack([getattr(outcome, name) for name in METRICS])


def digests(outcome: CrewOutcome) -> list[list[str]]:
    return [[trial.digest for trial in pair] for pair in outcome.trials]


@pytest.mark.long
def test_the_result_does_not_depend_on_jobs(sources: dict[str, Source], evaluation: Evaluation) -> None:
    again = evaluate_crews({"scene": sources["scene"]}, episodes=6, seed=3, jobs=2, settings=SHORT).outcomes["scene"]
    before = evaluation.outcomes["scene"]
    assert np.array_equal(values(before), values(again), equal_nan=True)
    assert digests(again) == digests(before)
    other = evaluate_crews({"scene": sources["scene"]}, episodes=1, seed=4, settings=SHORT)
    assert digests(other.outcomes["scene"])[0][0] != digests(before)[0][0]


def test_beginnings_are_the_same_and_kinds_take_turns(evaluation: Evaluation) -> None:
    for outcome in evaluation.outcomes.values():
        for off, on in outcome.trials:
            assert np.array_equal(off.tracks[0], on.tracks[0])
    hall = evaluation.outcomes["hall"]
    assert list(zip(hall.kind.tolist(), hall.guards.tolist())) == [
        ("fight", 1),
        ("hunt", 1),
        ("sweep", 1),
        ("fight", 4),
        ("hunt", 4),
        ("sweep", 4),
    ]
    starts = [off.tracks[0] for off, _ in evaluation.outcomes["scene"].trials]
    assert not np.array_equal(starts[0], starts[1])
    assert np.abs(starts[0] - starts[1])[:, :2].max() <= 2.0


def test_one_guard_is_never_worse_it_does_the_same(evaluation: Evaluation) -> None:
    table = summarise(evaluation)[0]
    assert table.facts == {"alone": 3, "same": 3}
    for outcome in evaluation.outcomes.values():
        several = outcome.only((outcome.guards > 1) & (outcome.kind != "hunt"))
        assert len(several)
        assert all(off != on for off, on in digests(several))


def test_crews_spare_contacts_lines_and_attackers(evaluation: Evaluation) -> None:
    changes = {one.measure.metric: one for one in summarise(evaluation)[0].changes()}
    for metric in ("contacts", "lines", "over"):
        assert changes[metric].on.value < changes[metric].off.value, metric


def test_what_cannot_be_measured_is_left_out() -> None:
    field = Field("hall", Drawn(sample("hall"), baked("hall")), SHORT, 3)
    alone, hunt, sweep = (run_trial(field, number, crews=True) for number in (0, 4, 5))
    assert math.isnan(alone.contacts)
    assert math.isnan(alone.flank)
    assert math.isnan(hunt.at_once)
    assert 0.0 <= hunt.resighted <= SHORT.seconds
    assert math.isnan(sweep.resighted), "nobody is there"
    assert (sweep.seconds, sweep.ending) == (pytest.approx(SHORT.seconds), "time over")


def test_words_and_json_hold_every_table(evaluation: Evaluation) -> None:
    words, told = as_text(evaluation), as_object(evaluation)
    for name in ("all: 12 starting positions; 3 of 3 with one guard", "fights: 2", "sweeps: 2", "hall: 6", "scene: 6"):
        assert name in words
    assert [table["name"] for table in told["tables"]] == ["all", "fights", "hunts", "sweeps", "hall", "scene"]
    assert "colleague in the line of fire" in words


@pytest.mark.parametrize(
    ("metric", "low", "high", "verdict"),
    [
        ("contacts", -3, -1, "better"),
        ("contacts", 1, 3, "worse"),
        ("searched", 1, 3, "better"),
        ("flank", -1, 1, "open"),
    ],
)
def test_a_verdict_needs_an_interval_without_doubt(metric: str, low: float, high: float, verdict: str) -> None:
    some, measure = Estimate(0.0, -1.0, 1.0), next(one for one in CREW_TRIALS.measures if one.metric == metric)
    for pairs, expected in ((9, verdict), (2, "open")):  # two that agree say nothing yet
        change = Estimate((low + high) / 2, low, high, pairs)
        assert Change(measure, some, some, change).verdict == expected


STILL = """
level: hall
rules: none
combat: true
agents:
  - {name: A, brain: puppet, team: guards, at: [10, 9]}
  - {name: B, brain: puppet, team: guards, at: [16, 9]}
  - {name: C, brain: puppet, team: guards, at: [13, 4], attack: ranged}
  - {name: you, brain: puppet, at: [13, 9]}
"""


def test_the_gauge_counts_by_hand() -> None:
    world = Play(STILL).world
    gauge = Gauge(world)
    world.happened(Contact(world.tick, 0))
    gauge.note(world)
    assert (gauge.contacts, gauge.steps) == (0, 0), "nobody has been seen yet"
    world.attention.seen[0], world.time = 0, 2.0
    assert world.combat is not None
    world.combat.blows = {
        0: PendingAttack("strike", 3, 9.0),
        1: PendingAttack("strike", 3, 9.0),
        3: PendingAttack("strike", 0, 9.0),
    }
    gauge.note(world)
    assert (gauge.contacts, gauge.attacking, gauge.over) == (1, [2], 1)
    assert gauge.flanked == 0.0, "A and B are on two sides of it, 3 m off"
    world.combat.blows = {0: PendingAttack("strike", 3, 9.0), 2: PendingAttack("shoot", 3, 9.0)}
    gauge.note(world)
    assert (gauge.attacking, gauge.over) == ([2, 2], 1), "one blade and one gun are allowed"
    world.attention.seen[0], world.time = -1, 3.0
    gauge.note(world)
    world.attention.seen[1], world.time = 0, 7.5
    gauge.note(world)
    assert gauge.resighted == [4.5]
    assert gauge.looked > 4.0
    world.attention.seen[1], world.time = -1, 8.0
    gauge.note(world)
    world.time = 10.0
    gauge.end(world)
    assert gauge.resighted == [4.5, 2.0]


def test_one_who_is_beaten_is_not_lost() -> None:
    world = Play(SCENE).world
    gauge = Gauge(world)
    world.attention.seen = [0, -1, -1]
    gauge.note(world)
    world.attention.seen, world.time = [-1, -1, -1], 1.0
    world.bodies.mode[3] = BODY
    gauge.note(world)
    world.time = 3.0
    gauge.end(world)
    assert gauge.resighted == []
    # One who has got away is: guards do not know it.
    world.bodies.mode[3] = GONE
    gauge.note(world)
    world.time = 5.0
    gauge.end(world)
    assert gauge.resighted == [2.0]


def test_a_search_that_has_seen_nearly_all_is_not_held_against_who_was_fast() -> None:
    world = Play(STILL).world
    gauge = Gauge(world, lost=True)
    floor = len(world.cells)
    gauge._map.clean(np.arange(floor // 2))
    gauge.note(world)
    assert gauge.unseen == 1
    gauge._map.clean(np.arange(round(0.95 * floor)))
    looked = gauge.looked
    gauge.note(world)
    assert (gauge.unseen, gauge.looked) == (1, looked), "corners that are left count no more"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sizes": ()}, "sizes is empty"),
        ({"sizes": (0,)}, "sizes is 0"),
        ({"sizes": (11,)}, "sizes is 11"),
        ({"seconds": 0.0}, "seconds is 0"),
        ({"away": (5.0, 1.0)}, "minimum first"),
        ({"ranged": 2.0}, "ranged is 2"),
    ],
)
def test_bad_settings_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        dataclasses.replace(SHORT, **change)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "words"), [({"episodes": 0}, "episodes"), ({"jobs": 0}, "jobs"), ({"seed": -1}, "seed")]
)
def test_bad_counts_are_refused(sources: dict[str, Source], change: dict[str, int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        evaluate_crews(sources, settings=SHORT, **change)
    with pytest.raises(InputError, match="give at least one"):
        evaluate_crews({})
