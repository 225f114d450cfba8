"""Every public function, every argument, nasty values: an answer or an error of our own tree, nothing else."""

from __future__ import annotations

import functools
import inspect

import numpy as np
import pytest

from lastseen.level.samples import sample
from lastseen.reasoning.chase.loss import Trail
from public_names import PUBLIC, public
from specimens import public as later
from specimens.nasty_values import NASTY

TRUSTED = (
    *("agent", "base", "bodies", "each", "knowledge", "layout", "level", "mesh", "progress", "recording", "setting"),
    "world",
)
"""Not probed: objects a call is put to, which type checkers see; what checks its own stands in `CHECKED`."""

CHECKED = ("Layer", "NavMesh.from_level", "Sight", "Spread", "StimulusBoard", "account_of.agent", "apply_input.agent")
"""Beginnings of names whose arguments are probed nevertheless."""

PLAIN = (
    "CellLayout",
    "Fault",
    "Flood",
    "Level",
    "NavMesh",
    "PartLabel",
    "Prediction",
    "Predictor",
    "PredictorKind",
    *later.PLAIN,
)
"""Classes that are made by builders, readers and predictors, or by nobody; only their methods are asked."""

ELSEWHERE = tuple(f"lastseen.{name}" for name in ("compilation", "reasoning.placement", "reasoning.tactical"))
"""Homes of names that tests of their own probe in the same way, such as `tests/reasoning/test_*_bad_arguments.py`."""

UNPROBED = (
    *("Comparison", "ConvexFaces", "CrewTrialSettings", "Door", "Floor", "Floors", "Heat", "IntendedPath", "Obstacle"),
    *("Output", "Patrol", "ReactiveSelector", "ReactiveSequence", "TileFloor", "Tiles", "TriangleSoup", "Zone"),
    *("assemble", "compare", "did_you_mean", "draw_layout", "evaluate_chase", "evaluate_crews", "evaluate_search"),
    *("move_rule", "parse_level", "shipped_scenario", "replace_rule", "revise_rules", "roles_of", "scenario_text"),
    *("Sentence", "Sentences", "story_of", "summarise", "write_level"),
    *("Experiment", "Job", "Measure", "interval", "register_experiment"),
)
"""Parts of levels, whose faults `find_faults` reports, calls that take longer or only what others return, and the
declarations of experiments, which the harness checks when they run."""

HERE = ("area_between", "cluster", "distances", "frechet", "hausdorff")

PREDICTORS = ("Breadcrumbs", "Chase", "DeadReckoning", "LastPosition", "ParticleFilter")

METHODS = {
    **dict.fromkeys(PREDICTORS, ("predict", "predict_many")),
    "CellLayout": ("from_navmesh", "load", "save"),
    "Chase": ("predict", "predict_many", "queue", "start"),
    "ChaseSettings": ("but",),
    "CutMesh": ("cut", "lift"),
    "Falloff": ("exponential", "linear", "power"),
    "Layer": ("add", "clear", "of", "set"),
    "LayerStack": ("add", "add_block", "column", "columns", "put", "remove", "__getitem__", "__contains__"),
    "Level": ("read", "sample"),
    "LiveLayout": ("close_door", "close_doors", "cut", "lift", "open_door"),
    "Losses": ("of",),
    "NavMesh": ("from_level",),
    "Pursuit": ("perceive",),
    "Spread": ("distances", "influence"),
    **later.METHODS,
}


