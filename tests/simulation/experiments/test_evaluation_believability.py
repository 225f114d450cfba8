"""Evaluations of believability: the gauge counts right, runs are paired, and stored results can be compared with."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from lastseen.cells.layout import CellLayout
from lastseen.errors import InputError
from lastseen.kernels.arrays.agent_arrays import GONE, SIGHT, TOLD
from lastseen.level.samples import sample
from lastseen.simulation.experiments.believability.encounters import KINDS, Encounters, EncounterSettings
from lastseen.simulation.experiments.believability.experiment import evaluate_believability, run_encounter, values_of
from lastseen.simulation.experiments.believability.gauge import Gauge
from lastseen.simulation.experiments.crews.beginnings import Drawn
from lastseen.views.cli.app.main import cli
from lastseen.vocabulary.events import (
    AlarmRaised,
    Event,
    GivesUp,
    Lost,
    PlaceChanged,
    RoleChanged,
    Said,
    Sees,
    StateChanged,
)
from lastseen.vocabulary.words import AgentState
from specimens.worlds import Play

SCENE = """
level: hall
step: 0.1
agents:
  - {name: Ames, at: [6, 8], patrol: ""}
  - {name: Bell, at: [6, 10], patrol: ""}
  - {name: player, brain: runner, at: [25, 9]}
