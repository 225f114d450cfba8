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
from specimens.nasty_values import NASTY, check_argument, kinds

TRUSTED = ("each", "progress")
"""Not probed: functions that are called back."""

PLAIN = (
    "CellLayout",
    "Fault",
    "Flood",
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
    *("Comparison", "CrewTrialSettings", "EncounterSettings", "Heat", "Output", "ReactiveSelector", "ReactiveSequence"),
    *("OpponentSettings", "evaluate_believability", "evaluate_opponents"),
    *("assemble", "compare", "did_you_mean", "draw_layout", "evaluate_chase", "evaluate_crews", "evaluate_search"),
    *("move_rule", "parse_level", "shipped_scenario", "replace_rule", "revise_rules", "roles_of", "scenario_text"),
    *("Sentence", "Sentences", "story_of", "summarise", "write_level"),
    *("Experiment", "Job", "Measure", "interval", "register_experiment"),
)
"""Calls that take longer or only what others return, and the declarations of experiments, which the harness checks
when they run."""

HERE = ("area_between", "cluster", "distances", "frechet", "hausdorff")

PREDICTORS = ("Breadcrumbs", "Chase", "DeadReckoning", "LastPosition", "ParticleFilter")

METHODS = {
    **dict.fromkeys(PREDICTORS, ("predict", "predict_many")),
    "CellLayout": ("from_level", "from_navmesh", "load", "save"),
    "Chase": ("predict", "predict_many", "queue", "start"),
    "ChaseSettings": ("but",),
    "CutMesh": ("cut", "lift"),
    "Falloff": ("exponential", "linear", "power"),
    "Layer": ("add", "clear", "of", "set"),
    "LayerStack": ("add", "add_block", "column", "columns", "put", "remove", "__getitem__", "__contains__"),
    "Level": ("from_array", "from_mesh", "from_polygons", "from_text", "read", "sample"),
    "LiveLayout": ("close_door", "close_doors", "cut", "from_level", "lift", "open_door", "set_door"),
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
        **_parts_of_levels(level, here, there),
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
        **{f"{name}.xyz": [here] for name in ("faces_at", "heights_at", "nearest_many")},
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


def _parts_of_levels(level, here, there):
    corner = (1.0, 9.0, 0.0)
    floor = public.Floor([here, there, corner])
    return {
        "surface": level.surface,
        "outline_xyz": [here, there, corner],
        "polygons": [floor],
        "passable": [[True]],
        "floors": [public.TileFloor([[True]])],
        "Level.from_polygons.floors": [[here, (9.0, 0.0), corner]],
        "vertices": [here, there, corner],
        "vertices_xyz": [here, there, corner],
        "triangles": [[0, 1, 2]],
        "face_start": [0, 3],
        "corners": [0, 1, 2],
        "stops": [public.PatrolStop(here)],
        "points_xyz": [here, there],
        "Level.from_text.text": "###\n#.#\n###",
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


def _is_probed(argument):
    flag = argument.annotation == "bool"  # whatever is true or false will do
    return argument.name not in ("self", *TRUSTED) and not flag


CASES = [(name, each.name) for name, function in _functions() for each in _arguments(function) if _is_probed(each)]


WRONG_KINDS = {
    "mesh": {
        "a Level": "NavMesh.from_level(level)",
        "a CellLayout": "`.mesh`",
        "a LiveLayout": "`.mesh`",
        "none": "NavMesh.from_level(level)",
        "a Sight": "NavMesh.from_level(level)",
    },
    "layout": {
        "a Level": "CellLayout.from_level(level)",
        "a NavMesh": "CellLayout.from_navmesh(mesh)",
        "text": "CellLayout.from_level(level)",
    },
    "level": {"a map": "Level.from_array(passable)", "text": "Level.read(path)", "none": "Level.read(path)"},
    "sight": {"a Level": "Sight.from_level(level)", "none": "Sight.from_level(level)"},
    "bodies": {"a Body": "bodies(xyz)", "none": "bodies(xyz)"},
    "world": {"none": "make_world(scenario)"},
}
"""By the name of an argument: what is given, and the call that the message names."""

NAMED = [(name, argument) for name, argument in CASES if argument in WRONG_KINDS and name != "Scenario"]


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


def _call(name, folder):
    """The callable, right values for what it needs, and the names of arguments given by position."""
    function, right, given = dict(_functions())[name], _right(), {}
    for each in _arguments(function):
        if each.name == "self":
            given["self"] = _owner(name, folder)
        elif each.default is inspect.Parameter.empty:
            given[each.name] = right.get(f"{name}.{each.name}", right.get(each.name, KeyError))
            if given[each.name] is None:
                given[each.name] = later.made_anew(each.name, right, folder)
            assert given[each.name] is not KeyError, f"{each.name} of {name} needs a right value here"
    if name in ("Limit", "cells_where", "next_cell"):
        given["at_least"] = 0.0
    by_place = [each.name for each in _arguments(function) if each.kind is inspect.Parameter.POSITIONAL_ONLY]

    def call(**changed):
        named = {**given, **changed}
        return function(*[named.pop(name) for name in ("self", *by_place) if name in named], **named)

    return call


@pytest.mark.parametrize(("name", "argument"), CASES)
def test_bad_arguments_stay_in_the_error_tree(name, argument, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call = _call(name, tmp_path)
    check_argument(f"{name}.{argument}", lambda value: call(**{argument: value}), {**NASTY, **kinds()})


@pytest.mark.parametrize(("name", "argument"), NAMED)
def test_the_message_for_a_wrong_kind_names_the_right_call(name, argument, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call = _call(name, tmp_path)
    optional = inspect.signature(dict(_functions())[name]).parameters[argument].default is None
    for given, advice in WRONG_KINDS[argument].items():
        if given == "none" and optional:
            continue
        with pytest.raises(public.InputError) as caught:
            call(**{argument: {**NASTY, **kinds()}[given]})
        assert advice in str(caught.value), f"{given}: {caught.value}"
