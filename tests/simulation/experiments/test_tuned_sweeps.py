"""Settings of chases, searches and crews are parameters of sweeps, with the results of the calls that set them."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

import lastseen as ls
from lastseen.agents.crews.combat.attack_turns import TURNS
from lastseen.agents.crews.combat.tokens import TokenSettings
from lastseen.errors import InputError
from lastseen.reasoning.chase.flood.chase_settings import PRESETS
from lastseen.reasoning.search.search_settings import PRESETS as MAPS
from lastseen.simulation.experiments.crews.beginnings import CrewTrialSettings, Drawn
from lastseen.simulation.experiments.crews.experiment import evaluate_crews
from lastseen.simulation.experiments.harness.design import sweep_schema
from lastseen.simulation.experiments.harness.results import Results
from lastseen.simulation.experiments.harness.summary import summarise
from lastseen.simulation.experiments.harness.sweep import read_sweep
from lastseen.simulation.experiments.harness.sweep_run import run_sweep
from lastseen.simulation.experiments.harness.sweep_summary import summarise_sweep
from lastseen.simulation.experiments.harness.trials import Evaluation
from lastseen.simulation.experiments.registry import EXPERIMENTS
from lastseen.simulation.experiments.search.beginnings import TrialSettings
from lastseen.simulation.experiments.search.experiment import evaluate_search

LEVEL = ls.Level.sample("warehouse")
CELLS = ls.CellLayout.from_level(LEVEL)


def swept(folder: Path, evaluate: str, text: str) -> list[dict[str, Any]]:
    """Return the rows of a sweep on one level."""
    file = folder / "sweep.toml"
    file.write_text(f'evaluate = "{evaluate}"\nlevels = ["warehouse"]\n{text}', encoding="utf-8")
    outcome = run_sweep(read_sweep(file), folder / "results")
    assert outcome.failed == 0
    return list(Results(folder / "results", EXPERIMENTS[evaluate]).rows())


def equals(row: dict[str, Any], evaluation: Evaluation, variant: str) -> bool:
    """Return whether a row of a sweep has the measures of an evaluation."""
    found = summarise(evaluation)[-1].row(variant).estimates
    measures = [one for one in evaluation.trials.measures if one.metric in found]
    assert measures
    return all(
        row[one.name] == (found[one.metric].value if math.isfinite(found[one.metric].value) else None)
        for one in measures
    )


def test_settings_of_the_chase_are_swept(tmp_path):
    rows = swept(
        tmp_path,
        "chase",
        '[fixed]\nepisodes = 16\npredictors = ["belief", "last position"]\n[grid]\nchase_max_steps = [3, 15]\n',
    )
    found = {(row["predictor"], row["chase_max_steps"]): row for row in rows}
    assert len(found) == 6
    direct = ls.evaluate_chase(
        {"warehouse": CELLS}, predictors=["belief:max_steps=3", "belief", "last position"], episodes=16
    )
    assert equals(found["belief", 3], direct, "belief:max_steps=3")
    assert equals(found["belief", 15], direct, "belief"), "that is its own"
    assert not equals(found["belief", 3], direct, "belief")
    assert equals(found["last position", 3], direct, "last position")
    for name in ("belief", "article"):
        row = found[name, 3]
        assert (row["chase_hot"], row["chase_barrier"]) == (PRESETS[name].hot, PRESETS[name].barrier)
        assert (row["chase_lead"], row["chase_cone"]) == (PRESETS[name].lead, None)
    assert found["last position", 3]["chase_hot"] is None, "it has no settings"
    effects = {effect.parameter for effect in summarise_sweep(tmp_path / "results").effects}
    assert effects == {"chase_max_steps"}


def test_settings_of_searches_are_swept(tmp_path):
    rows = swept(
        tmp_path,
        "search",
        "[fixed]\nepisodes = 2\nseconds = 10\nsearchers = [2]\n"
        'contenders = ["influence", "both"]\ncoordinator_radius = 9\nspot_actual = 0.5\n'
        "[grid]\nsearch_speed = [0.5, 4.0]\n",
    )
    found = {(row["contender"], row["search_speed"]): row for row in rows}
    assert len(found) == 6
    direct = evaluate_search(
        {"warehouse": (LEVEL, CELLS)},
        contenders=["influence:speed=0.5", "influence", "both"],
        searchers=[2],
        episodes=2,
        settings=TrialSettings(seconds=10.0),
    )
    assert equals(found["influence", 0.5], direct, "influence:speed=0.5")
    assert equals(found["influence", 4.0], direct, "influence"), "that is its own"
    assert not equals(found["influence", 0.5], direct, "influence")
    assert equals(found["random", 0.5], direct, "random")
    assert not equals(found["both", 4.0], direct, "both"), "coordinators are changed too"
    row = found["both", 4.0]
    assert (row["coordinator_radius"], row["spot_actual"], row["spot_estimate"]) == (9.0, 0.5, 1.0)
    assert (row["coordinator_recycle"], row["coordinator_view_angle"]) == ("oldest", 110.0)
    assert (row["search_angle"], row["search_fade"]) == (60.0, MAPS["influence"].fade)
    assert found["influence", 0.5]["coordinator_pool"] is None
    assert found["random", 0.5]["search_fade"] is None


def test_settings_of_crews_are_swept(tmp_path):
    rows = swept(
        tmp_path,
        "crews",
        "[fixed]\nepisodes = 1\nsizes = [5]\nranged = 0\nseconds = 10\n[grid]\nmelee_tokens_count = [1, 4]\n"
        "crew_every = [0.3, 2.0]\n",
    )
    found = {(row["crews"], row["melee_tokens_count"], row["crew_every"]): row for row in rows}
    assert len(found) == 8
    settings = CrewTrialSettings(sizes=(5,), ranged=0.0, seconds=10.0)
    four = TokenSettings(count=4, wait=0.8, cooldown=0.7, scaling=6, holds=2.5)
    for key, more in (
        ((1, 0.3), {}),
        ((4, 0.3), {"turns": {"melee": four}}),
        ((1, 2.0), {"every": 2.0}),
    ):
        direct = evaluate_crews({"warehouse": Drawn(LEVEL, CELLS)}, episodes=1, settings=settings, **more)
        assert equals(found["on", *key], direct, "on")
        assert equals(found["off", *key], direct, "off")
        for other in {(1, 0.3), (4, 0.3), (1, 2.0)} - {key}:
            assert not equals(found["on", *other], direct, "on")
    row = found["on", 4, 0.3]
    assert (row["melee_tokens_wait"], row["ranged_tokens_count"]) == (TURNS["melee"].wait, TURNS["ranged"].count)
    assert row["ranged_tokens_holds"] == 2.5


def test_wrong_turns_are_refused():
    with pytest.raises(InputError, match="weapon is 'bow'"):
        evaluate_crews({"warehouse": Drawn(LEVEL, CELLS)}, turns={"bow": TokenSettings()})
    with pytest.raises(InputError, match="turns"):
        evaluate_crews({"warehouse": Drawn(LEVEL, CELLS)}, turns={"melee": 3})


@pytest.mark.parametrize(
    ("evaluate", "setting", "words"),
    [
        ("chase", "chase_max_stps = [1]", "did you mean 'chase_max_steps'?"),
        ("chase", "chase_max_steps = [0]", "max_steps is 0; give a whole number from 1"),
        ("chase", "chase_max_steps = [2.5]", "give a whole number"),
        ("chase", 'chase_barrier = ["beleif"]', "did you mean 'belief'?"),
        ("chase", 'chase_exits = ["opened"]', "predictor 'belief': exits='opened' applies to the momentum barrier"),
        ("search", "search_threshold = [2.0]", "threshold is 2"),
        ("search", "coordinator_pool = [0]", "pool is 0"),
        ("search", 'coordinator_recycle = ["of"]', "did you mean 'off'?"),
        ("crews", "melee_tokens_count = [-1]", "count is -1"),
        ("crews", "crew_every = [99]", "crew_every is 99"),
    ],
)
def test_a_wrong_setting_is_told_with_its_line(tmp_path, evaluate, setting, words):
    file = tmp_path / "sweep.toml"
    file.write_text(f'evaluate = "{evaluate}"\nlevels = ["rooms"]\n[grid]\n{setting}\n', encoding="utf-8")
    with pytest.raises(InputError) as told:
        read_sweep(file)
    assert str(told.value).startswith(f"{file}:4: ")
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("evaluate", "fixed", "words"),
    [
        (
            "chase",
            'predictors = ["belief:lead=1"]\nchase_lead = 2',
            "by predictor 'belief:lead=1' and by chase_lead",
        ),
        ("search", 'contenders = ["influence:speed=1"]\nsearch_speed = 2', "by search_speed; set it in one place"),
        ("search", 'contenders = ["standing"]\nsearch_speed = 2', "no contender uses search_speed"),
        ("search", 'contenders = ["careful"]\nspot_actual = 2', "no contender uses spot_actual"),
    ],
)
def test_settings_that_clash_or_change_nothing_are_refused(tmp_path, evaluate, fixed, words):
    file = tmp_path / "sweep.toml"
    file.write_text(f'evaluate = "{evaluate}"\nlevels = ["rooms"]\n[fixed]\n{fixed}\n', encoding="utf-8")
    with pytest.raises(InputError, match=f"^{re.escape(str(file))}:[45]: .*{words}"):
        read_sweep(file)


def test_the_schema_has_the_settings():
    forms = {one["properties"]["evaluate"]["enum"][0]: one["properties"] for one in sweep_schema()["anyOf"]}
    assert forms["chase"]["grid"]["properties"]["chase_barrier"]["items"] == {
        "enum": ["momentum", "belief", "both", "none"]
    }
    assert forms["chase"]["fixed"]["properties"]["chase_max_total"]["type"] == "integer"
    assert forms["search"]["fixed"]["properties"]["search_angle"]["description"].startswith("degrees; ")
    assert "spot_actual" in forms["search"]["random"]["properties"]["over"]["properties"]
    assert forms["crews"]["fixed"]["properties"]["ranged_tokens_wait"]["type"] == "number"