"""


class Fed:
    """A gauge on a world that stands still, fed with events."""

    def __init__(self) -> None:
        self.world = Play(SCENE).world
        self.gauge = Gauge(self.world)

    def at(self, seconds: float, *events: Event) -> Fed:
        self.world.time, self.world.events[:] = seconds + self.world.step, list(events)  # type: ignore[arg-type]
        self.gauge.note(self.world)
        return self


def test_a_loss_that_ends_within_a_second_is_short() -> None:
    fed = Fed().at(1.0, Lost(0, 0, other=2), Lost(0, 1, other=2)).at(1.9, Sees(0, 0, other=2))
    assert (fed.gauge.losses, fed.gauge.short) == (2, 1)
    fed.at(2.1, Sees(0, 1, other=2))
    assert fed.gauge.short == 1


def test_a_first_role_is_no_change_but_the_next_role_or_place_is() -> None:
    role: dict[str, Any] = {"crew": 0, "objective": "fight"}
    fed = Fed().at(1.0, RoleChanged(0, 0, role="press", **role))
    assert fed.gauge.changes == 0
    fed.at(2.0, PlaceChanged(0, 0, role="press", **role)).at(3.0, RoleChanged(0, 0, before="press", **role))
    assert fed.gauge.changes == 1
    fed.at(4.0, RoleChanged(0, 0, role="press", crew=1, objective="chase"))
    assert fed.gauge.changes == 2
    fed.at(5.0, RoleChanged(0, 0, before="press", **role)).at(16.0, RoleChanged(0, 0, role="search", **role))
    assert fed.gauge.changes == 2
    fed.at(17.0, RoleChanged(0, 0, role="speak", crew=2, objective="talk"))
    assert fed.gauge.changes == 2


def test_barks_at_once_are_those_of_two_guards_within_earshot() -> None:
    fed = Fed().at(1.0, Said(0, 0, at=(6.0, 8.0, 0.0), line="there"))
    fed.at(1.3, Said(0, 1, at=(6.0, 10.0, 0.0), line="where"))
    assert fed.gauge.barks == 1
    fed.at(1.4, Said(0, 1, at=(6.0, 10.0, 0.0), line="oh"), Said(0, 0, at=(6.0, 23.0, 0.0), line="far"))
    assert fed.gauge.barks == 1
    fed.at(1.5, Said(0, 0, at=(6.0, 9.0, 0.0), line="an answer", turn=2))
    assert fed.gauge.barks == 1


def test_giving_up_again_counts_until_a_new_hunt() -> None:
    fed = Fed().at(1.0, GivesUp(0, 0)).at(1.1, GivesUp(0, 0), GivesUp(0, 1))
    assert fed.gauge.twice == 1
    fed.at(2.0, StateChanged(0, 0, before=AgentState.PATROL, state=AgentState.SEARCH)).at(9.0, GivesUp(0, 0))
    assert fed.gauge.twice == 1


def test_alarms_are_counted_by_what_they_are_about() -> None:
    fed = Fed()
    fed.world.attention.seen = [0, -1]
    fed.at(1.0, AlarmRaised(0, 0)).at(2.0, AlarmRaised(0, 0), AlarmRaised(0, 1))
    assert fed.gauge.alarms == 3
    assert len(fed.gauge.causes) == 2
    assert values_of(fed.gauge)["alarms"] == 1.5


def test_hunting_counts_after_the_target_is_out_of_the_game() -> None:
    fed = Fed()
    fed.world.state[0] = AgentState.SEARCH.number
    fed.at(1.0)
    assert math.isnan(values_of(fed.gauge)["hunted"])
    fed.world.bodies.mode[2] = GONE
    fed.at(1.1).at(1.2)
    assert values_of(fed.gauge)["hunted"] == pytest.approx(0.1)
    assert fed.gauge.minutes == pytest.approx(0.6 / 60)


def test_news_is_too_fast_before_a_shout_could_arrive() -> None:
    fed = Fed()
    know = fed.world.knowledge.arrays
    know.time[:, 0], know.source[:, 0] = 1.0, (SIGHT, TOLD)
    fed.at(1.0)
    assert fed.gauge.fast == 1
    know.time[:, 0] = 1.1
    fed.at(1.1)
    assert fed.gauge.fast == 1  # It knew of the target already.
    know.time[:, 0] = 5.0
    fed.at(5.1)
    assert fed.gauge.fast == 1  # A tenth of a second is enough for 2 m.


def test_an_encounter_is_the_same_again_and_goes_on_after_a_capture() -> None:
    hall = Drawn(sample("hall"), CellLayout.from_level(sample("hall")))
    field = Encounters("hall", hall, EncounterSettings(seconds=12.0), 0, {})
    assert [field.kind(number) for number in range(4)] == list(KINDS[:4])
    one, two = (run_encounter(field, 0) for _ in range(2))
    np.testing.assert_equal(one.values, two.values)
    assert one.seconds == pytest.approx(12.0)
    assert one.tracks is not None
    assert one.tracks.shape == (12, one.guards + 1, 3)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run `lastseen evaluate believability` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments: Any) -> Result:
        return CliRunner().invoke(cli, ["evaluate", "believability", *map(str, arguments)])

    return runner


FEW = ("--episodes", 3, "--guards", "2", "--seconds", 5, "--jobs", 1)


def test_a_stored_result_is_a_variant(run: Callable[..., Result], tmp_path: Path) -> None:
    stored = run("hall", *FEW, "--json")
    assert stored.exit_code == 0, stored.output
    (tmp_path / "before.json").write_text(stored.stdout, encoding="utf-8")
    told = json.loads(run("hall", *FEW, "--variants", "before.json", "--json").stdout)
    now, before = told["tables"][0]["variants"]
    assert (now["variant"], before["variant"]) == ("now", "before.json")
    assert {key: one["value"] for key, one in before["above_now"].items()} == dict.fromkeys(before["above_now"], 0.0)
    assert before["reassigned"] == now["reassigned"]


def test_a_report_compares_changed_settings(run: Callable[..., Result], tmp_path: Path) -> None:
    result = run("hall", *FEW, "--variants", "crews=false", "--report", "found")
    assert result.exit_code == 0, result.output
    words = (tmp_path / "found" / "report.md").read_text(encoding="utf-8")
    for part in ("# Believability", "crews=false", "role and place changes", "## Compared with now"):
        assert part in words
    for path in (tmp_path / "found").glob("*.png"):
        assert f"({path.name})" in words
        with Image.open(path) as picture:
            assert picture.width > 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hall", "--variants", "crew=false"), "did you mean 'crews'"),
        (("hall", "--variants", "step=7"), "variant 'step=7'"),
        (("hall", "--variants", "none.json"), "cannot read 'none.json'"),
        (("hall", "--episodes", 0), "episodes"),
    ],
)
def test_bad_input_is_explained(run: Callable[..., Result], arguments: tuple[Any, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_results_of_other_runs_are_refused(run: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("{}", encoding="utf-8")
    assert "holds no runs" in run("hall", "--variants", "empty.json").output
    (tmp_path / "before.json").write_text(run("hall", *FEW, "--json").stdout, encoding="utf-8")
    assert "seed 0" in run("hall", *FEW, "--variants", "before.json", "--seed", 1).output
    assert "no run 0 of 'loop'" in run("loop", *FEW, "--variants", "before.json").output


def test_evaluation_in_code_checks_its_variants() -> None:
    hall = Drawn(sample("hall"), CellLayout.from_level(sample("hall")))
    with pytest.raises(InputError, match="no variant 'sightings=0'"):
        evaluate_believability({"hall": hall}, variants=["sightings=0"])