@functools.cache
def _right():
    """A right value for every argument, by its name; where two functions differ, by `function.argument`."""
    level = sample("corridor")
    mesh = public.NavMesh.from_level(level)
    layout = public.CellLayout.from_navmesh(mesh)
    layer = public.Layer(layout, "danger", low=0, high=100)
    here, there = tuple(layout.arrays.cell_xyz[0].tolist()), tuple(layout.arrays.cell_xyz[1].tolist())
    return {
        **later.right_arguments(level, layout, here, there),
        "first": [here, there],
        "second": [there, here],
        "paths": [[here, there]],
        "apart": [[0.0]],
        "within": 1.0,
        "mesh": mesh,
        "layout": layout,
        "level": level,
        "layer": layer,
        "flood": public.Chase(layout).predict(seen_at=(3.0, 3.0)),
        "scores": layer,
        "agent": public.Body(),
        "point": here,
        "points": [here],
        "xyz": here,
        "start_xyz": here,
        "goal_xyz": there,
        "end_xyz": there,
        "low_xyz": (0, 0, 0),
        "high_xyz": there,
        "cells": [0],
        "cell": 0,
        "face": 0,
        "sources": [0],
        "cut": None,
        "outline": [here, there, (1, 9, 0)],
        "z_low": 0.0,
        "z_high": 1.0,
        "radius": 1.0,
        "reach": 3.0,
        "halving": 2.0,
        "falloff": public.Falloff.linear(3.0),
        "parts": [(layer, 1.0)],
        "layers": [layer],
        "amounts": 1,
        "values": 1,
        "at_least": 0.0,
        "name": "a",
        "path": "nowhere",
        "door": 0,
        "meanings": {"b": ""},
        **{f"{name}s.{end}_xyz": [here] for name in ("find_path", "raycast") for end in ("start", "goal", "end")},
        **{f"reachable_many.{end}_xyz": [here] for end in ("start", "goal")},
        "Layer.values": None,
        "Layer.of.values": np.zeros(len(layer)),
        "CellLayout.from_navmesh.cell": 1.0,
        "LayerStack.remove.name": "danger",
        "LayerStack.__getitem__.name": "danger",
        "Level.sample.name": "corridor",
        "Body.radius": 0.3,
        "base": mesh,
        "outline_xy": [here, there, (1, 9, 0)],
        **{f"{name}.cells": layout for name in (*PREDICTORS, "tactical_worth")},
        "loss": _loss(here, there),
        "losses": [_loss(here, there)],
        "seen_at": here,
        "Losses.seen_at": [here],
        "predictor": public.LastPosition(layout),
        "stimulus": public.Stimulus("gunshot", there),
        "kind": "gunshot",
    }


def _loss(here, there):
    trail = Trail([here, there], [0.0, 1.0])
    return public.Loss(here, (1, 0), guard_at=there, guard_view=public.View(), trail=trail)


def _functions():
    """Pairs of a name and what makes the callable: methods are bound to an object of their own for each call."""
    for name, thing in sorted(PUBLIC.items()):
        if name in UNPROBED or not callable(thing) or (inspect.isclass(thing) and issubclass(thing, Exception)):
            continue
        if thing.__module__.startswith(ELSEWHERE) and name not in HERE:
            continue
        if name not in PLAIN:
            yield name, thing
        for method in METHODS.get(name, ()):
            yield f"{name}.{method}", getattr(thing, method)


def _arguments(function):
    skipped = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [each for each in inspect.signature(function).parameters.values() if each.kind not in skipped]


def _is_probed(name, argument):
    checked = f"{name}.{argument.name}".startswith(CHECKED)
    flag = argument.annotation == "bool"  # whatever is true or false will do
    return argument.name not in ("self", "progress") and not flag and (checked or argument.name not in TRUSTED)


CASES = [
    (name, each.name) for name, function in _functions() for each in _arguments(function) if _is_probed(name, each)
]


def _owner(name, folder):
    """An object to call the method of."""
    right = _right()
    owner = later.owner_of(name.split(".")[0], right, folder)
    if owner is not None:
        return owner
    if name.startswith("LayerStack"):
        stack = public.LayerStack(right["layout"])
        stack.put(right["layer"])
        return stack
    kind = name.split(".")[0]
    if kind == "Pursuit":
        return public.Pursuit(right["predictor"], right["loss"])
    if kind == "ChaseSettings":
        return public.ChaseSettings()
    makers = {"CutMesh": "mesh", **dict.fromkeys(("LiveLayout", "Spread", *PREDICTORS), "layout")}
    return PUBLIC[kind](right[makers[kind]]) if kind in makers else right[kind.lower().removeprefix("cell")]


@pytest.mark.parametrize(("name", "argument"), CASES)
def test_bad_arguments_stay_in_the_error_tree(name, argument, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = dict(_functions())[name]
    right = _right()
    given = {}
    for each in _arguments(function):
        if each.name == "self":
            given["self"] = _owner(name, tmp_path)
        elif each.default is inspect.Parameter.empty:
            given[each.name] = right.get(f"{name}.{each.name}", right.get(each.name, KeyError))
            if given[each.name] is None:
                given[each.name] = later.made_anew(each.name, right, tmp_path)
            assert given[each.name] is not KeyError, f"{each.name} of {name} needs a right value here"
    if name in ("Limit", "cells_where", "next_cell"):
        given["at_least"] = 0.0
    escaped = {}
    by_place = [each.name for each in _arguments(function) if each.kind is inspect.Parameter.POSITIONAL_ONLY]
    for nasty, value in NASTY.items():
        named = {**given, argument: value}
        try:
            function(*[named.pop(name) for name in ("self", *by_place) if name in named], **named)
        except public.LastSeenError:
            continue
        except Exception as error:
            escaped[nasty] = f"{type(error).__name__}: {str(error)[:80]}"
    assert escaped == {}
